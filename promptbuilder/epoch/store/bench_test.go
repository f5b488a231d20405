package store

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// typical is a turn of a working session: a question and the answer with three
// results of tools before it (8 kB), the state of 40 sources (24 kB), two files
// told.
func typical(id string, revision int64) Change {
	n := int(revision) + 1
	c := Change{
		Session:  Session{ID: id},
		Revision: revision,
		Epochs:   []Epoch{{Number: 1, Baseline: "{}", Snapshot: strconv.Quote(strings.Repeat("0123456789abcdef", 1500))}},
		Turns: []Turn{{
			Number: n, Parent: n - 1, Epoch: 1, State: Prepared, Model: "a model", Provider: "a provider",
			Sections: strconv.Quote(strings.Repeat("key layer hash tokens ", 40)), Prefix: strings.Repeat("f", 64), Full: strings.Repeat("f", 64),
		}},
		Told:    []Told{{Turn: n, RealPath: "/r/a/AGENTS.md", Text: strings.Repeat("do this ", 100)}, {Turn: n, RealPath: "/r/b/AGENTS.md"}},
		Touched: []Touched{{Turn: n, RealPath: "/r/a/x.go", Kind: "read"}},
	}
	for i := range 5 {
		c.Messages = append(c.Messages, Message{Turn: n, Position: i, ID: fmt.Sprint("m", n, i), Body: strings.Repeat("some text ", 160)})
	}
	return c
}

// BenchmarkWrite is a turn stored; slowest is the longest of all, which is one
// that also moved the log into the file.
func BenchmarkWrite(b *testing.B) {
	s := fresh(b)
	changes := make([]time.Duration, 0, b.N)
	revision := int64(0)
	for b.Loop() {
		change := typical("s", revision)
		began := time.Now()
		revision = written(b, s, change)
		changes = append(changes, time.Since(began))
	}
	slices.Sort(changes)
	b.ReportMetric(float64(changes[len(changes)/2].Microseconds()), "median-µs")
	b.ReportMetric(float64(changes[len(changes)*99/100].Microseconds()), "p99-µs")
	b.ReportMetric(float64(changes[len(changes)-1].Microseconds()), "slowest-µs")
}

// BenchmarkRevision is the question whether another server has written.
func BenchmarkRevision(b *testing.B) {
	s := fresh(b)
	written(b, s, full("s"))
	for b.Loop() {
		if _, err := s.Revision(b.Context(), "s"); err != nil {
			b.Fatal(err)
		}
	}
}

// stored200 is a closed file with ten sessions of 200 turns.
func stored200(b *testing.B) string {
	s := fresh(b)
	for i := range 10 {
		for n := range int64(200) {
			written(b, s, typical(fmt.Sprint("s", i), n))
		}
	}
	sizes, err := s.Sizes(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(sizes.Bytes)/1e6, "file-MB")
	return s.path
}

// BenchmarkLoad is a session of 200 turns taken up again.
func BenchmarkLoad(b *testing.B) {
	s := opened(b, stored200(b))
	for b.Loop() {
		loaded(b, s, "s3")
	}
}

// BenchmarkOpen is a file with ten sessions opened and closed.
func BenchmarkOpen(b *testing.B) {
	path := stored200(b)
	for b.Loop() {
		if err := opened(b, path).Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCreate is a file made.
func BenchmarkCreate(b *testing.B) {
	folder := b.TempDir()
	n := 0
	for b.Loop() {
		n++
		if err := opened(b, filepath.Join(folder, fmt.Sprint(n))).Close(); err != nil {
			b.Fatal(err)
		}
	}
}
