package epoch_test

import (
	"errors"
	"strings"
	"testing"

	"foreword/promptbuilder/epoch"
)

// The sources of opencode's own worked examples, with its wording, which is
// what its outcomes are compared in. Facts: opencode's system context of July
// 2026 (github.com/anomalyco/opencode, packages/core/src/system-context).

func seedEnvironment() epoch.Observed {
	return epoch.Observed{Key: "core/environment", Layer: "cacheable", Title: "Environment", Status: epoch.Value, Text: "E"}
}

func seedDate(day string) epoch.Observed {
	return epoch.Observed{
		Key: "core/date", Layer: "dynamic", Title: "Date", Status: epoch.Value, Text: "Today's date: " + day,
		Update: func(_, after string) string {
			return strings.Replace(after, "Today's date:", "Today's date is now:", 1)
		},
	}
}

func seedInstructions(content string) epoch.Observed {
	return epoch.Observed{
		Key: "core/instructions", Layer: "cacheable", Title: "Instructions", Status: epoch.Value, Text: "Instructions from: /r/AGENTS.md\n" + content,
		Update: func(_, after string) string {
			return "These instructions replace all previously loaded ambient instructions.\n\n" + after
		},
		Removal: func(string) string { return "Previously loaded instructions no longer apply." },
	}
}

func seedSkills(text string) epoch.Observed {
	return epoch.Observed{Key: "core/skill-guidance", Layer: "cacheable", Title: "Skills", Status: epoch.Value, Text: text}
}

func without(o epoch.Observed) epoch.Observed {
	o.Status, o.Text = epoch.Absent, ""
	return o
}

func failing(o epoch.Observed) epoch.Observed {
	o.Status, o.Text, o.Why = epoch.Unavailable, "", "the disk does not answer"
	return o
}

const (
	wednesday = "Wed Jul 08 2026"
	thursday  = "Thu Jul 09 2026"
)

// told is R0: what a session was told at its beginning.
func told(t *testing.T, rules epoch.Algebra) epoch.Snapshot {
	t.Helper()
	g, err := rules.Initialize([]epoch.Observed{seedEnvironment(), seedDate(wednesday), seedInstructions("A")})
	if err != nil {
		t.Fatal(err)
	}
	return g.Snapshot
}

// undecodable is S0 with the date's value replaced by the number 42.
func undecodable(t *testing.T) epoch.Snapshot {
	return decode(t, `[{"key":"core/date","layer":"dynamic","text":42},{"key":"core/environment","layer":"cacheable","text":"E"},`+
		`{"key":"core/instructions","layer":"cacheable","text":"Instructions from: /r/AGENTS.md\nA","removal":"Previously loaded instructions no longer apply."}]`)
}

// show writes an outcome as one text.
func show(out epoch.Outcome) string {
	lines := []string{out.Kind.String()}
	if out.Generation != nil {
		for _, key := range out.Generation.Order {
			row, _ := out.Generation.Snapshot.Get(key)
			lines = append(lines, row.Text)
		}
	} else if out.Text() != "" {
		lines = append(lines, out.Text())
	}
	return strings.Join(lines, "\n\n")
}

// TestWorkedExamplesOfReconcile holds opencode's examples R1 to R12 as they are
// under its rules, and beside each what foreword's rules do and why.
func TestWorkedExamplesOfReconcile(t *testing.T) {
	same := "" // ours is as theirs
	for _, c := range []struct {
		name     string
		observed []epoch.Observed
		before   func(*testing.T) epoch.Snapshot // S0 when nil
		seed     string
		keys     string // of the snapshot after it, under the seed's rules
		ours     string
		why      string
	}{
		{
			name: "R1 the same", observed: []epoch.Observed{seedEnvironment(), seedDate(wednesday), seedInstructions("A")},
			seed: "unchanged", keys: "core/date core/environment core/instructions", ours: same,
		},
		{
			name: "R2 the next day, other instructions", observed: []epoch.Observed{seedEnvironment(), seedDate(thursday), seedInstructions("A2")},
			seed: "updated\n\nToday's date is now: Thu Jul 09 2026\n\nThese instructions replace all previously loaded ambient instructions.\n\nInstructions from: /r/AGENTS.md\nA2",
			keys: "core/date core/environment core/instructions", ours: same,
		},
		{
			name: "R3 all instruction files deleted", observed: []epoch.Observed{seedEnvironment(), seedDate(wednesday)},
			seed: "updated\n\nPreviously loaded instructions no longer apply.", keys: "core/date core/environment", ours: same,
		},
		{
			name: "R3 said as absent", observed: []epoch.Observed{seedEnvironment(), seedDate(wednesday), without(seedInstructions(""))},
			seed: "updated\n\nPreviously loaded instructions no longer apply.", keys: "core/date core/environment", ours: same,
		},
		{
			name: "R4 instructions unavailable, the next day", observed: []epoch.Observed{seedEnvironment(), seedDate(thursday), failing(seedInstructions(""))},
			seed: "updated\n\nToday's date is now: Thu Jul 09 2026", keys: "core/date core/environment core/instructions", ours: same,
		},
		{
			name: "R5 the date's source gone, without a text for that", observed: []epoch.Observed{seedEnvironment(), seedInstructions("A")},
			seed: "rebase\n\nE\n\nInstructions from: /r/AGENTS.md\nA", keys: "core/environment core/instructions",
			ours: "updated\n\nDate no longer holds; disregard what was said about it before.",
			why:  "a source that goes is no reason to lose the cached prefix: the usual wording says it",
		},
		{
			name: "R6 the date's source gone, instructions unavailable", observed: []epoch.Observed{seedEnvironment(), failing(seedInstructions(""))},
			seed: "blocked", keys: "core/date core/environment core/instructions",
			ours: "updated\n\nDate no longer holds; disregard what was said about it before.",
			why:  "nothing is ever blocked",
		},
		{
			name: "R7 the date does not decode, other instructions", before: undecodable, observed: []epoch.Observed{seedEnvironment(), seedDate(wednesday), seedInstructions("A9")},
			seed: "rebase\n\nE\n\nToday's date: Wed Jul 08 2026\n\nInstructions from: /r/AGENTS.md\nA9", keys: "core/date core/environment core/instructions",
			ours: "updated\n\nToday's date: Wed Jul 08 2026\n\nThese instructions replace all previously loaded ambient instructions.\n\nInstructions from: /r/AGENTS.md\nA9",
			why:  "a bad row costs its own key, which is said as new",
		},
		{
			name: "R8 a new source", observed: []epoch.Observed{seedEnvironment(), seedDate(wednesday), seedInstructions("A"), seedSkills("S")},
			seed: "updated\n\nS", keys: "core/date core/environment core/instructions core/skill-guidance", ours: same,
		},
		{
			name: "R10 R7 with a new source that is unavailable", before: undecodable,
			observed: []epoch.Observed{seedEnvironment(), seedDate(wednesday), seedInstructions("A9"), failing(seedSkills(""))},
			seed:     "rebase\n\nE\n\nToday's date: Wed Jul 08 2026\n\nInstructions from: /r/AGENTS.md\nA9", keys: "core/date core/environment core/instructions",
			ours: "updated\n\nToday's date: Wed Jul 08 2026\n\nThese instructions replace all previously loaded ambient instructions.\n\nInstructions from: /r/AGENTS.md\nA9",
			why:  "as R7, and the new source is reported as left out",
		},
		{
			name: "R12 nothing is composed any more", before: func(t *testing.T) epoch.Snapshot {
				return epoch.Snapshot{}.With(epoch.Admitted{Key: "core/z", Layer: "core", Text: "z", Removal: "Removed z"}).
					With(epoch.Admitted{Key: "core/a", Layer: "core", Text: "a", Removal: "Removed a"})
			},
			seed: "updated\n\nRemoved a\n\nRemoved z", keys: "", ours: same,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			for compat, want := range map[string]string{"opencode": c.seed, "": c.ours} {
				if want == same {
					want = c.seed
				} else if compat == "" && c.why == "" {
					t.Error("a difference needs its reason")
				}
				rules := epoch.AlgebraOf(compat)
				before := told(t, rules)
				if c.before != nil {
					before = c.before(t)
				}
				out, err := rules.Reconcile(c.observed, before)
				if err != nil {
					t.Fatal(err)
				}
				if got := show(out); got != want {
					t.Errorf("rules %q: got %q\nwant %q", compat, got, want)
				}
				if out.Kind == epoch.Rebase && out.Because == "" || out.Kind == epoch.Blocked && out.Because == "" {
					t.Errorf("rules %q: no reason for %s", compat, out.Kind)
				}
				if compat == "opencode" {
					if got := keys(out.Snapshot); got != c.keys {
						t.Errorf("after it the session was told %s, want %s", got, c.keys)
					}
					if c.before == nil && (out.Kind == epoch.Unchanged || out.Kind == epoch.Blocked) && !out.Snapshot.Equal(before) {
						t.Error("the snapshot changed")
					}
				}
			}
		})
	}
}

func keys(s epoch.Snapshot) string {
	var all []string
	for a := range s.All() {
		all = append(all, a.Key)
	}
	return strings.Join(all, " ")
}

// TestTruthTable holds every row of opencode's table for one key, and what ours
// does in its place.
func TestTruthTable(t *testing.T) {
	const key = "core/x"
	sound := `[{"key":"core/x","layer":"core","text":"old","removal":"x is gone"}]`
	mute := `[{"key":"core/x","layer":"core","text":"old"}]`
	lost := `[{"key":"core/x","layer":"core","text":42,"removal":"x is gone"}]`
	lostMute := `[{"key":"core/x","layer":"core","text":42}]`
	now := func(text string) []epoch.Observed { return []epoch.Observed{value(key, text)} }
	later := []epoch.Observed{unavailable(key, "slow")}
	never := []epoch.Observed{broken(key, "no permission")}
	for _, c := range []struct {
		name, before string
		observed     []epoch.Observed
		seed, ours   string // kind; what is said; the rows after it
	}{
		{"a value, never said", `[]`, now("new"), "updated; new core/x: new; core/x=new", ""},
		{"a value, equal", sound, now("old"), "unchanged; ; core/x=old", ""},
		{"a value, equal after normalisation", sound, now("\uFEFFold \r\n"), "updated; update core/x: old became \uFEFFold \r\n; core/x=\uFEFFold \r\n", "unchanged; ; core/x=old"},
		{"a value, other", sound, now("new"), "updated; update core/x: old became new; core/x=new", ""},
		{"a value, the row lost", lost, now("new"), "rebase; ; core/x=new", "updated; new core/x: new; core/x=new"},
		{"unavailable, never said", `[]`, later, "unchanged; ; ", ""},
		{"unavailable, said", sound, later, "unchanged; ; core/x=old", ""},
		{"unavailable, the row lost", lost, later, "unchanged; ; core/x lost", ""},
		{"unavailable for good, never said", `[]`, never, "unchanged; ; ", ""},
		{"unavailable for good, said", sound, never, "unchanged; ; core/x=old", "updated; removal core/x: x is gone; "},
		{"unavailable for good, the row lost", lost, never, "unchanged; ; core/x lost", "updated; removal core/x: x is gone; "},
		{"gone, with a text for that", sound, nil, "updated; removal core/x: x is gone; ", ""},
		{"gone, the row lost, the text for that not", lost, nil, "updated; removal core/x: x is gone; ", ""},
		{"gone, without a text for that", mute, nil, "rebase; ; ", "updated; removal core/x: core/x no longer holds; disregard what was said about it before.; "},
		{"gone, everything lost", lostMute, nil, "rebase; ; ", "updated; removal core/x: core/x no longer holds; disregard what was said about it before.; "},
		{"absent, never said", `[]`, []epoch.Observed{absent(key)}, "unchanged; ; ", ""},
		{"absent, said", sound, []epoch.Observed{absent(key)}, "updated; removal core/x: x is gone; ", ""},
		{"blank, said", sound, now(" \n"), "updated; update core/x: old became  \n; core/x= \n", "updated; removal core/x: x is gone; "},
		{"not looked at, said", sound, []epoch.Observed{{Key: key, Layer: "core", Status: epoch.Unasked}}, "unchanged; ; core/x=old", ""},
		{"not looked at, never said", `[]`, []epoch.Observed{{Key: key, Layer: "core", Status: epoch.Unasked}}, "unchanged; ; ", ""},
	} {
		for compat, want := range map[string]string{"opencode": c.seed, "": c.ours} {
			if want == "" {
				want = c.seed
			}
			out, err := epoch.AlgebraOf(compat).Reconcile(c.observed, decode(t, c.before))
			if err != nil {
				t.Fatal(err)
			}
			if got := out.Kind.String() + "; " + said(out.Said) + "; " + rows(out.Snapshot); got != want {
				t.Errorf("%s, rules %q:\n got %q\nwant %q", c.name, compat, got, want)
			}
		}
	}
}

// TestEqualIsLeftAsItWasSaid holds that the text in the snapshot is the one that
// the model reads, not the one that says the same.
func TestEqualIsLeftAsItWasSaid(t *testing.T) {
	before := generation(t, value("core/a", "one\ntwo"), value("core/b", "B")).Snapshot
	out := reconcile(t, before, value("core/a", "one\r\ntwo\r\n"), value("core/b", "B2"))
	if got, _ := out.Snapshot.Get("core/a"); got.Text != "one\ntwo" || out.Text() != "B became B2" {
		t.Errorf("%q; said %q", got.Text, out.Text())
	}
}

// TestTheSeedsReplace holds the rules of opencode's replace.
func TestTheSeedsReplace(t *testing.T) {
	rules := epoch.AlgebraOf("opencode")
	before := told(t, rules)
	for _, c := range []struct {
		name     string
		observed []epoch.Observed
		want     string
	}{
		{"nothing changed: it is never unchanged", []epoch.Observed{seedEnvironment(), seedDate(wednesday), seedInstructions("A")}, "rebase\n\nE\n\nToday's date: Wed Jul 08 2026\n\nInstructions from: /r/AGENTS.md\nA"},
		{"a new source is unavailable", []epoch.Observed{seedEnvironment(), failing(seedSkills(""))}, "rebase\n\nE"},
		{"a source of the old epoch is unavailable", []epoch.Observed{seedEnvironment(), failing(seedInstructions(""))}, "blocked"},
		{"nothing is composed", nil, "rebase"},
	} {
		out, err := rules.Replace(c.observed, before)
		if err != nil || show(out) != c.want {
			t.Errorf("%s: %q, %v; want %q", c.name, show(out), err, c.want)
		}
	}
	// What was said of a lost row cannot be said to stand.
	if out := reconcile(t, undecodable(t), seedEnvironment(), failing(seedDate("")), seedInstructions("A")); omitted(out.Omitted) != "core/date: the disk does not answer" {
		t.Errorf("omitted %s", omitted(out.Omitted))
	}
	// A row that does not decode was said, too.
	if out, err := rules.Replace([]epoch.Observed{failing(seedDate(""))}, undecodable(t)); err != nil || out.Kind != epoch.Blocked {
		t.Errorf("%s, %v", out.Kind, err)
	}
}

// TestNoRendererRunsForNothing holds that opencode's rules decide on a new epoch
// before they say anything.
func TestNoRendererRunsForNothing(t *testing.T) {
	changed := seedInstructions("A9")
	changed.Update = func(string, string) string { t.Error("an update was rendered for a new epoch"); return "x" }
	for _, c := range [][]epoch.Observed{{seedEnvironment(), seedDate(wednesday), changed}, {seedEnvironment(), changed}} {
		if out, err := epoch.AlgebraOf("opencode").Reconcile(c, undecodable(t)); err != nil || out.Kind != epoch.Rebase {
			t.Errorf("%s, %v", out.Kind, err)
		}
	}
	// Nor do ours where nothing changed.
	mute := value("core/a", "A")
	before := generation(t, mute).Snapshot
	mute.Update = changed.Update
	mute.Removal = func(string) string { t.Error("a removal was rendered"); return "x" }
	for _, compat := range []string{"", "opencode"} {
		if out, err := epoch.AlgebraOf(compat).Reconcile([]epoch.Observed{mute}, before); err != nil || out.Kind != epoch.Unchanged {
			t.Errorf("rules %q: %s, %v", compat, out.Kind, err)
		}
	}
}

// TestWhatTheSeedCallsADefect holds that texts that must not be empty are an
// error under opencode's rules, and that ours fall back to the usual wording.
func TestWhatTheSeedCallsADefect(t *testing.T) {
	empty := func(string, string) string { return "" }
	none := func(string) string { return "" }
	seed, ours := epoch.AlgebraOf("opencode"), epoch.AlgebraOf("")
	before := generation(t, plain("core/a", "A")).Snapshot
	update, removal := plain("core/a", "A2"), plain("core/b", "B")
	update.Update, removal.Removal = empty, none
	for name, c := range map[string]struct {
		observed epoch.Observed
		want     string
	}{
		"baseline": {plain("core/b", ""), "core/b rendered an empty"},
		"update":   {update, "core/a rendered an empty update"},
		"removal":  {removal, "core/b rendered an empty removal"},
	} {
		all := []epoch.Observed{c.observed}
		if c.observed.Key == "core/b" {
			all = append(all, plain("core/a", "A"))
		}
		if _, err := seed.Reconcile(all, before); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := seed.Initialize(all); name != "update" && (err == nil || !strings.Contains(err.Error(), "core/b rendered an empty")) {
			t.Errorf("%s at the beginning: %v", name, err)
		}
		if _, err := seed.Replace(all, before); name != "update" && err == nil {
			t.Errorf("%s on purpose: no error", name)
		}
		if _, err := ours.Reconcile(all, before); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestWorkedExamplesOfEpochs holds what opencode's examples E1 to E7 say of the
// algebra; what they say of the session is the ledger's to hold.
func TestWorkedExamplesOfEpochs(t *testing.T) {
	seed, ours := epoch.AlgebraOf("opencode"), epoch.AlgebraOf("")
	first := []epoch.Observed{seedEnvironment(), seedDate(wednesday), seedInstructions("A")}
	changed := []epoch.Observed{seedEnvironment(), seedDate(thursday), seedInstructions("A2")}
	partly := []epoch.Observed{failing(seedEnvironment()), seedDate(wednesday), failing(seedInstructions(""))}

	t.Run("E1 the first turn with sources unavailable", func(t *testing.T) {
		var blocked *epoch.BlockedError
		if _, err := seed.Initialize(partly); !errors.As(err, &blocked) || strings.Join(blocked.Keys, " ") != "core/environment core/instructions" {
			t.Errorf("got %v", err)
		} else if !strings.Contains(err.Error(), "core/environment, core/instructions") {
			t.Errorf("the error says %q", err)
		}
		if g, err := seed.Initialize(first); err != nil || len(g.Order) != 3 {
			t.Errorf("a later try: %v, %v", g.Order, err)
		}
		g, err := ours.Initialize(partly)
		if err != nil || strings.Join(g.Order, " ") != "core/date" || omitted(g.Omitted) != "core/environment: the disk does not answer\ncore/instructions: the disk does not answer" {
			t.Errorf("ours: %v, %s, %v; the turn goes on with what there is", g.Order, omitted(g.Omitted), err)
		}
	})
	t.Run("E2 and E3 a change keeps the baseline, whatever the model", func(t *testing.T) {
		for _, rules := range []epoch.Algebra{seed, ours} {
			g, err := rules.Initialize(first)
			if err != nil {
				t.Fatal(err)
			}
			stable, dynamic := g.Baseline()
			out, err := rules.Reconcile(changed, g.Snapshot)
			if err != nil || out.Kind != epoch.Updated || out.Generation != nil {
				t.Errorf("%s, %v", out.Kind, err)
			}
			if nowStable, nowDynamic := g.Baseline(); stable != nowStable || dynamic != nowDynamic || stable != "E\n\nInstructions from: /r/AGENTS.md\nA" || dynamic != "Today's date: Wed Jul 08 2026" {
				t.Errorf("the baseline is %q and %q", nowStable, nowDynamic)
			}
		}
	})
	t.Run("E4 a compaction, then a change", func(t *testing.T) {
		for _, rules := range []epoch.Algebra{seed, ours} {
			out, err := rules.Replace(changed, told(t, rules))
			if err != nil || show(out) != "rebase\n\nE\n\nToday's date: Thu Jul 09 2026\n\nInstructions from: /r/AGENTS.md\nA2" {
				t.Errorf("%q, %v", show(out), err)
			}
		}
	})
	t.Run("E5 a compaction with a source unavailable", func(t *testing.T) {
		now := []epoch.Observed{seedEnvironment(), seedDate(thursday), failing(seedInstructions(""))}
		out, err := seed.Replace(now, told(t, seed))
		if err != nil || out.Kind != epoch.Blocked || !out.Snapshot.Equal(told(t, seed)) || !strings.Contains(out.Because, "core/instructions was said and is unavailable") {
			t.Errorf("%s, %q, %v: the old epoch is to go on", out.Kind, out.Because, err)
		}
		// Ours begins the epoch with what was said last, at its place, and says so.
		out, err = ours.Replace(now, told(t, ours))
		if err != nil || show(out) != "rebase\n\nE\n\nToday's date: Thu Jul 09 2026\n\nInstructions from: /r/AGENTS.md\nA" || omitted(out.Omitted) != "core/instructions: the disk does not answer, kept" {
			t.Errorf("%q, %s, %v", show(out), omitted(out.Omitted), err)
		}
	})
	t.Run("E6 a move begins anew", func(t *testing.T) {
		// The row is deleted, so the next turn is a first one: nothing of the old
		// place is compared or removed.
		for _, rules := range []epoch.Algebra{seed, ours} {
			g, err := rules.Initialize([]epoch.Observed{seedDate(wednesday)})
			if err != nil || strings.Join(g.Order, " ") != "core/date" {
				t.Errorf("%v, %v", g.Order, err)
			}
		}
	})
	t.Run("E7 a corrupt row", func(t *testing.T) {
		for _, data := range []string{`[{"key":"NOT A KEY","layer":"core","text":"x"}]`, `[{"key":"core/date","layer":"dynamic","text":"x","removal":""}]`} {
			corrupt := decode(t, data)
			for name, op := range map[string]func([]epoch.Observed, epoch.Snapshot) (epoch.Outcome, error){"reconcile": seed.Reconcile, "replace": seed.Replace} {
				if _, err := op(first, corrupt); !errors.Is(err, epoch.ErrSnapshotDecode) {
					t.Errorf("%s after %s: %v; the turn fails", name, data, err)
				}
			}
			if out, err := ours.Reconcile(first, corrupt); err != nil || out.Kind != epoch.Updated || len(out.Snapshot.Faults()) != 0 {
				t.Errorf("ours after %s: %s, %v; the turn goes on", data, out.Kind, err)
			}
		}
	})
}
