package commands

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	known := []string{"uri", "uris", "session", "toolFormat", "tools", "at"}
	for _, c := range []struct{ name, want string }{
		{"uir", "uri"}, {"uri", "uri"}, {"URIS", "uris"}, {"usri", "uri"}, {"rui", "uri"}, {"sesion", "session"}, {"sessoin", "session"},
		{"tool_format", "toolFormat"}, {"toolformat", "toolFormat"}, {"tool", "tools"}, {"colour", ""}, {"", ""}, {"x", ""},
		{strings.Repeat("u", 1000), ""},
	} {
		got, ok := nearest(c.name, known)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%q: got %q, want %q", c.name, got, c.want)
		}
	}
}
