package fsys

import (
	"cmp"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// FreshFor is how long an answer is given from memory without another look at
// the disk. It bounds how late a change is seen when no event tells of it; one
// second is less than it takes to save in one program and ask in another.
const FreshFor = time.Second

// racyWindow is the coarsest time stamp of a file system in use (FAT: 2 s). A
// file that changed less than that before it was read may change again without
// any mark on it, so its looks decide nothing and it is read again, as git does
// with "racily clean" entries.
const racyWindow = 2 * time.Second

// What the cache holds at most. Beyond either it forgets the answers that were
// not asked for the longest.
const (
	maxEntries   = 1 << 16  // ten times the folders of a large monorepo's one path through it
	maxTextBytes = 64 << 20 // bytes of file text
)

// Cache remembers the answers of a base FS. An answer is given again without
// any call for FreshFor; after that one Stat (Lstat for an Lstat) tells whether
// it still holds. It is safe for concurrent use; concurrent questions for one
// path share one call.
type Cache struct {
	base FS
	now  func() time.Time

	mu      sync.RWMutex // guards entries
	entries map[cacheKey]*cacheEntry

	textBytes    atomic.Int64 // about how much text the entries hold
	generation   atomic.Int64
	hits, misses atomic.Int64
}

// CacheStats says what a Cache has done.
type CacheStats struct {
	Entries int // answers held
	Hits    int // questions answered without any call
	Misses  int // questions that went to the base, if only to revalidate
}

// NewCache remembers the answers of base. now is the clock that FreshFor is
// measured on; it must be a running one, or nothing is ever looked at again.
func NewCache(base FS, now func() time.Time) *Cache {
	return &Cache{base: base, now: now, entries: make(map[cacheKey]*cacheEntry)}
}

type cacheOp uint8

const (
	opLstat cacheOp = iota
	opStat
	opReadDir
	opReadFile
	opRealPath
)

type cacheKey struct {
	op   cacheOp
	path string
	root string // of a confined read, else ""
}

type cacheEntry struct {
	loading sync.Mutex // held while the answer is fetched, so that it is fetched once
	answer  atomic.Pointer[answer]
	used    atomic.Int64 // when it was last asked for, nanoseconds since 1970
}

// answer is one immutable answer of the base.
type answer struct {
	checked time.Time // when it was last known to hold
	loaded  time.Time // before it was fetched
	info    Info      // of Lstat and Stat; for a read, what Stat said before it

	entries []Entry
	file    *File
	real    string
	err     error
}

func (a *answer) freshAt(now time.Time) bool {
	age := now.Sub(a.checked)
	return age >= 0 && age < FreshFor
}

// racy reports whether the file may have changed after the answer was fetched
// without looking any different.
func (a *answer) racy() bool {
	return a.info.lastChange().After(a.loaded.Add(-racyWindow))
}

// Lstat implements FS.
func (c *Cache) Lstat(path string) (Info, error) {
	a := c.ask(cacheKey{op: opLstat, path: path})
	return a.info, a.err
}

// Stat implements FS.
func (c *Cache) Stat(path string) (Info, error) {
	a := c.ask(cacheKey{op: opStat, path: path})
	return a.info, a.err
}

// ReadDir implements FS. The slice is shared: do not modify it.
func (c *Cache) ReadDir(path string) ([]Entry, error) {
	a := c.ask(cacheKey{op: opReadDir, path: path})
	return a.entries, a.err
}

// ReadFile implements FS. As long as the text stays the same, so does the *File.
func (c *Cache) ReadFile(path string) (*File, error) {
	a := c.ask(cacheKey{op: opReadFile, path: path})
	return a.file, a.err
}

// RealPath implements FS.
func (c *Cache) RealPath(path string) (string, error) {
	a := c.ask(cacheKey{op: opRealPath, path: path})
	return a.real, a.err
}

// A confined read is remembered apart from a free one: its text is known to
// have been inside the root.
func (c *Cache) readFileIn(root, real, path string) (*File, error) {
	a := c.askWith(cacheKey{op: opReadFile, path: path, root: root}, real)
	return a.file, a.err
}

func (c *Cache) readDirIn(root, real, path string) ([]Entry, error) {
	a := c.askWith(cacheKey{op: opReadDir, path: path, root: root}, real)
	return a.entries, a.err
}

// Generation grows with every invalidation and every change that a look at the
// disk finds. What was computed from the cache holds while it stays the same,
// as far as anybody has looked.
func (c *Cache) Generation() int64 { return c.generation.Load() }

// Stats says what the cache has done so far.
func (c *Cache) Stats() CacheStats {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return CacheStats{Entries: len(c.entries), Hits: int(c.hits.Load()), Misses: int(c.misses.Load())}
}

func (c *Cache) ask(k cacheKey) *answer { return c.askWith(k, "") }

// askWith answers k, from memory where it can. real is only for confined reads.
func (c *Cache) askWith(k cacheKey, real string) *answer {
	k.path = Clean(k.path) // costs nothing when it is clean
	now := c.now()
	c.mu.RLock()
	e := c.entries[k]
	c.mu.RUnlock()
	if e != nil {
		if a := e.answer.Load(); a != nil && a.freshAt(now) {
			e.used.Store(now.UnixNano())
			c.hits.Add(1)
			return a
		}
	} else {
		e = c.enter(k)
	}
	e.used.Store(now.UnixNano())
	return c.refresh(k, e, real)
}

// enter makes the entry of k, and room for it.
func (c *Cache) enter(k cacheKey) *cacheEntry {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.entries[k]
	if e == nil {
		if len(c.entries) >= maxEntries || c.textBytes.Load() > maxTextBytes {
			c.forgetOldest()
		}
		e = new(cacheEntry)
		c.entries[k] = e
	}
	return e
}

// forgetOldest drops the half of the entries that was not asked for the longest.
// The caller holds mu.
func (c *Cache) forgetOldest() {
	type aged struct {
		key  cacheKey
		used int64
	}
	all := make([]aged, 0, len(c.entries))
	for k, e := range c.entries {
		all = append(all, aged{k, e.used.Load()})
	}
	slices.SortFunc(all, func(a, b aged) int { return cmp.Compare(a.used, b.used) })
	for _, old := range all[:(len(all)+1)/2] {
		delete(c.entries, old.key)
	}
	c.recountText()
}

// recountText is the sum of the texts held. The caller holds mu.
func (c *Cache) recountText() {
	var sum int64
	for _, e := range c.entries {
		if a := e.answer.Load(); a != nil && a.file != nil {
			sum += int64(len(a.file.Text))
		}
	}
	c.textBytes.Store(sum)
}

// refresh asks the base, unless another caller has just done so.
func (c *Cache) refresh(k cacheKey, e *cacheEntry, real string) *answer {
	e.loading.Lock()
	defer e.loading.Unlock()
	old := e.answer.Load()
	now := c.now()
	if old != nil && old.freshAt(now) {
		c.hits.Add(1)
		return old
	}
	c.misses.Add(1)
	fetched := c.fetch(k, old, now, real)
	if old != nil && old.changedIn(fetched) {
		c.generation.Add(1)
	}
	if fetched.file != nil && (old == nil || old.file != fetched.file) {
		c.textBytes.Add(int64(len(fetched.file.Text)))
		if old != nil && old.file != nil {
			c.textBytes.Add(-int64(len(old.file.Text)))
		}
	}
	e.answer.Store(fetched)
	return fetched
}

// changedIn reports whether the newer answer says something else.
func (a *answer) changedIn(newer *answer) bool {
	return !a.info.sameState(newer.info) || a.real != newer.real || a.file != newer.file ||
		ReasonOf(a.err) != ReasonOf(newer.err) || !slices.Equal(a.entries, newer.entries)
}

// fetch asks the base; old is the answer so far, nil when there is none.
func (c *Cache) fetch(k cacheKey, old *answer, now time.Time, real string) *answer {
	a := &answer{checked: now, loaded: now}
	switch k.op {
	case opLstat:
		a.info, a.err = c.base.Lstat(k.path)
		return a
	case opStat:
		a.info, a.err = c.base.Stat(k.path)
		return a
	case opRealPath:
		a.real, a.err = c.base.RealPath(k.path)
		return a
	}
	// The look comes before the read: if the file changes in between, the answer
	// has the new text under the old look, and the next look finds that out.
	look := c.ask(cacheKey{op: opStat, path: k.path})
	if old != nil && old.holds(look) {
		again := *old
		again.checked = look.checked
		return &again
	}
	a.checked, a.info = look.checked, look.info
	if look.err != nil {
		a.err = look.err
		return a
	}
	switch {
	case k.op == opReadDir && k.root == "":
		a.entries, a.err = c.base.ReadDir(k.path)
	case k.op == opReadDir:
		a.entries, a.err = readDirIn(c.base, k.root, real, k.path)
	case k.root == "":
		a.file, a.err = c.base.ReadFile(k.path)
	default:
		a.file, a.err = readFileIn(c.base, k.root, real, k.path)
	}
	if old != nil && old.file != nil && a.file != nil && sameFile(old.file, a.file) {
		a.file = old.file
	}
	return a
}

// holds reports whether a read still gives what it gave, now that Stat says look.
func (a *answer) holds(look *answer) bool {
	switch ReasonOf(a.err) {
	case ReasonIO, ReasonPermission, ReasonOutside:
		return false // may pass without any change to the file
	}
	if look.err != nil {
		return ReasonOf(a.err) == ReasonOf(look.err)
	}
	return !a.racy() && a.info.sameState(look.info)
}

// sameFile reports whether two reads differ in nothing that a reader sees.
func sameFile(a, b *File) bool {
	return a.Hash == b.Hash && a.Size == b.Size && a.ModTime.Equal(b.ModTime) && a.BOM == b.BOM && a.Repaired == b.Repaired
}

// Invalidate forgets what is known of the paths, of all below them and of the
// folders they are in, under every name whose real path the cache has been
// asked for. It makes no call.
func (c *Cache) Invalidate(paths ...string) {
	if len(paths) == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	changed, folders := make(map[string]bool), make(map[string]bool)
	for _, path := range paths {
		changed[Clean(path)] = true
	}
	c.addAliases(changed)
	for path := range changed {
		folders[filepath.Dir(path)] = true
	}
	for k := range c.entries {
		if folders[k.path] || underAny(changed, k.path) {
			delete(c.entries, k)
		}
	}
	c.recountText()
	c.generation.Add(1)
}

// addAliases adds to the changed paths the other names that lead to them.
func (c *Cache) addAliases(changed map[string]bool) {
	var aliases []string
	for k, e := range c.entries {
		if a := e.answer.Load(); k.op == opRealPath && a != nil && a.err == nil && a.real != k.path && underAny(changed, a.real) {
			aliases = append(aliases, k.path)
		}
	}
	for _, path := range aliases {
		changed[path] = true
	}
}

// underAny reports whether path or a folder above it is in set.
func underAny(set map[string]bool, path string) bool {
	for {
		if set[path] {
			return true
		}
		parent := filepath.Dir(path)
		if parent == path {
			return false
		}
		path = parent
	}
}

// InvalidateAll forgets everything. It makes no call.
func (c *Cache) InvalidateAll() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.entries)
	c.textBytes.Store(0)
	c.generation.Add(1)
}
