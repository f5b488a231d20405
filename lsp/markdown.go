package lsp

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"go.lsp.dev/protocol"
)

// markup writes one answer in the format that the client shows: Markdown, or
// plain text with the same words. Text that comes from files or names goes
// through text or code and can neither break the layout nor smuggle in links,
// pictures or HTML.
type markup struct {
	b        strings.Builder
	markdown bool
}

// raw writes markup of our own; in plain text it is written as it is, so it
// must read well there too.
func (m *markup) raw(s string) { m.b.WriteString(s) }

// bold writes our own words with weight.
func (m *markup) bold(s string) {
	if m.markdown {
		s = "**" + s + "**"
	}
	m.raw(s)
}

// text writes foreign words.
func (m *markup) text(s string) {
	s = oneLine(s)
	if m.markdown {
		s = escapeMarkdown(s)
	}
	m.raw(s)
}

// code writes a foreign name, such as a path.
func (m *markup) code(s string) { m.raw(m.codeSpan(s)) }

// link writes a foreign name that leads to a URI.
func (m *markup) link(name, to string) {
	if !m.markdown || to == "" || strings.ContainsAny(to, " <>()\\\n\r\t\"") || strings.ContainsAny(name, "[]`") {
		// Renderers differ in where a link ends that has these inside.
		m.code(name)
		return
	}
	m.raw("[" + m.codeSpan(name) + "](" + to + ")")
}

func (m *markup) codeSpan(s string) string {
	s = oneLine(s)
	if !m.markdown {
		return s
	}
	// A span ends at a run of as many backticks as it began with.
	run, longest := 0, 0
	for _, r := range s {
		if r == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	fence, pad := strings.Repeat("`", longest+1), ""
	if longest > 0 || s == "" || strings.TrimSpace(s) != s {
		pad = " "
	}
	return fence + pad + s + pad + fence
}

func (m *markup) content() *protocol.MarkupContent {
	kind := protocol.MarkupKindPlainText
	if m.markdown {
		kind = protocol.MarkupKindMarkdown
	}
	return &protocol.MarkupContent{Kind: kind, Value: strings.TrimRight(m.b.String(), "\n ")}
}

// oneLine replaces what would break a line or hide text: line ends, control
// and direction characters.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == utf8.RuneError:
			return '\uFFFD'
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), r == '\u2028', r == '\u2029':
			return '\uFFFD'
		}
		return r
	}, s)
}

var markdownEscapes = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", `*`, `\*`, `_`, `\_`, `{`, `\{`, `}`, `\}`, `[`, `\[`, `]`, `\]`,
	`(`, `\(`, `)`, `\)`, `#`, `\#`, `+`, `\+`, `!`, `\!`, `|`, `\|`, `~`, `\~`, `$`, `\$`,
	`<`, `&lt;`, `>`, `&gt;`, `&`, `&amp;`,
	// An address that renderers would make a link of.
	`://`, `&#58;//`, `www.`, `www&#46;`, `@`, `&#64;`,
)

func escapeMarkdown(s string) string { return markdownEscapes.Replace(s) }
