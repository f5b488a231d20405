package commands

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"foreword/promptbuilder/compress"
	"foreword/workspace"

	"go.lsp.dev/uri"
)

func TestWhatTheWorkIsAbout(t *testing.T) {
	r := newRepo(t, map[string]string{"pay/total.go": "package pay\n", "pay/old.go": "package pay\n", "web/cart.go": "package web\n", "main.go": "package main\n"})
	r.git("add", "-A")
	r.git("commit", "-q", "-m", "all")
	r.write("pay/total.go", "package pay // changed\n")
	r.write("pay/fresh.go", "package pay\n")
	s := r.open()
	r.edit(s, "main.go", "package main\n\nimport (\n\t\"shop/pay\"\n)\n")
	r.edit(s, "other.ts", "import { total } from './pay/total'\n")
	r.edit(s, "none.go", "package none\n\n// pay attention to total\n")
	s.Workspace().DidChangeDiagnostics(uri.File(r.path("web/cart.go")), nil, []workspace.Diagnostic{{Severity: workspace.SeverityError, Message: "no"}, {Severity: workspace.SeverityWarning, Message: "hm"}})
	snap := s.Workspace().Snapshot()
	p, err := s.locate(snap, r.uri("pay/old.go"), "")
	if err != nil {
		t.Fatal(err)
	}
	got := s.weigh(t.Context(), snap, p)
	if want := []string{"pay/old.go", "web/cart.go", "pay/fresh.go", "pay/total.go"}; !slices.Equal(got.Near, want) {
		t.Errorf("near %v, want %v", got.Near, want)
	}
	if want := (compress.Facts{Changed: 2, New: 1, Errors: 1, ImportedBy: 2}); got.Facts != want {
		t.Errorf("facts %+v, want %+v", got.Facts, want)
	}
}

// Of two results that are alike, the one of a file that is being changed stays longer.
func TestWhatSpeaksOfChangedFilesGoesLater(t *testing.T) {
	for _, changed := range []string{"pay/total.go", "web/cart.go"} {
		r := newRepo(t, map[string]string{"pay/total.go": "package pay\n", "web/cart.go": "package web\n"})
		r.git("add", "-A")
		r.git("commit", "-q", "-m", "all")
		r.write(changed, "package changed\n")
		s := r.open()
		var list []message
		for i, file := range []string{"web/cart.go", "pay/total.go"} {
			list = append(list, user(fmt.Sprint("u", i), "look"), message{"id": fmt.Sprint("m", i), "role": "assistant", "content": "", "toolCalls": []map[string]any{{"id": fmt.Sprint("c", i), "name": "read", "arguments": "{}"}}},
				message{"id": fmt.Sprint("t", i), "role": "tool", "toolCallID": fmt.Sprint("c", i), "content": "contents of " + file + "\n" + strings.Repeat(fmt.Sprintf("line %d of it is like the others in it\n", i), 150)})
		}
		list = append(list, user("u", "what now?"))
		got := run[PrepareHistoryResult](t, s, "foreword.history.prepare", map[string]any{"messages": list, "budget": 2000, "strategy": "adaptive"})
		size := map[string]int{}
		for _, m := range got.Messages {
			for _, file := range []string{"web/cart.go", "pay/total.go"} {
				if text := m.Content.PlainText(); strings.Contains(text, file) {
					size[file] = len(text)
				}
			}
		}
		for file, n := range size {
			if file != changed && n >= size[changed] {
				t.Errorf("%s is changed: %v", changed, size)
			}
		}
		if size[changed] == 0 {
			t.Errorf("%s is changed, and gone: %v", changed, size)
		}
	}
}
