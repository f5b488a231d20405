package commands

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

type message map[string]any

func user(id, text string) message { return message{"id": id, "role": "user", "content": text} }

func turn(t *testing.T, s *Service, params map[string]any) *PrepareTurnResult {
	t.Helper()
	if params["wire"] == nil {
		params["wire"] = "openai-chat"
	}
	if params["model"] == nil {
		params["model"] = "gpt-5"
	}
	return run[PrepareTurnResult](t, s, "foreword.turn.prepare", params)
}

// sent gives the messages of an OpenAI body.
func sent(t *testing.T, r *PrepareTurnResult) []struct{ Role, Content string } {
	t.Helper()
	var body struct {
		Model    string
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
	}
	must(t, json.Unmarshal(r.Body, &body))
	var out []struct{ Role, Content string }
	for _, m := range body.Messages {
		text := string(m.Content)
		var plain string
		if json.Unmarshal(m.Content, &plain) == nil {
			text = plain
		}
		out = append(out, struct{ Role, Content string }{m.Role, text})
	}
	return out
}

func TestTurnIsReadyToBeSent(t *testing.T) {
	r := newRepo(t, small)
	s := r.open()
	got := turn(t, s, map[string]any{"uri": r.uri("svc/pay/x.go"), "model": "gpt-5", "messages": []message{user("u1", "hello")}})
	messages := sent(t, got)
	last := messages[len(messages)-1]
	if messages[0].Role != "system" || !strings.Contains(messages[0].Content, "Pay rule") || last.Role != "user" || last.Content != "hello" {
		t.Errorf("messages: %+v", messages)
	}
	if got.Turn != 0 {
		t.Errorf("turn %d without a session, want 0", got.Turn)
	}
	if got.Tokens.History == 0 || got.Tokens.Total <= got.Tokens.History || got.History.Report.Status != "fit" {
		t.Errorf("account: %+v %+v", got.Tokens, got.History.Report)
	}
}

// Lua and others decode an object without the order of its keys.
func TestBodyAsText(t *testing.T) {
	r := newRepo(t, map[string]string{"main.go": ""})
	s := r.open()
	params := map[string]any{"uri": r.uri("main.go"), "messages": []message{user("u", "a <b> é")}}
	want := string(turn(t, s, params).Body)
	params["bodyText"] = true
	if got := turn(t, s, params); got.BodyText != want || string(got.Body) != "{}" {
		t.Errorf("text %q, body %q, want %q", got.BodyText, got.Body, want)
	}
}

func TestOldTurnsGoFirst(t *testing.T) {
	r := newRepo(t, map[string]string{"main.go": ""})
	s := r.open()
	var messages []message
	for i := range 50 {
		messages = append(messages, user(fmt.Sprintf("u%d", i), strings.Repeat("question ", 100)),
			message{"id": fmt.Sprintf("a%d", i), "role": "assistant", "content": "", "toolCalls": []any{map[string]any{"id": fmt.Sprintf("c%d", i), "name": "read", "arguments": "{}"}}},
			message{"id": fmt.Sprintf("t%d", i), "role": "tool", "toolCallID": fmt.Sprintf("c%d", i), "content": strings.Repeat("result ", 100)})
	}
	messages = append(messages, user("last", "and now?"))
	got := turn(t, s, map[string]any{"uri": r.uri("main.go"), "messages": messages, "window": 6000, "reserve": 1000})
	if got.History.Report.Status != "trimmed" || got.Tokens.Total > 5000 {
		t.Errorf("status %s, %d tokens", got.History.Report.Status, got.Tokens.Total)
	}
	body := string(got.Body)
	if !strings.Contains(body, "and now?") {
		t.Error("want the newest turn")
	}
	if strings.Count(body, `"tool_call_id"`) != strings.Count(body, `"tool_calls"`) {
		t.Error("a call without its result, or the other way round")
	}
}

func TestImpossibleBudgetSaysWhatIsLargest(t *testing.T) {
	r := newRepo(t, map[string]string{"main.go": ""})
	s := r.open()
	_, err := try[PrepareTurnResult](t, s, "foreword.turn.prepare", map[string]any{
		"uri": r.uri("main.go"), "wire": "openai-chat", "window": 2000, "model": "gpt-5", "messages": []message{{"id": "u", "role": "user", "pinned": true, "content": strings.Repeat("long ", 5000)}},
	})
	var fault *Error
	if !errors.As(err, &fault) || fault.Code != CodeBudgetImpossible || fault.Data == nil || !strings.Contains(fault.Message, "messages[0]") {
		t.Errorf("got %v", err)
	}
}

func TestPromptThatLeavesNoRoomSaysItsParts(t *testing.T) {
	r := newRepo(t, map[string]string{"main.go": "", "AGENTS.md": strings.Repeat("a rule of many words ", 400)})
	s := r.open()
	_, err := try[PrepareTurnResult](t, s, "foreword.turn.prepare", map[string]any{"uri": r.uri("main.go"), "wire": "text", "window": 1500, "messages": []message{user("u", "hi")}})
	var fault *Error
	if !errors.As(err, &fault) || fault.Code != CodeBudgetImpossible {
		t.Fatalf("got %v", err)
	}
	if o, ok := fault.Data.(Overflow); !ok || o.Largest[0].Key != "instructions/AGENTS.md" || o.Largest[0].Tokens < 1500 {
		t.Errorf("data %+v", fault.Data)
	}
}

// TestInjectionStaysWhereItWasSaid holds the protocol's third row: the server
// puts back what it said, at the same place.
func TestInjectionStaysWhereItWasSaid(t *testing.T) {
	r := newRepo(t, small)
	s := r.open()
	first := turn(t, s, map[string]any{"session": "s", "uri": r.uri("main.go"), "append": []message{user("u1", "look")}})
	if first.Turn != 1 {
		t.Fatalf("turn %d, want 1", first.Turn)
	}
	call := message{"id": "m1", "role": "assistant", "content": "", "toolCalls": []any{map[string]any{"id": "c1", "name": "read", "arguments": "{}"}}}
	result := message{"id": "t1", "role": "tool", "toolCallID": "c1", "content": "package pay"}
	told := touch(t, s, TouchContextParams{Message: "t1", URIs: []string{r.uri("svc/pay/x.go")}})
	if len(told.Injections) != 2 {
		t.Fatalf("injections %+v", told.Injections)
	}
	second := turn(t, s, map[string]any{"session": "s", "uri": r.uri("main.go"), "append": []message{call, result, user("u2", "go on")}})
	third := turn(t, s, map[string]any{"session": "s", "uri": r.uri("main.go"), "append": []message{{"id": "m2", "role": "assistant", "content": "done"}, user("u3", "more")}})
	for i, got := range []*PrepareTurnResult{second, third} {
		if got.Turn != i+2 || len(got.Injections) != 2 {
			t.Fatalf("turn %d with %d injections", got.Turn, len(got.Injections))
		}
		for _, m := range sent(t, got) {
			if has := strings.Contains(m.Content, "Pay rule"); has != (m.Role == "tool") {
				t.Errorf("turn %d: role %s holds the injection: %v", got.Turn, m.Role, has)
			}
		}
	}
	// Edit and resend: the read is gone, and so is its claim.
	resent := turn(t, s, map[string]any{"session": "s", "parentTurn": 1, "uri": r.uri("main.go"), "append": []message{{"id": "m1b", "role": "assistant", "content": "no"}, user("u2b", "other")}})
	if strings.Contains(string(resent.Body), "Pay rule") || resent.Turn != 4 {
		t.Errorf("turn %d still holds what the cut messages said", resent.Turn)
	}
	if again := touch(t, s, TouchContextParams{Message: "t9", URIs: []string{r.uri("svc/pay/x.go")}}); len(again.Injections) != 2 {
		t.Errorf("what was lost must be said again, got %v", again.Injections)
	}
}

func TestTouchAfterATurnKnowsWhatThePromptSaid(t *testing.T) {
	r := newRepo(t, small)
	s := r.open()
	turn(t, s, map[string]any{"session": "s", "uri": r.uri("svc/pay/x.go"), "append": []message{user("u1", "look")}})
	if got := touch(t, s, TouchContextParams{Message: "t", URIs: []string{r.uri("svc/pay/x.go")}}); len(got.Injections) != 0 {
		t.Errorf("the prompt said them already: %+v", got.Injections)
	}
	if got := touch(t, s, TouchContextParams{Message: "t", URIs: []string{r.uri("svc/mail/y.go")}}); len(got.Injections) != 1 {
		t.Errorf("want the mail rule alone, got %+v", got.Injections)
	}
}

func TestPlanReminderStandsInTheNewestUserMessage(t *testing.T) {
	r := newRepo(t, small)
	s := r.open()
	got := turn(t, s, map[string]any{"uri": r.uri("main.go"), "mode": "plan", "messages": []message{user("u1", "a"), {"role": "assistant", "content": "b"}, user("u2", "c")}})
	messages := sent(t, got)
	if last := messages[len(messages)-1].Content; !strings.HasPrefix(last, "c\n\n") || !strings.Contains(last, "Plan mode") {
		t.Errorf("newest message: %q", last)
	}
	if strings.Count(string(got.Body), "Plan mode") != 1 {
		t.Error("the reminder must stand once")
	}
}

func TestEveryWireHoldsTheSystemText(t *testing.T) {
	r := newRepo(t, small)
	s := r.open()
	for _, wire := range []string{"openai-chat", "openai-responses", "anthropic", "gemini", "ollama", "vscode-lm", "text"} {
		got := turn(t, s, map[string]any{"uri": r.uri("main.go"), "wire": wire, "model": "m", "messages": []message{user("u1", "hello there")}})
		for _, part := range []string{"Root rule.", "hello there"} {
			if !strings.Contains(string(got.Body), part) {
				t.Errorf("%s lacks %q", wire, part)
			}
		}
		if wire == "vscode-lm" && len(got.Downgrades) == 0 {
			t.Error("vscode-lm has no system role and must say so")
		}
	}
}

// A change is a system message of its own for models that read it where it stands; for others, whose chat template may
// take one system message, it is the user's.
func TestUpdatesForModelsOfOneSystemMessage(t *testing.T) {
	for _, test := range []struct {
		model   string
		systems int
	}{{"gpt-4o", 2}, {"qwen3.6-27b", 1}, {"gpt-oss-120b", 1}} {
		r := newRepo(t, small)
		s := r.open()
		params := map[string]any{"session": "s", "uri": r.uri("main.go"), "wire": "openai-chat", "model": test.model, "context": "selective", "include": []string{"instructions"}}
		params["append"] = []message{user("u1", "hello")}
		turn(t, s, params)
		r.edit(s, "AGENTS.md", "Another rule.\n")
		params["append"] = []message{says("m1", "hello"), user("u2", "and now")}
		got := turn(t, s, params)
		tagged := strings.Contains(string(got.Body), "<system-update>")
		if n := strings.Count(string(got.Body), `"role":"system"`); n != test.systems || tagged == (n == 2) || len(got.Downgrades) > 0 == (n == 2) || !strings.Contains(string(got.Body), "Another rule.") {
			t.Errorf("%s: %d system messages, tagged %v, said %q in %s", test.model, n, tagged, got.Downgrades, got.Body)
		}
	}
}

func TestFinishTurn(t *testing.T) {
	r := newRepo(t, small)
	s := r.open()
	for i := range 2 {
		turn(t, s, map[string]any{"session": "s", "uri": r.uri("main.go"), "append": []message{user(fmt.Sprint("u", i), "x")}})
	}
	got := run[FinishTurnResult](t, s, "foreword.turn.finish", map[string]any{"session": "s", "turn": 2, "usage": map[string]any{"input": 900, "output": 10, "cacheRead": 800}})
	if got.PredictedInput == 0 || got.PredictedCacheRead == 0 || got.Usage.CacheRead != 800 {
		t.Errorf("got %+v", got)
	}
	for _, params := range []map[string]any{
		{"session": "nobody", "turn": 1, "usage": map[string]any{"input": 1, "output": 1}},
		{"session": "s", "turn": 9, "usage": map[string]any{"input": 1, "output": 1}},
	} {
		var fault *Error
		if _, err := try[FinishTurnResult](t, s, "foreword.turn.finish", params); !errors.As(err, &fault) || fault.Code != CodeUnknownSession && fault.Code != CodeUnknownTurn {
			t.Errorf("%v: got %v", params, err)
		}
	}
	failed := run[FinishTurnResult](t, s, "foreword.turn.finish", map[string]any{"session": "s", "turn": 1, "error": "429"})
	if failed.Usage != (Usage{}) || len(failed.Warnings) != 1 || failed.Warnings[0].Code != "turn-failed" {
		t.Errorf("a turn that failed: %+v", failed)
	}
	var fault *Error
	if _, err := try[FinishTurnResult](t, s, "foreword.turn.finish", map[string]any{"session": "s", "turn": 1}); !errors.As(err, &fault) || fault.Code != CodeInvalidParams {
		t.Errorf("neither usage nor error: %v", err)
	}
}

// A body without any message is what a preview wants, and what providers refuse.
func TestATurnWithoutMessagesIsSaid(t *testing.T) {
	s := newRepo(t, small).open()
	for _, list := range [][]message{nil, {}, {{"role": "system", "content": "x"}}} {
		got := turn(t, s, map[string]any{"wire": "anthropic", "model": "claude-sonnet-4-5", "messages": list})
		if !slices.ContainsFunc(got.Warnings, func(w Warning) bool { return w.Code == "no-message" }) {
			t.Errorf("%v: warnings %v", list, got.Warnings)
		}
	}
	if got := turn(t, s, map[string]any{"messages": []message{user("u", "x")}}); len(got.Warnings) > 0 {
		t.Errorf("warnings %v", got.Warnings)
	}
}

func TestContinuingNothing(t *testing.T) {
	r := newRepo(t, small)
	s := r.open()
	for name, c := range map[string]struct {
		params map[string]any
		code   Code
	}{
		"append without session": {map[string]any{"append": []message{user("u", "x")}}, CodeInvalidParams},
		"both lists":             {map[string]any{"session": "s", "append": []message{user("u", "x")}, "messages": []message{user("u", "x")}}, CodeInvalidParams},
		"unknown parent":         {map[string]any{"session": "s", "parentTurn": 3, "append": []message{user("u", "x")}}, CodeUnknownSession},
		"an answer to nothing":   {map[string]any{"session": "nobody", "append": []message{says("m", "x"), user("u", "y")}}, CodeUnknownSession},
		"unknown wire":           {map[string]any{"wire": "telegraph"}, CodeInvalidParams},
		"bad role":               {map[string]any{"messages": []message{{"role": "king", "content": "x"}}}, CodeInvalidParams},
	} {
		if c.params["wire"] == nil {
			c.params["wire"] = "text"
		}
		var fault *Error
		if _, err := try[PrepareTurnResult](t, s, "foreword.turn.prepare", c.params); !errors.As(err, &fault) || fault.Code != c.code {
			t.Errorf("%s: got %v, want %s", name, err, c.code)
		}
	}
}

func TestPrepareHistory(t *testing.T) {
	r := newRepo(t, small)
	s := r.open()
	var messages []message
	for i := range 20 {
		messages = append(messages, user(fmt.Sprint("u", i), strings.Repeat("word ", 50)))
	}
	got := run[PrepareHistoryResult](t, s, "foreword.history.prepare", map[string]any{"messages": messages, "budget": 300})
	if got.Report.Status != "trimmed" || got.Report.After > 300 || len(got.Messages) == 0 || got.Messages[len(got.Messages)-1].ID != "u19" {
		t.Errorf("report %+v, %d messages", got.Report, len(got.Messages))
	}
}
