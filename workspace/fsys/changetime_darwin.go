package fsys

import "syscall"

// changeTime is when the file's data or attributes last changed, nanoseconds
// since 1970.
func changeTime(st *syscall.Stat_t) int64 { return st.Ctimespec.Nano() }
