package epoch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"
)

// The layers, most stable first.
const (
	layerCore      = "core"
	layerCacheable = "cacheable"
	layerDynamic   = "dynamic"
)

// Admitted is what a session was last told of one source.
type Admitted struct {
	// Key of the source.
	Key string `json:"key"`
	// Layer is core, cacheable or dynamic.
	Layer string `json:"layer"`
	// Text is the value as it was last said, in full.
	Text string `json:"text"`
	// Removal is what will be said when the source goes. It is rendered when the
	// value is said, so that it can be said after the source's code is gone.
	// Empty where the source has none.
	Removal string `json:"removal,omitempty"`
}

// Snapshot is what a session was last told of every source. It is immutable,
// so copies share all they have; the zero value is of a session that was told
// nothing. A Snapshot is read and written as a JSON list of [Admitted]. A row
// of that list that does not decode costs its own key only, see
// [Snapshot.Faults].
type Snapshot struct {
	entries []entry // ordered by key; never written after it was made
	faults  []Fault // rows that had no key, or lost the text for their removal
}

// entry is a row of a snapshot.
type entry struct {
	Admitted
	// fault says why Text was lost; empty for a sound row. The session was told
	// the source all the same.
	fault string
}

// Fault is a row of a stored snapshot that was lost, or a renderer of a source
// that panicked.
type Fault struct {
	// Key of the source, empty where even that is not known.
	Key string
	// Why in one sentence.
	Why string
}

// find gives the place of a key, or where it would be.
func (s Snapshot) find(key string) (int, bool) {
	return slices.BinarySearchFunc(s.entries, key, func(e entry, key string) int { return strings.Compare(e.Key, key) })
}

// Get gives what was said of a source. A row that was lost is not there.
func (s Snapshot) Get(key string) (Admitted, bool) {
	i, ok := s.find(key)
	if !ok || s.entries[i].fault != "" {
		return Admitted{}, false
	}
	return s.entries[i].Admitted, true
}

// With is the snapshot with one more source told, or one told otherwise.
func (s Snapshot) With(a Admitted) Snapshot {
	i, ok := s.find(a.Key)
	switch {
	case ok && s.entries[i] == (entry{Admitted: a}):
		return s
	case ok:
		entries := slices.Clone(s.entries)
		entries[i] = entry{Admitted: a}
		return Snapshot{entries: entries, faults: s.faults}
	}
	entries := make([]entry, 0, len(s.entries)+1)
	entries = append(append(append(entries, s.entries[:i]...), entry{Admitted: a}), s.entries[i:]...)
	return Snapshot{entries: entries, faults: s.faults}
}

// Without is the snapshot without a source.
func (s Snapshot) Without(key string) Snapshot {
	i, ok := s.find(key)
	if !ok {
		return s
	}
	entries := make([]entry, 0, len(s.entries)-1)
	return Snapshot{entries: append(append(entries, s.entries[:i]...), s.entries[i+1:]...), faults: s.faults}
}

// Len is the number of sources of which it is known what was said.
func (s Snapshot) Len() int {
	n := 0
	for i := range s.entries {
		if s.entries[i].fault == "" {
			n++
		}
	}
	return n
}

// All goes through what was said, in the order of the keys.
func (s Snapshot) All() iter.Seq[Admitted] {
	return func(yield func(Admitted) bool) {
		for i := range s.entries {
			if s.entries[i].fault == "" && !yield(s.entries[i].Admitted) {
				return
			}
		}
	}
}

// Faults lists what was lost when the snapshot was read. The next reconciliation
// says again what it has a key for.
func (s Snapshot) Faults() []Fault {
	all := slices.Clone(s.faults)
	for i := range s.entries {
		if s.entries[i].fault != "" {
			all = append(all, Fault{Key: s.entries[i].Key, Why: s.entries[i].fault})
		}
	}
	return all
}

// Equal tells whether two snapshots say the same of the same sources, to the
// byte.
func (s Snapshot) Equal(other Snapshot) bool { return slices.Equal(s.entries, other.entries) }

// MarshalJSON writes a list of rows in the order of their keys.
func (s Snapshot) MarshalJSON() ([]byte, error) {
	rows := make([]row, len(s.entries))
	for i, e := range s.entries {
		rows[i] = row{Admitted: e.Admitted, Lost: e.fault}
	}
	return json.Marshal(rows)
}

// row is an entry as it is stored.
type row struct {
	Admitted
	// Lost says why the text is not known any more.
	Lost string `json:"lost,omitempty"`
}

// UnmarshalJSON reads what MarshalJSON wrote. It fails only where the data is
// no list; a row that is not as it should be is in Faults.
func (s *Snapshot) UnmarshalJSON(data []byte) error {
	var rows []json.RawMessage
	if err := json.Unmarshal(data, &rows); err != nil {
		return fmt.Errorf("snapshot: want a list of rows: %w", err)
	}
	read := Snapshot{}
	for i, raw := range rows {
		e, err := readRow(raw)
		if err != nil {
			read.faults = append(read.faults, Fault{Key: e.Key, Why: fmt.Sprintf("row %d: %v", i+1, err)})
		}
		if e.Key == "" {
			continue
		}
		at, twice := read.find(e.Key)
		if twice {
			// Nobody knows which of the two was said last.
			read.entries[at] = entry{Admitted: Admitted{Key: e.Key}, fault: "the key is in more than one row"}
			continue
		}
		read.entries = slices.Insert(read.entries, at, e)
	}
	*s = read
	return nil
}

// readRow reads one row. A row without its text is an entry with a fault. The
// error is for a row without a key, which is no entry, and for one that lacks
// only the text for its removal.
func readRow(raw json.RawMessage) (entry, error) {
	var fields struct {
		Key     json.RawMessage `json:"key"`
		Layer   json.RawMessage `json:"layer"`
		Text    json.RawMessage `json:"text"`
		Removal json.RawMessage `json:"removal"`
		Lost    json.RawMessage `json:"lost"`
	}
	if err := json.Unmarshal(raw, &fields); err != nil {
		return entry{}, errors.New("want an object")
	}
	key, ok := readText(fields.Key)
	if !ok {
		return entry{}, errors.New("key: want a text")
	}
	if err := CheckKey(key); err != nil {
		return entry{}, err
	}
	e := entry{Admitted: Admitted{Key: key}}
	fault := func(why string) {
		if e.fault == "" {
			e.fault = why
		}
	}
	if lost, ok := readText(fields.Lost); ok && lost != "" {
		fault(lost)
	}
	if e.Layer, ok = readText(fields.Layer); !ok || !isLayer(e.Layer) {
		fault("layer: want core, cacheable or dynamic")
	}
	if e.Text, ok = readText(fields.Text); !ok || blank(e.Text) {
		fault("text: want a text that says something")
	}
	if e.fault != "" {
		e.Layer, e.Text = "", "" // half a row is not what was said
	}
	if fields.Removal != nil {
		if e.Removal, ok = readText(fields.Removal); !ok || blank(e.Removal) {
			e.Removal = ""
			return e, errors.New("removal: want a text that says something")
		}
	}
	return e, nil
}

// readText reads a JSON string; null is none.
func readText(raw json.RawMessage) (string, bool) {
	var text string
	if len(raw) == 0 || bytes.Equal(raw, []byte("null")) || json.Unmarshal(raw, &text) != nil {
		return "", false
	}
	return text, true
}

func isLayer(layer string) bool {
	return layer == layerCore || layer == layerCacheable || layer == layerDynamic
}

// blank tells that a text says nothing.
func blank(text string) bool { return strings.TrimSpace(text) == "" }

// valid makes a text fit to be stored and sent.
func valid(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return repair(text)
}
