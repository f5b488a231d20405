package epoch

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

// MaxKey bounds a key, in bytes: a path as long as Linux allows
// (PATH_MAX, 4096) and a namespace before it.
const MaxKey = 4096 + 64

// CheckKey says what is wrong with a source's key, and nil where it is fine.
//
// A key is a namespace, a slash and a name. The namespace is a small letter or
// a digit, and after it more of them or '.', '_', '-'. The name is any text
// without control characters, since it is often the path of a file. Every key
// that opencode allows is one.
func CheckKey(key string) error {
	fault := keyFault(key)
	if fault == "" {
		return nil
	}
	return fmt.Errorf("source key %q: %s; want a namespace, a slash and a name, like core/date", shorten(key), fault)
}

func keyFault(key string) string {
	if len(key) > MaxKey {
		return fmt.Sprintf("it has %d bytes and may have %d", len(key), MaxKey)
	}
	slash := -1
	for i, r := range key {
		small := 'a' <= r && r <= 'z' || '0' <= r && r <= '9'
		switch {
		case r == utf8.RuneError && !utf8.ValidString(key[i:min(len(key), i+3)]):
			return "it is not valid UTF-8"
		case slash >= 0:
			if unicode.IsControl(r) {
				return fmt.Sprintf("its name has the control character %U", r)
			}
		case r == '/':
			slash = i
		case small, i > 0 && (r == '.' || r == '_' || r == '-'):
		default:
			return fmt.Sprintf("its namespace has %q", r)
		}
	}
	switch {
	case slash < 0:
		return "it has no namespace"
	case slash == 0:
		return "its namespace is empty"
	case slash == len(key)-1:
		return "its name is empty"
	}
	return ""
}

// shorten keeps a message readable that quotes a key of any length.
func shorten(key string) string {
	const most = 120
	if len(key) <= most {
		return key
	}
	return key[:most] + "…"
}
