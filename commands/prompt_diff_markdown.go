package commands

import (
	"fmt"
	"strings"

	"foreword/promptbuilder/sources"
)

// markdown writes the comparison of two turns for people.
func (r *DiffPromptResult) markdown() string {
	var b strings.Builder
	if r.From == 0 {
		fmt.Fprintf(&b, "# Turn %d\n\n", r.To)
	} else {
		fmt.Fprintf(&b, "# From turn %d to turn %d\n\n", r.From, r.To)
	}
	b.WriteString(r.Cache.sentence() + "\n")
	if len(r.Sections) > 0 {
		b.WriteString("\n## Sections of the system text\n\n| section | change | tokens before | tokens after |\n|---|---|--:|--:|\n")
		for _, s := range r.Sections {
			fmt.Fprintf(&b, "| %s | %s | %d | %d |\n", tableCell(s.Key), s.Change, s.Before, s.After)
		}
	} else if r.From > 0 {
		b.WriteString("\nThe system text is the same, byte for byte.\n")
	}
	for i, u := range r.Updates {
		if i == 0 {
			b.WriteString("\n## Said after the history\n")
		}
		fmt.Fprintf(&b, "\n### %s: %s, %s\n\nStands before message %s.\n\n%s\n", headingText(u.Key), u.Kind, count(u.Tokens, "token"), inlineCode(u.Message), sources.Fence("", u.Text))
	}
	return b.String()
}

// sentence tells prediction and report side by side.
func (c CacheAccount) sentence() string {
	said := fmt.Sprintf("%s should be read from the provider's cache", count(c.Predicted, "token"))
	if c.Reported != nil {
		said += fmt.Sprintf("; the provider reported %d", *c.Reported)
	} else {
		said += "; the provider has not reported yet"
	}
	if c.Broken != "" {
		said += fmt.Sprintf(". The prefix breaks at %s", inlineCode(c.Broken))
	}
	if c.Because != "" {
		said += ": " + escapeMarkdown(c.Because)
	}
	return said + "."
}
