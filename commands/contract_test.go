package commands

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/uri"

	"foreword/workspace"
)

// Every result is what the reference says: decoded strictly, it has all that
// is always there, no null in place of a list, and no state that is not listed.
func TestResultsFollowTheContract(t *testing.T) {
	root, home := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		"AGENTS.md":                           "# Rules\n\nUse tabs.\n",
		"CLAUDE.md":                           "Be brief.\n",
		"web/AGENTS.md":                       "No frameworks.\n",
		"web/api/CLAUDE.md":                   "",
		"web/api/cart.ts":                     "export const total = 0\n",
		"web/cart.ts":                         "export const total = 0\n",
		".agents/skills/release/SKILL.md":     "---\nname: release\ndescription: Makes a release.\nallowed-tools: Bash\n---\nRun run.sh.\n",
		".agents/skills/release/run.sh":       "true\n",
		".claude/skills/release/SKILL.md":     "---\nname: release\ndescription: Hidden.\nmetadata: x\n---\n",
		".claude/skills/nothing/sub/SKILL.md": "no header\n",
	} {
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Open(Options{
		Roots: []workspace.Folder{{Path: root, Name: "shop"}}, Home: home, Version: "test",
		Now: func() time.Time { return time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC) },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()

	replace := strings.NewReplacer("$ROOT", string(uri.File(root)))
	called := map[string]bool{}
	for _, c := range []struct{ name, params string }{
		{"foreword.prompt.build", `{}`},
		{"foreword.prompt.build", `{"uri":"$ROOT/web/cart.ts","model":"claude-sonnet-4-5","mode":"plan","tools":[{"name":"read","parameters":{"type":"object"}}],"attachments":["$ROOT/web/api/cart.ts"]}`},
		{"foreword.prompt.build", `{"uri":"$ROOT","context":"selective","include":[]}`},
		{"foreword.prompt.preview", `{"uri":"$ROOT/web/cart.ts"}`},
		{"foreword.turn.prepare", `{"uri":"$ROOT/web/cart.ts","wire":"text"}`},
		{"foreword.turn.prepare", `{"uri":"$ROOT/web/cart.ts","session":"s","wire":"openai-chat","model":"gpt-5","messages":[{"id":"m1","role":"user","content":"why?"}]}`},
		{"foreword.context.touch", `{"session":"s","message":"m1","uris":["$ROOT/web/api/cart.ts"],"kind":"read"}`},
		{"foreword.context.touch", `{"session":"s","uris":["file:///nowhere/at/all"],"kind":"read"}`},
		{"foreword.turn.prepare", `{"uri":"$ROOT/web/cart.ts","session":"s","wire":"anthropic","model":"claude-sonnet-4-5","append":[{"role":"assistant","content":"hm"},{"role":"user","content":"and now?"}]}`},
		{"foreword.turn.finish", `{"session":"s","turn":1,"usage":{"input":10,"output":0}}`},
		{"foreword.turn.finish", `{"session":"s","turn":2,"usage":{"input":10,"output":0},"error":"overloaded"}`},
		{"foreword.prompt.diff", `{"session":"s"}`},
		{"foreword.prompt.diff", `{"session":"s","from":1,"to":2}`},
		{"foreword.session.list", `{}`},
		{"foreword.session.list", `{"folder":"$ROOT","limit":1}`},
		{"foreword.session.show", `{"session":"s","messages":true}`},
		{"foreword.session.rebase", `{"session":"s"}`},
		{"foreword.session.fork", `{"session":"s","as":"t"}`},
		{"foreword.session.forget", `{"session":"t"}`},
		{"foreword.history.prepare", `{"messages":[]}`},
		{"foreword.history.prepare", `{"session":"s","strategy":"adaptive","protect":{"tokens":0,"tools":["read"],"clearAtLeast":0},"orphans":"drop","alternate":true,"modified":"note","messages":[{"role":"user","content":"see","files":["AGENTS.md",".env","none.txt"]}]}`},
		{"foreword.history.prepare", `{"cut":{},"compat":"gptme","messages":[{"role":"user","content":"hello"}]}`},
		{"foreword.history.prepare", `{"model":"gpt-5","budget":40,"messages":[{"role":"user","content":"one two three four five six seven eight nine ten eleven twelve"},{"role":"assistant","content":"thirteen"},{"role":"user","content":"again","extra":1},{"role":"tool","toolCallID":"none","content":"orphan"}]}`},
		{"foreword.history.compact", `{"messages":[]}`},
		{"foreword.history.compact", `{"tailTurns":1,"messages":[{"role":"user","content":"why?"},{"role":"assistant","content":"so"},{"role":"user","content":"and now?"}]}`},
		{"foreword.history.compact", `{"mechanical":true,"tailTurns":0,"messages":[{"role":"user","content":"why? why? why? why? why? why? why? why? why? why? why? why? why? why? why? why? why? why? why? why? why? why? why? why? why? why? why? why? why? why? why?"}]}`},
		{"foreword.history.compact", `{"summary":"short","tailTurns":0,"messages":[{"role":"user","content":"hello"}]}`},
		{"foreword.instructions.explain", `{"uri":"$ROOT/web/api/cart.ts"}`},
		{"foreword.instructions.explain", `{"uri":"$ROOT/nothing/yet.ts","session":"s"}`},
		{"foreword.instructions.list", `{}`},
		{"foreword.instructions.list", `{"folder":"$ROOT/web","profile":"codex","model":"gpt-5"}`},
		{"foreword.instructions.check", `{}`},
		{"foreword.instructions.check", `{"uris":["$ROOT/web"],"tools":["codex"],"toolVersion":"0.171.0","toolSettings":{"project_doc_max_bytes":0}}`},
		{"foreword.skills.list", `{}`},
		{"foreword.skills.list", `{"uri":"$ROOT/web/cart.ts","profile":"claude-code","model":"gpt-5"}`},
		{"foreword.skills.load", `{"name":"release"}`},
		{"foreword.skills.load", `{"name":"sub"}`},
		{"foreword.tools.list", `{}`},
		{"foreword.tools.list", `{"uri":"$ROOT/web","agent":"plan"}`},
		{"foreword.tools.call", `{"name":"read","arguments":{"path":"web/cart.ts"},"session":"s","message":"m9"}`},
		{"foreword.tools.call", `{"name":"grep","arguments":"{\"pattern\":\"(\"}"}`},
		{"foreword.tokens.count", `{"text":""}`},
		{"foreword.tokens.count", `{"uris":["$ROOT/AGENTS.md"],"model":"claude-sonnet-4-5"}`},
		{"foreword.text.compress", `{"text":""}`},
		{"foreword.text.compress", `{"text":"One is here. Two is an error. Three is nothing. Four ends it.","ratio":0.5,"task":"fix"}`},
		{"foreword.text.density", `{"messages":[]}`},
		{"foreword.text.density", `{"messages":[{"role":"user","content":"again and again and again and again and again and again"},{"role":"user","content":""}],"compat":"gptme"}`},
		{"foreword.status", ``},
		{"foreword.status", `{"uri":"$ROOT/web/cart.ts"}`},
		{"foreword.trust", `{}`},
		{"foreword.trust", `{"folder":"$ROOT"}`},
		{"foreword.trust", `{"folder":"$ROOT","trusted":false}`},
		{"foreword.trust.commands", `{"folder":"$ROOT"}`},
		{"foreword.trust.commands", `{"revoke":true}`},
	} {
		command, ok := Lookup(c.name)
		if !ok {
			t.Fatalf("no command %s", c.name)
		}
		called[c.name] = true
		result, err := command.Call(context.Background(), s, json.RawMessage(replace.Replace(c.params)))
		if err != nil {
			t.Errorf("%s %s: %v", c.name, c.params, err)
			continue
		}
		raw, err := json.Marshal(result)
		if err != nil {
			t.Errorf("%s %s: %v", c.name, c.params, err)
			continue
		}
		if err := Decode(raw, reflect.New(command.Result).Interface()); err != nil {
			t.Errorf("%s %s: %v\n%s", c.name, c.params, err, raw)
		}
		if !strings.HasPrefix(string(raw), `{"version":1,"warnings":[`) {
			t.Errorf("%s: does not begin with version and warnings: %.60s", c.name, raw)
		}
	}
	for _, c := range Table() {
		if !called[c.Name] {
			t.Errorf("%s is not called", c.Name)
		}
	}
}

// Every failure of a command has one of the codes of the contract, whatever it
// is sent.
func TestFailuresHaveACode(t *testing.T) {
	s, err := Open(Options{Roots: []workspace.Folder{{Path: t.TempDir()}}, Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	known := []Code{CodeInvalidParams, CodeCancelled, CodeNotInWorkspace, CodeUnreadable, CodeNeedsTrust, CodeUnknownSession, CodeConflict, CodeBudgetImpossible, CodeUnknownProfile, CodeFailed}
	for _, params := range []string{
		`[]`, `{"uri":""}`, `{"uri":"x"}`, `{"uri":"file:///nowhere/at/all"}`, `{"uri":"untitled:1"}`, `{"uri":"%"}`, `{"session":"none","turn":1,"usage":{"input":0,"output":0}}`,
		`{"uri":"file:///nowhere/at/all","wire":"text"}`, `{"messages":[{"role":"user","content":"hello"}],"budget":1}`, `{"uris":["%"]}`, `{"folder":"relative"}`,
	} {
		for _, c := range Table() {
			result, err := c.Call(context.Background(), s, json.RawMessage(params))
			if err == nil {
				continue
			}
			fault, ok := err.(*Error)
			if !ok || !slices.Contains(known, fault.Code) {
				t.Errorf("%s %s: %T %v", c.Name, params, err, err)
			}
			if ok && strings.TrimSpace(fault.Message) == "" {
				t.Errorf("%s %s: no message", c.Name, params)
			}
			if result != nil {
				t.Errorf("%s %s: a result and an error", c.Name, params)
			}
		}
	}
}
