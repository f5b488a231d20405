package sources

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"foreword/workspace/vcs"
)

func TestPathWords(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"Why does src/a.go fail?", []string{"src/a.go"}},
		{"see `a.go:12`, (b.ts:3-4) and @docs/x.md.", []string{"a.go", "b.ts", "docs/x.md"}},
		{"./run.sh and .github/ci.yml, .env", []string{"run.sh", ".github/ci.yml"}},
		{"/abs/file.go \"q.txt\" Makefile", []string{"/abs/file.go", "q.txt", "Makefile"}},
		{"e.g. nothing. Or… https://example.com/x.md v1.2", []string{"e.g", "v1.2"}},
		{"", nil}, {". / ./ : ::", nil},
	} {
		if diff := cmp.Diff(c.want, pathWords(c.text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, diff)
		}
	}
}

func atHand(t *testing.T, message string) *Input {
	t.Helper()
	in, _ := choosing(t, false, map[string]string{
		"w/src/a.go": "package a\n", "w/src/b.go": "package b\n", "w/src/main.go": "package main\n", "w/docs/x.md": "# X\n", "w/go.sum": "sum\n",
		"w/conf.yml": "a: 1\n", "w/src/ignored.go": "package no\n", "w/.env": "KEY=1\n", "home/out.md": "no\n", "w/blank.txt": "\n", "w/new.bin": "a\x00b",
	})
	in.ActiveTokens, in.Message, in.Target = 2000, message, in.Root+"/src/main.go"
	in.Git = func(context.Context) (*vcs.Status, error) {
		return &vcs.Status{Changed: []vcs.Change{
			{Path: "conf.yml", Code: ".M"}, {Path: "go.sum", Code: ".M"}, {Path: "gone.go", Code: ".D"}, {Path: "new.bin", Code: "??"}, {Path: "newdir/", Code: "??"}, {Path: "src/b.go", Code: "M."},
		}}, nil
	}
	return in
}

func TestActiveChooses(t *testing.T) {
	in := atHand(t, "Why does a.go:3 (see src/a.go) not agree with docs/x.md, go.sum, .env, src/ignored.go and ../home/out.md?")
	in.Focus.Path = in.Root + "/src/main.go"
	o := one(t, active, in)
	want := "chosen for the newest message: " + strings.Join([]string{
		"src/a.go (score 5.85: named 2× in the message, source)",
		"docs/x.md (score 4.80: named 1× in the message, text)",
		"src/b.go (score 3.90: staged, source)",
		"conf.yml (score 2.75: modified, settings)",
		"src/main.go (score 1.95: in focus, source)",
	}, "; ")
	if o.Why != want {
		t.Errorf("got  %s\nwant %s", o.Why, want)
	}
	wants(t, "the text", o.Text, "<file path=\"src/a.go\">\npackage a\n</file>\n\n<file path=\"docs/x.md\">", "!sum", "!KEY", "!no\n", "!gone")
	var skipped []string
	for _, s := range o.Skipped {
		skipped = append(skipped, strings.TrimPrefix(s.Path, in.Root+"/")+": "+s.Why)
	}
	wants(t, "what is left out", strings.Join(skipped, "\n"), "go.sum: written by a program", "src/ignored.go: ignored by git", "new.bin: ")
}

func TestActiveLeavesOutWhatIsToldElsewhere(t *testing.T) {
	in := atHand(t, "a.go b.go docs/x.md")
	in.Attachments = []string{in.Root + "/src/a.go"}
	in.Buffers = []Buffer{{Path: in.Root + "/src/b.go", Text: "package b\n"}}
	in.project("docs/*.md")
	if err := in.Find(t.Context()); err != nil {
		t.Fatal(err)
	}
	wants(t, "the text", one(t, active, in).Text, "conf.yml", "!src/a.go", "!src/b.go", "!docs/x.md")
	in.BufferTokens = 0 // the open files are not told, so this one is
	wants(t, "without open files", one(t, active, in).Text, "src/b.go")
}

func TestActiveIsBounded(t *testing.T) {
	in := atHand(t, "")
	for _, tokens := range []int{0, 20, 60} {
		in.ActiveTokens = tokens
		o := one(t, active, in)
		if cost := in.Count(o.Text); cost > tokens || tokens < 60 != (o.Status == Absent) {
			t.Errorf("%d tokens: %d used, %s", tokens, cost, o.Why)
		}
	}
	in = atHand(t, "hello")
	in.Git = nil
	if o := one(t, active, in); o.Status != Absent {
		t.Errorf("nothing to choose: %+v", o)
	}
	in.Root = ""
	if o := one(t, active, in); o.Status != Absent {
		t.Errorf("no workspace: %+v", o)
	}
}

func TestActiveUpdate(t *testing.T) {
	in := atHand(t, "src/a.go docs/x.md")
	before := one(t, active, in).Text
	in.Message = "src/a.go src/main.go"
	after := one(t, active, in).Text
	said := active(in)[0].SayUpdate(before, after)
	wants(t, "the update", said, "As they were said before: src/a.go, ", "No longer kept up to date: docs/x.md.", "<file path=\"src/main.go\">\npackage main", "!package a\n", "!# X")
}

// Whatever a message says, nothing outside the workspace, ignored or secret is
// told, the budget holds, and twice the same gives the same.
func TestActiveOfAnyMessage(t *testing.T) {
	in := atHand(t, "")
	word := rapid.SampledFrom([]string{"src/a.go", "a.go", "../home/out.md", "/etc/passwd", ".env", "src/ignored.go", "src/../src/b.go", "docs//x.md", "src/", "..", "`docs/x.md`:1", "\x00.x", "src/a.go/b.go"})
	rapid.Check(t, func(r *rapid.T) {
		in.Message = strings.Join(rapid.SliceOfN(word, 0, 8).Draw(r, "words"), " ")
		in.ActiveTokens = rapid.IntRange(0, 300).Draw(r, "tokens")
		o := in.observeActive(r.Context())
		if strings.Contains(o.Text, "KEY") || strings.Contains(o.Text, "package no") || strings.Contains(o.Text, "out.md") || in.Count(o.Text) > in.ActiveTokens {
			r.Fatalf("%d tokens for %q:\n%s", in.ActiveTokens, in.Message, o.Text)
		}
		if again := in.observeActive(r.Context()); again.Text != o.Text || again.Why != o.Why {
			r.Fatalf("%q gives\n%s\nthen\n%s", in.Message, o.Text, again.Text)
		}
	})
}
