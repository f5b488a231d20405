package imports

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// textual are extensions of files that somebody would import.
var textual = []string{".md", ".mdc", ".mdx", ".markdown", ".txt", ".rst", ".adoc", ".json", ".yaml", ".yml", ".toml"}

// npmScope is the name of a package such as @types/node: a scope and one name,
// in lower case, without an extension.
var npmScope = regexp.MustCompile(`^[a-z0-9][a-z0-9._~-]*/[a-z0-9][a-z0-9._~-]*$`)

// LooksLikePath tells whether a token is meant as a path. At signs in prose are
// hardly ever imports: they are decorators (@dataclass), package scopes
// (@types/node), rules of style sheets (@media), handles (@octocat) and parts
// of mail addresses.
func LooksLikePath(token string) bool {
	word := strings.TrimRight(strings.TrimPrefix(token, "@"), ".,;:!?)]}'\"`*")
	if word == "" || strings.ContainsAny(word, "@(){}<>$=") || strings.Contains(word, "://") {
		return false
	}
	if strings.HasPrefix(word, "./") || strings.HasPrefix(word, "../") || strings.HasPrefix(word, "~/") || strings.HasPrefix(word, "/") {
		return true
	}
	if slices.Contains(textual, strings.ToLower(path.Ext(word))) {
		return true
	}
	return strings.Count(word, "/") > 0 && !npmScope.MatchString(word) && path.Ext(word) != ""
}
