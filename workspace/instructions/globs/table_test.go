package globs

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// answer is a line of testdata.
type answer struct {
	at       string // file and line
	want     bool
	path     string
	patterns []string
}

// readAnswers reads a file of lines "yes|no TAB path TAB pattern [TAB pattern]…". Lines that begin with # say what the
// next ones are about.
func readAnswers(t testing.TB, file string) []answer {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var answers []answer
	for i, line := range strings.Split(string(text), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		fields := strings.Split(line, "\t")
		if len(fields) < 3 || fields[0] != "yes" && fields[0] != "no" {
			t.Fatalf("%s:%d: not an answer: %q", file, i+1, line)
		}
		answers = append(answers, answer{
			at:   fmt.Sprintf("%s:%d", filepath.Base(file), i+1),
			want: fields[0] == "yes", path: fields[1], patterns: fields[2:],
		})
	}
	return answers
}

// TestTables holds each dialect's rules by examples from its tool's documentation and source.
func TestTables(t *testing.T) {
	for _, d := range Dialects() {
		answers := readAnswers(t, filepath.Join("testdata", string(d)+".txt"))
		if len(answers) < 25 {
			t.Errorf("%s: only %d examples", d, len(answers))
		}
		checkAnswers(t, d, answers)
	}
}

// TestRecorded holds the dialects whose tool's matcher could be run by what it answered.
func TestRecorded(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "recorded", "*.txt"))
	if err != nil || len(files) != 4 {
		t.Fatalf("%d recordings, %v", len(files), err)
	}
	for _, file := range files {
		d := Dialect(strings.TrimSuffix(filepath.Base(file), ".txt"))
		checkAnswers(t, d, readAnswers(t, file))
	}
}

func checkAnswers(t *testing.T, d Dialect, answers []answer) {
	t.Helper()
	for _, a := range answers {
		s, _ := Compile(d, a.patterns)
		index, ok := s.Match(a.path)
		if ok != a.want {
			t.Errorf("%s: %s: %q matches %q: %v, want %v", a.at, d, a.patterns, a.path, ok, a.want)
		}
		if ok && (index < 0 || index >= len(a.patterns)) {
			t.Errorf("%s: %s: %q matches %q by pattern %d", a.at, d, a.patterns, a.path, index)
		}
	}
}
