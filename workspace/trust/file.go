package trust

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// version is the format that this code reads and writes.
const version = 1

// maxSize is far above any list that was not made by a fault: some 50,000 folders.
const maxSize = 8 << 20

// CorruptError says that the list could not be understood, so that nothing in it is trusted.
type CorruptError struct {
	// File is the list.
	File string
	// Kept is where the damaged list lies now; "" when it was only read and is still in its place.
	Kept string
	// Reason says what is wrong with it.
	Reason error
}

func (e *CorruptError) Error() string {
	if e.Kept == "" {
		return fmt.Sprintf("%s is damaged, so no folder is trusted: %v; mend or delete it", e.File, e.Reason)
	}
	return fmt.Sprintf("%s was damaged and is kept as %s; folders that it named must be trusted again: %v", e.File, e.Kept, e.Reason)
}

func (e *CorruptError) Unwrap() error { return e.Reason }

// WritableError says that somebody other than the user may have written the list, so that nothing in it is trusted.
type WritableError struct {
	File string
	Mode os.FileMode
}

func (e *WritableError) Error() string {
	return fmt.Sprintf("%s may be written by others (mode %04o), so no folder is trusted; check what it says, then run chmod 600 on it", e.File, e.Mode.Perm())
}

// contents is what a list says.
type contents struct {
	folders  []Entry
	commands []Approval
}

func (c contents) clone() contents {
	return contents{slices.Clone(c.folders), slices.Clone(c.commands)}
}

func (c contents) equal(other contents) bool {
	return slices.Equal(c.folders, other.folders) && slices.EqualFunc(c.commands, other.commands, func(a, b Approval) bool {
		return a.ID() == b.ID() && a.Since.Equal(b.Since)
	})
}

// stored is the file's JSON.
type stored struct {
	Version  int             `json:"version"`
	Folders  []storedEntry   `json:"folders"`
	Commands []storedCommand `json:"commands,omitempty"`
}

type storedCommand struct {
	Folder string       `json:"folder"`
	Argv   []string     `json:"argv"`
	Files  []storedFile `json:"files,omitempty"`
	Since  time.Time    `json:"since"`
}

type storedFile struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
}

type storedEntry struct {
	Path  string    `json:"path"`
	Since time.Time `json:"since"`
}

// load reads a list. A missing file is an empty list.
func load(path string) (contents, error) {
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return contents{}, nil
	}
	if err != nil {
		return contents{}, fmt.Errorf("cannot read the list of trusted folders: %w", err)
	}
	if !info.Mode().IsRegular() {
		return contents{}, fmt.Errorf("cannot read the list of trusted folders: %s is not a regular file", path)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o022 != 0 {
		return contents{}, &WritableError{File: path, Mode: info.Mode()}
	}
	file, err := os.Open(path)
	if err != nil {
		return contents{}, fmt.Errorf("cannot read the list of trusted folders: %w", err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxSize+1))
	if err != nil {
		return contents{}, fmt.Errorf("cannot read the list of trusted folders: %w", err)
	}
	list, err := parse(text)
	var newer *newerError
	if errors.As(err, &newer) {
		return contents{}, fmt.Errorf("%s: %w", path, err)
	}
	if err != nil {
		return contents{}, &CorruptError{File: path, Reason: err}
	}
	return list, nil
}

// newerError says that a later foreword wrote the list. It is not damaged, and is left alone.
type newerError struct{ version int }

func (e *newerError) Error() string {
	return fmt.Sprintf("the list of trusted folders has format %d and this foreword knows %d; update foreword", e.version, version)
}

// parse understands all of text or nothing: half a list is not what the user wrote.
func parse(text []byte) (contents, error) {
	if len(text) > maxSize {
		return contents{}, fmt.Errorf("larger than %d bytes", maxSize)
	}
	var head struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return contents{}, err
	}
	if head.Version > version {
		return contents{}, &newerError{head.Version}
	}
	if head.Version != version {
		return contents{}, fmt.Errorf("no format version")
	}
	var file stored
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&file); err != nil {
		return contents{}, err
	}
	var list contents
	for _, e := range file.Folders {
		if !filepath.IsAbs(e.Path) || e.Path != filepath.Clean(e.Path) || e.Path == filepath.Dir(e.Path) {
			return contents{}, fmt.Errorf("%q is not the real path of a folder", e.Path)
		}
		list.folders = append(list.folders, Entry(e))
	}
	for _, c := range file.Commands {
		approval := Approval{Command: Command{Folder: c.Folder, Argv: c.Argv}, Since: c.Since}
		for _, f := range c.Files {
			approval.Files = append(approval.Files, File(f))
		}
		if !filepath.IsAbs(c.Folder) || c.Folder != filepath.Clean(c.Folder) || len(c.Argv) == 0 {
			return contents{}, fmt.Errorf("the command %q of %q is none of a folder", c.Argv, c.Folder)
		}
		list.commands = append(list.commands, approval)
	}
	return sorted(list), nil
}

func sorted(list contents) contents {
	slices.SortStableFunc(list.folders, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	list.folders = slices.CompactFunc(list.folders, func(a, b Entry) bool { return a.Path == b.Path })
	slices.SortStableFunc(list.commands, func(a, b Approval) int {
		return cmp.Or(strings.Compare(a.Folder, b.Folder), slices.Compare(a.Argv, b.Argv), strings.Compare(a.ID(), b.ID()))
	})
	list.commands = slices.CompactFunc(list.commands, func(a, b Approval) bool { return a.ID() == b.ID() })
	return list
}

// change applies edit to the list that is on the disk now and writes it back, while no other process can do the
// same. It returns a *CorruptError when it had to put a damaged list aside.
func (s *Store) change(edit func(contents) contents) error {
	target, err := s.target()
	if err != nil {
		return err
	}
	unlock, err := lock(target + ".lock")
	if err != nil {
		return fmt.Errorf("%w; nothing was changed", err)
	}
	defer unlock()
	list, err := load(target)
	var corrupt *CorruptError
	if errors.As(err, &corrupt) {
		corrupt.Kept, err = setAside(target)
	}
	if err != nil {
		return err
	}
	before := list.clone()
	list = sorted(edit(list))
	if !before.equal(list) || corrupt != nil {
		if err := write(target, list); err != nil {
			return fmt.Errorf("cannot write the list of trusted folders: %w", err)
		}
	}
	if corrupt != nil {
		return corrupt
	}
	return nil
}

// target makes the folder of the list and returns the list's real path: people keep their settings elsewhere and
// link to them, and a rename onto the link would cut it.
func (s *Store) target() (string, error) {
	if err := os.MkdirAll(filepath.Dir(s.file), 0o700); err != nil {
		return "", fmt.Errorf("cannot make the folder for the list of trusted folders: %w", err)
	}
	real, err := filepath.EvalSymlinks(s.file)
	if err == nil {
		return real, nil
	}
	if _, linkErr := os.Lstat(s.file); linkErr == nil {
		return "", fmt.Errorf("cannot write the list of trusted folders: %w", err) // a dangling link
	}
	return s.file, nil
}

// setAside renames a damaged list to a name that is free and returns it.
func setAside(path string) (string, error) {
	for i := range 1000 {
		kept := path + ".corrupt"
		if i > 0 {
			kept = fmt.Sprintf("%s.%d", kept, i)
		}
		// Link fails where the name is taken, so that no earlier list is lost; rename would replace it.
		err := os.Link(path, kept)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			if _, statErr := os.Lstat(kept); statErr == nil {
				continue
			}
			err = os.Rename(path, kept) // a file system without hard links
		} else {
			err = os.Remove(path)
		}
		if err != nil {
			return "", fmt.Errorf("cannot put the damaged list of trusted folders aside: %w", err)
		}
		return kept, nil
	}
	return "", fmt.Errorf("cannot put the damaged list of trusted folders aside: delete the old %s.corrupt files", path)
}

// write replaces the file by one with the list, in one step.
func write(path string, list contents) error {
	file := stored{Version: version, Folders: []storedEntry{}}
	for _, e := range list.folders {
		file.Folders = append(file.Folders, storedEntry(e))
	}
	for _, c := range list.commands {
		kept := storedCommand{Folder: c.Folder, Argv: c.Argv, Since: c.Since}
		for _, f := range c.Files {
			kept.Files = append(kept.Files, storedFile(f))
		}
		file.Commands = append(file.Commands, kept)
	}
	text, err := json.MarshalIndent(file, "", "  ")
	if err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(path), ".trusted-*.json") // 0600, random, never an existing file
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(temp.Name()) }() // fails once renamed, which is right
	_, err = temp.Write(append(text, '\n'))
	if err == nil {
		err = temp.Sync()
	}
	if closeErr := temp.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}
