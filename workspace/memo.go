package workspace

import (
	"sync"
	"time"
)

// memo holds results by key, each computed by one caller while the others that
// want it wait. The zero memo is ready.
type memo struct {
	mu    sync.Mutex // guards calls; not held while a result is computed
	calls map[any]*memoCall
}

// memoCall is one result, or the wait for it. Its fields are written before done
// is closed and read after.
type memoCall struct {
	done       chan struct{}
	ok         bool // value is there; not after a panic
	value      any
	at         time.Time
	generation int64
}

// do is the result of key: the one that holds(call) accepts, else a new one from
// compute. started is stored with a new result.
func (m *memo) do(key any, started memoCall, holds func(*memoCall) bool, compute func() any) any {
	for {
		m.mu.Lock()
		c := m.calls[key]
		if c == nil {
			c = &memoCall{done: make(chan struct{}), at: started.at, generation: started.generation}
			if m.calls == nil {
				m.calls = make(map[any]*memoCall)
			}
			m.calls[key] = c
			m.mu.Unlock()
			return c.run(compute)
		}
		m.mu.Unlock()
		<-c.done
		if c.ok && holds(c) {
			return c.value
		}
		m.forget(key, c)
	}
}

// run computes c. A panic goes on to the caller whose compute it was; whoever
// asks next, or waits already, finds that there is no result and computes it.
func (c *memoCall) run(compute func() any) any {
	defer close(c.done)
	c.value = compute()
	c.ok = true
	return c.value
}

// len counts the results, and those that are waited for.
func (m *memo) len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.calls)
}

// forget drops c, unless key has another call by now.
func (m *memo) forget(key any, c *memoCall) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.calls[key] == c {
		delete(m.calls, key)
	}
}
