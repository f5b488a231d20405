package epoch

import (
	"encoding/json"
	"fmt"
	"slices"

	"foreword/promptbuilder/epoch/store"
	"foreword/promptbuilder/history"
)

// epochRow is what an epoch's row holds beside its columns, in the column baseline.
type epochRow struct {
	Sections     json.RawMessage `json:"sections"`
	Files        []File          `json:"files"`
	Capabilities []string        `json:"capabilities"`
	Model        string          `json:"model"`
	Target       string          `json:"target"`
	Due          string          `json:"due,omitempty"`
}

// turnRow is what a turn's row holds beside its columns, in the column delta.
type turnRow struct {
	Kept         int     `json:"kept"`
	Lost         []int64 `json:"lost,omitempty"`
	SentKept     int     `json:"sentKept"`
	SentAdded    []Sent  `json:"sentAdded"`
	Target       string  `json:"target,omitempty"`
	ToolsHash    string  `json:"toolsHash,omitempty"`
	ToolTokens   int     `json:"toolTokens,omitempty"`
	SystemTokens int     `json:"systemTokens"`
	CacheTokens  int     `json:"cacheTokens"`
	Broke        string  `json:"broke,omitempty"`
	UpdateTokens int     `json:"updateTokens,omitempty"`
}

// rows makes the rows of a change.
func (s *session) rows(c change) (store.Change, error) {
	out := store.Change{
		Session: store.Session{ID: s.id, Root: c.root}, Revision: s.revision,
	}
	if s.title == "" {
		out.Session.Title = c.title
	}
	if c.digest != nil {
		row, err := c.digest.row()
		if err != nil {
			return out, err
		}
		out.Digest = &row
	}
	for _, e := range c.epochs {
		row, err := e.row(s.due[e.Number], 0)
		if err != nil {
			return out, err
		}
		out.Epochs = append(out.Epochs, row)
	}
	for number, reason := range c.due { // one at most
		row, err := s.epochs[number-1].row(reason, len(s.turns))
		if err != nil {
			return out, err
		}
		out.Epochs = append(out.Epochs, row)
	}
	for _, t := range c.turns {
		row, err := t.row(c.told)
		if err != nil {
			return out, err
		}
		out.Turns = append(out.Turns, row)
		if t.Number <= len(s.turns) {
			continue // its messages are stored
		}
		for i, m := range t.Added {
			raw, err := m.Raw()
			if err != nil {
				return out, fmt.Errorf("message %q: %w", m.ID, err)
			}
			out.Messages = append(out.Messages, store.Message{Turn: t.Number, Position: i, ID: m.ID, Body: string(raw)})
		}
	}
	for _, t := range c.told {
		body, err := json.Marshal(t)
		if err != nil {
			return out, err
		}
		row := store.Told{Seq: t.Seq, Path: t.Path, How: string(t.How), Anchor: t.Anchor, Turn: t.Turn, Text: t.Text, Why: t.Why, Body: string(body)}
		if t.File != nil {
			row.RealPath, row.Hash = t.File.RealPath, t.File.Hash.String()
		}
		out.Told = append(out.Told, row)
	}
	for _, t := range c.touched {
		out.Touched = append(out.Touched, store.Touched{Seq: t.seq, RealPath: t.Path, Anchor: t.Anchor, Kind: t.Kind, Turn: len(s.turns)})
	}
	return out, nil
}

func (e *Epoch) row(due string, after int) (store.Epoch, error) {
	sections, err := e.Baseline.MarshalJSON()
	if err != nil {
		return store.Epoch{}, fmt.Errorf("the system text of epoch %d cannot be stored: %w", e.Number, err)
	}
	baseline, err := json.Marshal(epochRow{Sections: sections, Files: e.Files, Capabilities: e.Capabilities, Model: e.Model, Target: e.Target, Due: due})
	if err != nil {
		return store.Epoch{}, err
	}
	snapshot, err := json.Marshal(e.Snapshot)
	if err != nil {
		return store.Epoch{}, err
	}
	return store.Epoch{
		Number: e.Number, Agent: e.Agent, Root: e.Root, Reason: e.Reason, Baseline: string(baseline), Snapshot: string(snapshot),
		BaselineSeq: e.Began, ReplacementSeq: after,
	}, nil
}

func (t *Turn) row(told []Told) (store.Turn, error) {
	state := store.Prepared
	switch {
	case t.Finished && t.Error != "":
		state = store.Failed
	case t.Finished:
		state = store.Finished
	}
	type said struct {
		Seq  int64  `json:"seq"`
		Key  string `json:"key"`
		Kind string `json:"kind"`
	}
	list := []said{}
	anchor := ""
	for _, s := range told {
		if s.Turn == t.Number {
			list, anchor = append(list, said{s.Seq, s.Key, s.Kind}), s.Anchor
		}
	}
	saidText, err := json.Marshal(list)
	if err != nil {
		return store.Turn{}, err
	}
	delta, err := json.Marshal(turnRow{
		Kept: t.Kept, Lost: t.Lost, SentKept: t.SentKept, SentAdded: t.SentAdded, Target: t.Request.Target, ToolsHash: t.ToolsHash, ToolTokens: t.ToolTokens,
		SystemTokens: t.SystemTokens, CacheTokens: t.CacheTokens, Broke: t.Broke, UpdateTokens: t.UpdateTokens,
	})
	if err != nil {
		return store.Turn{}, err
	}
	return store.Turn{
		Number: t.Number, Parent: t.Parent, Epoch: t.Epoch, State: state, Anchor: anchor, At: t.At,
		Model: t.Request.Model, Provider: t.Request.Provider, Agent: t.Request.Agent, Mode: t.Request.Mode, Wire: t.Request.Wire,
		Said: string(saidText), Delta: string(delta), Cut: string(t.Cut), Prefix: t.Prefix, Full: t.Full,
		PrefixTokens: t.PrefixTokens, InputTokens: t.InputTokens,
		UsageInput: t.Usage.Input, UsageOutput: t.Usage.Output, CacheRead: t.Usage.CacheRead, CacheWrite: t.Usage.CacheWrite, Error: t.Error,
	}, nil
}

// take makes the session what its rows say. A row that is lost costs what it
// held: a turn without its row, or without one of its messages, is the end of
// what can be continued, so the turns before it are kept; a lost epoch is begun
// anew with the next turn.
func (s *session) take(rows *store.Rows, thaw func([]byte) (Baseline, error)) {
	s.title, s.root, s.created, s.updated = rows.Session.Title, rows.Session.Root, rows.Session.Created, rows.Session.Updated
	s.revision = rows.Session.Revision
	s.used.Store(s.revision > 0)
	s.turns, s.epochs, s.told, s.touched, s.warnings = nil, nil, nil, nil, nil
	s.due, s.flat, s.seq = map[int]string{}, conversation{}, 0
	s.sent.turn, s.sent.messages, s.digest = 0, nil, nil
	for _, bad := range rows.Bad {
		s.lost("row %s of table %s: %v", bad.Key, bad.Table, bad.Err)
	}
	for _, row := range rows.Epochs {
		for len(s.epochs) < row.Number {
			n := len(s.epochs) + 1
			s.epochs = append(s.epochs, &Epoch{Number: n})
			s.due[n] = "what was said at its beginning cannot be read any more"
		}
		if err := s.takeEpoch(row, thaw); err != nil {
			s.lost("epoch %d: %v", row.Number, err)
		}
	}
	messages := map[int][]store.Message{}
	for _, row := range rows.Messages {
		messages[row.Turn] = append(messages[row.Turn], row)
	}
	for _, row := range rows.Turns {
		for len(s.turns) < row.Number-1 { // a hole, so that numbers stay what they are
			s.turns = append(s.turns, &Turn{Number: len(s.turns) + 1, Gone: true})
		}
		t, err := takeTurn(row, messages[row.Number])
		if err != nil || row.Epoch < 1 {
			s.lost("turn %d: %v", row.Number, err)
			t = &Turn{Number: row.Number, Gone: true}
		}
		for len(s.epochs) < t.Epoch {
			n := len(s.epochs) + 1
			s.epochs = append(s.epochs, &Epoch{Number: n})
			s.due[n] = "what was said at its beginning cannot be read any more"
		}
		s.turns = append(s.turns, t)
	}
	for len(s.turns) < rows.Session.Turns {
		s.turns = append(s.turns, &Turn{Number: len(s.turns) + 1, Gone: true})
	}
	for _, row := range rows.Told {
		var t Told
		if err := json.Unmarshal([]byte(row.Body), &t); err != nil {
			s.lost("what was told as number %d: %v", row.Seq, err)
			continue
		}
		t.Seq = row.Seq
		s.told, s.seq = append(s.told, t), max(s.seq, row.Seq)
	}
	for _, row := range rows.Touched {
		s.touched = append(s.touched, Touched{Path: row.RealPath, Anchor: row.Anchor, Kind: row.Kind, seq: row.Seq})
		s.seq = max(s.seq, row.Seq)
	}
}

// lost notes what of a stored session cannot be used.
func (s *session) lost(format string, a ...any) {
	s.warnings = append(s.warnings, fmt.Sprintf("session %q: a part of what was stored cannot be read and is left out: ", s.id)+fmt.Sprintf(format, a...))
}

func (s *session) takeEpoch(row store.Epoch, thaw func([]byte) (Baseline, error)) error {
	e := s.epochs[row.Number-1]
	e.Began, e.Reason, e.Agent, e.Root = row.BaselineSeq, row.Reason, row.Agent, row.Root
	var kept epochRow
	if err := json.Unmarshal([]byte(row.Baseline), &kept); err != nil {
		return err
	}
	baseline, err := thaw(kept.Sections)
	if err != nil {
		return err
	}
	// A snapshot that is no list means that nothing is known of what the session
	// was told, so all of it is said again as new.
	if err := json.Unmarshal([]byte(row.Snapshot), &e.Snapshot); err != nil {
		s.lost("snapshot of epoch %d: %v", row.Number, err)
	}
	for _, fault := range e.Snapshot.Faults() {
		s.lost("%s in epoch %d: %s", fault.Key, row.Number, fault.Why)
	}
	e.Baseline, e.Files, e.Capabilities, e.Model, e.Target = baseline, kept.Files, kept.Capabilities, kept.Model, kept.Target
	delete(s.due, row.Number)
	if kept.Due != "" {
		s.due[row.Number] = kept.Due
	}
	return nil
}

func takeTurn(row store.Turn, messages []store.Message) (*Turn, error) {
	var kept turnRow
	if err := json.Unmarshal([]byte(row.Delta), &kept); err != nil {
		return nil, err
	}
	t := &Turn{
		Number: row.Number, Parent: row.Parent, Epoch: row.Epoch, At: row.At, Kept: kept.Kept, Lost: kept.Lost,
		SentKept: kept.SentKept, SentAdded: kept.SentAdded, Prefix: row.Prefix, Full: row.Full,
		ToolsHash: kept.ToolsHash, ToolTokens: kept.ToolTokens,
		PrefixTokens: row.PrefixTokens, SystemTokens: kept.SystemTokens, InputTokens: row.InputTokens, CacheTokens: kept.CacheTokens,
		Broke: kept.Broke, UpdateTokens: kept.UpdateTokens, Finished: row.State != store.Prepared, Error: row.Error,
		Request: Request{Model: row.Model, Provider: row.Provider, Agent: row.Agent, Mode: row.Mode, Wire: row.Wire, Target: kept.Target},
		Usage:   Usage{Input: row.UsageInput, Output: row.UsageOutput, CacheRead: row.CacheRead, CacheWrite: row.CacheWrite},
	}
	if row.Cut != "" {
		t.Cut = json.RawMessage(row.Cut)
	}
	slices.SortFunc(messages, func(a, b store.Message) int { return a.Position - b.Position })
	for i, m := range messages {
		if m.Position != i {
			return nil, fmt.Errorf("its message %d is missing", i)
		}
		read, err := history.ParseMessages([]byte("[" + m.Body + "]"))
		if err != nil || len(read) != 1 {
			return nil, fmt.Errorf("its message %q cannot be read: %w", m.ID, err)
		}
		read[0].ID = m.ID
		t.Added = append(t.Added, read[0])
	}
	return t, nil
}
