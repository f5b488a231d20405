package commands

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"go.lsp.dev/uri"

	"foreword/workspace"
	"foreword/workspace/fsys"
	"foreword/workspace/instructions/lint"
)

// A large repository: 2,000 directories of 25 files, 300 of them with an
// AGENTS.md, up to seven levels deep. It is made once for all tests of a run.
const (
	largeDirs   = 2_000
	largeFiles  = 25
	largeNested = 300
)

var large struct {
	once sync.Once
	root string
	deep string // a file seven levels down
	err  error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if large.root != "" {
		_ = os.RemoveAll(large.root) // a temporary folder; the system clears what is left
	}
	os.Exit(code)
}

func largeRepo(t testing.TB) (root, deep string) {
	t.Helper()
	large.once.Do(func() { large.err = makeLarge() })
	if large.err != nil {
		t.Fatal(large.err)
	}
	return large.root, large.deep
}

func makeLarge() error {
	base, err := os.MkdirTemp("", "foreword-large-")
	if err != nil {
		return err
	}
	if large.root, err = filepath.EvalSymlinks(base); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(large.root, ".git"), 0o755); err != nil {
		return err
	}
	for name, text := range map[string]string{".git/HEAD": "ref: refs/heads/main\n", "AGENTS.md": "Root rule.\n"} {
		if err := os.WriteFile(filepath.Join(large.root, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	for i := range largeDirs {
		// Digits of base 4 make a tree with few children for each directory.
		dir := large.root
		for n := i; n > 0; n /= 4 {
			dir = filepath.Join(dir, fmt.Sprintf("d%d", n%4))
		}
		dir = filepath.Join(dir, fmt.Sprintf("pkg%d", i))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		for j := range largeFiles {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("file%02d.go", j)), []byte("package p\n"), 0o644); err != nil {
				return err
			}
		}
		if i%(largeDirs/largeNested) == 0 {
			if err := os.WriteFile(filepath.Join(dir, "AGENTS.md"), fmt.Appendf(nil, "Rule of package %d.\n", i), 0o644); err != nil {
				return err
			}
			large.deep = filepath.Join(dir, "file00.go")
		}
	}
	return nil
}

// commitLarge makes the large repository one that git knows, with every file
// committed: git status then has 50,000 files to look at.
func commitLarge(t testing.TB) {
	t.Helper()
	root, _ := largeRepo(t)
	if _, err := os.Stat(filepath.Join(root, ".git", "index")); err == nil {
		return
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qm", "all"}} {
		c := exec.Command("git", args...)
		c.Dir = root
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
}

func openLarge(t testing.TB) (*Service, *fsys.Counting, string) {
	t.Helper()
	root, deep := largeRepo(t)
	files := fsys.NewCounting(fsys.Disk())
	s, err := Open(Options{Home: nobody(root), Disk: files, Roots: []Folder{{Path: root, Name: "large"}}})
	if err != nil {
		t.Fatal(err)
	}
	return s, files, string(uri.File(deep))
}

// TestExplainReadsOnlyAncestors holds that a question about one file of 50,000
// costs that file's ancestors, and that asking again costs nothing.
func TestExplainReadsOnlyAncestors(t *testing.T) {
	s, files, deep := openLarge(t)
	got, err := s.ExplainInstructions(t.Context(), ExplainInstructionsParams{URI: deep})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Entries) != 2 {
		t.Fatalf("%d entries, want the root's and the package's", len(got.Entries))
	}
	target := uriPath(deep)
	var ancestors []string
	for dir := filepath.Dir(target); ; dir = filepath.Dir(dir) {
		ancestors = append(ancestors, dir)
		if dir == filepath.Dir(dir) {
			break
		}
	}
	calls := files.Calls()
	home := nobody(large.root)
	for _, call := range calls {
		if !slices.Contains(ancestors, call.Path) && !slices.Contains(ancestors, filepath.Dir(call.Path)) && !fsys.Within(home, call.Path) {
			t.Errorf("%s %s is about no ancestor of the file", call.Op, call.Path)
		}
	}
	t.Logf("%d file-system calls for a file %d levels down in %d files", len(calls), len(ancestors), largeDirs*largeFiles)
	if most := 12 * len(ancestors); len(calls) > most {
		t.Errorf("%d calls for %d ancestors, want at most %d", len(calls), len(ancestors), most)
	}

	if _, err := s.ExplainInstructions(t.Context(), ExplainInstructionsParams{URI: deep}); err != nil {
		t.Fatal(err)
	}
	if again := files.Calls()[len(calls):]; len(again) != 0 {
		t.Errorf("asking again made %d calls: %v", len(again), again)
	}
}

// TestKeystrokeWalksNothing holds that an edit of an open instruction file
// shows at once and without a look at the disk.
func TestKeystrokeWalksNothing(t *testing.T) {
	s, files, deep := openLarge(t)
	rules := uri.File(filepath.Join(filepath.Dir(uriPath(deep)), "AGENTS.md"))
	s.Workspace().DidOpen(rules, "markdown", 1, "Rule.\n")
	explain := func() *ExplainInstructionsResult {
		got, err := s.ExplainInstructions(t.Context(), ExplainInstructionsParams{URI: deep})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	before := explain()
	calls := len(files.Calls())
	if err := s.Workspace().DidChange(rules, 2, []workspace.Change{{Text: "Another rule.\n"}}); err != nil {
		t.Fatal(err)
	}
	after := explain()
	if before.Text == after.Text {
		t.Error("the edit does not show")
	}
	for _, call := range files.Calls()[calls:] {
		if call.Op == "ReadDir" || call.Op == "ReadFile" {
			t.Errorf("a keystroke made the call %s %s", call.Op, call.Path)
		}
	}
}

func BenchmarkExplain(b *testing.B) {
	b.Run("cold", func(b *testing.B) {
		largeRepo(b)
		b.ReportAllocs()
		for b.Loop() {
			s, _, deep := openLarge(b)
			if _, err := s.ExplainInstructions(b.Context(), ExplainInstructionsParams{URI: deep}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("warm", func(b *testing.B) {
		s, _, deep := openLarge(b)
		b.ReportAllocs()
		for b.Loop() {
			if _, err := s.ExplainInstructions(b.Context(), ExplainInstructionsParams{URI: deep}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("keystroke", func(b *testing.B) {
		s, _, deep := openLarge(b)
		rules := uri.File(filepath.Join(filepath.Dir(uriPath(deep)), "AGENTS.md"))
		s.Workspace().DidOpen(rules, "markdown", 0, "Rule.\n")
		version := int32(0)
		b.ReportAllocs()
		for b.Loop() {
			version++
			if err := s.Workspace().DidChange(rules, version, []workspace.Change{{Text: fmt.Sprintf("Rule %d.\n", version)}}); err != nil {
				b.Fatal(err)
			}
			if _, err := s.ExplainInstructions(b.Context(), ExplainInstructionsParams{URI: deep}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkScan is the first full scan of 50,000 files: finding the instruction
// files through git and by walking, and all that check and list do after it.
func BenchmarkScan(b *testing.B) {
	commitLarge(b)
	root, _ := largeRepo(b)
	scans := map[string]func(*Service) error{
		"git": func(s *Service) error {
			_, err := s.find(b.Context(), s.Workspace().Snapshot(), root)
			return err
		},
		"walk": func(s *Service) error {
			_, err := lint.Find(b.Context(), lint.Search{Root: root, FS: s.Workspace().Snapshot().FS()})
			return err
		},
		"check": func(s *Service) error {
			_, err := s.CheckInstructions(b.Context(), CheckInstructionsParams{})
			return err
		},
		"list": func(s *Service) error {
			_, err := s.ListInstructions(b.Context(), ListInstructionsParams{})
			return err
		},
	}
	for _, name := range slices.Sorted(maps.Keys(scans)) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s, _, _ := openLarge(b)
				if err := scans[name](s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkBuildPrompt(b *testing.B) {
	commitLarge(b)
	b.Run("cold", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			s, _, deep := openLarge(b)
			if _, err := s.BuildPrompt(b.Context(), BuildPromptParams{URI: deep}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("warm", func(b *testing.B) {
		s, _, deep := openLarge(b)
		b.ReportAllocs()
		for b.Loop() {
			if _, err := s.BuildPrompt(b.Context(), BuildPromptParams{URI: deep}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// nobody is a home folder beside the repository, with nothing in it.
func nobody(root string) string { return root + "-home" }
