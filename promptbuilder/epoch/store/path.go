package store

import "path/filepath"

// Path returns where a user's sessions are: sessions.db in foreword's folder of
// XDG_STATE_HOME, or of ~/.local/state where that is not set or not absolute.
// It is empty where neither is known.
func Path(home string, env func(string) string) string {
	state := env("XDG_STATE_HOME")
	if !filepath.IsAbs(state) {
		if home == "" {
			return ""
		}
		state = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(state, "foreword", "sessions.db")
}
