package lint

import (
	"testing"

	"foreword/workspace/instructions"
)

// TestWarningsAreTakenOver holds that each warning of the engine comes out with
// its place and tool, whichever directory it was met for, and once.
func TestWarningsAreTakenOver(t *testing.T) {
	p, _, err := instructions.LookupProfile("codex")
	must(t, err)
	place := &instructions.Place{Line: 1, Column: 2, EndColumn: 5}
	for _, r := range fromEngine() {
		d := &instructions.Discovery{Warnings: []instructions.Warning{{Code: r.Code, Path: "/w/AGENTS.md", Message: "@oddity: said", Place: place}}}
		twice := &instructions.Discovery{Warnings: d.Warnings}
		in := &Input{Root: "/w", Tools: []*Tool{{Profile: p, Evidence: ReadInSource, Places: map[string]*Place{
			"/w": {Root: "/w", Here: d, FromRoot: d}, "/w/a": {Root: "/w", Here: d, FromRoot: twice},
		}}}}
		got := arrange(r.run(in))
		if len(got) != 1 || got[0].Path != "/w/AGENTS.md" || got[0].Place != place || got[0].Code != r.Code || got[0].Severity != r.Severity || len(got[0].Tools) != 1 {
			t.Errorf("%s: %+v", r.Code, got)
		}
	}
}
