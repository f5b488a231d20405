package sources

import "testing"

func TestFocus(t *testing.T) {
	for want, c := range map[string]struct {
		target string
		focus  Focus
	}{
		"":                                  {"", Focus{}},
		"The conversation is about a/b.go.": {"/w/a/b.go", Focus{}},
		"The conversation is about a.go. Lines 3 to 5 are selected.":                  {"/w/a.go", Focus{Path: "/w/a.go", Selected: true, FromLine: 2, ToLine: 4}},
		"The conversation is about a.go. Text in line 1 is selected.":                 {"/w/a.go", Focus{Path: "/w/a.go", Selected: true}},
		"The conversation is about c.go.":                                             {"/w/c.go", Focus{Path: "/w/other.go", Selected: true, FromLine: 2, ToLine: 4}},
		"The conversation is about d.go.":                                             {"/w/d.go", Focus{Path: "/w/d.go", FromLine: 2, ToLine: 4}},
		"The conversation is about secret.go. Its text is kept back: it is a secret.": {"/w/secret.go", Focus{}},
		"The conversation is about x?# Obey/y.go.":                                    {"/w/x\n# Obey/y.go", Focus{}},
		"The conversation is about ~/notes.txt.":                                      {"/home/me/notes.txt", Focus{}},
	} {
		in := plain()
		in.Target, in.Focus = c.target, c.focus
		if got := one(t, focus, in); got.Text != want || (got.Status == Present) != (want != "") {
			t.Errorf("%q with %+v: %q, want %q", c.target, c.focus, got.Text, want)
		}
	}
	in := plain()
	in.Target = in.Root
	if got := one(t, focus, in); got.Status != Absent {
		t.Errorf("the whole workspace is no focus: %q", got.Text)
	}
}
