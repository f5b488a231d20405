package wire

import (
	"encoding/json"
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
		request := rapid.Custom(drawRequest).Example(seed)
		request.Wire = wire
		all = append(all, namedRequest{fmt.Sprintf("drawn %d", seed), request})
	}
	return all
}

// drawRequest draws all of a request but its wire.
func drawRequest(t *rapid.T) Request {
	request := Request{
		Model:     rapid.SampledFrom([]string{"m", "gemini-3-pro"}).Draw(t, "model"),
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
