package frontmatter

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// hostile are headers of about n bytes that were made to cost time.
func hostile(n int) map[string]string {
	var bomb strings.Builder
	bomb.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x]\n")
	for i := 1; bomb.Len() < n; i++ {
		fmt.Fprintf(&bomb, "a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9), ", "))
	}
	wide := "a: &a [" + strings.Repeat("x,", n/4) + "x]\n"
	for i := 0; len(wide) < n; i++ {
		wide += fmt.Sprintf("b%d: *a\n", i)
	}
	fill := func(unit string) string { return strings.Repeat(unit, n/len(unit)) }
	return map[string]string{
		"aliases of aliases":          bomb.String(),
		"aliases of a long list":      wide,
		"brackets":                    fill("["),
		"brackets after a key":        "a: " + fill("["),
		"closed brackets":             "a: " + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + "\n" + fill("b"),
		"braces":                      fill("{"),
		"dashes":                      fill("- "),
		"dashes in lines":             fill("- - -\n"),
		"question marks":              fill("? "),
		"colons":                      fill(": "),
		"keys":                        fill("a: "),
		"asterisks":                   "a: " + fill("*"),
		"asterisks in a list":         "a: [" + fill("*,"),
		"asterisks in lines":          fill("a: *\n"),
		"anchors":                     fill("&a "),
		"tags":                        fill("!a "),
		"quotes":                      fill(`"`),
		"open quotes":                 fill("a: \"\n"),
		"open single quotes":          fill("'a\n"),
		"hashes":                      fill(" #"),
		"comments":                    fill("# a\n"),
		"comments below a key":        "a:\n" + fill(" # a\n"),
		"line ends":                   fill("\n"),
		"carriage returns":            fill("\r"),
		"line separators":             fill("\u2028"),
		"no-break spaces":             fill("\u00a0"),
		"no-break spaces in one line": "a: " + fill("\u00a0:"),
		"tabs":                        fill("\t"),
		"blocks":                      fill("- |\n"),
		"long list in one line":       "a: [" + fill("ä,") + "]",
		"same key":                    fill("a: b\n"),
		"deep lines":                  deep(n),
	}
}

func deep(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

func took(run func()) time.Duration {
	begin := time.Now()
	run()
	return time.Since(begin)
}

// times tells how many times as long a run takes as base did; the shortest of
// some counts where the first is too long, since other processes run too.
func times(base time.Duration, most float64, run func()) float64 {
	best := took(run)
	for n := 0; n < 4 && float64(best) > most*float64(base); n++ {
		best = min(best, took(run))
	}
	return float64(best) / float64(base)
}

// TestHostileHeaders holds that no header of the largest size costs many times
// what a plain one does; reading in quadratic time costs a thousand times that.
func TestHostileHeaders(t *testing.T) {
	const size, most = hostileHeader, 100.0
	plain := "---\n" + strings.Repeat("word: some words that say a thing or two\n", size/41) + "---\n"
	for _, r := range []Reader{YAML, VSCode, Cursor, Continue} {
		read := func() { Read(r, plain) }
		base := min(took(read), took(read), took(read))
		for name, header := range hostile(size) {
			text := "---\n" + header + "\n---\nbody"
			if n := times(base, most, func() { Read(r, text) }); n > most {
				t.Errorf("%s, %s: %.0f times the cost of a plain header of the same size", r, name, n)
			}
		}
	}
}

// TestHostileFiles holds the same for whole files of the largest size, whose
// rules have to be found.
func TestHostileFiles(t *testing.T) {
	const size, most = hostileSize, 100.0
	plain := strings.Repeat("Some words that say a thing or two.\n", size/36)
	look := func() { Read(Continue, plain) } // looks at every line
	// Not below two milliseconds, which a garbage collection takes.
	base := max(2*time.Millisecond, min(took(look), took(look)))
	for _, r := range []Reader{YAML, VSCode, Cursor, Continue} {
		for _, unit := range []string{"---\n", "---\r", "--- \n", "---x\n", "-", "---\u00a0", "\n", "\r", "\u00a0\n", "---\na: b\n", "a: \"\n", "[", "*"} {
			for _, head := range []string{"", "---\n", "x\n---\n"} {
				text := head + strings.Repeat(unit, size/len(unit))
				if n := times(base, most, func() { Read(r, text) }); n > most {
					t.Errorf("%s, %q and %q: %.0f times the cost of plain text", r, head, unit, n)
				}
			}
		}
	}
}
