package instructions

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"foreword/workspace/fsys"
	"foreword/workspace/instructions/frontmatter"
	"foreword/workspace/instructions/imports"
)

// admit reads a candidate, decides what is left to decide, and keeps the entry
// with what it imports.
func (r *resolver) admit(s *Step, c candidate) {
	if c.kind == KindURL {
		r.admitAddress(s, c)
		return
	}
	e := Entry{
		Path: c.path, RealPath: c.path, Kind: c.kind, Rule: r.rule(s), Step: s.ID, Scope: c.scope, Personal: s.Personal,
		Mode: c.mode, State: c.state, Sent: c.sent, Why: c.why, SameAs: c.sameAs, Whole: true,
		Patterns: c.patterns, PatternBase: c.patternBase,
	}
	if c.state == NeedsTrust && !fsys.Within(r.req.Root, c.path) {
		r.keep(e) // not even looked at until then
		return
	}
	files := r.at(filepath.Dir(c.path))
	if info, err := files.Lstat(c.path); err == nil {
		e.Size = fsys.SizeOf(files, info)
		e.Bytes = e.Size
	}
	wanted := e.State == "" || e.Sent
	told := wanted || e.State == OnRead || e.State == Listed || c.skill != ""
	if told {
		r.exclude(s, &e)
	}
	if e.State != Excluded {
		r.read(s, &e, c.late, told)
	}
	if e.File != nil {
		e.Body, e.BodyLine = e.File.Text, 0
		if c.body != nil {
			e.Body, e.BodyLine = *c.body, c.bodyLine
		}
	}
	if wanted && (e.State == "" || e.State == OnRead) {
		e.Sent = true
		if e.State == "" {
			e.State = Sent
		}
		r.measure(s, &e)
		r.measureLate(s, &e)
	} else {
		e.Sent = false
	}
	if doubt := r.doubt(s); doubt != "" {
		e.Why += " (not certain: " + doubt + ")"
	}
	if c.skill != "" && e.State == ModelDecides {
		r.skills = append(r.skills, skill{c.skill, len(r.entries)})
	}
	r.keep(e)
}

// measureLate bounds what one event adds.
func (r *resolver) measureLate(s *Step, e *Entry) {
	if s.Walk == nil || !e.Sent || e.State != OnRead {
		return
	}
	w := s.Walk
	switch {
	case w.BelowCap > 0 && r.late[s.ID] >= w.BelowCap:
		e.State, e.Sent = Excluded, false
		e.Why = fmt.Sprintf("%s adds %d files at one event, the most specific first; they are used up", r.profile.Title, w.BelowCap)
	case w.BelowBytes > 0 && r.lateSize[s.ID]+e.Size > int64(w.BelowBytes):
		e.State, e.Sent = Excluded, false
		e.Why = fmt.Sprintf("%s adds %d bytes at one event; with this file there would be more", r.profile.Title, w.BelowBytes)
	default:
		r.late[s.ID]++
		r.lateSize[s.ID] += e.Size
	}
}

// keep adds an entry, and after a sent one the files that it imports.
func (r *resolver) keep(e Entry) {
	at := len(r.entries)
	if e.Sent {
		r.seenPath[r.identity(&e)] = at
		r.seenText[normal(e.Text())] = at
	}
	r.entries = append(r.entries, e)
	r.told[e.Path] = true
	if !e.Sent {
		return
	}
	if r.profile.Comments == "strip-blocks" {
		r.stripComments(at)
	}
	if e.Kind != KindURL { // what somebody else's page says must not name files here
		r.followImports(at)
	}
}

// exclude leaves out what the user's own patterns or the tool's name.
func (r *resolver) exclude(s *Step, e *Entry) {
	if r.req.Exclude != nil && !s.Personal {
		if pattern, out := r.req.Exclude(r.relative(e.Path)); out {
			e.State, e.Why = Excluded, fmt.Sprintf("excluded by the pattern %q in the setting exclude", pattern)
			return
		}
	}
	if tool := e.Kind.WrittenFor(); tool != "" && r.profile.OthersSetting != "" && !s.Personal && !r.settings.isTrue(r.profile.OthersSetting) {
		e.State, e.Why = Excluded, fmt.Sprintf("written for %s alone, and the setting %s is off%s", tool, r.profile.OthersSetting, r.origin(r.profile.OthersSetting))
		return
	}
	if why, out := r.gitIgnores(s, e.Path); out {
		e.State, e.Why = Excluded, fmt.Sprintf("git ignores it (%s), and %s leaves such a file out without a word", why, r.profile.Title)
		return
	}
	if r.profile.Exclude == "" || s.Forced {
		return
	}
	patterns, _ := r.settings.strings(r.profile.Exclude)
	if pattern, out := matchesAbsolute(patterns, e.Path); out {
		e.State, e.Why = Excluded, fmt.Sprintf("excluded by the pattern %q in the setting %s", pattern, r.profile.Exclude)
	}
}

// read fills File and RealPath, or State and Why where the file cannot be
// sent. Whether it says what another entry says is asked only of files that
// would be sent.
func (r *resolver) read(s *Step, e *Entry, late, wanted bool) {
	files := r.at(filepath.Dir(e.Path))
	if real, err := files.RealPath(e.Path); err == nil {
		e.RealPath = real
	}
	if why, secret := r.req.Secret(e.RealPath); secret {
		if wanted {
			e.State, e.Sent = Excluded, false
			e.Why = fmt.Sprintf("%s holds secrets (%s), which are never read", r.display(e.RealPath), why)
		}
		return
	}
	file, err := files.ReadFile(e.Path)
	if err != nil {
		if !wanted {
			return
		}
		e.State, e.Why = Unreadable, unreadable(err)
		var fault *fsys.Error
		if errors.As(err, &fault) && fault.Reason == fsys.ReasonOutside {
			e.State = NeedsTrust
			e.Why = fmt.Sprintf("leads to %s, outside %s; trust the folder to allow it", r.display(e.RealPath), r.rootName())
			return
		}
		if s.Directory == "listed" && fault != nil && fault.Reason == fsys.ReasonDirectory {
			e.State, e.Why = Listed, fmt.Sprintf("a directory has this name; %s names it to the model as if it were a file", r.profile.Title)
			return
		}
		code := "unreadable"
		if fault != nil && fault.Reason == fsys.ReasonUTF16 {
			code = "encoding-utf16"
		}
		r.warn(code, e.Path, fmt.Sprintf("%s is left out: %s", r.display(e.Path), e.Why))
		return
	}
	e.File, e.Size, e.Bytes = file, file.Size, file.Size
	if !wanted {
		return
	}
	if file.Repaired {
		r.warn("invalid-utf8", e.Path, fmt.Sprintf("%s holds bytes that are not UTF-8; each was replaced by U+FFFD: save the file as UTF-8", r.display(e.Path)))
	}
	if header, ok := frontmatter.Sniff(file.Text); ok && e.Kind != KindRule && e.Kind != KindSkill && r.profile.Name == Own {
		r.warn("front-matter-as-text", e.Path, fmt.Sprintf("%s begins with front matter (%d lines); %s has none, so the model is sent it as text: delete it, or move the rule to a file whose tool reads it", r.display(e.Path), header.Lines, filepath.Base(e.Path)))
	}
	switch {
	case s.Blank == "never":
	case s.Blank == "empty" && file.Text == "":
		e.State, e.Why = Blank, "the file is empty"
		return
	case s.Blank != "empty" && strings.TrimSpace(file.Text) == "":
		e.State, e.Why = Blank, "the file is empty or only white space"
		return
	}
	r.same(s, e, late)
}

// same finds the entry that says the same already.
func (r *resolver) same(s *Step, e *Entry, late bool) {
	shadow := func(i int, why string) {
		e.State, e.Sent, e.SameAs = Shadowed, false, r.entries[i].Path
		e.Why = fmt.Sprintf(why, r.display(e.SameAs))
	}
	if r.profile.Same == "path" || r.profile.Same == "" {
		if i, seen := r.seenPath[r.identity(e)]; seen {
			shadow(i, "the same file as %s")
		}
		return
	}
	if i, seen := r.seenPath[r.identity(e)]; seen && !(s.Twins && !late && r.entries[i].Step == s.ID) {
		shadow(i, "the same file as %s, reached by a link")
		return
	}
	if s.Twins && late { // what a read adds is compared by its text, too
		if i, seen := r.seenText[normal(e.File.Text)]; seen {
			shadow(i, "says the same as %s, word for word")
		}
		return
	}
	if r.profile.Same != "content" {
		return
	}
	if i, only := r.onlyImports(e); only && r.profile.Name == Own {
		shadow(i, "does nothing but import %s, which is sent")
		return
	}
	if i, seen := r.seenText[normal(e.File.Text)]; seen {
		shadow(i, "says the same as %s, word for word")
		return
	}
	if target, ok := r.pointer(e); ok {
		e.State, e.Sent, e.SameAs = Shadowed, false, target
		e.Why = fmt.Sprintf("holds only the path of %s: a link that was checked out as text", r.display(target))
		r.warn("symlink-as-text", e.Path, fmt.Sprintf("%s holds only the text %q; git checked out a symbolic link as a file (core.symlinks is off): make it a link again or write the instructions into it", r.display(e.Path), strings.TrimSpace(e.File.Text)))
	}
}

// onlyImports tells whether a file holds nothing but the import of one that is
// sent already: the bridge that tools without AGENTS.md are given.
func (r *resolver) onlyImports(e *Entry) (int, bool) {
	text := strings.TrimSpace(e.File.Text)
	tokens := imports.Scan(imports.Dialect(r.profile.Imports.Dialect), text)
	if len(tokens) != 1 || tokens[0].Text != text {
		return 0, false
	}
	path := filepath.Join(filepath.Dir(e.Path), filepath.FromSlash(tokens[0].Path))
	if real, err := r.at(filepath.Dir(path)).RealPath(path); err == nil {
		path = real
	}
	i, seen := r.seenPath[path]
	return i, seen
}

// identity is what makes two entries one file for the tool.
func (r *resolver) identity(e *Entry) string {
	if r.profile.Same == "path" || r.profile.Same == "" {
		return e.Path
	}
	return e.RealPath
}

// pointer recognises a symbolic link that a checkout without links left as a
// small text file holding the link's target (git's core.symlinks; reported at
// Comfy-Org/ComfyUI PR 14757).
func (r *resolver) pointer(e *Entry) (string, bool) {
	target, ok := PointerTarget(e.File.Text)
	if !ok {
		return "", false
	}
	path := filepath.Join(filepath.Dir(e.Path), filepath.FromSlash(target))
	if path == e.Path {
		return "", false
	}
	info, err := r.at(filepath.Dir(path)).Stat(path)
	return path, err == nil && info.Kind == fsys.KindFile
}

// PointerTarget tells whether a text is nothing but the relative path of an
// instruction file, as git writes a link where links are switched off.
func PointerTarget(text string) (string, bool) {
	text = strings.TrimSpace(text)
	if text == "" || len(text) > 255 || strings.ContainsAny(text, "\n\r\t *?<>|@") || filepath.IsAbs(text) {
		return "", false
	}
	_, known := KindOf(lastSegment(filepath.ToSlash(text)))
	return text, known
}

// measure applies the limits of a step to an entry that is to be sent.
func (r *resolver) measure(s *Step, e *Entry) {
	if most := r.profile.FileBytes; most > 0 && len(e.Body) > most {
		r.shorten(e, most)
	}
	if s.FileChars > 0 && utf8.RuneCountInString(e.Body) > s.FileChars {
		e.State, e.Sent = Excluded, false
		e.Why = fmt.Sprintf("longer than the %d characters that %s reads of one file", s.FileChars, r.profile.Title)
		return
	}
	limit, capped := s.CapBytes, s.CapBytes > 0
	if s.CapSetting != "" {
		if given, ok := r.settings.number(s.CapSetting); ok {
			limit, capped = given, true
		}
	}
	if !capped {
		return
	}
	left := int64(limit) - int64(r.spent[s.ID])
	switch {
	case left <= 0:
		e.State, e.Sent = Excluded, false
		e.Why = fmt.Sprintf("the %d bytes that %s reads in all are used up", limit, r.profile.Title)
		if limit == 0 {
			e.Why = fmt.Sprintf("%s is 0, so %s reads no project file", s.CapSetting, r.profile.Title)
		}
	case e.File.Size > left:
		r.cut(e, int(left), limit)
		r.spent[s.ID] += int(left)
	default:
		r.spent[s.ID] += int(e.File.Size)
	}
}

// shorten tells the beginning of an entry that is too long, in whole lines where
// it has lines, and says so in the text and to the user.
func (r *resolver) shorten(e *Entry, most int) {
	whole := len(e.Body)
	head := strings.ToValidUTF8(e.Body[:most], "")
	if line := strings.LastIndexByte(head, '\n'); line > 0 {
		head = head[:line+1]
	}
	at := len(head)
	if i := strings.Index(e.File.Text, e.Body); i > 0 {
		at += i
	}
	e.Cut = &Cut{Byte: at, Line: strings.Count(e.File.Text[:min(at, len(e.File.Text))], "\n")}
	e.Body = head + fmt.Sprintf("\n[The file goes on here for %d bytes more, which are not told.]\n", whole-len(head))
	e.Bytes = int64(len(head))
	if e.State == Sent {
		e.State = Truncated
	}
	e.Why += fmt.Sprintf("; cut after %d bytes: %s tells %d of one file", len(head), r.profile.Title, most)
	r.warn("instructions-cut", e.Path, fmt.Sprintf("%s has %d bytes, of which the model is told the first %d; split it, or move what is needed seldom into a skill", r.display(e.Path), whole, len(head)))
}

// cut ends an entry after so many bytes of its file. A cut inside a character
// leaves a U+FFFD, as tools that decode what is left do.
func (r *resolver) cut(e *Entry, bytes, limit int) {
	offset := bytes
	if e.File.BOM {
		offset = max(0, offset-3)
	}
	text := e.File.Text
	offset = min(offset, len(text))
	head := text[:offset]
	e.Cut = &Cut{Byte: bytes, Line: strings.Count(head, "\n")}
	e.Body, e.Bytes = strings.ToValidUTF8(head, "\uFFFD"), int64(bytes)
	if e.State == Sent {
		e.State = Truncated
	}
	e.Why += fmt.Sprintf("; cut after %d bytes, in line %d: %s reads %d bytes in all", bytes, e.Cut.Line+1, r.profile.Title, limit)
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

// normal makes two texts equal that say the same: line ends and trailing
// blanks do not count.
func normal(text string) string {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

// kindOrOther says for which tool's convention the end of a path stands.
func kindOrOther(path string) Kind {
	if kind, ok := KindOf(filepath.Base(path)); ok {
		return kind
	}
	kind, _ := KindOf(filepath.Base(filepath.Dir(path)) + "/" + filepath.Base(path))
	return kind
}
