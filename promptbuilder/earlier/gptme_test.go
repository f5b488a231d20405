package earlier

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// put writes a file that was changed so many minutes after the beginning of 1970.
func put(t *testing.T, minutes int64, parts ...string) {
	t.Helper()
	file := filepath.Join(parts[:len(parts)-1]...)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(parts[len(parts)-1]), 0o600); err != nil {
		t.Fatal(err)
	}
	at := time.UnixMilli(minutes * 60_000)
	if err := os.Chtimes(file, at, at); err != nil {
		t.Fatal(err)
	}
}

func TestGptme(t *testing.T) {
	dir := t.TempDir()
	put(t, 1, dir, "2026-01-01-old", "conversation.jsonl", `{"role":"system","content":"You are"}
{"role":"user","content":" Why is the test flaky? ","timestamp":"2026-01-01T10:00:00"}
not a message
{"role":"assistant","content":"<think>hm</think>It reads the clock. <thinking>never closed"}
{"role":"user","content":"hidden","hide":true}
{"role":"user","content":"Mend it."}
{"role":"assistant","content":7}
`)
	put(t, 1, dir, "2026-01-01-old", "config.toml", "[chat]\nname = \"flaky test\"\nworkspace = \"/w/shop\"\n")
	put(t, 2, dir, "linked", "conversation.jsonl", `{"role":"user","content":"only a question"}`)
	if err := os.Symlink("/w/linked", filepath.Join(dir, "linked", "workspace")); err != nil {
		t.Fatal(err)
	}
	put(t, 3, dir, "silent", "conversation.jsonl", `{"role":"assistant","content":"hello"}`)
	put(t, 4, dir, "tmp123", "conversation.jsonl", `{"role":"user","content":"of a test"}`)
	put(t, 4, dir, "test-1", "conversation.jsonl", `{"role":"user","content":"of a test"}`)
	put(t, 4, dir, "x-gptme-evals-y", "conversation.jsonl", `{"role":"user","content":"of a test"}`)
	put(t, 5, dir, "broken", "conversation.jsonl", "\x00\xff{{{")
	put(t, 5, dir, "a file", "")
	outside := filepath.Join(t.TempDir(), "secret")
	put(t, 6, outside, `{"role":"user","content":"out of the folder"}`)
	if err := os.MkdirAll(filepath.Join(dir, "leads out"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "leads out", "conversation.jsonl")); err != nil {
		t.Fatal(err)
	}
	want := []Conversation{
		{Tool: "gptme", ID: "linked", Root: "/w/linked", At: 120_000, Turns: 1, First: "only a question"},
		{Tool: "gptme", ID: "2026-01-01-old", Title: "flaky test", Root: "/w/shop", At: 60_000, Turns: 2, First: "Why is the test flaky?", Last: "Mend it.", Answer: "It reads the clock."},
	}
	var logs Logs
	if diff := cmp.Diff(want, logs.Gptme(t.Context(), dir)); diff != "" {
		t.Error(diff)
	}
	put(t, 7, dir, "linked", "conversation.jsonl", `{"role":"user","content":"another question"}`)
	if got := logs.Gptme(t.Context(), dir); len(got) != 2 || got[0].First != "another question" {
		t.Errorf("after a change: %+v", got)
	}
	if got := logs.Gptme(t.Context(), filepath.Join(dir, "nowhere")); got != nil {
		t.Errorf("of no folder: %+v", got)
	}
}

// A log that is longer than what is read of it has its two ends.
func TestLongLogs(t *testing.T) {
	dir := t.TempDir()
	var b strings.Builder
	line := func(role, text string) { fmt.Fprintf(&b, "{\"role\":%q,\"content\":%q}\n", role, text) }
	line("user", "first question")
	for i := range 3000 {
		line("assistant", fmt.Sprintf("answer %d %s", i, strings.Repeat("ü", 200)))
	}
	line("user", "last question")
	line("assistant", "last answer")
	put(t, 1, dir, "long", "conversation.jsonl", b.String())
	var logs Logs
	got := logs.Gptme(t.Context(), dir)
	if len(got) != 1 || got[0].First != "first question" || got[0].Last != "last question" || got[0].Answer != "last answer" || got[0].Turns != 0 {
		t.Errorf("got %+v", got)
	}
	// Between the two bounds the ends meet, in the middle of a line.
	text := b.String()[:head+tail/2]
	put(t, 2, dir, "long", "conversation.jsonl", text[:strings.LastIndexByte(text, '\n')+1]+`{"role":"user","content":"the end"}`)
	got = logs.Gptme(t.Context(), dir)
	if len(got) != 1 || got[0].Last != "the end" || got[0].Turns != 2 || !strings.HasPrefix(got[0].Answer, "answer ") {
		t.Errorf("got %+v", got)
	}
}

func TestOnlyTheNewestAreRead(t *testing.T) {
	dir := t.TempDir()
	for i := range newest + 5 {
		put(t, int64(i), dir, fmt.Sprintf("c%02d", i), "conversation.jsonl", `{"role":"user","content":"q"}`)
	}
	var logs Logs
	got := logs.Gptme(t.Context(), dir)
	if len(got) != newest || got[0].ID != fmt.Sprintf("c%02d", newest+4) {
		t.Errorf("%d, the first %+v", len(got), got[0])
	}
}

func TestWhereTheLogsAre(t *testing.T) {
	env := func(pairs ...string) func(string) string {
		return func(name string) string {
			for i := 0; i < len(pairs); i += 2 {
				if pairs[i] == name {
					return pairs[i+1]
				}
			}
			return ""
		}
	}
	for _, c := range []struct {
		home            string
		env             func(string) string
		gptme, opencode string
	}{
		{"/home/me", env(), "/home/me/.local/share/gptme/logs", "/home/me/.local/share/opencode"},
		{"/home/me", env("XDG_DATA_HOME", "/d"), "/d/gptme/logs", "/d/opencode"},
		{"/home/me", env("XDG_DATA_HOME", "d"), "/home/me/.local/share/gptme/logs", "/home/me/.local/share/opencode"},
		{"/home/me", env("GPTME_LOGS_HOME", "/l", "XDG_DATA_HOME", "/d"), "/l", "/d/opencode"},
		{"", env(), "", ""},
	} {
		if got := GptmeLogs(c.home, c.env); got != c.gptme {
			t.Errorf("gptme: %s, want %s", got, c.gptme)
		}
		if got := OpencodeData(c.home, c.env); got != c.opencode {
			t.Errorf("opencode: %s, want %s", got, c.opencode)
		}
	}
}

func FuzzGptmeMessages(f *testing.F) {
	f.Add([]byte(`{"role":"user","content":"<think>a</think>b"}`+"\n{"), true)
	f.Add([]byte("<thinking><think></thinking>"), false)
	f.Fuzz(func(t *testing.T, log []byte, ends bool) {
		var c Conversation
		if c.take(gptmeMessages(log, ends), ends) && (c.First == "" || len(c.First) > textLength) {
			t.Errorf("got %+v", c)
		}
	})
}
