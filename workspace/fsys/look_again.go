package fsys

// LookAgain asks the disk about paths although the answers are fresh, and
// forgets what is known of those that changed, as Invalidate does; it tells
// whether there was one. It is for the moment at which something is made that
// will stand for long, and costs one look a path. Of a path that nobody read or
// listed nothing is known, so nothing is looked at.
func (c *Cache) LookAgain(paths []string) bool {
	now := c.now()
	var changed []string
	for _, path := range paths {
		path = Clean(path)
		c.mu.RLock()
		e := c.entries[cacheKey{op: opStat, path: path}]
		c.mu.RUnlock()
		if e == nil {
			continue
		}
		known := e.answer.Load()
		if known == nil {
			continue // it is being looked at
		}
		info, err := c.base.Stat(path)
		// What is made of an answer is at most FreshFor old, and the answer was as
		// old at most then: what changed so recently may have changed again since
		// without any mark on it.
		again := err == nil && info.lastChange().After(now.Add(-racyWindow-2*FreshFor))
		if again || !known.info.sameState(info) || ReasonOf(known.err) != ReasonOf(err) {
			changed = append(changed, path)
		}
	}
	c.Invalidate(changed...)
	return len(changed) > 0
}
