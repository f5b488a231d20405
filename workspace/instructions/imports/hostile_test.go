package imports

import (
	"strings"
	"testing"
	"time"
)

// hostile are texts of about n bytes that were made to cost time.
func hostile(n int) map[string]string {
	fill := func(unit string) string { return strings.Repeat(unit, n/len(unit)) }
	return map[string]string{
		"backticks":                      fill("`"),
		"single backticks":               fill("` "),
		"single backticks, paragraphs":   fill("`\n\n"),
		"runs that grow":                 growing(n),
		"runs that grow after short":     fill("` ")[:n/2] + growing(n/2),
		"runs that shrink":               reversed(growing(n)),
		"escaped backticks":              fill("\\`"),
		"backslashes":                    fill("\\"),
		"at signs":                       fill("@"),
		"at signs and blanks":            fill("@ "),
		"tokens":                         fill("@a "),
		"tokens in lines":                fill("@a\n"),
		"one long token":                 "@" + fill("a."),
		"one long token with no end":     "@" + fill("a_"),
		"token with spaces":              "@" + fill("a\\ "),
		"comments that are not closed":   fill("<!--"),
		"the same in a sentence":         "a " + fill("<!--"),
		"the same in lines":              fill("a <!--\n"),
		"the same in paragraphs":         fill("a <!--\n\n"),
		"closed comments":                fill("<!---->"),
		"closed comments in lines":       fill("<!-- -->\n"),
		"comment signs in one comment":   "<!--" + fill("<!-- ") + "-->",
		"ends of comments":               fill("-->"),
		"rules":                          fill("---\n"),
		"underlines":                     fill("a\n---\n"),
		"angles":                         fill("<"),
		"tags that are not closed":       fill("<a "),
		"attributes that are not closed": fill("<a b='"),
		"attributes in attributes":       fill(`<a x="<a y=" z="`),
		"attributes in turns":            fill(`<a b='<a c="`),
		"one long tag":                   "<a " + fill("b "),
		"instructions":                   "a " + fill("<?"),
		"declarations":                   "a " + fill("<!A"),
		"data":                           "a " + fill("<![CDATA["),
		"addresses":                      fill("<a@"),
		"addresses with dots":            fill("<a."),
		"schemes":                        fill("<http:"),
		"quotations":                     fill(">"),
		"quotations in lines":            fill(">\n"),
		"quotations, then lines":         fill("> ")[:n/2] + "a\n" + fill("a\n")[:n/2],
		"dashes":                         fill("- "),
		"dashes, then blank lines":       fill("- ")[:n/2] + "a\n" + fill("\n")[:n/2],
		"dashes, then blanks":            strings.Repeat("- ", 100) + "a\n" + fill(" "),
		"dashes and text":                fill("- ") + "x",
		"numbers":                        fill("1. "),
		"digits":                         fill("1"),
		"entries":                        fill("- a\n"),
		"empty entries":                  fill("-\n"),
		"nested entries":                 nested(n),
		"asterisks":                      fill("* "),
		"fences":                         fill("```\n"),
		"fences that do not close":       fill("``` a\n"),
		"fences of tildes":               "~~~\n" + fill("~~\n"),
		"one long fence":                 fill("~") + "\na",
		"hashes":                         fill("# "),
		"tabs":                           fill("\t"),
		"blanks":                         fill(" "),
		"line ends":                      fill("\n"),
		"carriage returns":               fill("\r"),
		"scripts":                        fill("<script>\n"),
		"HTML blocks":                    fill("<div>\n\n"),
		"no-break spaces":                fill("\u00a0"),
		"dots after an at sign":          "@" + fill(".") + " ",
	}
}

func growing(n int) string {
	var b strings.Builder
	for i := 1; b.Len() < n; i++ {
		b.WriteString(strings.Repeat("`", i) + " ")
	}
	return b.String()
}

func reversed(text string) string {
	b := []byte(text)
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	return string(b)
}

func nested(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i = (i + 1) % 500 {
		b.WriteString(strings.Repeat("  ", i) + "- a\n")
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

// plain is a text of about n bytes as people write it.
func plain(n int) string {
	const page = "# Title\n\nSome words, `code` and @docs/a.md, that say *a thing* or two\nover lines.\n\n- an entry\n- another\n\n```go\nfunc main() {}\n```\n\n<!-- a note -->\n\n"
	return strings.Repeat(page, n/len(page))
}

// TestHostileTexts holds that no text costs many times what a plain one of the
// same size does; quadratic time would be a thousand times that and more.
func TestHostileTexts(t *testing.T) {
	const most = 100.0
	work := map[string]func(text string){
		"claude":        func(text string) { Scan(Claude, text+" @a") },
		"gemini":        func(text string) { Scan(Gemini, text+" @a") },
		"goose":         func(text string) { Scan(Goose, (text + " @a")[:min(maxGoose, len(text))]) },
		"codecompanion": func(text string) { Scan(Codecompanion, text+" @a") },
		"comments":      func(text string) { StripBlockComments(text + "\n\n<!-- a -->\n") },
	}
	base := map[string]time.Duration{}
	usual := plain(hostileSize)
	for what, run := range work {
		// Not below two milliseconds, which a garbage collection takes.
		base[what] = max(2*time.Millisecond, min(took(func() { run(usual) }), took(func() { run(usual) })))
	}
	for name, text := range hostile(hostileSize) {
		for what, run := range work {
			n := times(base[what], most, func() { run(text) })
			if n > most {
				t.Errorf("%s, %s: %.0f times the cost of plain text", name, what, n)
			}
			if n > most/10 {
				t.Logf("%s, %s: %.0f times", name, what, n)
			}
		}
		LooksLikePath(text)
	}
}

func BenchmarkScan(b *testing.B) {
	text := plain(15_000)
	for _, d := range []Dialect{Claude, Gemini, Goose, Codecompanion} {
		b.Run(string(d), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				Scan(d, text)
			}
		})
	}
	b.Run("comments", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			StripBlockComments(text)
		}
	})
}

func BenchmarkLooksLikePath(b *testing.B) {
	tokens := strings.Fields("@dataclass @types/node @docs/a.md @org/team @/components/x @./a.md, @package.json")
	b.ReportAllocs()
	for b.Loop() {
		for _, token := range tokens {
			LooksLikePath(token)
		}
	}
}
