package tokens

import (
	"strings"
	"sync"
	"testing"
)

func longText(i int) string {
	return strings.Repeat("some words that are longer than what is not worth caching, ", 2) + strings.Repeat("x", i)
}

// A cache gives the counter's own count, first and later, and keeps counters apart that differ.
func TestCacheCounts(t *testing.T) {
	c := NewCache(100)
	for _, model := range []string{"gpt-4o", "gpt-4", "text-davinci-003", "davinci", "claude-opus-4-7", "claude-opus-4-5", "gemini-3-pro", "gpt-4o"} {
		counter := ForModel(model)
		for _, text := range []string{"", "short", longText(0), longText(1), longText(0)} {
			if got, want := c.Count(counter, text), counter.Count(text); got != want {
				t.Errorf("%s: %d tokens from the cache, want %d", model, got, want)
			}
		}
	}
	if c.Len() != 2*7 {
		t.Errorf("%d entries, want one for each long text and each of 7 ways to count", c.Len())
	}
}

// A count that is asked for again is not made again.
func TestCacheRemembers(t *testing.T) {
	c := NewCache(100)
	counter := ForModel("gpt-4o")
	text := longText(0)
	n := c.Count(counter, text)
	for key := range c.young {
		c.young[key] = n + 1000 // what only the cache can say
	}
	for i := range 500 {
		c.Count(counter, longText(i+1))
		if i%40 == 0 {
			if got := c.Count(counter, text); got != n+1000 {
				t.Fatalf("after %d other texts the count was made anew", i+1)
			}
		}
	}
}

// However many texts are counted, the cache holds at most what it was made for.
func TestCacheIsBounded(t *testing.T) {
	for _, most := range []int{-1, 2, 10, 64} {
		c := NewCache(most)
		for i := range 500 {
			c.Count(ForModel("gpt-4o"), longText(i))
			if c.Len() > max(most, 2) {
				t.Fatalf("%d entries in a cache of %d", c.Len(), most)
			}
		}
	}
}

func TestCacheConcurrently(t *testing.T) {
	c := NewCache(16)
	counter := ForModel("gpt-4o")
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for i := range 200 {
				text := longText(i % 20)
				if got, want := c.Count(counter, text), counter.Count(text); got != want {
					t.Errorf("%d tokens, want %d", got, want)
				}
			}
		})
	}
	group.Wait()
}
