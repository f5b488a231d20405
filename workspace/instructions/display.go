package instructions

import (
	"path/filepath"
	"strings"
	"unicode"

	"foreword/workspace/fsys"
)

// Display shortens a path for people and for the model: relative to root inside
// it, from ~/ below the home folder, else absolute; always with slashes. What
// cannot be printed is a question mark, so that no file's name writes lines of
// its own.
func Display(root, home, path string) string {
	return printable(shorten(root, home, path))
}

func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) || r == ' ' {
			return r
		}
		return '?'
	}, text)
}

func shorten(root, home, path string) string {
	if root != "" {
		if rel, within := fsys.Below(root, path); within {
			return filepath.ToSlash(rel)
		}
	}
	if home != "" {
		if rel, within := fsys.Below(home, path); within {
			return "~/" + filepath.ToSlash(rel)
		}
	}
	return filepath.ToSlash(path)
}
