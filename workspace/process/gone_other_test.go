//go:build !unix

package process

import "testing"

// gone has no way to look: the tests show that the call ends.
func gone(*testing.T, string) {}
