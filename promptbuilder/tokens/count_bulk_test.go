//go:build !race

package tokens

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"foreword/promptbuilder/tokens/internal/tablegen"
)

// The tests here work in one goroutine and would take minutes under the race
// detector, or measure what it changes; .ci/suites/go runs them without it.

// bulkEdits is how many edits a document is tried with.
const bulkEdits = 2500

// The committed tables are those that go generate makes of the loader's ranks and this toolchain's Unicode tables.
func TestTablesAreGenerated(t *testing.T) {
	files, err := tablegen.All()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join("tables", name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("tables/%s is not what go generate makes", name)
		}
	}
}

// Windows that trust tokens too close to their end are found out.
func TestWindowsJoinOnlyWhereTheyAgree(t *testing.T) {
	words := strings.Fields("inter national ization token izer count ability under stand ing over lap window ly un re pre ment tion 漢字 日本語 的 ии про ст")
	for _, e := range encodings {
		v, m, r := e.vocabulary(), new(memo), newRand(9)
		for range 300 {
			piece := []byte(mixed(r, 60+r.IntN(600), words))
			want := v.mergeHeap(piece)
			for _, overlap := range []int{0, 1, 3, 8} {
				if got := v.mergeWindows(piece, math.MaxInt, m, overlap, overlap); got != want {
					t.Fatalf("%s: %d tokens with windows that overlap by %d, want %d, in %q", e, got, overlap, want, piece)
				}
			}
		}
	}
}

// Counting allocates nothing, whatever the text.
func TestCountAllocatesNothing(t *testing.T) {
	text := strings.Repeat("func main() { fmt.Println(\"漢字かな交じり文\", 'x') } // it's 1,000 lines\n\t", 200) + strings.Repeat("ab", 3000) + strings.Repeat(" ", 3000)
	for _, e := range encodings {
		e.Count(text)
		if n := testing.AllocsPerRun(50, func() { e.Count(text); e.CountUpTo(text, 100); Valid(text) }); n != 0 {
			t.Errorf("%s: %v allocations per count", e, n)
		}
	}
}

// A text four times as long takes about four times as long, the worst texts too: nothing is quadratic, which would
// take sixteen times. A budget ends the count however long the text is.
func TestTimeGrowsLinearly(t *testing.T) {
	for _, unit := range []string{"a", "A", "-", " ", "\n", "\t ", "1", "'", "漢", "漢A", "é", "e\u0301", "🙂", "\u3000", "<|endoftext|>", "/\n", "ab", "Ab", "\xff"} {
		for _, e := range []Encoding{O200k, CL100k, P50k} {
			short := strings.Repeat(unit, (1<<16)/len(unit))
			long := strings.Repeat(short, 4)
			ratio := math.Inf(1)
			for range 8 { // others use the machine as well
				a := timed(func() { e.Count(short) })
				b := timed(func() { e.Count(long) })
				if ratio = min(ratio, float64(b)/float64(a)); ratio < 6 {
					break
				}
			}
			if ratio > 10 {
				t.Errorf("%s: four times as much of %q takes %.1f times as long", e, unit, ratio)
			}
		}
	}
}
