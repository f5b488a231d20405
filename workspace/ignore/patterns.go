package ignore

import (
	"path/filepath"
	"strings"

	sabhiram "github.com/sabhiram/go-gitignore"
)

// Patterns is foreword's own exclude list. The patterns mean what they mean in a .gitignore at the root.
type Patterns struct {
	rules []rule
}

// Compile reads patterns, one a line, as in a .gitignore: blank lines and comments are left out, the last that
// matches decides, "!" takes back.
func Compile(lines []string) *Patterns {
	p := &Patterns{}
	for i, line := range lines {
		r, ok := parseRule(strings.TrimSuffix(line, "\r"), false)
		if !ok {
			continue
		}
		r.line = i + 1
		for j, g := range r.names {
			r.names[j] = g.simplified()
		}
		p.rules = append(p.rules, r)
	}
	return p
}

// Match says whether a path relative to the root is excluded, itself or with a folder that holds it, and by which
// pattern. As in git, nothing below an excluded folder can be taken back.
func (p *Patterns) Match(rel string, isDir bool) (pattern string, ok bool) {
	rel = filepath.ToSlash(rel)
	if p == nil || len(p.rules) == 0 || rel == "" || rel == "." {
		return "", false
	}
	path := strings.Split(strings.Trim(rel, "/"), "/")
	for n := 1; n <= len(path); n++ {
		if r, found := lastMatch(p.rules, path[:n], isDir || n < len(path)); found && !r.negated {
			return r.text, true
		}
	}
	return "", false
}

// lastMatch returns the last rule that is about a path: the one that decides.
func lastMatch(rules []rule, path []string, isDir bool) (rule, bool) {
	for i := len(rules) - 1; i >= 0; i-- {
		if rules[i].match(path, isDir) {
			return rules[i], true
		}
	}
	return rule{}, false
}

// simplified hands the patterns that sabhiram/go-gitignore gets right to it: names of plain characters with single
// stars. About everything else it is wrong somewhere (?, classes, escapes, anchors, regular expression characters).
func (g glob) simplified() glob {
	unusual := func(r rune) bool { return !strings.ContainsRune(simpleCharacters, r) }
	if g.plain || g.source == "" || strings.Contains(g.source, "**") || strings.ContainsFunc(g.source, unusual) {
		return g
	}
	g.simple = sabhiram.CompileIgnoreLines(g.source)
	return g
}

const simpleCharacters = "*-.0123456789=@ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
