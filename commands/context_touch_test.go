package commands

import (
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func touch(t *testing.T, s *Service, p TouchContextParams) *TouchContextResult {
	t.Helper()
	if p.Session == "" {
		p.Session = "s"
	}
	if p.Kind == "" {
		p.Kind = "read"
	}
	return run[TouchContextResult](t, s, "foreword.context.touch", p)
}

func injected(r *repo, result *TouchContextResult) []string {
	names := []string{}
	for _, i := range result.Injections {
		rel, err := filepath.Rel(r.root, uriPath(i.URI))
		must(r.t, err)
		names = append(names, filepath.ToSlash(rel))
	}
	return names
}

// TestTouchInjectsOnce holds T2 and T3: nested files once per session, parents
// first, siblings never, a second touch nothing.
func TestTouchInjectsOnce(t *testing.T) {
	r := newRepo(t, small)
	s := r.open()
	first := touch(t, s, TouchContextParams{URIs: []string{r.uri("svc/pay/x.go")}})
	if diff := cmp.Diff([]string{"svc/AGENTS.md", "svc/pay/CLAUDE.md"}, injected(r, first)); diff != "" {
		t.Fatalf("first touch (-want +got):\n%s", diff)
	}
	for _, i := range first.Injections {
		if i.Tokens <= 0 || !strings.Contains(i.Why, "svc/pay/x.go") || strings.Contains(i.Text, "Mail rule") {
			t.Errorf("injection %+v", i)
		}
	}
	if again := touch(t, s, TouchContextParams{URIs: []string{r.uri("svc/pay/x.go"), r.uri("svc/pay/new.go")}}); len(again.Injections) != 0 {
		t.Errorf("a second touch gave %v", injected(r, again))
	}
	if other := touch(t, s, TouchContextParams{Session: "other", URIs: []string{r.uri("svc/x.go")}}); len(other.Injections) != 1 {
		t.Errorf("another session got %v", injected(r, other))
	}
	if outside := touch(t, s, TouchContextParams{URIs: []string{r.uri("main.go")}}); len(outside.Injections) != 0 {
		t.Errorf("a file of the root gave %v", injected(r, outside))
	}
}

// TestTouchBringsTheRulesThatMatch holds that a rule with patterns is told when
// a file is touched that it matches, though it lies at the root.
func TestTouchBringsTheRulesThatMatch(t *testing.T) {
	r := newRepo(t, map[string]string{
		"AGENTS.md": "Root rule", ".cursor/rules/ts.mdc": "---\nglobs: **/*.ts\n---\nTypeScript rule", "a.go": "", "a.ts": "",
	})
	s := r.open()
	if got := injected(r, touch(t, s, TouchContextParams{URIs: []string{r.uri("a.go")}})); len(got) != 0 {
		t.Errorf("no rule matches, and yet %v", got)
	}
	if diff := cmp.Diff([]string{".cursor/rules/ts.mdc"}, injected(r, touch(t, s, TouchContextParams{URIs: []string{r.uri("a.ts")}}))); diff != "" {
		t.Error(diff)
	}
}

func TestKindsOfTouch(t *testing.T) {
	r := newRepo(t, small)
	for kind, want := range map[string]int{"read": 1, "open": 1, "attach": 1, "edit": 1, "list": 0} {
		s := r.open()
		if got := touch(t, s, TouchContextParams{Session: kind, Kind: kind, URIs: []string{r.uri("svc/x.go")}}); len(got.Injections) != want {
			t.Errorf("%s: %d injections, want %d", kind, len(got.Injections), want)
		}
	}
}

func TestChangedFileIsToldAsAChange(t *testing.T) {
	r := newRepo(t, small)
	s := r.open()
	touch(t, s, TouchContextParams{URIs: []string{r.uri("svc/x.go")}})
	r.edit(s, "svc/AGENTS.md", "Another service rule.\n")
	got := touch(t, s, TouchContextParams{URIs: []string{r.uri("svc/x.go")}})
	if len(got.Injections) != 1 || !strings.Contains(got.Injections[0].Text, "changed") || !strings.Contains(got.Injections[0].Text, "Another service rule") {
		t.Errorf("got %+v", got.Injections)
	}
}

func TestParallelTouchesNeverGetTheSameFile(t *testing.T) {
	r := newRepo(t, small)
	s := r.open()
	var mu sync.Mutex
	count := map[string]int{}
	var wait sync.WaitGroup
	for range 16 {
		wait.Go(func() {
			got, err := s.TouchContext(t.Context(), TouchContextParams{Session: "s", Kind: "read", URIs: []string{r.uri("svc/pay/x.go")}})
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			for _, name := range injected(r, got) {
				count[name]++
			}
		})
	}
	wait.Wait()
	if diff := cmp.Diff(map[string]int{"svc/AGENTS.md": 1, "svc/pay/CLAUDE.md": 1}, count); diff != "" {
		t.Error(diff)
	}
}

func TestTouchOutsideIsAWarning(t *testing.T) {
	r := newRepo(t, small)
	s := r.open()
	got := touch(t, s, TouchContextParams{URIs: []string{"file:///elsewhere/x", r.uri("svc/x.go")}})
	if len(got.Warnings) != 1 || got.Warnings[0].Code != string(CodeNotInWorkspace) || len(got.Injections) != 1 {
		t.Errorf("got %+v", got)
	}
}
