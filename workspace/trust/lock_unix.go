//go:build unix

package trust

import (
	"errors"
	"os"
	"syscall"
)

// tryLock takes the lock if it is free. The system gives it up when the process ends, so a crash leaves none behind.
func tryLock(file *os.File) (taken bool, err error) {
	err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) || errors.Is(err, syscall.EINTR) {
		return false, nil
	}
	return err == nil, err
}
