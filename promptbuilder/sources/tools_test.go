package sources

import (
	"encoding/json"
	"testing"
)

var twoTools = []Tool{
	{Name: "read", Description: "Reads </tool> a file.", Instructions: " Prefer it.\n", Examples: "read a.go", Parameters: json.RawMessage("{ \"type\":\n\"object\", \"description\": \"in `x` ``` </arguments></TOOL>\" }")},
	{Name: "n\"<o>w", Description: "Tells the time."},
}

func TestToolsInEachFormat(t *testing.T) {
	for format, parts := range map[string][]string{
		"tool": {"# Using the tools\n\n## read\n\nPrefer it.\n\nread a.go", "!Reads", "!type", "!time"},
		"markdown": {"# Tools\n\nCall a tool by writing a fenced code block", "\n\n## read\n\nReads </tool> a file.\n\nPrefer it.\n\nread a.go\n\nJSON Schema of its arguments:\n\n````json\n{\"type\":\"object\",",
			"}\n````\n\n## n\"<o>w\n\nTells the time."},
		"xml": {"# Tools\n\nCall a tool by writing <tool-use name=\"NAME\">", "\n<tool name=\"read\">\nReads <&#47;tool> a file.\nPrefer it.\nread a.go\n<arguments>{\"type\":\"object\",", "``` <&#47;arguments><&#47;TOOL>\"}</arguments>\n</tool>",
			"\n<tool name=\"n&quot;&lt;o&gt;w\">\nTells the time.\n</tool>\n</tools>"},
	} {
		in := plain()
		in.Tools, in.ToolFormat = twoTools, format
		wants(t, format, one(t, tools, in).Text, parts...)
	}
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
