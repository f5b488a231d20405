package tools

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// docs/tools.md has a row for each tool, with its arguments in the order of the schema, and the bounds.
func TestPageOfTools(t *testing.T) {
	raw, err := os.ReadFile("../../docs/tools.md")
	if err != nil {
		t.Fatal(err)
	}
	page := strings.Join(strings.Fields(string(raw)), " ")
	for _, tool := range All() {
		var schema struct {
			Properties json.RawMessage
			Required   []string
		}
		if err := json.Unmarshal(tool.Parameters, &schema); err != nil {
			t.Fatal(err)
		}
		required := map[string]bool{}
		for _, name := range schema.Required {
			required[name] = true
		}
		var list []string
		decoder := json.NewDecoder(strings.NewReader(string(schema.Properties)))
		if _, err := decoder.Token(); err != nil {
			t.Fatal(err)
		}
		for decoder.More() {
			name, err := decoder.Token()
			if err != nil {
				t.Fatal(err)
			}
			var about json.RawMessage
			if err := decoder.Decode(&about); err != nil {
				t.Fatal(err)
			}
			if text := "`" + name.(string) + "`"; required[name.(string)] {
				list = append(list, "**"+text+"**")
			} else {
				list = append(list, text)
			}
		}
		if row := "| `" + tool.Name + "` | " + strings.Join(list, ", ") + " |"; !strings.Contains(page, row) {
			t.Errorf("docs/tools.md does not have\n%s", row)
		}
	}
	if maxAnswer != 50<<10 || maxLines != 2000 || maxLine != 2000 || maxMatches != 200 || maxFound != 500 || listDepth != 2 {
		t.Error("the bounds are others than docs/tools.md says")
	}
}
