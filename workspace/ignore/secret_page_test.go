package ignore

import (
	"os"
	"strings"
	"testing"
)

// docs/context.md lists every name and folder that counts as a secret.
func TestPageOfSecrets(t *testing.T) {
	raw, err := os.ReadFile("../../docs/context.md")
	if err != nil {
		t.Fatal(err)
	}
	_, page, found := strings.Cut(string(raw), "\n## What counts as a secret\n")
	if !found {
		t.Fatal("docs/context.md has no section on secrets")
	}
	for _, s := range secretNames {
		if !strings.Contains(page, "`"+s.pattern+"`") {
			t.Errorf("docs/context.md does not list %s (%s)", s.pattern, s.why)
		}
	}
	for _, f := range secretFolders {
		if !strings.Contains(page, "`"+f.folder+"`") {
			t.Errorf("docs/context.md does not list the folder %s (%s)", f.folder, f.why)
		}
	}
	for name := range secretCode {
		if !strings.Contains(page, "`"+name+"`") {
			t.Errorf("docs/context.md does not list %s", name)
		}
	}
}

// What the page says is no secret is none.
func TestPageOfSecretsNamesWhatIsNone(t *testing.T) {
	for _, name := range []string{"credentials.go", "secrets.rs", "key.pem.ts", "env.example", "example.env"} {
		if why, secret := Secret(name); secret {
			t.Errorf("%s is secret: %s", name, why)
		}
	}
}
