//go:build !unix

package lsp

import "os"

// processAlive opens the process, which fails when it is gone.
func processAlive(pid int) bool {
	process, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	_ = process.Release()
	return true
}
