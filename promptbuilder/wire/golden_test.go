package wire

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"foreword/promptbuilder/history"
)

var update = flag.Bool("update", false, "write the golden files anew; read them before they are committed")

// golden is the conversation of the golden files: what a body has to carry, once each.
func golden(t *testing.T, name string) Request {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name+".messages.json"))
	if err != nil {
		t.Fatal(err)
	}
	messages, err := history.ParseMessages(raw)
	if err != nil {
		t.Fatal(err)
	}
	inPlace(messages)
	return Request{
		Model: "some-model",
		System: []Block{
			{Text: "You help with code.\n", Cacheable: true},
			{Text: "# AGENTS.md\n\nUse tabs & <spaces>.\n", Cacheable: true},
			{Text: "Today is 2025-01-31."},
		},
		Messages: messages,
		Tools: []Tool{
			{Name: "read", Description: "Read a file.", Parameters: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`)},
			{Name: "now", Description: "Tell the time."},
		},
		MaxOutput: 1000,
	}
}

// models that make the thinking in the golden conversations their own, by wire.
var goldenModel = map[string]string{
	Anthropic:       "claude-sonnet-4-5",
	Gemini:          "gemini-3-pro",
	Ollama:          "qwen3:8b",
	OpenAIResponses: "gpt-5-codex",
	OpenAIChat:      "gpt-4o",
}

// goldenRequest is a conversation of testdata for a wire.
func goldenRequest(t *testing.T, name, wire string) Request {
	t.Helper()
	request := golden(t, name)
	request.Wire = wire
	if model := goldenModel[wire]; model != "" {
		request.Model = model
	}
	if wire == Ollama {
		request.NumCtx, request.Estimate = 8192, 12000
	}
	return request
}

func TestGolden(t *testing.T) {
	for _, name := range []string{"tools", "rough", "updates"} {
		for _, wire := range Names() {
			result, err := Render(goldenRequest(t, name, wire))
			if err != nil {
				t.Fatalf("%s, %s: %v", name, wire, err)
			}
			compare(t, name+"."+wire+".json", printed(t, result))
		}
		request := goldenRequest(t, name, OpenAIChat)
		request.Model, request.OneSystem = "qwen3.6-27b", true
		result, err := Render(request)
		if err != nil {
			t.Fatalf("%s, one system message: %v", name, err)
		}
		compare(t, name+".openai-chat-one-system.json", printed(t, result))
		request = goldenRequest(t, name, Anthropic)
		request.Provider, request.Model = "anthropic", systemModel
		if result, err = Render(request); err != nil {
			t.Fatalf("%s, system messages later: %v", name, err)
		}
		compare(t, name+".anthropic-later-system.json", printed(t, result))
	}
}

// printed is the result in a form to read: the body indented, then what was said.
func printed(t *testing.T, result Result) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := json.Indent(&out, result.Body, "", "  "); err != nil {
		t.Fatal(err)
	}
	out.WriteString("\n\n")
	headers, err := json.Marshal(result.Headers)
	if err != nil {
		t.Fatal(err)
	}
	out.WriteString("headers: " + string(headers) + "\n")
	for _, downgrade := range result.Downgrades {
		out.WriteString("downgrade: " + downgrade + "\n")
	}
	return out.Bytes()
}

func compare(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", strings.TrimSuffix(name, ".json")+".golden")
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; got\n%s", path, got)
	}
}
