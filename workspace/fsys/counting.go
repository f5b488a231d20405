package fsys

import (
	"slices"
	"sync"
)

// Call is one call that reached a Counting.
type Call struct {
	Op   string // "Lstat", "Stat", "ReadDir", "ReadFile" or "RealPath"
	Path string
}

// Counting records every call and passes it on, for tests and benchmarks that
// have to know what an answer cost. It is safe for concurrent use.
type Counting struct {
	base FS

	mu    sync.Mutex // guards calls
	calls []Call
}

// NewCounting counts the calls that reach base.
func NewCounting(base FS) *Counting { return &Counting{base: base} }

// Calls are the calls so far, in the order in which they came.
func (c *Counting) Calls() []Call {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.calls)
}

// Reset forgets the calls so far.
func (c *Counting) Reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls = nil
}

func (c *Counting) record(op, path string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls = append(c.calls, Call{op, path})
}

// Lstat implements FS.
func (c *Counting) Lstat(path string) (Info, error) {
	c.record("Lstat", path)
	return c.base.Lstat(path)
}

// Stat implements FS.
func (c *Counting) Stat(path string) (Info, error) {
	c.record("Stat", path)
	return c.base.Stat(path)
}

// ReadDir implements FS.
func (c *Counting) ReadDir(path string) ([]Entry, error) {
	c.record("ReadDir", path)
	return c.base.ReadDir(path)
}

// ReadFile implements FS.
func (c *Counting) ReadFile(path string) (*File, error) {
	c.record("ReadFile", path)
	return c.base.ReadFile(path)
}

// RealPath implements FS.
func (c *Counting) RealPath(path string) (string, error) {
	c.record("RealPath", path)
	return c.base.RealPath(path)
}

func (c *Counting) readFileIn(root, real, path string) (*File, error) {
	c.record("ReadFile", path)
	return readFileIn(c.base, root, real, path)
}

func (c *Counting) readDirIn(root, real, path string) ([]Entry, error) {
	c.record("ReadDir", path)
	return readDirIn(c.base, root, real, path)
}
