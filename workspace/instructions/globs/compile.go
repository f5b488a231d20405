package globs

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxPattern bounds the bytes of one pattern, as minimatch and picomatch do.
const maxPattern = 1 << 16

// Compile reads patterns by the rules of d. The problems are in the patterns' order. A broken pattern costs itself only:
// the set answers for the others, under the same indexes. A dialect that is none of the constants is a [CodeSyntax] of
// every pattern.
func Compile(d Dialect, patterns []string) (*Set, []Problem) {
	r, known := dialects[d]
	s := &Set{rules: &r}
	var problems []Problem
	for i, text := range patterns {
		c := compiler{rules: &r, index: i, text: text}
		if known {
			c.pattern()
		} else {
			c.fail(CodeSyntax, "no dialect of patterns is called %q", d)
		}
		problems = append(problems, c.problems...)
		// What can match nothing, though it is no broken pattern, still counts where it is turned round.
		if c.out.everything || len(c.out.globs) > 0 || !c.broken && (c.out.negated || c.out.inverted) {
			c.out.index = i
			s.patterns = append(s.patterns, c.out)
			s.negated = s.negated || c.out.negated
		}
	}
	return s, problems
}

// compiler reads one pattern.
type compiler struct {
	rules    *rules
	index    int
	text     string
	out      pattern
	broken   bool // out is not what the text says
	problems []Problem
}

// report notes a problem, each code once.
func (c *compiler) report(code, format string, args ...any) {
	for _, p := range c.problems {
		if p.Code == code {
			return
		}
	}
	c.problems = append(c.problems, Problem{Index: c.index, Code: code, Message: fmt.Sprintf(format, args...)})
}

// fail notes a problem with which the pattern is dropped.
func (c *compiler) fail(code, format string, args ...any) {
	c.broken = true
	c.report(code, format, args...)
}

func (c *compiler) pattern() {
	r, text := c.rules, c.text
	if !r.edges.keepBlanks {
		text = trimBlanks(text, r.escapes)
	}
	switch {
	case strings.TrimSpace(text) == "":
		c.fail(CodeSyntax, "the pattern is empty and matches nothing; remove it")
		return
	case len(text) > maxPattern:
		c.fail(CodeSyntax, "the pattern has %d bytes, more than the %d that are read; it matches nothing", len(text), maxPattern)
		return
	case r.comments && text[0] == '#':
		c.fail(CodeSyntax, `%s takes a pattern that begins with "#" for a comment; write "\#"`, r.tool)
		return
	}
	if text = c.negation(text); text == "" {
		c.fail(CodeSyntax, `there is no pattern behind the "!"`)
		return
	}
	for _, all := range r.everything {
		if text == all {
			c.out.everything = true
			return
		}
	}
	c.backslashes(text)
	if r.edges.dotSlash {
		text = strings.TrimPrefix(text, "./")
	}
	if r.braces == bracesClass && isStarStarExt(text) {
		// picomatch has a short cut for this form, in which ** goes through folders though no slash follows.
		text = "**/*" + text[len("**"):]
	}
	if r.reach == reachAny {
		if strings.HasPrefix(text, "/") {
			c.report(CodeRooted, `%s compares a pattern that begins with "/" with the whole path on the disk, not with that in the workspace; leave the "/" out`, r.tool)
		} else if !strings.HasPrefix(text, "**/") {
			text = "**/" + text
		}
		if folder, ok := strings.CutSuffix(text, "/"); ok && folder != "" {
			c.report(CodeTrailingSlash, `%s drops the "/" behind a pattern: this one matches a file of that name, and none of the folder's; write %q`, r.tool, c.text+"**")
			text = folder
		}
	}
	c.alternatives(text)
}

// negation reads the "!" in front and returns what is behind it.
func (c *compiler) negation(text string) string {
	if text[0] != '!' {
		return text
	}
	r := c.rules
	switch r.negation {
	case negationNone:
		c.report(CodeNegation, `%s does not know of "!" in front of a pattern: it is part of the name, and excludes nothing`, r.tool)
		return text
	case negationExcludes:
		// The first "!" is Continue's, the others are minimatch's.
		c.out.negated = true
		text = text[1:]
		for strings.HasPrefix(text, "!") {
			c.out.inverted = !c.out.inverted
			text = text[1:]
		}
	case negationComplement:
		if strings.HasPrefix(text, "!(") {
			return text
		}
		for strings.HasPrefix(text, "!") && !strings.HasPrefix(text, "!(") {
			c.out.inverted = !c.out.inverted
			text = text[1:]
		}
		if c.out.inverted {
			c.report(CodeNegation, `%s asks each pattern alone: this one matches every file that %q does not, and takes nothing away from the other patterns`, r.tool, text)
		}
	case negationLastWins:
		c.out.negated = true
		text = text[1:]
	}
	return text
}

// backslashes notes those that are read otherwise than they look.
func (c *compiler) backslashes(text string) {
	if !c.rules.escapes && strings.Contains(text, `\`) {
		c.report(CodeBackslash, `%s has no escapes in patterns: a backslash is part of a name, and no path has one; use "/" between folders, and [*] for an asterisk`, c.rules.tool)
	}
}

// alternatives expands the braces and reads what they stand for.
func (c *compiler) alternatives(text string) {
	r := c.rules
	if r.braces == bracesLiteral && strings.ContainsAny(text, "{}") {
		c.report(CodeBraces, `%s is reported not to expand braces: here they are part of the name; write one pattern for each, with commas between them`, r.tool)
	}
	texts, seen, err := expand(text, r)
	if err != nil {
		c.fail(CodeTooManyBraces, "the braces stand for more than %d patterns, or are more than %d deep; the pattern matches nothing: write several", maxAlternatives, maxBraceDepth)
		return
	}
	if seen.unclosed >= 0 {
		if r.braces == bracesFlat {
			c.fail(CodeSyntax, `"{" is not closed; the pattern matches nothing`)
			return
		}
		c.report(CodeSyntax, `"{" is not closed, so that it means itself`)
	}
	if seen.nested {
		c.report(CodeBraces, `%s knows no braces inside braces: the first "}" ends them; write one list, or several patterns`, r.tool)
	}
	for _, t := range texts {
		if g, ok := c.alternative(t); ok {
			c.out.globs = append(c.out.globs, g)
		}
	}
}

// alternative reads a pattern without braces. It is not ok where it can match nothing.
func (c *compiler) alternative(text string) (glob, bool) {
	r := c.rules
	g := glob{}
	rooted := false
	if strings.HasPrefix(text, "./") || r.reach == reachAny && strings.HasPrefix(text, "**/./") {
		c.report(CodeDotSlash, `%s compares with paths that do not begin with "./", so that the pattern matches nothing; leave the "./" out`, r.tool)
		return g, false
	}
	if strings.HasPrefix(text, "/") && r.reach != reachAny {
		if !r.edges.root {
			c.report(CodeRooted, `%s compares with paths that do not begin with "/", so that the pattern matches nothing; leave the "/" out`, r.tool)
			return g, false
		}
		text, rooted = text[1:], true
	}
	if strings.HasSuffix(text, "/") && text != "/" && r.reach != reachAny && !endsEscaped(text[:len(text)-1], r.escapes) {
		if r.reach != reachFolders {
			c.report(CodeTrailingSlash, `a pattern that ends with "/" matches no file; for those in the folder write %q`, text+"**")
			return g, false
		}
		g.folderOnly = true
		text = text[:len(text)-1]
	}
	names := strings.Split(text, "/")
	if r.reach == reachAny && endsInTwoStars(names) {
		c.report(CodeSyntax, `%s matches nothing with "**/**" at the end; write one "**"`, r.tool)
		return g, false
	}
	if (r.reach == reachName || r.reach == reachFolders) && !rooted && len(names) == 1 {
		g.parts = append(g.parts, part{kind: anyFolders})
	}
	for i, name := range names {
		if name == "" && r.braces == bracesRanges && i > 0 && i < len(names)-1 {
			continue // minimatch takes several slashes for one
		}
		if name == "**" && (len(names) > 1 || rooted || r.reach == reachBase || r.reach == reachAny) {
			if n := len(g.parts); n == 0 || g.parts[n-1].kind != anyFolders {
				g.parts = append(g.parts, part{kind: anyFolders})
			}
			continue
		}
		s, ok := c.name(name)
		if !ok {
			return g, false
		}
		g.parts = append(g.parts, part{kind: oneName, segment: s})
	}
	if len(g.parts) > maxParts {
		c.fail(CodeSyntax, "the pattern has %d folders, more than the %d that are read; it matches nothing", len(g.parts), maxParts)
		return g, false
	}
	g.finish(r)
	return g, true
}

// name reads the pattern of one name.
func (c *compiler) name(text string) (segment, bool) {
	r := c.rules
	rd := reader{text: text, rules: r}
	s, err := readSegment(&rd)
	if errors.Is(err, errDeepGroups) {
		c.fail(CodeSyntax, "the groups are in one another too deeply; the pattern matches nothing")
		return s, false
	}
	if rd.escaped {
		c.report(CodeBackslash, `a backslash makes the next character mean itself: use "/" between folders, and no backslash where "*" or "_" is meant to be one`)
	}
	if rd.notClass {
		c.report(CodeNegation, `%s takes the "!" in "[!…]" for a character; write "[^…]"`, r.tool)
	}
	if rd.backwards {
		c.report(CodeSyntax, "a range in brackets ends before it begins, and holds nothing")
	}
	dangling := r.escapes && endsEscaped(text, true)
	if dangling && r.classes.unclosed == unclosedBroken {
		c.fail(CodeSyntax, "a backslash at the end escapes nothing; the pattern matches nothing")
		return s, false
	}
	if rd.unclosed {
		if r.classes.unclosed == unclosedBroken {
			c.fail(CodeSyntax, "a bracket has no partner; the pattern matches nothing")
			return s, false
		}
		c.report(CodeSyntax, `"[" is not closed, so that it means itself`)
	}
	return s, true
}

// trimBlanks takes blanks off both ends, but not one that a backslash makes part of the name.
func trimBlanks(text string, escapes bool) string {
	text = strings.TrimLeftFunc(text, unicode.IsSpace)
	trimmed := strings.TrimRightFunc(text, unicode.IsSpace)
	if len(trimmed) < len(text) && endsEscaped(trimmed, escapes) {
		_, size := utf8.DecodeRuneInString(text[len(trimmed):])
		return text[:len(trimmed)+size]
	}
	return trimmed
}

// endsEscaped says whether the last character of text is a backslash that escapes what comes next.
func endsEscaped(text string, escapes bool) bool {
	return escapes && (len(text)-len(strings.TrimRight(text, `\`)))%2 == 1
}

// isStarStarExt says whether text is ** and nothing but extensions, of ASCII letters, digits and underscores.
func isStarStarExt(text string) bool {
	exts, ok := strings.CutPrefix(text, "**.")
	if !ok {
		return false
	}
	for _, ext := range strings.Split(exts, ".") {
		if ext == "" || strings.Trim(ext, "_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
			return false
		}
	}
	return true
}

// endsInTwoStars says whether the last two names are "**", and another one is not.
func endsInTwoStars(names []string) bool {
	n := len(names)
	return n > 2 && names[n-1] == "**" && names[n-2] == "**" && slices.ContainsFunc(names, func(s string) bool { return s != "**" })
}
