package sources

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"foreword/promptbuilder/models"
)

var twoTools = []Tool{
	{Name: "read", Description: "Reads </tool> a file.", Instructions: " Prefer it.\n", Examples: "read a.go", Parameters: json.RawMessage("{ \"type\":\n\"object\", \"description\": \"in `x` ``` </arguments></TOOL>\" }")},
	{Name: "n\"<o>w", Description: "Tells the time."},
}

func TestToolsInEachFormat(t *testing.T) {
	for format, parts := range map[string][]string{
		"tool": {"# Using the tools\n\n## read\n\nPrefer it.\n\n### Examples\n\nread a.go", "!Reads", "!type", "!time"},
		"markdown": {"# Tools\n\nCall a tool by writing a fenced code block", "\n\n## read\n\nReads </tool> a file.\n\nPrefer it.\n\nJSON Schema of its arguments:\n\n````json\n{\"type\":\"object\",",
			"}\n````\n\n### Examples\n\nread a.go\n\n## n\"<o>w\n\nTells the time."},
		"xml": {"# Tools\n\nCall a tool by writing <tool-use name=\"NAME\">", "\n<tool name=\"read\">\n<description>\nReads <&#47;tool> a file.\n</description>\n<instructions>\nPrefer it.\n</instructions>\n<arguments>\n{\"type\":\"object\",",
			"``` <&#47;arguments><&#47;TOOL>\"}\n</arguments>\n<examples>\nread a.go\n</examples>\n</tool>",
			"\n<tool name=\"n&quot;&lt;o&gt;w\">\n<description>\nTells the time.\n</description>\n</tool>\n</tools>"},
	} {
		in := plain()
		in.Model = models.Lookup("gpt-4o")
		in.Tools, in.ToolFormat = twoTools, format
		wants(t, format, one(t, tools, in).Text, parts...)
	}
}

// TestExamplesOfTools holds when they are said: a model that reasons needs none
// where the schema says how to call, and the short form has none.
func TestExamplesOfTools(t *testing.T) {
	for _, c := range []struct {
		model, format string
		compact, said bool
	}{
		{"gpt-4o", "tool", false, true}, {"gpt-4o", "", false, true}, {"gpt-5", "tool", false, false}, {"gpt-5", "", false, false},
		{"gpt-5", "markdown", false, true}, {"gpt-5", "xml", false, true},
		{"gpt-4o", "tool", true, false}, {"gpt-4o", "markdown", true, false}, {"gpt-4o", "xml", true, false},
	} {
		in := plain()
		in.Model, in.Tools, in.ToolFormat, in.Compact = models.Lookup(c.model), twoTools, c.format, c.compact
		seen := one(t, tools, in)
		if strings.Contains(seen.Text, "read a.go") != c.said || strings.Contains(seen.Why, "examples") == c.said {
			t.Errorf("%+v: %s\n%s", c, seen.Why, seen.Text)
		}
	}
}

// TestInstructionsOfAFormat holds the order of gptme's get_instructions: the
// tool's own, then those of the format, even when empty, in place of the list of
// functions (gptme/gptme, gptme/tools/base.py, 2026-08-22).
func TestInstructionsOfAFormat(t *testing.T) {
	functions := []Function{{"add(a: int, b: int) -> int", "Adds\nnumbers."}, {"nodoc()", " "}}
	const list = "It knows these functions:\n\n```text\nadd(a: int, b: int) -> int: Adds?numbers.\nnodoc(): no description\n```"
	for name, c := range map[string]struct {
		tool               Tool
		tool_, markdown    string
		noToolSectionAtAll bool
	}{
		"nothing":                 {Tool{}, "", "", true},
		"own":                     {Tool{Instructions: " general\n"}, "general", "general", false},
		"functions":               {Tool{Functions: functions}, list, list, false},
		"own and functions":       {Tool{Instructions: "general", Functions: functions}, "general\n\n" + list, "general\n\n" + list, false},
		"a format's":              {Tool{Instructions: "general", Functions: functions, Formats: map[string]string{"tool": "short"}}, "general\n\nshort", "general\n\n" + list, false},
		"a format's and no other": {Tool{Formats: map[string]string{"tool": "short"}}, "short", "", false},
		"an empty one counts":     {Tool{Functions: functions, Formats: map[string]string{"tool": ""}}, "", list, true},
	} {
		c.tool.Name = "demo"
		if got := c.tool.instructions("tool"); got != c.tool_ {
			t.Errorf("%s, tool: %q", name, got)
		}
		if got := c.tool.instructions("markdown"); got != c.markdown {
			t.Errorf("%s, markdown: %q", name, got)
		}
		in := plain()
		in.Tools = []Tool{c.tool}
		if seen := one(t, tools, in); (seen.Status == Absent) != c.noToolSectionAtAll {
			t.Errorf("%s: %q", name, seen.Text)
		}
	}
}

func TestShortenDescription(t *testing.T) {
	sentence := strings.Repeat("x", 600) + ". "
	for name, c := range map[string]struct {
		text, kept, rest string
		cut              bool
	}{
		"short":            {strings.Repeat("é", 1024), strings.Repeat("é", 1024), "", false},
		"at a sentence":    {sentence + strings.Repeat("y ", 300), strings.TrimSpace(sentence), strings.TrimSpace(strings.Repeat("y ", 300)), true},
		"an early one":     {"One. " + strings.Repeat("y ", 600), "One. " + strings.TrimSpace(strings.Repeat("y ", 510)), strings.TrimSpace(strings.Repeat("y ", 90)), true},
		"one long word":    {strings.Repeat("é", 1030), strings.Repeat("é", 1024), strings.Repeat("é", 6), true},
		"without spaces":   {strings.Repeat("字", 1000) + "。" + strings.Repeat("字", 100), strings.Repeat("字", 1000) + "。", strings.Repeat("字", 100), true},
		"a stop in a word": {strings.Repeat("a.b", 340) + " " + strings.Repeat("c", 10), strings.Repeat("a.b", 340), strings.Repeat("c", 10), true},
	} {
		tool := Tool{Description: c.text}
		if got := tool.Shorten(""); got != c.cut || tool.Description != c.kept || tool.Rest != c.rest {
			t.Errorf("%s: %v, %d characters kept, rest %q", name, got, utf8.RuneCountInString(tool.Description), tool.Rest)
		}
	}
	// gptme's own (gptme/gptme, 2026-08-22): 1,024 characters, in the middle of a word.
	for length, want := range map[int]int{1023: 1023, 1024: 1024, 1025: 1024, 2000: 1024} {
		tool := Tool{Description: strings.Repeat("é", length)}
		if cut := tool.Shorten("gptme"); cut != (length > 1024) || utf8.RuneCountInString(tool.Description) != want || tool.Rest != "" {
			t.Errorf("%d: %d characters, rest %q", length, utf8.RuneCountInString(tool.Description), tool.Rest)
		}
	}
}

// TestShorteningLosesNothing holds that what is kept and the rest are the text,
// but for white space between them, and that what is kept fits.
func TestShorteningLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringOfN(rapid.RuneFrom([]rune("ab.é字。!\n ")), 1, 200, -1), 1, 30).Draw(t, "words")
		text := strings.Join(words, " ")
		tool := Tool{Description: text}
		tool.Shorten("")
		if n := utf8.RuneCountInString(tool.Description); n > MaxToolDescription {
			t.Fatalf("%d characters are kept", n)
		}
		squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if squeeze(tool.Description+tool.Rest) != squeeze(text) {
			t.Fatalf("%q and %q are not %q", tool.Description, tool.Rest, text)
		}
	})
}

func TestToolsThatNeedNoWords(t *testing.T) {
	in := plain()
	if seen := one(t, tools, in); seen.Status != Absent {
		t.Errorf("no tools, and yet %q", seen.Text)
	}
	in.Tools = twoTools[1:]
	if seen := one(t, tools, in); seen.Status != Absent {
		t.Errorf("the request says all of it, and yet %q", seen.Text)
	}
}

// TestSchemaThatIsNoJSON holds that it is said as it came.
func TestSchemaThatIsNoJSON(t *testing.T) {
	in := plain()
	in.Tools, in.ToolFormat = []Tool{{Name: "x", Parameters: json.RawMessage(" {broken ")}}, "markdown"
	wants(t, "markdown", one(t, tools, in).Text, "```json\n{broken\n```")
}
