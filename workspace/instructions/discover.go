package instructions

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"foreword/workspace/fsys"
	"foreword/workspace/instructions/frontmatter"
)

// Request says for which file the instruction files are wanted and whose
// settings hold.
type Request struct {
	// Dir is the directory of the target, absolute and clean; the walk ends there.
	Dir string
	// Root is where the walk begins; Dir itself or an ancestor of it.
	Root string
	// Home shortens paths in reasons.
	Home string
	// UserFile is the user's own instruction file, absolute; empty for none.
	UserFile string
	// Names to read in every directory, in order; [DefaultNames] when empty.
	Names []string
	// Exclude says whether a pattern of the user's own leaves out a path
	// (relative to Root, with slashes) and which one; nil for none.
	Exclude func(rel string) (pattern string, excluded bool)
	// Trusted allows links that lead out of Root.
	Trusted bool
}

var ownRule = Rule{
	Tool:     "foreword",
	Versions: ">=0.1.0",
	Source:   "foreword workspace/instructions/discover.go",
	Checked:  "2026-11-30",
}

// Discover finds the instruction files for one directory: the user's own file,
// then those of every directory from the root to Dir, each once by real path
// and once by content. A file that cannot be read costs only itself; the error
// is that of the context.
func Discover(ctx context.Context, files fsys.FS, req Request) (*Discovery, error) {
	w := &walk{files: files, confined: files, req: req, seenPath: map[string]int{}, seenText: map[string]int{}}
	if len(req.Names) == 0 {
		w.req.Names = DefaultNames
	}
	if !req.Trusted {
		w.confined = fsys.Confine(files, req.Root)
	}
	if req.UserFile != "" {
		w.personal(req.UserFile)
	}
	for _, dir := range chain(req.Root, req.Dir) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		w.directory(dir)
	}
	return w.finish(), nil
}

// chain lists the directories from root down to dir. A dir that is not inside
// root gives only dir itself.
func chain(root, dir string) []string {
	if !fsys.Within(root, dir) {
		return []string{dir}
	}
	dirs := []string{dir}
	for dir != root {
		parent := filepath.Dir(dir)
		if parent == dir {
			break
		}
		dir = parent
		dirs = append(dirs, dir)
	}
	slices.Reverse(dirs)
	return dirs
}

type walk struct {
	files    fsys.FS // unconfined: the user's own file
	confined fsys.FS // what the workspace may name
	req      Request

	entries  []Entry
	warnings []Warning
	seenPath map[string]int // real path → index in entries of the one that is sent
	seenText map[string]int // normalised text → the same
}

func (w *walk) personal(path string) {
	info, err := w.files.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	e := Entry{Path: path, Kind: kindOrOther(path), Personal: true, Rule: ownRule, Size: info.Size}
	w.read(&e, w.files)
	if e.State == "" {
		e.State, e.Sent = Sent, true
		e.Why = "the user's own instructions, for every project"
	}
	w.add(e)
}

func (w *walk) directory(dir string) {
	listing, err := w.confined.ReadDir(dir)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			w.warn("unreadable-directory", dir, fmt.Sprintf("cannot list %s: %v; its instruction files are left out", w.display(dir), err))
		}
		return
	}
	has := make(map[string]bool, len(listing))
	for _, entry := range listing {
		has[entry.Name] = true
	}
	for _, name := range w.req.Names {
		if first, rest, nested := strings.Cut(name, "/"); nested {
			if has[first] && rest != "" {
				w.candidate(dir, name)
			}
			continue
		}
		if has[name] {
			w.candidate(dir, name)
		}
	}
	for _, entry := range listing {
		w.mention(dir, entry)
	}
	if has[".github"] && !slices.Contains(w.req.Names, copilotFile) {
		if _, err := w.confined.Lstat(filepath.Join(dir, copilotFile)); err == nil {
			w.notRead(dir, copilotFile, KindCopilot)
		}
	}
}

const copilotFile = ".github/copilot-instructions.md"

// candidate decides about a file that has one of the names to read.
func (w *walk) candidate(dir, name string) {
	path := filepath.Join(dir, filepath.FromSlash(name))
	info, err := w.confined.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	e := Entry{Path: path, Kind: kindOrOther(name), Rule: ownRule, Scope: dir, Size: info.Size}
	if w.req.Exclude != nil {
		if pattern, out := w.req.Exclude(w.relative(path)); out {
			e.State, e.Why = Excluded, fmt.Sprintf("excluded by the pattern %q in the setting exclude", pattern)
			w.add(e)
			return
		}
	}
	w.read(&e, w.confined)
	if e.State == "" {
		w.place(&e)
	}
	w.add(e)
}

// read fills File and RealPath, or State and Why where the file cannot be sent.
func (w *walk) read(e *Entry, files fsys.FS) {
	e.RealPath = e.Path
	if real, err := files.RealPath(e.Path); err == nil {
		e.RealPath = real
	}
	file, err := files.ReadFile(e.Path)
	if err != nil {
		e.State, e.Why = Unreadable, unreadable(err)
		var fault *fsys.Error
		if errors.As(err, &fault) && fault.Reason == fsys.ReasonOutside {
			e.State = NeedsTrust
			e.Why = fmt.Sprintf("leads to %s, outside %s; trust the folder to allow it", w.display(e.RealPath), w.display(w.req.Root))
			return
		}
		w.warn("unreadable", e.Path, fmt.Sprintf("%s is left out: %s", w.display(e.Path), e.Why))
		return
	}
	e.File, e.Size = file, file.Size
	if file.Repaired {
		w.warn("invalid-utf8", e.Path, fmt.Sprintf("%s holds bytes that are not UTF-8; each was replaced by U+FFFD: save the file as UTF-8", w.display(e.Path)))
	}
	if header, ok := frontmatter.Sniff(file.Text); ok {
		w.warn("front-matter-as-text", e.Path, fmt.Sprintf("%s begins with front matter (%d lines); %s has none, so the model is sent it as text: delete it, or move the rule to a file whose tool reads it", w.display(e.Path), header.Lines, filepath.Base(e.Path)))
	}
	if strings.TrimSpace(file.Text) == "" {
		e.State, e.Why = Blank, "the file is empty or only white space"
		return
	}
	if i, seen := w.seenPath[e.RealPath]; seen {
		e.State, e.SameAs = Shadowed, w.entries[i].Path
		e.Why = fmt.Sprintf("the same file as %s, reached by a link", w.display(e.SameAs))
		return
	}
	if i, seen := w.seenText[normal(file.Text)]; seen {
		e.State, e.SameAs = Shadowed, w.entries[i].Path
		e.Why = fmt.Sprintf("says the same as %s, word for word", w.display(e.SameAs))
		return
	}
	if target, ok := w.pointer(e); ok {
		e.State, e.SameAs = Shadowed, target
		e.Why = fmt.Sprintf("holds only the path of %s: a link that was checked out as text", w.display(target))
		w.warn("symlink-as-text", e.Path, fmt.Sprintf("%s holds only the text %q; git checked out a symbolic link as a file (core.symlinks is off): make it a link again or write the instructions into it", w.display(e.Path), strings.TrimSpace(file.Text)))
	}
}

// pointer recognises a symbolic link that a checkout without links left as a
// small text file holding the link's target (microsoft/vscode and others ship
// CLAUDE.md so; reported at Comfy-Org/ComfyUI PR 14757).
func (w *walk) pointer(e *Entry) (string, bool) {
	text := strings.TrimSpace(e.File.Text)
	if len(text) > 255 || strings.ContainsAny(text, "\n\r\t*?<>|") || strings.Contains(text, " ") {
		return "", false
	}
	if !IsName(lastSegment(filepath.ToSlash(text)), w.req.Names) || filepath.IsAbs(text) {
		return "", false
	}
	target := filepath.Join(filepath.Dir(e.Path), filepath.FromSlash(text))
	if target == e.Path {
		return "", false
	}
	info, err := w.confined.Stat(target)
	return target, err == nil && info.Kind == fsys.KindFile
}

// place gives a readable file its reason by its distance from the target.
func (w *walk) place(e *Entry) {
	e.State, e.Sent = Sent, true
	up := strings.Count(w.between(e.Scope), "/")
	switch {
	case e.Scope == w.req.Dir && e.Scope == w.req.Root:
		e.Why = "in the directory of the file, which is the root of the walk"
	case e.Scope == w.req.Dir:
		e.Why = "in the directory of the file"
	case e.Scope == w.req.Root:
		e.Why = fmt.Sprintf("ancestor, %s up, the root of the walk", levels(up))
	default:
		e.Why = fmt.Sprintf("ancestor, %s up", levels(up))
	}
}

// between is the path from an ancestor to the target's directory with a slash
// after each segment.
func (w *walk) between(ancestor string) string {
	rel, err := filepath.Rel(ancestor, w.req.Dir)
	if err != nil || rel == "." {
		return ""
	}
	return filepath.ToSlash(rel) + "/"
}

func levels(n int) string {
	if n == 1 {
		return "1 level"
	}
	return fmt.Sprintf("%d levels", n)
}

// mention tells about files that other tools read, or whose name differs from
// one of ours only in case.
func (w *walk) mention(dir string, entry fsys.Entry) {
	if slices.Contains(w.req.Names, entry.Name) {
		return
	}
	if kind, ok := KindOf(entry.Name); ok {
		if entry.Kind == fsys.KindDir {
			return // a folder of rules, such as .clinerules/
		}
		w.notRead(dir, entry.Name, kind)
		return
	}
	if right, ok := wrongCase(entry.Name, w.req.Names); ok && entry.Kind != fsys.KindDir {
		path := filepath.Join(dir, entry.Name)
		w.add(w.unread(path, dir, kindOrOther(right),
			fmt.Sprintf("named %s; the name that is read is %s, in exactly this case", entry.Name, right)))
	}
}

func (w *walk) notRead(dir, name string, kind Kind) {
	path := filepath.Join(dir, filepath.FromSlash(name))
	why := "the names that are read are " + strings.Join(w.req.Names, ", ")
	if !strings.Contains(name, "/") { // the setting takes names, not paths
		why += fmt.Sprintf("; add %s to the setting instructions.names to send it", name)
	}
	w.add(w.unread(path, dir, kind, why))
}

func (w *walk) unread(path, dir string, kind Kind, why string) Entry {
	e := Entry{Path: path, RealPath: path, Kind: kind, State: NotReadByTool, Rule: ownRule, Scope: dir, Why: why}
	if info, err := w.confined.Lstat(path); err == nil {
		e.Size = info.Size
	}
	return e
}

func (w *walk) add(e Entry) {
	if e.Sent {
		i := len(w.entries)
		w.seenPath[e.RealPath] = i
		w.seenText[normal(e.Text())] = i
	}
	w.entries = append(w.entries, e)
}

func (w *walk) finish() *Discovery {
	d := &Discovery{Root: w.req.Root, Dir: w.req.Dir, Warnings: w.warnings}
	for _, e := range w.entries {
		if e.Sent {
			e.Order = len(d.Entries) + 1
			d.Entries = append(d.Entries, e)
		}
	}
	for _, e := range w.entries {
		if !e.Sent {
			d.Entries = append(d.Entries, e)
		}
	}
	return d
}

func (w *walk) warn(code, path, message string) {
	w.warnings = append(w.warnings, Warning{Code: code, Path: path, Message: message})
}

func (w *walk) relative(path string) string {
	rel, err := filepath.Rel(w.req.Root, path)
	if err != nil {
		return filepath.ToSlash(path)
	}
	return filepath.ToSlash(rel)
}

func (w *walk) display(path string) string { return Display(w.req.Root, w.req.Home, path) }

// Display shortens a path for people: relative to root inside it, from ~/
// below the home folder, else absolute; always with slashes.
func Display(root, home, path string) string {
	if root != "" && fsys.Within(root, path) {
		if rel, err := filepath.Rel(root, path); err == nil {
			return filepath.ToSlash(rel)
		}
	}
	if home != "" && fsys.Within(home, path) {
		if rel, err := filepath.Rel(home, path); err == nil {
			return "~/" + filepath.ToSlash(rel)
		}
	}
	return filepath.ToSlash(path)
}

func kindOrOther(name string) Kind {
	kind, _ := KindOf(filepath.Base(name))
	return kind
}

// normal makes two texts equal that say the same: line ends and trailing
// blanks do not count.
func normal(text string) string {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

func unreadable(err error) string {
	var fault *fsys.Error
	if !errors.As(err, &fault) {
		return err.Error()
	}
	switch fault.Reason {
	case fsys.ReasonDirectory:
		return "a directory has this name; an instruction file must be a file"
	case fsys.ReasonNotRegular:
		return "not a regular file (a pipe, socket or device); it is never opened"
	case fsys.ReasonTooLarge:
		return fmt.Sprintf("larger than %d bytes", fsys.MaxFileSize)
	case fsys.ReasonBinary:
		return "not text: it holds NUL bytes"
	case fsys.ReasonUTF16:
		return "UTF-16; save it as UTF-8"
	case fsys.ReasonPermission:
		return "no permission to read it"
	case fsys.ReasonMissing:
		return "a link that leads nowhere"
	case fsys.ReasonLoop:
		return "a link that leads to itself"
	}
	return fault.Error()
}
