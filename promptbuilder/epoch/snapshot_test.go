package epoch_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"foreword/promptbuilder/epoch"
)

func TestASnapshotIsImmutable(t *testing.T) {
	row := func(key, text string) epoch.Admitted { return epoch.Admitted{Key: key, Layer: "core", Text: text} }
	empty := epoch.Snapshot{}
	b := empty.With(row("core/b", "B"))
	ab := b.With(row("core/a", "A"))
	abc := ab.With(row("core/c", "C"))
	changed := abc.With(row("core/b", "B2"))
	without := abc.Without("core/b")
	for name, c := range map[string]struct {
		s    epoch.Snapshot
		want string
	}{
		"empty": {empty, ""}, "one": {b, "core/b=B"}, "two": {ab, "core/a=A\ncore/b=B"}, "three": {abc, "core/a=A\ncore/b=B\ncore/c=C"},
		"changed": {changed, "core/a=A\ncore/b=B2\ncore/c=C"}, "without": {without, "core/a=A\ncore/c=C"}, "without what it has not": {b.Without("core/x"), "core/b=B"},
		"the last one gone": {b.Without("core/b"), ""},
	} {
		if got := rows(c.s); got != c.want {
			t.Errorf("%s: %s; want %s", name, got, c.want)
		}
	}
	if empty.Len() != 0 || abc.Len() != 3 || without.Len() != 2 {
		t.Errorf("lengths %d, %d, %d", empty.Len(), abc.Len(), without.Len())
	}
	if _, ok := without.Get("core/b"); ok {
		t.Error("a key that is gone is there")
	}
	if got, ok := changed.Get("core/b"); !ok || got.Text != "B2" {
		t.Errorf("got %+v", got)
	}
	if !abc.Equal(changed.With(row("core/b", "B"))) || abc.Equal(changed) {
		t.Error("equality is by content")
	}
	if n := testing.AllocsPerRun(10, func() { abc.With(row("core/b", "B")) }); n != 0 {
		t.Errorf("telling the same again costs %v allocations", n)
	}
	for range abc.All() {
		break // a loop may end early
	}
}

// TestASnapshotIsAMap holds it against a map, whatever is done to it.
func TestASnapshotIsAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s epoch.Snapshot
		model := map[string]epoch.Admitted{}
		for range rapid.IntRange(0, 30).Draw(t, "steps") {
			key := "k/" + rapid.StringMatching(`[a-e]{1,2}`).Draw(t, "key")
			before, was := s, rows(s)
			if rapid.Bool().Draw(t, "with") {
				a := epoch.Admitted{Key: key, Layer: "dynamic", Text: rapid.StringMatching(`[xy]`).Draw(t, "text"), Removal: "gone"}
				s, model[key] = s.With(a), a
			} else {
				s = s.Without(key)
				delete(model, key)
			}
			if rows(before) != was {
				t.Errorf("a step changed the snapshot before it: %s, was %s", rows(before), was)
			}
		}
		var want []epoch.Admitted
		for _, key := range slices.Sorted(maps.Keys(model)) {
			want = append(want, model[key])
		}
		if got := slices.Collect(s.All()); !slices.Equal(got, want) || s.Len() != len(want) {
			t.Errorf("got %v, want %v", got, want)
		}
		data, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var back epoch.Snapshot
		if err := json.Unmarshal(data, &back); err != nil || !back.Equal(s) || back.Faults() != nil {
			t.Errorf("%s came back as %s: %v", rows(s), rows(back), err)
		}
	})
}

// TestWhatIsSaidComesBack holds the round trip of what an initialization makes
// of any text.
func TestWhatIsSaidComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var observed []epoch.Observed
		for i, text := range rapid.SliceOfN(rapid.String(), 0, 5).Draw(t, "texts") {
			o := value(fmt.Sprintf("k/%d", i), text+rapid.SampledFrom([]string{"", "\xff", "\x00", "\u2028<&>"}).Draw(t, "odd"))
			o.Layer = rapid.SampledFrom([]string{"core", "cacheable", "dynamic"}).Draw(t, "layer")
			observed = append(observed, o)
		}
		g := generation(t, observed...)
		data, err := json.Marshal(g)
		if err != nil {
			t.Fatal(err)
		}
		var back epoch.Generation
		if err := json.Unmarshal(data, &back); err != nil {
			t.Fatal(err)
		}
		if !back.Snapshot.Equal(g.Snapshot) || !slices.Equal(back.Order, g.Order) || len(back.Snapshot.Faults()) != 0 {
			t.Errorf("%q came back as %q", rows(g.Snapshot), rows(back.Snapshot))
		}
		if out := reconcile(t, back.Snapshot, observed...); out.Kind != epoch.Unchanged {
			t.Errorf("stored and read, it says %q", said(out.Said))
		}
	})
}

func TestABadRowCostsItsKey(t *testing.T) {
	const good = `{"key":"core/a","layer":"core","text":"A","removal":"a gone"},`
	for name, c := range map[string]struct{ row, want, fault string }{
		"number for a text":   {`{"key":"core/b","layer":"core","text":42}`, "core/b lost", "text: want a text"},
		"no text":             {`{"key":"core/b","layer":"core"}`, "core/b lost", "text: want a text"},
		"null":                {`{"key":"core/b","layer":"core","text":null}`, "core/b lost", "text: want a text"},
		"blank text":          {`{"key":"core/b","layer":"core","text":" \n"}`, "core/b lost", "text: want a text"},
		"unknown layer":       {`{"key":"core/b","layer":"deep","text":"B"}`, "core/b lost", "layer: want core"},
		"no layer":            {`{"key":"core/b","text":"B"}`, "core/b lost", "layer: want core"},
		"lost before":         {`{"key":"core/b","layer":"","text":"","lost":"the disk was full"}`, "core/b lost", "the disk was full"},
		"empty removal":       {`{"key":"core/b","layer":"core","text":"B","removal":""}`, "core/b=B\ncore/b lost", "row 2: removal: want a text"},
		"number for removal":  {`{"key":"core/b","layer":"core","text":"B","removal":1}`, "core/b=B\ncore/b lost", "row 2: removal: want a text"},
		"bad key":             {`{"key":"B","layer":"core","text":"B"}`, " lost", `row 2: source key "B"`},
		"no key":              {`{"layer":"core","text":"B"}`, " lost", "row 2: key: want a text"},
		"no object":           {`17`, " lost", "row 2: want an object"},
		"a list":              {`["core/b","B"]`, " lost", "row 2: want an object"},
		"twice":               {`{"key":"core/b","layer":"core","text":"B"},{"key":"core/b","layer":"core","text":"B"}`, "core/b lost", "in more than one row"},
		"a field of a friend": {`{"key":"core/b","layer":"core","text":"B","since":1}`, "core/b=B", ""},
	} {
		s := decode(t, "["+good+c.row+"]")
		if got, want := rows(s), "core/a=A\n"+c.want; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
		faults := s.Faults()
		if c.fault == "" {
			if len(faults) != 0 {
				t.Errorf("%s: %v", name, faults)
			}
			continue
		}
		if len(faults) != 1 || !strings.Contains(faults[0].Why, c.fault) {
			t.Errorf("%s: %v, want %s", name, faults, c.fault)
		}
		if _, ok := s.Get("core/b"); ok && strings.HasPrefix(c.want, "core/b lost") {
			t.Errorf("%s: a lost row can be read", name)
		}
		if n := s.Len(); n != 1 && strings.Contains(c.want, "core/b lost") && !strings.Contains(c.want, "=") {
			t.Errorf("%s: %d sources are known", name, n)
		}
	}
}

func TestWhatIsNoListIsAnError(t *testing.T) {
	for _, data := range []string{`{}`, `{"core/a":"A"}`, `"x"`, `7`, `true`} {
		s := generation(t, value("core/a", "A")).Snapshot
		if err := json.Unmarshal([]byte(data), &s); err == nil || !strings.Contains(err.Error(), "want a list of rows") {
			t.Errorf("%s: %v", data, err)
		}
		if rows(s) != "core/a=A" {
			t.Errorf("%s: a failed read changed the snapshot: %s", data, rows(s))
		}
	}
}

// FuzzSnapshot holds that any data either is no list or gives a snapshot that is
// stored and read as it is, and from which a session goes on.
func FuzzSnapshot(f *testing.F) {
	for _, seed := range []string{
		`[]`, `null`, `[{"key":"core/a","layer":"core","text":"A"}]`, `[{"key":"core/a","layer":"core","text":42,"removal":"gone"}]`,
		`[{"key":"core/a","layer":"core","text":"A"},{"key":"core/a"},{"key":"core/a","removal":"x"}]`, `[1,{},[],{"KEY":"core/b","Text":"b"}]`, `[{"key":"core/\ud800"}]`,
		`[{"key":"core/a","lost":"x","text":"A","layer":"core"}]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var s epoch.Snapshot
		if json.Unmarshal(data, &s) != nil {
			return
		}
		var keys []string
		for a := range s.All() {
			keys = append(keys, a.Key)
			if got, ok := s.Get(a.Key); !ok || got != a {
				t.Fatalf("%q: found %v", a.Key, got)
			}
		}
		if !slices.IsSorted(keys) || len(slices.Compact(slices.Clone(keys))) != s.Len() {
			t.Fatalf("keys %q", keys)
		}
		stored, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var back epoch.Snapshot
		if err := json.Unmarshal(stored, &back); err != nil || !back.Equal(s) {
			t.Fatalf("%s came back as %s: %v", stored, rows(back), err)
		}
		observed := []epoch.Observed{value("core/a", "A"), value("core/b", "B")}
		out := reconcile(t, s, observed...)
		if again := reconcile(t, out.Snapshot, observed...); again.Kind != epoch.Unchanged || out.Snapshot.Len() != 2 || out.Kind == epoch.Updated && out.Snapshot.Faults() != nil {
			t.Fatalf("said twice: %s; %s", said(out.Said), said(again.Said))
		}
	})
}
