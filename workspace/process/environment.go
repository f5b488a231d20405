package process

import (
	"path"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// Environment is what a command is given of an environment of NAME=value pairs: everything but what looks like a key.
// Keep and hide are patterns of names with * and ?: keep passes on what only looks like a key, hide takes away
// what does not look like one; where both match, hide holds. The result is sorted, and says that nobody
// reads colours.
func Environment(all, keep, hide []string) []string {
	given := make([]string, 0, len(all)+2)
	for _, pair := range all {
		name, value, ok := strings.Cut(pair, "=")
		if !ok || name == "" || name == "NO_COLOR" || name == "TERM" || name == "PWD" || matches(hide, name) {
			continue
		}
		if (namesKey(name) || holdsKey(value)) && !matches(keep, name) {
			continue
		}
		given = append(given, pair)
	}
	given = append(given, "NO_COLOR=1", "TERM=dumb")
	slices.Sort(given)
	return given
}

// Lookup is the value of a name in an environment; the last pair holds, as it does for a program.
func Lookup(env []string, name string) string {
	for _, pair := range slices.Backward(env) {
		if is, value, ok := strings.Cut(pair, "="); ok && sameName(is, name) {
			return value
		}
	}
	return ""
}

func sameName(a, b string) bool {
	if runtime.GOOS == "windows" {
		return strings.EqualFold(a, b)
	}
	return a == b
}

// keyWords are the words of a name that stand for something secret when they are a whole part of it or its end:
// OPENAI_API_KEY, AWS_ACCESS_KEY_ID, PGPASSWORD.
var keyWords = []string{
	"KEY", "KEYS", "TOKEN", "TOKENS", "SECRET", "SECRETS", "PASSWORD", "PASSWORDS", "PASSWD", "PASSPHRASE", "CREDENTIAL", "CREDENTIALS", "COOKIE", "DSN",
}

// keyParts stand for something secret as a whole part only: at the end of a longer word they mean something else (BYPASS, OAUTH2 is
// a part of its own).
var keyParts = []string{"PASS", "PWD", "AUTH", "OAUTH", "OAUTH2", "PAT", "CREDS"}

// harmless are names that hold such a part and no secret.
var harmless = []string{"OLDPWD", "PWD"}

func namesKey(name string) bool {
	name = strings.ToUpper(name)
	if slices.Contains(harmless, name) {
		return false
	}
	for part := range strings.FieldsFuncSeq(name, func(r rune) bool { return r == '_' || r == '-' || r == '.' }) {
		if slices.Contains(keyParts, part) || slices.ContainsFunc(keyWords, func(word string) bool { return strings.HasSuffix(part, word) }) {
			return true
		}
	}
	return strings.Contains(name, "PASSWORD") || strings.Contains(name, "SECRET") || strings.Contains(name, "CONNECTIONSTRING")
}

// secretValue finds what is a secret under any name: a user's password in a URL, a private key, and tokens that tell
// their maker by their first letters.
var secretValue = regexp.MustCompile(`://[^/@\s]*:[^/@\s]+@|-----BEGIN|\b(sk-|ghp_|gho_|ghs_|github_pat_|glpat-|xox[abprs]-|AKIA|ASIA|AIza|hf_|npm_)[A-Za-z0-9_-]{12}`)

func holdsKey(value string) bool { return secretValue.MatchString(value) }

// matches compares without regard to case: no two variables differ in it on Windows, and nobody means to hide one of them elsewhere.
func matches(patterns []string, name string) bool {
	name = strings.ToUpper(name)
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		ok, err := path.Match(strings.ToUpper(pattern), name)
		return err == nil && ok
	})
}
