// Package fsys is the file system that every reader of the workspace sees: the
// editor's open buffers before the disk, only text, and nothing that a caller
// may not read.
//
// It is made of layers that share one interface, FS:
//
//	Disk      the real one; looks before it opens and opens only regular files of text
//	Cache     answers repeated questions from memory, at most FreshFor old
//	Overlay   the open buffers, before whatever lies below
//	Confine   refuses what is really outside of the given folders
//	Counting  records the calls that reach it, for tests and benchmarks
//
// To add a layer, write a type that implements FS over a base FS; let it
// implement rooted too when it passes reads on, or Confine has to fall back to
// checking before and after instead of at open.
//
// All paths are absolute. The package imports nothing of the project.
package fsys

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"time"
)

// MaxFileSize is the size in bytes above which a file is not read. A model's
// window ends long before 1 MiB of text does, so a larger file is never what
// somebody meant to send.
const MaxFileSize = 1 << 20

// FS answers questions about files. Every error is an *Error. What an FS
// returns is shared and must not be modified.
type FS interface {
	// Lstat tells about path itself, without following it when it is a link.
	Lstat(path string) (Info, error)
	// Stat tells about what path leads to, links followed.
	Stat(path string) (Info, error)
	// ReadDir lists a folder, sorted by name, kinds without following links.
	ReadDir(path string) ([]Entry, error)
	// ReadFile gives the text of a regular file of at most MaxFileSize bytes.
	// Whatever else is there is never opened: it is an *Error that says what it is.
	ReadFile(path string) (*File, error)
	// RealPath is the absolute path with all links resolved.
	RealPath(path string) (string, error)
}

// Kind says what a path is.
type Kind uint8

// The kinds of files. KindOther is a FIFO, a device, a socket: opening one may
// hang or have effects, so nothing here ever does.
const (
	KindFile Kind = iota
	KindDir
	KindSymlink
	KindOther
)

// String is the kind in words, for messages.
func (k Kind) String() string {
	switch k {
	case KindFile:
		return "file"
	case KindDir:
		return "directory"
	case KindSymlink:
		return "symbolic link"
	default:
		return "special file"
	}
}

func kindOf(mode fs.FileMode) Kind {
	switch {
	case mode.IsRegular():
		return KindFile
	case mode.IsDir():
		return KindDir
	case mode&fs.ModeSymlink != 0:
		return KindSymlink
	default:
		return KindOther
	}
}

// Info is what is known of a path without reading it.
type Info struct {
	Path    string // as asked
	Kind    Kind
	Size    int64     // bytes on disk, or of the open buffer's text
	ModTime time.Time // zero for an open buffer: its text has no time
	Open    bool      // an open buffer

	id identity // what else the disk tells of this file, where it does
}

// sameState reports whether two looks at one path saw the same thing.
func (i Info) sameState(other Info) bool {
	return i.Kind == other.Kind && i.Size == other.Size && i.Open == other.Open &&
		i.ModTime.Equal(other.ModTime) && i.id == other.id
}

func infoOf(path string, fi fs.FileInfo) Info {
	return Info{Path: path, Kind: kindOf(fi.Mode()), Size: fi.Size(), ModTime: fi.ModTime(), id: identityOf(fi)}
}

// Entry is one name in a folder.
type Entry struct {
	Name string
	Kind Kind // of the name itself: a link is KindSymlink
}

// Hash is the SHA-256 of a file's text as File.Text gives it. Texts with one
// hash are one text, wherever they came from.
type Hash [sha256.Size]byte

// HashOf is the hash of text.
func HashOf(text string) Hash {
	return sha256.Sum256([]byte(text))
}

// String is the hash in lower-case hexadecimal.
func (h Hash) String() string {
	return hex.EncodeToString(h[:])
}

// MarshalText writes the hash as String does.
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (h *Hash) UnmarshalText(text []byte) error {
	read, err := hex.DecodeString(string(text))
	if err != nil || len(read) != len(h) {
		return fmt.Errorf("hash %q: want %d hexadecimal digits", text, 2*len(h))
	}
	copy(h[:], read)
	return nil
}

// File is the text of one file at one moment. It is shared: do not modify it.
type File struct {
	Path    string // as asked
	Text    string // valid UTF-8, byte order mark removed, line ends kept
	Hash    Hash   // of Text
	Size    int64  // bytes on disk, or of the open buffer's text
	ModTime time.Time

	Open    bool  // Text is an open buffer's
	Dirty   bool  // the buffer differs from what was last opened or saved
	Version int32 // of the buffer

	BOM      bool // began with a UTF-8 byte order mark
	Repaired bool // held invalid bytes, which are U+FFFD in Text
}
