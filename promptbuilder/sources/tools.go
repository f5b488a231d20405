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
			examples, why := in.toolExamples()
			var text string
			switch in.ToolFormat {
			case "markdown":
				text = toolsMarkdown(in.Tools, examples)
			case "xml":
				text = toolsXML(in.Tools, examples)
			default:
				text = toolsNative(in.Tools, examples)
				if text == "" {
					return none("the request body carries the tools' descriptions and schemas")
				}
			}
			return say("tools of the request", text, fmt.Sprintf("the request offers %d tools%s", len(in.Tools), why))
		},
	}}
}

// toolExamples tells whether examples are said, and why not. A model that
// reasons by itself follows a schema without them; what it must write as text in
// the other formats it has to see.
func (in *Input) toolExamples() (said bool, why string) {
	switch {
	case in.Compact:
		return false, "; the short form leaves out their examples"
	case in.Model.Reasoning && in.ToolFormat != "markdown" && in.ToolFormat != "xml":
		return false, "; a model that reasons needs no examples of them"
	}
	return true, ""
}

func toolsNative(tools []Tool, examples bool) string {
	var b strings.Builder
	for _, t := range tools {
		parts := []string{t.Rest, t.instructions("tool")}
		shown := examples && strings.TrimSpace(t.Examples) != ""
		if strings.TrimSpace(strings.Join(parts, "")) == "" && !shown {
			continue
		}
		if b.Len() == 0 {
			b.WriteString("# Using the tools")
		}
		fmt.Fprintf(&b, "\n\n## %s", oneLine(t.Name))
		writeParagraphs(&b, parts...)
		if shown {
			b.WriteString("\n\n### Examples")
			writeParagraphs(&b, t.Examples)
		}
	}
	return b.String()
}

func toolsMarkdown(tools []Tool, examples bool) string {
	var b strings.Builder
	b.WriteString("# Tools\n\nCall a tool by writing a fenced code block whose language is the tool's name and whose content is the JSON of its arguments.")
	for _, t := range tools {
		fmt.Fprintf(&b, "\n\n## %s", oneLine(t.Name))
		writeParagraphs(&b, t.Description, t.Rest, t.instructions("markdown"))
		if schema := compactJSON(t.Parameters); schema != "" {
			b.WriteString("\n\nJSON Schema of its arguments:\n\n" + Fence("json", schema))
		}
		if examples && strings.TrimSpace(t.Examples) != "" {
			b.WriteString("\n\n### Examples")
			writeParagraphs(&b, t.Examples)
		}
	}
	return b.String()
}

func toolsXML(tools []Tool, examples bool) string {
	var b strings.Builder
	b.WriteString("# Tools\n\nCall a tool by writing <tool-use name=\"NAME\">JSON of its arguments</tool-use>.\n\n<tools>")
	for _, t := range tools {
		b.WriteString("\n<tool" + attribute("name", t.Name) + ">")
		part := func(tag string, texts ...string) {
			var inner strings.Builder
			writeParagraphs(&inner, texts...)
			if text := strings.TrimPrefix(inner.String(), "\n\n"); text != "" {
				fmt.Fprintf(&b, "\n<%s>\n%s\n</%s>", tag, neutralise(neutralise(neutralise(text, tag), "tool"), "tools"), tag)
			}
		}
		part("description", t.Description, t.Rest)
		part("instructions", t.instructions("xml"))
		part("arguments", compactJSON(t.Parameters))
		if examples {
			part("examples", t.Examples)
		}
		b.WriteString("\n</tool>")
	}
	b.WriteString("\n</tools>")
	return b.String()
}

// instructions are those of the tool, then those for the format, even when they
// are empty; where there are none for the format the tool's functions are
// listed.
func (t Tool) instructions(format string) string {
	own, special := t.Formats[format]
	if !special {
		own = listFunctions(t.Functions)
	}
	var b strings.Builder
	writeParagraphs(&b, t.Instructions, own)
	return strings.TrimPrefix(b.String(), "\n\n")
}

func listFunctions(functions []Function) string {
	if len(functions) == 0 {
		return ""
	}
	var lines []string
	for _, f := range functions {
		description := strings.TrimSpace(f.Description)
		if description == "" {
			description = "no description"
		}
		lines = append(lines, oneLine(f.Signature)+": "+oneLine(description))
	}
	return "It knows these functions:\n\n" + Fence("text", strings.Join(lines, "\n"))
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
