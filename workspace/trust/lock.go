package trust

import (
	"fmt"
	"os"
	"time"
)

// Writing takes a millisecond; whoever holds the lock for longer than patience hangs.
const (
	patience = 10 * time.Second
	pause    = 2 * time.Millisecond
)

// lock takes the lock that the file at path stands for, which it makes, and returns what gives it up. The file
// stays: whoever removed it could have it locked twice.
func lock(path string) (unlock func(), err error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	for waited := time.Duration(0); ; waited += pause {
		taken, err := tryLock(file)
		if taken {
			return func() { _ = file.Close() }, nil
		}
		if err == nil && waited >= patience {
			err = fmt.Errorf("another foreword has held %s for %v; end it", path, patience)
		}
		if err != nil {
			_ = file.Close()
			return nil, err
		}
		time.Sleep(pause)
	}
}
