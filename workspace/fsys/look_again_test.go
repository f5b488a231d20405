package fsys

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A fresh answer is believed, unless somebody looks again.
func TestLookAgain(t *testing.T) {
	dir := t.TempDir()
	path, other := filepath.Join(dir, "a.md"), filepath.Join(dir, "never read.md")
	write := func(text string) { must(t, os.WriteFile(path, []byte(text), 0o666)) }
	for _, test := range []struct {
		name    string
		ahead   time.Duration // of the clock, so that the files are that old
		happens func()
		look    []string
		changed bool
	}{
		{name: "nothing", ahead: time.Hour, happens: func() {}, look: []string{path, dir, other}},
		{name: "another text", ahead: time.Hour, happens: func() { write("another") }, look: []string{path}, changed: true},
		{name: "another text elsewhere", ahead: time.Hour, happens: func() { write("another") }, look: []string{other}},
		{name: "a file is gone", ahead: time.Hour, happens: func() { must(t, os.Remove(path)) }, look: []string{path}, changed: true},
		{name: "a name is new in a folder", ahead: time.Hour, happens: func() { must(t, os.WriteFile(filepath.Join(dir, "new.md"), nil, 0o666)) }, look: []string{dir}, changed: true},
		{name: "it may have changed without a mark", happens: func() {}, look: []string{path}, changed: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			write("text")
			start := time.Now().Add(test.ahead)
			cache := NewCache(Disk(), func() time.Time { return start })
			_, err := cache.ReadFile(path)
			must(t, err)
			_, err = cache.ReadDir(dir)
			must(t, err)
			before := cache.Generation()
			test.happens()
			if got := cache.LookAgain(test.look); got != test.changed {
				t.Errorf("changed: %v", got)
			}
			if grown := cache.Generation() != before; grown != test.changed {
				t.Errorf("what was made of the files holds: %v", !grown)
			}
			f, err := cache.ReadFile(path)
			now, gone := os.ReadFile(path)
			if test.changed && (gone == nil) != (err == nil) || test.changed && err == nil && f.Text != string(now) {
				t.Errorf("reads %v, %v; the disk has %q, %v", f, err, now, gone)
			}
		})
	}
}
