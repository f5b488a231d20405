package sources

import (
	"strings"
	"unicode"
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
	if strings.HasSuffix(text, "\n") {
		return marks + info + "\n" + text + marks
	}
	return marks + info + "\n" + text + "\n" + marks
}

// neutralise keeps a text from closing the tag that it is put into: where it
// holds the beginning of that closing tag, in whatever case, the slash is
// written as an entity.
func neutralise(text, tag string) string {
	closing := "</" + tag
	var b strings.Builder
	done := 0 // text before it is in b
	for i := 0; i+len(closing) <= len(text); i++ {
		next := strings.Index(text[i:], "</")
		if next < 0 {
			break
		}
		i += next
		if i+len(closing) <= len(text) && strings.EqualFold(text[i:i+len(closing)], closing) {
			b.WriteString(text[done:i] + "<&#47;")
			done = i + len("</")
		}
	}
	if done == 0 {
		return text
	}
	return b.String() + text[done:]
}

// oneLine keeps a name from writing lines of its own into the prompt: what does
// not print becomes a question mark.
func oneLine(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, name)
}

// attribute writes an attribute of a tag.
func attribute(name, value string) string {
	return " " + name + `="` + attributeText.Replace(oneLine(value)) + `"`
}

var attributeText = strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;", ">", "&gt;")
