package sources

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// tools documents the tools that the panel offers. In the format tool the
// request body carries the schemas, so only what a schema cannot say is said
// here: a tool is never documented twice.
func tools(in *Input) []Source {
	return []Source{{
		Key: "core/tools", Group: "tools", Layer: Core, Title: "Tools",
		Observe: func(context.Context) Observation {
			if len(in.Tools) == 0 {
				return none("the request offers no tools")
			}
			var text string
			switch in.ToolFormat {
			case "markdown":
				text = toolsMarkdown(in.Tools)
			case "xml":
				text = toolsXML(in.Tools)
			default:
				text = toolsNative(in.Tools)
				if text == "" {
					return none("the request body carries the tools' descriptions and schemas")
				}
			}
			return say("tools of the request", text, fmt.Sprintf("the request offers %d tools", len(in.Tools)))
		},
	}}
}

func toolsNative(tools []Tool) string {
	var b strings.Builder
	for _, t := range tools {
		if t.Instructions == "" && t.Examples == "" {
			continue
		}
		if b.Len() == 0 {
			b.WriteString("# Using the tools")
		}
		fmt.Fprintf(&b, "\n\n## %s", t.Name)
		writeParagraphs(&b, t.Instructions, t.Examples)
	}
	return b.String()
}

func toolsMarkdown(tools []Tool) string {
	var b strings.Builder
	b.WriteString("# Tools\n\nCall a tool by writing a fenced code block whose language is the tool's name and whose content is the JSON of its arguments.")
	for _, t := range tools {
		fmt.Fprintf(&b, "\n\n## %s", t.Name)
		writeParagraphs(&b, t.Description, t.Instructions, t.Examples)
		if schema := compactJSON(t.Parameters); schema != "" {
			b.WriteString("\n\nJSON Schema of its arguments:\n\n" + Fence("json", schema))
		}
	}
	return b.String()
}

func toolsXML(tools []Tool) string {
	var b strings.Builder
	b.WriteString("# Tools\n\nCall a tool by writing <tool-use name=\"NAME\">JSON of its arguments</tool-use>.\n\n<tools>")
	for _, t := range tools {
		b.WriteString("\n<tool" + attribute("name", t.Name) + ">")
		for _, part := range []string{t.Description, t.Instructions, t.Examples} {
			if part = strings.TrimSpace(part); part != "" {
				b.WriteString("\n" + neutralise(part, "tool"))
			}
		}
		if schema := compactJSON(t.Parameters); schema != "" {
			b.WriteString("\n<arguments>" + neutralise(neutralise(schema, "arguments"), "tool") + "</arguments>")
		}
		b.WriteString("\n</tool>")
	}
	b.WriteString("\n</tools>")
	return b.String()
}

func writeParagraphs(b *strings.Builder, parts ...string) {
	for _, part := range parts {
		if part = strings.TrimSpace(part); part != "" {
			b.WriteString("\n\n" + part)
		}
	}
}

// compactJSON gives a schema on one line, in the order in which it came.
func compactJSON(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return strings.TrimSpace(string(raw))
	}
	return b.String()
}
