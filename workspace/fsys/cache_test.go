package fsys

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"
)

// calls are what reached a Counting since the last look, as "Op name".
func calls(c *Counting, root string) []string {
	var list []string
	for _, call := range c.Calls() {
		name, err := filepath.Rel(root, call.Path)
		if err != nil {
			name = call.Path
		}
		list = append(list, call.Op+" "+name)
	}
	c.Reset()
	return list
}

func wantCalls(t *testing.T, c *Counting, root string, want ...string) {
	t.Helper()
	if got := calls(c, root); !slices.Equal(got, want) {
		t.Errorf("calls %q, want %q", got, want)
	}
}

// everything asks all there is to ask about some paths.
func everything(fs FS, root string) {
	for _, name := range []string{"a.md", "missing.md", "dir", "link.md"} {
		path := filepath.Join(root, name)
		fs.Lstat(path)
		fs.Stat(path)
		fs.ReadFile(path)
		fs.ReadDir(path)
		fs.RealPath(path)
	}
}

// The point of the cache: asking again within a second is no call at all.
func TestWarmReadMakesNoCall(t *testing.T) {
	root := tree(t, map[string]string{"a.md": "text", "dir/b.md": "", "link.md": "-> a.md"})
	now := later()
	count := NewCounting(Disk())
	cache := NewCache(count, now.Now)
	stack := Confine(Overlay(cache, map[string]Buffer{filepath.Join(root, "open.md"): {}}), root)
	everything(cache, root)
	everything(stack, root)
	if len(count.Calls()) == 0 {
		t.Fatal("cold answers came from nowhere")
	}
	count.Reset()
	cold := cache.Stats()
	now.advance(FreshFor - 1)
	everything(cache, root)
	everything(stack, root)
	wantCalls(t, count, root)
	if warm := cache.Stats(); warm.Hits <= cold.Hits || warm.Entries < 20 {
		t.Errorf("stats %+v after %+v", warm, cold)
	}
}

func TestStaleReadIsOneStat(t *testing.T) {
	root := tree(t, map[string]string{"a.md": "text"})
	path := filepath.Join(root, "a.md")
	now := later()
	count := NewCounting(Disk())
	cache := NewCache(count, now.Now)
	first := wantText(t, cache, path, "text")
	wantCalls(t, count, root, "Stat a.md", "ReadFile a.md")
	now.advance(FreshFor)
	second := wantText(t, cache, path, "text")
	cache.Stat(path)
	wantCalls(t, count, root, "Stat a.md")
	if first != second {
		t.Error("an unchanged file is another *File")
	}
	_, err := cache.ReadFile(filepath.Join(root, "missing"))
	wantReason(t, err, ReasonMissing)
	wantCalls(t, count, root, "Stat missing")
	now.advance(FreshFor)
	cache.ReadFile(filepath.Join(root, "missing"))
	wantCalls(t, count, root, "Stat missing")
}

// Every kind of change is seen once FreshFor is over, with no event.
func TestCacheSeesChanges(t *testing.T) {
	changes := map[string]func(path string) error{
		"longer":       func(p string) error { return os.WriteFile(p, []byte("longer text"), 0o666) },
		"same size":    func(p string) error { return os.WriteFile(p, []byte("TEXT"), 0o666) },
		"removed":      os.Remove,
		"renamed over": func(p string) error { os.WriteFile(p+"~", []byte("TEXT"), 0o666); return os.Rename(p+"~", p) },
		"now a folder": func(p string) error { os.Remove(p); return os.Mkdir(p, 0o777) },
		"now a link":   func(p string) error { os.Remove(p); return os.Symlink("other.md", p) },
		"time set back": func(p string) error {
			fi, err := os.Stat(p)
			if err != nil {
				return err
			}
			os.WriteFile(p, []byte("TEXT"), 0o666)
			return os.Chtimes(p, fi.ModTime(), fi.ModTime())
		},
	}
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			root := tree(t, map[string]string{"dir/a.md": "text", "dir/other.md": "other", "link.md": "-> dir/a.md"})
			path := filepath.Join(root, "dir/a.md")
			now := later()
			cache := NewCache(Disk(), now.Now)
			wantText(t, cache, path, "text")
			wantText(t, cache, filepath.Join(root, "link.md"), "text")
			cache.ReadDir(filepath.Dir(path))
			before := cache.Generation()
			must(t, change(path))
			now.advance(FreshFor)
			for _, path := range []string{path, filepath.Join(root, "link.md")} {
				wantSameRead(t, cache, path)
			}
			got, _ := cache.ReadDir(filepath.Dir(path))
			if want, _ := Disk().ReadDir(filepath.Dir(path)); !slices.Equal(got, want) {
				t.Errorf("listing %v, want %v", got, want)
			}
			if cache.Generation() == before {
				t.Error("the generation did not move")
			}
		})
	}
}

func wantSameRead(t *testing.T, cache FS, path string) {
	t.Helper()
	want, wantErr := Disk().ReadFile(path)
	got, err := cache.ReadFile(path)
	if ReasonOf(err) != ReasonOf(wantErr) {
		t.Errorf("error %v, want %v", err, wantErr)
	}
	if err == nil && wantErr == nil && got.Text != want.Text {
		t.Errorf("text %q, want %q", got.Text, want.Text)
	}
}

// still is a disk whose looks never change, like one with coarse time stamps.
type still struct {
	FS
	mu   sync.Mutex
	text string
	info Info
}

func (s *still) set(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text = text
}

func (s *still) Stat(string) (Info, error) { return s.info, nil }
func (s *still) ReadFile(path string) (*File, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return &File{Path: path, Text: s.text, Hash: HashOf(s.text), Size: int64(len(s.text)), ModTime: s.info.ModTime}, nil
}

// Two saves of one size within one tick of the file system's clock: the second
// leaves no mark, so a file that was new when it was read is read again.
func TestSameSizeEditWithinOneTick(t *testing.T) {
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	now := &clock{now: start.Add(300 * time.Millisecond)}
	disk := &still{text: "aaaa", info: Info{Kind: KindFile, Size: 4, ModTime: start}}
	count := NewCounting(disk)
	cache := NewCache(count, now.Now)
	first := wantText(t, cache, "/a", "aaaa")
	disk.set("bbbb")
	wantText(t, cache, "/a", "aaaa") // fresh for a second
	now.advance(FreshFor)
	second := wantText(t, cache, "/a", "bbbb")
	if first == second {
		t.Error("another text in the same *File: it is shared and must not change")
	}
	// Still racy: read again, and found the same.
	now.advance(FreshFor - 300*time.Millisecond - 1)
	wantText(t, cache, "/a", "bbbb")
	now.advance(FreshFor)
	if third := wantText(t, cache, "/a", "bbbb"); third != second {
		t.Error("the same text in another *File")
	}
	count.Reset()
	// Old enough when it was last read: looks decide from now on.
	now.advance(FreshFor)
	wantText(t, cache, "/a", "bbbb")
	wantCalls(t, count, "/", "Stat a")
}

// The real disk, the real clock, as fast as it goes.
func TestRapidSavesOnTheRealDisk(t *testing.T) {
	root := tree(t, map[string]string{"a.md": "0000"})
	path := filepath.Join(root, "a.md")
	now := &clock{now: time.Now()}
	cache := NewCache(Disk(), now.Now)
	for i := range 40 {
		want := fmt.Sprintf("%04d", i)
		must(t, os.WriteFile(path, []byte(want), 0o666))
		now.advance(FreshFor)
		wantText(t, cache, path, want)
	}
}

func TestClockThatGoesBack(t *testing.T) {
	root := tree(t, map[string]string{"a.md": "text"})
	path := filepath.Join(root, "a.md")
	now := later()
	cache := NewCache(Disk(), now.Now)
	wantText(t, cache, path, "text")
	must(t, os.WriteFile(path, []byte("new text"), 0o666))
	now.advance(-time.Minute)
	wantText(t, cache, path, "new text")
}

func TestInvalidate(t *testing.T) {
	root := tree(t, map[string]string{"dir/sub/a.md": "text", "dir/b.md": "b", "other/c.md": "c", "alias": "-> dir"})
	at := func(name string) string { return filepath.Join(root, name) }
	warm := func(fs FS) {
		for _, name := range []string{"dir/sub/a.md", "dir/b.md", "other/c.md", "alias/sub/a.md"} {
			fs.ReadFile(at(name))
			fs.RealPath(at(name))
		}
		for _, name := range []string{"dir", "dir/sub", "other", ""} {
			fs.ReadDir(at(name))
		}
	}
	tests := []struct {
		changed []string
		want    []string // what is asked again
	}{
		{nil, nil},
		{[]string{"dir/b.md"}, []string{"Stat dir/b.md", "ReadFile dir/b.md", "RealPath dir/b.md", "Stat dir", "ReadDir dir"}},
		// A folder goes with all in it, and takes along what other names lead into it.
		{[]string{"dir/"}, []string{
			"Stat dir/sub/a.md", "ReadFile dir/sub/a.md", "RealPath dir/sub/a.md",
			"Stat dir/b.md", "ReadFile dir/b.md", "RealPath dir/b.md",
			"Stat alias/sub/a.md", "ReadFile alias/sub/a.md", "RealPath alias/sub/a.md",
			"Stat dir", "ReadDir dir", "Stat dir/sub", "ReadDir dir/sub", "Stat .", "ReadDir ."}},
		{[]string{"dir-x", "othe"}, []string{"Stat .", "ReadDir ."}},
	}
	for _, test := range tests {
		count := NewCounting(Disk())
		cache := NewCache(count, later().Now)
		warm(cache)
		count.Reset()
		var paths []string
		for _, name := range test.changed {
			paths = append(paths, root+"/"+name)
		}
		before := cache.Generation()
		cache.Invalidate(paths...)
		if moved := cache.Generation() != before; moved != (len(paths) > 0) {
			t.Errorf("%q: generation moved: %v", test.changed, moved)
		}
		wantCalls(t, count, root)
		warm(cache)
		if got := calls(count, root); !slices.Equal(got, test.want) {
			t.Errorf("after a change of %q: %q, want %q", test.changed, got, test.want)
		}
		cache.InvalidateAll()
		if n := cache.Stats().Entries; n != 0 {
			t.Errorf("%d entries after InvalidateAll", n)
		}
	}
}

// Many readers that ask for one cold file at once share one read.
func TestConcurrentColdReadsShareOneCall(t *testing.T) {
	root := tree(t, map[string]string{"a.md": "text"})
	path := filepath.Join(root, "a.md")
	count := NewCounting(Disk())
	cache := NewCache(count, later().Now)
	var group sync.WaitGroup
	for range 50 {
		group.Go(func() { wantText(t, cache, path, "text") })
	}
	group.Wait()
	wantCalls(t, count, root, "Stat a.md", "ReadFile a.md")
}

// Readers, a writer and invalidations at once, for the race detector.
func TestCacheUnderLoad(t *testing.T) {
	root := tree(t, map[string]string{"dir/a.md": "text"})
	path := filepath.Join(root, "dir/a.md")
	now := later()
	cache := NewCache(Disk(), now.Now)
	var group sync.WaitGroup
	for i := range 4 {
		group.Go(func() {
			for n := range 200 {
				switch (n + i) % 5 {
				case 0:
					now.advance(FreshFor / 3)
				case 1:
					cache.Invalidate(path)
				case 2:
					os.WriteFile(path+"~", fmt.Appendf(nil, "text %d", n), 0o666)
					os.Rename(path+"~", path)
				case 3:
					cache.ReadDir(filepath.Dir(path))
					cache.RealPath(path)
				case 4:
					cache.ReadFile(path)
				}
			}
		})
	}
	group.Wait()
	now.advance(FreshFor)
	wantSameRead(t, cache, path)
}

// crashing panics on the first read.
type crashing struct {
	FS
	once *sync.Once
}

func (c crashing) ReadFile(path string) (*File, error) {
	c.once.Do(func() { panic("crash") })
	return c.FS.ReadFile(path)
}

func TestPanicInOneReadLeavesTheCacheUsable(t *testing.T) {
	root := tree(t, map[string]string{"a.md": "text"})
	path := filepath.Join(root, "a.md")
	cache := NewCache(crashing{Disk(), new(sync.Once)}, later().Now)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		cache.ReadFile(path)
	}()
	wantText(t, cache, path, "text")
}

// large answers every read with a text of its own.
type large struct{ size int }

func (l large) Lstat(path string) (Info, error)      { return Info{Path: path, Size: int64(l.size)}, nil }
func (l large) Stat(path string) (Info, error)       { return l.Lstat(path) }
func (l large) ReadDir(string) ([]Entry, error)      { return nil, &Error{Reason: ReasonNotDirectory} }
func (l large) RealPath(path string) (string, error) { return path, nil }
func (l large) ReadFile(path string) (*File, error) {
	return &File{Path: path, Text: string(make([]byte, l.size))}, nil
}

// The cache of a server that runs for weeks stays within its bounds, and keeps
// what is in use.
func TestCacheForgetsWhatIsNotUsed(t *testing.T) {
	now := later()
	count := NewCounting(large{MaxFileSize})
	cache := NewCache(count, now.Now)
	cache.ReadFile("/used")
	for i := range 3 * maxTextBytes / MaxFileSize {
		now.advance(time.Nanosecond)
		cache.ReadFile(fmt.Sprint("/", i))
		cache.ReadFile("/used")
		if held := cache.textBytes.Load(); held > maxTextBytes+MaxFileSize {
			t.Fatalf("%d bytes of text held", held)
		}
	}
	used := 0
	for _, call := range count.Calls() {
		if call == (Call{"ReadFile", "/used"}) {
			used++
		}
	}
	if used != 1 {
		t.Errorf("a file in use was read %d times", used)
	}

	cache = NewCache(large{1}, now.Now)
	for i := range maxEntries + maxEntries/4 {
		cache.Lstat(fmt.Sprint("/", i))
	}
	if n := cache.Stats().Entries; n > maxEntries {
		t.Errorf("%d entries held", n)
	}
}

var _ = []FS{disk{}, confined{}, &overlay{}, &Cache{}, &Counting{}}
var _ = []rooted{disk{}, confined{}, &overlay{}, &Cache{}, &Counting{}}
var _ error = (*Error)(nil)
