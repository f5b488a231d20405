package workspace

import (
	"strings"
	"testing"
	"unsafe"

	"go.lsp.dev/uri"
)

func TestDidChangeInTheWireOrder(t *testing.T) {
	const u = "file:///w/a.md"
	type step struct {
		version int32
		changes []Change
		text    string // after
		sync    bool   // after
		err     string // part of the message
	}
	insert := func(text string) []Change { return []Change{{Range: span(0, 0, 0, 0), Text: text}} }
	whole := func(text string) []Change { return []Change{{Text: text}} }
	tests := []struct {
		name  string
		steps []step
	}{
		{"in order", []step{
			{2, insert("b"), "ba", true, ""},
			{3, insert("c"), "cba", true, ""},
			{9, insert("d"), "dcba", true, ""},
		}},
		{"nothing changed", []step{{2, nil, "a", true, ""}, {3, insert("b"), "ba", true, ""}}},
		{"same version again", []step{
			{1, insert("b"), "a", false, "the buffer is at version 1 already"},
			{2, insert("c"), "a", false, "an earlier change could not be applied"},
			{3, whole("all"), "all", true, ""},
			{4, insert("d"), "dall", true, ""},
		}},
		{"older version", []step{{-5, insert("b"), "a", false, "version -5"}}},
		{"a whole text is the truth, whatever its version", []step{
			{0, whole("old"), "old", true, ""}, // from a client that counts in its own way, or not at all
			{0, whole("again"), "again", true, ""},
			{1, insert("b"), "bagain", true, ""},
		}},
		{"out of the text", []step{
			{2, []Change{{Range: span(3, 0, 3, 0), Text: "x"}}, "a", false, "position 3:0 is outside of the text, which has 1 lines"},
			{3, insert("x"), "a", false, "an earlier change"},
			{4, append(append(insert("lost"), whole("all")...), insert("b")...), "ball", true, ""},
		}},
		{"second of three is out of the text", []step{
			{2, append(append(insert("b"), Change{Range: span(1, 1, 1, 1)}), insert("c")...), "a", false, "change 2 of 3"},
		}},
		{"whole text makes up for a bad edit before it", []step{
			{2, append([]Change{{Range: span(7, 7, 7, 7), Text: "x"}}, whole("all")...), "all", true, ""},
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := New(Options{})
			w.DidOpen(u, "markdown", 1, "a")
			for i, step := range test.steps {
				err := w.DidChange(u, step.version, step.changes)
				if step.err == "" && err != nil || step.err != "" && (err == nil || !strings.Contains(err.Error(), step.err)) {
					t.Errorf("step %d: error %v, want %q", i, err, step.err)
				}
				d := w.Snapshot().Document(u)
				if d.Text != step.text || d.OutOfSync == step.sync || d.Mapper().Text() != d.Text {
					t.Errorf("step %d: text %q, out of sync %v; want %q, %v", i, d.Text, d.OutOfSync, step.text, !step.sync)
				}
				if step.sync && d.Version != step.version {
					t.Errorf("step %d: version %d, want %d", i, d.Version, step.version)
				}
				wantFile(t, w.Snapshot(), "/w/a.md", step.text)
			}
		})
	}
}

func TestDidChangeOfWhatIsNotOpen(t *testing.T) {
	w := New(Options{})
	err := w.DidChange("file:///w/a.md", 1, []Change{{Text: "x"}})
	if want := "change of file:///w/a.md to version 1: the buffer is not open"; errorText(err) != want {
		t.Errorf("error %v, want %s", err, want)
	}
	w.DidClose("file:///w/a.md")
	w.DidSave("file:///w/a.md", nil)
	if n := len(w.Snapshot().Documents()); n != 0 {
		t.Errorf("%d documents are open", n)
	}
}

func TestReopeningReplaces(t *testing.T) {
	w := New(Options{})
	w.DidOpen("file:///w/a.md", "markdown", 7, "first")
	must(t, w.DidChange("file:///w/a.md", 8, []Change{{Text: "edited"}}))
	if err := w.DidChange("file:///w/a.md", 8, nil); err == nil {
		t.Fatal("a stale change gave no error")
	}
	w.DidOpen("file:///w/a.md", "plaintext", 1, "second")
	d := w.Snapshot().Document("file:///w/a.md")
	if d.Text != "second" || d.Version != 1 || d.Dirty || d.OutOfSync || d.LanguageID != "plaintext" || len(w.Snapshot().Documents()) != 1 {
		t.Errorf("after opening again: %+v", d)
	}
}

func TestDirty(t *testing.T) {
	var logged []string
	w := New(Options{Log: func(level, message string) { logged = append(logged, level+": "+message) }})
	const u = "file:///w/a.md"
	check := func(what string, text string, dirty bool) {
		t.Helper()
		d := w.Snapshot().Document(u)
		f := wantFile(t, w.Snapshot(), "/w/a.md", text)
		if d.Text != text || d.Dirty != dirty || f.Dirty != dirty || !f.Open || f.Version != d.Version {
			t.Errorf("%s: text %q, dirty %v, file %+v", what, d.Text, d.Dirty, *f)
		}
	}
	w.DidOpen(u, "", 1, "text")
	check("opened", "text", false)
	must(t, w.DidChange(u, 2, []Change{{Range: span(0, 4, 0, 4), Text: "!"}}))
	check("edited", "text!", true)
	must(t, w.DidChange(u, 3, []Change{{Range: span(0, 4, 0, 5)}}))
	check("edit taken back", "text", false)
	must(t, w.DidChange(u, 4, []Change{{Text: "other"}}))
	w.DidSave(u, nil)
	check("saved", "other", false)
	same := "other"
	w.DidSave(u, &same)
	check("saved with its text", "other", false)
	if len(logged) != 0 {
		t.Errorf("logged %q", logged)
	}
	formatted := "formatted on save"
	w.DidSave(u, &formatted)
	check("saved with another text", formatted, false)
	if len(logged) != 1 || !strings.HasPrefix(logged[0], "warning: file:///w/a.md was saved with another text") {
		t.Errorf("logged %q", logged)
	}
}

// A saved text tells what the editor shows, so it mends a buffer that is out of sync.
func TestSaveWithTextResynchronises(t *testing.T) {
	w := New(Options{})
	w.DidOpen("file:///w/a.md", "", 1, "a")
	if err := w.DidChange("file:///w/a.md", 2, []Change{{Range: span(9, 0, 9, 0)}}); err == nil {
		t.Fatal("no error")
	}
	text := "truth"
	w.DidSave("file:///w/a.md", &text)
	must(t, w.DidChange("file:///w/a.md", 3, []Change{{Range: span(0, 0, 0, 0), Text: "the "}}))
	if d := w.Snapshot().Document("file:///w/a.md"); d.Text != "the truth" {
		t.Errorf("text %q", d.Text)
	}
}

// Decoded strings are parts of one big message; to keep one is to keep them all.
func TestNothingKeepsTheMessage(t *testing.T) {
	message := strings.Repeat("file:///w/a.md markdown some text ", 100)
	inMessage := func(s string) bool {
		at, start := uintptr(unsafe.Pointer(unsafe.StringData(s))), uintptr(unsafe.Pointer(unsafe.StringData(message)))
		return len(s) > 0 && at >= start && at < start+uintptr(len(message))
	}
	u, language, text := message[:14], message[15:23], message[24:33]
	w := New(Options{})
	check := func(what string) {
		t.Helper()
		for _, d := range w.Snapshot().Documents() {
			for name, s := range map[string]string{"URI": string(d.URI), "path": d.Path, "key": d.key, "language": d.LanguageID, "text": d.Text, "saved": d.saved} {
				if inMessage(s) {
					t.Errorf("%s: the %s is a part of the message", what, name)
				}
			}
		}
	}
	w.DidOpen(uri.URI(u), language, 1, text)
	check("opened")
	must(t, w.DidChange(fileURI("/w/a.md"), 2, []Change{{Text: text}}))
	check("whole text")
	must(t, w.DidChange(fileURI("/w/a.md"), 3, []Change{{Range: span(0, 0, 1, 0), Text: text}}))
	check("all replaced by an edit")
	must(t, w.DidChange(fileURI("/w/a.md"), 4, []Change{{Text: ""}, {Range: span(0, 0, 0, 0), Text: text}, {Range: span(0, 0, 0, 0), Text: ""}}))
	check("batch")
	w.DidSave(fileURI("/w/a.md"), &text)
	check("saved")
	w.ConfigChanged(map[string]any{"list": []any{text}})
	if inMessage(w.Snapshot().EditorConfig()["list"].([]any)[0].(string)) {
		t.Error("a setting is a part of the message")
	}
	w.DidFocus(Focus{Path: text, Visible: []string{text}})
	if f := w.Snapshot().Focus(); inMessage(f.Path) || inMessage(f.Visible[0]) {
		t.Error("the focus is a part of the message")
	}
}
