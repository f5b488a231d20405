package fsys

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Disk is the real file system.
func Disk() FS { return disk{} }

type disk struct{}

func (disk) Lstat(path string) (Info, error) {
	if err := checkPath(path); err != nil {
		return Info{}, err
	}
	fi, err := os.Lstat(path)
	if err != nil {
		return Info{}, fromOS(path, err)
	}
	return infoOf(path, fi), nil
}

func (disk) Stat(path string) (Info, error) {
	if err := checkPath(path); err != nil {
		return Info{}, err
	}
	fi, err := os.Stat(path)
	if err != nil {
		return Info{}, fromOS(path, err)
	}
	return infoOf(path, fi), nil
}

func (disk) ReadDir(path string) ([]Entry, error) {
	return readDir(opener{os.Stat, os.OpenFile}, path, path)
}

func (disk) ReadFile(path string) (*File, error) {
	return readFile(opener{os.Stat, os.OpenFile}, path, path)
}

func (disk) RealPath(path string) (string, error) {
	if err := checkPath(path); err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(path)
	if err == nil {
		return real, nil
	}
	e := fromOS(path, err)
	if e.Reason == ReasonIO {
		// EvalSymlinks has an error of its own for a circle; the system's call names it.
		if _, statErr := os.Stat(path); statErr != nil {
			e = fromOS(path, statErr)
		}
	}
	return "", e
}

// readFileIn reads real, a path below root, so that no link that appears on the
// way meanwhile leads out of root.
func (disk) readFileIn(root, real, path string) (*File, error) {
	return inRoot(root, real, path, readFile)
}

// readDirIn lists real, a path below root, like readFileIn.
func (disk) readDirIn(root, real, path string) ([]Entry, error) {
	return inRoot(root, real, path, readDir)
}

func inRoot[T any](root, real, path string, read func(opener, string, string) (T, error)) (T, error) {
	var none T
	if fi, err := os.Stat(root); err == nil && !fi.IsDir() {
		root = filepath.Dir(root) // a single file may be allowed, too
	}
	rel, err := filepath.Rel(root, real)
	if err != nil {
		return none, &Error{Path: path, Reason: ReasonOutside, Err: err}
	}
	r, err := os.OpenRoot(root)
	if err != nil {
		return none, fromOS(path, err)
	}
	defer r.Close()
	result, err := read(opener{r.Stat, r.OpenFile}, rel, path)
	if e, ok := err.(*Error); ok && e.Reason == ReasonIO && escapes(e.Err) {
		return none, &Error{Path: path, Reason: ReasonOutside, Err: e.Err,
			Detail: "a symbolic link on the way leads outside of " + root}
	}
	return result, err
}

// escapes reports whether os.Root refused: its own refusal is the only error of
// its methods that does not come from the system.
func escapes(err error) bool {
	pathError, ok := err.(*fs.PathError)
	if !ok {
		return false
	}
	_, fromSystem := pathError.Err.(syscall.Errno)
	return !fromSystem
}

// opener is how a name is looked at and opened: anywhere, or below an os.Root.
type opener struct {
	stat func(name string) (fs.FileInfo, error)
	open func(name string, flag int, perm fs.FileMode) (*os.File, error)
}

// openFlags open for reading and never wait: should a FIFO take the file's
// place between the look and the open, the open returns at once.
const openFlags = os.O_RDONLY | syscall.O_NONBLOCK

// readFile reads the file that open knows as name and the caller as path.
func readFile(open opener, name, path string) (*File, error) {
	if err := checkPath(path); err != nil {
		return nil, err
	}
	fi, err := open.stat(name)
	if err != nil {
		return nil, fromOS(path, err)
	}
	if err := refuse(path, fi); err != nil {
		return nil, err
	}
	f, err := open.open(name, openFlags, 0)
	if err != nil {
		return nil, fromOS(path, err)
	}
	defer f.Close()
	// The file may be another one by now: look again at what was opened.
	if fi, err = f.Stat(); err != nil {
		return nil, fromOS(path, err)
	}
	if err := refuse(path, fi); err != nil {
		return nil, err
	}
	// It may also grow while it is read, and files of /proc say that they are empty.
	raw := make([]byte, 0, fi.Size()+512)
	raw, err = appendAll(raw, io.LimitReader(f, MaxFileSize+1))
	if err != nil {
		return nil, fromOS(path, err)
	}
	return FileOf(path, string(raw), fi.ModTime())
}

// FileOf makes a file of raw bytes that came from elsewhere, by the rules for
// those of the disk: what is no text, or larger than MaxFileSize, is an *Error.
func FileOf(path, raw string, modTime time.Time) (*File, error) {
	if len(raw) > MaxFileSize {
		return nil, &Error{Path: path, Reason: ReasonTooLarge}
	}
	text := sniff(raw)
	if text.refused != "" {
		return nil, &Error{Path: path, Reason: text.refused, Detail: text.detail}
	}
	return &File{
		Path: path, Text: text.text, Hash: HashOf(text.text),
		Size: int64(len(raw)), ModTime: modTime,
		BOM: text.bom, Repaired: text.repaired,
	}, nil
}

// refuse says why a file is not opened at all, nil when it may be.
func refuse(path string, fi fs.FileInfo) error {
	switch mode := fi.Mode(); {
	case mode.IsDir():
		return &Error{Path: path, Reason: ReasonDirectory}
	case mode&fs.ModeNamedPipe != 0:
		return &Error{Path: path, Reason: ReasonNotRegular, Detail: "it is a named pipe (FIFO) and is never opened"}
	case mode&fs.ModeSocket != 0:
		return &Error{Path: path, Reason: ReasonNotRegular, Detail: "it is a socket and is never opened"}
	case mode&fs.ModeDevice != 0:
		return &Error{Path: path, Reason: ReasonNotRegular, Detail: "it is a device and is never opened"}
	case !mode.IsRegular():
		return &Error{Path: path, Reason: ReasonNotRegular}
	case fi.Size() > MaxFileSize:
		return &Error{Path: path, Reason: ReasonTooLarge}
	}
	return nil
}

// appendAll is io.ReadAll into a buffer that usually has the right size already.
func appendAll(raw []byte, r io.Reader) ([]byte, error) {
	for {
		if len(raw) == cap(raw) {
			raw = slices.Grow(raw, 512)
		}
		n, err := r.Read(raw[len(raw):cap(raw)])
		raw = raw[:len(raw)+n]
		if err == io.EOF {
			return raw, nil
		}
		if err != nil {
			return raw, err
		}
	}
}

// readDir lists the directory that open knows as name and the caller as path.
func readDir(open opener, name, path string) ([]Entry, error) {
	if err := checkPath(path); err != nil {
		return nil, err
	}
	fi, err := open.stat(name)
	if err != nil {
		return nil, fromOS(path, err)
	}
	if !fi.IsDir() {
		return nil, &Error{Path: path, Reason: ReasonNotDirectory}
	}
	f, err := open.open(name, openFlags, 0)
	if err != nil {
		return nil, fromOS(path, err)
	}
	defer f.Close()
	list, err := f.ReadDir(-1)
	if err != nil {
		return nil, fromOS(path, err)
	}
	entries := make([]Entry, len(list))
	for i, e := range list {
		entries[i] = Entry{Name: e.Name(), Kind: kindOf(e.Type())}
	}
	sortEntries(entries)
	return entries, nil
}

func sortEntries(entries []Entry) {
	slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
}

// checkPath refuses what can only be a mistake of the caller: a relative path
// would be read against the directory the process happens to be in.
func checkPath(path string) error {
	if !filepath.IsAbs(path) {
		return &Error{Path: path, Reason: ReasonIO, Detail: "the path is not absolute"}
	}
	if strings.IndexByte(path, 0) >= 0 {
		return &Error{Path: strings.ReplaceAll(path, "\x00", "␀"), Reason: ReasonMissing, Detail: "the path holds a NUL character, so there is no such file"}
	}
	return nil
}
