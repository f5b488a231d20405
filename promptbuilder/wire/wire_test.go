package wire

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"foreword/promptbuilder/history"
)

func messages(t *testing.T, raw string) []history.Message {
	t.Helper()
	list, err := history.ParseMessages([]byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func render(t *testing.T, request Request) (string, []string) {
	t.Helper()
	if request.Model == "" {
		request.Model = "m"
	}
	result, err := Render(request)
	if err != nil {
		t.Fatal(err)
	}
	return string(result.Body), result.Downgrades
}

func TestRenderRefuses(t *testing.T) {
	for _, test := range []struct {
		request Request
		want    string
	}{
		{Request{Wire: "openai", Model: "m"}, `wire "openai" is not known; allowed are anthropic, gemini, ollama, openai-chat, openai-responses, text, vscode-lm`},
		{Request{Wire: OpenAIChat}, "wire openai-chat: no model is given"},
		{Request{Wire: Gemini, Model: "m", Tools: []Tool{{}}}, "wire gemini: tools[0].name: missing"},
		{Request{Wire: Gemini, Model: "m", Tools: []Tool{{Name: "a"}, {Name: "b"}, {Name: "a"}}}, `wire gemini: tools: "a" is given twice`},
		{Request{Wire: Ollama, Model: "m", Tools: []Tool{{Name: "a", Parameters: json.RawMessage(`[]`)}}}, "wire ollama: tools[0].parameters of a: a JSON Schema object is needed: json: cannot unmarshal array into Go value of type map[string]json.RawMessage"},
		{Request{Wire: OpenAIChat, Model: "m", Messages: []history.Message{{Role: "robot"}}}, `wire openai-chat: messages[0].role: "robot" is not a role; allowed are system, developer, user, assistant, tool`},
	} {
		if _, err := Render(test.request); err == nil || err.Error() != test.want {
			t.Errorf("got %v\nwant %s", err, test.want)
		}
	}
}

// T13: seven places that could be marked, two of them the caller's own: four marks go out, and which ones is
// fixed.
func TestCacheMarksAtMostFour(t *testing.T) {
	conversation := messages(t, `[
		{"role":"user","content":[{"type":"text","text":"one","cache_control":{"type":"ephemeral"}}]},
		{"role":"assistant","content":"a"},
		{"role":"user","content":[{"type":"text","text":"two","cache_control":{"type":"ephemeral"}}]},
		{"role":"assistant","content":"b"},
		{"role":"user","content":"three"},
		{"role":"assistant","content":"c"},
		{"role":"user","content":"four"}]`)
	request := Request{
		Wire: Anthropic, Model: "claude", MaxOutput: 9, Messages: conversation,
		System: []Block{{Text: "core", Cacheable: true}, {Text: "rules", Cacheable: true}, {Text: "today"}},
		Tools:  []Tool{{Name: "ls"}},
	}
	for _, test := range []struct {
		name string
		from int
		want string
		said bool
	}{
		{"the caller's two, the boundary and the last message", 0, "rules one two four", false},
		{"with one of the caller's there is room for the message before the last", 2, "rules two three four", false},
		{"without the caller's for the tools as well", 4, "ls rules three four", false},
	} {
		r := request
		r.Messages = conversation[test.from:]
		if got := marked(t, r); got != test.want {
			t.Errorf("%s: marked %s, want %s", test.name, got, test.want)
		}
	}
	many := slices.Concat(conversation[:4], conversation[:4], conversation[:1])
	request.Messages = many
	body, said := render(t, request)
	if n := strings.Count(body, `"cache_control"`); n != maxCacheMarks {
		t.Errorf("%d marks in %s", n, body)
	}
	if !slices.Contains(said, "anthropic takes 4 cache marks: the oldest marks of the caller are left out") {
		t.Errorf("said %q", said)
	}
}

// marked are the texts and the tools with a mark, in the order of the provider's cache: tools, system, messages.
func marked(t *testing.T, request Request) string {
	t.Helper()
	body, _ := render(t, request)
	type block struct {
		Name, Text   string
		CacheControl json.RawMessage `json:"cache_control"`
	}
	var parsed struct {
		Tools, System []block
		Messages      []struct{ Content []block }
	}
	if err := json.Unmarshal([]byte(body), &parsed); err != nil {
		t.Fatal(err)
	}
	all := slices.Concat(parsed.Tools, parsed.System)
	for _, message := range parsed.Messages {
		all = append(all, message.Content...)
	}
	var names []string
	for _, b := range all {
		if b.CacheControl != nil {
			names = append(names, b.Name+b.Text)
		}
	}
	return strings.Join(names, " ")
}

// A mark that lasts an hour must not follow one that lasts five minutes.
func TestCacheMarksKeepTheCallersLifetime(t *testing.T) {
	body, _ := render(t, Request{
		Wire: Anthropic, MaxOutput: 9, System: []Block{{Text: "core", Cacheable: true}},
		Messages: messages(t, `[{"role":"user","content":[{"type":"text","text":"one","cache_control":{"type":"ephemeral","ttl":"1h"}}]},{"role":"assistant","content":"a"},{"role":"user","content":"two"}]`),
	})
	want := `"system":[{"type":"text","text":"core","cache_control":{"type":"ephemeral","ttl":"1h"}}],` +
		`"messages":[{"role":"user","content":[{"type":"text","text":"one","cache_control":{"type":"ephemeral","ttl":"1h"}}]},` +
		`{"role":"assistant","content":[{"type":"text","text":"a"}]},{"role":"user","content":[{"type":"text","text":"two","cache_control":{"type":"ephemeral"}}]}]`
	if !strings.Contains(body, want) {
		t.Errorf("got %s\nwant %s", body, want)
	}
}

// An ephemeral message is gone in a later turn, so the mark stands before it.
func TestCacheMarkStandsBeforeEphemeralMessages(t *testing.T) {
	got := marked(t, Request{Wire: Anthropic, MaxOutput: 9, Messages: messages(t, `[
		{"role":"user","content":"one"},{"role":"assistant","content":"a"},{"role":"user","content":"two"},{"role":"assistant","content":"b"},
		{"role":"user","content":"passing","ephemeralTTL":1},{"role":"assistant","content":"c"},{"role":"user","content":"three"}]`)})
	if got != "one two" {
		t.Errorf("marked %s", got)
	}
}

// T19: thinking keeps its bytes for the model that wrote it, and goes as a unit, and is said, for any other.
func TestThinkingBelongsToItsModel(t *testing.T) {
	thinking := `{"type":"thinking","thinking":"so \u003c \"x\"","signature":"Eq+/="},{"type":"redacted_thinking","data":"AA=="}`
	for _, test := range []struct {
		stamp, model string
		kept         bool
	}{
		{`"model":"claude-opus-4-1",`, "claude-opus-4-1", true},
		{`"model":"anthropic/claude-opus-4-1",`, "claude-opus-4-1", true},
		{"", "claude-opus-4-1", true},
		{`"model":"claude-opus-4-1",`, "claude-sonnet-4-5", false},
		{`"model":"deepseek-reasoner",`, "claude-opus-4-1", false},
	} {
		conversation := messages(t, `[{"role":"user","content":"q"},{"role":"assistant",`+test.stamp+`"content":[`+thinking+`,{"type":"text","text":"a"}]},{"role":"user","content":"r"}]`)
		for _, wire := range Names() {
			body, said := render(t, Request{Wire: wire, Model: test.model, Messages: conversation, MaxOutput: 9, NumCtx: 0})
			kept := strings.Contains(body, `"content":[`+thinking+`,{"type":"text","text":"a"}`)
			if want := test.kept && wire == Anthropic; kept != want {
				t.Errorf("%s, %s to %s: kept %v, want %v: %s", wire, test.stamp, test.model, kept, want, body)
			}
			noted := slices.ContainsFunc(said, func(text string) bool { return strings.HasPrefix(text, "thinking") })
			if wire == Anthropic && noted == kept {
				t.Errorf("%s, %s to %s: said %q", wire, test.stamp, test.model, said)
			}
		}
	}
}

// T21: the native body of Ollama sets the window, and what does not fit is said before Ollama cuts it silently.
func TestOllamaWindow(t *testing.T) {
	request := Request{Wire: Ollama, NumCtx: 8192, MaxOutput: 100, Estimate: 12000, System: []Block{{Text: "rules"}}, Messages: messages(t, `[{"role":"user","content":"q"}]`)}
	body, said := render(t, request)
	if !strings.Contains(body, `"options":{"num_ctx":8192,"num_predict":100}`) || !strings.HasPrefix(body, `{"model":"m","messages":[{"role":"system","content":"rules"}`) {
		t.Errorf("body %s", body)
	}
	if len(said) != 1 || !strings.Contains(said[0], "12000 tokens and 100 for the answer do not fit num_ctx 8192") {
		t.Errorf("said %q", said)
	}
	request.Estimate = 8092
	if _, said = render(t, request); len(said) != 0 {
		t.Errorf("it fits, but said %q", said)
	}
	request.NumCtx, request.MaxOutput = 0, 0
	if body, said = render(t, request); strings.Contains(body, "options") || len(said) != 1 || !strings.Contains(said[0], "num_ctx is not set") {
		t.Errorf("no window: %s %q", body, said)
	}
	request.Wire, request.NumCtx = OpenAIChat, 8192
	if body, said = render(t, request); strings.Contains(body, "num_ctx") || len(said) != 1 || !strings.Contains(said[0], "openai-chat cannot set num_ctx") {
		t.Errorf("compatible path: %s %q", body, said)
	}
}

// Only providers that refuse messages of one role in a row get them merged.
func TestMergeOnlyWhereRefused(t *testing.T) {
	conversation := messages(t, `[{"role":"user","content":"one"},{"role":"user","content":"two"}]`)
	for _, wire := range Names() {
		body, _ := render(t, Request{Wire: wire, MaxOutput: 9, Messages: conversation})
		want := 2
		switch wire {
		case Anthropic:
			want = 1
		case PlainText:
			continue
		}
		if n := strings.Count(body, `"role":"user"`); n != want {
			t.Errorf("%s: %d messages, want %d: %s", wire, n, want, body)
		}
	}
}

func TestCompletionLimitByModel(t *testing.T) {
	for model, field := range map[string]string{
		"gpt-4o": "max_tokens", "o3": "max_completion_tokens", "openai/o4-mini": "max_completion_tokens", "gpt-5.1": "max_completion_tokens",
		"gpt-5-codex": "max_completion_tokens", "o1x": "max_tokens", "qwen3:8b": "max_tokens", "gpt-50": "max_tokens",
	} {
		body, _ := render(t, Request{Wire: OpenAIChat, Model: model, MaxOutput: 7})
		if !strings.Contains(body, `"`+field+`":7`) {
			t.Errorf("%s: want %s in %s", model, field, body)
		}
	}
}

// The order in which tools were registered does not matter, and no call changes what the caller gave.
func TestToolsAreSorted(t *testing.T) {
	tools := []Tool{{Name: "b"}, {Name: "a", Description: "d", Parameters: json.RawMessage(`{"z":1,"a":{"<":2}}`)}, {Name: "c"}}
	reversed := slices.Clone(tools)
	slices.Reverse(reversed)
	for _, wire := range Names() {
		one, _ := render(t, Request{Wire: wire, Tools: tools, MaxOutput: 9})
		two, _ := render(t, Request{Wire: wire, Tools: reversed, MaxOutput: 9})
		if one != two {
			t.Errorf("%s: two orders, two bodies\n%s\n%s", wire, one, two)
		}
		if wire != PlainText && !strings.Contains(one, `{"z":1,"a":{"<":2}}`) {
			t.Errorf("%s: the schema changed: %s", wire, one)
		}
	}
	if tools[0].Name != "b" || tools[0].Parameters != nil {
		t.Errorf("the caller's list became %+v", tools)
	}
}

// What made a request crash or be refused, by example; TestAnyBlockInAnyMessageRenders finds such things.
func TestBlocksInOddPlaces(t *testing.T) {
	for _, test := range []struct {
		name, wire, messages, want, said string
	}{
		{
			"thinking in a message of the user", Anthropic, `[{"role":"user","content":[{"type":"thinking"},{"type":"text","text":"q"}]}]`,
			`"messages":[{"role":"user","content":[{"type":"text","text":"q","cache_control":{"type":"ephemeral"}}]}]`,
			"messages[0]: a thinking block in a message of role user is left out: only the model makes them",
		},
		{
			"an answer that was stopped while the model thought", OpenAIResponses,
			`[{"role":"user","content":"q"},{"role":"assistant","model":"m","content":[{"type":"thinking","id":"rs_1","data":"ZW5j"}]},{"role":"user","content":"r"}]`,
			`"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"q"}]},{"type":"message","role":"user","content":[{"type":"input_text","text":"r"}]}]`,
			"messages[1]: thinking that led to nothing is left out: openai-responses refuses it",
		},
		{
			"two calls with one id, and text beside the only result", Gemini,
			`[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"ls","input":{}},{"type":"tool_use","id":"a","name":"ls","input":{}}]},` +
				`{"role":"tool","content":[{"type":"text","text":"t"},{"type":"tool_result","tool_use_id":"a","content":"r"}]}]`,
			`{"role":"user","parts":[{"functionResponse":{"id":"a","name":"ls","response":{"output":"r"}}},{"functionResponse":{"id":"call_bd5208914aedef078d9f0a52","name":"ls","response":{"error":"Cancelled"}}}]},{"role":"user","parts":[{"text":"t"}]}`,
			"messages[2]: a tool call without a result is answered with Cancelled",
		},
		{
			"a message of nothing but another provider's block", Gemini, `[{"role":"user","content":"q"},{"role":"user","content":[{"type":"search_result","source":"s","title":"t","content":[]}]}]`,
			`"contents":[{"role":"user","parts":[{"text":"q"}]}]`, "messages[1]: a block of another provider's own tools is left out",
		},
	} {
		body, said := render(t, Request{Wire: test.wire, MaxOutput: 9, Messages: messages(t, test.messages)})
		if !strings.Contains(body, test.want) {
			t.Errorf("%s: got %s\nwant %s", test.name, body, test.want)
		}
		if !slices.Contains(said, test.said) {
			t.Errorf("%s: said %q, want %q", test.name, said, test.said)
		}
	}
}
