package trust

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"foreword/workspace/process"
)

// Command is a command that a workspace declares, with all that an approval of it holds to. Another word or another
// content of a file makes another command.
type Command struct {
	// Folder is the real path of the workspace's root, in which it runs.
	Folder string
	// Argv is the program and its arguments.
	Argv []string
	// Files are those that the words name, in the order of the words.
	Files []File
}

// File is a file that a command names.
type File struct {
	// Path is relative to the folder, with slashes.
	Path string
	// SHA256 is the sum of its bytes on the disk, in hex.
	SHA256 string
}

// Approval is a command that the user approved.
type Approval struct {
	Command
	// Since is when it was approved.
	Since time.Time
}

// ID tells commands apart: the SHA-256 of folder, words and files, in hex.
func (c Command) ID() string {
	raw, err := json.Marshal([]any{c.Folder, c.Argv, c.Files})
	if err != nil {
		panic(err) // strings always encode
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// maxScript is the size above which a file that a command names is too large for a script that somebody reads before
// they approve it.
const maxScript = 64 << 20

// Describe looks at a command as it would be approved now. Path is the PATH on which the program is looked for.
//
// A file counts when a word names it by a path that is relative or in the folder, also as the value of --name=path. What a program
// reads without being told (a Makefile, the files of a folder) does not: the user sees which files do.
func Describe(folder string, argv []string, path string) (Command, error) {
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return Command{}, fmt.Errorf("cannot tell where %s is: %w", folder, err)
	}
	c := Command{Folder: real, Argv: slices.Clone(argv)}
	if len(argv) == 0 {
		return Command{}, errors.New("the command is empty")
	}
	program, err := process.Program(argv[0], real, path)
	if err != nil {
		return Command{}, err
	}
	names := []string{program}
	for _, word := range argv[1:] {
		names = append(names, word)
		if _, value, ok := strings.Cut(word, "="); ok {
			names = append(names, value)
		}
	}
	for i, name := range names {
		named := i == 0 && !filepath.IsAbs(argv[0]) && strings.ContainsAny(argv[0], `/\`) || i > 0 && !filepath.IsAbs(name)
		file, ok, err := describeFile(real, name, named)
		if err != nil {
			return Command{}, err
		}
		if ok && !slices.Contains(c.Files, file) {
			c.Files = append(c.Files, file)
		}
	}
	return c, nil
}

// describeFile looks whether a word names a file. A file elsewhere counts only when it is named relative to the folder: the system's
// own programs change with every update.
func describeFile(folder, name string, relative bool) (File, bool, error) {
	if name == "" || strings.ContainsRune(name, 0) {
		return File{}, false, nil
	}
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(folder, path)
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return File{}, false, nil // names nothing, as most words do
	}
	if !relative && !within(folder, filepath.Clean(path)) && !within(folder, real) {
		return File{}, false, nil
	}
	info, err := os.Stat(real)
	if err != nil || !info.Mode().IsRegular() {
		return File{}, false, nil
	}
	shown, err := filepath.Rel(folder, filepath.Clean(path))
	if err != nil {
		shown = path
	}
	shown = filepath.ToSlash(shown)
	if info.Size() > maxScript {
		return File{}, false, fmt.Errorf("%s has more than %d MiB, too much for a file that a command runs", shown, maxScript>>20)
	}
	file, err := os.Open(real)
	if err != nil {
		return File{}, false, fmt.Errorf("cannot read %s, which the command names: %w", shown, err)
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, io.LimitReader(file, maxScript+1)); err != nil {
		return File{}, false, fmt.Errorf("cannot read %s, which the command names: %w", shown, err)
	}
	return File{Path: shown, SHA256: hex.EncodeToString(sum.Sum(nil))}, true, nil
}

// Approve adds commands to the list, as they were described to the user. An approval of the same words with other
// files ends.
func (s *Store) Approve(commands ...Command) error {
	return s.change(func(list contents) contents {
		for _, c := range commands {
			if slices.ContainsFunc(list.commands, func(a Approval) bool { return a.ID() == c.ID() }) {
				continue
			}
			list.commands = slices.DeleteFunc(list.commands, func(a Approval) bool { return a.sameWords(c) })
			list.commands = append(list.commands, Approval{Command: c, Since: s.now().UTC().Truncate(time.Second)})
		}
		return list
	})
}

// Revoke takes the approval from the commands of a folder, given by its real path.
func (s *Store) Revoke(realFolder string) error {
	return s.change(func(list contents) contents {
		list.commands = slices.DeleteFunc(list.commands, func(a Approval) bool { return a.Folder == realFolder })
		return list
	})
}

// Verdict is what the list says about a command.
type Verdict string

// The verdicts.
const (
	// Approved: as it is.
	Approved Verdict = "approved"
	// Changed: the same words were approved with other files.
	Changed Verdict = "changed"
	// Unknown: never approved.
	Unknown Verdict = "unknown"
)

// Verdict says whether the user approved the command as it is. When the list cannot be read nothing is approved.
func (s *Store) Verdict(c Command) Verdict {
	list, err := s.read()
	if err != nil {
		return Unknown
	}
	verdict := Unknown
	for _, a := range list.commands {
		switch {
		case a.ID() == c.ID():
			return Approved
		case a.sameWords(c):
			verdict = Changed
		}
	}
	return verdict
}

// Approvals returns the approved commands, sorted by folder and words. Faults are those of List.
func (s *Store) Approvals() ([]Approval, error) {
	list, err := s.read()
	return slices.Clone(list.commands), err
}

func (c Command) sameWords(other Command) bool {
	return c.Folder == other.Folder && slices.Equal(c.Argv, other.Argv)
}
