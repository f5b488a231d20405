package gptme

import (
	"encoding/json"
	"regexp"
	"strings"
)

// Block is a fenced block of a text.
type Block struct {
	Fence, Lang, Content string
}

// String is the block as gptme writes it: what must be found in the text for the block to be cut.
func (b Block) String() string {
	return b.Fence + b.Lang + "\n" + b.Content + "\n" + b.Fence
}

// Blocks are the fenced blocks that gptme sees. It does not see blocks that are indented, written with CRLF, begun
// after other text, never closed, or closed with text on the next line.
func Blocks(text string) []Block {
	text, ok := afterThoughts("\n" + text)
	if !ok || strings.Count(text, "\n```") < 2 {
		return nil
	}
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	lines := strings.Split(text, "\n")
	var blocks []Block
	for i := 0; i < len(lines); i++ {
		fence, lang := openFence(lines[i])
		if fence == "" {
			continue
		}
		end := closeOf(lines, i+1, fence)
		if end < 0 {
			continue
		}
		blocks = append(blocks, Block{fence, lang, strings.Join(lines[i+1:end], "\n")})
		i = end
	}
	return blocks
}

// afterThoughts drops what was thought aloud; false when it is all that there is.
func afterThoughts(text string) (string, bool) {
	for _, tag := range []string{"thinking", "think"} {
		open, shut := "<"+tag+">", "</"+tag+">"
		if at := strings.Index(text, shut); at >= 0 {
			before := text[:at]
			if strings.Contains(before, "\n"+open) || !strings.Contains(before, open) {
				return text[at+len(shut):], true
			}
		}
	}
	for _, tag := range []string{"thinking", "think"} {
		if strings.Contains(text, "\n<"+tag+">") && !strings.Contains(text, "</"+tag+">") {
			return "", false
		}
	}
	return text, true
}

func openFence(line string) (fence, lang string) {
	n := run(line)
	if n < 3 {
		return "", ""
	}
	if n == 6 && len(line) > 6 && line[6] != ' ' && line[6] != '`' {
		line, n = line[3:], 3 // two fences that ran together
	}
	return line[:n], strings.TrimSpace(line[n:])
}

func run(line string) int { return len(line) - len(strings.TrimLeft(line, "`")) }

// closeOf is the line that closes the block whose content begins at from, -1 when none does.
func closeOf(lines []string, from int, fence string) int {
	depth := 1
	for i := from; i < len(lines); i++ {
		n := run(lines[i])
		if n < 3 {
			continue
		}
		info := strings.TrimSpace(lines[i][n:])
		switch {
		case info != "":
			if plausible(info) {
				depth++
			}
		case depth > 1:
			depth--
		case n != len(fence):
		case i+1 >= len(lines) || strings.TrimSpace(lines[i+1]) == "" || run(lines[i+1]) >= 3:
			return i
		case opensNested(lines, i):
			depth++
		}
	}
	return -1
}

func plausible(info string) bool {
	c := info[0]
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || strings.IndexByte("_/.~", c) >= 0
}

// opensNested says whether a bare fence with text behind it begins a block inside the block: another bare fence follows
// within twenty lines, and text soon after that.
func opensNested(lines []string, at int) bool {
	for i := at + 1; i < len(lines) && i <= at+20; i++ {
		if n := run(lines[i]); n < 3 || strings.TrimSpace(lines[i][n:]) != "" {
			continue
		}
		for k := i + 1; k < len(lines) && k <= i+4; k++ {
			if strings.TrimSpace(lines[k]) != "" {
				return true
			}
		}
		return false
	}
	return false
}

var call = regexp.MustCompile(`(?m)^@[\w.]+\([\w\-:.]+\):\s*\{`)

// Calls says whether a message calls a tool: a block in the language of a loaded tool, @name(id): {…} at the beginning
// of a line, or a tool element. Only the assistant calls.
func Calls(m Message, tools []string) bool {
	if m.Role != "assistant" {
		return false
	}
	if m.Call != nil {
		return *m.Call
	}
	for _, b := range Blocks(m.Content) {
		word, _, _ := strings.Cut(b.Lang, " ")
		for _, tool := range tools {
			if word == tool {
				return true
			}
		}
	}
	for _, at := range call.FindAllStringIndex(m.Content, -1) {
		var object map[string]any
		if json.NewDecoder(strings.NewReader(m.Content[at[1]-1:])).Decode(&object) == nil {
			return true
		}
	}
	for _, tag := range []string{"tool-use", "function_calls"} {
		if strings.Contains(m.Content, "<"+tag+">") && strings.Contains(m.Content, "</"+tag+">") {
			return true
		}
	}
	return false
}
