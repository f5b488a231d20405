package trust

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// project makes a folder with a script in it and gives its real path.
func project(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "ctx.sh"), "#!/bin/sh\necho one\n")
	put(t, filepath.Join(dir, "data", "list.txt"), "a\n")
	return dir
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

func describe(t *testing.T, folder string, argv ...string) Command {
	t.Helper()
	c, err := Describe(folder, argv, os.Getenv("PATH"))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func list(t *testing.T) *Store {
	t.Helper()
	return Open(filepath.Join(t.TempDir(), "foreword", "trusted.json"), func() time.Time { return time.Unix(1_700_000_000, 0) })
}

// An approval holds for the words and the bytes that were approved, and for nothing else.
func TestApprovalHoldsToWordsAndContent(t *testing.T) {
	dir, s := project(t), list(t)
	argv := []string{"sh", "ctx.sh", "--from=data/list.txt"}
	c := describe(t, dir, argv...)
	if s.Verdict(c) != Unknown {
		t.Error("approved from the start")
	}
	if err := s.Approve(c); err != nil {
		t.Fatal(err)
	}
	if s.Verdict(describe(t, dir, argv...)) != Approved {
		t.Error("not approved")
	}
	// The same file under another list, as another process reads it.
	if got := Open(s.file, time.Now).Verdict(c); got != Approved {
		t.Errorf("another process: %s", got)
	}
	for what, other := range map[string]Command{
		"another word":   describe(t, dir, append(slices.Clone(argv), "-x")...),
		"fewer words":    describe(t, dir, argv[:2]...),
		"another folder": describe(t, project(t), argv...),
	} {
		if got := s.Verdict(other); got != Unknown {
			t.Errorf("%s: %s", what, got)
		}
	}
	put(t, filepath.Join(dir, "data", "list.txt"), "b\n")
	if got := s.Verdict(describe(t, dir, argv...)); got != Changed {
		t.Errorf("a file named after an equals sign changed: %s", got)
	}
	put(t, filepath.Join(dir, "data", "list.txt"), "a\n")
	put(t, filepath.Join(dir, "ctx.sh"), "#!/bin/sh\necho two\n")
	changed := describe(t, dir, argv...)
	if got := s.Verdict(changed); got != Changed {
		t.Errorf("one byte of the script: %s", got)
	}
	if err := s.Approve(changed, changed); err != nil {
		t.Fatal(err)
	}
	if s.Verdict(changed) != Approved || s.Verdict(c) != Changed {
		t.Error("the newer approval does not take the place of the older")
	}
	if all, err := s.Approvals(); err != nil || len(all) != 1 || all[0].Since.Unix() != 1_700_000_000 {
		t.Errorf("%v, %v", all, err)
	}
	if err := s.Revoke(dir); err != nil {
		t.Fatal(err)
	}
	if s.Verdict(changed) != Unknown {
		t.Error("still approved")
	}
}

// Taking a folder off the list ends the approvals in it; approving a command trusts no folder.
func TestDistrustEndsApprovals(t *testing.T) {
	dir, s := project(t), list(t)
	c := describe(t, dir, "./ctx.sh")
	if err := s.Approve(c); err != nil {
		t.Fatal(err)
	}
	if s.Trusted(dir) {
		t.Error("an approval trusts the folder")
	}
	if err := s.Trust(dir); err != nil {
		t.Fatal(err)
	}
	if s.Verdict(c) != Approved {
		t.Error("trust took the approval away")
	}
	if err := s.Distrust(dir); err != nil {
		t.Fatal(err)
	}
	if s.Verdict(c) != Unknown {
		t.Error("approved in a folder that is not trusted any more")
	}
}

func TestFilesOfACommand(t *testing.T) {
	dir := project(t)
	put(t, filepath.Join(filepath.Dir(dir), "sibling.sh"), "echo\n")
	outside := filepath.Join(t.TempDir(), "outside.sh")
	put(t, outside, "echo\n")
	if err := os.Symlink(outside, filepath.Join(dir, "link.sh")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ argv, files string }{
		{"sh -c ctx", ""},
		{"sh ctx.sh ctx.sh", "ctx.sh"},
		{"./ctx.sh data", "ctx.sh"}, // a folder is no file
		{dir + "/ctx.sh", "ctx.sh"},
		{"sh ./data/../ctx.sh", "ctx.sh"},
		{"sh ../sibling.sh", "../sibling.sh"},
		{"sh link.sh", "link.sh"},
		{"sh " + outside, ""}, // the user's own, outside
		{"sh -x=" + dir + "/ctx.sh =data/list.txt", "ctx.sh data/list.txt"},
	} {
		var files []string
		for _, f := range describe(t, dir, strings.Fields(c.argv)...).Files {
			files = append(files, f.Path)
		}
		if got := strings.Join(files, " "); got != c.files {
			t.Errorf("%s: %q, want %q", c.argv, got, c.files)
		}
	}
	for _, argv := range [][]string{nil, {"./gone.sh"}, {"no-such-program-anywhere"}} {
		if _, err := Describe(dir, argv, os.Getenv("PATH")); err == nil {
			t.Errorf("%q is described", argv)
		}
	}
	if runtime.GOOS != "windows" && os.Geteuid() != 0 {
		if err := os.Chmod(filepath.Join(dir, "data", "list.txt"), 0); err != nil {
			t.Fatal(err)
		}
		if _, err := Describe(dir, []string{"sh", "data/list.txt"}, os.Getenv("PATH")); err == nil {
			t.Error("a file that cannot be read is described")
		}
	}
}

// A list that was tampered with approves nothing.
func TestDamagedApprovals(t *testing.T) {
	dir, s := project(t), list(t)
	c := describe(t, dir, "./ctx.sh")
	if err := s.Approve(c); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(s.file)
	if err != nil {
		t.Fatal(err)
	}
	for _, damaged := range []string{
		strings.Replace(string(text), dir, "relative", 1),
		strings.Replace(string(text), `"./ctx.sh"`, "", 1),
		strings.Replace(string(text), `"sha256"`, `"sha1"`, 1),
	} {
		if damaged == string(text) {
			t.Fatalf("nothing is damaged in %s", text)
		}
		if err := os.WriteFile(s.file, []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := Open(s.file, time.Now).Verdict(c); got != Unknown {
			t.Errorf("%s: %s", damaged, got)
		}
	}
}
