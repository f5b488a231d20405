package commands

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// notApplied gives the reason for which a source is left out.
func notApplied(p *BuildPromptResult, key string) NotApplied {
	for _, n := range p.NotApplied {
		if n.Key == key && n.URI == "" {
			return n
		}
	}
	return NotApplied{}
}

// TestRangesHoldInJSON holds that ranges are of the text as a client receives
// it, also where a name in the tree is not UTF-8.
func TestRangesHoldInJSON(t *testing.T) {
	r := newRepo(t, map[string]string{"AGENTS.md": "Rule é 😀.\r\nMore.\r\n", "b\xff\xfed/x\xe4.go": "package x\n", "main.go": ""})
	raw, err := json.Marshal(build(t, r.open(), BuildPromptParams{URI: r.uri("main.go")}))
	must(t, err)
	var p BuildPromptResult
	must(t, json.Unmarshal(raw, &p))
	whole := text(&p)
	if !utf8.ValidString(whole) || !strings.Contains(whole, "More.") {
		t.Errorf("text %q", whole)
	}
	for _, s := range p.Sections {
		if s.Range[1] > len(whole) || whole[s.Range[0]:s.Range[1]] != s.Text {
			t.Errorf("%s: range %v does not hold its text", s.Key, s.Range)
		}
	}
	if p.Boundary.Byte != len(p.Messages[0].Content) {
		t.Errorf("boundary at byte %d, the first message has %d", p.Boundary.Byte, len(p.Messages[0].Content))
	}
}

// TestFilesOfEveryMake holds that a byte order mark, line ends of Windows and
// blank lines neither reach the model nor move an origin.
func TestFilesOfEveryMake(t *testing.T) {
	r := newRepo(t, map[string]string{"AGENTS.md": "\ufeff\r\n\r\nFirst.\r\nSecond.\r\n\r\n", "main.go": ""})
	rule := section(t, build(t, r.open(), BuildPromptParams{URI: r.uri("main.go")}), "instructions/AGENTS.md")
	if want := "<instructions path=\"AGENTS.md\" scope=\"the whole repository\">\nFirst.\nSecond.\n</instructions>"; rule.Text != want {
		t.Errorf("text %q, want %q", rule.Text, want)
	}
	if o := rule.Origins[1]; *o.Range != (Range{Start: Position{Line: 2}, End: Position{Line: 4}}) || o.Lines != (Span{1, 3}) {
		t.Errorf("origin %+v %+v", o, o.Range)
	}
}

// TestPlanModeLeavesTheSystemTextAlone holds that a prompt asked for in plan
// mode has the same bytes and says where the reminder is.
func TestPlanModeLeavesTheSystemTextAlone(t *testing.T) {
	r := newRepo(t, small)
	s := r.open()
	build1 := build(t, s, BuildPromptParams{URI: r.uri("main.go")})
	plan := build(t, s, BuildPromptParams{URI: r.uri("main.go"), Mode: "plan"})
	if diff := cmp.Diff(build1.Fingerprint, plan.Fingerprint); diff != "" {
		t.Errorf("the mode shows in the system text: %s", diff)
	}
	if n := notApplied(plan, "core/mode"); !strings.Contains(n.Why, "newest user message") {
		t.Errorf("got %+v", n)
	}
}

func TestAttachmentsThatDoNotFitAreWarnings(t *testing.T) {
	r := newRepo(t, map[string]string{"main.go": "", "big.txt": strings.Repeat("many words in a line\n", 4000)})
	p := build(t, r.open(), BuildPromptParams{URI: r.uri("main.go"), Window: 4000, Attachments: []string{r.uri("big.txt"), r.uri("main.go")}})
	attached := section(t, p, "core/attachments")
	if attached.Tokens > 2000+50 || !strings.Contains(attached.Text, "big.txt (the first ") {
		t.Errorf("%d tokens: %.200s", attached.Tokens, attached.Text)
	}
	var cut []string
	for _, w := range p.Warnings {
		if w.Code == "attachment-cut" {
			cut = append(cut, w.URI)
		}
	}
	if diff := cmp.Diff([]string{r.uri("big.txt"), r.uri("main.go")}, cut); diff != "" {
		t.Errorf("warnings (-want +got):\n%s%+v", diff, p.Warnings)
	}
}

func TestBuildIsCancelled(t *testing.T) {
	r := newRepo(t, small)
	s := r.open()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.BuildPrompt(ctx, BuildPromptParams{URI: r.uri("main.go")}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := s.PrepareTurn(ctx, PrepareTurnParams{BuildPromptParams: BuildPromptParams{URI: r.uri("main.go"), Session: "s"}, Wire: "text"}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if n := run[StatusResult](t, s, "foreword.status", StatusParams{}).Sessions; n != 0 {
		t.Errorf("a turn that was cancelled left %d sessions", n)
	}
}

// TestGoingBackBringsTheInjectionBack holds that a branch to which the user
// returns is sent with what it was told, byte for byte, and that none of it is
// in the branch beside it.
func TestGoingBackBringsTheInjectionBack(t *testing.T) {
	r := newRepo(t, small)
	s := r.open()
	params := func(parent int, ids ...string) map[string]any {
		var list []message
		for _, id := range ids {
			list = append(list, user(id, "text of "+id))
		}
		return map[string]any{"session": "s", "uri": r.uri("main.go"), "parentTurn": parent, "append": list}
	}
	turn(t, s, params(0, "u1"))
	touch(t, s, TouchContextParams{Message: "u2", Kind: "attach", URIs: []string{r.uri("svc/x.go")}})
	second := sent(t, turn(t, s, params(1, "u2")))
	edited := turn(t, s, params(1, "u2b"))
	if strings.Contains(string(edited.Body), "Service rule") || len(edited.Injections) != 0 {
		t.Error("the edited branch holds what the other was told")
	}
	back := sent(t, turn(t, s, params(2, "u3")))
	if diff := cmp.Diff(second, back[:len(second)]); diff != "" || !strings.Contains(second[len(second)-1].Content, "Service rule") {
		t.Errorf("the branch changed (-before +after):\n%s", diff)
	}
	if again := touch(t, s, TouchContextParams{URIs: []string{r.uri("svc/x.go")}}); len(again.Injections) != 0 {
		t.Errorf("told twice on one branch: %v", injected(r, again))
	}
}
