package workspace

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"foreword/workspace/fsys"

	"go.lsp.dev/uri"
)

// megabyte is a text of 1 MB in lines of 50 bytes.
func megabyte(line string) string {
	line += strings.Repeat(".", 49-len(line)) + "\n"
	return strings.Repeat(line, 1_000_000/len(line))
}

// An edit of 1 kB in a buffer of 1 MB, in the middle, forth and back.
func BenchmarkDidChange1kBIn1MB(b *testing.B) {
	insert := strings.Repeat(strings.Repeat("x", 49)+"\n", 20)
	for name, line := range map[string]string{"ascii": "some text", "utf16": "einige Wörter 世界 😀"} {
		b.Run(name, func(b *testing.B) {
			w := New(Options{})
			w.DidOpen("file:///w/a.md", "markdown", 0, megabyte(line))
			b.ReportAllocs()
			version := int32(0)
			for b.Loop() {
				version++
				c := Change{Range: span(10000, 12, 10000, 12), Text: insert}
				if version%2 == 0 {
					c = Change{Range: span(10000, 12, 10020, 12)}
				}
				if err := w.DidChange("file:///w/a.md", version, []Change{c}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A word replaced in each of 1000 lines of a buffer of 1 MB, as an editor sends
// "replace all": one notification, the last place first.
func BenchmarkDidChangeReplaceAll(b *testing.B) {
	w := New(Options{})
	w.DidOpen("file:///w/a.md", "markdown", 0, megabyte("some text"))
	var changes []Change
	for i := range 1000 {
		line := 20*(999-i) + 7
		changes = append(changes, Change{Range: span(line, 5, line, 9), Text: "text"})
	}
	b.ReportAllocs()
	version := int32(0)
	for b.Loop() {
		version++
		if err := w.DidChange("file:///w/a.md", version, changes); err != nil {
			b.Fatal(err)
		}
	}
}

// One letter typed in a file of 20 kB while 40 buffers are open, up to the
// reader that asks for the text.
func BenchmarkKeystrokeAndRead(b *testing.B) {
	root := folder(b, nil)
	w := New(Options{})
	text := megabyte("some text")[:20_000]
	var last string
	for i := range 40 {
		last = filepath.Join(root, fmt.Sprintf("%02d.md", i))
		w.DidOpen(uri.File(last), "markdown", 0, text)
	}
	b.ReportAllocs()
	version := int32(0)
	for b.Loop() {
		version++
		c := Change{Range: span(3, 0, 3, 0), Text: "x"}
		if version%2 == 0 {
			c = Change{Range: span(3, 0, 3, 1)}
		}
		if err := w.DidChange(uri.File(last), version, []Change{c}); err != nil {
			b.Fatal(err)
		}
		if _, err := w.Snapshot().FS().ReadFile(last); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMapper(b *testing.B) {
	text := megabyte("einige Wörter 世界 😀")
	m := NewMapper(text)
	m.Lines()
	b.Run("index1MB", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			NewMapper(text).Lines()
		}
	})
	b.Run("offset", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			m.Offset(Position{10000, 20}, UTF16)
		}
	})
	b.Run("position", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			m.Position(500_020, UTF16)
		}
	})
	minified := NewMapper(strings.Repeat("x", 1_000_000))
	b.Run("position1MBLine", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			minified.Position(999_999, UTF16)
		}
	})
}

// A read that is answered from memory.
func BenchmarkWarmRead(b *testing.B) {
	root := folder(b, map[string]string{"AGENTS.md": "rules", "src/x.go": "package x"})
	path := filepath.Join(root, "AGENTS.md")
	w := New(Options{})
	s := w.Snapshot()
	read := func(b *testing.B, fs fsys.FS) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := fs.ReadFile(path); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("cache", func(b *testing.B) { read(b, s.Cache()) })
	b.Run("confined", func(b *testing.B) { read(b, fsys.Confine(s.Cache(), root)) })
	w.DidOpen(uri.File(filepath.Join(root, "src/x.go")), "go", 1, "package x")
	s = w.Snapshot()
	b.Run("overlay", func(b *testing.B) { read(b, s.FS()) })
	b.Run("memo", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			s.Memo(memoKey("a"), func() any { return 1 })
		}
	})
}
