package templates

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"foreword/workspace/fsys"
)

func write(t *testing.T, dir string, texts map[string]string) Folder {
	t.Helper()
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return Folder{Files: fsys.Disk(), Path: dir}
}

// TestEveryFileIsAText holds the list of names against the folder.
func TestEveryFileIsAText(t *testing.T) {
	entries, err := files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != len(Names) {
		t.Errorf("%d files, %d names", len(entries), len(Names))
	}
	for _, entry := range entries {
		name := Name(strings.TrimSuffix(entry.Name(), ".md"))
		if !slices.Contains(Names, name) {
			t.Errorf("%s is in the folder and not in the list of names", entry.Name())
		}
		text := Set{}.Get(name)
		if text.Text == "" || text.Path != "" || text.Origin() != "templates/"+entry.Name() {
			t.Errorf("%s: %+v", entry.Name(), text)
		}
	}
}

// TestEveryTextIsDocumented holds the page for those who write their own.
func TestEveryTextIsDocumented(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "prompts.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range Names {
		if !strings.Contains(string(page), "`"+string(name)+".md`") {
			t.Errorf("docs/prompts.md does not say what %s is for", name)
		}
	}
}

func TestOwnTextsTakeThePlaceOfBuiltInOnes(t *testing.T) {
	user := write(t, t.TempDir(), map[string]string{
		"title.md": "\r\n\r\nMine.\r\nSecond line.\r\n", "plan.md": "Of the user.", "summary.md": " \n",
		"notes.txt": "no text", ".title.md.swp": "x",
	})
	workspace := write(t, t.TempDir(), map[string]string{"plan.md": "Of the workspace."})
	set, problems := Load(user, workspace, Folder{Files: fsys.Disk(), Path: filepath.Join(t.TempDir(), "none")})
	if len(problems) != 0 {
		t.Errorf("problems: %+v", problems)
	}
	if got := set.Get(Title); got.Text != "Mine.\nSecond line." || got.Path != filepath.Join(user.Path, "title.md") || got.Line != 2 {
		t.Errorf("title: %+v", got)
	}
	if got := set.Get(Plan); got.Text != "Of the workspace." || got.Path != filepath.Join(workspace.Path, "plan.md") {
		t.Errorf("the later folder must win: %+v", got)
	}
	if got := set.Get(Summary); got.Text != "" || got.Path == "" {
		t.Errorf("a blank file says nothing: %+v", got)
	}
	if got := set.Get(Explore); got != (Set{}).Get(Explore) {
		t.Errorf("explore: %+v", got)
	}
	var own []string
	for _, text := range set.Own() {
		own = append(own, string(text.Name))
	}
	if got := strings.Join(own, " "); got != "plan title summary" {
		t.Errorf("own texts: %s", got)
	}
}

// TestATextThatCannotBeReadCostsItselfOnly holds that the built-in one is used,
// and that it is told.
func TestATextThatCannotBeReadCostsItselfOnly(t *testing.T) {
	folder := write(t, t.TempDir(), map[string]string{"plan.md": "Mine.", "titel.md": "A misspelt name.", "summary.md": "\x00\x01binary\x00"})
	if err := os.Mkdir(filepath.Join(folder.Path, "title.md"), 0o755); err != nil {
		t.Fatal(err)
	}
	set, problems := Load(folder)
	if set.Get(Plan).Text != "Mine." {
		t.Error("a good text is lost")
	}
	for _, name := range []Name{Title, Summary} {
		if set.Get(name) != (Set{}).Get(name) {
			t.Errorf("%s: %+v", name, set.Get(name))
		}
	}
	var paths []string
	for _, p := range problems {
		paths = append(paths, filepath.Base(p.Path))
		if p.Message == "" {
			t.Errorf("%s: no message", p.Path)
		}
	}
	if got := strings.Join(paths, " "); got != "summary.md titel.md title.md" {
		t.Errorf("problems: %s", got)
	}
}

// TestAFolderThatIsAFile holds that it is told.
func TestAFolderThatIsAFile(t *testing.T) {
	folder := write(t, t.TempDir(), map[string]string{"templates": "x"})
	folder.Path = filepath.Join(folder.Path, "templates")
	if _, problems := Load(folder); len(problems) != 1 || problems[0].Path != folder.Path {
		t.Errorf("problems: %+v", problems)
	}
}
