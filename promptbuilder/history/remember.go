package history

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"sync"
)

// Key identifies a message by its bytes.
type Key [16]byte

func (k Key) String() string { return hex.EncodeToString(k[:]) }

// Is tells whether text is what String gives.
func (k Key) Is(text string) bool {
	if len(text) != 2*len(k) {
		return false
	}
	const digits = "0123456789abcdef"
	for i, b := range k {
		if text[2*i] != digits[b>>4] || text[2*i+1] != digits[b&15] {
			return false
		}
	}
	return true
}

// Key of the message: messages of the same bytes have the same key. It is made once for a message that was parsed,
// also for the copies of it.
func (m *Message) Key() Key {
	if m.source == nil {
		raw, err := encodeJSON(m.own())
		if err != nil {
			panic(err) // only raw JSON that was checked before could fail
		}
		return keyOf(raw)
	}
	m.source.once.Do(func() { m.source.key = keyOf(m.source.raw) })
	return m.source.key
}

func keyOf(raw []byte) Key {
	sum := sha256.Sum256(raw)
	return Key(sum[:len(Key{})])
}

// cutKey identifies what a cut leaves of a text of the message with this key.
func cutKey(message Key, at place, cut textCut) Key {
	raw := append([]byte(nil), message[:]...)
	raw = strconv.AppendInt(append(raw, 'b'), int64(at.block), 10)
	raw = strconv.AppendInt(append(raw, 's'), int64(at.sub), 10)
	for _, piece := range cut.keep {
		raw = strconv.AppendInt(append(raw, 'k'), int64(piece[0]), 10)
		raw = strconv.AppendInt(append(raw, '-'), int64(piece[1]), 10)
	}
	return keyOf(append(raw, cut.note...))
}

// Cost is what a message costs, in tokens.
type Cost struct {
	// Total of the message, its overhead included.
	Total int
	// Blocks are the costs by block where there are several.
	Blocks []int
}

// CostCache remembers costs by the key of what was counted. A cache belongs to one counter and one set of the
// overheads in Options: whoever changes the model takes another one. Prepare calls it from one goroutine.
type CostCache interface {
	Cost(Key) (Cost, bool)
	Remember(Key, Cost)
}

// Costs is a CostCache in memory that several goroutines may use.
type Costs struct {
	limit int

	mu sync.Mutex
	// young takes what is new; when it is full it becomes old and the old is forgotten. mu guards both.
	young, old map[Key]Cost
}

// NewCosts makes a cache that remembers the last limit costs at least, and twice as many at most.
func NewCosts(limit int) *Costs {
	return &Costs{limit: max(1, limit), young: map[Key]Cost{}}
}

// Cost is what was remembered.
func (c *Costs) Cost(key Key) (Cost, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	cost, ok := c.young[key]
	if !ok {
		if cost, ok = c.old[key]; ok {
			c.add(key, cost)
		}
	}
	return cost, ok
}

// Remember keeps a cost.
func (c *Costs) Remember(key Key, cost Cost) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(key, cost)
}

func (c *Costs) add(key Key, cost Cost) {
	if len(c.young) >= c.limit {
		c.old, c.young = c.young, make(map[Key]Cost, c.limit)
	}
	c.young[key] = cost
}
