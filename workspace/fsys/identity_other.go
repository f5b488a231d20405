//go:build !linux && !darwin

package fsys

import (
	"io/fs"
	"time"
)

// identity is empty where the system has no cheap and portable one: there a
// file's state is its kind, size and modification time.
type identity struct{}

func identityOf(fs.FileInfo) identity { return identity{} }

// lastChange is the latest moment at which the file is known to have changed.
func (i Info) lastChange() time.Time { return i.ModTime }
