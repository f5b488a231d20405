package epoch_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"foreword/promptbuilder/epoch"
)

func TestAnUnavailableSourceIsReportedAndBlocksNothing(t *testing.T) {
	since := time.Date(2026, 7, 8, 9, 30, 0, 0, time.UTC)
	slow := unavailable("core/git", "took longer than 3s")
	slow.Since = since
	denied := broken("instructions/AGENTS.md", "no permission to read it")

	g := generation(t, slow, denied, value("core/date", "D1"))
	if strings.Join(g.Order, " ") != "core/date" || omitted(g.Omitted) != "core/git: took longer than 3s\ninstructions/AGENTS.md: no permission to read it, for good" || !g.Omitted[0].Since.Equal(since) {
		t.Errorf("the first turn: %v, %+v", g.Order, g.Omitted)
	}
	if out := reconcile(t, g.Snapshot, slow, denied, value("core/date", "D1")); out.Kind != epoch.Unchanged || len(out.Omitted) != 2 || !out.Omitted[0].Since.Equal(since) {
		t.Errorf("the second turn: %s, %+v", out.Kind, out.Omitted)
	}
	// Once it answers it is new.
	back := reconcile(t, g.Snapshot, value("core/git", "G"), value("instructions/AGENTS.md", "A"), value("core/date", "D1"))
	if said(back.Said) != "new core/git: G\nnew instructions/AGENTS.md: A" || back.Omitted != nil {
		t.Errorf("the third turn: %s, %+v", said(back.Said), back.Omitted)
	}
	// What was said stands while it is slow, and goes when it is broken for good.
	worse := reconcile(t, back.Snapshot, slow, denied, value("core/date", "D2"))
	if got, want := said(worse.Said), "update core/date: D1 became D2\nremoval instructions/AGENTS.md: Removed A"; got != want {
		t.Errorf("the fourth turn: %s", got)
	}
	if got, want := omitted(worse.Omitted), "core/git: took longer than 3s, kept\ninstructions/AGENTS.md: no permission to read it, for good"; got != want {
		t.Errorf("the fourth turn: %s", got)
	}
	if _, stands := worse.Snapshot.Get("core/git"); !stands {
		t.Error("a source that is slow lost what was said of it")
	}
}

func TestANewEpochSaysTheLastValueOfASlowSource(t *testing.T) {
	before := generation(t, value("core/a", "A"), value("core/b", "B"), value("core/c", "C"), value("core/d", "D")).Snapshot
	slow := unavailable("core/c", "slow")
	slow.Layer = "dynamic"
	out, err := epoch.Replace([]epoch.Observed{
		slow, value("core/b", "B\r\n"), broken("core/a", "no permission"), value("core/n", "N"), absent("core/x"), unavailable("core/y", "slow"),
		{Key: "core/d", Layer: "core", Status: epoch.Unasked},
	}, before)
	if err != nil || out.Kind != epoch.Rebase || out.Because == "" || out.Said != nil {
		t.Fatalf("%+v, %v", out, err)
	}
	if got := strings.Join(out.Generation.Order, " "); got != "core/c core/b core/n" {
		t.Errorf("order %s", got)
	}
	if got := rows(out.Snapshot); got != "core/b=B\r\n\ncore/c=C\ncore/n=N" || !out.Snapshot.Equal(out.Generation.Snapshot) {
		t.Errorf("snapshot %q", got)
	}
	if got := omitted(out.Omitted); got != "core/c: slow, kept\ncore/a: no permission, for good\ncore/y: slow" {
		t.Errorf("omitted %s", got)
	}
	stable, dynamic := out.Generation.Baseline()
	if stable != "B\r\n\n\nN" || dynamic != "C" {
		t.Errorf("baseline %q and %q: a value stands where its source stands now", stable, dynamic)
	}
	// A lost row has no last value.
	lost := decode(t, `[{"key":"core/c","layer":"core","text":1}]`)
	if out, err := epoch.Replace([]epoch.Observed{slow}, lost); err != nil || len(out.Generation.Order) != 0 || omitted(out.Omitted) != "core/c: slow" {
		t.Errorf("%+v, %v", out, err)
	}
}

func TestUsualWording(t *testing.T) {
	nothing := plain("core/silent", "one")
	nothing.Update = func(string, string) string { return " \n" }
	nothing.Removal = func(string) string { return "" }
	unnamed := plain("core/unnamed", "one")
	unnamed.Title = ""
	before := generation(t, plain("core/plain", "one"), nothing, unnamed).Snapshot

	nothing.Text, unnamed.Text = "two", "two"
	out := reconcile(t, before, plain("core/plain", "two"), nothing, unnamed)
	want := "update core/plain: Source core/plain changed. It replaces what was said before:\n\ntwo\n" +
		"update core/silent: Source core/silent changed. It replaces what was said before:\n\ntwo\n" +
		"update core/unnamed: core/unnamed changed. It replaces what was said before:\n\ntwo"
	if got := said(out.Said); got != want {
		t.Errorf("got %s", got)
	}
	out = reconcile(t, out.Snapshot)
	want = "removal core/plain: Source core/plain no longer holds; disregard what was said about it before.\n" +
		"removal core/silent: Source core/silent no longer holds; disregard what was said about it before.\n" +
		"removal core/unnamed: core/unnamed no longer holds; disregard what was said about it before."
	if got := said(out.Said); got != want {
		t.Errorf("got %s", got)
	}
}

// TestAnArrivalIsSaidWithinAnEpochOnly holds that a source says in words of its
// own that it came, and that neither the system text nor what the session is
// taken to know has these words.
func TestAnArrivalIsSaidWithinAnEpochOnly(t *testing.T) {
	came := plain("core/a", "one")
	came.Arrival = func(text string) string { return "From here on: " + text }
	silent, bad := plain("core/b", "two"), plain("core/c", "three")
	silent.Arrival = func(string) string { return " \n" }
	bad.Arrival = func(string) string { panic("nil map") }
	g := generation(t, came, silent, bad)
	if begun, _ := g.Snapshot.Get("core/a"); begun.Text != "one" || len(g.Faults) != 0 {
		t.Errorf("the system text says %q, faults %v", begun.Text, g.Faults)
	}
	out := reconcile(t, generation(t).Snapshot, came, silent, bad)
	if got, want := said(out.Said), "new core/a: From here on: one\nnew core/b: two\nnew core/c: three"; got != want || len(out.Faults) != 1 {
		t.Errorf("got %s, faults %v", got, out.Faults)
	}
	if told, _ := out.Snapshot.Get("core/a"); told.Text != "one" {
		t.Errorf("the session is taken to know %q", told.Text)
	}
	if again := reconcile(t, out.Snapshot, came, silent, bad); len(again.Said) != 0 {
		t.Errorf("said again: %s", said(again.Said))
	}
}

// TestARemovalIsThatOfWhatWasSaid holds that the text for the end is rendered
// with the value, not when the source goes.
func TestARemovalIsThatOfWhatWasSaid(t *testing.T) {
	s := generation(t, value("core/a", "one")).Snapshot
	s = reconcile(t, s, value("core/a", "two")).Snapshot
	s = reconcile(t, s, value("core/a", "two ")).Snapshot // says nothing
	other := absent("core/a")
	other.Removal = func(string) string { t.Error("rendered when the source went"); return "x" }
	if got := said(reconcile(t, s, other).Said); got != "removal core/a: Removed two" {
		t.Errorf("got %s", got)
	}
}

func TestAWordingThatPanicsCostsOnlyItself(t *testing.T) {
	bad := value("core/bad", "one")
	bad.Update = func(string, string) string { panic("index out of range") }
	bad.Removal = func(string) string { panic("nil map") }
	g := generation(t, bad, value("core/good", "one"))
	if len(g.Faults) != 1 || g.Faults[0] != (epoch.Fault{Key: "core/bad", Why: "its wording panicked: nil map"}) {
		t.Errorf("faults %v", g.Faults)
	}
	bad.Text = "two"
	out := reconcile(t, g.Snapshot, bad, value("core/good", "two"))
	want := "update core/bad: Source core/bad changed. It replaces what was said before:\n\ntwo\nupdate core/good: one became two"
	if got := said(out.Said); got != want || len(out.Faults) != 2 {
		t.Errorf("%s, faults %v", got, out.Faults)
	}
	out = reconcile(t, out.Snapshot)
	if got := said(out.Said); !strings.HasPrefix(got, "removal core/bad: Source core/bad no longer holds") {
		t.Errorf("got %s", got)
	}
}

// TestTextsThatAreNoUTF8AreMended holds that what is stored is what is sent, and
// that it equals itself on the next turn.
func TestTextsThatAreNoUTF8AreMended(t *testing.T) {
	odd := value("core/a", "x\xff\xfey")
	g := generation(t, odd)
	if got := rows(g.Snapshot); got != "core/a=x\uFFFD\uFFFDy" {
		t.Errorf("got %q", got)
	}
	if out := reconcile(t, g.Snapshot, odd); out.Kind != epoch.Unchanged {
		t.Errorf("said again: %q", said(out.Said))
	}
	if out := reconcile(t, epoch.Snapshot{}, odd); out.Text() != "x\uFFFD\uFFFDy" {
		t.Errorf("said %q", out.Text())
	}
}

func TestABaselineIsInTwoParts(t *testing.T) {
	layered := func(key, layer string) epoch.Observed {
		o := value(key, strings.ToUpper(key))
		o.Layer = layer
		return o
	}
	for _, c := range []struct{ observed, stable, dynamic string }{
		{"", "", ""}, {"core", "K/0", ""}, {"dynamic", "", "K/0"}, {"core cacheable dynamic dynamic", "K/0\n\nK/1", "K/2\n\nK/3"},
	} {
		var observed []epoch.Observed
		for i, layer := range strings.Fields(c.observed) {
			observed = append(observed, layered(fmt.Sprint("k/", i), layer))
		}
		if stable, dynamic := generation(t, observed...).Baseline(); stable != c.stable || dynamic != c.dynamic {
			t.Errorf("%s: %q and %q", c.observed, stable, dynamic)
		}
	}
}

// world is what there is to see, as a property test changes it.
type world struct {
	order []string
	state map[string]epoch.Observed
}

// change draws the next state of some of the sources.
func (w *world) change(t *rapid.T) {
	for range rapid.IntRange(0, 4).Draw(t, "changes") {
		key := "k/" + rapid.StringMatching(`[a-f]`).Draw(t, "key")
		if rapid.IntRange(0, 9).Draw(t, "goes") == 0 {
			delete(w.state, key)
			continue
		}
		text := rapid.SampledFrom([]string{"one", "two", "three\n\nlines", "café", "", " "}).Draw(t, "text")
		text = reformat(t, text)
		o := value(key, text)
		if rapid.Bool().Draw(t, "plain") {
			o = plain(key, text)
		}
		o.Status = rapid.SampledFrom([]epoch.Status{epoch.Value, epoch.Value, epoch.Value, epoch.Value, epoch.Absent, epoch.Unavailable, epoch.Unasked}).Draw(t, "status")
		o.Permanent = o.Status == epoch.Unavailable && rapid.Bool().Draw(t, "permanent")
		o.Layer = rapid.SampledFrom([]string{"core", "cacheable", "dynamic"}).Draw(t, "layer")
		w.state[key] = o
	}
	w.order = rapid.Permutation(slices.Sorted(maps.Keys(w.state))).Draw(t, "order")
}

func (w *world) observe() []epoch.Observed {
	all := make([]epoch.Observed, len(w.order))
	for i, key := range w.order {
		all[i] = w.state[key]
	}
	return all
}

// truth is what a model should believe after the world was looked at: it knows
// nothing of how the algebra works.
func (w *world) truth(before map[string]string) map[string]string {
	after := map[string]string{}
	for key, o := range w.state {
		was, believed := before[key]
		switch {
		case o.Status == epoch.Value && strings.TrimSpace(o.Text) != "":
			after[key] = epoch.Normalise(o.Text)
		case believed && (o.Status == epoch.Unasked || o.Status == epoch.Unavailable && !o.Permanent):
			after[key] = was
		}
	}
	return after
}

// read is what a model makes of what it is told.
func read(t *rapid.T, belief map[string]string, all []epoch.Said) {
	for _, s := range all {
		was, believed := belief[s.Key]
		switch s.Kind {
		case epoch.SaidNew:
			if believed {
				t.Errorf("%s is new, and was said before", s.Key)
			}
			belief[s.Key] = epoch.Normalise(s.Text)
		case epoch.SaidUpdate:
			if from, to, own := strings.Cut(s.Text, " became "); own {
				if epoch.Normalise(from) != was {
					t.Errorf("%s: an update from %q of one who believes %q", s.Key, from, was)
				}
				belief[s.Key] = epoch.Normalise(to)
			} else if _, to, usual := strings.Cut(s.Text, "It replaces what was said before:\n\n"); usual {
				belief[s.Key] = epoch.Normalise(to)
			} else {
				t.Errorf("%s: cannot read %q", s.Key, s.Text)
			}
		case epoch.SaidRemoval:
			if !believed {
				t.Errorf("%s is removed, and was never said", s.Key)
			}
			if rest, own := strings.CutPrefix(s.Text, "Removed "); own && epoch.Normalise(rest) != was {
				t.Errorf("%s: the removal of %q from one who believes %q", s.Key, rest, was)
			}
			delete(belief, s.Key)
		}
	}
}

// TestWhatIsSaidAddsUpToWhatIs holds the one promise of an epoch: whoever reads
// the baseline and then every update knows the present value of each source,
// whatever happened, and whether or not the snapshot was stored in between.
func TestWhatIsSaidAddsUpToWhatIs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &world{state: map[string]epoch.Observed{}}
		w.change(t)
		g := generation(t, w.observe()...)
		belief := map[string]string{}
		for a := range g.Snapshot.All() {
			belief[a.Key] = epoch.Normalise(a.Text)
		}
		truth := w.truth(nil)
		snapshot := g.Snapshot
		for range rapid.IntRange(0, 12).Draw(t, "turns") {
			if !maps.Equal(belief, truth) {
				t.Fatalf("believed %q, is %q", belief, truth)
			}
			w.change(t)
			truth = w.truth(truth)
			observed := w.observe()
			if rapid.IntRange(0, 5).Draw(t, "epoch") == 0 {
				out, err := epoch.Replace(observed, snapshot)
				if err != nil {
					t.Fatal(err)
				}
				clear(belief)
				for a := range out.Generation.Snapshot.All() {
					belief[a.Key] = epoch.Normalise(a.Text)
				}
				for _, o := range observed { // a new epoch begins with what was asked
					if o.Status == epoch.Unasked {
						delete(truth, o.Key)
					}
				}
				snapshot = out.Snapshot
			} else {
				out := reconcile(t, snapshot, observed...)
				read(t, belief, out.Said)
				if (out.Kind == epoch.Updated) != (len(out.Said) > 0) || out.Generation != nil {
					t.Fatalf("%s with %s", out.Kind, said(out.Said))
				}
				if out.Kind == epoch.Unchanged && !out.Snapshot.Equal(snapshot) {
					t.Fatal("nothing changed, but the snapshot")
				}
				snapshot = out.Snapshot
			}
			if again := reconcile(t, snapshot, observed...); again.Kind != epoch.Unchanged || !again.Snapshot.Equal(snapshot) {
				t.Fatalf("the same observation says %s", said(again.Said))
			}
			if rapid.Bool().Draw(t, "restart") {
				snapshot = stored(t, snapshot)
			}
		}
		if !maps.Equal(belief, truth) {
			t.Fatalf("believed %q, is %q", belief, truth)
		}
	})
}

// stored writes and reads a snapshot.
func stored(t *rapid.T, s epoch.Snapshot) epoch.Snapshot {
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var back epoch.Snapshot
	if err := json.Unmarshal(data, &back); err != nil || !back.Equal(s) || len(back.Faults()) > 0 {
		t.Fatalf("%s: %v", data, err)
	}
	return back
}

// TestLostRowsHeal holds that whatever is lost of a stored snapshot, the next
// turn says it again and the one after it says nothing.
func TestLostRowsHeal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &world{state: map[string]epoch.Observed{}}
		w.change(t)
		w.change(t)
		data, err := json.Marshal(generation(t, w.observe()...).Snapshot)
		if err != nil {
			t.Fatal(err)
		}
		var list []map[string]any
		if err := json.Unmarshal(data, &list); err != nil {
			t.Fatal(err)
		}
		lost := map[string]bool{}
		for _, row := range list {
			if rapid.Bool().Draw(t, "lost") {
				lost[row["key"].(string)] = true
				row["text"] = rapid.SampledFrom([]any{nil, 42, "", []any{}}).Draw(t, "text")
			}
		}
		if data, err = json.Marshal(list); err != nil {
			t.Fatal(err)
		}
		var s epoch.Snapshot
		if err := json.Unmarshal(data, &s); err != nil || len(s.Faults()) != len(lost) {
			t.Fatalf("%s: %v, %v", data, s.Faults(), err)
		}
		observed := w.observe()
		out := reconcile(t, s, observed...)
		for _, said := range out.Said {
			if !lost[said.Key] || said.Kind != epoch.SaidNew {
				t.Errorf("%s of %s, of which nothing was lost", said.Kind, said.Key)
			}
			delete(lost, said.Key)
		}
		if len(lost) > 0 {
			t.Errorf("not said again: %v", lost)
		}
		if again := reconcile(t, out.Snapshot, observed...); again.Kind != epoch.Unchanged {
			t.Errorf("said twice: %s", said(again.Said))
		}
	})
}

// TestOrderIsThatOfTheComposition holds that another order of the sources says
// the same things in that order, and removals always in the order of their keys.
func TestOrderIsThatOfTheComposition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &world{state: map[string]epoch.Observed{}}
		w.change(t)
		w.change(t)
		before := generation(t, w.observe()...).Snapshot
		w.change(t)
		for _, compat := range []string{"", "opencode"} {
			rules := epoch.AlgebraOf(compat)
			first := w.observe()
			out, err := rules.Reconcile(first, before)
			if err != nil {
				continue // an empty text under opencode's rules
			}
			shuffled := rapid.Permutation(first).Draw(t, "shuffled")
			other, err := rules.Reconcile(shuffled, before)
			if err != nil || out.Kind != other.Kind || !out.Snapshot.Equal(other.Snapshot) {
				t.Fatalf("rules %q: %s and %s, %v", compat, out.Kind, other.Kind, err)
			}
			place := map[string]int{}
			for i, o := range shuffled {
				place[o.Key] = i
			}
			want := slices.Clone(out.Said)
			slices.SortStableFunc(want, func(a, b epoch.Said) int {
				switch gone, other := a.Kind == epoch.SaidRemoval, b.Kind == epoch.SaidRemoval; {
				case gone && other:
					return strings.Compare(a.Key, b.Key)
				case gone:
					return 1
				case other:
					return -1
				}
				return place[a.Key] - place[b.Key]
			})
			if !slices.Equal(other.Said, want) {
				t.Fatalf("rules %q: %s; want %s", compat, said(other.Said), said(want))
			}
		}
	})
}

// TestATurnThatChangesNothingCostsNothing holds that comparing needs no memory.
func TestATurnThatChangesNothingCostsNothing(t *testing.T) {
	observed := append(many(100), absent("z/none"), absent("a/none"))
	before := generation(t, observed...).Snapshot
	if n := testing.AllocsPerRun(100, func() {
		if out, err := epoch.Reconcile(observed, before); err != nil || out.Kind != epoch.Unchanged {
			t.Fatal(out.Kind, err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestOneSnapshotServesManyAtOnce is for the race detector: sessions that share
// an epoch compare with it at the same time.
func TestOneSnapshotServesManyAtOnce(t *testing.T) {
	before := generation(t, many(200)...).Snapshot
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			snapshot := before
			for j := range 20 {
				observed := many(200)
				observed[i*20+j].Text = fmt.Sprint("changed by ", i)
				out, err := epoch.Reconcile(observed, snapshot)
				if err != nil || len(out.Said) == 0 || len(out.Said) > 2 {
					t.Errorf("%d, %d: %v, %s", i, j, err, said(out.Said))
				}
				snapshot = out.Snapshot
				for range snapshot.All() {
				}
			}
		})
	}
	wait.Wait()
	if out := reconcile(t, before, many(200)...); out.Kind != epoch.Unchanged {
		t.Error("one session changed what the others were told")
	}
}

func BenchmarkReconcile(b *testing.B) {
	for _, n := range []int{20, 100, 1000} {
		observed := many(n)
		before := generation(b, observed...).Snapshot
		b.Run(fmt.Sprintf("unchanged/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = epoch.Reconcile(observed, before)
			}
		})
		changed := slices.Clone(observed)
		changed[n/2].Text = "another text"
		b.Run(fmt.Sprintf("one-changed/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = epoch.Reconcile(changed, before)
			}
		})
	}
}
