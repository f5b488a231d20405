package epoch

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"foreword/promptbuilder/epoch/store"
	"foreword/promptbuilder/history"
)

// Limits on what one process keeps in memory. The sessions used longest ago go
// first; with a store they can be taken up again, without one a panel that
// comes back sends its messages anew.
const maxSessions = 256

// Options of a ledger.
type Options struct {
	// Now is the clock.
	Now func() time.Time
	// Thaw reads the baseline that an earlier process stored.
	Thaw func(raw []byte) (Baseline, error)
	// Open opens the store when a session is first used; nil keeps all in memory.
	Open func(context.Context) (*store.Store, error)
	// Warn is told what cannot be stored or read, once for each fault.
	Warn func(message string)
}

// Ledger remembers sessions: what each was told, by which message, in which
// turn. Its methods may be called at once from several goroutines.
type Ledger struct {
	options      Options
	shelf        *shelf
	calibrations calibrations

	mu       sync.Mutex // guards all below
	sessions map[string]*session
	order    []string // from the session used longest ago to the newest
}

// session is what is remembered of one conversation.
type session struct {
	id   string
	used atomic.Bool // it has a revision

	mu       sync.Mutex // guards all below
	detached bool       // from the store, which failed when it was to be written
	title    string
	root     string
	created  int64
	updated  int64
	revision int64
	seq      int64
	turns    []*Turn
	epochs   []*Epoch
	due      map[int]string // by epoch, why a new one must begin
	told     []Told
	touched  []Touched
	warnings []string
	digest   *Digest // of the newest turn; nil where this process prepared none

	gave int          // the turn that this process prepared last
	flat conversation // of it
	sent struct {     // and its request
		turn     int
		messages []Sent
	}
}

// NewLedger makes a ledger.
func NewLedger(o Options) *Ledger {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Warn == nil {
		o.Warn = func(string) {}
	}
	return &Ledger{options: o, shelf: &shelf{open: o.Open, warn: o.Warn}, sessions: map[string]*session{}}
}

// Close ends what the ledger opened.
func (l *Ledger) Close() error { return l.shelf.close() }

// Len is the number of sessions in memory of which there is anything to remember.
func (l *Ledger) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for _, s := range l.sessions {
		if s.used.Load() {
			n++
		}
	}
	return n
}

// Trouble says why sessions are not stored; empty where they are, or where
// none was used yet.
func (l *Ledger) Trouble() string { return l.shelf.trouble() }

// News gives what happened to the store that the user must see, each once: for
// example that it was damaged, and begun anew.
func (l *Ledger) News() []string { return l.shelf.told() }

// Check opens the store, where it is not open yet, and says what is wrong with it.
func (l *Ledger) Check(ctx context.Context) string {
	l.shelf.get(ctx)
	return l.shelf.trouble()
}

// use finds or makes a session, marks it as used and locks it. The caller
// unlocks it.
func (l *Ledger) use(ctx context.Context, id string) (*session, error) {
	l.mu.Lock()
	if i := slices.Index(l.order, id); i >= 0 {
		l.order = slices.Delete(l.order, i, i+1)
	}
	l.order = append(l.order, id)
	s, ok := l.sessions[id]
	if !ok {
		s = &session{id: id, due: map[int]string{}}
		l.sessions[id] = s
		if len(l.order) > maxSessions {
			delete(l.sessions, l.order[0])
			l.order = l.order[1:]
		}
	}
	l.mu.Unlock()
	s.mu.Lock()
	if err := l.refresh(ctx, s); err != nil {
		s.mu.Unlock()
		return nil, err
	}
	return s, nil
}

// Stand works out where a session stands for a turn that continues it. Without
// a session it is the beginning of a conversation that nobody remembers.
func (l *Ledger) Stand(ctx context.Context, id string, c Continuation) (*Standing, error) {
	if id == "" {
		return (&session{due: map[int]string{}}).stand(Continuation{Append: c.Append, Whole: c.Whole})
	}
	s, err := l.use(ctx, id)
	if err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	return s.stand(c)
}

// Commit records a turn that is about to be sent, with the epoch that it begins
// (nil where it begins none) and what it tells. It returns the turn's number.
//
// The error is [ErrStale] where the session went on in a way that changes what
// the turn must say, and a [*ConflictError] where another turn continued the
// same parent and the caller did not name the parent.
func (l *Ledger) Commit(ctx context.Context, st *Standing, turn Turn, began *Epoch, told []Told) (int, error) {
	s, err := l.use(ctx, st.Session)
	if err != nil {
		return 0, err
	}
	defer s.mu.Unlock()
	for {
		if err := s.admits(st); err != nil {
			return 0, err
		}
		number, err := l.commit(ctx, s, st, turn, began, told)
		if err == errMoved {
			continue // another process wrote first, and was read
		}
		return number, err
	}
}

// admits tells whether a turn that was prepared on a standing still is what it
// would be if it were prepared now.
func (s *session) admits(st *Standing) error {
	if s.revision == st.revision {
		return nil
	}
	if st.implicit && len(s.turns) != st.newest {
		return &ConflictError{Session: s.id, Newest: len(s.turns)}
	}
	if st.Epoch != nil && s.due[st.Epoch.Number] != st.Due {
		return ErrStale
	}
	for _, t := range s.told {
		if t.Seq > st.seq && t.How == AsInjection && st.has(t.Anchor) {
			return ErrStale
		}
	}
	return nil
}

func (l *Ledger) commit(ctx context.Context, s *session, st *Standing, turn Turn, began *Epoch, told []Told) (int, error) {
	turn.Number, turn.Parent = len(s.turns)+1, st.Parent.Number
	turn.At = l.options.Now().UnixMilli()
	turn.Kept, turn.Added = st.Kept, slices.Clone(st.Messages[st.Kept:])
	change := change{turns: []*Turn{&turn}}
	if began != nil {
		e := *began
		e.Number, e.Began = len(s.epochs)+1, turn.Number
		change.epochs = []*Epoch{&e}
		turn.Epoch = e.Number
		change.root = e.Root
	} else {
		turn.Epoch = st.Epoch.Number
	}
	for _, t := range told {
		t.Turn, t.Epoch = turn.Number, turn.Epoch
		change.told = append(change.told, t)
	}
	change.title = titleOf(st.Messages)
	change.digest = s.digestOf(&turn, st.Messages, "", turn.At)
	change.digest.Root = cmp.Or(change.root, s.root)
	if err := l.write(ctx, s, change); err != nil {
		return 0, err
	}
	s.follow(st, &turn)
	return turn.Number, nil
}

// follow keeps the newest turn's conversation and request at hand.
func (s *session) follow(st *Standing, turn *Turn) {
	if s.flat.turn == turn.Parent && turn.Parent > 0 && turn.Kept == len(s.flat.messages) {
		s.flat.turn = turn.Number
		for i, m := range turn.Added {
			s.flat.index[m.ID] = turn.Kept + i
		}
		s.flat.messages, s.flat.list = st.Messages, st.list
	} else {
		s.flat = conversation{turn: turn.Number, messages: st.Messages, list: st.list, index: make(map[string]int, len(st.Messages))}
		for i := range st.Messages {
			s.flat.index[st.Messages[i].ID] = i
		}
	}
	if s.sent.turn == turn.Parent && turn.Parent > 0 && turn.SentKept == len(s.sent.messages) {
		s.sent.messages = append(s.sent.messages, turn.SentAdded...) // nobody else has what is behind them
	} else {
		s.sent.messages = append(slices.Clip(st.Sent[:min(turn.SentKept, len(st.Sent))]), turn.SentAdded...)
	}
	s.sent.turn, s.gave = turn.Number, turn.Number
}

// Touching is what a touch of files finds in a session.
type Touching struct {
	// Started tells that the session has a turn, so that what it was told is known.
	Started bool
	// Snapshot and Files are what it knows, what was told since its newest turn
	// included.
	Standing *Standing
}

// Touch notes that files came into the conversation, and says what say makes of
// that. Two touches at once never both say the same. What would stand in a message
// that was sent already is not said: the next turn says what its files need.
func (l *Ledger) Touch(ctx context.Context, id string, touched []Touched, say func(Touching) []Told) ([]Told, error) {
	s, err := l.use(ctx, id)
	if err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	for {
		st, err := s.stand(Continuation{})
		if err != nil {
			return nil, err
		}
		st.pending(s)
		sent := st.has
		told := slices.DeleteFunc(say(Touching{Started: len(s.turns) > 0, Standing: st}), func(t Told) bool { return t.Anchor != "" && sent(t.Anchor) })
		change := change{touched: slices.Clone(touched)}
		for _, t := range told {
			t.Turn = len(s.turns)
			if st.Epoch != nil {
				t.Epoch = st.Epoch.Number
			}
			change.told = append(change.told, t)
		}
		err = l.write(ctx, s, change)
		if err == errMoved {
			continue
		}
		return change.told, err
	}
}

// pending adds what was told since the newest turn, with messages that the
// panel has not sent yet.
func (s *Standing) pending(from *session) {
	epoch := 0
	if s.Epoch != nil {
		epoch = s.Epoch.Number
	}
	for _, t := range from.told {
		if t.Turn == len(from.turns) && t.Epoch == epoch && t.How == AsInjection && (t.Anchor == "" || !s.has(t.Anchor)) {
			s.Told = append(s.Told, t)
		}
	}
	s.fold()
}

// Tidy puts the store in order. It is to be called when nobody waits.
func (l *Ledger) Tidy(ctx context.Context) { l.shelf.tidy(ctx) }

// Finished tells whether it was reported already what a turn really cost.
func (l *Ledger) Finished(ctx context.Context, id string, number int) (bool, error) {
	s, err := l.use(ctx, id)
	if err != nil {
		return false, err
	}
	defer s.mu.Unlock()
	return number >= 1 && number <= len(s.turns) && s.turns[number-1].Finished, nil
}

// Finish records what a turn really cost and gives it back.
func (l *Ledger) Finish(ctx context.Context, id string, number int, usage Usage, fault string) (Turn, error) {
	s, err := l.use(ctx, id)
	if err != nil {
		return Turn{}, err
	}
	defer s.mu.Unlock()
	for {
		if len(s.turns) == 0 {
			return Turn{}, fmt.Errorf("%w %q", ErrUnknownSession, id)
		}
		if number < 1 || number > len(s.turns) {
			return Turn{}, fmt.Errorf("%w %d: session %q has %d", ErrUnknownTurn, number, id, len(s.turns))
		}
		t := *s.turns[number-1]
		t.Finished, t.Usage, t.Error = true, usage, fault
		err := l.write(ctx, s, change{turns: []*Turn{&t}})
		if err == errMoved {
			continue
		}
		return t, err
	}
}

// Rebase makes the next turn that continues the newest one begin a new epoch.
func (l *Ledger) Rebase(ctx context.Context, id, reason string) (turn int, err error) {
	s, err := l.use(ctx, id)
	if err != nil {
		return 0, err
	}
	defer s.mu.Unlock()
	for {
		if len(s.turns) == 0 {
			return 0, fmt.Errorf("%w %q", ErrUnknownSession, id)
		}
		newest := s.turns[len(s.turns)-1]
		err := l.write(ctx, s, change{due: map[int]string{newest.Epoch: reason}})
		if err == errMoved {
			continue
		}
		return newest.Number, err
	}
}

// titleOf makes a title of what the user said first.
func titleOf(messages []history.Message) string {
	const most = 80 // a line of a list
	for i := range messages {
		if messages[i].StartsTurn() {
			return firstLine(messages[i].Content.PlainText(), most)
		}
	}
	return ""
}

// firstLine is the first line of a text that says something, cut at a word
// where it is longer than most characters.
func firstLine(text string, most int) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	runes := []rune(strings.TrimSpace(line))
	if len(runes) <= most {
		return string(runes)
	}
	cut := string(runes[:most])
	if at := strings.LastIndexByte(cut, ' '); at > 0 {
		cut = cut[:at]
	}
	return cut + "…"
}
