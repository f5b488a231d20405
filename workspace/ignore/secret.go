package ignore

import (
	"path"
	"path/filepath"
	"strings"
)

// secretNames are names of files that hold secrets, as patterns of path.Match in lower case, with the reason; one with
// a slash is about the folder that holds the file too. The first that matches decides.
var secretNames = []struct{ pattern, why string }{
	{".env", "environment file"},
	{".env.*", "environment file"},
	{"*.env", "environment file"},
	{".envrc", "environment file"},
	{".env-*", "environment file"},
	{".env_*", "environment file"},
	{".flaskenv", "environment file"},
	{".dev.vars", "environment file"},
	{".dev.vars.*", "environment file"},
	{".secrets", "secrets file"},
	{".secret", "secrets file"},
	{"secrets.y*ml", "secrets file"},
	{"secrets.json", "secrets file"},
	{"secrets.toml", "secrets file"},
	{"secret.y*ml", "secrets file"},
	{"secret.json", "secrets file"},
	{"secret.toml", "secrets file"},
	{"secrets.*.y*ml", "secrets file"},
	{"*.secrets.*", "secrets file"},
	{"id_rsa*", "private SSH key"},
	{"id_dsa*", "private SSH key"},
	{"id_ecdsa*", "private SSH key"},
	{"id_ed25519*", "private SSH key"},
	{"ssh_host_*_key", "private SSH key"},
	{"*.ppk", "private SSH key"},
	{"*.pem", "private key or certificate"},
	{"*.key", "private key"},
	{"*.p12", "private key or certificate"},
	{"*.pfx", "private key or certificate"},
	{"*.p8", "private key"},
	{"*.pk8", "private key"},
	{"*.jks", "key store"},
	{"*.keystore", "key store"},
	{"*.bks", "key store"},
	{"*.kdb", "password store"},
	{"*.kdbx", "password store"},
	{"*.agilekeychain", "password store"},
	{"*.opvault", "password store"},
	{"*.psafe3", "password store"},
	{"*.keychain", "password store"},
	{"*.keychain-db", "password store"},
	{"*.gpg", "encrypted file or key"},
	{"*private*.asc", "private GPG key"}, // the others are public keys, signatures and AsciiDoc
	{"*secret*.asc", "private GPG key"},
	{"*.age", "encrypted file or key"},
	{"secring.*", "private GPG keys"},
	{".netrc", "password file"},
	{"_netrc", "password file"},
	{".authinfo", "password file"},
	{".authinfo.*", "password file"},
	{".pgpass", "password file"},
	{"pgpass.conf", "password file"},
	{".my.cnf", "password file"},
	{".mylogin.cnf", "password file"},
	{".htpasswd", "password file"},
	{"htpasswd", "password file"},
	{"shadow", "password file"},
	{".npmrc", "registry token"},
	{".yarnrc", "registry token"},
	{".yarnrc.yml", "registry token"},
	{".pypirc", "registry token"},
	{".gem_credentials", "registry token"},
	{".docker/config.json", "registry token"},
	{".dockercfg", "registry token"},
	{".dockerconfigjson", "registry token"},
	{".git-credentials", "access token"},
	{".terraformrc", "access token"},
	{"terraform.rc", "access token"},
	{"*.tfstate", "Terraform state with secrets in clear"},
	{"*.tfstate.*", "Terraform state with secrets in clear"},
	{"*.tfvars", "Terraform variables"},
	{"*.tfvars.json", "Terraform variables"},
	{"credentials", "credentials"},
	{"credentials.*", "credentials"},
	{".credentials", "credentials"},
	{".credentials.*", "credentials"},
	{"*_credentials.json", "credentials"},
	{"*-credentials.json", "credentials"},
	{"client_secret*.json", "credentials"},
	{"service-account*.json", "credentials"},
	{"service_account*.json", "credentials"},
	{"serviceaccount*.json", "credentials"},
	{"application_default_credentials.json", "credentials"},
	{"kubeconfig", "cluster credentials"},
	{"kubeconfig.*", "cluster credentials"},
	{"*.kubeconfig", "cluster credentials"},
	{".vault-token", "access token"},
	{".vault_pass*", "vault password"},
	{"vault_pass*", "vault password"},
	{"*.ovpn", "VPN credentials"},
	{"wg[0-9]*.conf", "VPN credentials"},
	{"*.mobileprovision", "signing profile"},
	{".bash_history", "shell history"},
	{".zsh_history", "shell history"},
	{".psql_history", "shell history"},
	{".mysql_history", "shell history"},
	{".python_history", "shell history"},
	{".node_repl_history", "shell history"},
	{"master.key", "private key"},
	{"wp-config.php", "database password"},
	{"local_settings.py", "local settings with secrets"},
	{"arduino_secrets.h", "secrets file"},
	{"secrets.h", "secrets file"},
	{"secrets.sh", "secrets file"},
	{"credentials.sh", "credentials"},
}

// secretFolders are folders in which everything counts as secret, in lower case, slashes between them.
var secretFolders = []struct{ folder, why string }{
	{".ssh", "SSH keys"},
	{".gnupg", "GPG keys"},
	{".aws", "cloud credentials"},
	{".azure", "cloud credentials"},
	{".gcloud", "cloud credentials"},
	{".config/gcloud", "cloud credentials"},
	{".config/gh", "access token"},
	{".config/hub", "access token"},
	{".config/op", "password store"},
	{".kube", "cluster credentials"},
	{".config/sops", "age keys"},
	{".password-store", "password store"},
	{".1password", "password store"},
	{".local/share/keyrings", "password store"},
	{"library/keychains", "password store"},
	{".secrets", "secrets folder"},
}

// publicEndings are endings of names that look secret and are made to be read: templates and the public halves of
// key pairs.
var publicEndings = []string{
	".example", ".sample", ".template", ".tmpl", ".dist", ".pub", ".schema", ".md",
	".example.json", ".example.yaml", ".example.yml", ".example.toml", ".sample.json", ".sample.yaml", ".sample.yml", ".sample.toml",
	".template.json", ".template.yaml", ".template.yml", ".template.toml", ".schema.json",
	".example.env", ".sample.env", ".template.env",
}

// publicNames are whole names of the same sort.
var publicNames = map[string]bool{
	"example.env": true, "sample.env": true, "template.env": true, "env.example": true,
}

// codeEndings are endings of source code: credentials.go is a program, not a password.
var codeEndings = map[string]bool{
	".c": true, ".cc": true, ".cpp": true, ".cs": true, ".css": true, ".dart": true, ".el": true, ".erl": true, ".ex": true, ".exs": true,
	".go": true, ".h": true, ".hpp": true, ".hs": true, ".html": true, ".java": true, ".js": true, ".jsx": true, ".kt": true, ".lua": true,
	".m": true, ".ml": true, ".mjs": true, ".nix": true, ".php": true, ".pl": true, ".py": true, ".rb": true, ".rs": true, ".scala": true,
	".scss": true, ".sh": true, ".swift": true, ".svelte": true, ".tf": true, ".ts": true, ".tsx": true, ".vue": true, ".zig": true,
}

// secretCode are source files by their ending that hold secrets all the same; so do all whose names begin with .env.
var secretCode = map[string]bool{
	"wp-config.php": true, "local_settings.py": true, "arduino_secrets.h": true, "secrets.h": true, "secrets.sh": true, "credentials.sh": true,
}

// ends are what a name must begin and end with, and hold between, to match a pattern: nearly no name does, and asking costs a fraction
// of a match.
type ends struct{ prefix, middle, suffix string }

func (e ends) may(name string) bool {
	return strings.HasPrefix(name, e.prefix) && strings.HasSuffix(name, e.suffix) && strings.Contains(name, e.middle)
}

// nameEnds are those of secretNames, inFolder what a path in one of secretFolders contains.
var (
	nameEnds = func() []ends {
		all := make([]ends, len(secretNames))
		for i, s := range secretNames {
			all[i] = ends{prefix: s.pattern, suffix: s.pattern}
			if first := strings.IndexAny(s.pattern, `*?[\`); first >= 0 {
				all[i] = ends{prefix: s.pattern[:first], suffix: s.pattern[strings.LastIndexAny(s.pattern, `*?]\`)+1:]}
				if between, ok := strings.CutPrefix(s.pattern, "*"); ok {
					if between, ok = strings.CutSuffix(between, "*"); ok && !strings.ContainsAny(between, `*?[\`) {
						all[i].middle = between
					}
				}
			}
		}
		return all
	}()
	inFolder = func() []string {
		all := make([]string, len(secretFolders))
		for i, f := range secretFolders {
			all[i] = "/" + f.folder + "/"
		}
		return all
	}()
)

// Secret says whether a file's name says that it holds secrets, and why, in a few words for people. Only the name is
// looked at, upper and lower case alike; the file need not exist. A path that a user names is theirs to send.
func Secret(file string) (why string, secret bool) {
	full := strings.ToLower(filepath.ToSlash(file))
	// Windows opens "name." , "name " and "name::$DATA" as "name".
	full, _, _ = strings.Cut(full, "::$")
	full = strings.TrimRight(full, ". ")
	name := full[strings.LastIndexByte(full, '/')+1:]
	if publicNames[name] && !strings.Contains("/"+full, "/.git/") {
		return "", false
	}
	for _, ending := range publicEndings {
		if len(name) > len(ending) && strings.HasSuffix(name, ending) {
			return "", false
		}
	}
	dotted := "/" + full
	if strings.Contains(dotted, "/.git/") {
		return "git's own files, which may hold passwords of remotes", true
	}
	hidden := strings.Contains(dotted, "/.")
	for i, f := range secretFolders {
		if !hidden && f.folder[0] == '.' {
			continue
		}
		if strings.Contains(dotted, inFolder[i]) {
			return f.why + " (in " + f.folder + ")", true
		}
	}
	if codeEndings[path.Ext(name)] && !secretCode[name] && !strings.HasPrefix(name, ".env") {
		return "", false
	}
	for i, s := range secretNames {
		tail := name
		if strings.Contains(s.pattern, "/") {
			tail = full[strings.LastIndexByte(strings.TrimSuffix(full, "/"+name), '/')+1:]
		}
		if !nameEnds[i].may(tail) {
			continue
		}
		if ok, _ := path.Match(s.pattern, tail); ok { // the patterns are well formed, which a test holds
			return s.why + " (" + s.pattern + ")", true
		}
	}
	return "", false
}
