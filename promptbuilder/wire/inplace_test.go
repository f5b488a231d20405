package wire

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"foreword/promptbuilder/history"
)

// systemPart is what a body says before the conversation: the system text, whichever way the wire carries it.
func systemPart(t *testing.T, wire, raw string) string {
	t.Helper()
	var body struct {
		System, SystemInstruction, Instructions json.RawMessage
		Messages                                []struct {
			Role    string
			Content json.RawMessage
		}
		Text string
	}
	if err := json.Unmarshal([]byte(raw), &body); err != nil {
		t.Fatal(err)
	}
	switch wire {
	case Anthropic:
		return string(body.System)
	case Gemini:
		return string(body.SystemInstruction)
	case OpenAIResponses:
		return string(body.Instructions)
	case PlainText:
		first, _, _ := strings.Cut(strings.TrimPrefix(body.Text, "# "), "\n# ")
		return first
	}
	return string(body.Messages[0].Content)
}

// A change that the server says between the panel's messages is part of the conversation: whatever stands before it, it
// changes nothing of the system text, stands where it was put, and never between calls and their results.
func TestUpdatesStayInPlace(t *testing.T) {
	update := history.Message{ID: "#update.1", Role: history.RoleSystem, Content: history.Text("the rules changed"), InPlace: true}
	conversation := messages(t, `[
		{"role":"user","content":"first question"},
		{"role":"assistant","content":"first answer","tool_calls":[{"id":"a","function":{"name":"ls","arguments":"{}"}},{"id":"b","function":{"name":"ls","arguments":"{}"}}]},
		{"role":"tool","tool_call_id":"a","content":"first result"},
		{"role":"tool","tool_call_id":"b","content":"second result"},
		{"role":"assistant","content":"second answer"},
		{"role":"user","content":"second question"}]`)
	order := []string{"core text", "first question", "first answer", "first result", "second result", "second answer", "second question"}
	for _, test := range []struct {
		at    int
		after string
	}{
		{0, "core text"}, {1, "first question"}, {2, "second result"}, {3, "second result"}, {4, "second result"}, {5, "second answer"}, {6, "second question"},
	} {
		for _, oneSystem := range []bool{false, true} {
			for _, wire := range Names() {
				request := Request{Wire: wire, Model: "m", MaxOutput: 9, OneSystem: oneSystem, System: []Block{{Text: "core text", Cacheable: true}}, Messages: conversation}
				without, _ := render(t, request)
				request.Messages = slices.Insert(slices.Clone(conversation), test.at, update)
				body, said := render(t, request)
				if got, want := systemPart(t, wire, body), systemPart(t, wire, without); got != want {
					t.Errorf("%s, update at %d: the system text became %s", wire, test.at, got)
				}
				if fault := checkBody(request, json.RawMessage(body)); fault != "" {
					t.Errorf("%s, update at %d: %s in %s", wire, test.at, fault, body)
				}
				// The system text of Anthropic and Gemini, and the tools' names, stand elsewhere in the body.
				at := strings.Index(body, "the rules changed")
				for _, text := range order[1:] {
					before := slices.Index(order, text) <= slices.Index(order, test.after)
					if got := strings.Index(body, text) < at; got != before {
						t.Errorf("%s, update at %d: stands before %q: %v, want %v", wire, test.at, text, !got, !before)
					}
				}
				tagged := strings.Contains(body, `<system-update>\nthe rules changed\n</system-update>`)
				native := wire == PlainText || !oneSystem && (wire == OpenAIChat || wire == OpenAIResponses)
				noted := slices.ContainsFunc(said, func(text string) bool { return strings.Contains(text, "tagged system-update") })
				if tagged == native || noted == native {
					t.Errorf("%s, one system message %v: tagged %v and said %v", wire, oneSystem, tagged, noted)
				}
			}
		}
	}
}

// The mark behind an update is found again in the next turn, so the provider reads what it wrote.
func TestCacheMarksBesideUpdates(t *testing.T) {
	update := func(text string) history.Message {
		return history.Message{Role: history.RoleSystem, Content: history.Text(text), InPlace: true}
	}
	mark := func(texts string) string {
		return strings.NewReplacer("<system-update>\n", "", "\n</system-update>", "").Replace(texts)
	}
	all := messages(t, `[{"role":"user","content":"one"},{"role":"assistant","content":"a"},{"role":"user","content":"two"},{"role":"assistant","content":"b"},{"role":"user","content":"three"}]`)
	first := slices.Concat([]history.Message{update("early")}, all[:3], []history.Message{update("late")})
	second := slices.Concat(first, all[3:4], []history.Message{update("later")}, all[4:])
	for _, test := range []struct {
		messages []history.Message
		want     string
	}{
		{first, "one late"},
		{second, "late three"},
	} {
		if got := mark(marked(t, Request{Wire: Anthropic, MaxOutput: 9, Messages: test.messages})); got != test.want {
			t.Errorf("marked %s, want %s", got, test.want)
		}
	}
}

// Where messages of one role may not stand in a row, they are one: text with text, and lists where one has an image.
func TestTurnsAreJoined(t *testing.T) {
	request := Request{Wire: OpenAIChat, Model: "gemma-3-27b-it", OneSystem: true, Messages: messages(t, `[
		{"role":"assistant","content":"hello"},
		{"role":"user","content":"one"},
		{"role":"user","content":[{"type":"image","data":"aGk="},{"type":"text","text":"two"}]},
		{"role":"user","content":""},
		{"role":"system","content":"three"},
		{"role":"assistant","content":"a"},
		{"role":"assistant","content":"b","tool_calls":[{"id":"x","function":{"name":"ls","arguments":"{}"}}]},
		{"role":"tool","tool_call_id":"x","content":"r"},
		{"role":"assistant","tool_calls":[{"id":"y","function":{"name":"ls","arguments":"{}"}}]}]`)}
	body, _ := render(t, request)
	want := `{"model":"gemma-3-27b-it","messages":[{"role":"user","content":"(The beginning of this conversation was left out.)"},{"role":"assistant","content":"hello"},` +
		`{"role":"user","content":[{"type":"text","text":"one"},{"type":"image_url","image_url":{"url":"data:image/png;base64,aGk="}},{"type":"text","text":"two"},` +
		`{"type":"text","text":"<system-update>\nthree\n</system-update>"}]},` +
		`{"role":"assistant","content":"a\n\nb","tool_calls":[{"id":"x","type":"function","function":{"name":"ls","arguments":"{}"}}]},{"role":"tool","content":"r","tool_call_id":"x"},` +
		`{"role":"assistant","content":null,"tool_calls":[{"id":"y","type":"function","function":{"name":"ls","arguments":"{}"}}]},{"role":"tool","content":"Cancelled","tool_call_id":"y"}]}`
	if body != want {
		t.Errorf("got  %s\nwant %s", body, want)
	}
}

// An image of a type that the provider does not read would fail the whole request, so it is named and that is said.
func TestOnlyImagesThatAreRead(t *testing.T) {
	for _, test := range []struct {
		mime, wires string
	}{
		{"image/png", "anthropic gemini ollama openai-chat openai-responses vscode-lm"},
		{"image/jpg", "anthropic gemini ollama openai-chat openai-responses vscode-lm"},
		{"image/gif", "anthropic ollama openai-chat openai-responses vscode-lm"},
		{"image/heic", "gemini"},
		{"image/svg+xml", ""},
	} {
		for _, wire := range Names() {
			body, said := render(t, Request{Wire: wire, MaxOutput: 9, NumCtx: 0, Messages: messages(t, `[{"role":"user","content":[{"type":"image","name":"the image","mimeType":"`+test.mime+`","data":"aGk="}]}]`)})
			sent := strings.Contains(body, "aGk=")
			if want := slices.Contains(strings.Fields(test.wires), wire); sent != want {
				t.Errorf("%s of %s: sent %v, want %v: %s", test.mime, wire, sent, want, body)
			}
			if strings.Contains(body, "image/jpg") {
				t.Errorf("%s: image/jpg is no type: %s", wire, body)
			}
			noted := slices.ContainsFunc(said, func(text string) bool { return strings.Contains(text, "the image") })
			if sent == noted {
				t.Errorf("%s of %s: sent %v, said %q", test.mime, wire, sent, said)
			}
		}
	}
}
