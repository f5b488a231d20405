package lint

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"foreword/workspace/fsys"
	"foreword/workspace/instructions"
)

// everywhere are the places in which a text is tried: each kind of file that
// some tool reads.
var everywhere = []string{
	"AGENTS.md", "CLAUDE.md", "GEMINI.md", "pkg/AGENTS.md", "pkg/AGENTS.override.md", ".rules", ".goosehints", "rules.md",
	".claude/rules/a.md", ".cursor/rules/a.mdc", ".cursor/rules/b.md", ".clinerules/a.md", ".continue/rules/a.md", ".windsurf/rules/a.md",
	".github/copilot-instructions.md", ".github/instructions/a.instructions.md", ".roo/rules/a.md", ".kilo/rules/a.md",
	".agents/skills/a/SKILL.md", ".claude/skills/b/SKILL.md",
}

// readers are tools that between them read everything in every way.
var readers = []string{"foreword", "claude-code", "cline", "codex", "continue", "copilot-cli", "cursor", "gemini-cli", "goose", "opencode", "vscode-copilot", "windsurf"}

// lintText checks a text in all places by these tools, and holds what must be
// true of every answer.
func lintText(t interface {
	Helper()
	Fatalf(string, ...any)
}, disk fsys.FS, root, text string) {
	t.Helper()
	buffers := map[string]fsys.Buffer{}
	for _, name := range everywhere {
		path := filepath.Join(root, filepath.FromSlash(name))
		buffers[path] = fsys.NewBuffer(path, text, 1, true)
	}
	files := fsys.Overlay(disk, buffers)
	found, err := Find(context.Background(), Search{Root: root, FS: files})
	if err != nil {
		t.Fatalf("%v", err)
	}
	w := laid{root: root, home: filepath.Join(root, "none")}
	got, err := Check(context.Background(), Workspace{Root: root, FS: files, Found: found, Tools: readers, Request: w.request("", nil)})
	if err != nil {
		t.Fatalf("%v", err)
	}
	lines := strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n")
	for i, d := range got {
		if i > 0 && compare(got[i-1], d) >= 0 {
			t.Fatalf("out of order: %+v, %+v", got[i-1], d)
		}
		rule, ok := Lookup(d.Code)
		if !ok || d.Message == "" || d.Severity == unset || d.Severity > rule.Severity && d.Code != "import-outside-root" || len(d.Tools) == 0 {
			t.Fatalf("%+v", d)
		}
		if p := d.Place; p != nil && (p.Line < 0 || p.Line >= len(lines) || p.Column < 0 || p.EndColumn < p.Column || p.EndColumn > len(lines[p.Line])) {
			t.Fatalf("%s: the place %+v is not in %q", d.Code, *p, text)
		}
	}
}

var hostile = []string{
	"", "\n", "---", "---\n", "---\n---", "---\n---\n---\n", "\ufeff---\nglobs: *.ts\n---\nx", "---\r\nglobs: *.ts\r\n---\r\nx\r\n",
	"---\nglobs: [a, 1, ~]\napplyTo: {a: b}\npaths:\n  - \n---\n", "---\npaths: [\n", "---\ndescription: |\n  a\n  b: c\nname: x\n---\n",
	"@", "@ @@ @.", "@a.md @./a.md @../../x @/x @~/x", "AGENTS.md", "CLAUDE.md", "../AGENTS.md", ".", "@AGENTS.md\n@CLAUDE.md\n@GEMINI.md",
	"---\nglobs: \"a,b\nalwaysApply: maybe\ntrigger: glob\n---\n", "---\npaths: '{a,{b,c}},[!x],\\\\,!,#,./a,/b,c/'\n---\n",
	"---\nname: \"\"\ndescription: []\n---\n", "a\n---\nglobs: x\n---\nb", "\x00", "\xff\xfe", strings.Repeat("---\n", 50), strings.Repeat("{a,", 200),
	"---\nglobs: " + strings.Repeat("{a,b}", 30) + "\n---\n", "---\nglobs:\u00a0a\n---\n", "---\n? a\n: b\n---\n", "---\n&a [*a]\n---\n",
}

// FuzzCheck holds that no text makes a rule panic, hang or point outside of it.
func FuzzCheck(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	root, disk := f.TempDir(), fsys.NewCache(fsys.Disk(), time.Now)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) < 1<<16 {
			lintText(t, disk, root, strings.ToValidUTF8(text, "\ufffd"))
		}
	})
}

// TestHeadersOfAllShapes tries headers that are put together from what real and
// broken ones consist of.
func TestHeadersOfAllShapes(t *testing.T) {
	root, disk := t.TempDir(), fsys.NewCache(fsys.Disk(), time.Now)
	key := rapid.SampledFrom([]string{"globs", "paths", "applyTo", "alwaysApply", "description", "name", "trigger", "regex", "  x", "- a", ""})
	value := rapid.OneOf(
		rapid.SampledFrom([]string{"", "*", "**/*.ts", "*.py, src/**", "\"a,b\"", "'a'", "[a, b]", "[\"\"]", "[]", "{}", "true", "\"true\"", "7", "~", "|", ">-", "a: b", "@x", "!x", "&x", "*x", "# x", "glob", "manual"}),
		rapid.StringMatching(`[ -~äß\t]{0,12}`),
	)
	line := rapid.Custom(func(t *rapid.T) string {
		return key.Draw(t, "key") + rapid.SampledFrom([]string{": ", ":", "", " "}).Draw(t, "colon") + value.Draw(t, "value")
	})
	rapid.Check(t, func(t *rapid.T) {
		ends := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "ends")
		lines := rapid.SliceOfN(line, 0, 6).Draw(t, "lines")
		close := rapid.SampledFrom([]string{"---", "", "--- ", "..."}).Draw(t, "close")
		text := "---" + ends + strings.Join(lines, ends) + ends + close + ends + rapid.SampledFrom([]string{"", "body @a.md", "@AGENTS.md\n", "AGENTS.md"}).Draw(t, "body")
		lintText(t, disk, root, text)
	})
}

// TestCheckSaysTheSameTwice holds that nothing depends on the order of maps or
// on which goroutine was first.
func TestCheckSaysTheSameTwice(t *testing.T) {
	w := layOut(t, map[string]string{
		"AGENTS.md": "@gone.md", "CLAUDE.md": "@gone.md", "GEMINI.md": "@x", "pkg/AGENTS.md": "x", "pkg/agents.MD": "y", ".rules": "z",
		".cursor/rules/a.mdc": "---\nglobs: [a]\n---\n", ".github/instructions/a.instructions.md": "---\napplyTo: [a]\n---\n",
	})
	first := check(t, w, instructions.ProfileNames(), "", nil)
	if len(first) < 20 {
		t.Errorf("only %d diagnostics", len(first))
	}
	for range 5 {
		if again := check(t, w, instructions.ProfileNames(), "", nil); !reflect.DeepEqual(first, again) {
			t.Fatalf("differs:\n%v\n%v", first, again)
		}
	}
}

// TestOnlyToolsInUseHaveASay holds that a common file is not complained about
// on behalf of tools nobody uses.
func TestOnlyToolsInUseHaveASay(t *testing.T) {
	w := layOut(t, map[string]string{"AGENTS.md": "Use tabs.", "pkg/AGENTS.md": "Use spaces."})
	if got := check(t, w, nil, "", nil); len(got) != 0 {
		t.Errorf("two plain files, and yet %+v", got)
	}
	w = layOut(t, map[string]string{"AGENTS.md": "Use tabs.", ".gemini/settings.json": "{}"})
	if got := check(t, w, nil, "", nil); len(got) != 1 || got[0].Code != "not-read-by-tool" || !slices.Equal(got[0].Tools, []string{"gemini-cli"}) {
		t.Errorf("with signs of Gemini CLI: %+v", got)
	}
}

// TestHiddenByClaudeMDSaysWhere holds that the check does not deny what an
// explanation for a start in the root shows: that AGENTS.md is read there when
// the CLAUDE.md lies below.
func TestHiddenByClaudeMDSaysWhere(t *testing.T) {
	claude, ok, err := instructions.LookupProfile("claude-code")
	must(t, err)
	if !ok {
		t.Fatal("no profile")
	}
	for _, c := range []struct {
		files map[string]string
		want  []string
	}{
		{map[string]string{"AGENTS.md": "r", "a/AGENTS.md": "a", "a/CLAUDE.md": "ac", "a/b/AGENTS.md": "ab"}, []string{
			"a/AGENTS.md: Claude Code, started in a/ or below, does not read this file while a/CLAUDE.md exists: import it there with @AGENTS.md",
			"a/b/AGENTS.md: Claude Code, started in a/ or below, does not read this file while a/CLAUDE.md exists: import it there with @b/AGENTS.md",
		}},
		{map[string]string{"CLAUDE.md": "r", "a/AGENTS.md": "a"}, []string{
			"a/AGENTS.md: Claude Code does not read this file while CLAUDE.md exists: import it there with @a/AGENTS.md",
		}},
	} {
		w := layOut(t, c.files)
		var got []string
		for _, d := range check(t, w, []string{"claude-code"}, "", nil) {
			if d.Code == "hidden-by-claude-md" {
				message, _, _ := strings.Cut(d.Message, ", or add")
				got = append(got, instructions.Display(w.root, "", d.Path)+": "+message)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("got  %q\nwant %q", got, c.want)
		}
		for path := range c.files {
			read := filepath.Join(w.root, filepath.FromSlash(path))
			d, err := instructions.Resolve(t.Context(), fsys.Disk(), claude, instructions.Request{
				Root: w.root, Cwd: w.root, Dir: filepath.Dir(read), Target: read, Event: instructions.Event{Kind: "read", Path: read},
			})
			must(t, err)
			for _, e := range d.Entries {
				name := instructions.Display(w.root, "", e.Path)
				always := slices.ContainsFunc(got, func(m string) bool { return strings.HasPrefix(m, name+": Claude Code does not") })
				if always && e.Sent {
					t.Errorf("%s is sent for %s, and the check denies it", name, path)
				}
			}
		}
	}
}

func TestOnlyLimitsWhatIsTold(t *testing.T) {
	w := layOut(t, map[string]string{"pkg/agents.md": "x", "web/agents.md": "y"})
	found, err := Find(t.Context(), Search{Root: w.root, FS: fsys.Disk()})
	must(t, err)
	got, err := Check(t.Context(), Workspace{
		Root: w.root, FS: fsys.Disk(), Found: found, Tools: []string{"codex"}, Request: w.request("", nil),
		Only: func(path string) bool { return fsys.Within(filepath.Join(w.root, "web"), path) },
	})
	must(t, err)
	if len(got) != 1 || got[0].Path != filepath.Join(w.root, "web", "agents.md") {
		t.Errorf("%+v", got)
	}
}

func TestCheckCanBeCancelled(t *testing.T) {
	w := layOut(t, map[string]string{"AGENTS.md": "x"})
	ctx, cancel := context.WithCancel(t.Context())
	found, err := Find(ctx, Search{Root: w.root, FS: fsys.Disk()})
	must(t, err)
	cancel()
	if _, err := Check(ctx, Workspace{Root: w.root, FS: fsys.Disk(), Found: found, Request: w.request("", nil)}); !errors.Is(err, context.Canceled) {
		t.Errorf("Check: %v", err)
	}
	if _, err := Find(ctx, Search{Root: w.root, FS: fsys.Disk()}); !errors.Is(err, context.Canceled) {
		t.Errorf("Find: %v", err)
	}
	if _, err := Find(ctx, Search{Root: w.root, FS: fsys.Disk(), Listing: []string{"AGENTS.md"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("Find with a listing: %v", err)
	}
}

// tree writes a monorepo of n files: packages with AGENTS.md at every tenth,
// and rules of three tools.
func tree(t testing.TB, n int) (laid, []string) {
	files := map[string]string{
		"AGENTS.md": "Use tabs. See @docs/style.md.", "CLAUDE.md": "@AGENTS.md", "docs/style.md": "Style.", ".gemini/settings.json": "{}",
		".codex/config.toml": "",
	}
	for i := range 40 {
		files[fmt.Sprintf(".cursor/rules/r%02d.mdc", i)] = fmt.Sprintf("---\nglobs: pkg%d/**/*.ts\nalwaysApply: false\n---\nRule.\n", i)
		files[fmt.Sprintf(".claude/rules/r%02d.md", i)] = fmt.Sprintf("---\npaths: [\"pkg%d/**/*.ts\"]\n---\nRule.\n", i)
		files[fmt.Sprintf(".github/instructions/r%02d.instructions.md", i)] = fmt.Sprintf("---\napplyTo: \"pkg%d/**/*.ts\"\n---\nRule.\n", i)
	}
	for i := 0; len(files) < n; i++ {
		dir := fmt.Sprintf("pkg%d/src/part%d", i/100, i/10)
		files[fmt.Sprintf("%s/file%d.ts", dir, i)] = "export {}\n"
		if i%100 == 0 {
			files[fmt.Sprintf("pkg%d/AGENTS.md", i/100)] = "Package rules."
		}
	}
	w := layOut(t, files)
	listing := make([]string, 0, len(files))
	for name := range files {
		listing = append(listing, name)
	}
	slices.Sort(listing)
	return w, listing
}

// BenchmarkCheck is a full check of a monorepo, cold (nothing in a cache) and
// warm (as an editor asks again).
func BenchmarkCheck(b *testing.B) {
	for _, n := range []int{5_000, 50_000} {
		w, listing := tree(b, n)
		cached := fsys.NewCache(fsys.Disk(), time.Now)
		for _, warm := range []bool{false, true} {
			name := map[bool]string{false: "cold", true: "warm"}[warm]
			b.Run(fmt.Sprintf("files=%d/%s", n, name), func(b *testing.B) {
				b.ReportAllocs()
				for range b.N {
					files := cached
					if !warm {
						files = fsys.NewCache(fsys.Disk(), time.Now)
					}
					found, err := Find(b.Context(), Search{Root: w.root, FS: files, Listing: listing})
					must(b, err)
					got, err := Check(b.Context(), Workspace{Root: w.root, FS: files, Found: found, Request: w.request("", nil)})
					must(b, err)
					if len(found.Files) < 150 || len(got) == 0 {
						b.Fatalf("%d files, %d diagnostics", len(found.Files), len(got))
					}
				}
			})
		}
		must(b, os.RemoveAll(w.root))
	}
}
