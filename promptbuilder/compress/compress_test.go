package compress

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestClassify(t *testing.T) {
	for _, test := range []struct {
		prompt string
		facts  Facts
		want   Class
	}{
		{"debug this error, why is it failing?", Facts{}, Diagnostic},
		{"fix the bug in utils.py", Facts{}, Fix},
		{"implement a new feature to create the API", Facts{}, Implementation},
		{"explore options and compare alternatives", Facts{}, Exploration}, // gptme says fix
		{"refactor and simplify the module", Facts{Changed: 3}, Refactor},
		{"hello", Facts{}, Unknown},                        // gptme says fix
		{"investigate", Facts{}, Unknown},                  // speaks for two classes alike
		{"the debugger is installed", Facts{}, Unknown},    // no word of ours, though "debug" and "bug" are in it
		{"investigate this", Facts{Errors: 2}, Diagnostic}, // what the editor knows decides
		{"", Facts{}, Unknown},
	} {
		if got := Classify(test.prompt, test.facts); got.Class != test.want || got.Share <= 0 || got.Share > .5 {
			t.Errorf("%q %+v: %+v, want %s", test.prompt, test.facts, got, test.want)
		}
	}
	if share, ok := ShareOf(Refactor); !ok || share != .30 {
		t.Error("the share of a class")
	}
	if _, ok := ShareOf("cooking"); ok {
		t.Error("a class that is none")
	}
}

func TestExtract(t *testing.T) {
	const block = "```go\nfunc f() {}\n\nfunc g() {}\n```\n"
	text := "The cache is cold at the start. It is a nice day today. Nothing else happens here. The error is in `cache.go`, line 12.\n\n" +
		"More words that say nothing at all of use. And again words without any use.\n\n" + block + "\nThe result must be stored before the answer is sent.\n"
	got := Extract(text, .6, Fix)
	if !strings.Contains(got.Text, block) || !strings.Contains(got.Text, "`cache.go`, line 12.") || !strings.Contains(got.Text, "must be stored") || strings.Contains(got.Text, "nice day") {
		t.Errorf("%q", got.Text)
	}
	if got.Ratio >= .8 || len(got.Dropped) == 0 {
		t.Errorf("ratio %v, dropped %d", got.Ratio, len(got.Dropped))
	}
	// gptme leaves nothing of this one.
	long := "The first sentence is critical and goes on about errors that must be fixed before anything else can be done by anyone at all. One is short. Two is short. Three is short."
	if got := Extract(long, .3, Unknown); !strings.HasPrefix(got.Text, "The first sentence is critical") {
		t.Errorf("%q", got.Text)
	}
	if got := Extract("これは最初の文です。これは次の文です。これは三番目の文です。これは最後の文です。", .5, Unknown); len(got.Kept) < 2 || len(got.Dropped) < 1 {
		t.Errorf("Japanese: %+v", got)
	}
}

func drawText(t *rapid.T) string {
	pieces := rapid.SliceOfN(rapid.SampledFrom([]string{
		"A sentence. ", "Is it? ", "word ", "\n", "\n\n", "\r\n", "```go\n", "```\n", "    ```\n", "~~~\n", "# Heading\n", "- item\n",
		"日本語。", "x.y ", "...", "\xff", "<think>", "</think>", "<Thinking a=1>", "</THINKING>",
	}), 0, 40).Draw(t, "pieces")
	return strings.Join(pieces, "")
}

// The pieces are all of the text; code blocks stay whole; something is left of everything that says something; and
// nothing is longer than it was.
func TestExtractProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawText(t)
		at := 0
		for _, u := range unitsOf(text) {
			if u.from != at || u.to <= u.from {
				t.Fatalf("a gap at %d: %+v in %q", at, u, text)
			}
			at = u.to
		}
		if at != len(text) {
			t.Fatalf("ends at %d of %q", at, text)
		}
		share := rapid.Float64Range(0.05, 1).Draw(t, "share")
		got := Extract(text, share, Fix)
		if len(got.Text) > len(text) || strings.TrimSpace(text) != "" && got.Text == "" {
			t.Fatalf("%q became %q", text, got.Text)
		}
		if len(got.Kept)+len(got.Dropped) != len(unitsOf(text)) {
			t.Fatalf("%d kept, %d dropped", len(got.Kept), len(got.Dropped))
		}
		for _, s := range got.Kept {
			if s.Code && !strings.Contains(got.Text, text[s.From:s.To]) {
				t.Fatalf("a code block was cut: %q", got.Text)
			}
		}
		for _, s := range got.Dropped {
			if s.Code {
				t.Fatalf("a code block was dropped from %q", text)
			}
		}
		if share == 1 && got.Text != text {
			t.Fatalf("with all of it %q became %q", text, got.Text)
		}
		if again := Extract(text, share, Fix); again.Text != got.Text {
			t.Fatal("twice the same input, two results")
		}
	})
}

func TestStripReasoning(t *testing.T) {
	for text, want := range map[string]string{
		"Before <think>so</think> After":              "Before  After",
		"<THINK>x</THINK>y":                           "y",
		"<thinking a=\"1\">x</thinking>y":             "y",
		"<think>a<think>b</think>tail</think>rest":    "rest",
		"<think>a<thinking>b</thinking>c</think>rest": "rest",
		"<think>unclosed and on":                      "<think>unclosed and on",
		"no tags  ":                                   "no tags  ",
		"a <thinker>x</thinker>":                      "a <thinker>x</thinker>",
		"x\n<think>y</think>\n\n\n\nz":                "x\n\nz",
		"```xml\n<think>code</think>\n```\n":          "```xml\n<think>code</think>\n```\n",
		"<think>a</think>" + "``` <think>b</think>":   "``` ",
		"</think>x<think>":                            "</think>x<think>",
		"<reasoning>r</reasoning>answer":              "answer",
	} {
		if got := StripReasoning(text); got != strings.TrimSpace(want) && got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := drawText(t)
		once := StripReasoning(text)
		if len(once) > len(text) {
			t.Fatalf("%q became %q", text, once)
		}
	})
}

func TestDensities(t *testing.T) {
	one := strings.Repeat("The quick brown fox jumps over the lazy dog and runs home. ", 4)
	other := "Entirely unrelated words about compilers, parsers and garbage collection, with numbers 12 and 77 between them."
	got := Densities([]string{one, "", one, other, other})
	if got[0].Marginal < .2 || got[1] != (Density{}) || got[2].Marginal > .1 || got[3].Marginal < .5 || got[4].Marginal > .2 {
		t.Errorf("%+v", got)
	}
	if got[0].Ratio > .5 || got[3].Ratio < .6 {
		t.Errorf("ratios %+v", got)
	}
}

func TestSeen(t *testing.T) {
	p := strings.Repeat("long paragraph ", 10)
	seen := NewSeen()
	seen.Add(0, "head\n\n"+p+"\n\ntail")
	if r := seen.Look("head\n\n" + strings.ReplaceAll(p, " ", "  ") + "\n\ntail"); r.Of != 0 || r.Coverage != 1 {
		t.Errorf("the same words: %+v", r)
	}
	text := "something new\n\n" + p
	r := seen.Add(1, text)
	if r.Of != -1 || r.Coverage < .8 || r.Coverage >= 1 || len(r.New) != 1 || text[r.New[0][0]:r.New[0][1]] != "something new" {
		t.Errorf("half new: %+v", r)
	}
	if r := seen.Look("tail"); r.Of != -1 || r.Coverage != 0 {
		t.Errorf("short paragraphs tell nothing: %+v", r)
	}
	if r := seen.Add(2, " \n"); r.Of != -1 {
		t.Errorf("nothing: %+v", r)
	}
	if r := seen.Look(text); r.Of != 1 {
		t.Errorf("added: %+v", r)
	}
}

func BenchmarkDensities(b *testing.B) {
	texts := make([]string, 200)
	for i := range texts {
		texts[i] = strings.Repeat("message of some length, ", 40) + string(rune('a'+i%26))
	}
	for b.Loop() {
		Densities(texts)
	}
}
