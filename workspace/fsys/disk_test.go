package fsys

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

func TestDiskReadFile(t *testing.T) {
	root := tree(t, map[string]string{
		"plain.md":           "one\r\ntwo\n",
		"empty.md":           "",
		"bom.md":             "\xef\xbb\xbfrules",
		"latin1.md":          "caf\xe9 cr\xe8me, d\xe9j\xe0 vu",
		"utf16le.md":         "\xff\xfeh\x00i\x00",
		"utf16be.md":         "\xfe\xff\x00h\x00i",
		"utf16plain.md":      "h\x00e\x00l\x00l\x00o\x00",
		"utf32.md":           "\xff\xfe\x00\x00h\x00\x00\x00",
		"nul.md":             "text with\x00a NUL",
		"late-nul.md":        strings.Repeat("text\n", 4000) + "\x00",
		"limit.md":           strings.Repeat("a", MaxFileSize),
		"over.md":            strings.Repeat("a", MaxFileSize+1),
		"AGENTS.md/":         "",
		"link.md":            "-> plain.md",
		"chain.md":           "-> link.md",
		"dangling.md":        "-> nowhere.md",
		"loop-a.md":          "-> loop-b.md",
		"loop-b.md":          "-> loop-a.md",
		"self.md":            "-> self.md",
		"pipe-link.md":       "-> pipe.md",
		"device-link.md":     "-> /dev/zero",
		"name with #+é.md":   "odd name",
		"compressed.gz":      "\x1f\x8b\x08\x08" + noise(600),
		"cyrillic-cp1251.md": "\xcf\xf0\xe0\xe2\xe8\xeb\xe0 \xef\xf0\xee\xe5\xea\xf2\xe0\n",
	})
	must(t, syscall.Mkfifo(filepath.Join(root, "pipe.md"), 0o666))
	socket, err := net.Listen("unix", filepath.Join(root, "socket.md"))
	must(t, err)
	defer socket.Close()

	tests := []struct {
		name, text    string
		reason        Reason
		bom, repaired bool
	}{
		{name: "plain.md", text: "one\r\ntwo\n"},
		{name: "empty.md"},
		{name: "bom.md", text: "rules", bom: true},
		{name: "latin1.md", text: "caf\ufffd cr\ufffdme, d\ufffdj\ufffd vu", repaired: true},
		{name: "cyrillic-cp1251.md", text: strings.Repeat("\ufffd", 7) + " " + strings.Repeat("\ufffd", 7) + "\n", repaired: true},
		{name: "name with #+é.md", text: "odd name"},
		{name: "link.md", text: "one\r\ntwo\n"},
		{name: "chain.md", text: "one\r\ntwo\n"},
		{name: "limit.md", text: strings.Repeat("a", MaxFileSize)},
		{name: "over.md", reason: ReasonTooLarge},
		{name: "utf16le.md", reason: ReasonUTF16},
		{name: "utf16be.md", reason: ReasonUTF16},
		{name: "utf16plain.md", reason: ReasonUTF16},
		{name: "utf32.md", reason: ReasonUTF16},
		{name: "nul.md", reason: ReasonBinary},
		{name: "late-nul.md", reason: ReasonBinary},
		{name: "compressed.gz", reason: ReasonBinary},
		{name: "AGENTS.md", reason: ReasonDirectory},
		{name: "pipe.md", reason: ReasonNotRegular},
		{name: "pipe-link.md", reason: ReasonNotRegular},
		{name: "socket.md", reason: ReasonNotRegular},
		{name: "device-link.md", reason: ReasonNotRegular},
		{name: "missing.md", reason: ReasonMissing},
		{name: "dangling.md", reason: ReasonMissing},
		{name: "plain.md/below-a-file", reason: ReasonMissing},
		{name: "with\x00nul", reason: ReasonMissing},
		{name: "loop-a.md", reason: ReasonLoop},
		{name: "self.md", reason: ReasonLoop},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(root, test.name)
			f, err := Disk().ReadFile(path)
			if test.reason != "" {
				wantReason(t, err, test.reason)
				if f != nil {
					t.Errorf("a file comes with the error %v", err)
				}
				if !strings.HasPrefix(err.Error(), "cannot read /") {
					t.Errorf("error %q does not say what cannot be read", err)
				}
				return
			}
			must(t, err)
			if f.Text != test.text || f.BOM != test.bom || f.Repaired != test.repaired {
				t.Errorf("got %.80q, BOM %v, repaired %v; want %.80q, %v, %v", f.Text, f.BOM, f.Repaired, test.text, test.bom, test.repaired)
			}
			fi, err := os.Stat(path)
			must(t, err)
			if f.Path != path || f.Hash != HashOf(f.Text) || f.Size != fi.Size() || !f.ModTime.Equal(fi.ModTime()) || f.Open || f.Dirty {
				t.Errorf("wrong facts: %+v", *f)
			}
		})
	}
}

// noise is n bytes as a compressor makes them, without any NUL.
func noise(n int) string {
	state, b := uint32(1), make([]byte, 0, n)
	for len(b) < n {
		state = state*1664525 + 1013904223
		if c := byte(state >> 24); c != 0 {
			b = append(b, c)
		}
	}
	return string(b)
}

func TestDiskNeedsAbsolutePaths(t *testing.T) {
	_, err := Disk().ReadFile("disk_test.go")
	wantReason(t, err, ReasonIO)
	if want := "cannot read disk_test.go: the path is not absolute"; err == nil || err.Error() != want {
		t.Errorf("got error %v, want %s", err, want)
	}
}

func TestErrorIsFS(t *testing.T) {
	root := tree(t, nil)
	_, err := Disk().Stat(filepath.Join(root, "missing"))
	if !errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		t.Errorf("a missing file gives %v, which is not fs.ErrNotExist alone", err)
	}
	_, err = Disk().ReadFile(root)
	if errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a directory gives %v, which is fs.ErrNotExist", err)
	}
}

// A FIFO that takes the place of a file between the look and the open must be
// noticed, and must not make the open wait for a writer.
func TestFIFOSwappedIn(t *testing.T) {
	root := tree(t, map[string]string{"file.md": "text"})
	path := filepath.Join(root, "file.md")
	swap := opener{
		stat: func(name string) (fs.FileInfo, error) {
			fi, err := os.Stat(name)
			must(t, os.Remove(name))
			must(t, syscall.Mkfifo(name, 0o666))
			return fi, err
		},
		open: os.OpenFile,
	}
	_, err := readFile(swap, path, path)
	wantReason(t, err, ReasonNotRegular)
}

// A file that grows beyond the limit while it is read is as large as any other.
func TestFileGrowsWhileRead(t *testing.T) {
	root := tree(t, map[string]string{"file.md": "text"})
	path := filepath.Join(root, "file.md")
	grow := opener{
		stat: os.Stat,
		open: func(name string, flag int, perm fs.FileMode) (*os.File, error) {
			f, err := os.OpenFile(name, flag, perm)
			must(t, os.WriteFile(name, []byte(strings.Repeat("a", MaxFileSize+1)), 0o666))
			return f, err
		},
	}
	_, err := readFile(grow, path, path)
	wantReason(t, err, ReasonTooLarge)
}

func TestDiskReadDir(t *testing.T) {
	root := tree(t, map[string]string{"b": "", "a/": "", "c": "-> a", "B": "", "é": ""})
	must(t, syscall.Mkfifo(filepath.Join(root, "pipe"), 0o666))
	got, err := Disk().ReadDir(root)
	must(t, err)
	want := []Entry{{"B", KindFile}, {"a", KindDir}, {"b", KindFile}, {"c", KindSymlink}, {"pipe", KindOther}, {"é", KindFile}}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for name, reason := range map[string]Reason{"b": ReasonNotDirectory, "pipe": ReasonNotDirectory, "x": ReasonMissing} {
		_, err := Disk().ReadDir(filepath.Join(root, name))
		wantReason(t, err, reason)
	}
}

func TestDiskLooks(t *testing.T) {
	root := tree(t, map[string]string{"dir/file": "four", "link": "-> dir/file", "dirlink": "-> dir", "loop": "-> loop", "dangling": "-> x"})
	disk := Disk()
	tests := []struct {
		name        string
		lstat, stat Kind
		real        string
	}{
		{"dir", KindDir, KindDir, "dir"},
		{"dir/file", KindFile, KindFile, "dir/file"},
		{"link", KindSymlink, KindFile, "dir/file"},
		{"dirlink", KindSymlink, KindDir, "dir"},
		{"dirlink/file", KindFile, KindFile, "dir/file"},
	}
	for _, test := range tests {
		path := filepath.Join(root, test.name)
		lstat, err := disk.Lstat(path)
		must(t, err)
		stat, err := disk.Stat(path)
		must(t, err)
		real, err := disk.RealPath(path)
		must(t, err)
		if lstat.Kind != test.lstat || stat.Kind != test.stat || real != filepath.Join(root, test.real) || lstat.Path != path {
			t.Errorf("%s: Lstat %v, Stat %v, real path %s", test.name, lstat.Kind, stat.Kind, real)
		}
	}
	for name, reason := range map[string]Reason{"loop": ReasonLoop, "dangling": ReasonMissing, "loop/below": ReasonLoop} {
		_, err := disk.Stat(filepath.Join(root, name))
		wantReason(t, err, reason)
		_, err = disk.RealPath(filepath.Join(root, name))
		wantReason(t, err, reason)
	}
}
