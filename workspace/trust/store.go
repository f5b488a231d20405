// Package trust keeps the list of folders that the user trusts: in a trusted folder URLs may be fetched and files
// outside of it may be read because a file in it says so, and commands may run because a file in it says so, each
// once the user has approved it as it is.
//
// The list is the user's own. It lies in their configuration folder, nothing of a workspace is ever read to decide
// about trust, and a folder is known by its real path, so that neither a link nor a file in a folder can make it
// trusted. In doubt a folder is not trusted: when the list cannot be read, is damaged, or could have been written
// by somebody else.
package trust

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// Entry is a trusted folder.
type Entry struct {
	// Path is the folder's real path.
	Path string
	// Since is when it was trusted first.
	Since time.Time
}

// Store is the list in one file. Other processes may write the same file; each call sees what they wrote. It is
// safe for concurrent use.
type Store struct {
	file string
	now  func() time.Time

	mu    sync.Mutex  // guards all fields below
	seen  os.FileInfo // the state of the file that read was made from; nil when there was none
	list  contents
	fault error // what was wrong with that state
	known bool  // the file was looked at
}

// StateFile returns where the list is for a user: trusted.json in foreword's folder of XDG_CONFIG_HOME, or of
// ~/.config where that is not set to an absolute path.
func StateFile(home string, env func(string) string) string {
	config := env("XDG_CONFIG_HOME")
	if !filepath.IsAbs(config) {
		config = filepath.Join(home, ".config")
	}
	return filepath.Join(config, "foreword", "trusted.json")
}

// Open returns the store in stateFile, which need not exist. It reads nothing yet. Now gives the time of new entries.
func Open(stateFile string, now func() time.Time) *Store {
	return &Store{file: stateFile, now: now}
}

// Trusted says whether the path, with links resolved by the caller, is a trusted folder or lies in one. A path
// that is not absolute and clean is not trusted.
func (s *Store) Trusted(realPath string) bool {
	if !filepath.IsAbs(realPath) || realPath != filepath.Clean(realPath) {
		return false
	}
	list, err := s.read()
	if err != nil {
		return false
	}
	return slices.ContainsFunc(list.folders, func(e Entry) bool { return within(e.Path, realPath) })
}

// within says whether path is folder or lies in it, by segment: /w/app does not hold /w/app-secret.
func within(folder, path string) bool {
	rest, ok := strings.CutPrefix(path, folder)
	return ok && (rest == "" || rest[0] == filepath.Separator)
}

// List returns the trusted folders, sorted by path. A damaged list is a *CorruptError and a list that others may
// write a *WritableError: nothing is trusted then.
func (s *Store) List() ([]Entry, error) {
	list, err := s.read()
	return slices.Clone(list.folders), err
}

// Trust adds a folder to the list by its real path. It must exist. A folder that is in the list already keeps its time.
//
// When the list was damaged it is kept beside the new one and the error is a *CorruptError: the folder is
// trusted, and the user must know that the others no longer are.
func (s *Store) Trust(folder string) error {
	real, err := realFolder(folder)
	if err != nil {
		return err
	}
	return s.change(func(list contents) contents {
		if !slices.ContainsFunc(list.folders, func(e Entry) bool { return e.Path == real }) {
			list.folders = append(list.folders, Entry{Path: real, Since: s.now().UTC().Truncate(time.Second)})
		}
		return list
	})
}

// Distrust removes a folder from the list, under the path as given and under its real path; it need not exist any
// more. The commands that were approved in it are forgotten, so that trusting it again approves none of them. A folder that
// a trusted one holds stays trusted by that one: the error then names it.
func (s *Store) Distrust(folder string) error {
	given, err := filepath.Abs(folder)
	if err != nil {
		return fmt.Errorf("cannot tell where %s is: %w", folder, err)
	}
	real, err := filepath.EvalSymlinks(given)
	if err != nil {
		real = given // it is gone: the list may still name it
	}
	holder := ""
	err = s.change(func(list contents) contents {
		list.folders = slices.DeleteFunc(list.folders, func(e Entry) bool { return e.Path == real || e.Path == given })
		list.commands = slices.DeleteFunc(list.commands, func(a Approval) bool { return within(real, a.Folder) || within(given, a.Folder) })
		for _, e := range list.folders {
			if within(e.Path, real) {
				holder = e.Path
			}
		}
		return list
	})
	if err != nil {
		return err
	}
	if holder != "" {
		return fmt.Errorf("%s is still trusted because %s is; distrust that folder instead", real, holder)
	}
	return nil
}

// realFolder returns the real path of a folder that may be trusted.
func realFolder(folder string) (string, error) {
	path, err := filepath.Abs(folder)
	if err != nil {
		return "", fmt.Errorf("cannot tell where %s is: %w", folder, err)
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", fmt.Errorf("cannot trust %s: %w", folder, err)
	}
	info, err := os.Stat(real)
	if err != nil {
		return "", fmt.Errorf("cannot trust %s: %w", folder, err)
	}
	if !info.IsDir() {
		return "", fmt.Errorf("cannot trust %s: it is not a folder", folder)
	}
	if real == filepath.Dir(real) {
		return "", fmt.Errorf("cannot trust %s: it holds everything; trust the folders that you work in", real)
	}
	return real, nil
}

// read returns the list as it is on the disk now; one stat when nothing changed.
func (s *Store) read() (contents, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	info, err := os.Stat(s.file)
	if errors.Is(err, os.ErrNotExist) {
		s.seen, s.list, s.fault, s.known = nil, contents{}, nil, true
		return contents{}, nil
	}
	if err != nil {
		return contents{}, fmt.Errorf("cannot read the list of trusted folders: %w", err)
	}
	if s.known && s.seen != nil && same(s.seen, info) {
		return s.list, s.fault
	}
	list, err := load(s.file)
	s.seen, s.list, s.fault, s.known = info, list, err, true
	if racy(info) {
		s.known = false // written in this very tick: the next write may look the same
	}
	return list, err
}

// same says whether two looks saw the same state. Every write of ours makes a new file.
func same(a, b os.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime()) && a.Mode() == b.Mode()
}

// racy says that the file is so young that another write could leave the same time on it. File systems count in
// steps of up to 10 ms (2 s on FAT, where nobody keeps a home).
func racy(info os.FileInfo) bool { return time.Since(info.ModTime()) < 100*time.Millisecond }
