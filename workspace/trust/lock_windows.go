//go:build windows

package trust

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// tryLock takes the lock if it is free. The system gives it up when the process ends, so a crash leaves none behind.
func tryLock(file *os.File) (taken bool, err error) {
	err = windows.LockFileEx(windows.Handle(file.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY,
		0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}
