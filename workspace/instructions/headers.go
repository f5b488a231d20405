package instructions

import (
	"strings"
	"sync"

	"foreword/workspace/fsys"
	"foreword/workspace/instructions/frontmatter"
	"foreword/workspace/instructions/globs"
)

// headers remembers parsed headers by the content of the file, so that a
// keystroke elsewhere parses no rule again.
var headers = headerCache{known: map[headerKey]frontmatter.Document{}}

// maxHeaders bounds the memory. The largest folders of rules hold a few hundred
// files; one of 15,000, read by several tools, must still fit.
const maxHeaders = 32_768

type headerKey struct {
	reader frontmatter.Reader
	hash   fsys.Hash
}

type headerCache struct {
	mu    sync.Mutex // guards known
	known map[headerKey]frontmatter.Document
}

func (c *headerCache) read(reader frontmatter.Reader, file *fsys.File) frontmatter.Document {
	key := headerKey{reader, file.Hash}
	c.mu.Lock()
	d, ok := c.known[key]
	c.mu.Unlock()
	if ok {
		return d
	}
	d = frontmatter.Read(reader, file.Text)
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.known) >= maxHeaders {
		clear(c.known)
	}
	c.known[key] = d
	return d
}

// patterns remembers compiled lists of patterns, for the same reason.
var patterns = patternCache{known: map[patternKey]*globs.Set{}}

type patternKey struct {
	dialect globs.Dialect
	list    string
}

type patternCache struct {
	mu    sync.Mutex // guards known
	known map[patternKey]*globs.Set
}

func (c *patternCache) compile(dialect globs.Dialect, list []string) *globs.Set {
	key := patternKey{dialect, strings.Join(list, "\x00")}
	c.mu.Lock()
	set, ok := c.known[key]
	c.mu.Unlock()
	if ok {
		return set
	}
	set, _ = globs.Compile(dialect, list) // what is wrong with a pattern is the linter's to tell
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.known) >= maxHeaders {
		clear(c.known)
	}
	c.known[key] = set
	return set
}
