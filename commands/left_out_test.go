package commands

import (
	"strings"
	"testing"
)

// TestSecretsUnderAnotherName holds that no source tells a secret that a link
// gives another name, whether the folder is trusted or not.
func TestSecretsUnderAnotherName(t *testing.T) {
	for _, trusted := range []bool{false, true} {
		r := newRepo(t, map[string]string{
			".env": "TOKEN=supersecret\n", "notes.md": "->.env", "README.md": "->notes.md", ".ssh/id_rsa": "supersecret key\n", "docs": "->.ssh",
			"main.go": "package main\n", "sub/AGENTS.md": "->../.env", "sub/x.go": "",
			"foreword.toml": "[active]\ntokens = 4000\n[context]\nfiles = [\"notes.md\", \"docs/*\"]\n[instructions]\nfiles = [\"notes.md\"]\n" +
				"[[sources]]\nkey = \"own/file\"\nlayer = \"dynamic\"\nfile = \"notes.md\"\n[[sources]]\nkey = \"own/glob\"\nlayer = \"dynamic\"\nglob = \"*.md\"\n",
		})
		s := r.open()
		if trusted {
			run[TrustResult](t, s, "foreword.trust", map[string]any{"folder": r.uri(""), "trusted": true})
		}
		for _, name := range []string{"notes.md", "docs/id_rsa", "sub/AGENTS.md"} {
			r.edit(s, name, "supersecret of a buffer\n")
		}
		got := build(t, s, BuildPromptParams{URI: r.uri("main.go"), Message: "see notes.md and docs/id_rsa"})
		for _, section := range got.Sections {
			if strings.Contains(section.Text, "supersecret") {
				t.Errorf("trusted %v: %s tells a secret:\n%s", trusted, section.Key, section.Text)
			}
		}
		told := false
		for _, n := range got.NotApplied {
			told = told || strings.Contains(n.Why, "leads to .env")
		}
		if !told {
			t.Errorf("trusted %v: nothing says where the link leads: %+v", trusted, got.NotApplied)
		}
	}
}
