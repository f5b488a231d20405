package epoch

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"foreword/promptbuilder/epoch/store"
	"foreword/promptbuilder/history"
)

// Limits of a digest: what it says is to be recognised, not to be read again.
const (
	digestAsked    = 300 // characters of a question
	digestAnswered = 400 // of an answer
	digestFiles    = 12
)

// Digest is what is worth knowing of a session for those that come after it. It
// is renewed with every turn, since nobody says which turn is the last.
type Digest struct {
	// Session and Title name it.
	Session string `json:"-"`
	Title   string `json:"-"`
	// Root of the repository that it was about; empty for none.
	Root string `json:"root,omitempty"`
	// Began and At are when its first turn was prepared and when the digest was
	// renewed, in milliseconds since 1970. A fork has the same beginning.
	Began int64 `json:"began"`
	At    int64 `json:"-"`
	// Turns that led to the newest.
	Turns int `json:"turns"`
	// First and Last are what the user asked first and last, Answer how the last
	// answer began that was seen; each in one line.
	First  string `json:"first"`
	Last   string `json:"last,omitempty"`
	Answer string `json:"answer,omitempty"`
	// Files that it touched, absolute, the newest first.
	Files []string `json:"files,omitempty"`
}

// digestOf makes the digest of a conversation that a turn is the newest of. An
// answer that is not in it yet comes beside it.
func (s *session) digestOf(newest *Turn, messages []history.Message, answer string, now int64) *Digest {
	d := &Digest{Session: s.id, Title: cmp.Or(s.title, titleOf(messages)), Root: s.root, Began: newest.At, At: now}
	for n := newest.Parent; ; n = s.turns[n-1].Parent {
		d.Turns++
		if n == 0 {
			break
		}
		d.Began = s.turns[n-1].At
	}
	d.First = firstAsked(messages)
	d.Answer = inOneLine(answer, digestAnswered)
	for i := len(messages) - 1; i >= 0 && (d.Last == "" || d.Answer == ""); i-- {
		if messages[i].StartsTurn() && d.Last == "" {
			d.Last = inOneLine(messages[i].Content.PlainText(), digestAsked)
		}
		if messages[i].Role == history.RoleAssistant && d.Answer == "" {
			d.Answer = inOneLine(messages[i].Content.PlainText(), digestAnswered)
		}
	}
	if d.Last == d.First {
		d.Last = ""
	}
	for i := len(s.touched) - 1; i >= 0 && len(d.Files) < digestFiles; i-- {
		if path := s.touched[i].Path; !slices.Contains(d.Files, path) {
			d.Files = append(d.Files, path)
		}
	}
	return d
}

// firstAsked is what the user asked first.
func firstAsked(messages []history.Message) string {
	for i := range messages {
		if messages[i].StartsTurn() {
			if text := inOneLine(messages[i].Content.PlainText(), digestAsked); text != "" {
				return text
			}
		}
	}
	return ""
}

// inOneLine joins the lines of a text, and cuts it at a word where it is longer
// than most characters. It looks at no more of the text than it needs.
func inOneLine(text string, most int) string {
	if limit := 16 * most; len(text) > limit { // bytes: also where most of it is blank
		text = strings.ToValidUTF8(text[:limit], "")
	}
	return firstLine(strings.Join(strings.Fields(text), " "), most)
}

// row is the digest as it is stored.
func (d *Digest) row() (store.Digest, error) {
	text, err := json.Marshal(d)
	if err != nil {
		return store.Digest{}, fmt.Errorf("the digest of session %q cannot be stored: %w", d.Session, err)
	}
	return store.Digest{Session: d.Session, Title: d.Title, Text: string(text), At: d.At}, nil
}

// Answered adds the answer of the newest turn to the digest of its session, for
// the case that no other turn follows, which would bring it. An answer of an
// earlier turn changes nothing.
func (l *Ledger) Answered(ctx context.Context, id string, number int, answer string) error {
	s, err := l.use(ctx, id)
	if err != nil {
		return err
	}
	defer s.mu.Unlock()
	if number != len(s.turns) || number == 0 || strings.TrimSpace(answer) == "" || !s.whole(number) {
		return nil
	}
	d := s.digestOf(s.turns[number-1], s.messagesOf(number), answer, l.options.Now().UnixMilli())
	s.digest = d
	shelf := l.shelf.get(ctx)
	if shelf == nil || s.detached {
		return ctx.Err()
	}
	row, err := d.row()
	if err != nil {
		return err
	}
	return l.survive(ctx, s, shelf.PutDigest(ctx, row))
}

// Earlier lists the digests of all sessions but the present one, the newest
// first. Of a session and its forks only the newest is there, and neither is
// what the present one was forked from: its conversation begins the same, which
// is known once somebody asked where it stands. A row that cannot be read is
// left out.
func (l *Ledger) Earlier(ctx context.Context, present string) ([]Digest, error) {
	var all []Digest
	shelf := l.shelf.get(ctx)
	if shelf != nil {
		rows, err := shelf.Digests(ctx)
		if err := l.survive(ctx, nil, err); err != nil {
			return nil, err
		}
		for _, row := range rows {
			d := Digest{Session: row.Session, Title: row.Title, At: row.At}
			if json.Unmarshal([]byte(row.Text), &d) == nil {
				all = append(all, d)
			}
		}
	}
	l.mu.Lock()
	var open []*session
	for _, s := range l.sessions {
		open = append(open, s)
	}
	l.mu.Unlock()
	type origin struct {
		began int64
		first string
	}
	seen := map[origin]bool{}
	for _, s := range open {
		s.mu.Lock()
		if s.id == present && len(s.turns) > 0 {
			seen[origin{s.turns[0].At, firstAsked(s.turns[0].Added)}] = true
		}
		if s.digest != nil && (shelf == nil || s.detached) {
			all = append(all, *s.digest)
		}
		s.mu.Unlock()
	}
	slices.SortFunc(all, func(a, b Digest) int {
		return cmp.Or(cmp.Compare(b.At, a.At), cmp.Compare(a.Session, b.Session))
	})
	return slices.DeleteFunc(all, func(d Digest) bool {
		from := origin{d.Began, d.First}
		gone := d.Session == present || d.First == "" || seen[from]
		seen[from] = seen[from] || d.Session != present
		return gone
	}), nil
}
