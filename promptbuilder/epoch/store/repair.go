package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/ncruces/go-sqlite3"
)

// repair moves a broken file aside and begins a fresh one. It gives back the
// fault, for the call that found it to report; s.conn is set when the store can
// be used again. Processes that find the fault at the same moment do this one
// after another, and all but the first see that it was done. The caller holds
// the gate.
func (s *Store) repair(ctx context.Context, fault *Degraded) error {
	var broken os.FileInfo
	if s.conn != nil {
		broken = s.conn.file
	}
	_ = s.drop() // what is broken may not close well
	if err := s.replace(ctx, broken, fault); err != nil {
		fault.Err = fmt.Errorf("%w; no new one could be begun: %w", fault.Err, err)
	}
	return fault
}

func (s *Store) replace(ctx context.Context, broken os.FileInfo, fault *Degraded) error {
	unlock, err := lockRepair(ctx, s.path, s.busy)
	if err != nil {
		return err
	}
	defer unlock()
	there, err := os.Stat(s.path)
	done := errors.Is(err, fs.ErrNotExist) || err == nil && broken != nil && !os.SameFile(there, broken)
	if !done && broken == nil {
		// The fault was found while connecting: what is there now is as sound as a
		// second look finds it.
		s.conn, err = connect(ctx, s.path, s.busy)
		done = err == nil
	}
	if !done {
		if fault.Aside, err = moveAside(s.path, s.now().Unix()); err != nil {
			return err
		}
		s.warning = fault
	}
	if s.conn == nil {
		s.conn, err = connect(ctx, s.path, s.busy)
	}
	return err
}

// lockRepair waits until no other process is replacing the file. An empty
// database beside it serves as the lock, since its locks end with the process
// that holds them on every system.
func lockRepair(ctx context.Context, path string, busy time.Duration) (unlock func(), err error) {
	name := path + ".lock"
	file, err := os.OpenFile(name, os.O_RDONLY|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	file.Close()
	db, err := sqlite3.OpenContext(ctx, uri(name))
	if err != nil {
		return nil, err
	}
	db.SetInterrupt(ctx)
	err = db.BusyTimeout(busy)
	if err == nil {
		err = db.Exec("BEGIN EXCLUSIVE")
	}
	if err != nil {
		db.Close()
		return nil, err
	}
	return func() { db.Close() }, nil
}

// moveAside renames a file and its companions to a name that is not taken. The
// file goes last: until then others find the broken one, and a log that they
// begin for it is not the new file's.
func moveAside(path string, at int64) (aside string, err error) {
	aside = fmt.Sprintf("%s.corrupt-%d", path, at)
	for n := 2; ; n++ {
		if _, err := os.Lstat(aside); errors.Is(err, fs.ErrNotExist) {
			break
		}
		aside = fmt.Sprintf("%s.corrupt-%d-%d", path, at, n)
	}
	for _, suffix := range []string{"-wal", "-shm", ""} {
		if err := os.Rename(path+suffix, aside+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return aside, nil
}
