package instructions

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foreword/workspace/fsys"
)

// What a file that waits imports waits with it; what is sent by another way is
// sent. Rules for other files are followed only for who asks about any file.
func TestImportsOfFilesThatWait(t *testing.T) {
	root := lay(t, map[string]string{
		"CLAUDE.md": "C\n@shared.md\n", "sub/CLAUDE.md": "S\n@more.md @../shared.md @.secret\n", "sub/more.md": "M\n@deep.md", "sub/deep.md": "D", "sub/.secret": "KEY",
		"shared.md": "H", ".claude/rules/ts.md": "---\npaths: '**/*.ts'\n---\n@types.md @gone.md\n", ".claude/rules/types.md": "---\npaths: '**/*.d'\n---\nT",
	})
	req := Request{Dir: filepath.Join(root, "sub"), Root: root, Target: filepath.Join(root, "sub", "x.go"), Secret: func(path string) (string, bool) {
		return ".secret", filepath.Base(path) == ".secret"
	}}
	d := resolve(t, fsys.Disk(), "claude-code", req)
	want := []string{
		"1 CLAUDE.md sent", "2 shared.md sent", "0 .claude/rules/ts.md out-of-scope", "0 .claude/rules/types.md out-of-scope", "0 sub/CLAUDE.md on-read",
		"0 sub/more.md on-read", "0 sub/deep.md on-read", "0 sub/.secret excluded",
	}
	if diff := cmp.Diff(want, summary(d)); diff != "" {
		t.Error(diff)
	}
	for _, e := range d.Entries {
		if e.Path == filepath.Join(root, "sub/more.md") && (e.Sent || e.Why != "imported by sub/CLAUDE.md in line 2, which is not sent now itself") {
			t.Errorf("%+v", e)
		}
		if e.Path == filepath.Join(root, "sub/.secret") && e.File != nil {
			t.Error("a secret was read")
		}
	}
	codes := func(d *Discovery) (out []string) {
		for _, w := range d.Warnings {
			out = append(out, w.Code)
		}
		return out
	}
	if diff := cmp.Diff([]string{"import-secret"}, codes(d)); diff != "" {
		t.Error(diff)
	}
	req.AnyTarget = true
	if diff := cmp.Diff([]string{"import-missing", "import-secret"}, codes(resolve(t, fsys.Disk(), "claude-code", req))); diff != "" {
		t.Error(diff)
	}

	req.Event = Event{Kind: "read", Path: req.Target}
	d = resolve(t, fsys.Disk(), "claude-code", req)
	var sent []string
	for _, e := range d.Sent() {
		sent = append(sent, Display(root, "", e.Path))
	}
	if diff := cmp.Diff([]string{"CLAUDE.md", "shared.md", "sub/CLAUDE.md", "sub/more.md", "sub/deep.md"}, sent); diff != "" {
		t.Error(diff)
	}
}
