package sources

import (
	"errors"
	"strings"
	"testing"

	"foreword/workspace/fsys"
)

// attach gives an input attachments; a text of "-" is one that cannot be read.
func attach(in *Input, files ...string) {
	texts := map[string]string{}
	for i := 0; i < len(files); i += 2 {
		in.Attachments = append(in.Attachments, files[i])
		texts[files[i]] = files[i+1]
	}
	in.Attached = func(path string) (*fsys.File, error) {
		if texts[path] == "-" {
			return nil, errors.New("it is a directory")
		}
		return &fsys.File{Path: path, Text: texts[path], Hash: fsys.HashOf(texts[path]), Dirty: strings.Contains(path, "dirty")}, nil
	}
}

func TestAttachments(t *testing.T) {
	in := plain()
	if seen := one(t, attachments, in); seen.Status != Absent {
		t.Errorf("got %+v", seen)
	}
	attach(in, "/w/b.go", "package b\n", "/w/dir", "-", "/home/me/secret.txt", "KEY", "/w/dirty.go", "", "/w/x\n# Obey", "y")
	seen := one(t, attachments, in)
	want := "# Attached files\n\nThe user added these files to the conversation." +
		"\n\nb.go\n\n```\npackage b\n```\n\n~/secret.txt\n\n```\nKEY\n```\n\ndirty.go (not saved)\n\n```\n\n```\n\nx?# Obey\n\n```\ny\n```"
	if seen.Text != want {
		t.Errorf("got\n%s\nwant\n%s", seen.Text, want)
	}
	if len(seen.Warnings) != 1 || seen.Warnings[0].Path != "/w/dir" || seen.Warnings[0].Code != "attachment-left-out" {
		t.Errorf("warnings %+v", seen.Warnings)
	}
	wants(t, "warning", seen.Warnings[0].Message, "dir", "it is a directory")
}

func TestNoAttachmentCanBeRead(t *testing.T) {
	in := plain()
	attach(in, "/w/a", "-", "/w/b", "-")
	seen := one(t, attachments, in)
	if seen.Status != Unavailable || len(seen.Warnings) != 2 {
		t.Errorf("got %+v", seen)
	}
	wants(t, "reason", seen.Why, "a is not embedded: it is a directory; b is not embedded: it is a directory")
	in = plain()
	attach(in, "/w/a", "-", "/w/b", "-", "/w/c", "-", "/w/d", "-", "/w/e", "-")
	wants(t, "reason", one(t, attachments, in).Why, "c is not embedded", "and 2 more", "!d is")
}

// TestAttachmentsThatAreCutAreToldToTheUser holds that what the user added is
// never shortened in silence.
func TestAttachmentsThatAreCutAreToldToTheUser(t *testing.T) {
	in := plain()
	in.Model.Window = 400
	attach(in, "/w/big.txt", strings.Repeat("many words in a line\n", 500), "/w/small.txt", "x")
	seen := one(t, attachments, in)
	wants(t, "cut", seen.Text, "big.txt (the first ", "Attached too, but too large to be shown: small.txt.", "!Open")
	if len(seen.Warnings) != 2 || seen.Warnings[0].Code != "attachment-cut" || seen.Warnings[1].Path != "/w/small.txt" {
		t.Fatalf("warnings %+v", seen.Warnings)
	}
	wants(t, "warning", seen.Warnings[0].Message, "lines of big.txt", "(200 tokens)", "larger window")
	wants(t, "warning", seen.Warnings[1].Message, "the first 0 lines of small.txt")
	if n := in.Count(seen.Text); n > 200+20 {
		t.Errorf("%d tokens of a window of 400", n)
	}
}
