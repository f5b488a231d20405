package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"github.com/ncruces/go-sqlite3"
)

// Errors of single calls; the store itself is sound.
var (
	// ErrUnknown means that no session of that id is stored.
	ErrUnknown = errors.New("unknown session")
	// ErrUnknownTurn means that the session has no turn of that number.
	ErrUnknownTurn = errors.New("unknown turn")
	// ErrExists means that a session of that id is there already.
	ErrExists = errors.New("the session exists already")
	// ErrTurnUsed means that a change would use a turn's number a second time.
	ErrTurnUsed = errors.New("the number of the turn was used before")
	// ErrInvalid means that a change cannot be written because of what it holds.
	ErrInvalid = errors.New("the change cannot be stored")
	// ErrClosed means that the store was closed.
	ErrClosed = errors.New("the store is closed")
)

// Conflict means that a session has moved on since a change was made from it.
type Conflict struct {
	Session string
	// Have is the revision that is stored; 0 when there is no such session (any
	// more). Want is the one that the change was made from.
	Have, Want int64
	// Turn is the newest turn that is stored.
	Turn int
}

func (c *Conflict) Error() string {
	if c.Have == 0 {
		return fmt.Sprintf("session %q is not stored any more (the change was made from revision %d); send it whole", c.Session, c.Want)
	}
	return fmt.Sprintf("session %q is at revision %d with turn %d, the change was made from revision %d; load it again", c.Session, c.Have, c.Turn, c.Want)
}

// Kind is what is wrong with the store.
type Kind string

// The kinds.
const (
	// Newer: the file is of a newer foreword. It was not touched.
	Newer Kind = "newer"
	// Corrupt: the file was broken. It was moved aside and a fresh one begun,
	// unless Err says why that was not possible.
	Corrupt Kind = "corrupt"
	// ReadOnly: the file or its folder cannot be written.
	ReadOnly Kind = "read-only"
	// Full: there is no room for what was to be written.
	Full Kind = "full"
	// Locked: another process did not let go of the file in time.
	Locked Kind = "locked"
	// Unavailable: anything else that keeps the file from being used.
	Unavailable Kind = "unavailable"
)

// Degraded means that sessions cannot be kept at the moment. A caller goes on
// in memory and says so. [Locked] and [Full] may pass: the next call tries
// again.
type Degraded struct {
	Kind Kind
	// Path of the file.
	Path string
	// Aside is where a corrupt file was moved.
	Aside string
	// Holders are the processes that have the file open, where that can be known.
	Holders []string
	// Found and Known are versions of the tables, for a newer file.
	Found, Known int
	// Err is the cause; it may be nil.
	Err error
}

// Passes tells that the store may be used again: it was mended, or the next call
// may find the file free or some room.
func (d *Degraded) Passes() bool {
	return d.Kind == Locked || d.Kind == Full || d.Kind == Corrupt && d.Aside != ""
}

// Unwrap gives the cause.
func (d *Degraded) Unwrap() error { return d.Err }

func (d *Degraded) Error() string {
	var b strings.Builder
	switch d.Kind {
	case Newer:
		fmt.Fprintf(&b, "%s is of a newer foreword (tables of version %d, this one knows %d) and was left alone; sessions are not kept: update foreword", d.Path, d.Found, d.Known)
	case Corrupt:
		fmt.Fprintf(&b, "%s was damaged", d.Path)
		if d.Aside != "" {
			fmt.Fprintf(&b, "; it was moved to %s and a new one begun: earlier sessions are lost unless that file can be mended", d.Aside)
		}
	case ReadOnly:
		fmt.Fprintf(&b, "%s cannot be written; sessions are not kept: make the file and its folder writable", d.Path)
	case Full:
		fmt.Fprintf(&b, "there is no room for %s; the session is not kept: make room on the disk", d.Path)
	case Locked:
		fmt.Fprintf(&b, "%s is locked", d.Path)
		if len(d.Holders) > 0 {
			fmt.Fprintf(&b, "; it is open in %s", strings.Join(d.Holders, ", "))
		} else {
			b.WriteString(" by another process")
		}
		b.WriteString(": try again when that is done")
	default:
		fmt.Fprintf(&b, "%s cannot be used; sessions are not kept", d.Path)
	}
	if d.Err != nil {
		fmt.Fprintf(&b, " (%v)", d.Err)
	}
	return b.String()
}

// errPanic marks a fault inside the driver, after which its connection is of no
// use.
var errPanic = errors.New("the database engine failed")

// diagnose makes a [*Degraded] of an error of the driver or of the file system,
// and leaves others as they are.
func diagnose(ctx context.Context, path string, err error) error {
	var code sqlite3.ErrorCode
	var pathError *fs.PathError
	var later *newer
	isCode := errors.As(err, &code)
	switch {
	case err == nil:
		return nil
	case errors.As(err, &later):
		return &Degraded{Kind: Newer, Path: path, Found: later.found, Known: later.known}
	case errors.Is(err, errForeign):
		return &Degraded{Kind: Unavailable, Path: path, Err: err}
	case ctx.Err() != nil && (code == sqlite3.INTERRUPT || code == sqlite3.BUSY):
		return ctx.Err()
	case !isCode && !errors.Is(err, errPanic) && !errors.As(err, &pathError):
		return err
	}
	d := &Degraded{Kind: Unavailable, Path: path, Err: err}
	switch code {
	case sqlite3.CORRUPT, sqlite3.NOTADB:
		d.Kind = Corrupt
	case sqlite3.ERROR:
		// The version of the tables was right, and ours are not all there.
		for _, lack := range []string{"no such table", "no such column", "has no column"} {
			if strings.Contains(err.Error(), lack) {
				d.Kind = Corrupt
			}
		}
	case sqlite3.IOERR:
		if errors.Is(err, sqlite3.IOERR_SHORT_READ) { // the file ends before a page of it
			d.Kind = Corrupt
		}
	case sqlite3.READONLY, sqlite3.PERM:
		d.Kind = ReadOnly
	case sqlite3.FULL:
		d.Kind = Full
	case sqlite3.BUSY, sqlite3.LOCKED, sqlite3.PROTOCOL:
		d.Kind = Locked
		d.Holders = holders(path)
	}
	switch {
	case d.Kind != Unavailable:
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		d.Kind = ReadOnly
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		d.Kind = Full
	}
	return d
}
