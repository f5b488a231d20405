package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"foreword/commands"
	"foreword/commands/internal/generate/messages"
	"foreword/promptbuilder/history"
)

// once makes the outputs for all tests: it builds the program.
var once = sync.OnceValues(func() ([]output, error) {
	root, err := repository()
	if err != nil {
		return nil, err
	}
	return outputs(root)
})

var repository = sync.OnceValues(func() (string, error) {
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	return moduleRoot(here)
})

func generated(t *testing.T) (root string, files []output) {
	t.Helper()
	root, err := repository()
	if err != nil {
		t.Fatal(err)
	}
	if files, err = once(); err != nil {
		t.Fatal(err)
	}
	return root, files
}

func TestGeneratedFilesAreFresh(t *testing.T) {
	root, files := generated(t)
	for _, file := range files {
		onDisk, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file.path)))
		if err != nil {
			t.Errorf("%v; run go generate ./commands", err)
			continue
		}
		if !bytes.Equal(onDisk, file.text) {
			t.Errorf("%s is stale, first at line %d; run go generate ./commands", file.path, firstDifference(onDisk, file.text))
		}
	}
}

func firstDifference(a, b []byte) int {
	linesA, linesB := strings.Split(string(a), "\n"), strings.Split(string(b), "\n")
	for i := range linesA {
		if i >= len(linesB) || linesA[i] != linesB[i] {
			return i + 1
		}
	}
	return len(linesA) + 1
}

func TestTheSameSourcesGiveTheSameBytes(t *testing.T) {
	root, first := generated(t)
	second, err := outputs(root)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(first, second) {
		t.Error("two runs differ")
	}
	for _, file := range first {
		if !strings.Contains(string(file.text[:200]), header) {
			t.Errorf("%s does not say that it is generated", file.path)
		}
		if bytes.Contains(file.text, []byte("\r")) || !bytes.HasSuffix(file.text, []byte("\n")) || bytes.HasSuffix(file.text, []byte("\n\n")) {
			t.Errorf("%s: want line feeds, and one at the end", file.path)
		}
	}
}

// The examples of the reference are what the commands take.
func TestExamplesAreAccepted(t *testing.T) {
	for _, c := range commands.Table() {
		e, ok := examples[c.Name]
		if !ok {
			t.Errorf("%s has no example", c.Name)
			continue
		}
		if err := commands.Decode(json.RawMessage(e.params), reflect.New(c.Params).Interface()); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
		if (e.cli == "") != (c.CLI == "") {
			t.Errorf("%s: command line %q, its example %q", c.Name, c.CLI, e.cli)
		}
		if words := strings.Fields(c.CLI); len(words) > 1 && !strings.HasPrefix(e.cli, words[0]+" "+words[1]) {
			t.Errorf("%s: the example %q is no use of %q", c.Name, e.cli, c.CLI)
		}
	}
	if len(examples) != len(commands.Table()) {
		t.Errorf("%d examples for %d commands", len(examples), len(commands.Table()))
	}
}

// The command lines of the reference have only flags that exist.
func TestCommandLinesOfExamplesAreAccepted(t *testing.T) {
	root, err := repository()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "foreword")
	build := exec.Command("go", "build", "-o", program, "./cmd/foreword")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, e := range examples {
		if e.cli == "" {
			continue
		}
		// Flags are read before help is given, so that an unknown one fails.
		args := slices.Concat(strings.Fields(e.cli)[1:], []string{"--help"})
		if out, err := exec.Command(program, args...).CombinedOutput(); err != nil {
			t.Errorf("%s: %s: %v\n%s", name, e.cli, err, out)
		}
	}
}

// What promptbuilder/history writes is what the messages package describes.
func TestMessagesAreDescribedAsTheyAreWritten(t *testing.T) {
	ttl := 3
	media := &history.Media{MIME: "image/png", Data: "aGk=", URL: "https://example.org/a.png", Name: "a.png"}
	for _, m := range []history.Message{
		{ID: "m1", Role: history.RoleUser, Content: history.Text("hello"), Pinned: true, Hide: true, Files: []string{"a.go"}, EphemeralTTL: &ttl, Time: "2026-01-01T00:00:00Z"},
		{Role: history.RoleUser, Content: history.Content{Parts: []history.Part{
			{Type: history.PartText, Text: "look", CacheControl: json.RawMessage(`{"type":"ephemeral"}`)},
			{Type: history.PartImage, Media: media},
			{Type: history.PartFile, Text: "text of it", Media: media},
			{Type: history.PartToolResult, ID: "c1", Output: history.Text("done"), IsError: true},
			{Type: history.PartToolResult, ID: "c2", Output: history.Content{Parts: []history.Part{{Type: history.PartText, Text: "x"}}}},
		}}},
		{Role: history.RoleAssistant, Model: "m", Content: history.Content{Parts: []history.Part{
			{Type: history.PartThinking, ID: "t1", Text: "hm", Signature: "sig", Model: "m"},
			{Type: history.PartToolUse, ID: "c1", Name: "read", Arguments: `{"path":"a.go"}`},
			{Type: history.PartToolUse, ID: "c2", Name: "read", Arguments: `{"path":`},
		}}},
		{Role: history.RoleAssistant, ToolCalls: []history.ToolCall{{ID: "c3", Name: "list", Arguments: `{}`}, {ID: "c4", Name: "list", Arguments: `{`}}},
		{Role: history.RoleTool, ToolCallID: "c3", Content: history.Text("a.go")},
	} {
		written, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		var described messages.Message
		if err := commands.Decode(written, &described); err != nil {
			t.Errorf("%v\n%s", err, written)
			continue
		}
		strictParts(t, written)
		var again history.Message
		if err := json.Unmarshal(written, &again); err != nil {
			t.Errorf("history refuses its own: %v\n%s", err, written)
		}
	}
}

// strictParts decodes the parts of a message strictly, which the message
// itself does not: there they are one side of a union.
func strictParts(t *testing.T, message []byte) {
	t.Helper()
	var list struct{ Content []json.RawMessage }
	if json.Unmarshal(message, &list) != nil {
		return // the content is a string
	}
	for i, part := range list.Content {
		if err := commands.Decode(part, new(messages.MessagePart)); err != nil {
			t.Errorf("part %d: %v\n%s", i, err, part)
		}
	}
}

func find(t *testing.T, files []output, path string) string {
	t.Helper()
	for _, file := range files {
		if file.path == path {
			return string(file.text)
		}
	}
	t.Fatalf("%s is not generated", path)
	return ""
}

func TestSchemaReferencesLeadSomewhere(t *testing.T) {
	_, files := generated(t)
	text := find(t, files, "docs/commands.schema.json")
	var schema struct {
		Properties map[string]any
		Defs       map[string]any `json:"$defs"`
	}
	if err := json.Unmarshal([]byte(text), &schema); err != nil {
		t.Fatal(err)
	}
	for _, c := range commands.Table() {
		if schema.Properties[c.Name] == nil {
			t.Errorf("%s is missing", c.Name)
		}
	}
	refs := regexp.MustCompile(`"\$ref": "#/\$defs/([^"]+)"`).FindAllStringSubmatch(text, -1)
	if len(refs) == 0 {
		t.Error("no references found")
	}
	for _, ref := range refs {
		if schema.Defs[ref[1]] == nil {
			t.Errorf("nothing is at %s", ref[1])
		}
	}
}

func TestLinksOfTheReferenceLeadToHeadings(t *testing.T) {
	root, files := generated(t)
	text := find(t, files, "docs/commands.md")
	headings := map[string]bool{}
	for line := range strings.SplitSeq(text, "\n") {
		if title, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && strings.HasPrefix(line, "#") {
			if headings[anchor(title)] {
				t.Errorf("two headings are called %q", title)
			}
			headings[anchor(title)] = true
		}
	}
	for _, link := range regexp.MustCompile(`\]\(([^)]*)\)`).FindAllStringSubmatch(text, -1) {
		if fragment, ok := strings.CutPrefix(link[1], "#"); ok {
			if !headings[fragment] {
				t.Errorf("no heading for the link %s", link[1])
			}
		} else if _, err := os.Stat(filepath.Join(root, "docs", link[1])); err != nil && !strings.HasPrefix(link[1], "http") {
			t.Errorf("link %s: %v", link[1], err)
		}
	}
}
