package imports

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// scanMarkdown lists the tokens of running text: paragraphs, headings, and what
// stands beside a comment. token reads what follows an at sign, to before what
// is masked.
func scanMarkdown(text string, token func(after string) (path string, size int)) []Token {
	if !strings.Contains(text, "@") {
		return nil
	}
	var tokens []Token
	place := places{text: text}
	parseBlocks(text, func(b block) {
		if b.kind != paragraph && b.kind != heading && b.kind != comment {
			return
		}
		if !slices.ContainsFunc(b.lines, func(line span) bool { return strings.Contains(text[line.start:line.end], "@") }) {
			return
		}
		inline := join(text, b)
		masked := append(maskInline(inline.text, b.kind == comment), span{len(inline.text), len(inline.text)})
		for i := 0; ; {
			at := strings.IndexByte(inline.text[i:], '@')
			if at < 0 {
				return
			}
			i += at
			for masked[0].end <= i && len(masked) > 1 {
				masked = masked[1:]
			}
			if masked[0].start <= i {
				i = masked[0].end
				continue
			}
			// What is masked ends with no white space, so this is the same behind it.
			if before, _ := utf8.DecodeLastRuneInString(inline.text[:i]); i > 0 && !unicode.IsSpace(before) {
				i++
				continue
			}
			path, size := token(inline.text[i+1 : masked[0].start])
			if path != "" {
				start := inline.offset(i)
				tokens = append(tokens, place.token(start, start+1+size, path))
			}
			i += 1 + size
		}
	})
	return tokens
}

// claudeToken reads a path of the Claude dialect. A backslash ends it, unless a
// space follows. A path begins with a letter or digit of ASCII, a dot, a dash
// or an underscore, with ~/, or with a slash that is not all of it.
func claudeToken(after string) (path string, size int) {
	size = wordSize(after, true)
	path, _, _ = strings.Cut(after[:size], "#")
	path = strings.ReplaceAll(path, `\ `, " ")
	switch {
	case path == "" || path == "/":
		return "", size
	case strings.HasPrefix(path, "/") || strings.HasPrefix(path, "~/"):
		return path, size
	case isAlnum(path[0]) || strings.IndexByte("._-", path[0]) >= 0:
		return path, size
	}
	return "", size
}

func anyToken(after string) (path string, size int) {
	size = wordSize(after, false)
	path = strings.ReplaceAll(after[:size], `\ `, " ")
	if strings.Trim(path, ".") == "" || path[0] == '@' {
		return "", size
	}
	return path, size
}

// wordSize is the length of what comes before white space that no backslash
// escapes; with strict a backslash before anything else ends it too.
func wordSize(text string, strict bool) int {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '\\' && strings.HasPrefix(text[i+1:], " "):
			size = 2
		case r == '\\' && strict, unicode.IsSpace(r):
			return i
		}
		i += size
	}
	return len(text)
}

func isAlnum(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// scanGemini: an at sign at the beginning or after one of four blanks, with a
// path that begins with a dot, a slash or a letter of ASCII and runs to the
// next such blank, whatever it ends with. Only backticks protect it.
func scanGemini(text string) []Token {
	var tokens []Token
	place := places{text: text}
	var code []span
	for i := 0; ; {
		at := strings.IndexByte(text[i:], '@')
		if at < 0 {
			return tokens
		}
		if i += at; i > 0 && !isGeminiBlank(text[i-1]) {
			i++
			continue
		}
		end := i + 1
		for end < len(text) && !isGeminiBlank(text[end]) {
			end++
		}
		if path := text[i+1 : end]; path != "" && (path[0] == '.' || path[0] == '/' || isAlnum(path[0]) && path[0] > '9') {
			if tokens == nil && code == nil {
				code = geminiCode(text)
			}
			for len(code) > 0 && code[0].end <= i {
				code = code[1:]
			}
			if len(code) == 0 || i < code[0].start {
				tokens = append(tokens, place.token(i, end, path))
			}
		}
		i = min(end+1, len(text))
	}
}

func isGeminiBlank(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r'
}

// maxGoose is the size in bytes above which Goose looks for no imports.
const maxGoose = 128 << 10

// scanGoose: an at sign at the beginning or after white space, code or not, and
// one of three forms, tried in this order on the letters, digits, dots, slashes,
// dashes and underscores that follow: up to the last extension; a word that
// begins with a capital; all of it, if there is a dot or a slash in it. So a
// full stop or a comma after a file name is not part of the path.
func scanGoose(text string) []Token {
	if len(text) > maxGoose {
		return nil
	}
	var tokens []Token
	place := places{text: text}
	space := true
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r != '@' || !space {
			i, space = i+size, unicode.IsSpace(r)
			continue
		}
		end := i + 1
		for end < len(text) && (isAlnum(text[end]) || strings.IndexByte("_-./", text[end]) >= 0) {
			end++
		}
		n := gooseSize(text[i+1 : end])
		if n > 0 {
			tokens = append(tokens, place.token(i, i+1+n, text[i+1:i+1+n]))
		}
		i, space = i+1+n, false
	}
	return tokens
}

// gooseSize is the length of what is an import at the beginning of a word.
func gooseSize(word string) int {
	for dot := len(word) - 2; dot > 0; dot-- {
		if word[dot] != '.' || !isAlnum(word[dot+1]) {
			continue
		}
		end := dot + 1
		for end < len(word) && isAlnum(word[end]) {
			end++
		}
		return end
	}
	if word != "" && 'A' <= word[0] && word[0] <= 'Z' {
		if end := strings.IndexAny(word, "./"); end >= 0 {
			return end
		}
		return len(word)
	}
	if strings.ContainsAny(word, "./") {
		return len(word)
	}
	return 0
}

// scanCodecompanion: lines of paragraphs that begin with an at sign, each path
// once. It asks the Markdown parser for paragraphs alone, so code spans in them
// do not protect, and a second line of a quotation still has its mark.
func scanCodecompanion(text string) []Token {
	if !strings.Contains(text, "@") {
		return nil
	}
	var tokens []Token
	place := places{text: text}
	seen := map[string]bool{}
	parseBlocks(text, func(b block) {
		if b.kind != paragraph && (b.kind != heading || !b.setext) {
			return
		}
		for n, line := range b.lines {
			start := line.start
			if n > 0 && strings.ContainsRune(text[lineStart(text, start):start], '>') {
				continue
			}
			rest := strings.TrimLeft(text[start:line.end], " \t\v\f\r")
			start = line.end - len(rest)
			if !strings.HasPrefix(rest, "@") {
				continue
			}
			end := start + 1
			for end < line.end && strings.IndexByte(" \t\v\f\r", text[end]) < 0 {
				end++
			}
			if path := text[start+1 : end]; path != "" && !seen[path] {
				seen[path] = true
				tokens = append(tokens, place.token(start, end, path))
			}
		}
	})
	return tokens
}

func lineStart(text string, at int) int {
	return strings.LastIndexAny(text[:at], "\r\n") + 1
}
