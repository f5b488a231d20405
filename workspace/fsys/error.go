package fsys

import (
	"errors"
	"io/fs"
	"syscall"
)

// Reason says why something could not be read, in a word that callers can
// switch on and show.
type Reason string

// The reasons of an Error.
const (
	ReasonMissing      Reason = "missing"
	ReasonDirectory    Reason = "directory"     // a file was wanted
	ReasonNotDirectory Reason = "not-directory" // a directory was wanted
	ReasonNotRegular   Reason = "not-regular"   // FIFO, device, socket
	ReasonTooLarge     Reason = "too-large"     // over MaxFileSize
	ReasonBinary       Reason = "binary"
	ReasonUTF16        Reason = "utf-16" // or UTF-32
	ReasonPermission   Reason = "permission"
	ReasonOutside      Reason = "outside" // really outside of the folders that may be read
	ReasonLoop         Reason = "loop"    // symbolic links that lead to themselves
	ReasonIO           Reason = "io"      // anything else; Err has it
)

// Error is why a path could not be looked at or read.
type Error struct {
	Path   string
	Reason Reason
	Detail string // what is there and what to do about it; may be empty
	Err    error  // the cause, where another error was one
}

// Error is a sentence for the person who has to act on it.
func (e *Error) Error() string {
	detail := e.Detail
	if detail == "" {
		detail = sentences[e.Reason]
	}
	if detail == "" && e.Err != nil {
		detail = cause(e.Err).Error()
	}
	return "cannot read " + e.Path + ": " + detail
}

var sentences = map[Reason]string{
	ReasonMissing:      "there is no such file",
	ReasonDirectory:    "it is a directory, not a file; rename it or put the text into a file inside",
	ReasonNotDirectory: "it is not a directory",
	ReasonNotRegular:   "it is not a regular file and is never opened",
	ReasonTooLarge:     "it is larger than 1 MiB; split it or shorten it",
	ReasonBinary:       "it is not a text file",
	ReasonUTF16:        "it is UTF-16; save it as UTF-8",
	ReasonPermission:   "permission denied; make it readable for you",
	ReasonOutside:      "it is outside of the folders that may be read",
	ReasonLoop:         "its symbolic links lead in a circle; mend or remove them",
}

// cause strips the operation and the path that os puts around an errno: both
// are in the sentence already.
func cause(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}

// Unwrap is the cause, nil when there was no other error.
func (e *Error) Unwrap() error { return e.Err }

// Is lets errors.Is find io/fs's errors for the reasons that have one there.
func (e *Error) Is(target error) bool {
	switch target {
	case fs.ErrNotExist:
		return e.Reason == ReasonMissing
	case fs.ErrPermission:
		return e.Reason == ReasonPermission
	}
	return false
}

// ReasonOf is the reason of err, ReasonIO for an error that is not one of ours
// and "" for nil.
func ReasonOf(err error) Reason {
	if err == nil {
		return ""
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Reason
	}
	return ReasonIO
}

// fromOS turns an error of the os package into ours.
func fromOS(path string, err error) *Error {
	reason := ReasonIO
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		// A path through a file is as missing as any other.
		reason = ReasonMissing
	case errors.Is(err, fs.ErrPermission):
		reason = ReasonPermission
	case errors.Is(err, syscall.ELOOP):
		reason = ReasonLoop
	}
	return &Error{Path: path, Reason: reason, Err: err}
}
