package wire

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"foreword/promptbuilder/history"

	"pgregory.net/rapid"
)

var bodiesFolder = flag.String("bodies", "", "folder that the bodies of TestBodies are written to, one JSON file per wire")

// drawnBodies is how many conversations are drawn beside those of testdata.
const drawnBodies = 150

// namedBody is a body with the name of its conversation.
type namedBody struct {
	Name string          `json:"name"`
	Body json.RawMessage `json:"body"`
}

// Every conversation of testdata, and a fixed set of drawn ones, gives a body that the provider takes. What the
// providers' own types say of the same bodies is checked in editors/e2e/wire, which asks for them with -bodies.
func TestBodies(t *testing.T) {
	for _, name := range Names() {
		var all []namedBody
		for _, request := range bodyRequests(t, name) {
			result, err := Render(request.Request)
			if err != nil {
				t.Fatalf("%s, %s: %v", name, request.name, err)
			}
			if fault := checkBody(request.Request, result.Body); fault != "" {
				t.Errorf("%s, %s: %s in %s", name, request.name, fault, result.Body)
			}
			all = append(all, namedBody{request.name, result.Body})
		}
		if *bodiesFolder == "" {
			continue
		}
		raw, err := json.Marshal(all)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(*bodiesFolder, name+".json"), raw, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

type namedRequest struct {
	name string
	Request
}

// bodyRequests are the requests of TestBodies for one wire.
func bodyRequests(t *testing.T, wire string) []namedRequest {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "*.messages.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no conversations in testdata: %v", err)
	}
	var all []namedRequest
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".messages.json")
		request := goldenRequest(t, name, wire)
		all = append(all, namedRequest{name, request})
		if wire == OpenAIChat || wire == OpenAIResponses {
			request.OneSystem = true
			all = append(all, namedRequest{name + " with one system message", request})
		}
	}
	for seed := range drawnBodies {
		request, odd := rapid.Custom(drawRequest).Example(seed), rapid.Custom(drawOddRequest).Example(seed)
		request.Wire, odd.Wire = wire, wire
		all = append(all, namedRequest{fmt.Sprintf("drawn %d", seed), request}, namedRequest{fmt.Sprintf("odd %d", seed), odd})
	}
	return all
}

// drawRequest draws all of a request but its wire.
func drawRequest(t *rapid.T) Request {
	request := Request{
		Model:     rapid.SampledFrom([]string{"m", "gemini-3-pro", systemModel}).Draw(t, "model"),
		Provider:  rapid.SampledFrom([]string{"", "anthropic", "bedrock"}).Draw(t, "provider"),
		Messages:  drawMessages(t),
		MaxOutput: 9,
		OneSystem: rapid.Bool().Draw(t, "one system"),
		System:    []Block{{Text: "core.", Cacheable: true}, {Text: "today."}}[:rapid.IntRange(0, 2).Draw(t, "blocks")],
		Tools:     []Tool{{Name: "ls"}, {Name: "cat"}}[:rapid.IntRange(0, 2).Draw(t, "tools")],
	}
	for i, message := range request.Messages {
		if message.IsSystem() {
			request.Messages[i].InPlace = rapid.Bool().Draw(t, "in place")
		}
	}
	return request
}

// inPlace marks what the server would have put between the panel's messages; the wire format has no mark for it.
func inPlace(messages []history.Message) {
	for i, message := range messages {
		messages[i].InPlace = strings.HasPrefix(message.ID, "#update.")
	}
}

// What history.Prepare leaves of any conversation gives bodies that the services take.
func TestPreparedHistoriesRender(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		request := drawRequest(t)
		checkPrepared(t, request, rapid.IntRange(0, 400).Draw(t, "budget"), rapid.Bool().Draw(t, "alternate"))
	})
}

// anyBlock are blocks of all shapes, whole and with something missing.
var anyBlock = []string{
	`{"type":"text","text":"t"}`, `{"type":"text","text":" "}`,
	`{"type":"thinking","thinking":"h","signature":"s"}`, `{"type":"thinking"}`, `{"type":"redacted_thinking","data":"cmVk"}`, `{"type":"thinking","id":"rs","data":"ZW5j"}`,
	`{"type":"tool_result","tool_use_id":"a","content":"r"}`, `{"type":"tool-result","toolCallID":"b"}`, `{"type":"tool_result"}`,
	`{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"r"},{"type":"image","data":"aGk="}]}`,
	`{"type":"image","data":"aGk="}`, `{"type":"image","url":"https://example.org/x"}`, `{"type":"image","url":"file:///x.png"}`,
	`{"type":"file","mimeType":"application/pdf","data":"JVBERg=="}`, `{"type":"file","text":"x","name":"a.go"}`, `{"type":"file","uri":"https://example.org/x.pdf"}`,
	`{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBERg=="}}`,
	`{"type":"server_tool_use","id":"s","name":"web_search","input":{}}`, `{"type":"search_result","source":"s","title":"t","content":[]}`,
}

// anyCall are calls, which are read in answers only.
var anyCall = []string{`{"type":"tool_use","id":"a","name":"ls","input":{}}`, `{"type":"tool-use","id":"b","name":"cat","arguments":"{"}`, `{"type":"tool_use","name":"ls"}`, `{"type":"text","text":"after"}`}

// drawOddRequest draws a request with whatever blocks in messages of whatever role; its messages are nil when they are
// refused as they are read.
func drawOddRequest(t *rapid.T) Request {
	var list []string
	for range rapid.IntRange(0, 8).Draw(t, "messages") {
		role := rapid.SampledFrom([]string{"user", "user", "assistant", "assistant", "tool", "system"}).Draw(t, "role")
		blocks := rapid.SliceOfN(rapid.SampledFrom(anyBlock), 0, 4).Draw(t, "blocks")
		if role == history.RoleAssistant {
			blocks = append(blocks, rapid.SliceOfN(rapid.SampledFrom(anyCall), 0, 2).Draw(t, "calls")...)
		}
		more := rapid.SampledFrom([]string{"", "", `,"tool_calls":[{"id":"a","function":{"name":"ls","arguments":"{}"}}]`, `,"tool_call_id":"a"`, `,"model":"m"`, `,"pinned":true`, `,"id":"#update.1"`}).Draw(t, "more")
		list = append(list, fmt.Sprintf(`{"role":%q,"content":[%s]%s}`, role, strings.Join(blocks, ","), more))
	}
	messages, err := history.ParseMessages([]byte("[" + strings.Join(list, ",") + "]"))
	if err != nil {
		messages = nil
	}
	inPlace(messages)
	return Request{Model: "m", Messages: messages, OneSystem: rapid.Bool().Draw(t, "one system"), System: []Block{{Text: "core.", Cacheable: true}}}
}

// Whatever blocks stand in whatever messages, the services take the bodies.
func TestAnyBlockInAnyMessageRenders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		request := drawOddRequest(t)
		checkPrepared(t, request, rapid.SampledFrom([]int{1, 50, 100_000}).Draw(t, "budget"), rapid.Bool().Draw(t, "alternate"))
	})
}

func FuzzRender(f *testing.F) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.messages.json"))
	if err != nil || len(files) == 0 {
		f.Fatalf("no conversations in testdata: %v", err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(raw), 200, true)
	}
	f.Fuzz(func(t *testing.T, raw string, budget int, oneSystem bool) {
		messages, err := history.ParseMessages([]byte(raw))
		if err != nil {
			return
		}
		inPlace(messages)
		checkPrepared(t, Request{Model: "gemini-3-pro", Messages: messages, OneSystem: oneSystem, System: []Block{{Text: "core.", Cacheable: true}}}, max(budget, 0), oneSystem)
	})
}

// checkPrepared renders what a budget leaves of a request's messages for every wire.
func checkPrepared(t interface{ Fatalf(string, ...any) }, request Request, budget int, alternate bool) {
	prepared, _, err := history.Prepare(request.Messages, history.Options{Budget: budget, Count: func(text string) int { return len(text) }, Alternate: alternate})
	var impossible *history.BudgetError
	if errors.As(err, &impossible) {
		return
	}
	if err != nil {
		t.Fatalf("prepare: %v", err)
	}
	request.Messages = prepared
	for _, name := range Names() {
		request.Wire = name
		result, err := Render(request)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !json.Valid(result.Body) {
			t.Fatalf("%s: no JSON: %s", name, result.Body)
		}
		if fault := checkBody(request, result.Body); fault != "" {
			t.Fatalf("%s: %s in %s", name, fault, result.Body)
		}
	}
}
