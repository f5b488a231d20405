package epoch_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"foreword/promptbuilder/epoch"
	"foreword/promptbuilder/epoch/store"
	"foreword/promptbuilder/history"
	"foreword/workspace/fsys"
)

// words is a baseline that is a JSON string.
type words string

func (w words) MarshalJSON() ([]byte, error) { return json.Marshal(string(w)) }

func thaw(raw []byte) (epoch.Baseline, error) {
	var text string
	err := json.Unmarshal(raw, &text)
	return words(text), err
}

func openLedger(t interface{ Fatal(...any) }, path string) *epoch.Ledger {
	o := epoch.Options{
		Thaw: thaw, Now: func() time.Time { return time.UnixMilli(1_000) },
		Warn: func(m string) { t.Fatal(m) },
	}
	if path != "" {
		o.Open = func(ctx context.Context) (*store.Store, error) { return store.Open(ctx, path, o.Now) }
	}
	return epoch.NewLedger(o)
}

func message(id, role, text string) history.Message {
	return history.Message{ID: id, Role: role, Content: history.Text(text)}
}

// look is what of a standing a turn can see.
type look struct {
	Parent, Epoch, Kept int
	Due, Baseline       string
	Messages            []string
	Told                []string
	Snapshot            []epoch.Admitted
	Files               map[string]fsys.Hash
	Touched             []epoch.Touched
	Targets             []string
	Sent                []epoch.Sent
}

func lookAt(st *epoch.Standing) look {
	l := look{Parent: st.Parent.Number, Kept: st.Kept, Due: st.Due, Files: st.Files, Targets: st.Targets, Sent: st.Sent}
	if st.Epoch != nil {
		l.Epoch, l.Baseline = st.Epoch.Number, string(st.Epoch.Baseline.(words))
	}
	for _, m := range st.Messages {
		l.Messages = append(l.Messages, m.ID+" "+m.Role+" "+m.Content.PlainText())
	}
	for _, t := range st.Told {
		l.Told = append(l.Told, fmt.Sprint(t.Seq, t.Turn, t.Key, t.Kind, t.How, t.Anchor, t.Text))
	}
	for a := range st.Snapshot.All() {
		l.Snapshot = append(l.Snapshot, a)
	}
	for _, t := range st.Touched {
		l.Touched = append(l.Touched, epoch.Touched{Path: t.Path, Anchor: t.Anchor, Kind: t.Kind})
	}
	return l
}

func commit(t interface {
	Fatalf(string, ...any)
	Context() context.Context
}, l *epoch.Ledger, st *epoch.Standing, told ...epoch.Told) int {
	turn := epoch.Turn{Request: epoch.Request{Target: fmt.Sprintf("/w/%d.go", len(st.Messages)%3)}}
	for _, m := range st.Messages[min(len(st.Messages), len(st.Sent)):] {
		turn.SentAdded = append(turn.SentAdded, epoch.Sent{ID: m.ID, Hash: "h", Tokens: 1})
	}
	turn.SentKept = min(len(st.Messages), len(st.Sent))
	var began *epoch.Epoch
	if st.Epoch == nil || st.Due != "" {
		g, err := epoch.Initialize([]epoch.Observed{{Key: "core/date", Layer: "dynamic", Status: epoch.Value, Text: "Monday"}})
		if err != nil {
			t.Fatalf("%v", err)
		}
		began = &epoch.Epoch{Reason: "test", Root: "/w", Baseline: words("system"), Snapshot: g.Snapshot, Files: []epoch.File{{Key: "instructions/AGENTS.md", RealPath: "/w/AGENTS.md", Hash: fsys.HashOf("a")}}}
	}
	n, err := l.Commit(t.Context(), st, turn, began, told)
	if err != nil {
		t.Fatalf("commit: %v", err)
	}
	return n
}

func stand(t interface {
	Fatalf(string, ...any)
	Context() context.Context
}, l *epoch.Ledger, parent int, messages ...history.Message) *epoch.Standing {
	st, err := l.Stand(t.Context(), "s", epoch.Continuation{Parent: &parent, Append: messages})
	if err != nil {
		t.Fatalf("stand: %v", err)
	}
	return st
}

// TestAnotherProcessKnowsTheSame holds, for any course of a session, that a
// ledger which reads it from the store stands where the one stands that wrote
// it, at every turn, and that the messages of a turn are those of its chain.
func TestAnotherProcessKnowsTheSame(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		dir := t.TempDir()
		path := filepath.Join(dir, rapid.StringMatching(`[a-z]{12}`).Draw(rt, "file"), "s.db")
		first := openLedger(t, path)
		defer first.Close()
		chains := [][]string{nil} // ids, by turn
		next := 0
		id := func() string { next++; return fmt.Sprintf("m%d", next) }
		for range rapid.IntRange(1, 6).Draw(rt, "steps") {
			parent := rapid.IntRange(0, len(chains)-1).Draw(rt, "parent")
			switch rapid.IntRange(0, 3).Draw(rt, "step") {
			case 0, 1:
				a, u := id(), id()
				st := stand(t, first, parent, message(a, "user", "question"), message(u, "user", "another"))
				var told []epoch.Told
				if rapid.Bool().Draw(rt, "update") {
					kind := rapid.SampledFrom([]string{epoch.SaidUpdate, epoch.SaidRemoval}).Draw(rt, "kind")
					told = append(told, epoch.Told{Key: "core/date", Kind: kind, How: epoch.AsUpdate, Layer: "dynamic", Anchor: u, Text: "changed", Value: "Day " + u, Removal: "gone"})
				}
				n := commit(t, first, st, told...)
				if n != len(chains) {
					rt.Fatalf("turn %d, want %d", n, len(chains))
				}
				chains = append(chains, append(slices.Clone(chains[parent]), a, u))
			case 2:
				anchor := id()
				if _, err := first.Touch(t.Context(), "s", []epoch.Touched{{Path: "/w/p/x.go", Anchor: anchor, Kind: "read"}}, func(at epoch.Touching) []epoch.Told {
					if _, knows := at.Standing.Files["/w/p/AGENTS.md"]; knows {
						return nil
					}
					return []epoch.Told{{Key: "instructions/p/AGENTS.md", Kind: epoch.SaidNew, How: epoch.AsInjection, Layer: "cacheable", Anchor: anchor, Text: "P", Value: "P", File: &epoch.File{Key: "instructions/p/AGENTS.md", RealPath: "/w/p/AGENTS.md", Hash: fsys.HashOf("p")}}}
				}); err != nil {
					rt.Fatal(err)
				}
			case 3:
				if len(chains) > 1 {
					if _, err := first.Rebase(t.Context(), "s", "asked for"); err != nil {
						rt.Fatal(err)
					}
				}
			}
			second := openLedger(t, path)
			for turn := range chains {
				mine, theirs := lookAt(stand(t, first, turn)), lookAt(stand(t, second, turn))
				if diff := cmp.Diff(mine, theirs); diff != "" {
					rt.Fatalf("turn %d (-the writer +the reader):\n%s", turn, diff)
				}
				var ids []string
				for _, m := range stand(t, second, turn).Messages {
					ids = append(ids, m.ID)
				}
				if diff := cmp.Diff(chains[turn], ids); diff != "" {
					rt.Fatalf("messages of turn %d:\n%s", turn, diff)
				}
			}
			if err := second.Close(); err != nil {
				rt.Fatal(err)
			}
		}
	})
}

// TestABranchKnowsItsOwnPastOnly holds that what was said in turns that are not
// continued is not known, and cannot be placed.
func TestABranchKnowsItsOwnPastOnly(t *testing.T) {
	l := openLedger(t, "")
	commit(t, l, stand(t, l, 0, message("u1", "user", "one")))
	commit(t, l, stand(t, l, 1, message("a1", "assistant", "x"), message("u2", "user", "two")),
		epoch.Told{Key: "core/date", Kind: epoch.SaidUpdate, How: epoch.AsUpdate, Layer: "dynamic", Anchor: "u2", Text: "It is Tuesday.", Value: "Tuesday"})
	on := stand(t, l, 2, message("a2", "assistant", "y"), message("u3", "user", "three"))
	if a, _ := on.Snapshot.Get("core/date"); a.Text != "Tuesday" || len(on.Told) != 1 {
		t.Errorf("going on: %+v, told %+v", a, on.Told)
	}
	back := stand(t, l, 1, message("a1", "assistant", "x"), message("u2", "user", "two, otherwise"))
	if a, _ := back.Snapshot.Get("core/date"); a.Text != "Monday" || len(back.Told) != 0 {
		t.Errorf("going back, with the same id: %+v, told %+v", a, back.Told)
	}
	placed, err := epoch.Place(on.Messages, on.Told)
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, m := range placed {
		order = append(order, m.ID)
	}
	if diff := cmp.Diff([]string{"u1", "a1", "#update.u2", "u2", "a2", "u3"}, order); diff != "" {
		t.Error(diff)
	}
}

// TestATurnThatWasPreparedOnOldGround holds when a turn must be prepared again.
func TestATurnThatWasPreparedOnOldGround(t *testing.T) {
	l := openLedger(t, "")
	commit(t, l, stand(t, l, 0, message("u1", "user", "one")))
	tell := func(anchor string) {
		if _, err := l.Touch(t.Context(), "s", nil, func(epoch.Touching) []epoch.Told {
			return []epoch.Told{{Key: "instructions/x", How: epoch.AsInjection, Anchor: anchor, Text: "X"}}
		}); err != nil {
			t.Fatal(err)
		}
	}
	tries := 0
	try := func(parent *int, meanwhile func()) error {
		tries++
		st, err := l.Stand(t.Context(), "s", epoch.Continuation{Parent: parent, Append: []history.Message{message(fmt.Sprint("t", tries), "tool", "text"), message(fmt.Sprint("u", tries+1), "user", "two")}})
		if err != nil {
			t.Fatal(err)
		}
		meanwhile()
		_, err = l.Commit(t.Context(), st, epoch.Turn{}, nil, nil)
		return err
	}
	one := 1
	if err := try(&one, func() { tell("elsewhere") }); err != nil {
		t.Errorf("what was told with another message is no matter: %v", err)
	}
	if err := try(&one, func() { tell("t2") }); !errors.Is(err, epoch.ErrStale) {
		t.Errorf("told with one of its messages: %v", err)
	}
	if err := try(&one, func() {
		if _, err := l.Rebase(t.Context(), "s", "asked for"); err != nil {
			t.Fatal(err)
		}
	}); !errors.Is(err, epoch.ErrStale) {
		t.Errorf("a new epoch is due: %v", err)
	}
	var conflict *epoch.ConflictError
	commit(t, l, stand(t, l, 1, message("c", "user", "the newest turn")))
	if err := try(nil, func() { commit(t, l, stand(t, l, 1, message("b", "user", "from elsewhere"))) }); !errors.As(err, &conflict) {
		t.Errorf("another turn came first: %v", err)
	}
}

// TestIdsOfMessages holds that an id is used once, and that a message without
// one has an id made of its text.
func TestIdsOfMessages(t *testing.T) {
	l := openLedger(t, "")
	commit(t, l, stand(t, l, 0, message("u1", "user", "one")))
	if _, err := l.Stand(t.Context(), "s", epoch.Continuation{Append: []history.Message{message("u1", "user", "again")}}); err == nil || err.Error() != `append[0].id: "u1" is the id of an earlier message, and must be unique in a session` {
		t.Errorf("got %v", err)
	}
	st := stand(t, l, 1, message("", "user", "same"), message("", "user", "same"), message("", "user", "other"))
	ids := map[string]bool{}
	for _, m := range st.Messages {
		ids[m.ID] = true
	}
	if len(ids) != 4 || ids[""] {
		t.Errorf("ids %v", ids)
	}
}

// TestForksAndForgetting holds them in memory and in the store.
func TestForksAndForgetting(t *testing.T) {
	for name, path := range map[string]string{"memory": "", "store": filepath.Join(t.TempDir(), "s.db")} {
		l := openLedger(t, path)
		commit(t, l, stand(t, l, 0, message("u1", "user", "one")))
		commit(t, l, stand(t, l, 1, message("u2", "user", "two")))
		commit(t, l, stand(t, l, 1, message("u3", "user", "three")))
		if n, err := l.Fork(t.Context(), "s", 3, "t"); err != nil || n != 3 {
			t.Fatalf("%s: %d, %v", name, n, err)
		}
		if _, err := l.Fork(t.Context(), "s", 3, "t"); !errors.Is(err, epoch.ErrExists) {
			t.Errorf("%s: a second fork of the name: %v", name, err)
		}
		messages, err := l.Conversation(t.Context(), "t", 0)
		if err != nil || len(messages) != 2 || messages[1].ID != "u3" {
			t.Errorf("%s: %v, %v", name, messages, err)
		}
		two := 2
		if _, err := l.Stand(t.Context(), "t", epoch.Continuation{Parent: &two}); !errors.Is(err, epoch.ErrUnknownTurn) {
			t.Errorf("%s: the other branch is in the fork: %v", name, err)
		}
		if err := l.Forget(t.Context(), "s"); err != nil {
			t.Error(err)
		}
		if _, err := l.Show(t.Context(), "s"); !errors.Is(err, epoch.ErrUnknownSession) {
			t.Errorf("%s: forgotten, and yet %v", name, err)
		}
		if all, err := l.Sessions(t.Context()); err != nil || len(all) != 1 || all[0].ID != "t" || all[0].Title != "one" {
			t.Errorf("%s: %+v, %v", name, all, err)
		}
		if err := l.Forget(t.Context(), "s"); !errors.Is(err, epoch.ErrUnknownSession) {
			t.Errorf("%s: %v", name, err)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestTheStoreFails holds that a session goes on in memory, and that it is said
// once.
func TestTheStoreFails(t *testing.T) {
	var said []string
	l := epoch.NewLedger(epoch.Options{
		Thaw: thaw, Warn: func(m string) { said = append(said, m) },
		Open: func(context.Context) (*store.Store, error) { return nil, errors.New("the disk is on fire") },
	})
	commit(t, l, stand(t, l, 0, message("u1", "user", "one")))
	if st := stand(t, l, 1, message("u2", "user", "two")); len(st.Messages) != 2 {
		t.Errorf("%d messages", len(st.Messages))
	}
	if len(said) != 1 || l.Trouble() != said[0] {
		t.Errorf("said %q", said)
	}
}

// TestALockedStoreCostsOneSessionOnly holds that a session whose turn could not
// be stored goes on in memory and is not overwritten by what is stored, while
// others go on in the store.
func TestALockedStoreCostsOneSessionOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	var said []string
	l := epoch.NewLedger(epoch.Options{
		Thaw: thaw, Warn: func(m string) { said = append(said, m) },
		Open: func(ctx context.Context) (*store.Store, error) { return store.Open(ctx, path, time.Now) },
	})
	commit(t, l, stand(t, l, 0, message("u1", "user", "one")))
	st := stand(t, l, 1, message("u2", "user", "two"))
	// A cut that is no JSON is one that the store refuses.
	if _, err := l.Commit(t.Context(), st, epoch.Turn{Cut: json.RawMessage("{")}, nil, nil); err != nil {
		t.Fatal(err)
	}
	if len(said) != 1 || l.Trouble() == "" {
		t.Fatalf("said %q", said)
	}
	if on := stand(t, l, 2, message("u3", "user", "three")); len(on.Messages) != 3 {
		t.Errorf("%d messages: the turn that was not stored is lost", len(on.Messages))
	}
	other, err := l.Stand(t.Context(), "other", epoch.Continuation{Append: []history.Message{message("v1", "user", "x")}})
	if err != nil {
		t.Fatal(err)
	}
	commit(t, l, other)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	again := openLedger(t, path)
	defer again.Close()
	if all, err := again.Sessions(t.Context()); err != nil || len(all) != 2 || all[0].Turns != 1 || all[1].Turns != 1 {
		t.Errorf("stored: %+v, %v", all, err)
	}
}
