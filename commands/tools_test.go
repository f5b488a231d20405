package commands

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var toolFiles = map[string]string{
	"AGENTS.md": "Root rule.\n", "pay/AGENTS.md": "Pay rule.\n", "pay/x.go": "package pay\n\nfunc Total() {}\n", "main.go": "package main\n",
	".env": "KEY=1\n", ".gitignore": "out/\n", "out/a.go": "package out // Total\n",
	"foreword.toml": "exclude = [\"gen/\"]\n", "gen/b.go": "package gen // Total\n",
	"~/.config/foreword/foreword.toml": "[agents.reader]\npermissions = [\n{permission = \"*\", action = \"deny\"},\n{permission = \"read\", pattern = \"pay/*\", action = \"allow\"},\n{permission = \"glob\", action = \"ask\"},\n]\n",
}

func callTool(t *testing.T, s *Service, params map[string]any) *CallToolResult {
	t.Helper()
	return run[CallToolResult](t, s, "foreword.tools.call", params)
}

func TestToolsOfAnAgent(t *testing.T) {
	r := newRepo(t, toolFiles)
	s := r.open()
	offered := func(agent string) (names, actions []string) {
		got := run[ListToolsResult](t, s, "foreword.tools.list", map[string]any{"agent": agent})
		for _, tool := range got.Tools {
			names = append(names, tool.Name)
		}
		for _, p := range got.Permissions {
			actions = append(actions, p.Name+" "+p.Action)
			if p.Why == "" {
				t.Errorf("%s: no reason", p.Name)
			}
		}
		return names, actions
	}
	for _, agent := range []string{"", "build", "plan", "explore"} {
		if names, _ := offered(agent); !slices.Equal(names, []string{"read", "list", "glob", "grep", "diagnostics", "diff"}) {
			t.Errorf("%q: %v", agent, names)
		}
	}
	names, actions := offered("reader")
	if want := []string{"read some", "list deny", "glob ask", "grep deny", "diagnostics some", "diff some"}; !slices.Equal(actions, want) {
		t.Errorf("reader: %v, want %v", actions, want)
	}
	if want := []string{"read", "glob", "diagnostics", "diff"}; !slices.Equal(names, want) {
		t.Errorf("reader is offered %v, want %v: a rule for single files may allow", names, want)
	}
	for _, test := range []struct {
		params map[string]any
		failed bool
		want   string
	}{
		{map[string]any{"name": "read", "arguments": map[string]any{"path": "pay/x.go"}}, false, "1\tpackage pay"},
		{map[string]any{"name": "read", "arguments": map[string]any{"path": "main.go"}}, true, "do not let the agent reader read main.go"},
		{map[string]any{"name": "grep", "arguments": map[string]any{"pattern": "x"}}, true, "may not use grep"},
		{map[string]any{"name": "glob", "arguments": map[string]any{"pattern": "*.go"}}, false, ""},
		{map[string]any{"name": "glob", "arguments": map[string]any{"pattern": "*.go"}, "approved": true}, false, "main.go\npay/x.go\n"},
	} {
		test.params["agent"] = "reader"
		got := callTool(t, s, test.params)
		if got.IsError != test.failed || !strings.Contains(got.Text, test.want) || (test.want == "") != (got.Ask != "") {
			t.Errorf("%v: %+v", test.params, got)
		}
	}
}

func TestToolsSeeWhatSourcesSee(t *testing.T) {
	r := newRepo(t, toolFiles)
	s := r.open()
	r.edit(s, "pay/x.go", "package pay\n\nfunc TotalUnsaved() {}\n")
	r.edit(s, "new.go", "package main // Total of a file that is not saved\n")
	for _, test := range []struct{ name, arguments, want string }{
		{"read", `{"path":"pay/x.go","offset":3}`, "3\tfunc TotalUnsaved() {}\n\n"},
		{"grep", `{"pattern":"Total"}`, "new.go:1: package main // Total of a file that is not saved\npay/x.go:3: func TotalUnsaved() {}\n"},
		{"glob", `{"pattern":"**/*.go"}`, "main.go\nnew.go\npay/x.go\n"},
		{"list", `{}`, "./\n  .gitignore\n  AGENTS.md\n  foreword.toml\n  main.go\n  new.go\n  pay/\n    AGENTS.md\n    x.go\n"},
		{"read", `{"path":".env"}`, ".env is not shown to models"},
		{"read", `{"path":"out/a.go"}`, "ignored by git"},
		{"read", `{"path":"gen/b.go"}`, `excluded by the pattern "gen/"`},
	} {
		got := callTool(t, s, map[string]any{"name": test.name, "arguments": test.arguments})
		if !strings.HasPrefix(got.Text+"\n", test.want) && !strings.Contains(got.Text, test.want) || got.Tokens == 0 || got.Title == "" {
			t.Errorf("%s %s: %q, want %q", test.name, test.arguments, got.Text, test.want)
		}
	}
}

// The rules of a folder come with the first file that is read there, once, and stand at the end of its result in the request.
func TestAReadBringsTheRulesOfItsFolder(t *testing.T) {
	r := newRepo(t, toolFiles)
	s := r.open()
	first := turn(t, s, map[string]any{"session": "s", "uri": r.uri("main.go"), "append": []message{user("u1", "what is the total?")}})
	if strings.Contains(string(first.Body), "Pay rule.") {
		t.Fatal("the rule was told before")
	}
	search := callTool(t, s, map[string]any{"name": "grep", "arguments": `{"pattern":"Total"}`, "session": "s", "message": "t0"})
	read := callTool(t, s, map[string]any{"name": "read", "arguments": `{"path":"pay/x.go"}`, "session": "s", "message": "t1"})
	again := callTool(t, s, map[string]any{"name": "read", "arguments": `{"path":"pay/x.go"}`, "session": "s", "message": "t2"})
	if len(search.Injections) != 0 || len(search.Read) != 1 || len(read.Injections) != 1 || len(again.Injections) != 0 || !strings.Contains(read.Injections[0].Text, "Pay rule.") || strings.Contains(read.Text, "Pay rule.") {
		t.Fatalf("search %+v\nread %+v\nagain %+v", search, read, again)
	}
	calls := message{"id": "m1", "role": "assistant", "content": "", "toolCalls": []map[string]any{{"id": "c1", "name": "read", "arguments": `{"path":"pay/x.go"}`}}}
	second := turn(t, s, map[string]any{"session": "s", "uri": r.uri("main.go"), "append": []message{calls, {"id": "t1", "role": "tool", "toolCallID": "c1", "content": read.Text}}})
	body := string(second.Body)
	if strings.Count(body, "Pay rule.") != 1 || strings.Index(body, "func Total") > strings.Index(body, "Pay rule.") || len(second.Injections) != 1 {
		t.Errorf("%d injections in %s", len(second.Injections), body)
	}
}

func TestAToolThatIsNotThere(t *testing.T) {
	s := newRepo(t, toolFiles).open()
	var fault *Error
	if _, err := try[CallToolResult](t, s, "foreword.tools.call", map[string]any{"name": "bash"}); !errors.As(err, &fault) || fault.Code != CodeInvalidParams || !strings.Contains(fault.Message, "read, list, glob") {
		t.Errorf("%v", err)
	}
	if _, err := try[CallToolResult](t, s, "foreword.tools.call", map[string]any{"name": "raed"}); !errors.As(err, &fault) || !strings.Contains(fault.Message, `(did you mean "read"?)`) {
		t.Errorf("%v", err)
	}
	if _, err := try[CallToolResult](t, s, "foreword.tools.call", map[string]any{"name": "read", "arguments": 7}); !errors.As(err, &fault) || fault.Code != CodeInvalidParams {
		t.Errorf("%v", err)
	}
}

// An answer costs a quarter of the window at most, and says how to read on.
func TestAnAnswerLeavesRoomInTheWindow(t *testing.T) {
	r := newRepo(t, map[string]string{"long.txt": strings.Repeat("one line of words that is read\n", 1500), "~/.config/foreword/foreword.toml": "window = 8000\n"})
	s := r.open()
	got := callTool(t, s, map[string]any{"name": "read", "arguments": `{"path":"long.txt"}`, "model": "gpt-4o"})
	if got.Tokens > 2100 || got.Tokens < 1500 || !strings.Contains(got.Cut, "read on with offset") || !strings.HasSuffix(got.Text, "("+got.Cut+")") {
		t.Errorf("%d tokens, cut %q", got.Tokens, got.Cut)
	}
}

// Where results have no id of their own, that of the call says where the rules stand.
func TestTheIDOfACallCarriesTheRules(t *testing.T) {
	r := newRepo(t, toolFiles)
	s := r.open()
	got := callTool(t, s, map[string]any{"name": "read", "arguments": `{"path":"pay/x.go"}`, "session": "s", "toolCallID": "c1"})
	if len(got.Injections) != 1 || got.Injections[0].Message != "c1" {
		t.Errorf("%+v", got.Injections)
	}
}

// Where there is no git to ask, tools see the same files, and leave out the same.
func TestToolsWithoutARepository(t *testing.T) {
	r := newRepo(t, toolFiles)
	must(t, os.RemoveAll(filepath.Join(r.root, ".git")))
	s := r.open()
	r.edit(s, "pay/new.go", "package pay // Total, not saved\n")
	for _, test := range []struct{ name, arguments, want string }{
		{"grep", `{"pattern":"Total|KEY"}`, "out/a.go:1: package out // Total\npay/new.go:1: package pay // Total, not saved\npay/x.go:3: func Total() {}\n"},
		{"glob", `{"pattern":"*.go","path":"pay"}`, "pay/new.go\npay/x.go\n"},
		{"list", `{"path":"pay"}`, "pay/\n  AGENTS.md\n  new.go\n  x.go\n"},
	} {
		if got := callTool(t, s, map[string]any{"name": test.name, "arguments": test.arguments}); got.Text != test.want {
			t.Errorf("%s %s: %q, want %q", test.name, test.arguments, got.Text, test.want)
		}
	}
}

// A rule that keeps a file from an agent holds however its text would be shown, and a rule that asks asks.
func TestRulesOfFilesHoldForWhatShowsThem(t *testing.T) {
	rules := `[agents.careful]
permissions = [
{permission = "read", pattern = "pay/*", action = "deny"},
{permission = "read", pattern = "ask/*", action = "ask"},
]
[agents.blind]
permissions = [{permission = "read", action = "deny"}]
`
	r := newRepo(t, map[string]string{"pay/x.go": "Total of pay\n", "main.go": "Total of main\n", "ask/y.go": "Subtotal\n", "~/.config/foreword/foreword.toml": rules})
	r.git("add", ".")
	r.git("commit", "-q", "-m", "first")
	r.write("pay/x.go", "Total of PAY\n")
	r.write("main.go", "Total of MAIN\n")
	s := r.open()
	call := func(agent, name, arguments string, approved bool) *CallToolResult {
		return callTool(t, s, map[string]any{"agent": agent, "name": name, "arguments": arguments, "approved": approved})
	}
	for _, test := range []struct {
		agent, name, arguments string
		approved               bool
		want                   string // of text or ask
	}{
		{"careful", "read", `{"path":"pay/x.go"}`, true, "do not let the agent careful read pay/x.go"},
		{"careful", "grep", `{"pattern":"Total"}`, false, "main.go:1: Total of MAIN\n\n(not searched, because the user's rules keep them from this agent: 1 file)"},
		{"careful", "grep", `{"pattern":"Total","path":"pay/x.go"}`, true, "nothing below pay/x.go matches"},
		{"careful", "grep", `{"pattern":"Sub"}`, false, "grep ask/y.go (the agent careful has the rule: ask read ask/*)"},
		{"careful", "grep", `{"pattern":"Sub"}`, true, "ask/y.go:1: Subtotal\n"},
		{"careful", "diff", `{}`, false, "+Total of MAIN\n"},
		{"blind", "grep", `{"pattern":"."}`, true, "the agent blind may not use grep"},
		{"blind", "diff", `{}`, true, "the agent blind may not use diff"},
		{"blind", "glob", `{"pattern":"*.go"}`, false, "ask/y.go\nmain.go\npay/x.go\n"},
	} {
		got := call(test.agent, test.name, test.arguments, test.approved)
		if !strings.Contains(got.Text+got.Ask, test.want) || strings.Contains(got.Text, "of PAY") || got.Ask != "" && got.Text != "" {
			t.Errorf("%+v: %+v", test, got)
		}
	}
	listed := run[ListToolsResult](t, s, "foreword.tools.list", map[string]any{"agent": "blind"})
	var names []string
	for _, tool := range listed.Tools {
		names = append(names, tool.Name)
	}
	if !slices.Equal(names, []string{"list", "glob"}) {
		t.Errorf("blind is offered %v", names)
	}
}
