package tools

import (
	"context"
	"errors"
	"net/url"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unicode"

	"foreword/workspace/fsys"
)

// Place is what the tools may look at.
type Place struct {
	// Root is the folder in which relative paths begin.
	Root string
	// Roots are the folders that may be looked into, Root among them.
	Roots []string
	// Folders are those that the editor has open beside Root, none in another: what
	// is searched where no path is given.
	Folders []string
	// Files are the files with the open buffers before the disk.
	Files fsys.FS
	// LeftOut says which paths may not be looked at, and why.
	LeftOut func(ctx context.Context, paths []string) map[string]string
	// Denied tells that the rules of the agent keep the text of a file from it; nil
	// for none. Whoever names such a file is refused elsewhere; searches pass it over.
	Denied func(path string) bool
	// List gives the files below a folder that git does not ignore, absolute and
	// sorted; truncated tells that there are more than it looks at.
	List func(ctx context.Context, dir string) (paths []string, truncated bool, err error)
	// Problems are what the editor shows in files, sorted by path.
	Problems []Problems
	// Diff gives the difference between the work tree, or what is staged, and what
	// is checked out, of the files below a path: their names, and then the text of
	// those that are wanted. It reads at most so many bytes; more tells that there
	// is more.
	Changed func(ctx context.Context, below string, staged bool) (paths []string, err error)
	Diff    func(ctx context.Context, paths []string, staged bool, most int) (text string, more bool, err error)
	// Untracked gives the files below a path that git does not know yet.
	Untracked func(ctx context.Context, below string) (paths []string, err error)
	// Unsaved are the files whose text in the editor is not that of the disk, sorted.
	Unsaved []string
	// Count counts tokens, and MaxTokens is how many an answer may cost, beside the
	// words on what is missing; 0 for as many as its bytes may be.
	Count     func(text string) int
	MaxTokens int
}

// Problems are what is wrong with a file.
type Problems struct {
	Path string
	// List is sorted, the worst first.
	List []Problem
	// Total is how many there are; List may hold fewer.
	Total int
}

// Problem is one of them.
type Problem struct {
	// Line and Column count from 1.
	Line, Column int
	// Severity is error, warning, info or hint.
	Severity string
	Message  string
	// Source and Code say who found it by which rule; empty for unknown.
	Source, Code string
}

// at finds the path that a model means: absolute, relative to the root, or a
// URI. It must be in the workspace and may be looked at.
func (p *Place) at(ctx context.Context, named string) (string, error) {
	found, err := p.inside(named)
	if err != nil {
		return "", err
	}
	if slices.Contains(p.Roots, found) {
		return found, nil
	}
	if why := p.LeftOut(ctx, []string{found})[found]; why != "" {
		return "", refuse("%s is not shown to models: %s. Go on without it, or ask the user to attach it if it is needed", p.show(found), why)
	}
	return found, nil
}

// starts are the folders that a search begins in: the one that is named, or all
// that are open.
func (p *Place) starts(ctx context.Context, named string) ([]string, error) {
	first, err := p.at(ctx, named)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(named) != "" {
		return []string{first}, nil
	}
	return append([]string{first}, p.Folders...), nil
}

// others names the folders that a tool did not look into, as the end of an
// answer; empty where a path was given, or there are none.
func (p *Place) others(named string) string {
	if strings.TrimSpace(named) != "" || len(p.Folders) == 0 {
		return ""
	}
	return "other folders of the workspace, to be given as path: " + p.some(p.Folders)
}

// inside finds the path that a model means, in the workspace.
func (p *Place) inside(named string) (string, error) {
	if p.Root == "" {
		return "", refuse("no folder is open, so there is nothing to look at")
	}
	named = strings.TrimSpace(named)
	if u, err := url.Parse(named); err == nil && u.Scheme == "file" {
		named = u.Path
		if runtime.GOOS == "windows" {
			named = strings.TrimPrefix(named, "/")
		}
	}
	if named == "" || named == "." || named == "/" {
		return p.Root, nil
	}
	if strings.ContainsRune(named, 0) {
		return "", refuse("%q is no path", named)
	}
	native := filepath.FromSlash(named)
	if !filepath.IsAbs(native) {
		native = p.joined(native)
	}
	native = filepath.Clean(native)
	for _, root := range p.Roots {
		if !fsys.Within(root, native) {
			continue
		}
		real, err := p.Files.RealPath(native)
		var fault *fsys.Error
		if errors.As(err, &fault) && fault.Reason == fsys.ReasonOutside {
			break
		}
		if err == nil && !p.within(real) {
			return "", refuse("%s leads out of the workspace, to where nothing may be read", p.show(native))
		}
		return native, nil
	}
	return "", refuse("%s is outside of the workspace (%s)", oneLine(named), oneLine(strings.Join(p.Roots, ", ")))
}

// joined makes a relative path absolute: below the first folder in which there
// is such a file, and below the root where there is none. A path that begins
// with the name of a folder may mean that folder.
func (p *Place) joined(relative string) string {
	first := filepath.Join(p.Root, relative)
	for _, root := range append([]string{p.Root}, p.Roots...) {
		for _, candidate := range []string{filepath.Join(root, relative), filepath.Join(filepath.Dir(root), relative)} {
			if fsys.Within(root, candidate) {
				if _, err := p.Files.Lstat(candidate); err == nil {
					return candidate
				}
			}
		}
	}
	return first
}

// within tells whether a real path is in the workspace.
func (p *Place) within(real string) bool {
	for _, root := range p.Roots {
		if fsys.Within(root, real) {
			return true
		}
		if r, err := p.Files.RealPath(root); err == nil && fsys.Within(r, real) {
			return true
		}
	}
	return false
}

// show is a path as the model reads it, with slashes: relative to the root where
// it is below it.
func (p *Place) show(native string) string {
	if native == p.Root {
		return "."
	}
	if rel, ok := fsys.Below(p.Root, native); ok {
		return oneLine(filepath.ToSlash(rel))
	}
	return oneLine(filepath.ToSlash(native))
}

// below lists the files below a folder that may be looked at.
func (p *Place) below(ctx context.Context, dir string) (files []string, truncated bool, err error) {
	info, err := p.Files.Stat(dir)
	if err != nil {
		return nil, false, p.unreadable(err)
	}
	if info.Kind != fsys.KindDir {
		return nil, false, refuse("%s is a %s, not a directory", p.show(dir), info.Kind)
	}
	all, truncated, err := p.List(ctx, dir)
	if err != nil {
		return nil, false, err
	}
	out := p.LeftOut(ctx, all)
	return slices.DeleteFunc(all, func(file string) bool { return out[file] != "" }), truncated, ctx.Err()
}

// denied tells that the text of a file is not for this agent.
func (p *Place) denied(path string) bool { return p.Denied != nil && p.Denied(path) }

// unreadable is a refusal that says why a file cannot be read.
func (p *Place) unreadable(err error) error {
	var fault *fsys.Error
	if errors.As(err, &fault) {
		name := p.show(fault.Path)
		if kind := media[strings.ToLower(filepath.Ext(fault.Path))]; kind != "" && fault.Reason == fsys.ReasonBinary {
			return refuse("%s is %s and no text; ask the user to attach it, or to say what is in it", name, kind)
		}
		if fault.Reason == fsys.ReasonTooLarge {
			return refuse("%s is larger than 1 MiB, and such files are not read; look for what you need in others, or ask the user for the part", name)
		}
		short := *fault
		short.Path = name
		return &Refusal{short.Error()}
	}
	return err
}

// media says what files are that a model may want to see all the same.
var media = map[string]string{
	".png": "an image", ".jpg": "an image", ".jpeg": "an image", ".gif": "an image", ".webp": "an image", ".bmp": "an image", ".ico": "an image", ".avif": "an image",
	".pdf": "a PDF document", ".docx": "a Word document", ".xlsx": "a spreadsheet", ".pptx": "a presentation",
	".mp3": "a sound", ".wav": "a sound", ".ogg": "a sound", ".mp4": "a film", ".mov": "a film", ".webm": "a film",
	".zip": "an archive", ".gz": "an archive", ".tar": "an archive", ".xz": "an archive", ".7z": "an archive",
}

// relativeTo is a file's path below a folder, with slashes.
func relativeTo(dir, file string) string {
	rel, ok := fsys.Below(dir, file)
	if !ok {
		return filepath.ToSlash(file)
	}
	return path.Clean(filepath.ToSlash(rel))
}

// oneLine keeps a name from writing lines of its own into an answer.
func oneLine(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, name)
}
