package tokens

import (
	"hash/maphash"
	"sync"
)

// Cache remembers the counts of texts by a 128-bit hash of their content, so that a text whose owner changed, or that is
// part of many prompts, is counted once. It is safe for concurrent use.
//
// Entries live in two generations: new and used ones go to the young one, and when that is full it replaces the old one.
// A text is therefore remembered while fewer than half the maximum of other texts are asked for in between.
type Cache struct {
	half  int // the size of a generation
	seeds [2]maphash.Seed

	mu         sync.Mutex
	young, old map[cacheKey]int // guarded by mu
}

type cacheKey struct {
	hash     [2]uint64
	length   int
	encoding Encoding
	family   string // of an estimate: its factors
}

// uncached is the length in bytes up to which counting a text is as fast as looking it up.
const uncached = 64

// NewCache returns a cache of at most maxEntries counts, and at least two.
func NewCache(maxEntries int) *Cache {
	return &Cache{
		half:  max(maxEntries/2, 1),
		seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
		young: map[cacheKey]int{},
	}
}

// Count returns counter.Count(text), counted now or before.
func (c *Cache) Count(counter Counter, text string) int {
	if len(text) <= uncached {
		return counter.Count(text)
	}
	key := cacheKey{length: len(text), encoding: counter.Encoding}
	for i, seed := range c.seeds {
		key.hash[i] = maphash.String(seed, text)
	}
	if !counter.Exact {
		key.family = counter.Family
	}
	c.mu.Lock()
	n, known := c.find(key)
	c.mu.Unlock()
	if known {
		return n
	}
	n = counter.Count(text)
	c.mu.Lock()
	c.add(key, n)
	c.mu.Unlock()
	return n
}

// Len returns the number of counts remembered.
func (c *Cache) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.young) + len(c.old)
}

// find is called with mu held.
func (c *Cache) find(key cacheKey) (n int, known bool) {
	if n, known = c.young[key]; known {
		return n, true
	}
	if n, known = c.old[key]; known {
		delete(c.old, key)
		c.add(key, n)
	}
	return n, known
}

// add is called with mu held.
func (c *Cache) add(key cacheKey, n int) {
	if len(c.young) >= c.half {
		c.old, c.young = c.young, make(map[cacheKey]int, c.half)
	}
	c.young[key] = n
}
