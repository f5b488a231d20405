package sources

import (
	"fmt"
	"strings"
)

// Fence puts a text into a code block that nothing inside it can close: its
// run of backticks is longer than any inside.
func Fence(info, text string) string {
	longest, run := 0, 0
	for i := range len(text) {
		if text[i] == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	marks := strings.Repeat("`", max(3, longest+1))
	end := "\n"
	if strings.HasSuffix(text, "\n") {
		end = ""
	}
	return fmt.Sprintf("%s%s\n%s%s%s", marks, info, text, end, marks)
}

// neutralise keeps a text from closing the tags that it is put into: the slash
// of each of our closing tags inside it is written as an entity.
func neutralise(text string, tags ...string) string {
	for _, tag := range tags {
		text = replaceFold(text, "</"+tag, "<&#47;"+tag)
	}
	return text
}

// replaceFold replaces every occurrence of old, an ASCII string, without
// regard to case.
func replaceFold(text, old, replacement string) string {
	var b strings.Builder
	for {
		i := indexFold(text, old)
		if i < 0 {
			break
		}
		b.WriteString(text[:i])
		b.WriteString(replacement)
		text = text[i+len(old):]
	}
	if b.Len() == 0 {
		return text
	}
	b.WriteString(text)
	return b.String()
}

func indexFold(text, old string) int {
	for i := 0; i+len(old) <= len(text); {
		next := strings.IndexByte(text[i:], old[0])
		if next < 0 || i+next+len(old) > len(text) {
			return -1
		}
		i += next
		if strings.EqualFold(text[i:i+len(old)], old) {
			return i
		}
		i++
	}
	return -1
}

// attribute writes a value for use between double quotes in a tag.
func attribute(value string) string {
	return strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;", ">", "&gt;", "\n", "&#10;", "\r", "&#13;").Replace(value)
}
