package globs

import "slices"

// Dialect names one tool's rules for patterns.
type Dialect string

const (
	// Minimatch is minimatch with its default options, as Continue calls it: a wildcard does not match a name's
	// leading dot, letter case counts, a pattern with "!" in front excludes.
	Minimatch Dialect = "minimatch"
	// Picomatch is picomatch with dot: true, as Cline calls it: each pattern alone, so that one with "!" in front
	// matches every file that the rest of it does not.
	Picomatch Dialect = "picomatch"
	// Gitignore is the .gitignore file's, as Claude Code's paths are read: braces are expanded first, a pattern
	// without a slash matches at any depth, and what matches a folder matches all that is in it.
	Gitignore Dialect = "gitignore"
	// VSCode is that of applyTo in VS Code: letter case does not count, and a pattern that begins with neither "/"
	// nor "**/" has "**/" put in front. VS Code compares with the whole path on the disk.
	VSCode Dialect = "vscode"
	// GitHub is that of applyTo on github.com: "*" stays in one folder, so that "*.py" is the root's files only.
	GitHub Dialect = "github"
	// Cursor is that of globs in Cursor's rules: plain text, in which a pattern without a slash matches at any
	// depth and braces mean themselves.
	Cursor Dialect = "cursor"
)

// Dialects lists all dialects, sorted by name.
func Dialects() []Dialect {
	all := make([]Dialect, 0, len(dialects))
	for d := range dialects {
		all = append(all, d)
	}
	slices.Sort(all)
	return all
}

// rules is what a dialect consists of. The zero value knows "*", "?", "**" and bracket expressions, and nothing else.
type rules struct {
	tool       string     // who reads patterns so, for messages
	dot        bool       // wildcards match a leading dot
	fold       bool       // letter case does not count
	escapes    bool       // a backslash makes the next character ordinary
	braces     braceRules // what {a,b} means
	classes    classRules // what [a-z] means
	groups     groupRules // what @(a|b) means
	negation   negation   // what "!" in front means
	comments   bool       // a pattern with "#" in front is a comment
	reach      reach      // which folders a pattern speaks of
	tail       tail       // whether "a/**" also matches a itself
	edges      edgeRules  // what blanks around it and "./" or "/" in front mean
	everything []string   // patterns that match whatever the path
}

type (
	braceRules uint8
	negation   uint8
	reach      uint8
	tail       uint8
	groupRules uint8

	classRules struct {
		bang     bool // [!a] is [^a]
		posix    bool // [[:alpha:]]
		unicode  bool // [[:alpha:]] knows more than ASCII
		unclosed unclosed
	}
	unclosed  uint8
	edgeRules struct {
		keepBlanks bool // blanks around the pattern belong to it
		dotSlash   bool // "./" in front is dropped; else it never matches
		root       bool // "/" in front is dropped, and means the base; else it never matches a relative path
	}
)

const (
	bracesLiteral braceRules = iota // a brace is a character
	bracesNested                    // lists, one in the other
	bracesRanges                    // lists and {1..3}, as brace-expansion does
	bracesClass                     // lists, and {1..3} as the bracket expression [1-3]
	bracesFlat                      // the first } closes, and {a} is a
)

const (
	negationNone       negation = iota // "!" is a character
	negationExcludes                   // takes away from what the others match
	negationComplement                 // the pattern matches what the rest of it does not
	negationLastWins                   // the last pattern that matches decides
)

const (
	reachBase    reach = iota // from the base
	reachName                 // a pattern without a slash at any depth
	reachFolders              // so, and what matches a folder matches all in it
	reachAny                  // at any depth unless "/" or "**/" is in front; "/" behind is dropped
)

const (
	tailInside     tail = iota // no, only what is in a
	tailEmpty                  // yes
	tailUnlessStar             // yes, unless the name before it ends with "*"
)

const (
	groupsNone   groupRules = iota
	groupsMarked            // ?( *( +( @( !(
	groupsPlain             // so, and a bare ( is @(
)

const (
	unclosedLiteral unclosed = iota // the bracket is a character
	unclosedBroken                  // the pattern matches nothing
)

// dialects says what each dialect consists of; doc.go says where that is from.
var dialects = map[Dialect]rules{
	Minimatch: {
		tool: "Continue", escapes: true, braces: bracesRanges, groups: groupsMarked, comments: true,
		classes:  classRules{bang: true, posix: true, unicode: true},
		negation: negationExcludes, reach: reachBase, edges: edgeRules{keepBlanks: true},
	},
	Picomatch: {
		tool: "Cline", dot: true, escapes: true, braces: bracesClass, groups: groupsPlain,
		negation: negationComplement, reach: reachBase, tail: tailUnlessStar, edges: edgeRules{dotSlash: true},
	},
	Gitignore: {
		tool: "Claude Code", dot: true, escapes: true, braces: bracesNested, comments: true,
		classes:  classRules{bang: true, posix: true, unclosed: unclosedBroken},
		negation: negationLastWins, reach: reachFolders, edges: edgeRules{root: true},
	},
	VSCode: {
		tool: "VS Code", dot: true, fold: true, braces: bracesFlat, tail: tailEmpty,
		classes: classRules{bang: true, unclosed: unclosedBroken},
		reach:   reachAny, everything: []string{"*", "**", "**/*"},
	},
	GitHub: {
		tool: "github.com", dot: true, escapes: true, braces: bracesNested,
		classes: classRules{bang: true}, reach: reachBase, edges: edgeRules{root: true},
	},
	Cursor: {
		tool: "Cursor", dot: true, escapes: true,
		classes: classRules{bang: true}, reach: reachName, edges: edgeRules{root: true},
	},
}
