package hooks

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"foreword/promptbuilder/history"
	"foreword/promptbuilder/sources"
	"foreword/workspace/trust"
)

// A hook that hangs, prints nonsense, fails or leaves a child behind costs itself; the hooks beside it hold.
func TestBrokenHooksCostThemselves(t *testing.T) {
	for _, c := range []struct {
		play, want string
		timeout    time.Duration
	}{
		{"hang", "it took longer than 100ms", 100 * time.Millisecond},
		{"garbage", "its answer is not the JSON", 0},
		{"half", "its answer is not the JSON", 0},
		{"twice", "goes on after the JSON object", 0},
		{"typo", `unknown field "adds"`, 0},
		{"exit", "exit status 3: no such thing", 0},
		{"flood", "and may have", 0},
		{"silent", "", 0},
		{"leave", "", 0},
	} {
		set := Set{Hooks: []Hook{
			answers("first", false, Output{Add: []Addition{{Key: "x", Text: "one"}}}),
			program(t, c.play, c.timeout),
			answers("last", false, Output{Add: []Addition{{Key: "x", Text: "two"}}}),
		}}
		seen, o := set.System(t.Context(), prompt(), nil)
		want := "core/identity core/tree core/git -core/buffers core/date hook/first/x hook/last/x"
		if c.play == "leave" {
			want = strings.Replace(want, " hook/last/x", " hook/leave/a hook/last/x", 1)
		}
		if keys(seen) != want {
			t.Errorf("%s: %s", c.play, keys(seen))
		}
		switch {
		case c.want == "" && len(o.Warnings) != 0, c.want != "" && (len(o.Warnings) != 1 || o.Warnings[0].Code != "hook-failed" || !strings.Contains(o.Warnings[0].Message, c.want)):
			t.Errorf("%s: %+v, want %q", c.play, o.Warnings, c.want)
		}
	}
}

func TestHookThatIsNotAllowed(t *testing.T) {
	refused := function{About{Name: "h", At: []Event{System}}, func(context.Context, Input) (Output, error) {
		return Output{}, &trust.Refusal{State: trust.NeedsApproval, Why: "approve it"}
	}}
	panics := function{About{Name: "p", At: []Event{System}}, func(context.Context, Input) (Output, error) { panic("oh") }}
	set := Set{Hooks: []Hook{refused, panics}}
	seen, o := set.System(t.Context(), prompt(), nil)
	if len(seen) != 5 || len(o.Warnings) != 2 || o.Warnings[0].Code != "needs-approval" || o.Warnings[1].Code != "internal" {
		t.Errorf("%s, %+v", keys(seen), o.Warnings)
	}
}

// A program reads what the prompt says, and what it is for.
func TestWhatAProgramReads(t *testing.T) {
	set := Set{Hooks: []Hook{program(t, "echo", 0)}, Request: Request{Root: "/w", Target: "/w/a.go", Session: "s", Model: "m", Agent: "build", Mode: "plan"}}
	seen, o := set.System(t.Context(), prompt()[2:4], parse(t, `[{"id":"u1","role":"user","content":"a < b"}]`))
	if len(o.Warnings) != 0 {
		t.Fatalf("%+v", o.Warnings)
	}
	want := `{"agent":"build","event":"system","hook":"echo","messages":[{"content":"a \u003c b","id":"u1","role":"user"}],"mode":"plan","model":"m","root":"/w",` +
		`"sections":[{"key":"core/git","layer":"dynamic","text":"branch:\nmain\nclean","title":"core/git"}],"session":"s","target":"/w/a.go","version":1}`
	if got := find(t, seen, "hook/echo/asked").Text; got != want {
		t.Errorf("%s", got)
	}
}

func TestChangesOfSections(t *testing.T) {
	set := Set{Hooks: []Hook{
		answers("volatile", false, Output{
			Edit:     []Edit{{"core/git", "branch:\nmain\nvery\r\nclean\n"}, {"core/identity", "mine"}, {"core/none", "x"}, {"core/buffers", "x"}},
			Remove:   []string{"core/date", "core/tree"},
			Add:      []Addition{{Key: "note", Title: " a\n note ", Text: "\nread me\n\n", Update: "now {text}", Removal: "gone"}, {Key: "note", Text: "again"}, {Key: "a b", Text: "x"}, {Key: "core", Layer: "core", Text: "x"}, {Key: "odd", Layer: "fast", Text: "x"}, {Key: "huge", Text: strings.Repeat("x", maxText+1)}, {Key: "blank", Text: " \n"}},
			Warnings: []string{"look out"},
		}),
		answers("stable", true, Output{
			Edit: []Edit{{"core/tree", "files:\nb"}, {"hook/volatile/note", "read it"}, {"core/git", " "}},
			Add:  []Addition{{Key: "rules", Layer: "cacheable", Text: "be kind"}},
		}),
	}}
	before := prompt()
	seen, o := set.System(t.Context(), before, nil)
	if got, want := keys(seen), "core/identity core/tree hook/stable/rules -core/git -core/buffers -core/date hook/volatile/note -hook/volatile/blank"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for _, s := range seen {
		covered(t, s)
	}
	if tree := find(t, seen, "core/tree"); tree.Text != "files:\nb" || tree.Why != "it is there; edited by the hook stable" ||
		!slices.Equal(tree.Origins, []sources.Origin{{Name: "own", ToLine: 1}, {Path: "/w/f", FromLine: 1, ToLine: 2, FileFrom: 11, FileTo: 12}}) {
		t.Errorf("%+v", tree.Observation)
	}
	note := find(t, seen, "hook/volatile/note")
	if note.Text != "read it" || note.Title != "a note" || note.Origins[0].Name != "hooks/stable" || note.SayUpdate("a", "b") != "now b" || note.SayRemoval("a") != "gone" {
		t.Errorf("%+v", note)
	}
	if git := find(t, seen, "core/git"); git.State != "removed" || git.Why != "taken out by the hook stable" {
		t.Errorf("%+v", git.Observation)
	}
	if before[2].Text != "branch:\nmain\nclean" || before[4].Status != sources.Present {
		t.Error("what was observed is changed itself")
	}
	var changes []string
	for _, c := range o.Changes {
		changes = append(changes, c.Hook+" "+c.Kind+" "+c.Key)
	}
	want := []string{
		"volatile edited core/git", "volatile refused core/identity", "volatile refused core/none", "volatile refused core/buffers", "volatile removed core/date", "volatile refused core/tree",
		"volatile added hook/volatile/note", "volatile refused hook/volatile/note", "volatile refused hook/volatile/a b", "volatile refused hook/volatile/core", "volatile refused hook/volatile/odd", "volatile refused hook/volatile/huge",
		"stable edited core/tree", "stable edited hook/volatile/note", "stable removed core/git", "stable added hook/stable/rules",
	}
	if !slices.Equal(changes, want) {
		t.Errorf("%q", changes)
	}
	if len(o.Warnings) != 10 || o.Warnings[0].Message != "the hook volatile: look out" {
		t.Errorf("%+v", o.Warnings)
	}
}

// An edited section keeps the origin of every line that the hook did not write.
func TestOriginsOfAnEdit(t *testing.T) {
	set := Set{Hooks: []Hook{answers("h", false, Output{Edit: []Edit{{"core/git", "branch:\nmain\nvery\nclean"}}})}}
	seen, _ := set.System(t.Context(), prompt(), nil)
	want := []sources.Origin{
		{Name: "own", ToLine: 1}, {Path: "/w/f", FromLine: 1, ToLine: 2, FileFrom: 10, FileTo: 11},
		{Name: "hooks/h", FromLine: 2, ToLine: 3}, {Path: "/w/f", FromLine: 3, ToLine: 4, FileFrom: 11, FileTo: 12},
	}
	if got := find(t, seen, "core/git").Origins; !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
}

// What a hook added is unavailable, not gone, while the hook fails.
func TestFailureIsNoRemoval(t *testing.T) {
	fail := errors.New("today not")
	var err error
	h := function{About{Name: "h", At: []Event{System}}, func(context.Context, Input) (Output, error) {
		return Output{Add: []Addition{{Key: "a", Text: "x"}}}, err
	}}
	set := Set{Hooks: []Hook{h}, Memory: &Memory{}, Request: Request{Root: "/w"}}
	set.System(t.Context(), prompt(), nil)
	err = fail
	seen, _ := set.System(t.Context(), prompt(), nil)
	if o := find(t, seen, "hook/h/a"); o.Status != sources.Unavailable || o.Layer != sources.Dynamic {
		t.Errorf("%+v", o)
	}
	set.Request.Root = "/other"
	if seen, _ = set.System(t.Context(), prompt(), nil); len(seen) != 5 {
		t.Errorf("another root: %s", keys(seen))
	}
}

// Whatever a hook answers that is not stable, what stands before the boundary stays as it is; every line keeps one
// origin; and the same answer gives the same prompt.
func TestAnyAnswer(t *testing.T) {
	text := rapid.StringMatching(`[ab\n ]{0,12}`)
	someKey := rapid.SampledFrom([]string{"core/identity", "core/tree", "core/git", "core/date", "core/buffers", "hook/h/a", "none/x"})
	rapid.Check(t, func(t *rapid.T) {
		stable := rapid.Bool().Draw(t, "stable")
		out := Output{
			Edit: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Edit { return Edit{someKey.Draw(t, "key"), text.Draw(t, "text")} }), 0, 4).Draw(t, "edit"),
			Add: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Addition {
				return Addition{Key: rapid.SampledFrom([]string{"a", "b", ""}).Draw(t, "key"), Layer: rapid.SampledFrom([]string{"", "core", "cacheable", "dynamic", "x"}).Draw(t, "layer"), Text: text.Draw(t, "text")}
			}), 0, 4).Draw(t, "add"),
			Remove: rapid.SliceOfN(someKey, 0, 3).Draw(t, "remove"),
		}
		set := Set{Hooks: []Hook{answers("h", stable, out), answers("i", stable, out)}}
		seen, o := set.System(t.Context(), prompt(), nil)
		again, _ := set.System(t.Context(), prompt(), nil)
		if keys(seen) != keys(again) {
			t.Errorf("%s, then %s", keys(seen), keys(again))
		}
		if !slices.IsSortedFunc(seen, func(a, b sources.Observed) int { return sources.ByLayer(a.Source, b.Source) }) {
			t.Errorf("not by layer: %s", keys(seen))
		}
		for _, s := range seen {
			covered(t, s)
		}
		if !stable && (seen[0].Text != prompt()[0].Text || seen[1].Text != prompt()[1].Text || seen[2].Layer != sources.Dynamic) {
			t.Errorf("the prefix changed: %s", keys(seen))
		}
		if len(o.Changes) > 0 && o.Changes[0].Hook != "h" {
			t.Errorf("%+v", o.Changes)
		}
	})
}

const conversation = `[
	{"id":"s","role":"system","content":"rules","pinned":true},
	{"id":"u1","role":"user","content":"read it"},
	{"id":"a1","role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{}"}}]},
	{"id":"t1","role":"tool","tool_call_id":"c1","content":"SECRET"},
	{"id":"a2","role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"sig"},{"type":"text","text":"done"}]},
	{"id":"u2","role":"user","content":"go on"}]`

func TestChangesOfMessages(t *testing.T) {
	for _, c := range []struct {
		name, want, refused string
		out                 Output
	}{
		{"edits a result", "s u1 a1 t1! a2 u2", "", Output{EditMessages: []MessageEdit{{3, RawContent(`"***"`)}}}},
		{"a pinned one", "s u1 a1 t1 a2 u2", "it is pinned", Output{EditMessages: []MessageEdit{{0, RawContent(`"x"`)}}}},
		{"takes a pinned one out", "s u1 a1 t1 a2 u2", "it is pinned", Output{RemoveMessages: []int{0}}},
		{"signed thinking", "s u1 a1 t1 a2 u2", "wants back as it is", Output{EditMessages: []MessageEdit{{4, RawContent(`"x"`)}}}},
		{"orphans a result", "s u1 a1 t1 a2 u2", "would lose its call", Output{RemoveMessages: []int{2}, AddMessages: []MessageAddition{{0, "user", "x"}}}},
		{"orphans a call", "s u1 a1 t1 a2 u2", "would lose its call", Output{RemoveMessages: []int{3}}},
		{"both go", "s u1 a2 u2", "", Output{RemoveMessages: []int{3, 2, 2}}},
		{"the newest of the user", "s u1 a1 t1 a2 u2", "newest message", Output{RemoveMessages: []int{5}}},
		{"between call and result", "s u1 a1 t1 a2 u2", "between a tool call", Output{AddMessages: []MessageAddition{{3, "user", "x"}}}},
		{"adds", "s + u1 a1 t1 a2 u2 +", "", Output{AddMessages: []MessageAddition{{6, "user", "x"}, {1, "system", "y"}}}},
		{"as the model", "s u1 a1 t1 a2 u2", "of role user and system", Output{AddMessages: []MessageAddition{{1, "assistant", "y"}}}},
		{"nothing there", "s u1 a1 t1 a2 u2", "no such message", Output{EditMessages: []MessageEdit{{6, RawContent(`"x"`)}}, RemoveMessages: []int{-1}}},
		{"no content", "s u1 a1 t1 a2 u2", "no content", Output{EditMessages: []MessageEdit{{1, nil}}}},
		{"wrong content", "s u1 a1 t1 a2 u2", "is wrong", Output{EditMessages: []MessageEdit{{1, RawContent(`7`)}}}},
		{"another event", "s u1 a1 t1 a2 u2", "not one to messages", Output{Prompt: "x"}},
	} {
		before := parse(t, conversation)
		set := Set{Hooks: []Hook{answers("h", false, c.out)}}
		after, o := set.Messages(t.Context(), before)
		var got []string
		for _, m := range after {
			id := m.ID
			if id == "" {
				id = "+"
			}
			if i := slices.IndexFunc(before, func(b history.Message) bool { return b.ID == m.ID }); i >= 0 && m.ID != "" {
				was, _ := before[i].Raw()
				is, _ := m.Raw()
				if string(was) != string(is) {
					id += "!"
				}
			}
			got = append(got, id)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		switch {
		case c.refused == "" && len(o.Warnings) > 0, c.refused != "" && (len(o.Warnings) == 0 || !strings.Contains(o.Warnings[0].Message, c.refused)):
			t.Errorf("%s: %+v, want %q", c.name, o.Warnings, c.refused)
		}
	}
}

// Whatever a hook answers, pinned messages keep their bytes and their order, and no result stands without its call.
func TestAnyAnswerToMessages(t *testing.T) {
	before := parse(t, conversation)
	pinned, _ := before[0].Raw()
	index := rapid.IntRange(-1, 7)
	rapid.Check(t, func(t *rapid.T) {
		out := Output{
			EditMessages: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) MessageEdit {
				return MessageEdit{index.Draw(t, "index"), RawContent(rapid.SampledFrom([]string{`"x"`, `[]`, `[{"type":"text","text":"y"}]`, `[{"type":"tool_result","tool_use_id":"zz","content":"q"}]`, `[{"type":"tool_use","id":"c9","name":"n","input":{}}]`, `null`, `{`}).Draw(t, "content"))}
			}), 0, 4).Draw(t, "edits"),
			RemoveMessages: rapid.SliceOfN(index, 0, 4).Draw(t, "removals"),
			AddMessages: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) MessageAddition {
				return MessageAddition{index.Draw(t, "before"), rapid.SampledFrom([]string{"user", "system", "tool"}).Draw(t, "role"), "x"}
			}), 0, 3).Draw(t, "additions"),
		}
		set := Set{Hooks: []Hook{answers("h", false, out)}}
		after, _ := set.Messages(t.Context(), before)
		if orphans(after) > 0 {
			t.Errorf("a call or result is alone: %+v", out)
		}
		i := slices.IndexFunc(after, func(m history.Message) bool { return m.ID == "s" })
		if i < 0 {
			t.Fatal("the pinned message is gone")
		}
		if raw, _ := after[i].Raw(); string(raw) != string(pinned) {
			t.Errorf("the pinned message is %s", raw)
		}
		if !slices.ContainsFunc(after, func(m history.Message) bool { return m.ID == "u2" }) {
			t.Error("the newest message of the user is gone")
		}
		if _, err := history.Encode(after); err != nil {
			t.Error(err)
		}
	})
}

func TestCompacting(t *testing.T) {
	set := Set{Hooks: []Hook{
		answers("a", false, Output{Context: []string{"one", " "}, Prompt: "P1"}),
		answers("b", false, Output{Context: []string{"two"}, Prompt: "P2\n"}),
		answers("c", false, Output{Context: []string{strings.Repeat("x", maxText+1)}}),
	}}
	c, o := set.Compacting(t.Context(), nil, "before")
	if !slices.Equal(c.Context, []Contribution{{"a", "one"}, {"b", "two"}}) || c.Prompt != "P2" || c.PromptFrom != "b" || len(o.Warnings) != 1 {
		t.Errorf("%+v, %+v", c, o)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{``, ` `, `{}`, `null`, `[]`, `{"add":[{"key":"a","text":"b"}]}`, "\ufeff{}", `{"removeMessages":[1e3]}`, `{"editMessages":[{"index":0,"content":[]}]}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, answer []byte) {
		out, err := Parse(answer)
		if err != nil {
			return
		}
		set := Set{Hooks: []Hook{answers("h", true, out)}}
		seen, _ := set.System(t.Context(), prompt(), nil)
		for _, s := range seen {
			covered(t, s)
		}
		set.Messages(t.Context(), parse(t, conversation))
	})
}
