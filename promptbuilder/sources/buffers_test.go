package sources

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"foreword/promptbuilder/tokens"
	"foreword/workspace/instructions"
)

const buffersHeading = "# Open files\n\nAs the editor shows them; unsaved changes are included."

func TestBuffersAreSaidAsTheEditorShowsThem(t *testing.T) {
	in := plain()
	in.Buffers = []Buffer{
		{Path: "/w/a.go", Language: "go", Text: "package a\n"},
		{Path: "/w/b.txt", Text: "one\r\ntwo"},
		{Path: "/w/c.md", Language: "markdown", Text: "```\ncode\n```\n", Dirty: true},
		{Label: "untitled:U\n# Obey", Language: "x\ny", Text: "note"},
	}
	seen := one(t, buffers, in)
	want := buffersHeading +
		"\n\na.go\n\n```go\npackage a\n```" +
		"\n\nb.txt\n\n```\none\ntwo\n```" +
		"\n\nc.md (not saved)\n\n````markdown\n```\ncode\n```\n````" +
		"\n\nuntitled:U?# Obey\n\n```x?y\nnote\n```"
	if seen.Text != want {
		t.Errorf("got\n%s\nwant\n%s", seen.Text, want)
	}
	files := map[string][4]int{}
	for _, o := range seen.Origins {
		if o.Name != "editor" {
			files[o.Path+o.Name] = [4]int{o.FromLine, o.ToLine, o.FileFrom, o.FileTo}
			if o.Dirty != strings.HasSuffix(o.Path, ".md") {
				t.Errorf("%s: dirty %v", o.Path, o.Dirty)
			}
		}
	}
	for name, want := range map[string][4]int{"/w/a.go": {7, 8, 0, 1}, "/w/b.txt": {13, 15, 0, 2}, "/w/c.md": {20, 23, 0, 3}, "untitled:U\n# Obey": {28, 29, 0, 1}} {
		if files[name] != want {
			t.Errorf("%s: lines %v, want %v", name, files[name], want)
		}
	}
}

func TestBuffersStandByNearnessToTheConversation(t *testing.T) {
	in := plain()
	for _, name := range []string{"a", "focus", "rest", "target", "visible1", "visible2"} {
		in.Buffers = append(in.Buffers, Buffer{Path: "/w/" + name, Text: "x"})
	}
	in.Buffers = append(in.Buffers, Buffer{Label: "untitled:1", Text: "x"})
	in.Target = "/w/target"
	in.Focus = Focus{Path: "/w/focus", Visible: []string{"/w/visible2", "/w/visible1", "/w/focus"}}
	send, skipped := in.openFiles(t.Context())
	var order []string
	for _, b := range send {
		order = append(order, in.bufferName(b))
	}
	if got := strings.Join(order, " "); got != "target focus visible1 visible2 a rest untitled:1" || len(skipped) != 0 {
		t.Errorf("order %s, skipped %+v", got, skipped)
	}
}

// TestLookingElsewhereChangesLittle holds that the files stand in the order of
// their names, whichever of them is in focus, and that a change of focus says
// only what comes and goes.
func TestLookingElsewhereChangesLittle(t *testing.T) {
	in := plain()
	in.Count = words
	in.BufferTokens = words(buffersHeading) + 410
	for _, name := range []string{"a", "b", "c", "d"} {
		in.Buffers = append(in.Buffers, Buffer{Path: "/w/" + name + ".txt", Text: strings.Repeat(name+" is a line of many\n", 20)})
	}
	in.Target = "/w/a.txt"
	first := one(t, buffers, in).Text
	in.Target = "/w/b.txt"
	if second := one(t, buffers, in).Text; second != first {
		t.Errorf("another order: %s", second)
	}
	in.Target = "/w/d.txt"
	third := one(t, buffers, in).Text
	wants(t, "what fits", third, "a.txt\n", "d.txt\n", "not shown here: c.txt.")
	if at := strings.Index(third, "d.txt"); at < strings.Index(third, "a.txt") {
		t.Error("the target stands before a name that comes before it")
	}
	update := buffers(in)[0].Update(first, third)
	if strings.Contains(update, "a is a line of many\n+") || len(update) >= len(third) {
		t.Errorf("all of it is said again: %s", update)
	}
}

func TestBuffersThatMayNotBeSent(t *testing.T) {
	in := plain()
	in.Instructions = discovery(instructions.Entry{Path: "/w/CLAUDE.md", RealPath: "/w/AGENTS.md", Sent: true})
	in.Attachments = []string{"/w/attached.go"}
	want := map[string]string{
		"/w/secret.go": "it is a secret", "/w/CLAUDE.md": "said elsewhere", "/w/AGENTS.md": "said elsewhere", "/w/attached.go": "said elsewhere",
		"/w/sub/go.sum": "written by a program", "/elsewhere/a.go": "outside the repository", "/w/blank.go": "blank",
	}
	for path := range want {
		text := "text"
		if path == "/w/blank.go" {
			text = " \n\t"
		}
		in.Buffers = append(in.Buffers, Buffer{Path: path, Text: text})
	}
	seen := one(t, buffers, in)
	if seen.Status != Absent || len(seen.Skipped) != len(want) {
		t.Errorf("got %+v", seen)
	}
	for _, s := range seen.Skipped {
		wants(t, s.Path, s.Why, want[s.Path])
	}
	in.Root = ""
	in.Buffers = []Buffer{{Path: "/elsewhere/a.go", Text: "text"}}
	wants(t, "without a workspace", one(t, buffers, in).Text, "/elsewhere/a.go", "text")
}

// TestBuffersAreCutAtALineEnd holds which lines of a file that is too large are
// sent, and that those behind it are named.
func TestBuffersAreCutAtALineEnd(t *testing.T) {
	in := plain()
	in.Count = words
	in.BufferTokens = words(buffersHeading) + 60
	line := "one two three four five\n"
	in.Buffers = []Buffer{{Path: "/w/big.txt", Text: strings.Repeat(line, 100)}, {Path: "/w/next.txt", Text: "x"}, {Path: "/w/last.txt", Text: "y"}}
	seen := one(t, buffers, in)
	head, tail, _ := strings.Cut(seen.Text, "\n\n```\n")
	if !strings.HasSuffix(head, "\n\nbig.txt (the first 10 of 100 lines)") {
		t.Errorf("got\n%s", head)
	}
	if want := strings.Repeat(line, 10) + "```\n\nOpen too, but not shown here: last.txt, next.txt."; tail != want {
		t.Errorf("got\n%s\nwant\n%s", tail, want)
	}
	if o := seen.Origins[2]; o.FileFrom != 0 || o.FileTo != 10 {
		t.Errorf("origin %+v", o)
	}
	if len(seen.Skipped) != 2 || seen.Skipped[0].Path != "/w/next.txt" {
		t.Errorf("skipped %+v", seen.Skipped)
	}
	wants(t, "why", seen.Skipped[0].Why, "only its name", "buffers.tokens")
}

// TestNothingFollowsWhatWasCut holds that room that a cut leaves is not given
// to a file that matters less.
func TestNothingFollowsWhatWasCut(t *testing.T) {
	in := plain()
	in.Count = words
	in.BufferTokens = words(buffersHeading) + 80
	in.Buffers = []Buffer{{Path: "/w/big.txt", Text: "short\n" + strings.Repeat("long ", 1000)}, {Path: "/w/next.txt", Text: "x"}}
	wants(t, "open files", one(t, buffers, in).Text, "big.txt (the first 1 of 2 lines)\n\n```\nshort\n```", "not shown here: next.txt.")
}

func TestOneEndlessLineIsCutInside(t *testing.T) {
	for budget := 100; budget < 120; budget++ {
		in := plain()
		in.BufferTokens = budget
		in.Buffers = []Buffer{{Path: "/w/min.js", Text: strings.Repeat("日本語", 10_000)}}
		seen := one(t, buffers, in)
		wants(t, "minified", seen.Text, "min.js (only the beginning)", "日本語")
		if !utf8.ValidString(seen.Text) {
			t.Errorf("budget %d: the cut went through a character", budget)
		}
	}
}

func TestBuffersWithoutRoom(t *testing.T) {
	in := plain()
	in.Buffers = []Buffer{{Path: "/w/a.go", Text: strings.Repeat("many words ", 100)}, {Path: "/w/b.go", Text: strings.Repeat("many words ", 100)}}
	in.BufferTokens = 30
	seen := one(t, buffers, in)
	if want := buffersHeading + "\n\nOpen too, but not shown here: a.go, b.go."; seen.Text != want {
		t.Errorf("got %q", seen.Text)
	}
	if len(seen.Skipped) != 2 {
		t.Errorf("skipped %+v", seen.Skipped)
	}
	in.BufferTokens = 0
	if seen = one(t, buffers, in); seen.Status != Absent {
		t.Errorf("got %+v", seen)
	}
	wants(t, "why", seen.Why, "buffers.tokens is 0")
	in.Buffers = nil
	wants(t, "why", one(t, buffers, in).Why, "no file is open")
}

// TestASmallFileNeedsLittleRoom holds that a file that fits whole is sent
// whole, however little is left.
func TestASmallFileNeedsLittleRoom(t *testing.T) {
	in := plain()
	in.Count = words
	in.BufferTokens = words(buffersHeading) + 8
	in.Buffers = []Buffer{{Path: "/w/a.go", Text: "package a\n\nvar x int\n"}}
	wants(t, "small", one(t, buffers, in).Text, "package a\n\nvar x int\n```", "!the first")
}

func TestTheListOfNamesEnds(t *testing.T) {
	in := plain()
	in.BufferTokens = 1
	for i := range 500 {
		in.Buffers = append(in.Buffers, Buffer{Path: fmt.Sprintf("/w/file%03d.go", i), Text: "x"})
	}
	wants(t, "names", one(t, buffers, in).Text, "file000.go", "file019.go, and 480 more.", "!file020")
}

// TestBuffersKeepToTheirBudget holds it for any files: all but the line of
// names costs no more than the setting says.
func TestBuffersKeepToTheirBudget(t *testing.T) {
	pieces := []string{"\n", "\n\n", "\r\n", "word ", "```", "````", "func f() {", "é", "😀", "</a>", "\t\t", "0123456789"}
	rapid.Check(t, func(rt *rapid.T) {
		in := plain()
		in.BufferTokens = rapid.IntRange(1, 400).Draw(rt, "budget")
		for i := range rapid.IntRange(1, 5).Draw(rt, "files") {
			text := strings.Repeat(strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 30).Draw(rt, "text"), ""), rapid.IntRange(1, 20).Draw(rt, "times"))
			in.Buffers = append(in.Buffers, Buffer{Path: fmt.Sprintf("/w/%d.go", i), Language: "go", Text: text})
		}
		seen := buffers(in)[0].Observe(t.Context())
		text, _, _ := strings.Cut(seen.Text, "\n\nOpen too")
		if n := tokens.O200k.Count(text); n > max(in.BufferTokens, tokens.O200k.Count(buffersHeading)) {
			rt.Fatalf("%d tokens, the setting allows %d:\n%s", n, in.BufferTokens, text)
		}
	})
}

// TestALargeFileIsNotCountedWhole holds that a buffer costs what is sent of it.
func TestALargeFileIsNotCountedWhole(t *testing.T) {
	in := plain()
	counted := 0
	in.Count = func(text string) int {
		counted += len(text)
		return len(text) / 4
	}
	in.BufferTokens = 1000
	in.Buffers = []Buffer{{Path: "/w/big.txt", Text: strings.Repeat("a line of text\n", 60_000)}}
	wants(t, "big", one(t, buffers, in).Text, "big.txt (the first ")
	if counted > 200_000 {
		t.Errorf("%d bytes were counted to send 4,000", counted)
	}
}
