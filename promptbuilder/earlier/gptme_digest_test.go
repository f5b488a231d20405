package earlier

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The vectors that gptme itself gives.
func TestGptmeSummary(t *testing.T) {
	for _, test := range []struct {
		text string
		most int
		want string
	}{
		{"Please fix `foo()` in **bar** <think>no</think> now", 100, "Please fix in bar now"},
		{"a < b and c > d", 100, "a d"},
		{"Working on task... ^C Interrupted", 100, "Working on task"},
		{"It was Cancelled", 100, "It was"},
		{"Config is {key: value} and done", 100, "Config is and done"},
		{"one two three four five six", 5, "one two three four five..."},
		{"one two three four five", 5, "one two three four five"},
		{"see\n```go\nfunc f() {}\n```\nthere\n````\n```\nx\n```\n````\nend", 100, "see there end"},
		{"run $(date) [now](then) __so__", 100, "run now then so"},
		{"", 100, ""},
	} {
		if got := gptmeSummary(test.text, test.most); got != test.want {
			t.Errorf("%q: got %q, want %q", test.text, got, test.want)
		}
	}
}

func words(n int) string { return strings.TrimSpace(strings.Repeat("word ", n)) }

// log is a conversation in gptme's file format: role and text by turns.
func log(parts ...string) string {
	var lines []string
	for i := 0; i < len(parts); i += 2 {
		lines = append(lines, fmt.Sprintf(`{"role":%q,"content":%q}`, parts[i], parts[i+1]))
	}
	return strings.Join(lines, "\n") + "\n"
}

func TestGptmeDigest(t *testing.T) {
	dir := t.TempDir()
	put(t, 30, dir, "long", "conversation.jsonl", log("system", "s", "user", "q one", "assistant", words(47), "user", "q two", "assistant", words(81), "assistant", "ok"))
	put(t, 30, dir, "long", "config.toml", "[chat]\nname = \"a name\"\n")
	put(t, 20, dir, "short", "conversation.jsonl", log("user", "q one", "assistant", words(12), "user", "x", "system", "y"))
	put(t, 19, dir, "three", "conversation.jsonl", log("user", "a", "assistant", "b", "user", "c"))
	put(t, 18, dir, "of nobody", "conversation.jsonl", log("system", "a", "system", "b", "assistant", "c", "assistant", "d"))
	// Its first question says nothing, so gptme still has the first answer of the conversation before.
	put(t, 17, dir, "empty question", "conversation.jsonl", log("user", "`x`", "assistant", words(10), "user", "b", "user", "c"))
	got, err := GptmeDigest(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"## a name\nModified: 1970-01-01 00:30\nUser: q one\nAssistant: " + words(30) + "...\n... (3 messages omitted) ...\nAssistant: " + words(60) + "...",
		"## short\nModified: 1970-01-01 00:20\nUser: q one\nAssistant: " + words(12) + "\n... (2 messages omitted) ...",
		"## empty question\nModified: 1970-01-01 00:17\n... (1 messages omitted) ...\nAssistant: " + words(10),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for i := range 11 {
		put(t, int64(100+i), dir, fmt.Sprintf("c%02d", i), "conversation.jsonl", log("user", fmt.Sprint("question ", i), "assistant", "a", "user", "b", "assistant", "c"))
	}
	if got, err = GptmeDigest(t.Context(), dir); err != nil || len(got) != 5 || !strings.Contains(got[0], "question 10") || !strings.Contains(got[4], "question 6") {
		t.Errorf("of eleven: %q, %v", got, err)
	}
	if got, err = GptmeDigest(t.Context(), dir+"/nowhere"); err != nil || got != nil {
		t.Errorf("without a folder: %q, %v", got, err)
	}
}

func TestGptmeAsks(t *testing.T) {
	for _, test := range []struct {
		value string
		want  bool
	}{{"1", true}, {"TRUE", true}, {"yes", true}, {"on", false}, {" 1", false}, {"", false}} {
		if got := GptmeAsks(func(string) string { return test.value }); got != test.want {
			t.Errorf("%q: %v", test.value, got)
		}
	}
}

func FuzzGptmeSummary(f *testing.F) {
	f.Add("a `b` <c> {d} ** e", 3)
	f.Fuzz(func(t *testing.T, text string, most int) {
		if most < 1 || most > 1000 {
			return
		}
		if n := len(strings.Fields(gptmeSummary(text, most))); n > most {
			t.Errorf("%d words, at most %d", n, most)
		}
	})
}
