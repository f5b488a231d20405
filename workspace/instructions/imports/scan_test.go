package imports

import (
	"regexp"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

func textsOf(tokens []Token) string {
	var out []string
	for _, t := range tokens {
		if t.Text != "@"+t.Path {
			out = append(out, t.Text+"="+t.Path)
		} else {
			out = append(out, t.Text)
		}
	}
	return strings.Join(out, " ")
}

// TestScan holds what each dialect takes for an import. A token whose path is
// not its text is written text=path.
func TestScan(t *testing.T) {
	const all = "all"
	for _, c := range []struct {
		name, text string
		want       map[Dialect]string
	}{
		{"pointer", "@AGENTS.md\n", map[Dialect]string{all: "@AGENTS.md"}},
		{"no line end", "@AGENTS.md", map[Dialect]string{all: "@AGENTS.md"}},
		{"in a sentence", "See @docs/a.md for more.\n", map[Dialect]string{Claude: "@docs/a.md", Gemini: "@docs/a.md", Goose: "@docs/a.md"}},
		{"a full stop after it", "See @docs/a.md.\n", map[Dialect]string{Claude: "@docs/a.md.", Gemini: "@docs/a.md.", Goose: "@docs/a.md"}},
		{"a comma after it", "See @docs/a.md, @b.md\n", map[Dialect]string{Claude: "@docs/a.md, @b.md", Gemini: "@docs/a.md, @b.md", Goose: "@docs/a.md @b.md"}},
		{"mail", "Ask dev@example.org\n", map[Dialect]string{}},
		{"in brackets", "(@docs/a.md) [@b.md](@c.md) \"@d.md\"\n", map[Dialect]string{}},
		{"after a tab and no-break space", "a\t@b.md\u00a0@c.md\n", map[Dialect]string{Claude: "@b.md @c.md", Gemini: "@b.md\u00a0@c.md", Goose: "@b.md @c.md"}},
		{"two lines", "@a.md\n@b.md\n", map[Dialect]string{all: "@a.md @b.md"}},
		{"CRLF", "@a.md\r\n@b.md\r\n", map[Dialect]string{all: "@a.md @b.md"}},
		{"twice", "@a.md\n@a.md\n", map[Dialect]string{Claude: "@a.md @a.md", Gemini: "@a.md @a.md", Goose: "@a.md @a.md", Codecompanion: "@a.md"}},
		{"decorator", "Use @dataclass here\n", map[Dialect]string{Claude: "@dataclass", Gemini: "@dataclass"}},
		{"capital", "As @Makefile says, @Docs/a\n", map[Dialect]string{Claude: "@Makefile @Docs/a", Gemini: "@Makefile @Docs/a", Goose: "@Makefile @Docs"}},
		{"home", "@~/.claude/me.md\n", map[Dialect]string{Claude: "@~/.claude/me.md", Codecompanion: "@~/.claude/me.md"}},
		{"absolute", "@/etc/motd\n", map[Dialect]string{all: "@/etc/motd"}},
		{"root", "@/\n", map[Dialect]string{Gemini: "@/", Goose: "@/", Codecompanion: "@/"}},
		{"parent", "@../a.md\n", map[Dialect]string{all: "@../a.md"}},
		{"digit", "@1.md\n", map[Dialect]string{Claude: "@1.md", Goose: "@1.md", Codecompanion: "@1.md"}},
		{"underscore and dash", "x @_a.md @-b.md\n", map[Dialect]string{Claude: "@_a.md @-b.md", Goose: "@_a.md @-b.md"}},
		{"other signs", "x @(a).md @#b.md @*c.md @%d.md @ä.md\n", map[Dialect]string{}},
		{"two at signs", "@@a.md\n", map[Dialect]string{Codecompanion: "@@a.md"}},
		{"at sign alone", "@ @\n@\n", map[Dialect]string{}},
		{"escaped space", `@my\ docs/a.md b` + "\n", map[Dialect]string{Claude: `@my\ docs/a.md=my docs/a.md`, Gemini: `@my\`, Codecompanion: `@my\`}},
		{"backslash", `@docs\a.md` + "\n", map[Dialect]string{Claude: "@docs", Gemini: `@docs\a.md`, Codecompanion: `@docs\a.md`}},
		{"escaped at sign", `\@a.md` + "\n", map[Dialect]string{}},
		{"fragment", "@docs/a.md#top\n", map[Dialect]string{Claude: "@docs/a.md#top=docs/a.md", Gemini: "@docs/a.md#top", Goose: "@docs/a.md", Codecompanion: "@docs/a.md#top"}},
		{"longer extension", "x @a.tar.gz-old @v1.2/x @a.b/c\n", map[Dialect]string{Claude: "@a.tar.gz-old @v1.2/x @a.b/c", Gemini: "@a.tar.gz-old @v1.2/x @a.b/c", Goose: "@a.tar.gz @v1.2 @a.b"}},

		{"code span", "Run `@a.md` and `cat @b.md`\n", map[Dialect]string{Goose: "@b.md"}},
		{"code span over two lines", "a `b\n@a.md c`\n", map[Dialect]string{Goose: "@a.md", Codecompanion: "@a.md"}},
		{"backtick that a paragraph does not close", "a `b\n\n@a.md `c\n", map[Dialect]string{Claude: "@a.md", Goose: "@a.md", Codecompanion: "@a.md"}},
		{"runs of another length", "a ` b `` @a.md ` c\n", map[Dialect]string{Goose: "@a.md"}},
		{"a longer run closes a shorter one", "a ` b `` @a.md\n", map[Dialect]string{Claude: "@a.md", Gemini: "@a.md", Goose: "@a.md"}},
		{"runs that nothing closes", "a `` @a.md ` c\n", map[Dialect]string{Claude: "@a.md", Gemini: "@a.md", Goose: "@a.md"}},
		{"escaped backtick", "a \\` @a.md `b\n", map[Dialect]string{Claude: "@a.md", Goose: "@a.md"}},
		{"token up to code", "x @a.md`b`\n", map[Dialect]string{Claude: "@a.md", Gemini: "@a.md`b`", Goose: "@a.md"}},
		{"token after code", "`b`@a.md\n", map[Dialect]string{}},
		{"fence", "```sh\ncat @a.md\n@b.md\n```\n@c.md\n", map[Dialect]string{Claude: "@c.md", Gemini: "@c.md", Goose: "@a.md @b.md @c.md", Codecompanion: "@c.md"}},
		{"fence of tildes", "~~~\n@a.md\n~~~\n@b.md\n", map[Dialect]string{Claude: "@b.md", Gemini: "@a.md @b.md", Goose: "@a.md @b.md", Codecompanion: "@b.md"}},
		{"fence inside a longer one", "````\n```\n@a.md\n```\n@b.md\n````\n@c.md\n", map[Dialect]string{Claude: "@c.md", Gemini: "@c.md", Goose: "@a.md @b.md @c.md", Codecompanion: "@c.md"}},
		{"fence of the other kind does not close", "```\n~~~\n@a.md\n```\n", map[Dialect]string{Goose: "@a.md"}},
		{"text after a fence does not close", "```\n``` x\n@a.md\n```\n", map[Dialect]string{Gemini: "@a.md", Goose: "@a.md"}},
		{"unclosed fence", "```\n@a.md\n\n@b.md\n", map[Dialect]string{Gemini: "@a.md @b.md", Goose: "@a.md @b.md"}},
		{"fence in an entry", "- a\n  ```\n  @a.md\n  ```\n  @b.md\n", map[Dialect]string{Claude: "@b.md", Gemini: "@b.md", Goose: "@a.md @b.md", Codecompanion: "@b.md"}},
		{"fence that its entry ends", "- ```\n  @a.md\n\n@b.md\n", map[Dialect]string{Claude: "@b.md", Gemini: "@a.md @b.md", Goose: "@a.md @b.md", Codecompanion: "@b.md"}},
		{"fence in a quotation", "> ```\n> @a.md\n\n@b.md\n", map[Dialect]string{Claude: "@b.md", Gemini: "@a.md @b.md", Goose: "@a.md @b.md", Codecompanion: "@b.md"}},
		{"indented code", "a\n\n    @a.md\n\n\t@b.md\n", map[Dialect]string{Gemini: "@a.md @b.md", Goose: "@a.md @b.md"}},
		{"indented text of a paragraph", "a\n    @a.md\n", map[Dialect]string{all: "@a.md"}},
		{"indented text of an entry", "- a\n\n    @a.md\n\n      @b.md\n", map[Dialect]string{Claude: "@a.md", Gemini: "@a.md @b.md", Goose: "@a.md @b.md", Codecompanion: "@a.md"}},
		{"indented fence is none", "a\n    ```\n@a.md\n", map[Dialect]string{Claude: "@a.md", Gemini: "@a.md", Goose: "@a.md", Codecompanion: "@a.md"}},
		{"comment", "<!-- @a.md -->\n@b.md\n", map[Dialect]string{Claude: "@b.md", Gemini: "@a.md @b.md", Goose: "@a.md @b.md", Codecompanion: "@b.md"}},
		{"comment over lines", "<!--\n@a.md\n\n@b.md\n-->\n@c.md\n", map[Dialect]string{Claude: "@c.md", Gemini: "@a.md @b.md @c.md", Goose: "@a.md @b.md @c.md", Codecompanion: "@c.md"}},
		{"comment in a sentence", "a <!-- @a.md --> @b.md\n", map[Dialect]string{Claude: "@b.md", Gemini: "@a.md @b.md", Goose: "@a.md @b.md"}},
		{"text after a comment", "<!-- x --> @a.md <!-- @b.md\n", map[Dialect]string{Claude: "@a.md", Gemini: "@a.md @b.md", Goose: "@a.md @b.md"}},
		{"comment that is not closed", "a\n\n<!-- @a.md\n\n@b.md\n", map[Dialect]string{Gemini: "@a.md @b.md", Goose: "@a.md @b.md"}},
		{"comment in a sentence that is not closed", "a <!-- @a.md\n\n@b.md\n", map[Dialect]string{Claude: "@a.md @b.md", Gemini: "@a.md @b.md", Goose: "@a.md @b.md", Codecompanion: "@b.md"}},
		{"comment sign in code", "`<!--` @a.md `-->`\n", map[Dialect]string{Claude: "@a.md", Gemini: "@a.md", Goose: "@a.md"}},
		{"code sign in a comment", "a <!-- ` --> @a.md `b`\n", map[Dialect]string{Claude: "@a.md", Goose: "@a.md"}},
		{"HTML block", "<div>\n@a.md\n\n@b.md\n</div>\n", map[Dialect]string{Claude: "@b.md", Gemini: "@a.md @b.md", Goose: "@a.md @b.md", Codecompanion: "@b.md"}},
		{"style sheet", "<style>\n@media x\n\n@font.face\n</style>\n@a.md\n", map[Dialect]string{Claude: "@a.md", Gemini: "@media @font.face @a.md", Goose: "@font.face @a.md", Codecompanion: "@a.md"}},
		{"attribute", "a <b title=\" @a.md \" x='`'> @b.md `c`\n", map[Dialect]string{Claude: "@b.md", Gemini: "@a.md", Goose: "@a.md @b.md"}},
		{"HTML block with an attribute", "<div class='x'>\n@a.md\n</div>\n", map[Dialect]string{Gemini: "@a.md", Goose: "@a.md"}},
		{"address with a dash", "a <x`-y@b-c.d> @d.md `e`\n", map[Dialect]string{Claude: "@d.md", Goose: "@d.md"}},
		{"address that is none", "a <x-y b@c`> @d.md `e`\n", map[Dialect]string{Goose: "@d.md"}},
		{"declaration", "a <!x ` @b.md > @c.md `d`\n", map[Dialect]string{Claude: "@c.md", Goose: "@b.md @c.md"}},
		{"the beginning of a declaration", "a @b.md <!", map[Dialect]string{Claude: "@b.md", Gemini: "@b.md", Goose: "@b.md"}},
		{"instruction", "a <?x ` ?> @c.md `d`\n", map[Dialect]string{Claude: "@c.md", Goose: "@c.md"}},
		{"attributes of all kinds", "a <b c=d e f = 'g`' _h.i-j:k=\"l\"/> @c.md `d`\n", map[Dialect]string{Claude: "@c.md", Goose: "@c.md"}},
		{"closing tag", "a </b > @c.md </b `> @d.md `e`\n", map[Dialect]string{Claude: "@c.md", Gemini: "@c.md", Goose: "@c.md @d.md"}},
		{"first and last capital", "x @A @Z @B-c_d @b\n", map[Dialect]string{Claude: "@A @Z @B-c_d @b", Gemini: "@A @Z @B-c_d @b", Goose: "@A @Z @B-c_d"}},
		{"heading", "# @a.md\n@b.md\n===\n", map[Dialect]string{Claude: "@a.md @b.md", Gemini: "@a.md @b.md", Goose: "@a.md @b.md", Codecompanion: "@b.md"}},
		{"list", "- @a.md\n- x @b.md\n1. @c.md\n", map[Dialect]string{Claude: "@a.md @b.md @c.md", Gemini: "@a.md @b.md @c.md", Goose: "@a.md @b.md @c.md", Codecompanion: "@a.md @c.md"}},
		{"quotation", "> @a.md\n> @b.md\n@c.md\n", map[Dialect]string{Claude: "@a.md @b.md @c.md", Gemini: "@a.md @b.md @c.md", Goose: "@a.md @b.md @c.md", Codecompanion: "@a.md @c.md"}},
		{"quotation without a blank", ">@a.md\n", map[Dialect]string{Claude: "@a.md", Codecompanion: "@a.md"}},
		{"invalid UTF-8", "\xff @a\xff.md\n", map[Dialect]string{Claude: "@a\xff.md", Gemini: "@a\xff.md"}},
		{"NUL", "\x00 @a.md\x00\n", map[Dialect]string{Claude: "@a.md\x00", Gemini: "@a.md\x00", Goose: "@a.md"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, d := range []Dialect{None, "other", Claude, Gemini, Goose, Codecompanion} {
				want := c.want[d]
				if w, ok := c.want[all]; ok && d != None && d != "other" {
					want = w
				}
				if got := textsOf(Scan(d, c.text)); got != want {
					t.Errorf("%s, %q: got %q, want %q", d, c.text, got, want)
				}
			}
		})
	}
}

// TestTokens holds that a lint sees every token of running text.
func TestTokens(t *testing.T) {
	text := "# @a\n\nUse @dataclass, @(x) and `@code`; mail a@b.c.\n\n> @types/node @@x @. @\n\n~~~\n@fence\n~~~\n- @my\\ file.md @docs\\a.md @ä.md\n<!-- @gone -->\n"
	want := `@a @dataclass, @(x) @types/node @my\ file.md=my file.md @docs\a.md @ä.md`
	if got := textsOf(Tokens(text)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestPlaces holds lines and columns, with line ends of each kind.
func TestPlaces(t *testing.T) {
	for _, d := range []Dialect{Claude, Gemini, Goose, Codecompanion} {
		tokens := Scan(d, "ä\n@a.md\r\n  @b.md\r@c.md\n\n> @d.md")
		want := [][2]int{{1, 0}, {2, 2}, {3, 0}, {5, 2}}
		if len(tokens) != len(want) {
			t.Fatalf("%s: %+v", d, tokens)
		}
		for i, token := range tokens {
			if token.Line != want[i][0] || token.Column != want[i][1] {
				t.Errorf("%s: %+v, want %v", d, token, want[i])
			}
		}
	}
}

func TestGooseReadsNoLargeFiles(t *testing.T) {
	text := "@a.md\n"
	text += strings.Repeat("x", maxGoose-len(text))
	if len(Scan(Goose, text)) != 1 || len(Scan(Goose, text+"x")) != 0 {
		t.Error("the bound is 128 KiB")
	}
}

// goosePattern says in one expression what gooseSize does in steps: the first
// alternative that fits counts, as in the engine that Goose uses.
var goosePattern = regexp.MustCompile(`(?:^|[\s\p{Z}\x{85}\x0b])@([a-zA-Z0-9_\-./]+(?:\.[a-zA-Z0-9]+)+|[A-Z][a-zA-Z0-9_\-]*|[a-zA-Z0-9_\-./]*[./][a-zA-Z0-9_\-./]*)`)

// geminiSlow finds code as the expression says, by trying.
func geminiSlow(text string) []span {
	var code []span
	for i := 0; i < len(text); i++ {
		for k := len(text[i:]) - len(strings.TrimLeft(text[i:], "`")); k > 0; k-- {
			if end := strings.Index(text[i+k:], text[i:i+k]); end >= 0 {
				code = append(code, span{i, i + k + end + k})
				i += k + end + k - 1
				break
			}
		}
	}
	return code
}

// TestAgainstExpressions holds Goose and Gemini against the expressions that
// they are made of.
func TestAgainstExpressions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"@", "@", " ", "\n", ".", "/", "-", "_", "A", "b", "1", ",", "`", "``", "```", "\u00a0", "ä", "@a.md"}), 0, 40).Draw(t, "parts"), "")
		var want []span
		for _, m := range goosePattern.FindAllStringSubmatchIndex(text, -1) {
			want = append(want, span{m[2] - 1, m[3]})
		}
		got := Scan(Goose, text)
		if len(got) != len(want) {
			t.Fatalf("%q: %+v, want %v", text, got, want)
		}
		for i := range got {
			if got[i].Start != want[i].start || got[i].End != want[i].end {
				t.Fatalf("%q: %+v, want %v", text, got, want)
			}
		}
		code, slow := geminiCode(text), geminiSlow(text)
		if len(code) != len(slow) {
			t.Fatalf("%q: %v, want %v", text, code, slow)
		}
		for i := range code {
			if code[i] != slow[i] {
				t.Fatalf("%q: %v, want %v", text, code, slow)
			}
		}
	})
}

// TestCodeProtects holds that whatever is put into code, fenced in any way, is
// no import, and that the text after it is read as before.
func TestCodeProtects(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		inner := rapid.StringMatching("([a-z@ <>!#`~-]{0,12}\n){0,6}").Draw(t, "inner")
		mark := rapid.SampledFrom([]string{"`", "~"}).Draw(t, "mark")
		fence := strings.Repeat(mark, 13+rapid.IntRange(0, 3).Draw(t, "more"))
		prefix := rapid.SampledFrom([]string{"", "> ", "- ", "1. ", "> - ", "  "}).Draw(t, "prefix")
		next := strings.NewReplacer("- ", "  ", "1. ", "   ").Replace(prefix)
		text := prefix + fence + "\n"
		for line := range strings.Lines(inner + "@in.md\n" + fence + "\n") {
			text += next + line
		}
		text += "\n\n@out.md\n"
		if got := textsOf(Scan(Claude, text)); got != "@out.md" {
			t.Fatalf("%q: %s", text, got)
		}
	})
}

// checkTokens holds what is true of all tokens.
func checkTokens(t *testing.T, name, text string, tokens []Token) {
	t.Helper()
	end := 0
	for _, token := range tokens {
		if token.Start < end || token.End <= token.Start+1 || token.End > len(text) || text[token.Start:token.End] != token.Text || token.Text[0] != '@' || token.Path == "" {
			t.Fatalf("%s: %+v in %q", name, token, text)
		}
		end = token.End
		if strings.ContainsAny(token.Text, "\r\n") {
			t.Errorf("%s: %q goes over the end of a line", name, token.Text)
		}
		lines := regexp.MustCompile(`\r\n|\r|\n`).Split(text[:token.Start], -1)
		if token.Line != len(lines)-1 || token.Column != len(lines[len(lines)-1]) {
			t.Errorf("%s: %+v is at %d:%d in %q", name, token, len(lines)-1, len(lines[len(lines)-1]), text)
		}
		before := strings.TrimRightFunc(text[:token.Start], unicode.IsSpace)
		if len(before) == token.Start && token.Start > 0 && !strings.HasSuffix(before, ">") {
			t.Errorf("%s: no blank before %+v in %q", name, token, text)
		}
	}
}

func FuzzScan(f *testing.F) {
	for _, seed := range []string{
		"", "@", "@a.md", "`@a` @b", "```\n@a\n```", "~~~\n@a", "    @a", "> - @a\n>   @b", "<!-- @a -->", "<!-- @a", "a <b c=\"@d\"> @e", "- \n\n  @a",
		"@a\\ b#c", "\\`@a`", "1. a\n\n   ~~~\n   @b", "\t@a", ">\t@a", "-\t\t@a", "@a\r@b\r\n@c", "<script>\n@a\n</script>\n@b", "# @a #\n===\n", "\xff@a \xff @b",
		"`` ` `` @a `", "<!-->@a", "<!--->@a-->", "<?@a?> <![CDATA[ @b ]]> <!X @c>", "<http://`> @a `", "* * *\n@a", "@README, @x/y. @Z",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4096 {
			return
		}
		for _, d := range []Dialect{Claude, Gemini, Goose, Codecompanion} {
			tokens := Scan(d, text)
			checkTokens(t, string(d), text, tokens)
			for _, token := range tokens {
				LooksLikePath(token.Text)
			}
		}
		checkTokens(t, "all", text, Tokens(text))
		checkStripped(t, text)
	})
}
