package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTrusted(t *testing.T) {
	root := folder(t, map[string]string{"app/x.go": "", "app/vendor/y.go": "", "app-secret/z.go": "", "mine/m.go": "", "foreword.toml": "trusted = true\n"})
	at := func(name string) string { return filepath.Join(root, name) }
	must(t, os.Symlink("../app-secret", at("app/out")))
	must(t, os.Symlink("app", at("alias")))
	type says struct {
		folder  string
		trusted bool
	}
	tests := []struct {
		name    string
		said    []says
		folders []string
		trusted string // of the paths below, those that are
	}{
		{"nothing said", nil, []string{"app"}, "mine/m.go"},
		{"a folder", []says{{"app", true}}, nil, "app app/x.go app/vendor/y.go app/new.go alias/x.go mine/m.go"},
		{"a folder by its link", []says{{"alias", true}}, nil, "app app/x.go app/vendor/y.go app/new.go alias/x.go mine/m.go"},
		{"the innermost counts", []says{{"app", true}, {"app/vendor", false}}, nil, "app app/x.go app/new.go alias/x.go mine/m.go"},
		{"in any order", []says{{"app/vendor", true}, {"app", false}}, nil, "app/vendor/y.go mine/m.go"},
		{"taken back", []says{{"app", true}, {"app", false}}, nil, "mine/m.go"},
		{"the whole workspace", []says{{"", true}}, []string{"app"}, "app app/x.go app/vendor/y.go app/new.go alias/x.go mine/m.go"},
		{"a workspace without folders", []says{{"", true}}, nil, "mine/m.go"},
		{"no to the whole, yes to one", []says{{"", false}, {"app/vendor", true}}, []string{"app"}, "app/vendor/y.go mine/m.go"},
		{"no against the user's list", []says{{"mine", false}}, nil, ""},
		{"two spellings that disagree", []says{{"alias", true}, {"app", false}}, nil, "mine/m.go"},
	}
	paths := []string{"app", "app/x.go", "app/vendor/y.go", "app/new.go", "app/out/z.go", "app-secret/z.go", "alias/x.go", "mine/m.go", ""}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := New(Options{UserTrust: func(real string) bool { return strings.HasPrefix(real, at("mine")+"/") }})
			for _, name := range test.folders {
				w.FoldersChanged([]Folder{{at(name), name}}, nil)
			}
			for _, said := range test.said {
				if said.folder != "" {
					said.folder = at(said.folder)
				}
				w.TrustChanged(said.folder, said.trusted)
			}
			var got []string
			for _, name := range paths {
				if w.Snapshot().Trusted(at(name)) {
					got = append(got, name)
				}
			}
			if strings.Join(got, " ") != test.trusted {
				t.Errorf("trusted: %q, want %q", got, test.trusted)
			}
		})
	}
}
