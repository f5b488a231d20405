package commands

import (
	"fmt"
	"strings"
)

var markdownEscapes = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "#", `\#`, "!", `\!`,
	"\n", " ", "\r", "",
)

// escapeMarkdown makes a text from a file or a path say nothing but itself:
// it can form no link, image, heading or HTML.
func escapeMarkdown(text string) string { return markdownEscapes.Replace(text) }

// tableCell is escapeMarkdown for a cell of a table.
func tableCell(text string) string { return strings.ReplaceAll(escapeMarkdown(text), "|", `\|`) }

// headingText is a text for a heading: on one line, escaped where it must be.
func headingText(text string) string { return escapeMarkdown(text) }

// inlineCode puts a text into a code span that nothing inside it can end.
func inlineCode(text string) string {
	text = strings.NewReplacer("\n", " ", "\r", "").Replace(text)
	longest, run := 0, 0
	for i := range len(text) {
		if text[i] == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	marks := strings.Repeat("`", longest+1)
	if longest > 0 {
		return marks + " " + text + " " + marks
	}
	return marks + text + marks
}

// count writes a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
