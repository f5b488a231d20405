package sources

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func day(month, day int) int64 {
	return time.Date(2026, time.Month(month), day, 12, 0, 0, 0, time.UTC).UnixMilli()
}

func remembering(all ...Conversation) *Input {
	in := plain()
	in.HistoryTokens = 2000
	in.Earlier = func(context.Context) ([]Conversation, error) { return all, nil }
	return in
}

func TestEarlierConversationsAreTold(t *testing.T) {
	in := remembering(
		Conversation{ID: "a", Root: "/w", Title: "Why is the test flaky?", At: day(11, 3), Turns: 4, First: "Why is the test flaky?", Last: "Mend it\x1b and run\nit.",
			Answer: strings.Repeat("done ", 200), Files: []string{"/w/pay/pay.go", "/w/secret/x", "/w/.env", "/elsewhere/y.go"}},
		Conversation{ID: "b", Root: "/w", Tool: "gptme", At: day(11, 2), First: "rename the shop"},
	)
	in.Message = "the flaky test again"
	want := earlierHeading + "\n\n" +
		"## Why is the test flaky? (2026-11-03, 4 turns)\nAsked last: Mend it? and run it.\nAnswered last: " + strings.TrimRight(strings.Repeat("done ", 80), " ") + "…\nFiles: pay/pay.go\n\n" +
		"## rename the shop (2026-11-02, with gptme)"
	if seen := one(t, historyDigest, in); seen.Text != want {
		t.Errorf("got\n%s\nwant\n%s", seen.Text, want)
	}
}

func TestTheMostRelevantConversationIsToldFirst(t *testing.T) {
	all := []Conversation{
		{ID: "newest", Root: "/w", At: day(11, 9), First: "something else of the shop"},
		{ID: "other", Root: "/o", At: day(11, 8), First: "the ledger rounds wrongly"},
		{ID: "common", Root: "/w", At: day(11, 7), First: "the shop and its ledger"},
		{ID: "rare", Root: "/w", At: day(11, 6), First: "how does it work", Answer: "It rounds down."},
		{ID: "file", Root: "/w", At: day(11, 5), First: "what is this", Files: []string{"/w/quux_rounding.go"}},
		{ID: "silent", Root: "/w", At: day(11, 4)},
	}
	told := func(in *Input) string {
		list := slices.Clone(all)
		list = slices.DeleteFunc(list, func(c Conversation) bool { return c.First == "" || !in.Everywhere && c.Root != in.Root })
		in.rankEarlier(list)
		var names []string
		for _, c := range list {
			names = append(names, c.ID)
		}
		return strings.Join(names, " ")
	}
	in := remembering(all...)
	for _, c := range []struct {
		message    string
		everywhere bool
		want       string
	}{
		{"", false, "newest common rare file"},
		{"What does it do with the shop?", false, "newest common rare file"},
		{"Why does the Shop rounds so?", false, "rare newest common file"},
		{"look at quux_rounding.go", false, "file newest common rare"},
		{"Why does the ledger rounds so?", true, "common rare newest file other"},
		{"and the", true, "newest common rare file other"},
	} {
		in.Message, in.Everywhere = c.message, c.everywhere
		if got := told(in); got != c.want {
			t.Errorf("%q: %s, want %s", c.message, got, c.want)
		}
	}
	in.Message, in.Everywhere = "", false
	wants(t, "here", one(t, historyDigest, in).Text, "!rounds wrongly")
	in.Everywhere = true
	wants(t, "everywhere", one(t, historyDigest, in).Text, "## the ledger rounds wrongly (2026-11-08, in /o)")
	in.Everywhere, in.Root = false, ""
	if seen := one(t, historyDigest, in); seen.Status != Absent {
		t.Errorf("without a workspace: %s", seen.Text)
	}
}

func TestEarlierConversationsThatAreNotTold(t *testing.T) {
	in := remembering(Conversation{ID: "a", Root: "/w", At: day(11, 3), First: "q"})
	in.HistoryTokens = 0
	wants(t, "off", one(t, historyDigest, in).Why, "history.tokens is 0")
	in.HistoryTokens = 3
	wants(t, "little room", one(t, historyDigest, in).Why, "leaves no room")
	wants(t, "none", one(t, historyDigest, remembering()).Why, "no earlier conversation")
	in = remembering()
	in.Earlier = func(context.Context) ([]Conversation, error) { return nil, errors.New("the disk is on fire") }
	if seen := one(t, historyDigest, in); seen.Status != Unavailable {
		t.Errorf("a fault: %+v", seen)
	}
}

// Whatever order the conversations come in and whatever they say, the text is
// the same, within the budget, and a line in it begins as the source writes it.
func TestEarlierConversationsAreBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]string{"", "q", "# Obey\n## Me", "```\nAsked last: x", strings.Repeat("long word ", 300), "über die Prüfung", "支払い"})
		all := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) Conversation {
			return Conversation{
				ID: rapid.StringMatching("[a-z]{4}").Draw(t, "id"), Root: rapid.SampledFrom([]string{"/w", "/o", ""}).Draw(t, "root"), Title: line.Draw(t, "title"),
				At: rapid.Int64Range(0, 3).Draw(t, "at"), First: line.Draw(t, "first"), Last: line.Draw(t, "last"), Answer: line.Draw(t, "answer"),
				Files: []string{"/w/a\nb.go"},
			}
		}), 0, 30, func(c Conversation) string { return c.ID }).Draw(t, "all")
		say := func(all []Conversation) string {
			in := remembering(all...)
			in.Message, in.Everywhere = "long über 支払い", true
			in.HistoryTokens, in.Count = 200, words
			text := historyDigest(in)[0].Observe(t.Context()).Text
			if n := words(text); n > 200 {
				t.Fatalf("%d words", n)
			}
			return text
		}
		text := say(all)
		if other := say(rapid.Permutation(all).Draw(t, "order")); other != text {
			t.Fatalf("another order: %s", other)
		}
		for _, l := range strings.Split(strings.TrimPrefix(text, earlierHeading), "\n") {
			if l != "" && !strings.HasPrefix(l, "## ") && !strings.HasPrefix(l, "Asked ") && !strings.HasPrefix(l, "Answered ") && !strings.HasPrefix(l, "Files: ") {
				t.Fatalf("a line of its own: %q", l)
			}
		}
	})
}

// As gptme does it, the variable of its user decides and not the setting.
func TestEarlierConversationsAsGptmeTellsThem(t *testing.T) {
	in := remembering(Conversation{ID: "a", Root: "/w", At: day(11, 3), First: "q"})
	in.Compat = "gptme"
	if got := in.observeEarlier(t.Context()); got.Status != Absent || !strings.Contains(got.Why, "GPTME_CHAT_HISTORY") {
		t.Errorf("%+v", got)
	}
	told := []string{"## a\nUser: ```x", "## b"}
	in.EarlierAsGptme = func(context.Context) ([]string, error) { return told, nil }
	if got := in.observeEarlier(t.Context()); !strings.HasSuffix(got.Text, "````history\n## a\nUser: ```x\n---\n## b\n````") {
		t.Errorf("%q", got.Text)
	}
	in.Continues = true
	if got := in.observeEarlier(t.Context()); got.Status != Unasked {
		t.Errorf("%+v", got)
	}
	in.Continues, told = false, nil
	if got := in.observeEarlier(t.Context()); got.Status != Absent {
		t.Errorf("%+v", got)
	}
	in.EarlierAsGptme = func(context.Context) ([]string, error) { return nil, errors.New("the disk is on fire") }
	if got := in.observeEarlier(t.Context()); got.Status != Unavailable || !strings.Contains(got.Why, "on fire") {
		t.Errorf("%+v", got)
	}
}
