package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// model is what a store should do, in the plainest way: sessions in a map.
type model struct {
	sessions map[string]*Rows
	seq      map[string]int64
}

func newModel() *model { return &model{map[string]*Rows{}, map[string]int64{}} }

func (m *model) revision(id string) int64 {
	if rows, ok := m.sessions[id]; ok {
		return rows.Session.Revision
	}
	return 0
}

// write does what Write should do with a sound change from the right revision.
func (m *model) write(c Change) {
	id := c.Session.ID
	old, ok := m.sessions[id]
	if !ok {
		old = &Rows{Session: Session{ID: id, Created: at.UnixMilli()}}
	}
	rows := &Rows{
		Session: old.Session, Epochs: slices.Clone(old.Epochs), Turns: slices.Clone(old.Turns),
		Messages: slices.Clone(old.Messages), Told: slices.Clone(old.Told), Touched: slices.Clone(old.Touched),
	}
	rows.Session.Revision++
	rows.Session.Root = cmp.Or(c.Session.Root, old.Session.Root)
	rows.Session.Title = cmp.Or(c.Session.Title, old.Session.Title)
	rows.Session.Updated = at.UnixMilli()
	for _, r := range c.Turns {
		rows.Session.Turns = max(rows.Session.Turns, r.Number)
		set(&rows.Turns, r, func(r Turn) [2]int64 { return [2]int64{int64(r.Number)} })
	}
	for _, r := range c.Epochs {
		set(&rows.Epochs, r, func(r Epoch) [2]int64 { return [2]int64{int64(r.Number)} })
	}
	for _, r := range c.Messages {
		set(&rows.Messages, r, func(r Message) [2]int64 { return [2]int64{int64(r.Turn), int64(r.Position)} })
	}
	for _, r := range c.Told {
		m.seq[id]++
		r.Seq = m.seq[id]
		rows.Told = append(rows.Told, r)
	}
	for _, r := range c.Touched {
		m.seq[id]++
		r.Seq = m.seq[id]
		rows.Touched = append(rows.Touched, r)
	}
	m.sessions[id] = rows
}

// set replaces the row with the same key, or puts it in its place.
func set[R any](rows *[]R, r R, key func(R) [2]int64) {
	i, found := slices.BinarySearchFunc(*rows, key(r), func(r R, want [2]int64) int {
		have := key(r)
		return cmp.Or(cmp.Compare(have[0], want[0]), cmp.Compare(have[1], want[1]))
	})
	if found {
		(*rows)[i] = r
		return
	}
	*rows = slices.Insert(*rows, i, r)
}

// fork does what Fork should do.
func (m *model) fork(from string, turn int, to string) {
	old := m.sessions[from]
	on, epochs := map[int]bool{0: true}, map[int]bool{}
	for n := turn; n != 0; {
		i := slices.IndexFunc(old.Turns, func(r Turn) bool { return r.Number == n })
		on[n], epochs[old.Turns[i].Epoch] = true, true
		n = old.Turns[i].Parent
	}
	rows := &Rows{Session: old.Session}
	rows.Session.ID, rows.Session.Revision, rows.Session.Turns = to, 1, turn
	rows.Session.Created, rows.Session.Updated = at.UnixMilli(), at.UnixMilli()
	for _, r := range old.Epochs {
		if epochs[r.Number] {
			r.Session = to
			rows.Epochs = append(rows.Epochs, r)
		}
	}
	for _, r := range old.Turns {
		if on[r.Number] {
			r.Session = to
			rows.Turns = append(rows.Turns, r)
		}
	}
	for _, r := range old.Messages {
		if on[r.Turn] {
			r.Session = to
			rows.Messages = append(rows.Messages, r)
		}
	}
	for _, r := range old.Told {
		if on[r.Turn] {
			r.Session = to
			rows.Told = append(rows.Told, r)
		}
	}
	for _, r := range old.Touched {
		if on[r.Turn] {
			r.Session = to
			rows.Touched = append(rows.Touched, r)
		}
	}
	m.sessions[to], m.seq[to] = rows, m.seq[from]
}

// same sees to it that a store holds what the model holds.
func (m *model) same(ctx context.Context, s *Store) error {
	sessions, err := s.Sessions(ctx)
	if err != nil {
		return err
	}
	var got, want []string
	for _, session := range sessions {
		got = append(got, session.ID)
	}
	for id := range m.sessions {
		want = append(want, id)
	}
	sort.Strings(got)
	sort.Strings(want)
	if !slices.Equal(got, want) {
		return fmt.Errorf("sessions %q, want %q", got, want)
	}
	for _, id := range want {
		rows, err := s.Load(ctx, id)
		if err != nil {
			return err
		}
		if diff := gocmp.Diff(m.sessions[id], rows, cmpopts.EquateEmpty()); diff != "" {
			return fmt.Errorf("session %q: %s", id, diff)
		}
	}
	return nil
}

func drawID(t *rapid.T) string {
	return rapid.SampledFrom([]string{"a", "b", "ü\x00", "'; DROP TABLE turns; --", "\xff"}).Draw(t, "session")
}

// drawText draws anything a string can be.
func drawText(t *rapid.T) string {
	return rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
		rapid.Just(strings.Repeat("long ", 5_000))).Draw(t, "text")
}

func drawJSON(t *rapid.T) string {
	return rapid.SampledFrom([]string{"", "null", `{"a":[1,2]}`, `"\u0000"`, "[]"}).Draw(t, "json")
}

// drawChange draws a change that can be written.
func (m *model) drawChange(t *rapid.T) Change {
	id := drawID(t)
	c := Change{Session: Session{ID: id}, Revision: m.revision(id)}
	if rapid.Bool().Draw(t, "named") {
		c.Session.Root, c.Session.Title = drawText(t), drawText(t)
	}
	var turns []Turn
	newest := 0
	if rows, ok := m.sessions[id]; ok {
		turns, newest = slices.Clone(rows.Turns), rows.Session.Turns
	}
	several := rapid.IntRange(0, 3)
	for range several.Draw(t, "turns") {
		r := Turn{
			Session: id, State: rapid.SampledFrom([]string{Prepared, Finished, Failed}).Draw(t, "state"),
			Epoch: rapid.IntRange(0, 2).Draw(t, "epoch"), Anchor: drawText(t), At: rapid.Int64().Draw(t, "at"),
			Said: drawJSON(t), Delta: drawJSON(t), Cut: drawJSON(t), Sections: drawJSON(t),
			Prefix: drawText(t), InputTokens: rapid.Int().Draw(t, "tokens"), Error: drawText(t),
		}
		if len(turns) > 0 && rapid.Bool().Draw(t, "again") {
			old := rapid.SampledFrom(turns).Draw(t, "old")
			r.Number, r.Parent = old.Number, old.Parent
		} else {
			newest += rapid.IntRange(1, 3).Draw(t, "gap")
			r.Number = newest
			if len(turns) > 0 {
				r.Parent = rapid.SampledFrom(turns).Draw(t, "parent").Number
			}
			turns = append(turns, r)
		}
		c.Turns = append(c.Turns, r)
	}
	for range several.Draw(t, "epochs") {
		c.Epochs = append(c.Epochs, Epoch{
			Session: id, Number: rapid.IntRange(0, 2).Draw(t, "number"), Agent: drawText(t), Baseline: drawJSON(t),
			Snapshot: drawJSON(t), Revision: rapid.Int64().Draw(t, "revision"), ReplacementSeq: rapid.Int().Draw(t, "replacement"),
		})
	}
	turn := rapid.IntRange(0, newest+1)
	for range several.Draw(t, "messages") {
		c.Messages = append(c.Messages, Message{
			Session: id, Turn: turn.Draw(t, "turn"), Position: rapid.IntRange(0, 4).Draw(t, "position"),
			ID: drawText(t), Hash: drawText(t), Body: drawText(t),
		})
	}
	for range several.Draw(t, "told") {
		c.Told = append(c.Told, Told{Session: id, RealPath: drawText(t), How: "update", Turn: turn.Draw(t, "turn"), Text: drawText(t), Body: drawJSON(t)})
	}
	for range several.Draw(t, "touched") {
		c.Touched = append(c.Touched, Touched{Session: id, RealPath: drawText(t), Kind: "read", Turn: turn.Draw(t, "turn")})
	}
	return c
}

// TestAStoreIsAMap holds the whole store against the model: whatever is done, on
// whichever of two connections, and opened again at any time.
func TestAStoreIsAMap(t *testing.T) {
	ctx := t.Context()
	folder := t.TempDir()
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		path := filepath.Join(folder, fmt.Sprint(n), "sessions.db")
		var stores [2]*Store
		reopen := func(i int) {
			if stores[i] != nil {
				if err := stores[i].Close(); err != nil {
					t.Fatal(err)
				}
			}
			var err error
			if stores[i], err = Open(ctx, path, clock); err != nil {
				t.Fatal(err)
			}
		}
		reopen(0)
		reopen(1)
		defer func() { stores[0].Close(); stores[1].Close() }()
		m := newModel()
		pick := func() *Store { return stores[rapid.IntRange(0, 1).Draw(t, "connection")] }
		t.Repeat(map[string]func(*rapid.T){
			"": func(t *rapid.T) {
				if err := m.same(ctx, pick()); err != nil {
					t.Fatal(err)
				}
			},
			"write": func(t *rapid.T) {
				change := m.drawChange(t)
				revision, err := pick().Write(ctx, change)
				if err != nil {
					t.Fatal(err)
				}
				if m.write(change); revision != m.revision(change.Session.ID) {
					t.Fatalf("revision %d, want %d", revision, m.revision(change.Session.ID))
				}
			},
			"write too late": func(t *rapid.T) {
				change := m.drawChange(t)
				change.Revision += rapid.SampledFrom([]int64{-1, 1, 7}).Draw(t, "off by")
				var conflict *Conflict
				if _, err := pick().Write(ctx, change); !errors.As(err, &conflict) || conflict.Have != m.revision(change.Session.ID) {
					t.Fatalf("%v, %+v", err, conflict)
				}
			},
			"write a bad parent last": func(t *rapid.T) {
				change := m.drawChange(t)
				change.Turns = append(change.Turns, Turn{Number: 2000, Parent: 1999, State: Prepared})
				if _, err := pick().Write(ctx, change); !errors.Is(err, ErrUnknownTurn) {
					t.Fatal(err)
				}
			},
			"fork": func(t *rapid.T) {
				from, to := drawID(t), drawID(t)
				rows, ok := m.sessions[from]
				if !ok || m.sessions[to] != nil || len(rows.Turns) == 0 {
					t.Skip()
				}
				turn := rapid.SampledFrom(rows.Turns).Draw(t, "turn").Number
				if err := pick().Fork(ctx, from, turn, to); err != nil {
					t.Fatal(err)
				}
				m.fork(from, turn, to)
			},
			"forget": func(t *rapid.T) {
				id := drawID(t)
				_, known := m.sessions[id]
				if err := pick().Forget(ctx, id); known != (err == nil) || err != nil && !errors.Is(err, ErrUnknown) {
					t.Fatal(err)
				}
				delete(m.sessions, id)
				delete(m.seq, id)
			},
			"prune nothing": func(t *rapid.T) {
				if deleted, err := pick().Prune(ctx, time.Hour, 0); deleted != 0 || err != nil {
					t.Fatal(deleted, err)
				}
			},
			"open again": func(t *rapid.T) { reopen(rapid.IntRange(0, 1).Draw(t, "connection")) },
		})
	})
}
