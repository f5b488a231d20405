package wire

import (
	"fmt"
	"strings"
)

// A request with a tool of a name that the provider does not take is refused as a whole, so it is said. The names stay
// as they are: the panel gets them back in the calls, and has to know them.
//
// OpenAI and Anthropic document ^[a-zA-Z0-9_-]{1,64}$. Gemini wants a letter or an underscore first and takes dots and
// colons (cline/cline#7339, ai.google.dev/api/caching#FunctionDeclaration, 2026-11-30).

const maxToolName = 64

// plainName accepts letters, digits, underscores and dashes.
func plainName(name string) bool { return named(name, "_-", "_-0123456789") }

// geminiName accepts what Gemini does.
func geminiName(name string) bool { return named(name, "_.:-", "_") }

// named tells whether a name has only letters, digits and the marks, and begins with a letter or one of first.
func named(name, marks, first string) bool {
	for i := range len(name) {
		c := name[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if i == 0 && !letter && strings.IndexByte(first, c) < 0 || !letter && !(c >= '0' && c <= '9') && strings.IndexByte(marks, c) < 0 {
			return false
		}
	}
	return name != "" && len(name) <= maxToolName
}

// RefusesTool says why the providers of a wire refuse any request that offers a tool of this name; empty where they
// take it.
func RefusesTool(wire, name string) string {
	switch wire {
	case OpenAIChat, OpenAIResponses, Anthropic, VSCodeLM:
		if !plainName(name) {
			return fmt.Sprintf("a name has 1 to %d letters, digits and the marks _ and -", maxToolName)
		}
	case Gemini:
		if !geminiName(name) {
			return fmt.Sprintf("a name has 1 to %d letters, digits and the marks _ . : and -, and begins with a letter or _", maxToolName)
		}
	}
	return ""
}
