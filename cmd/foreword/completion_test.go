package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestFlagsAreCompletedWithWhatTheyMayBe(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"prompt --mode", "build plan"},
		{"prompt --tool-format", "markdown xml tool"},
		{"prompt --context", "full selective"},
		{"touch --kind", "read open attach edit list"},
	} {
		var out, errs bytes.Buffer
		code := run(append(append([]string{"__complete"}, strings.Fields(c.args)...), ""), strings.NewReader(""), &out, &errs)
		if code != exitDone {
			t.Errorf("%s: exit code %d\n%s", c.args, code, errs.String())
		}
		offered, _, _ := strings.Cut(out.String(), ":4")
		if got := strings.Join(strings.Fields(offered), " "); got != c.want {
			t.Errorf("%s: offers %q, want %q", c.args, got, c.want)
		}
	}
}
