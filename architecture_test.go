package foreword_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
)

// arrows lists, for each part of the program, the parts that it may import.
// The longest prefix that matches a package is its part. docs/architecture.md
// says why.
var arrows = []struct {
	part string
	may  []string
}{
	{"cmd", []string{"lsp", "commands"}},
	{"lsp", []string{"commands", "workspace"}},
	{"commands", []string{"commands", "promptbuilder", "workspace"}},
	{"promptbuilder", []string{"promptbuilder", "workspace"}},
	{"promptbuilder/agents", []string{"promptbuilder/templates"}},
	{"promptbuilder/earlier", []string{"promptbuilder/epoch/store"}},
	{"promptbuilder/models", nil},
	{"promptbuilder/templates", []string{"workspace/fsys"}},
	{"promptbuilder/tokens", []string{"promptbuilder/tokens"}},
	{"promptbuilder/compress", []string{"promptbuilder/compress"}},
	{"promptbuilder/history", []string{"promptbuilder/history", "promptbuilder/compress"}},
	{"promptbuilder/sources", []string{"promptbuilder/agents", "promptbuilder/models", "promptbuilder/templates", "workspace"}},
	{"promptbuilder/tools", []string{"workspace/fsys", "workspace/instructions/globs"}},
	{"promptbuilder/hooks", []string{"promptbuilder/sources", "promptbuilder/history", "workspace/process", "workspace/trust"}},
	{"promptbuilder/wire", []string{"promptbuilder/wire", "promptbuilder/history"}},
	{"promptbuilder/epoch", []string{"promptbuilder/epoch", "promptbuilder/history", "workspace/fsys"}},
	{"promptbuilder/epoch/store", nil},
	{"workspace", []string{"workspace/fsys"}},
	{"workspace/fsys", nil},
	{"workspace/vcs", []string{"workspace/fsys"}},
	{"workspace/ignore", []string{"workspace/fsys", "workspace/vcs"}},
	{"workspace/process", nil},
	{"workspace/trust", []string{"workspace/fsys", "workspace/process"}},
	{"workspace/config", []string{"workspace/fsys"}},
	{"workspace/instructions", []string{"workspace/instructions", "workspace/fsys", "workspace/ignore"}},
	{"workspace/instructions/lint", []string{"workspace/instructions", "workspace/skills", "workspace/fsys", "workspace/ignore"}},
	{"workspace/skills", []string{"workspace/instructions", "workspace/fsys"}},
}

// outsiders lists libraries that only one part of the program may know.
var outsiders = []struct{ library, part string }{
	{"go.lsp.dev/protocol", "lsp"},
	{"go.lsp.dev/jsonrpc2", "lsp"},
	{"github.com/spf13/cobra", "cmd"},
	{"github.com/fsnotify/fsnotify", "lsp"},
	{"github.com/go-git/go-git/v5", "workspace"},
	{"github.com/sabhiram/go-gitignore", "workspace/ignore"},
	{"github.com/ncruces/go-sqlite3", "promptbuilder/epoch/store"},
}

// TestImportArrows holds docs/architecture.md: packages import downwards only.
func TestImportArrows(t *testing.T) {
	packages := listPackages(t)
	if len(packages) < 15 {
		t.Fatalf("go list found only %d packages", len(packages))
	}
	for _, p := range packages {
		from := strings.TrimPrefix(p.ImportPath, "foreword/")
		may, known := allowed(from)
		if !known {
			t.Errorf("%s is in no part of the table of arrows: add it here and to docs/architecture.md", from)
			continue
		}
		for _, imported := range p.Imports {
			if to, own := strings.CutPrefix(imported, "foreword/"); own && !within(to, may) {
				t.Errorf("%s must not import %s; it may import %v", from, to, may)
			}
			for _, o := range outsiders {
				if inside(imported, o.library) && !inside(from, o.part) && !strings.Contains(from, "internal/generate") {
					t.Errorf("%s must not import %s; only %s may", from, imported, o.part)
				}
			}
		}
	}
}

type listed struct {
	ImportPath string
	Imports    []string
}

func listPackages(t *testing.T) []listed {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []listed
	decoder := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p listed
		switch err := decoder.Decode(&p); {
		case errors.Is(err, io.EOF):
			return all
		case err != nil:
			t.Fatal(err)
		}
		if p.ImportPath != "foreword" {
			all = append(all, p)
		}
	}
}

func allowed(pkg string) (may []string, known bool) {
	longest := -1
	for _, a := range arrows {
		if inside(pkg, a.part) && len(a.part) > longest {
			may, known, longest = a.may, true, len(a.part)
		}
	}
	return may, known
}

func within(pkg string, parts []string) bool {
	for _, part := range parts {
		if inside(pkg, part) {
			return true
		}
	}
	return false
}

func inside(pkg, part string) bool { return pkg == part || strings.HasPrefix(pkg, part+"/") }
