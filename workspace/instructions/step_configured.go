package instructions

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"foreword/workspace/fsys"
	"foreword/workspace/instructions/globs"
)

// runConfigured finds what foreword's own settings name: the user's where the
// step is personal, else that of the workspace and the editor.
func (r *resolver) runConfigured(s *Step) []candidate {
	var found []candidate
	for _, n := range r.req.Configured {
		if n.User == s.Personal {
			found = append(found, r.configured(n)...)
		}
	}
	return found
}

// configured finds what one item names. Until the user trusts the folder, not
// even a name is looked up outside it for the sake of what came with it.
func (r *resolver) configured(n Configured) []candidate {
	c := candidate{kind: KindConfig, mode: "always", why: fmt.Sprintf("named %q in the setting instructions.files (%s)", printable(n.Item), n.Origin)}
	if !n.User {
		c.scope = n.Base
	}
	allowed := n.User || r.req.Trusted
	if strings.HasPrefix(n.Item, "https://") {
		return []candidate{r.address(n, c, allowed)}
	}
	path, fixed := r.absolute(n.Item)
	switch {
	case !fixed && strings.HasPrefix(n.Item, "~/"):
		c.path, c.state = n.Item, Unreadable
		c.why += "; there is no home folder"
		return []candidate{c}
	case !fixed:
		path = filepath.Join(n.Base, filepath.FromSlash(n.Item))
	}
	c.path = path
	if !allowed && (fixed || !fsys.Within(r.req.Root, path)) {
		c.state = NeedsTrust
		c.why += ", outside the repository; trust the folder to allow it"
		if fixed {
			c.why = strings.Replace(c.why, ", outside the repository;", ", by a path that is not relative;", 1)
		}
		return []candidate{c}
	}
	if info, err := r.at(filepath.Dir(path)).Stat(path); err == nil {
		if info.Kind == fsys.KindDir {
			return r.nothing(n, c, "is a directory; name its files, such as "+strings.TrimSuffix(n.Item, "/")+"/*.md")
		}
		return []candidate{c}
	} else if _, err := r.at(filepath.Dir(path)).Lstat(path); err == nil {
		return []candidate{c} // a link, or what may not be looked at: admit says why
	}
	if !isPattern(n.Item) {
		return r.nothing(n, c, "does not exist")
	}
	paths, problem := r.matching(path)
	if problem != "" {
		return r.nothing(n, c, problem)
	}
	if len(paths) == 0 {
		return r.nothing(n, c, "matches no file")
	}
	found := make([]candidate, len(paths))
	for i, path := range paths {
		found[i] = c
		found[i].path = path
	}
	return found
}

func isPattern(item string) bool { return strings.ContainsAny(item, "*?[{") }

// nothing tells about an item that names no file.
func (r *resolver) nothing(n Configured, c candidate, problem string) []candidate {
	c.state = Unreadable
	c.why += ", which " + problem
	path, place := r.itemPlace(n)
	r.warnAt("configured-missing", path, fmt.Sprintf("instructions.files names %q, which %s", printable(n.Item), problem), place)
	return []candidate{c}
}

// itemPlace is where a file of settings names an item; the root where no file does.
func (r *resolver) itemPlace(n Configured) (path string, place *Place) {
	if n.Path == "" {
		return r.req.Root, nil
	}
	files := r.confined
	if n.User {
		files = r.files
	}
	place = &Place{Line: max(0, n.Line-1)}
	file, err := files.ReadFile(n.Path)
	if err != nil {
		return n.Path, place
	}
	lines := strings.Split(file.Text, "\n")
	if place.Line >= len(lines) {
		return n.Path, place
	}
	place.EndColumn = len(strings.TrimRight(lines[place.Line], "\r"))
	for i, line := range lines[place.Line:] {
		if at := strings.Index(line, n.Item); at >= 0 {
			return n.Path, &Place{Line: place.Line + i, Column: at, EndColumn: at + len(n.Item)}
		}
	}
	return n.Path, place
}

// matching lists the files that a pattern with an absolute path matches, sorted.
func (r *resolver) matching(pattern string) (paths []string, problem string) {
	pattern = filepath.ToSlash(pattern)
	fixed := pattern[:strings.IndexAny(pattern, "*?[{")]
	start := fixed[:strings.LastIndexByte(fixed, '/')+1]
	set, problems := globs.Compile(globs.Picomatch, []string{pattern[len(start):]})
	if len(problems) > 0 {
		return nil, "is no pattern: " + problems[0].Message
	}
	deep := strings.Contains(pattern[len(start):], "/") || strings.Contains(pattern, "**")
	for _, path := range r.filesBelow(filepath.Clean(filepath.FromSlash(start)), deep, nil, []string{".git", "node_modules"}) {
		if _, ok := set.Match(strings.TrimPrefix(filepath.ToSlash(path), start)); ok {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths, ""
}

// address tells what is known of an address.
func (r *resolver) address(n Configured, c candidate, allowed bool) candidate {
	c.path, c.kind = n.Item, KindURL
	switch {
	case !allowed:
		c.state = NeedsTrust
		c.why += "; an address that a workspace names is fetched once the folder is trusted"
		return c
	case r.req.Addresses == nil:
		c.state = Unreadable
		c.why += "; nothing here fetches addresses"
		return c
	}
	fetched := r.req.Addresses(n.Item, n.User)
	c.file = fetched.File
	switch {
	case fetched.File == nil && fetched.Problem == "":
		c.state = Unreadable
		c.why += "; it was not fetched yet"
	case fetched.File == nil:
		c.state = Unreadable
		c.why += "; it could not be fetched: " + fetched.Problem
		path, place := r.itemPlace(n)
		r.warnAt("address-unreachable", path, fmt.Sprintf("%s could not be fetched: %s", printable(n.Item), fetched.Problem), place)
	case fetched.Problem != "":
		c.why += "; the last text that came, since there is no newer one"
		path, place := r.itemPlace(n)
		r.warnAt("address-stale", path, fmt.Sprintf("%s could not be fetched again, and its last text is used: %s", printable(n.Item), fetched.Problem), place)
	}
	return c
}

// admitAddress keeps an address with the text that was fetched of it.
func (r *resolver) admitAddress(s *Step, c candidate) {
	e := Entry{
		Path: c.path, RealPath: c.path, Kind: c.kind, Rule: r.rule(s), Step: s.ID, Scope: c.scope, Personal: s.Personal,
		Mode: c.mode, State: c.state, Why: c.why, Whole: true,
	}
	if c.file != nil && c.state == "" {
		e.File, e.Size, e.Bytes, e.Body = c.file, c.file.Size, c.file.Size, c.file.Text
		e.State, e.Sent = Sent, true
		if strings.TrimSpace(c.file.Text) == "" {
			e.State, e.Sent, e.Why = Blank, false, "the fetched text is empty or only white space"
		} else if i, seen := r.seenText[normal(c.file.Text)]; seen {
			e.State, e.Sent, e.SameAs = Shadowed, false, r.entries[i].Path
			e.Why = fmt.Sprintf("says the same as %s, word for word", r.display(e.SameAs))
		} else if i, seen := r.seenPath[c.path]; seen {
			e.State, e.Sent, e.SameAs, e.Why = Shadowed, false, r.entries[i].Path, "named twice"
		}
	}
	if doubt := r.doubt(s); doubt != "" {
		e.Why += " (not certain: " + doubt + ")"
	}
	r.keep(e)
}
