package history

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func reading(files map[string]Attachment) *Attachments {
	return &Attachments{Read: func(file string, _ Message) Attachment {
		found, ok := files[file]
		if !ok {
			return Attachment{Refused: true}
		}
		return found
	}}
}

func TestEnrich(t *testing.T) {
	then := "old\n"
	files := map[string]Attachment{
		"a.txt":     {Name: "a.txt", Text: "hello\n"},
		"b.txt":     {Name: "b.txt", Text: "no end"},
		"fence.md":  {Name: "fence.md", Text: "````go\nx\n````\n"},
		"odd\nname": {Text: "x"},
		"was":       {Name: "was", Text: "new\n", Modified: true},
		"stored":    {Name: "stored", Text: "new\n", Modified: true, Stored: &then},
		"open.go":   {Name: "open.go", Text: "x", Told: true},
	}
	for _, test := range []struct{ name, raw, want, said string }{
		{
			"a file at the end of the message, and no name any more",
			`[{"role":"user","content":"see","files":["a.txt"],"x":1}]`,
			`[{"role":"user","content":"see\n\n` + "````a.txt\\nhello\\n````" + `","x":1}]`,
			"0 embedded attached 0>3",
		},
		{
			"a refused file stays a name",
			`[{"role":"user","content":"see","files":["a.txt","secret.env","b.txt"]}]`,
			`[{"role":"user","content":"see\n\n` + "````a.txt\\nhello\\n````\\n\\n````b.txt\\nno end\\n````" + `","files":["secret.env"]}]`,
			"0 embedded attached 0>3; 0 kept refused 0>0; 0 embedded attached 0>4",
		},
		{
			"nothing but refused files is no change",
			`[{"role":"user","content":"see","files":["secret.env"]}]`,
			`[{"role":"user","content":"see","files":["secret.env"]}]`, "",
		},
		{
			"each text once in a history",
			`[{"role":"user","content":"1","files":["a.txt"]},{"role":"assistant","content":"ok"},{"role":"user","content":"2","files":["a.txt"]}]`,
			`[{"role":"user","content":"1\n\n` + "````a.txt\\nhello\\n````" + `"},{"role":"assistant","content":"ok"},{"role":"user","content":"2\n\n[a.txt is attached here too; its text stands earlier in this conversation]"}]`,
			"0 embedded attached 0>3; 2 embedded attached_before 0>12",
		},
		{
			"a fence longer than those inside",
			`[{"role":"user","content":"","files":["fence.md"]}]`,
			`[{"role":"user","content":"` + "`````fence.md\\n````go\\nx\\n````\\n`````" + `"}]`,
			"0 embedded attached 0>5",
		},
		{
			"a name cannot end its line",
			`[{"role":"user","content":"","files":["odd\nname"]}]`,
			`[{"role":"user","content":"` + "````odd?name\\nx\\n````" + `"}]`,
			"0 embedded attached 0>3",
		},
		{
			"a changed file as it is now, or as it was",
			`[{"role":"user","content":"","files":["was","stored"]}]`,
			`[{"role":"user","content":"` + "````was\\nnew\\n````\\n\\n````stored\\nold\\n````" + `"}]`,
			"0 embedded modified 0>3; 0 embedded attached 0>3",
		},
		{
			"a changed file as a note",
			`[{"role":"user","content":"","files":["was","stored"]}]`,
			`[{"role":"user","content":"[was was changed after this message was sent; its text of then was not kept]` + "\\n\\n````stored\\nold\\n````" + `"}]`,
			"0 embedded modified 0>15; 0 embedded attached 0>3",
		},
		{
			"a file that is open stands in the system text",
			`[{"role":"user","content":"","files":["open.go"]}]`,
			`[{"role":"user","content":"[open.go is attached here too; its text stands earlier in this conversation]"}]`,
			"0 embedded attached_before 0>12",
		},
		{
			"parts get a part",
			`[{"role":"user","content":[{"type":"text","text":"see"}],"files":["a.txt"]}]`,
			`[{"role":"user","content":[{"type":"text","text":"see"},{"type":"text","text":"` + "````a.txt\\nhello\\n````" + `"}]}]`,
			"0 embedded attached 0>3",
		},
		{"a system message is left alone", `[{"role":"system","content":"s","files":["a.txt"]}]`, `[{"role":"system","content":"s","files":["a.txt"]}]`, ""},
	} {
		attach := reading(files)
		attach.NoteModified = strings.HasSuffix(test.name, "as a note")
		o := Options{Budget: 1000, Count: words, Attach: attach}
		messages := parse(t, strings.ReplaceAll(test.raw, "odd\nname", `odd\nname`))
		before := encodeAll(t, messages)
		prepared, report, err := Prepare(messages, o)
		if err != nil {
			t.Fatal(err)
		}
		if got := encodeAll(t, prepared); got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.name, got, test.want)
		}
		if got := said(report); got != test.said || report.Status != StatusFit {
			t.Errorf("%s: %s\n got %s\nwant %s", test.name, report.Status, got, test.said)
		}
		if back, err := Restore(prepared, report); err != nil || encodeAll(t, back) != before {
			t.Errorf("%s: not restored: %v", test.name, err)
		}
		again, second, err := Prepare(prepared, o)
		if err != nil || encodeAll(t, again) != encodeAll(t, prepared) || len(second.Actions) > 0 {
			t.Errorf("%s: prepared again: %s, %v", test.name, said(second), err)
		}
	}
}

// T23 and V-35: a file is capped, alone and together with others, and the cut says how much is missing.
func TestAttachmentsAreCapped(t *testing.T) {
	big := strings.Repeat("a line of text\n", 20_000) // 300,000 bytes
	files := map[string]Attachment{"1": {Text: big}, "2": {Text: big + "2"}, "3": {Text: big + "3"}}
	prepared, _, err := Prepare(parse(t, `[{"role":"user","content":"","files":["1","2","3"]}]`), Options{Budget: 1 << 30, Count: words, Attach: reading(files)})
	if err != nil {
		t.Fatal(err)
	}
	text := prepared[0].Content.Text
	if len(text) < 190_000 || len(text) > 201_000 {
		t.Errorf("the message has %d bytes", len(text))
	}
	if !strings.Contains(text, "[... 13,3") || !strings.Contains(text, "lines left out ...]") {
		t.Errorf("the cut does not say how much is missing: %q", text[60_000:70_000])
	}
}

// The message that has a text goes: the next that is kept and would only refer to it gets the text.
func TestTheTextOfAFileMovesOn(t *testing.T) {
	files := map[string]Attachment{"a": {Text: "some words of a file"}}
	messages := parse(t, `[{"role":"user","content":"first","files":["a"]},{"role":"assistant","content":"an answer with some more words than fit into it all and then some"},{"role":"user","content":"second","files":["a"]}]`)
	prepared, report, err := Prepare(messages, Options{Budget: 15, Count: words, Attach: reading(files)})
	if err != nil {
		t.Fatal(err)
	}
	if got := outline(prepared); got != "u: second\n\n````a\nsome words of a file\n````" {
		t.Errorf("%s\n%s", got, said(report))
	}
}

// However much has to go, no message refers to a text that no earlier message has.
func TestAttachmentsProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var list []string
		for i := range rapid.IntRange(1, 12).Draw(t, "messages") {
			role := rapid.SampledFrom([]string{"user", "assistant"}).Draw(t, "role")
			text := strings.Repeat("w ", rapid.IntRange(0, 40).Draw(t, "words"))
			files := ""
			if role == "user" && rapid.Bool().Draw(t, "attached") {
				files = fmt.Sprintf(`,"files":["f%d"]`, rapid.IntRange(0, 2).Draw(t, "file"))
			}
			list = append(list, fmt.Sprintf(`{"role":%q,"content":"%d %s"%s}`, role, i, text, files))
		}
		messages := parseDrawn(t, "["+strings.Join(list, ",")+"]")
		files := map[string]Attachment{"f0": {Text: "zero " + strings.Repeat("z ", 20)}, "f1": {Text: "one"}}
		o := Options{Budget: rapid.IntRange(0, 200).Draw(t, "budget"), Count: words, Attach: reading(files)}
		if rapid.Bool().Draw(t, "session") {
			o.Cut = &Cut{}
		}
		prepared, report, err := Prepare(messages, o)
		var impossible *BudgetError
		if err != nil && !errors.As(err, &impossible) {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, message := range prepared {
			for _, file := range []string{"f0", "f1"} {
				text := message.Content.PlainText()
				if strings.Contains(text, "````"+file+"\n") || strings.Contains(text, " left out") {
					seen[file] = true
				}
				if strings.Contains(text, "["+file+" is attached here too") && !seen[file] {
					t.Fatalf("refers to a text that is not there: %s", outline(prepared))
				}
			}
		}
		back, err := Restore(prepared, report)
		if err != nil || mustEncodeAll(t, back) != mustEncodeAll(t, messages) {
			t.Fatalf("not restored: %v", err)
		}
		if again, second, _ := Prepare(prepared, o); o.Cut == nil && (len(second.Actions) > 0 || mustEncodeAll(t, again) != mustEncodeAll(t, prepared)) {
			t.Fatalf("prepared again: %s", said(second))
		}
	})
}
