package store

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"
)

// TestAnyDamageIsAnError writes garbage into a file and its log, or cuts them
// off, anywhere: whatever is done with the file then ends with an error that the
// store knows, and a store that passes such an error can be written again.
func TestAnyDamageIsAnError(t *testing.T) {
	ctx := t.Context()
	sound := fresh(t)
	for n := range int64(12) {
		written(t, sound, scripted("s", n))
		if n == 6 {
			execute(t, sound, "PRAGMA wal_checkpoint(TRUNCATE)") // half in the file, half in the log
		}
	}
	if err := sound.Close(); err != nil {
		t.Fatal(err)
	}
	files := contents(t, sound.path)
	folder := t.TempDir()
	known := func(err error) bool {
		var d *Degraded
		var conflict *Conflict
		return err == nil || errors.As(err, &d) && d.Kind != Unavailable || errors.As(err, &conflict) ||
			errors.Is(err, ErrUnknown) || errors.Is(err, ErrTurnUsed) || errors.Is(err, ErrUnknownTurn)
	}
	rapid.Check(t, func(t *rapid.T) {
		path := filepath.Join(folder, "sessions.db")
		old, err := filepath.Glob(path + "*")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range old {
			if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
		}
		for _, suffix := range []string{"", "-wal"} {
			content := []byte(files[suffix])
			for range rapid.IntRange(0, 6).Draw(t, "places") {
				// Past the header, in which a mark of another program may arise.
				place := rapid.IntRange(100, len(content)-1).Draw(t, "place")
				copy(content[place:], rapid.SliceOfN(rapid.Byte(), 1, 40).Draw(t, "garbage"))
			}
			if rapid.IntRange(0, 3).Draw(t, "cut") == 0 {
				content = content[:rapid.IntRange(100, len(content)).Draw(t, "length")]
			}
			if err := os.WriteFile(path+suffix, content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		s, err := Open(ctx, path, clock)
		if !known(err) {
			t.Fatal(err)
		}
		if err != nil {
			return
		}
		defer s.Close()
		_, load := s.Load(ctx, "s")
		_, list := s.Sessions(ctx)
		revision, asked := s.Revision(ctx, "s")
		_, write := s.Write(ctx, scripted("s", revision))
		fork := s.Fork(ctx, "s", 9, "t")
		forget := s.Forget(ctx, "s")
		for _, err := range []error{load, list, asked, write, fork, forget} {
			var d *Degraded
			if errors.As(err, &d) && d.Passes() {
				if _, err := s.Write(ctx, full("new")); !known(err) {
					t.Fatal(err)
				}
			}
			if !known(err) {
				t.Fatal(err)
			}
		}
	})
}
