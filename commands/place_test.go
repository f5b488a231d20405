package commands

import (
	"path/filepath"
	"testing"
)

// TestRootOfTheWalk holds where a walk begins: the repository, else the folder,
// never above the home folder.
func TestRootOfTheWalk(t *testing.T) {
	r := newRepo(t, map[string]string{
		"main.go": "", "~/notes/x.md": "", "~/AGENTS.md": "Home rule", "~/.git/HEAD": "ref: refs/heads/main\n", "~/other/.git/HEAD": "ref: refs/heads/main\n", "~/other/a/b.go": "",
	})
	base := filepath.Dir(r.home)
	for name, c := range map[string]struct {
		folder, target, root string
	}{
		"a repository above the folder":          {r.root, r.path("main.go"), r.root},
		"a repository inside the folder":         {r.home, r.path("~/other/a/b.go"), r.path("~/other")},
		"a folder without a repository":          {r.path("~/notes"), r.path("~/notes/x.md"), r.path("~/notes")},
		"a home that is a repository is no root": {r.path("~/notes"), r.path("~/notes/x.md"), r.path("~/notes")},
		"a folder above the home":                {base, r.path("~/notes/x.md"), r.home},
		"the home itself":                        {r.home, r.path("~/notes/x.md"), r.home},
	} {
		s, err := Open(Options{Home: r.home, Roots: []Folder{{Path: c.folder, Name: "f"}}})
		must(t, err)
		p, err := s.locate(s.Workspace().Snapshot(), fileURI(c.target), "")
		must(t, err)
		if p.root != c.root {
			t.Errorf("%s: root %s, want %s", name, p.root, c.root)
		}
	}
}

func TestDocumentsThatAreNoFiles(t *testing.T) {
	r := newRepo(t, small)
	s := r.open()
	p := build(t, s, BuildPromptParams{URI: "untitled:Untitled-1"})
	if len(instructionKeys(p)) != 1 {
		t.Errorf("an untitled document belongs to the first folder: %v", keys(p))
	}
	none, err := Open(Options{Home: r.home})
	must(t, err)
	if p := build(t, none, BuildPromptParams{}); len(p.Sections) == 0 {
		t.Error("without a folder there is still a prompt")
	}
	if p := build(t, none, BuildPromptParams{URI: r.uri("svc/pay/x.go")}); len(instructionKeys(p)) != 3 {
		t.Errorf("without folders a file's repository is its root: %v", keys(p))
	}
}
