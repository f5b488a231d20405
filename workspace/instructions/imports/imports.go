// Package imports finds the places where an instruction file pulls in another
// one: an at sign and a path. Which of them count differs by tool, and so do
// the parts of a Markdown text in which they do not.
//
// To add a dialect, add a constant and a case to Scan. Nothing here opens
// files, and everything takes time in proportion to the text.
package imports

// Dialect is one tool's idea of an import.
type Dialect string

// The dialects, all checked 2026-11-30.
const (
	// None has no imports.
	None Dialect = "none"
	// Claude: an at sign at the beginning of a line or after white space, outside
	// of code and HTML. The path ends at white space, save for a space behind a
	// backslash; a fragment (#heading) is not part of it
	// (https://code.claude.com/docs/en/memory; escapes, fragments and the first
	// character as third parties measured them on 2.1.12 and 2.1.288).
	Claude Dialect = "claude"
	// Gemini: google-gemini/gemini-cli
	// packages/core/src/utils/memoryImportProcessor.ts at 5411f113.
	Gemini Dialect = "gemini"
	// Goose: block/goose crates/goose/src/hints/import_files.rs at 20ee205c.
	Goose Dialect = "goose"
	// Codecompanion: olimorris/codecompanion.nvim
	// lua/codecompanion/interactions/chat/rules/parsers/claude.lua.
	Codecompanion Dialect = "codecompanion"
)

// Token is an at sign with what follows it.
type Token struct {
	// Text as written, with the at sign; Path what the tool makes of it, without
	// the at sign, escapes and fragment.
	Text, Path string
	// Start and End are bytes of the text.
	Start, End int
	// Line counts from 0, Column in bytes from 0.
	Line, Column int
}

// Scan lists what a dialect takes for imports, in the order of the text. A
// dialect that is not known has none.
func Scan(d Dialect, text string) []Token {
	switch d {
	case Claude:
		return scanMarkdown(text, claudeToken)
	case Gemini:
		return scanGemini(text)
	case Goose:
		return scanGoose(text)
	case Codecompanion:
		return scanCodecompanion(text)
	}
	return nil
}

// Tokens lists every at sign at the beginning of a line or after white space
// that has something after it and is in no code, comment or other HTML, whether
// it is an import anywhere or not; it ends at white space.
func Tokens(text string) []Token {
	return scanMarkdown(text, anyToken)
}

// places gives lines and columns of offsets that are asked for in order.
type places struct {
	text      string
	at        int // what was looked at
	line      int
	lineStart int
}

// set fills in the place of a token that begins at start and ends at end.
func (p *places) token(start, end int, path string) Token {
	for ; p.at < start; p.at++ {
		// A lone carriage return ends a line too, as in an editor.
		if c := p.text[p.at]; c == '\n' || (c == '\r' && (p.at+1 == len(p.text) || p.text[p.at+1] != '\n')) {
			p.line, p.lineStart = p.line+1, p.at+1
		}
	}
	return Token{Text: p.text[start:end], Path: path, Start: start, End: end, Line: p.line, Column: start - p.lineStart}
}
