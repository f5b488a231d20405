package fsys

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestOverlayReadsBuffersFirst(t *testing.T) {
	root := tree(t, map[string]string{"open.md": "disk", "closed.md": "closed", "dirty.md": "disk"})
	at := func(name string) string { return filepath.Join(root, name) }
	buffers := map[string]Buffer{
		at("open.md"):         {Text: "buffer\r\n", Version: 3},
		at("dirty.md"):        NewBuffer("", "edited", 7, true),
		at("sub/../new.md"):   {Text: "new"},
		at("deep/er/than.md"): {Text: "deep"},
	}
	fs := Overlay(Disk(), buffers)
	clear(buffers) // what was given is the caller's again

	f := wantText(t, fs, at("open.md"), "buffer\r\n")
	if !f.Open || f.Dirty || f.Version != 3 || f.Size != 8 || f.Path != at("open.md") {
		t.Errorf("wrong facts: %+v", *f)
	}
	if f = wantText(t, fs, at("dirty.md"), "edited"); !f.Dirty || f.Version != 7 || f.Path != at("dirty.md") {
		t.Errorf("wrong facts: %+v", *f)
	}
	if f = wantText(t, fs, at("closed.md"), "closed"); f.Open {
		t.Error("a closed file is open")
	}
	wantText(t, fs, at("new.md"), "new")
	wantText(t, fs, at("x/../new.md"), "new")
	wantText(t, Overlay(fs, nil), at("new.md"), "new")

	for name, want := range map[string]Info{
		"open.md":   {Kind: KindFile, Size: 8, Open: true},
		"new.md":    {Kind: KindFile, Size: 3, Open: true},
		"deep":      {Kind: KindDir},
		"deep/er":   {Kind: KindDir},
		"closed.md": {Kind: KindFile, Size: 6},
	} {
		for op, look := range map[string]func(string) (Info, error){"Stat": fs.Stat, "Lstat": fs.Lstat} {
			got, err := look(at(name))
			if err != nil || got.Kind != want.Kind || got.Size != want.Size || got.Open != want.Open || got.Path != at(name) {
				t.Errorf("%s of %s: %+v, %v", op, name, got, err)
			}
		}
		if real, err := fs.RealPath(at(name)); err != nil || real != at(name) {
			t.Errorf("real path of %s: %s, %v", name, real, err)
		}
	}
	for name, want := range map[string][]Entry{
		"":        {{"closed.md", KindFile}, {"deep", KindDir}, {"dirty.md", KindFile}, {"new.md", KindFile}, {"open.md", KindFile}},
		"deep":    {{"er", KindDir}},
		"deep/er": {{"than.md", KindFile}},
	} {
		got, err := fs.ReadDir(at(name))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("listing %q: %v, %v; want %v", name, got, err, want)
		}
	}
	for _, name := range []string{"missing.md", "sub/missing.md", "deep/missing.md", "sub"} {
		_, err := fs.ReadFile(at(name))
		wantReason(t, err, ReasonMissing)
		_, err = fs.Stat(at(name))
		wantReason(t, err, ReasonMissing)
		_, err = fs.Lstat(at(name))
		wantReason(t, err, ReasonMissing)
		_, err = fs.RealPath(at(name))
		wantReason(t, err, ReasonMissing)
		_, err = fs.ReadDir(at(name))
		wantReason(t, err, ReasonMissing)
	}
}

// Links and buffers meet in all ways: the buffer is the file, whatever its name.
func TestOverlayThroughLinks(t *testing.T) {
	root := tree(t, map[string]string{
		"AGENTS.md":     "disk",
		"CLAUDE.md":     "-> AGENTS.md",
		"real/rules.md": "disk",
		"folder":        "-> real",
		"both.md":       "disk",
		"both-link.md":  "-> both.md",
		"dangling.md":   "-> nowhere.md",
		"third-link.md": "-> both.md",
		"z-link.md":     "-> both.md",
	})
	at := func(name string) string { return filepath.Join(root, name) }
	fs := Overlay(Disk(), map[string]Buffer{
		at("AGENTS.md"):       {Text: "agents"},
		at("folder/rules.md"): {Text: "rules"},
		at("folder/new.md"):   {Text: "new"},
		at("both.md"):         {Text: "both"},
		at("both-link.md"):    {Text: "link"},
		at("z-link.md"):       {Text: "last link"},
		at("dangling.md"):     {Text: "dangling"},
	})
	for name, text := range map[string]string{
		"CLAUDE.md":       "agents",
		"real/rules.md":   "rules",
		"folder/rules.md": "rules",
		"real/new.md":     "new",
		"folder/new.md":   "new",
		"both.md":         "both",
		"both-link.md":    "link",
		"z-link.md":       "last link",
		"third-link.md":   "both",
		"dangling.md":     "dangling",
	} {
		if f := wantText(t, fs, at(name), text); f != nil && (f.Path != at(name) || !f.Open) {
			t.Errorf("%s: path %s, open %v", name, f.Path, f.Open)
		}
		if info, err := fs.Stat(at(name)); err != nil || info.Kind != KindFile || !info.Open || info.Size != int64(len(text)) {
			t.Errorf("Stat of %s: %+v, %v", name, info, err)
		}
	}
	// Who looks for links finds them, also while they are open.
	for name, open := range map[string]bool{"CLAUDE.md": false, "both-link.md": true} {
		if info, err := fs.Lstat(at(name)); err != nil || info.Kind != KindSymlink || info.Open != open {
			t.Errorf("Lstat of %s: %+v, %v", name, info, err)
		}
	}
	if real, err := fs.RealPath(at("folder/new.md")); err != nil || real != at("real/new.md") {
		t.Errorf("real path of a file to be: %s, %v", real, err)
	}
	want := []Entry{{"new.md", KindFile}, {"rules.md", KindFile}}
	for _, name := range []string{"real", "folder"} {
		if got, err := fs.ReadDir(at(name)); err != nil || !slices.Equal(got, want) {
			t.Errorf("listing %s: %v, %v", name, got, err)
		}
	}
}

func TestOverlayOverOddFiles(t *testing.T) {
	root := tree(t, map[string]string{"AGENTS.md/x": "", "big.md": strings.Repeat("a", MaxFileSize+1), "loop.md": "-> loop.md"})
	at := func(name string) string { return filepath.Join(root, name) }
	fs := Overlay(Disk(), map[string]Buffer{
		at("AGENTS.md"):  {Text: "open where the disk has a directory"},
		at("big.md"):     {Text: "shortened, not saved"},
		at("loop.md"):    {Text: "loop"},
		at("huge.md"):    {Text: strings.Repeat("a", MaxFileSize+1)},
		at("binary.md"):  {Text: "a\x00b"},
		at("bom.md"):     {Text: "\ufeffrules"},
		at("invalid.md"): {Text: "a\xffb"},
	})
	wantText(t, fs, at("AGENTS.md"), "open where the disk has a directory")
	wantText(t, fs, at("big.md"), "shortened, not saved")
	wantText(t, fs, at("loop.md"), "loop")
	if f := wantText(t, fs, at("bom.md"), "rules"); !f.BOM {
		t.Error("the byte order mark is not told of")
	}
	if f := wantText(t, fs, at("invalid.md"), "a\ufffdb"); !f.Repaired {
		t.Error("the repair is not told of")
	}
	_, err := fs.ReadFile(at("huge.md"))
	wantReason(t, err, ReasonTooLarge)
	_, err = fs.ReadFile(at("binary.md"))
	wantReason(t, err, ReasonBinary)
	if info, err := fs.Lstat(at("AGENTS.md")); err != nil || info.Kind != KindFile {
		t.Errorf("Lstat: %+v, %v", info, err)
	}
	entries, err := fs.ReadDir(root)
	must(t, err)
	if i := slices.IndexFunc(entries, func(e Entry) bool { return e.Name == "AGENTS.md" }); i < 0 || entries[i].Kind != KindFile {
		t.Errorf("the listing does not have the buffer as a file: %v", entries)
	}
}

// A listing with buffers in it must not reach into the list that the cache shares.
func TestOverlayLeavesSharedListingsAlone(t *testing.T) {
	root := tree(t, map[string]string{"a.md": "", "c.md": "", "d.md/": ""})
	cache := NewCache(Disk(), later().Now)
	before, err := cache.ReadDir(root)
	must(t, err)
	before = slices.Clone(before)
	_, err = Overlay(cache, map[string]Buffer{filepath.Join(root, "d.md"): {}}).ReadDir(root)
	must(t, err)
	if after, _ := cache.ReadDir(root); !slices.Equal(before, after) {
		t.Errorf("the cache's list was %v and is %v", before, after)
	}
}

// Overlays come and go with every keystroke; what a buffer reads as is worked out once.
func TestBufferIsReadOnce(t *testing.T) {
	b := NewBuffer("/w/a.md", "text", 1, false)
	first := wantText(t, Overlay(Disk(), map[string]Buffer{"/w/a.md": b}), "/w/a.md", "text")
	second := wantText(t, Overlay(Disk(), map[string]Buffer{"/w/a.md": b}), "/w/a.md", "text")
	if first != second {
		t.Error("the second overlay read the buffer again")
	}
}
