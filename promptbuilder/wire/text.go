package wire

import (
	"strings"

	"foreword/promptbuilder/history"
)

// Plain text, to read or to paste: the whole request as Markdown with a heading per message.

type textBody struct {
	Text string `json:"text"`
}

func renderText(c *conversation) any {
	var out strings.Builder
	section := func(title, text string) {
		if out.Len() > 0 {
			out.WriteString("\n")
		}
		out.WriteString("# " + title + "\n\n" + strings.TrimRight(text, "\n") + "\n")
	}
	if system := c.systemText(); system != "" {
		section("System", system)
	}
	if len(c.Tools) > 0 {
		var list strings.Builder
		for _, tool := range c.Tools {
			list.WriteString("- " + tool.Name + ": " + tool.Description + "\n")
		}
		section("Tools", list.String())
		c.note("text: tools are listed and cannot be called")
	}
	titles := map[string]string{history.RoleUser: "User", history.RoleAssistant: "Assistant", history.RoleSystem: "System"}
	for _, e := range c.entries {
		if e.role == history.RoleTool {
			for _, result := range e.parts {
				section(strings.TrimSpace("Result of "+result.Name), c.outputText(result))
			}
			continue
		}
		var texts []string
		for _, part := range e.parts {
			text := c.textOf(part)
			if part.Type == history.PartToolUse {
				text = "Call of " + part.Name + ":\n" + fenced("json", c.argumentText(part))
			}
			if text != "" {
				texts = append(texts, text)
			}
		}
		section(titles[e.role], strings.Join(texts, "\n\n"))
	}
	return textBody{out.String()}
}
