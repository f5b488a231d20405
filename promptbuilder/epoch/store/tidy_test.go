package store

import (
	"os"
	"testing"
)

// TestTheLogIsEmptied holds that the log stays short, be it that somebody tidies
// or that nobody does, and that a small one is left alone.
func TestTheLogIsEmptied(t *testing.T) {
	for _, c := range []struct {
		name        string
		changes     int
		tidy        bool
		least, most int64 // bytes of the log after them
	}{
		{"few changes", 5, true, 1, worthwhileLog * 4200},
		{"many changes, tidied", 400, true, 1, 2 * worthwhileLog * 4200},
		{"many changes", 400, false, 2 * worthwhileLog * 4200, 2 * fullLog * 4200},
	} {
		s := fresh(t)
		file := bytesOf(t, s.path)
		for n := range int64(c.changes) {
			written(t, s, typical("s", n))
			if c.tidy {
				if err := s.Tidy(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
		}
		if log := bytesOf(t, s.path+"-wal"); log < c.least || log > c.most {
			t.Errorf("%s: the log takes %d bytes", c.name, log)
		}
		if moved := bytesOf(t, s.path) > file; moved != (c.changes > 100) {
			t.Errorf("%s: moved into the file: %v", c.name, moved)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if log := bytesOf(t, s.path+"-wal"); log > worthwhileLog*4200 {
			t.Errorf("%s: the next to open the file has to read a log of %d bytes", c.name, log)
		}
		if rows := loaded(t, opened(t, s.path), "s"); len(rows.Turns) != c.changes {
			t.Errorf("%s: %d turns", c.name, len(rows.Turns))
		}
	}
}

func bytesOf(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
