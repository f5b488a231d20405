package sources

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestFence(t *testing.T) {
	for text, want := range map[string]string{
		"":              "```go\n\n```",
		"x":             "```go\nx\n```",
		"x\n":           "```go\nx\n```",
		"x\n\n":         "```go\nx\n\n```",
		"a `b` c":       "```go\na `b` c\n```",
		"```\nx\n```":   "````go\n```\nx\n```\n````",
		"x ````` y ```": "``````go\nx ````` y ```\n``````",
	} {
		if got := Fence("go", text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestNothingClosesItsFence holds that no line of a text is a fence as long as
// the one around it.
func TestNothingClosesItsFence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"`", "```", "\n", "x", " "})).Draw(t, "text"), "")
		lines := strings.Split(Fence("", text), "\n")
		fence := lines[0]
		for _, line := range lines[1 : len(lines)-1] {
			if strings.Contains(line, fence) {
				t.Fatalf("%q closes %q", line, fence)
			}
		}
		if lines[len(lines)-1] != fence {
			t.Fatalf("%q ends in %q", text, lines[len(lines)-1])
		}
	})
}

func TestNeutralise(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "",
		"nothing":                       "nothing",
		"</tag>":                        "<&#47;tag>",
		"a </TaG > b </tag":             "a <&#47;TaG > b <&#47;tag",
		"</tag></tag>":                  "<&#47;tag><&#47;tag>",
		"<</tag>":                       "<<&#47;tag>",
		"</</tag>":                      "</<&#47;tag>",
		"</ta":                          "</ta",
		"</other> <tag> é</tag>日本 </ta": "</other> <tag> é<&#47;tag>日本 </ta",
	} {
		if got := neutralise(text, "tag"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestNeutralisedTextClosesNothing holds it for any text, and that nothing else
// of the text changes.
func TestNeutralisedTextClosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"</", "<", "/", "tag", "TAG", "ta", "g>", "\n", "ſ", "é"})).Draw(t, "text"), "")
		got := neutralise(text, "tag")
		if strings.Contains(strings.ToLower(got), "</tag") {
			t.Fatalf("%q becomes %q", text, got)
		}
		if strings.ReplaceAll(got, "<&#47;", "</") != text {
			t.Fatalf("%q becomes %q", text, got)
		}
	})
}

func TestAttribute(t *testing.T) {
	if got := attribute("path", "a\"b<c>&d\\e\nf\x1bg\u2028h"); got != ` path="a&quot;b&lt;c&gt;&amp;d\e?f?g?h"` {
		t.Errorf("got %s", got)
	}
}
