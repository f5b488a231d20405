package workspace

import "sync"

// kept holds the results that depend on files for a row of snapshots between
// which nothing happened that could change one: somebody typed into a buffer
// whose text none of them was made from, or looked elsewhere. It knows which
// buffers were read, because every reader reads through Snapshot.FS.
type kept struct {
	results memo

	mu    sync.RWMutex         // guards all below
	read  map[string]*Document // the buffers whose text was read, by path
	mixed bool                 // one of them was read at two versions
}

// maxKept is how many results are kept over an event: more than the requests of
// one keystroke ask for. Those that nobody asks for any more are in it as well.
const maxKept = 1024

// goesOn tells whether the results are any use to the next snapshot.
func (k *kept) goesOn(open documents) bool { return k.holdsFor(open) && k.results.len() <= maxKept }

// note says that a snapshot read a buffer's text.
func (k *kept) note(path string, d *Document) {
	k.mu.RLock()
	before, noted := k.read[path]
	k.mu.RUnlock()
	if noted && before == d {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if before, noted := k.read[path]; noted {
		k.mixed = k.mixed || before != d
		return
	}
	if k.read == nil {
		k.read = make(map[string]*Document)
	}
	k.read[path] = d
}

// holdsFor tells whether all that was read is what a snapshot would read. A
// reader that still works on an older snapshot may have read what is not.
func (k *kept) holdsFor(open documents) bool {
	k.mu.RLock()
	defer k.mu.RUnlock()
	if k.mixed {
		return false
	}
	for path, d := range k.read {
		if open.find(path) != d {
			return false
		}
	}
	return true
}
