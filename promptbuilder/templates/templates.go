// Package templates holds foreword's own prompt texts. Each is a file beside
// this one. A file of the same name in the user's configuration folder, or in a
// trusted workspace, takes its place; a blank one says nothing.
//
// To add a text, put a file here, a name into the list of names.go, and say in
// docs/prompts.md what it is for.
package templates

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"foreword/workspace/fsys"
)

//go:embed *.md
var files embed.FS

// builtin are the texts of this folder, without the line ends at their ends.
var builtin = read()

func read() map[Name]string {
	texts := make(map[Name]string, len(Names))
	for _, name := range Names {
		text, err := files.ReadFile(string(name) + ".md")
		if err != nil {
			panic(fmt.Sprintf("templates: %s is in the list of names and has no file: %v", name, err))
		}
		texts[name] = strings.TrimSpace(string(text))
	}
	return texts
}

// Text is one prompt text and where it comes from.
type Text struct {
	// Name of the text.
	Name Name
	// Text without line ends at its ends.
	Text string
	// Path of the file that takes the place of the built-in text, absolute;
	// empty for the built-in one.
	Path string
	// Hash of that file, and whether it is a buffer that is not saved.
	Hash  fsys.Hash
	Dirty bool
	// Line of that file in which Text begins, from 0.
	Line int
}

// Origin is what a prompt's account calls a built-in text.
func (t Text) Origin() string { return "templates/" + string(t.Name) + ".md" }

// Folder is a place where texts of the user's own are.
type Folder struct {
	// Files reads it.
	Files fsys.FS
	// Path is the folder, absolute.
	Path string
}

// Problem is a text of the user's own that cannot be used.
type Problem struct {
	// Path of the file.
	Path string
	// Message says what is wrong with it, and what is used in its place.
	Message string
}

// Set is the texts of one prompt. The zero value holds the built-in ones.
type Set struct {
	// own are the texts that take the place of built-in ones.
	own map[Name]Text
}

// Get gives a text.
func (s Set) Get(name Name) Text {
	if text, ok := s.own[name]; ok {
		return text
	}
	return Text{Name: name, Text: builtin[name]}
}

// Own lists the texts that are not the built-in ones, by name.
func (s Set) Own() []Text {
	var own []Text
	for _, name := range Names {
		if text, ok := s.own[name]; ok {
			own = append(own, text)
		}
	}
	return own
}

// Load reads the texts of the user's own. A later folder's text wins over an
// earlier one's. A file that cannot be read costs itself only, and a file whose
// name is that of no text is told.
func Load(folders ...Folder) (Set, []Problem) {
	var set Set
	var problems []Problem
	for _, folder := range folders {
		entries, err := folder.Files.ReadDir(folder.Path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			problems = append(problems, Problem{folder.Path, fmt.Sprintf("its prompt texts are left out: %v", err)})
			continue
		}
		for _, entry := range entries {
			name, isText := strings.CutSuffix(entry.Name, ".md")
			if !isText || strings.HasPrefix(name, ".") {
				continue
			}
			path := filepath.Join(folder.Path, entry.Name)
			if !slices.Contains(Names, Name(name)) {
				problems = append(problems, Problem{path, fmt.Sprintf("it takes the place of no prompt text; the names are %s", nameList())})
				continue
			}
			text, err := readOwn(folder.Files, path, Name(name))
			if err != nil {
				problems = append(problems, Problem{path, fmt.Sprintf("foreword's own text is used in its place: %v", err)})
				continue
			}
			if set.own == nil {
				set.own = map[Name]Text{}
			}
			set.own[Name(name)] = text
		}
	}
	return set, problems
}

func readOwn(files fsys.FS, path string, name Name) (Text, error) {
	file, err := files.ReadFile(path)
	if err != nil {
		return Text{}, err
	}
	whole := strings.ReplaceAll(file.Text, "\r\n", "\n")
	text := strings.TrimSpace(whole)
	start := strings.Index(whole, text)
	// White space before the first word belongs to its line.
	return Text{Name: name, Text: text, Path: path, Hash: file.Hash, Dirty: file.Dirty, Line: strings.Count(whole[:start], "\n")}, nil
}

func nameList() string {
	list := make([]string, len(Names))
	for i, name := range Names {
		list[i] = string(name)
	}
	return strings.Join(list, ", ")
}
