package globs

// Codes of problems. With [CodeSyntax] and [CodeTooManyBraces] the pattern, or what the message names of it, is not
// what its author meant; with the others it is whole and means something else than it seems to.
const (
	// CodeSyntax: a bracket or brace that is not closed, an empty pattern, a comment, a pattern that is too long.
	CodeSyntax = "glob-syntax"
	// CodeTooManyBraces: the braces stand for more patterns than are expanded. The pattern matches nothing.
	CodeTooManyBraces = "glob-too-many-braces"
	// CodeBackslash: a backslash that separates folders on Windows, or that a Markdown formatter put in front of a
	// wildcard.
	CodeBackslash = "glob-backslash"
	// CodeNegation: "!" that does not exclude.
	CodeNegation = "glob-negation"
	// CodeBraces: braces that the dialect does not expand.
	CodeBraces = "glob-braces"
	// CodeDotSlash: "./" in front, with which the pattern matches nothing.
	CodeDotSlash = "glob-dot-slash"
	// CodeRooted: "/" in front, with which the pattern matches no path relative to a folder.
	CodeRooted = "glob-rooted"
	// CodeTrailingSlash: "/" behind, with which the pattern matches no file of the folder.
	CodeTrailingSlash = "glob-trailing-slash"
)

// Problem says what is wrong with one pattern of a list.
type Problem struct {
	Index   int    // of the pattern in the list that was compiled
	Code    string // one of the codes of this package
	Message string // for the person who wrote the pattern: what it means and what to write instead
}
