package ignore

import (
	"path"
	"strings"
	"testing"
	"time"
)

func nowFixed() func() time.Time {
	now := time.Now()
	return func() time.Time { return now }
}

// Names that hold secrets are known in any case and any folder; names that only look so are not.
func TestSecret(t *testing.T) {
	for _, name := range []string{
		".env", ".env.local", ".env.production", ".ENV", "prod.env", ".envrc", ".env.js", ".env.local.sh", "id_rsa", "ID_RSA", "id_ed25519", "id_ecdsa_sk", "id_rsa.bak",
		"server.pem", "tls.KEY", "cert.p12", "cert.pfx", "AuthKey_X.p8", "release.keystore", "a.jks", "x.kdbx", ".netrc", "_netrc", ".npmrc", ".pypirc",
		".git-credentials", "credentials", "credentials.json", "Credentials.yml", ".aws/credentials", ".aws/config", "x/.ssh/config", ".SSH/known_hosts", ".gnupg/x",
		".kube/config", ".docker/config.json", "secrets.yaml", "secrets.yml", "secrets.json", "app.secrets.json", "terraform.tfstate", "terraform.tfstate.backup",
		"prod.tfvars", ".htpasswd", ".pgpass", ".my.cnf", "client_secret_123.json", "service-account.json", "service_account_prod.json", "kubeconfig", "a.kubeconfig",
		".vault-token", "config/master.key", "wp-config.php", "putty.ppk", ".bash_history", "id_rsa.", "id_rsa::$DATA", ".env ", "ssh_host_rsa_key", "wg0.conf",
		"private-signing.asc", "arduino_secrets.h", ".config/gh/hosts.yml", "application_default_credentials.json",
		"secrets.prod.yaml", ".env-staging", ".dev.vars",
	} {
		for _, full := range []string{name, "/w/app/" + name, `sub/` + name} {
			if why, secret := Secret(full); !secret || why == "" {
				t.Errorf("%s is not secret", full)
			}
		}
	}
	for _, name := range []string{
		".env.example", ".env.sample", ".env.template", ".env.local.example", ".env.dist", "example.env", "id_rsa.pub", "id_ed25519.pub",
		"environment.ts", "env.go", "env", "env.d.ts", "credentials.go", "credentials.ts", "credential_test.py", "secret.go", "secrets.rs", "keyboard.txt", "monkey",
		"AGENTS.md", "CLAUDE.md", "secrets.md", "aws/config.ts", "ssh/config.go", "docker/config.json", ".docker/Dockerfile", "book.asc", "keys.go", "key.txt", "pem.go", "netrc.go",
		"tokens.json", "package.json", "credentials.schema.json", "secrets.example.yaml", "wgsl.conf", "my.env.example", ".aws.md", "x.pem.go", "variables.tf", "",
	} {
		if why, secret := Secret("/w/app/" + name); secret {
			t.Errorf("%s is secret: %s", name, why)
		}
	}
}

// The tables are well formed: patterns compile, are in lower case and are reached.
func TestSecretTables(t *testing.T) {
	for i, s := range secretNames {
		if _, err := path.Match(s.pattern, "x"); err != nil || s.pattern != strings.ToLower(s.pattern) || s.why == "" {
			t.Errorf("%q: %v", s.pattern, err)
		}
		for _, earlier := range secretNames[:i] {
			if earlier.pattern == s.pattern {
				t.Errorf("%q is there twice", s.pattern)
			}
		}
	}
	for _, f := range secretFolders {
		if f.folder != strings.ToLower(f.folder) || strings.HasPrefix(f.folder, "/") || strings.HasSuffix(f.folder, "/") || f.why == "" {
			t.Errorf("%q", f.folder)
		}
	}
}

func TestGitsOwnFilesAreSecret(t *testing.T) {
	for _, path := range []string{"/w/.git/config", "/w/.git/HEAD", "/w/.GIT/hooks/x.go", ".git/x"} {
		if _, secret := Secret(path); !secret {
			t.Errorf("%s may be sent", path)
		}
	}
	for _, path := range []string{"/w/.gitignore", "/w/.github/config", "/w/x.git/config", "/w/.git"} {
		if why, secret := Secret(path); secret {
			t.Errorf("%s may not be sent: %s", path, why)
		}
	}
}

// No name that matches a pattern is passed over because of how it begins or ends.
func TestSecretNamesAreNotPassedOver(t *testing.T) {
	for i, s := range secretNames {
		for _, filling := range []string{"", "x", ".", "a.b-c", s.pattern} {
			name := strings.NewReplacer("*", filling, "[0-9]", "7").Replace(s.pattern)
			if ok, _ := path.Match(s.pattern, name); ok && !nameEnds[i].may(name) {
				t.Errorf("%s matches %s and is passed over", name, s.pattern)
			}
		}
	}
}

func BenchmarkSecret(b *testing.B) {
	for b.Loop() {
		Secret("/home/user/project/pkg/directory")
	}
}
