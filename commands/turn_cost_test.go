package commands

import (
	"fmt"
	"strings"
	"testing"

	"foreword/workspace"
)

// TestTrimmedInstructionsAreToldAgain holds the protocol's fourth row: a claim
// ends when its carrier is trimmed.
func TestTrimmedInstructionsAreToldAgain(t *testing.T) {
	r := newRepo(t, small)
	s := r.open()
	turn(t, s, map[string]any{"session": "s", "uri": r.uri("main.go"), "append": []message{user("u1", "look")}})
	touch(t, s, TouchContextParams{Message: "u2", Kind: "attach", URIs: []string{r.uri("svc/pay/x.go")}})
	list := []message{user("u2", "see")}
	for i := range 60 {
		list = append(list, message{"id": fmt.Sprint("a", i), "role": "assistant", "content": strings.Repeat("word ", 100)}, user(fmt.Sprint("v", i), strings.Repeat("word ", 100)))
	}
	got := turn(t, s, map[string]any{"session": "s", "uri": r.uri("main.go"), "append": list, "window": 4000, "reserve": 500})
	if strings.Contains(string(got.Body), "Pay rule") || len(got.Injections) != 0 {
		t.Fatalf("want the injection trimmed, and not listed: %+v", got.Injections)
	}
	if again := touch(t, s, TouchContextParams{Message: "t60", URIs: []string{r.uri("svc/pay/x.go")}}); len(again.Injections) != 2 {
		t.Errorf("told again: %v", injected(r, again))
	}
}

func TestToolsAreDescribedOnce(t *testing.T) {
	r := newRepo(t, small)
	s := r.open()
	tools := []Tool{{Name: "read", Description: "Reads one file.", Parameters: RawObject(`{"type":"object"}`)}}
	for _, format := range []string{"tool", "markdown", "xml"} {
		got := turn(t, s, map[string]any{"uri": r.uri("main.go"), "toolFormat": format, "tools": tools, "messages": []message{user("u", "x")}})
		if n := strings.Count(string(got.Body), "Reads one file."); n != 1 {
			t.Errorf("format %q: described %d times", format, n)
		}
	}
	with := turn(t, s, map[string]any{"uri": r.uri("main.go"), "tools": tools, "messages": []message{user("u", "x")}})
	without := turn(t, s, map[string]any{"uri": r.uri("main.go"), "messages": []message{user("u", "x")}})
	if with.Tokens.Total <= without.Tokens.Total || with.Tokens.Free >= without.Tokens.Free {
		t.Errorf("the tools cost nothing: %+v, without %+v", with.Tokens, without.Tokens)
	}
}

func TestWholeLinesThatAreSelected(t *testing.T) {
	r := newRepo(t, small)
	s := r.open()
	s.Workspace().DidFocus(workspace.Focus{Path: r.path("main.go"), Range: &workspace.Range{Start: workspace.Position{Line: 1}, End: workspace.Position{Line: 3}}})
	if got := section(t, build(t, s, BuildPromptParams{URI: r.uri("main.go")}), "core/focus").Text; !strings.Contains(got, "Lines 2 to 3 are") {
		t.Errorf("got %q", got)
	}
}

// TestNewBufferLeavesThePrefixAlone holds that a file which only the editor
// knows costs no cache.
func TestNewBufferLeavesThePrefixAlone(t *testing.T) {
	r := newRepo(t, small)
	s := r.open()
	before := build(t, s, BuildPromptParams{URI: r.uri("main.go")})
	r.edit(s, "brand_new.go", "package brand")
	after := build(t, s, BuildPromptParams{URI: r.uri("main.go")})
	if before.Fingerprint.Prefix != after.Fingerprint.Prefix {
		t.Error("a new buffer changed the prefix")
	}
	if !strings.Contains(section(t, after, "core/buffers").Text, "brand_new.go") {
		t.Error("the new buffer is not said")
	}
}
