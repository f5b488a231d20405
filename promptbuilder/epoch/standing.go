package epoch

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"

	"foreword/promptbuilder/history"
	"foreword/workspace/fsys"
)

// Continuation says what a turn continues, and with which messages.
type Continuation struct {
	// Parent is the turn to continue; nil for the newest, or where Whole is set
	// the newest whose messages those are.
	Parent *int
	// Append holds the messages since the parent.
	Append []history.Message
	// Whole is the conversation in place of Append.
	Whole []history.Message
	// Ahead asks what a turn would say that nobody prepares yet.
	Ahead bool
}

// Standing is where a session stands: all that a new turn builds upon. It does
// not change after it was given.
type Standing struct {
	// Session it is about; empty where nothing is remembered.
	Session string
	// Parent is the turn that is continued; its number is 0 at the beginning.
	Parent Turn
	// Epoch that holds; nil at the beginning.
	Epoch *Epoch
	// Due says why a new epoch must begin, or is empty.
	Due string
	// Messages are the panel's, all of them; the first Kept were in the parent.
	Messages []history.Message
	Kept     int
	// Told is what stands in those messages, in the order in which it was said.
	Told []Told
	// Snapshot holds what the session knows, told and system text together.
	Snapshot Snapshot
	// Files are the instruction files that it knows, by real path.
	Files map[string]fsys.Hash
	// Touched files whose messages are there.
	Touched []Touched
	// Targets were in focus in this epoch, the first one first.
	Targets []string
	// Agents took the turns that are continued, each named once.
	Agents []string
	// Rewritten tells that the conversation begins otherwise than the turn that
	// it is said to continue.
	Rewritten bool
	// Sent are the messages of the parent's request.
	Sent []Sent
	// Warnings tell what of the session was lost.
	Warnings []string

	list     messageList
	index    map[string]int       // places of the messages that are new
	known    func(id string) bool // whether a message is in the conversation
	revision int64
	newest   int
	epochs   int
	implicit bool // the caller left it to the session which turn to continue
	seq      int64
}

// Revision counts the changes of the session up to here.
func (s *Standing) Revision() int64 { return s.revision }

// NextEpoch is the number that an epoch has which begins here.
func (s *Standing) NextEpoch() int { return s.epochs + 1 }

// Anchor is the index of the user message that a new turn puts its updates
// before: the newest of those that it adds. It is -1 where it adds none.
func (s *Standing) Anchor() int {
	for i := len(s.Messages) - 1; i >= s.Kept; i-- {
		if s.Messages[i].StartsTurn() {
			return i
		}
	}
	return -1
}

// Without is the standing after what messages said was lost: what stood in
// messages that are not sent any more counts as never said, and the files that
// they touched as never touched.
func (s *Standing) Without(lost []Told, sent func(id string) bool) *Standing {
	gone := make(map[int64]bool, len(lost))
	for _, t := range lost {
		gone[t.Seq] = true
	}
	other := *s
	other.Told = slices.DeleteFunc(slices.Clone(s.Told), func(t Told) bool { return gone[t.Seq] })
	other.Touched = slices.DeleteFunc(slices.Clone(s.Touched), func(t Touched) bool { return t.Anchor != "" && !sent(t.Anchor) })
	other.fold()
	return &other
}

// fold works out what the session knows.
func (s *Standing) fold() {
	s.Snapshot, s.Files = Snapshot{}, map[string]fsys.Hash{}
	if s.Epoch != nil {
		s.Snapshot = s.Epoch.Snapshot
		for _, f := range s.Epoch.Files {
			s.Files[f.RealPath] = f.Hash
		}
	}
	last := map[string]int{}
	for i, t := range s.Told {
		if t.How.isValue() {
			last[t.Key] = i
		}
		if t.File != nil {
			s.Files[t.File.RealPath] = t.File.Hash
		}
	}
	for i, t := range s.Told {
		if at, ok := last[t.Key]; !ok || at != i {
			continue
		}
		if t.Kind == SaidRemoval {
			s.Snapshot = s.Snapshot.Without(t.Key)
			continue
		}
		s.Snapshot = s.Snapshot.With(Admitted{Key: t.Key, Layer: t.Layer, Text: t.Value, Removal: t.Removal})
	}
}

// conversation is the panel's messages up to a turn, with the place of each id.
// What it holds is never changed, only added to.
type conversation struct {
	turn     int
	messages []history.Message
	list     messageList
	index    map[string]int
}

// messageList is a list of messages that others begin with, too: who goes on
// with one first writes behind it, in the room that it has there, and everybody
// else copies it. The session's lock guards taken.
type messageList struct {
	all   []history.Message
	taken *int // how much of the array is used by anybody
}

// with is the list of the first kept messages, with room behind them for more.
func (l messageList) with(messages []history.Message, more int) messageList {
	kept := len(messages)
	if l.taken != nil && *l.taken == kept && len(l.all) == kept && cap(l.all)-kept >= more {
		*l.taken += more
		return l
	}
	const room = 64 // of many turns, so that few of them copy
	all := append(make([]history.Message, 0, kept+more+kept/4+room), messages...)
	taken := kept + more
	return messageList{all, &taken}
}

// conversationOf gives the conversation of a turn.
func (s *session) conversationOf(number int) conversation {
	if s.flat.turn == number && number > 0 {
		return s.flat
	}
	c := conversation{turn: number, messages: s.messagesOf(number)}
	c.index = make(map[string]int, len(c.messages))
	for i := range c.messages {
		c.index[c.messages[i].ID] = i
	}
	return c
}

// messagesOf gives the panel's messages up to a turn.
func (s *session) messagesOf(number int) []history.Message {
	return along(s.turns, number, s.flat.turn, s.flat.messages, func(t *Turn) (int, []history.Message) { return t.Kept, t.Added })
}

// sentOf gives the messages of a turn's request.
func (s *session) sentOf(number int) []Sent {
	return along(s.turns, number, s.sent.turn, s.sent.messages, func(t *Turn) (int, []Sent) { return t.SentKept, t.SentAdded })
}

// along adds up a list along the turns that a turn continues: each keeps some of
// what there was and adds its own. The list of one turn is at hand and is not
// changed.
func along[T any](turns []*Turn, number, atHand int, known []T, part func(*Turn) (kept int, added []T)) []T {
	if number == 0 {
		return nil
	}
	if number == atHand {
		return known
	}
	var chain []*Turn
	var all []T
	for n := number; n > 0; n = turns[n-1].Parent {
		if n == atHand {
			all = slices.Clone(known)
			break
		}
		chain = append(chain, turns[n-1])
	}
	for _, t := range slices.Backward(chain) {
		kept, added := part(t)
		all = append(all[:min(kept, len(all))], added...)
	}
	return all
}

// stand works out where the session stands for a continuation. The caller holds
// the session's lock.
func (s *session) stand(c Continuation) (*Standing, error) {
	st := &Standing{Session: s.id, revision: s.revision, newest: len(s.turns), epochs: len(s.epochs), implicit: c.Parent == nil, seq: s.seq, Warnings: s.warnings}
	// Who appends without a word on what goes on from what this process gave it last, also where somebody else went on.
	if c.Parent == nil && c.Append != nil && !c.Ahead && s.gave > 0 && s.gave != len(s.turns) {
		return nil, &ConflictError{Session: s.id, Newest: len(s.turns)}
	}
	parent, err := s.parent(c)
	if err != nil {
		return nil, err
	}
	before := s.conversationOf(parent)
	added := c.Append
	kept := len(before.messages)
	if c.Whole != nil {
		kept = common(before.messages, c.Whole)
		added = c.Whole[kept:]
	}
	st.list = before.list.with(before.messages[:kept], len(added))
	st.Messages = st.list.all
	st.Kept, st.Rewritten = kept, kept < len(before.messages)
	st.index = make(map[string]int, len(added))
	st.known = func(id string) bool {
		if i, ok := before.index[id]; ok && i < kept {
			return true
		}
		_, ok := st.index[id]
		return ok
	}
	if c.Whole == nil && len(s.turns) == 0 && len(added) > 0 && (added[0].Role == history.RoleAssistant || added[0].Role == history.RoleTool) {
		return nil, fmt.Errorf("%w %q: append goes on with an answer, and no turn is known; send all messages", ErrUnknownSession, s.id)
	}
	if err := st.identify(added, c.Whole != nil); err != nil {
		return nil, err
	}
	st.list.all, st.Messages = st.Messages, slices.Clip(st.Messages)
	chain := make([]bool, len(s.turns)+1) // the turns that are continued
	if parent > 0 {
		st.Parent = *s.turns[parent-1]
		e := s.epochs[st.Parent.Epoch-1]
		st.Epoch, st.Due = e, s.due[e.Number]
		for n := parent; n > 0; n = s.turns[n-1].Parent {
			chain[n] = true
			if agent := s.turns[n-1].Request.Agent; !slices.Contains(st.Agents, agent) {
				st.Agents = append(st.Agents, agent)
			}
			if t := s.turns[n-1]; t.Epoch == e.Number && t.Request.Target != "" && !slices.Contains(st.Targets, t.Request.Target) {
				st.Targets = append(st.Targets, t.Request.Target)
			}
		}
		slices.Reverse(st.Targets)
		st.Sent = slices.Clip(s.sentOf(parent))
	}
	s.gather(st, chain)
	st.fold()
	return st, nil
}

// gather collects what was told and touched in the messages of a standing.
func (s *session) gather(st *Standing, chain []bool) {
	lost := map[int64]bool{}
	for n, continued := range chain {
		if !continued {
			continue
		}
		for _, seq := range s.turns[n-1].Lost {
			lost[seq] = true
		}
	}
	epoch := 0
	if st.Epoch != nil {
		epoch = st.Epoch.Number
	}
	for _, t := range s.told {
		switch {
		case t.Epoch != epoch && t.How != AsAttachment, !st.has(t.Anchor), lost[t.Seq]:
		case t.How != AsInjection && (t.Turn >= len(chain) || !chain[t.Turn]):
		case t.How == AsInjection && t.Anchor == "":
			// No message carries it, so the next turn says it by itself.
		default:
			st.Told = append(st.Told, t)
		}
	}
	for _, t := range s.touched {
		if st.has(t.Anchor) {
			st.Touched = append(st.Touched, t)
		}
	}
}

// has tells whether a message is in the conversation. Where the panel did not
// say which message carries something, it cannot be seen to be lost.
func (s *Standing) has(anchor string) bool { return anchor == "" || s.known(anchor) }

// parent finds the turn that a continuation means.
func (s *session) parent(c Continuation) (int, error) {
	if c.Parent != nil {
		if n := *c.Parent; n > len(s.turns) {
			if len(s.turns) == 0 {
				return 0, fmt.Errorf("%w %q: it has no turns; send all messages", ErrUnknownSession, s.id)
			}
			return 0, fmt.Errorf("%w %d: session %q has %d", ErrUnknownTurn, n, s.id, len(s.turns))
		} else if n > 0 && !s.whole(n) {
			return 0, fmt.Errorf("%w %d of session %q: what was stored of it cannot be read; send all messages", ErrUnknownTurn, n, s.id)
		}
		return *c.Parent, nil
	}
	if c.Whole == nil {
		if n := len(s.turns); n > 0 && !s.whole(n) {
			return 0, fmt.Errorf("%w %d of session %q: what was stored of it cannot be read; send all messages", ErrUnknownTurn, n, s.id)
		}
		return len(s.turns), nil
	}
	best, shared := 0, 0
	for n := len(s.turns); n > 0; n-- {
		if !s.whole(n) {
			continue
		}
		before := s.messagesOf(n)
		if got := common(before, c.Whole); got == len(before) && got > shared {
			best, shared = n, got
			if got == len(c.Whole) || n == len(s.turns) {
				break
			}
		}
	}
	return best, nil
}

// whole tells whether a turn and all that it continues can be read.
func (s *session) whole(number int) bool {
	for n := number; n > 0; n = s.turns[n-1].Parent {
		if s.turns[n-1].Gone {
			return false
		}
	}
	return true
}

// common counts the messages with which both lists begin.
func common(before, now []history.Message) int {
	n := min(len(before), len(now))
	for i := range n {
		if !sameMessage(before[i], now[i]) {
			return i
		}
	}
	return n
}

// sameMessage tells whether two messages are one: the id, where both have one,
// and all that was said.
func sameMessage(a, b history.Message) bool {
	if b.ID != "" && a.ID != b.ID {
		return false
	}
	x, errX := a.Raw()
	y, errY := b.Raw()
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// identify adds messages to a standing. One without an id gets one made of its
// text, so that it can be an anchor.
func (s *Standing) identify(added []history.Message, whole bool) error {
	list, offset := "append", 0
	if whole {
		list, offset = "messages", s.Kept
	}
	for i, m := range added {
		if m.ID != "" && s.known(m.ID) {
			return fmt.Errorf("%s[%d].id: %q is the id of an earlier message, and must be unique in a session", list, offset+i, m.ID)
		}
		if m.ID == "" {
			raw, err := m.Raw()
			if err != nil {
				return fmt.Errorf("%s[%d]: %w", list, offset+i, err)
			}
			sum := sha256.Sum256(raw)
			made := "#" + hex.EncodeToString(sum[:8])
			m.ID = made
			for n := 2; s.known(m.ID); n++ {
				m.ID = made + "." + strconv.Itoa(n)
			}
		}
		s.index[m.ID] = len(s.Messages)
		s.Messages = append(s.Messages, m)
	}
	return nil
}
