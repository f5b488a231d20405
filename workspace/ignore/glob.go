package ignore

import (
	"strings"
	"unicode/utf8"

	"github.com/go-git/go-git/v5/plumbing/format/gitignore"
	sabhiram "github.com/sabhiram/go-gitignore"
)

// glob matches one name (a path without slashes) as git does. The matching is go-git's; what that gets wrong is
// rewritten here first: [!a], [[:digit:]], []a], ** inside a name, escapes, bytes above 127.
type glob struct {
	source  string                // as written
	pattern gitignore.Pattern     // nil: never matches
	simple  sabhiram.IgnoreParser // where set, asked in place of pattern
	literal string                // where the pattern has no wildcard: the name itself
	plain   bool                  // literal is meant
	bytes   bool                  // names are matched byte by byte, as git does
	fold    bool                  // upper and lower case are the same
}

// newGlob compiles the pattern of one name. A malformed pattern, such as "[a", matches nothing, as in git.
func newGlob(pattern string, fold bool) glob {
	if fold {
		pattern = lower(pattern)
	}
	g := glob{source: pattern, fold: fold}
	if !strings.ContainsAny(pattern, `*?[\`) {
		g.literal, g.plain = pattern, true
		return g
	}
	// git compares bytes: ? is one byte, [é] is two. Where that matters each byte becomes the rune of its number.
	g.bytes = strings.ContainsAny(pattern, `?[`)
	if g.bytes {
		pattern = byteRunes(pattern)
	}
	rewritten, ok := rewrite(pattern)
	if ok {
		g.pattern = gitignore.ParsePattern(rewritten, nil)
	}
	return g
}

func (g glob) match(name string) bool {
	if g.fold {
		name = lower(name)
	}
	if g.plain {
		return name == g.literal
	}
	if g.simple != nil {
		return g.simple.MatchesPath(name)
	}
	if g.pattern == nil {
		return false
	}
	if g.bytes {
		name = byteRunes(name)
	}
	return g.pattern.Match([]string{name}, false) != gitignore.NoMatch
}

// byteRunes turns each byte into the rune of the same number.
func byteRunes(s string) string {
	if isASCII(s) {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		b.WriteRune(rune(s[i]))
	}
	return b.String()
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// lower folds the case of ASCII letters, the only ones that git folds.
func lower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// rewrite spells a git pattern of one name so that go-git reads it as git does. It is not ok when git would match
// nothing.
func rewrite(pattern string) (out string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(pattern); {
		switch c := pattern[i]; c {
		case '*':
			for i < len(pattern) && pattern[i] == '*' {
				i++ // inside a name, ** is *
			}
			b.WriteByte('*')
		case '?':
			b.WriteByte('?')
			i++
		case '\\':
			if i+1 == len(pattern) {
				return "", false
			}
			b.WriteString(quote(pattern[i+1]))
			i += 2
		case '[':
			class, rest, ok := rewriteClass(pattern[i+1:])
			if !ok {
				return "", false
			}
			b.WriteString(class)
			i = len(pattern) - len(rest)
		default:
			b.WriteByte(c)
			i++
		}
	}
	out = b.String()
	// go-git would take a leading ! for its own mark and a trailing space for none.
	if strings.HasPrefix(out, "!") {
		out = "[!-!]" + out[1:]
	}
	if strings.HasSuffix(out, " ") {
		out = out[:len(out)-1] + "[ ]"
	}
	return out, true
}

// quote spells one byte so that it stands for itself. In a class it does so on Windows too, where \ is no escape.
func quote(c byte) string {
	switch c {
	case '*', '?', '[':
		return "[" + string(rune(c)) + "]"
	case '\\':
		return `\\`
	}
	return string(rune(c))
}
