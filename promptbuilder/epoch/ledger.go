package epoch

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"foreword/promptbuilder/history"
	"foreword/workspace/fsys"
)

// Errors of the ledger.
var (
	// ErrUnknownSession means that the session has no turn yet, or was forgotten.
	ErrUnknownSession = errors.New("unknown session")
	// ErrUnknownTurn means that the session has no turn of that number.
	ErrUnknownTurn = errors.New("unknown turn")
)

// Limits on what one process remembers. The oldest sessions are forgotten
// first: a panel that comes back to one sends its messages again.
const maxSessions = 256

// Ledger remembers sessions. Its methods may be called at once from several
// goroutines.
type Ledger struct {
	mu       sync.Mutex // guards all below
	sessions map[string]*session
	order    []string // from the session used longest ago to the newest
}

type session struct {
	turns      []Turn
	claims     map[string]Claim // by real path, as they stand now
	injections []injected       // of all branches, in the order in which they were said
}

// injected is an injection and what it claimed.
type injected struct {
	Injection
	realPath string
	hash     fsys.Hash
}

// Turn is one request to the model.
type Turn struct {
	// Number counts from 1; a number is never used twice.
	Number int
	// Parent is the turn that this one continues; 0 for the first.
	Parent int
	// Messages are the panel's, all of them up to this turn.
	Messages []history.Message
	// Sent are those of Messages that the request holds, where some of them did
	// not fit; nil means all.
	Sent []history.Message
	// Prefix is the fingerprint of the text before the cache boundary.
	Prefix string
	// PrefixTokens and InputTokens are what was predicted.
	PrefixTokens, InputTokens int
	// Finished tells that the panel reported the usage.
	Finished bool
	// Usage as reported, in tokens.
	Usage Usage
	// Error that the panel reported.
	Error string
}

// Usage is what a provider counted, in tokens.
type Usage struct{ Input, Output, CacheRead, CacheWrite int }

// Claim marks that a session was told a file with this content.
type Claim struct {
	Hash fsys.Hash
	// Carrier is the id of the message that says it; empty for the system
	// text, panelCarries where the panel did not say which message.
	Carrier string
}

// panelCarries marks a claim whose message the panel never named; it cannot be
// seen to be lost, so it lasts as long as the session.
const panelCarries = "\x00"

// Injection is a text that stands at the end of one of the panel's messages.
type Injection struct {
	// Anchor is the id of that message.
	Anchor string
	// Path of the instruction file.
	Path string
	Text string
	Why  string
}

// NewLedger makes an empty one.
func NewLedger() *Ledger { return &Ledger{sessions: map[string]*session{}} }

// Len is the number of sessions that are remembered.
func (l *Ledger) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.sessions)
}

// open finds or makes a session and marks it as used. The caller holds mu.
func (l *Ledger) open(id string) *session {
	if i := slices.Index(l.order, id); i >= 0 {
		l.order = slices.Delete(l.order, i, i+1)
	}
	l.order = append(l.order, id)
	s, ok := l.sessions[id]
	if !ok {
		s = &session{claims: map[string]Claim{}}
		l.sessions[id] = s
		if len(l.order) > maxSessions {
			delete(l.sessions, l.order[0])
			l.order = l.order[1:]
		}
	}
	return s
}

// Told is how a file stands with a session.
type Told uint8

// The three ways.
const (
	// NeverTold means that the session was not told the file.
	NeverTold Told = iota
	// ToldOtherwise means that it was told the file with other content.
	ToldOtherwise
	// AlreadyTold means that it was told just this.
	AlreadyTold
)

// Inject claims a file for a session, and unless it was told already keeps the
// injection that say makes of it. It reports how the file stood before.
func (l *Ledger) Inject(id, realPath string, hash fsys.Hash, say func(Told) Injection) (Injection, Told) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.open(id)
	told := s.told(realPath, hash)
	if told == AlreadyTold {
		return Injection{}, told
	}
	injection := say(told)
	if injection.Anchor == "" {
		s.claims[realPath] = Claim{Hash: hash, Carrier: panelCarries}
		return injection, told
	}
	s.claims[realPath] = Claim{Hash: hash, Carrier: injection.Anchor}
	s.injections = append(s.injections, injected{injection, realPath, hash})
	return injection, told
}

func (s *session) told(realPath string, hash fsys.Hash) Told {
	claim, ok := s.claims[realPath]
	switch {
	case !ok:
		return NeverTold
	case claim.Hash == hash:
		return AlreadyTold
	}
	return ToldOtherwise
}

// Started tells whether the session has a turn, so that its claims are all
// that it was told.
func (l *Ledger) Started(id string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	s, ok := l.sessions[id]
	return ok && len(s.turns) > 0
}

// Stands reports how a file stands with a session, without changing anything.
func (l *Ledger) Stands(id, realPath string, hash fsys.Hash) Told {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s, ok := l.sessions[id]; ok {
		return s.told(realPath, hash)
	}
	return NeverTold
}

// Injections lists what was ever said at the end of the session's messages,
// oldest first. One whose message is not in a conversation has no place there.
func (l *Ledger) Injections(id string) []Injection {
	l.mu.Lock()
	defer l.mu.Unlock()
	s, ok := l.sessions[id]
	if !ok {
		return nil
	}
	all := make([]Injection, len(s.injections))
	for i, said := range s.injections {
		all[i] = said.Injection
	}
	return all
}

// Messages gives the panel's messages up to a turn; parent 0 means none, and
// -1 the newest turn.
func (l *Ledger) Messages(id string, parent int) ([]history.Message, int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if parent == 0 {
		return nil, 0, nil
	}
	s, ok := l.sessions[id]
	if !ok || len(s.turns) == 0 {
		if parent < 0 {
			return nil, 0, nil
		}
		return nil, 0, fmt.Errorf("%w %q: it has no turns; send all messages", ErrUnknownSession, id)
	}
	if parent < 0 {
		parent = len(s.turns)
	}
	if parent > len(s.turns) {
		return nil, 0, fmt.Errorf("%w %d: session %q has %d", ErrUnknownTurn, parent, id, len(s.turns))
	}
	return slices.Clone(s.turns[parent-1].Messages), parent, nil
}

// Section is an instruction file that the system text says.
type Section struct {
	RealPath string
	Hash     fsys.Hash
}

// Begin records a turn that is about to be sent, and that its system text says
// these files. From then on the claims are those of that text and of the
// messages sent: what was cut off or did not fit may be told again, and what a
// turn to which the user goes back had been told counts again. It returns the
// turn's number.
func (l *Ledger) Begin(id string, turn Turn, said []Section) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.open(id)
	turn.Number = len(s.turns) + 1
	s.turns = append(s.turns, turn)
	sent := turn.Sent
	if sent == nil {
		sent = turn.Messages
	}
	s.claimFrom(sent)
	for _, file := range said {
		s.claims[file.RealPath] = Claim{Hash: file.Hash}
	}
	return turn.Number
}

// claimFrom makes the claims those of messages, and of what the panel carries
// somewhere that it did not name.
func (s *session) claimFrom(messages []history.Message) {
	there := make(map[string]bool, len(messages))
	for _, m := range messages {
		there[m.ID] = true
	}
	maps.DeleteFunc(s.claims, func(_ string, c Claim) bool { return c.Carrier != panelCarries })
	for _, said := range s.injections {
		if there[said.Anchor] {
			s.claims[said.realPath] = Claim{Hash: said.hash, Carrier: said.Anchor}
		}
	}
}

// Finish records what a turn really cost and gives the turn back, with the turn
// before it, which is what the provider's cache can hold.
func (l *Ledger) Finish(id string, number int, usage Usage, fault string) (turn, parent Turn, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s, ok := l.sessions[id]
	if !ok {
		return Turn{}, Turn{}, fmt.Errorf("%w %q", ErrUnknownSession, id)
	}
	if number < 1 || number > len(s.turns) {
		return Turn{}, Turn{}, fmt.Errorf("%w %d: session %q has %d", ErrUnknownTurn, number, id, len(s.turns))
	}
	t := &s.turns[number-1]
	t.Finished, t.Usage, t.Error = true, usage, fault
	if t.Parent > 0 {
		parent = s.turns[t.Parent-1]
	}
	return *t, parent, nil
}
