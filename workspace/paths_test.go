package workspace

import (
	"testing"

	"go.lsp.dev/uri"
)

func TestPathOf(t *testing.T) {
	for in, want := range map[string]string{
		"file:///w/a+b@c.md":            "/w/a+b@c.md",
		"file:///w/a%2Bb%40c.md":        "/w/a+b@c.md",
		"file:///w/with%20space/%C3%A9": "/w/with space/é",
		"file:///w/100%25.md":           "/w/100%.md",
		"file:///w/a%2Fb":               "/w/a/b",
		"file:///w/%23notes%3F.md":      "/w/#notes?.md",
		"file:///w/../etc/x":            "/etc/x",
		"file:///w//a":                  "/w/a",
		"file:///w/a/":                  "/w/a",
		"file:///w/%zz":                 "/w/%zz",
		"file://localhost/w/a":          "/w/a",

		"":                                      "", // decodes to the root of the disk
		"file:///":                              "",
		"file:///..":                            "",
		"file://server/share/a":                 "", // another machine's
		"file:///w/a?view":                      "", // not the file itself
		"file:///w/a#1":                         "",
		"file:///w/a%00b":                       "",
		"untitled:Untitled-1":                   "",
		"git:/w/a?%7B%7D":                       "",
		"vscode-notebook-cell:/w/a.ipynb#c1":    "",
		"foreword-preview:///w/a.prompt.md?e30": "",
	} {
		for _, u := range []uri.URI{uri.URI(in), mustParse(t, in)} {
			if in == "" && u != "" {
				continue // an empty URI that went through the decoder is file:///, which is in the list
			}
			if got := PathOf(u); got != want {
				t.Errorf("PathOf(%q) = %q, want %q", u, got, want)
			}
		}
	}
}

func mustParse(t *testing.T, s string) uri.URI {
	u, err := uri.Parse(s)
	must(t, err)
	return u
}

// Clients, and the decoder, spell one file's URI in several ways.
func TestDocumentsAreKnownByPath(t *testing.T) {
	w := New(Options{})
	w.DidOpen("file:///w/a+b@c.md", "markdown", 1, "text")
	must(t, w.DidChange("file:///w/a%2Bb%40c.md", 2, []Change{{Range: span(0, 4, 0, 4), Text: "!"}}))
	s := w.Snapshot()
	for _, u := range []uri.URI{"file:///w/a+b@c.md", "file:///w/a%2bb@c.md", "file:///w/./a+b%40c.md"} {
		if d := s.Document(u); d == nil || d.Text != "text!" || d.URI != "file:///w/a+b@c.md" {
			t.Errorf("%s: %+v", u, d)
		}
	}
	if d := s.DocumentByPath("/w/x/../a+b@c.md"); d == nil || d.Path != "/w/a+b@c.md" {
		t.Errorf("by path: %+v", d)
	}
	w.DidClose("file:///w/a%2bb%40c.md")
	if n := len(w.Snapshot().Documents()); n != 0 {
		t.Errorf("%d documents are open", n)
	}
}

func TestDocumentsThatAreNoFiles(t *testing.T) {
	w := New(Options{})
	for _, u := range []uri.URI{"untitled:Untitled-1", "git:/w/a.md?%7B%7D", "file:///w/a.md", "file://server/w/a.md", "file:///w/a.md#cell", "file:///"} {
		w.DidOpen(u, "", 1, string(u))
	}
	s := w.Snapshot()
	if n := len(s.Documents()); n != 6 {
		t.Errorf("%d documents are open", n)
	}
	for _, d := range s.Documents() {
		if d.Text != string(d.URI) || (d.Path != "") != (d.URI == "file:///w/a.md") {
			t.Errorf("%+v", d)
		}
	}
	wantFile(t, s, "/w/a.md", "file:///w/a.md")
	for _, path := range []string{"untitled:Untitled-1", "Untitled-1", "/"} {
		if d := s.DocumentByPath(path); d != nil {
			t.Errorf("%s is %+v", path, d)
		}
	}
}
