//go:build linux || darwin

package fsys

import (
	"io/fs"
	"syscall"
	"time"
)

// identity tells two files of one path apart that have the same size and time:
// a file renamed over another has another inode, and the change time moves even
// when a tool sets the modification time back.
type identity struct {
	device, inode uint64
	changed       int64 // change time, nanoseconds since 1970; 0 when unknown
}

func identityOf(fi fs.FileInfo) identity {
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return identity{}
	}
	return identity{device: uint64(st.Dev), inode: st.Ino, changed: changeTime(st)}
}

// lastChange is the latest moment at which the file is known to have changed.
func (i Info) lastChange() time.Time {
	if changed := time.Unix(0, i.id.changed); i.id.changed != 0 && changed.After(i.ModTime) {
		return changed
	}
	return i.ModTime
}
