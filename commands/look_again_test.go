package commands

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// What another program writes right before the user sends, with no event of it,
// is what the turn says.
func TestTurnSeesWhatWasJustWritten(t *testing.T) {
	for _, test := range []struct {
		name  string
		write func(*repo)
		says  string
		not   string
	}{
		{name: "an instruction file", write: func(r *repo) { r.write("AGENTS.md", "Root rule two.\n") }, says: "Root rule two."},
		{name: "one of the same size", write: func(r *repo) { r.write("AGENTS.md", "Root rule 1.\n") }, says: "Root rule 1."},
		{name: "a new one", write: func(r *repo) { r.write("svc/AGENTS.md", "Service rule.\n") }, says: "Service rule."},
		{name: "one that is imported", write: func(r *repo) { r.write("notes/more.md", "Another import.\n") }, says: "Another import."},
		{name: "one that is gone", write: func(r *repo) { must(r.t, os.Remove(r.path("svc/pay/AGENTS.md"))) }, not: "Pay rule."},
		{name: "a file of the context", write: func(r *repo) { r.write("doc/facts.md", "Fact two.\n") }, says: "Fact two."},
		{name: "a setting", write: func(r *repo) {
			r.write("foreword.toml", "[context]\nfiles = [\"doc/*.md\"]\n[instructions]\nnames = [\"AGENTS.md\", \"RULES.md\"]\n")
		}, says: "Rule by another name."},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := newRepo(t, map[string]string{
				"AGENTS.md": "Root rule 0.\n\n@notes/more.md\n", "notes/more.md": "Imported.\n", "svc/pay/AGENTS.md": "Pay rule.\n", "svc/pay/x.go": "package x\n",
				"doc/facts.md": "Fact one.\n", "RULES.md": "Rule by another name.\n", "foreword.toml": "[context]\nfiles = [\"doc/*.md\"]\n",
			})
			s := r.open()
			s.Workspace().TrustChanged("", true)
			first := turn(t, s, map[string]any{"uri": r.uri("svc/pay/x.go"), "session": "a", "append": []message{user("u1", "hello")}})
			if text := allSaid(t, first); !strings.Contains(text, "Root rule 0.") || !strings.Contains(text, "Imported.") || !strings.Contains(text, "Fact one.") || !strings.Contains(text, "Pay rule.") {
				t.Fatalf("the first turn says:\n%s", text)
			}
			test.write(r)
			second := turn(t, s, map[string]any{"uri": r.uri("svc/pay/x.go"), "session": "a", "append": []message{says("a1", "hi"), user("u2", "and now?")}})
			if text := allSaid(t, second); test.says != "" && !strings.Contains(text, test.says) {
				t.Errorf("the turn after does not say %q: %+v", test.says, second.Updates)
			}
			removed := slices.ContainsFunc(second.Updates, func(u Update) bool { return u.Key == "instructions/svc/pay/AGENTS.md" && u.Kind == "removal" })
			if removed != (test.not != "") {
				t.Errorf("updates: %+v", second.Updates)
			}
			// And so does the prompt of a fresh session.
			fresh := turn(t, s, map[string]any{"uri": r.uri("svc/pay/x.go"), "session": "b", "append": []message{user("u1", "hello")}})
			if text := allSaid(t, fresh); test.says != "" && !strings.Contains(text, test.says) || test.not != "" && strings.Contains(text, test.not) {
				t.Errorf("a new session is told:\n%s", text)
			}
		})
	}
}

// allSaid is all that a request says.
func allSaid(t *testing.T, r *PrepareTurnResult) string {
	t.Helper()
	var all strings.Builder
	for _, m := range sent(t, r) {
		all.WriteString(m.Content + "\n")
	}
	return all.String()
}
