package ignore

import (
	"strings"
	"unicode/utf8"
)

// rule is one line of an ignore file.
type rule struct {
	text     string // the line, for people
	line     int    // counts from 1
	negated  bool   // begins with !
	dirOnly  bool   // ends with /
	anchored bool   // has a slash elsewhere: matched against the whole path below the file's folder
	prefix   string // where set, the path must begin with it, and the names are matched against the rest
	fold     bool   // upper and lower case of the prefix are the same
	names    []glob // the parts between slashes; for ** the zero glob, and deep says so
	deep     []bool // the part is **
}

// parseRules reads an ignore file as git does.
func parseRules(text string, fold bool) []rule {
	text = strings.TrimPrefix(text, "\ufeff")
	var rules []rule
	number := 0
	for line := range strings.SplitSeq(text, "\n") {
		number++
		// git removes the carriage return of a line end, not one at the end of the file; it adds a newline there.
		line = strings.TrimSuffix(line, "\r")
		if r, ok := parseRule(line, fold); ok {
			r.line = number
			rules = append(rules, r)
		}
	}
	return rules
}

// parseRule reads one line. It is not ok for a blank line, a comment and a line that can match nothing.
func parseRule(line string, fold bool) (r rule, ok bool) {
	if strings.HasPrefix(line, "#") {
		return rule{}, false
	}
	line = trimSpaces(line)
	r.text = line
	if rest, negated := strings.CutPrefix(line, "!"); negated {
		r.negated, line = true, rest
	}
	if rest, dirOnly := strings.CutSuffix(line, "/"); dirOnly {
		r.dirOnly, line = true, rest
	}
	r.anchored = strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if line == "" {
		return rule{}, false
	}
	if !r.anchored {
		r.names, r.deep = []glob{newGlob(line, fold)}, []bool{false}
		return r, true
	}
	r.fold = fold
	r.prefix, line = cutPrefix(line)
	for _, part := range split(line) {
		deep := len(part) > 1 && strings.Trim(part, "*") == ""
		if deep && len(r.deep) > 0 && r.deep[len(r.deep)-1] {
			continue // **/** is **
		}
		r.deep = append(r.deep, deep)
		if deep {
			r.names = append(r.names, glob{})
		} else {
			r.names = append(r.names, newGlob(part, fold))
		}
	}
	return r, true
}

// cutPrefix follows git in an oddity: it compares the text before the first wildcard by itself and matches only the
// rest as a pattern. A ** that follows letters and ends its name, as in a**/b, so comes to stand at the beginning,
// where it means any number of folders.
func cutPrefix(pattern string) (prefix, rest string) {
	i := strings.IndexAny(pattern, `*?[\`)
	if i <= 0 || pattern[i-1] == '/' {
		return "", pattern
	}
	after := strings.TrimLeft(pattern[i:], "*")
	stars := len(pattern) - i - len(after)
	if stars < 2 || after != "" && after[0] != '/' && !strings.HasPrefix(after, `\/`) {
		return "", pattern
	}
	return pattern[:i], pattern[i:]
}

// split cuts a pattern at its slashes. An escaped slash is one too; a slash in a character class is not.
func split(pattern string) []string {
	var parts []string
	var part strings.Builder
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\' && i+1 < len(pattern):
			if i++; pattern[i] != '/' {
				part.WriteString(pattern[i-1 : i+1])
				continue
			}
			parts = append(parts, part.String())
			part.Reset()
		case c == '/':
			parts = append(parts, part.String())
			part.Reset()
		case c == '[':
			if _, rest, ok := rewriteClass(byteRunes(pattern[i+1:])); ok {
				end := len(pattern) - bytesOf(rest)
				part.WriteString(pattern[i:end])
				i = end - 1
				continue
			}
			part.WriteByte(c)
		default:
			part.WriteByte(c)
		}
	}
	return append(parts, part.String())
}

// bytesOf counts the bytes that byteRunes made a text from.
func bytesOf(s string) int { return utf8.RuneCountInString(s) }

// trimSpaces removes spaces at the end that no backslash keeps.
func trimSpaces(line string) string {
	end := len(line)
	for end > 0 && line[end-1] == ' ' {
		end--
	}
	if end == len(line) {
		return line
	}
	backslashes := 0
	for end-backslashes > 0 && line[end-backslashes-1] == '\\' {
		backslashes++
	}
	if backslashes%2 == 1 {
		end++ // the first space is escaped
	}
	return line[:end]
}

// match says whether the rule is about this very path, given as its parts below the folder of the ignore file;
// not whether it is about a folder that holds it.
func (r rule) match(path []string, isDir bool) bool {
	if r.dirOnly && !isDir {
		return false
	}
	if !r.anchored {
		return r.names[0].match(path[len(path)-1])
	}
	if r.prefix == "" {
		return r.matchNames(path)
	}
	whole, prefix := strings.Join(path, "/"), r.prefix
	if r.fold {
		whole, prefix = lower(whole), lower(prefix)
	}
	rest, ok := strings.CutPrefix(whole, prefix)
	return ok && r.matchNames(strings.Split(rest, "/"))
}

// matchNames matches the parts of the pattern against all parts of a path. As each ** matches any number of them, only
// the last ** met need be tried again, which keeps a hostile pattern from taking for ever.
func (r rule) matchNames(path []string) bool {
	i, j := 0, 0
	star, tried := -1, 0 // the last ** met, and how far it reached
	for j < len(path) {
		switch {
		case i < len(r.names) && r.deep[i]:
			if i == len(r.names)-1 {
				return true // all below, not the folder itself
			}
			star, tried = i, j
			i++
		case i < len(r.names) && r.names[i].match(path[j]):
			i++
			j++
		case star >= 0:
			tried++
			i, j = star+1, tried
		default:
			return false
		}
	}
	return i == len(r.names)
}
