package promptbuilder

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"foreword/promptbuilder/models"
	"foreword/promptbuilder/sources"
	"foreword/workspace/fsys"
	"foreword/workspace/vcs"
)

// pieces are what texts are made of: line ends of both kinds, fences, our own
// tags, what does not fit into a byte.
var pieces = []string{"\n", "\n", "\r\n", "a", "word ", "\t", "```", "`````", "</instructions>", "</INSTRUCTIONS", "</", "é", "😀", "\u00a0", "# Heading", "  "}

func drawText(t *rapid.T, label string) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 40).Draw(t, label), "")
}

// drawPath is below root; its names hold what a file system allows.
func drawPath(t *rapid.T, label string) string {
	names := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b.go", "with space", "quo\"te", "new\nline", "\xff\xfe", "<b>", ".env", "go.sum", "日本"}), 1, 3).Draw(t, label)
	return strings.Join(names, "/")
}

// drawStable draws what the core and the cacheable layer depend on.
func drawStable(t *rapid.T) *sources.Input {
	files := map[string]string{}
	for range rapid.IntRange(0, 6).Draw(t, "files") {
		files[drawPath(t, "file")] = ""
	}
	in := project(files)
	in.Model = models.Lookup(rapid.SampledFrom([]string{"", "gpt-5", "claude-sonnet-4-5", "odd\nmodel"}).Draw(t, "model"))
	in.Agent.Name = rapid.SampledFrom([]string{"", "build", "reviewer"}).Draw(t, "agent")
	in.Interactive, in.Compact = rapid.Bool().Draw(t, "interactive"), rapid.Bool().Draw(t, "compact")
	in.ToolFormat = rapid.SampledFrom([]string{"tool", "markdown", "xml"}).Draw(t, "format")
	for i := range rapid.IntRange(0, 3).Draw(t, "tools") {
		in.Tools = append(in.Tools, sources.Tool{
			Name: fmt.Sprint("tool", i), Description: drawText(t, "description"), Instructions: drawText(t, "instructions"), Examples: drawText(t, "examples"),
			Parameters: json.RawMessage(`{"type": "object"}`),
		})
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "instruction files") {
		instruct(in, fmt.Sprintf("%d/%s/AGENTS.md", i, drawPath(t, "directory")), fmt.Sprint(i), drawText(t, "rule"))
	}
	in.TreeTokens = rapid.SampledFrom([]int{0, 30, 60, 1000}).Draw(t, "tree.tokens")
	return in
}

// drawDynamic gives an input the same stable and another dynamic layer.
func drawDynamic(t *rapid.T, stable *sources.Input) *sources.Input {
	in := *stable
	in.Mode = rapid.SampledFrom([]string{"build", "plan"}).Draw(t, "mode")
	in.Buffers, in.Attachments = nil, nil
	texts := map[string]string{}
	for range rapid.IntRange(0, 4).Draw(t, "buffers") {
		b := sources.Buffer{Path: root + "/" + drawPath(t, "buffer"), Language: "go", Text: drawText(t, "text"), Dirty: rapid.Bool().Draw(t, "dirty")}
		if rapid.IntRange(0, 4).Draw(t, "untitled") == 0 {
			b.Path, b.Label = "", "untitled:"+drawText(t, "label")
		}
		if _, twice := texts[b.Path]; !twice || b.Path == "" {
			texts[b.Path] = b.Text
			in.Buffers = append(in.Buffers, b)
		}
	}
	in.BufferTokens = rapid.SampledFrom([]int{0, 20, 60, 120, 8000}).Draw(t, "buffers.tokens")
	attached := map[string]string{}
	for range rapid.IntRange(0, 2).Draw(t, "attachments") {
		path := root + "/attached/" + drawPath(t, "attachment")
		if _, twice := attached[path]; !twice {
			attached[path] = drawText(t, "attached text")
			in.Attachments = append(in.Attachments, path)
		}
	}
	in.Attached = func(path string) (*fsys.File, error) {
		return &fsys.File{Path: path, Text: attached[path], Hash: fsys.HashOf(attached[path])}, nil
	}
	if len(in.Buffers) > 0 && rapid.Bool().Draw(t, "focus") {
		in.Target = in.Buffers[0].Path
		in.Focus = sources.Focus{Path: in.Target, Selected: true, FromLine: 1, ToLine: 2, Visible: []string{in.Buffers[len(in.Buffers)-1].Path}}
	}
	if rapid.Bool().Draw(t, "schema") {
		in.OutputSchema = json.RawMessage(`{"type":"object"}`)
	}
	status := vcs.Status{Head: vcs.Head{Branch: rapid.SampledFrom([]string{"", "main", "odd\nname"}).Draw(t, "branch"), Commit: "0123456789ab"}}
	for range rapid.IntRange(0, 50).Draw(t, "changes") {
		status.Changed = append(status.Changed, vcs.Change{Path: drawPath(t, "changed"), Code: "M."})
	}
	status.Total = len(status.Changed)
	in.Git = func(context.Context) (*vcs.Status, error) { return &status, nil }
	day := rapid.IntRange(0, 1000).Draw(t, "day")
	in.Now = func() time.Time { return time.Date(2026, 1, day, 0, 0, 0, 0, time.UTC) }
	return &in
}

// withAttached lets checkPrompt find the texts of attachments.
func withAttached(in *sources.Input) *sources.Input {
	out := *in
	for _, path := range in.Attachments {
		if file, err := in.Attached(path); err == nil {
			out.Buffers = append(out.Buffers, sources.Buffer{Path: path, Text: file.Text})
		}
	}
	return &out
}

// TestDynamicLayerMovesNothingBeforeTheBoundary is the promise that a
// provider's cache rests on.
func TestDynamicLayerMovesNothingBeforeTheBoundary(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		stable := drawStable(rt)
		one, other := drawDynamic(rt, stable), drawDynamic(rt, stable)
		a, b := promptOf(t, one, Options{}), promptOf(t, other, Options{})
		prefixA, _ := a.Fingerprints()
		prefixB, _ := b.Fingerprints()
		if a.Stable != b.Stable || prefixA != prefixB || a.StableTokens != b.StableTokens {
			rt.Fatalf("the dynamic layer changed the prefix from\n%s\nto\n%s", a.Stable, b.Stable)
		}
		if !strings.HasPrefix(b.Text(), a.Stable) || a.Boundary != b.Boundary {
			rt.Fatalf("the boundary moved from section %d to %d", a.Boundary, b.Boundary)
		}
	})
}

// TestRangesAndOriginsCoverTheText holds that every byte of a prompt is a
// section's and every line of a section has one origin, which says it too.
func TestRangesAndOriginsCoverTheText(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		in := drawDynamic(rt, drawStable(rt))
		checkPrompt(rt, withAttached(in), promptOf(t, in, Options{}))
	})
}

// TestSameInputSameBytes holds that nothing but the input shows.
func TestSameInputSameBytes(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		in := drawDynamic(rt, drawStable(rt))
		a, b := promptOf(t, in, Options{}), promptOf(t, in, Options{})
		if account(a) != account(b) || a.Text() != b.Text() {
			rt.Fatalf("two prompts of one input:\n%s\n%s", account(a), account(b))
		}
	})
}

type failer interface {
	Helper()
	Fatalf(format string, arguments ...any)
}

// checkPrompt holds what is true of every prompt.
func checkPrompt(t failer, in *sources.Input, p *Prompt) {
	t.Helper()
	text := p.Text()
	if !utf8.ValidString(text) {
		t.Fatalf("the text is not UTF-8: %q", text)
	}
	at, seen := 0, map[string]bool{}
	for i, s := range p.Sections {
		if i > 0 {
			if !strings.HasPrefix(text[at:], between) {
				t.Fatalf("%s does not follow the section before it", s.Source.Key)
			}
			at += len(between)
		}
		if s.From != at || text[s.From:s.To] != s.Text {
			t.Fatalf("%s: range [%d, %d), want it to begin at %d and to hold\n%q", s.Source.Key, s.From, s.To, at, s.Text)
		}
		at = s.To
		if seen[s.Source.Key] {
			t.Fatalf("two sections have the key %s", s.Source.Key)
		}
		seen[s.Source.Key] = true
		if (s.Source.Layer == sources.Dynamic) != (i >= p.Boundary) {
			t.Fatalf("%s of layer %s is section %d, the boundary stands before %d", s.Source.Key, s.Source.Layer, i, p.Boundary)
		}
		if s.Why == "" || s.Tokens != in.Count(s.Text) {
			t.Fatalf("%s: %d tokens, why %q", s.Source.Key, s.Tokens, s.Why)
		}
		checkOrigins(t, in, s)
	}
	if at != len(text) {
		t.Fatalf("sections cover %d of %d bytes", at, len(text))
	}
	if p.BoundaryByte() != len(p.Stable) || !strings.HasSuffix(text, p.Volatile) {
		t.Fatalf("boundary at byte %d, the stable part has %d", p.BoundaryByte(), len(p.Stable))
	}
	for _, l := range p.LeftOut {
		if l.Why == "" || l.Status == sources.Present {
			t.Fatalf("%s is left out with status %d and why %q", l.Source.Key, l.Status, l.Why)
		}
	}
}

// checkOrigins compares every line of a section with what its origin says.
func checkOrigins(t failer, in *sources.Input, s Section) {
	t.Helper()
	lines := strings.Split(s.Text, "\n")
	covered := 0
	for _, o := range s.Origins {
		if o.FromLine != covered || o.ToLine <= o.FromLine || o.ToLine > len(lines) {
			t.Fatalf("%s: an origin has lines [%d, %d) where %d of %d are covered:\n%s", s.Source.Key, o.FromLine, o.ToLine, covered, len(lines), s.Text)
		}
		covered = o.ToLine
		if o.Path == "" {
			continue
		}
		text, err := textOf(in, o)
		if err != nil {
			t.Fatalf("%s: %v", s.Source.Key, err)
		}
		file := strings.Split(text, "\n")
		if o.FileTo > len(file) || o.FileTo-o.FileFrom != o.ToLine-o.FromLine {
			t.Fatalf("%s: lines [%d, %d) are lines [%d, %d) of a file of %d", s.Source.Key, o.FromLine, o.ToLine, o.FileFrom, o.FileTo, len(file))
		}
		for i := range o.ToLine - o.FromLine {
			said := strings.ReplaceAll(lines[o.FromLine+i], "<&#47;", "</")
			// The last line of what was cut may be the beginning of a line.
			if want := file[o.FileFrom+i]; said != want && (i < o.ToLine-o.FromLine-1 || !strings.HasPrefix(want, said)) {
				t.Fatalf("%s: line %d is %q, line %d of %s is %q", s.Source.Key, o.FromLine+i, said, o.FileFrom+i, o.Path, want)
			}
		}
	}
	if covered != len(lines) {
		t.Fatalf("%s: origins cover %d of %d lines:\n%s", s.Source.Key, covered, len(lines), s.Text)
	}
}
