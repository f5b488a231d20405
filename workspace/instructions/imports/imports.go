// Package imports finds the places where an instruction file pulls in another
// one: an at sign and a path. Which of them count differs by tool, and so do
// the parts of a Markdown text in which they do not.
//
// To add a dialect, add a constant and a row to dialects.
package imports

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Dialect is one tool's idea of an import.
type Dialect string

// The dialects. Claude: https://code.claude.com/docs/en/memory. Gemini:
// google-gemini/gemini-cli packages/core/src/utils/memoryImportProcessor.ts
// (5411f113). Goose: block/goose crates/goose/src/hints/import_files.rs.
// Codecompanion: olimorris/codecompanion.nvim, its claude parser. All checked
// 2026-11-30.
const (
	None          Dialect = "none"
	Claude        Dialect = "claude"
	Gemini        Dialect = "gemini"
	Goose         Dialect = "goose"
	Codecompanion Dialect = "codecompanion"
)

// Token is an at sign with what follows it.
type Token struct {
	// Text as written, with the at sign; Path after unescaping, without it.
	Text, Path string
	// Start and End are bytes of the text.
	Start, End int
	// Line counts from 0, Column in bytes from 0.
	Line, Column int
}

type dialect struct {
	mask      func(string) []bool // where tokens do not count; nil: nowhere
	escapes   bool                // a backslash keeps a space in the path
	first     func(rune) bool     // what a path may begin with; nil: anything
	lineStart bool                // only at the beginning of a line
	home      bool                // ~/ begins a path
}

var dialects = map[Dialect]dialect{
	Claude:        {mask: maskMarkdown, escapes: true, home: true},
	Gemini:        {mask: maskBackticks, first: dotSlashLetter},
	Goose:         {},
	Codecompanion: {mask: maskMarkdown, lineStart: true, home: true},
}

// Scan lists what a dialect takes for imports, in the order of the text.
func Scan(d Dialect, text string) []Token {
	rules, ok := dialects[d]
	if !ok || !strings.Contains(text, "@") {
		return nil
	}
	var masked []bool
	if rules.mask != nil {
		masked = rules.mask(text)
	}
	return scan(text, masked, rules)
}

// Tokens lists every at sign with a word after it that is not in code, whether
// it is an import anywhere or not.
func Tokens(text string) []Token {
	if !strings.Contains(text, "@") {
		return nil
	}
	return scan(text, maskMarkdown(text), dialects[Claude])
}

func scan(text string, masked []bool, rules dialect) []Token {
	var tokens []Token
	line, lineStart := 0, 0
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\n':
			line, lineStart = line+1, i+1
			continue
		case text[i] != '@' || (masked != nil && masked[i]) || !begins(text, i, lineStart, rules):
			continue
		}
		path, end := word(text, i+1, rules.escapes)
		first, _ := utf8.DecodeRuneInString(path)
		if path == "" || path == "." || path[0] == '@' || (rules.first != nil && !rules.first(first)) {
			continue
		}
		tokens = append(tokens, Token{Text: text[i:end], Path: path, Start: i, End: end, Line: line, Column: i - lineStart})
		i = end - 1
	}
	return tokens
}

// begins tells whether an at sign stands at the beginning or after white
// space.
func begins(text string, at, lineStart int, rules dialect) bool {
	if rules.lineStart {
		return at == lineStart
	}
	if at == 0 {
		return true
	}
	r, _ := utf8.DecodeLastRuneInString(text[:at])
	return unicode.IsSpace(r)
}

// word reads to the next white space.
func word(text string, from int, escapes bool) (path string, end int) {
	var b strings.Builder
	i := from
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		if escapes && r == '\\' && i+1 < len(text) && text[i+1] == ' ' {
			b.WriteByte(' ')
			i += 2
			continue
		}
		if unicode.IsSpace(r) {
			break
		}
		b.WriteString(text[i : i+size])
		i += size
	}
	return b.String(), i
}

func dotSlashLetter(r rune) bool {
	return r == '.' || r == '/' || ('a' <= r && r <= 'z') || ('A' <= r && r <= 'Z')
}
