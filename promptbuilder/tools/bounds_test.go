package tools

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// An answer costs no more tokens than the place allows, beside the words on what is missing, and reading on from each
// notice gives the whole file.
func TestAnswersAreBoundedByTokens(t *testing.T) {
	dir := t.TempDir()
	words := func(text string) int { return (len(text) + 3) / 4 }
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.StringMatching(`[a-zé ]{0,300}`), 1, 60).Draw(t, "lines")
		p := lay(t, dir, map[string]string{"f": strings.Join(lines, "\n") + "\n"})
		p.Count, p.MaxTokens = words, rapid.IntRange(8, 400).Draw(t, "tokens")
		read, _ := Lookup("read")
		next, calls := 1, 0
		for next > 0 {
			if calls++; calls > len(lines) {
				t.Fatalf("reading on does not come to an end: %d of %d lines after %d calls", next, len(lines), calls)
			}
			answer, err := read.Call(t.Context(), p, json.RawMessage(fmt.Sprintf(`{"path":"f","offset":%d}`, next)))
			if err != nil {
				t.Fatal(err)
			}
			body, _, _ := strings.Cut(answer.Text, "\n\n(")
			if cost := words(body); cost > p.MaxTokens {
				t.Fatalf("%d tokens of %d:\n%s", cost, p.MaxTokens, answer.Text)
			}
			after := 0
			if at := strings.LastIndex(answer.Cut, "offset "); at >= 0 {
				if _, err := fmt.Sscanf(answer.Cut[at:], "offset %d", &after); err != nil || after <= next {
					t.Fatalf("after %d: %q, %v", next, answer.Cut, err)
				}
			}
			next = after
		}
	})
}

// A single line that costs more than all that is allowed is given in part.
func TestTheFirstLineIsCutToTheTokens(t *testing.T) {
	p := lay(t, t.TempDir(), map[string]string{"f": strings.Repeat("é", 900) + "\n" + strings.Repeat("second ", 9) + "\n"})
	p.Count, p.MaxTokens = func(text string) int { return len(text) }, 100
	if got := use(t, p, "read", `{"path":"f"}`); !strings.HasPrefix(got, "1\té") || !strings.Contains(got, wasCut+"\n") || !strings.HasSuffix(got, "(lines 1–1 of 2; read on with offset 2)") {
		t.Errorf("got %q", got)
	}
}

func TestTheArgumentThatWasMeant(t *testing.T) {
	for name, want := range map[string]string{
		"file_path": "path", "filePath": "path", "pth": "path", "ofset": "offset", "max-limit": "limit", "OFFSET": "offset",
		"lines": "", "x": "", strings.Repeat("path", 500) + "x": "",
	} {
		got := meant(name, []string{"limit", "offset", "path"})
		if want != "" {
			want = fmt.Sprintf(" (did you mean %q?)", want)
		}
		if got != want {
			t.Errorf("%.40s: %q, want %q", name, got, want)
		}
	}
	p := lay(t, t.TempDir(), map[string]string{"a.PNG": "\x89PNG\r\n\x00\x00"})
	if got := use(t, p, "read", `{"file_path":"a"}`); got != `refused: there is no argument "file_path" (did you mean "path"?); there are: limit, offset, path` {
		t.Errorf("got %q", got)
	}
	if got := use(t, p, "read", `{"path":"a.PNG"}`); got != "refused: a.PNG is an image and no text; ask the user to attach it, or to say what is in it" {
		t.Errorf("got %q", got)
	}
}
