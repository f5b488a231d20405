package gptme

import (
	"math"
	"strings"
	"testing"
)

// The vectors are the numbers of gptme's design notes: M17 tasks, M18 extraction, M19 density and reasoning, M20
// repetitions. Each was made by running gptme.

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

func TestTasks(t *testing.T) {
	references := []string{"class A: pass", "def f(): pass", "function g() {}"}
	for _, test := range []struct {
		prompt       string
		files        int
		context      []string
		primary      string
		other        string
		score, ratio float64
	}{
		{prompt: "debug this error, why is it failing?", primary: "diagnostic", other: "fix", score: .65, ratio: .12},
		{prompt: "fix the bug in utils.py", primary: "fix", other: "fix", score: 1, ratio: .17},
		{prompt: "implement a new feature to create the API", primary: "implementation", other: "fix", score: .75, ratio: .35},
		{prompt: "explore options and compare alternatives", primary: "fix", other: "exploration", score: 1, ratio: .17},
		{prompt: "investigate options, compare alternatives", files: 3, primary: "exploration", other: "refactor", score: 1, ratio: .25},
		{prompt: "refactor and simplify the module", files: 3, primary: "refactor", other: "refactor", score: 1, ratio: .30},
		{prompt: "hello", primary: "fix", other: "fix", score: 1, ratio: .17},
		{prompt: "implement a new feature to build X", files: 1, context: references, primary: "fix", other: "implementation", score: 1, ratio: .17},
	} {
		f := FeaturesOf(test.prompt, test.files, test.context)
		c := Classify(f)
		if c.Primary != test.primary || c.Confidence != 1 || !near(c.Scores[test.other], test.score) || !near(Ratio(c, f), test.ratio) {
			t.Errorf("%q: %+v, ratio %v", test.prompt, c, Ratio(c, f))
		}
	}
	if score := Classify(FeaturesOf("debug this error, why is it failing?", 0, nil)).Scores["fix"]; score != 0.6499999999999999 {
		t.Errorf("the order of additions: %v", score)
	}
}

func TestRatios(t *testing.T) {
	is := func(primary string, confidence float64) Classification {
		return Classification{Primary: primary, Confidence: confidence}
	}
	nothing := Classify(Features{Files: 3, New: 1})
	if nothing.Primary != "diagnostic" || nothing.Confidence != 0 || Ratio(nothing, Features{}) != .25 {
		t.Errorf("nothing speaks for anything: %+v", nothing)
	}
	for _, test := range []struct {
		c    Classification
		f    Features
		want float64
	}{
		{is("implementation", 1), Features{Reference: true}, .50},
		{is("implementation", 1), Features{Reference: true, ContextChars: 1_000_001}, .45},
		{is("implementation", .5), Features{}, .25},
		{is("implementation", .59), Features{ContextChars: 1_000_001}, .30},
	} {
		if got := Ratio(test.c, test.f); !near(got, test.want) {
			t.Errorf("%+v %+v: %v, want %v", test.c, test.f, got, test.want)
		}
	}
}

func TestScores(t *testing.T) {
	length := func(n int) string { return strings.Repeat("x", n) }
	for _, test := range []struct {
		sentence string
		i, n     int
		task     string
		want     float64
	}{
		{"Hello world", 0, 10, "", 2.3}, {"Final thought", 9, 10, "", 1.8}, {"Second sentence", 1, 10, "", 1.3},
		{"Ordinary sentence here", 5, 10, "", .3}, {"Fix the critical error bug", 5, 10, "", 2.3},
		{"Fix the critical error bug", 5, 10, "fix", 2.9}, {"Hi", 5, 10, "", -1}, {length(240), 5, 10, "", -.2},
		{length(60), 0, 1, "", 2}, {length(9), 5, 10, "", -1}, {length(10), 5, 10, "", .3}, {length(49), 5, 10, "", .3},
		{length(50), 5, 10, "", 0}, {length(200), 5, 10, "", 0}, {length(201), 5, 10, "", -.2},
		{"TODO: footnote must be noted", 2, 4, "", 2.8},
	} {
		if got := Score(test.sentence, test.i, test.n, test.task); !near(got, test.want) {
			t.Errorf("%.30q %d/%d %s: %v, want %v", test.sentence, test.i, test.n, test.task, got, test.want)
		}
	}
}

func TestExtraction(t *testing.T) {
	const x1 = "The system started normally. An exception was thrown in the stack trace. The design pattern uses factory method. The architecture follows clean patterns. Debug logs show the error sequence. Research into alternatives is needed."
	const block = "```bash\nrun --all\n```"
	const x2 = "Setup step one. Then run:\n" + block + "\nVerify the output matches. Additional check needed. Final verification step."
	const middle = "Then run:\n" + block + "\nVerify the output matches."
	long := "The first sentence is critical and important and goes on and on about errors that must be fixed before anything else can be done at all by anyone. One is short. Two is short. Three is short."
	for _, test := range []struct {
		name, text, task string
		ratio            float64
		want             string
	}{
		{"X1 mixed", x1, "", .4, "The system started normally. Research into alternatives is needed."},
		{"X1 diagnostic", x1, "diagnostic", .4, "The system started normally. Debug logs show the error sequence."},
		{"X1 implementation", x1, "implementation", .4, "The system started normally. The design pattern uses factory method."},
		{"X2 .3", x2, "", .3, middle},
		{"X2 .6", x2, "", .6, middle},
		{"X2 .9", x2, "", .9, "Setup step one. " + middle + " Final verification step."},
		{"X2 1", x2, "", 1, "Setup step one. " + middle + " Additional check needed. Final verification step."},
		{"X6: a long best sentence leaves nothing", long, "", .5, ""},
		{"three sentences stay", "One. Two. Three.", "", .1, "One. Two. Three."},
	} {
		if got := Extract(test.text, test.task, test.ratio); got != test.want {
			t.Errorf("%s\n got %q\nwant %q", test.name, got, test.want)
		}
	}
	text, blocks := CodeBlocks("````\n```py\nin\n```\n````")
	if len(blocks) != 2 || !strings.Contains(text, "py\nin") {
		t.Errorf("X11: %q, blocks %q", text, blocks)
	}
	if got := Extract("A __CODE_BLOCK_0__ in the text. Two. Three. Four. ```x```", "", 1); strings.Contains(got, "__CODE_BLOCK_0__") {
		t.Errorf("X11: the marker in the text is replaced, too: %q", got)
	}
	// X9: two short paragraphs of a diagnostic task.
	r := Compress("debug this error, why is it failing?", 0, []string{
		"The first paragraph says something about how the system was started. It goes on a bit.",
		"The second paragraph says something else about it. It ends here and says no more.",
	})
	if r.Text != "" || r.Primary != "diagnostic" || !near(r.Ratio, .12) {
		t.Errorf("X9: %+v", r)
	}
	if r := Compress("x", 0, []string{"short"}); r.Text != "short" {
		t.Errorf("under 100 characters: %q", r.Text)
	}
}

func TestReasoning(t *testing.T) {
	for text, want := range map[string]string{
		"Before <think>This is reasoning</think> After":               "Before  After",
		"<think>First</think> Middle <thinking>Second</thinking> End": "Middle  End",
		"A\n\n<think>x\ny</think>\n\nB":                               "A\n\nB",
		"<think>unclosed and on":                                      "<think>unclosed and on",
		"<THINK>x</THINK>y":                                           "<THINK>x</THINK>y",
		"  plain  ":                                                   "plain",
		"x\n\n\n\ny":                                                  "x\n\ny",
		"<think>a<think>b</think>tail</think>":                        "tail</think>",
	} {
		if got := StripReasoning(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Go's compressor does not give C's bytes; the table has both.
func TestDensity(t *testing.T) {
	const fox = "The quick brown fox jumps over the lazy dog. "
	for _, test := range []struct {
		text     string
		c, go126 int
	}{
		{"", 8, 11}, {"a", 9, 13}, {"hello world", 19, 23}, {strings.Repeat("a", 100), 12, 15}, {strings.Repeat("a", 1000), 17, 20},
		{fox, 52, 57}, {strings.Repeat(fox, 20), 61, 66}, {strings.Repeat("日本語のテキスト", 10), 38, 41},
	} {
		if got := Size(test.text); got < test.c || got > test.c+6 {
			t.Errorf("%.20q: %d bytes, C has %d", test.text, got, test.c)
		}
	}
	if CompressionRatio("") != 0 {
		t.Error("an empty text has no ratio")
	}
	one := "The quick brown fox jumps over the lazy dog, and then it runs home to its den.."
	other := "Entirely unrelated words about compilers, parsers, and garbage collection pauses."
	got := Incremental([]string{one, "short", one, other})
	if len(got) != 3 || got[1].Index != 2 || got[2].Index != 3 {
		t.Fatalf("%+v", got)
	}
	for i, want := range []struct{ from, to float64 }{{.9, 1.1}, {.05, .15}, {.6, .95}} {
		if got[i].Ratio < want.from || got[i].Ratio > want.to {
			t.Errorf("message %d: %v, want %v to %v", got[i].Index, got[i].Ratio, want.from, want.to)
		}
	}
}

func TestRepetitions(t *testing.T) {
	for text, want := range map[string]string{
		"Hello world": "64ec88ca00b268e5ba1a35678a1b5316", "  Hello \t\n world  ": "64ec88ca00b268e5ba1a35678a1b5316",
		"": "e3b0c44298fc1c149afbf4c8996fb924", "   ": "e3b0c44298fc1c149afbf4c8996fb924",
		"a\u00a0b": "c8687a08aa5d6ed2044328fa6a697ab8", "a\u2003b": "c8687a08aa5d6ed2044328fa6a697ab8",
		"a\u0085b": "c8687a08aa5d6ed2044328fa6a697ab8", "a\u001cb": "c8687a08aa5d6ed2044328fa6a697ab8",
		"a\ufeffb": "47a12dcb64e9ad8dc2c0819464d72388", "日本 語\n\nx": "b8455c714c22d17d8d8b8fd50bb446d0",
	} {
		if got := Hash(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	p, q := strings.Repeat("P", 100), strings.Repeat("q", 99)
	index := NewIndex([]string{"head\n\n" + p + "\n\n" + q + "\n\ntail", "short"})
	for text, want := range map[string]bool{
		p: true, q: false, "new text\n\n" + p: true, strings.Repeat("P", 50) + " " + strings.Repeat("P", 50): false,
		"short": true, "shor": false, "  ": false,
	} {
		if got := index.Present(text); got != want {
			t.Errorf("%.20q: %v", text, got)
		}
	}
	if InContext(" ", []string{"x"}) || !InContext("b  c", []string{"a b c d"}) || InContext("B c", []string{"a b c"}) {
		t.Error("in context")
	}
}
