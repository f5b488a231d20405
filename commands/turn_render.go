package commands

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"foreword/promptbuilder"
	"foreword/promptbuilder/epoch"
	"foreword/promptbuilder/history"
	"foreword/promptbuilder/sources"
	"foreword/promptbuilder/wire"
)

// render makes the request body.
func (t *preparing) render() error {
	b := t.built
	request := wire.Request{
		Wire: t.params.Wire, Model: b.input.Model.ID, Provider: b.input.Provider, System: b.blocks(), Messages: t.prepared, Tools: wireTools(t.nativeTools()),
		OneSystem: !b.input.Model.LaterSystem(), MaxOutput: b.reserve, Estimate: b.prompt.Tokens() + t.toolTokens + t.report.After, Memory: t.service.bodies,
	}
	if notice := sources.MaxSteps(t.reminderState()); notice != "" {
		request.Messages = append(request.Messages[:len(request.Messages):len(request.Messages)], history.Message{Role: history.RoleAssistant, Content: history.Text(notice)})
	}
	if t.params.Wire == wire.Ollama {
		request.NumCtx = b.window // the one provider whose window is the client's to set
	}
	rendered, err := wire.Render(request)
	if err != nil {
		return failf(CodeInvalidParams, "cannot render the request: %w", err)
	}
	t.rendered = rendered
	return nil
}

// record is what the session remembers of the turn.
func (t *preparing) record(ctx context.Context) (epoch.Turn, error) {
	b := t.built
	record := epoch.Turn{
		Request: epoch.Request{
			Model: b.input.Model.ID, Provider: b.input.Provider, Agent: t.params.Agent, Mode: t.params.Mode, Wire: t.params.Wire, Target: b.place.target,
		},
		Lost: t.lost, ToolTokens: t.toolTokens, ToolsHash: hashTools(t.nativeTools()),
		PrefixTokens: b.prompt.StableTokens, SystemTokens: b.prompt.Tokens(),
		InputTokens: b.prompt.Tokens() + t.toolTokens + t.report.After,
	}
	record.Prefix, record.Full = b.prompt.Fingerprints()
	if t.report.Cut != nil {
		// A cut is plain data and always has a JSON form.
		record.Cut, _ = json.Marshal(t.report.Cut)
	}
	if t.began == nil {
		record.UpdateTokens = t.standing.Parent.UpdateTokens
	}
	for _, told := range t.told {
		if told.How == epoch.AsUpdate {
			record.UpdateTokens += told.Tokens
		}
	}
	return record, t.compare(ctx, &record)
}

// compare finds how much of the request the provider has seen, and what breaks
// it. The provider may have the turn before in its cache, or one that was sent
// not long ago, also of another branch.
func (t *preparing) compare(ctx context.Context, record *epoch.Turn) error {
	st := t.standing
	known := epoch.SentTurn{Turn: st.Parent, Messages: st.Sent}
	if st.Epoch != nil {
		known.Baseline = st.Epoch.Baseline
	}
	common, tokens := t.shared(known)
	if record.SentKept = common; st.Parent.Request.Model != t.built.input.Model.ID {
		record.SentKept = 0 // the messages were counted by another model's counter
	}
	options := t.costOptions()
	record.SentAdded = make([]epoch.Sent, 0, len(t.prepared)-record.SentKept)
	for i := record.SentKept; i < len(t.prepared); i++ {
		m := t.prepared[i]
		record.SentAdded = append(record.SentAdded, epoch.Sent{ID: m.ID, Hash: m.Key().String(), Tokens: options.CostOf(m)})
	}
	if st.Revision() == 0 {
		t.brokeWhy = "nothing was sent before"
		return nil
	}
	if st.Parent.Number == 0 || t.coldAfter(st.Parent) != "" {
		recent, found, err := t.service.ledger.Recent(ctx, st.Session, func(turn epoch.Turn) bool { return t.coldAfter(turn) == "" })
		if err != nil {
			return err
		}
		if !found {
			record.Broke, t.brokeWhy = "cache", cmp.Or(t.coldAfter(st.Parent), "nothing was sent before")
			return nil
		}
		known = recent
		common, tokens = t.shared(known)
	}
	t.forecast(record, known, common, tokens)
	return nil
}

// shared counts the messages with which this request and another begin, and
// what they cost.
func (t *preparing) shared(known epoch.SentTurn) (common, tokens int) {
	for common < len(t.prepared) && common < len(known.Messages) && t.prepared[common].Key().Is(known.Messages[common].Hash) {
		tokens += known.Messages[common].Tokens
		common++
	}
	return common, tokens
}

// forecast says what the provider should find in its cache, and what breaks it.
// The messages begin with so many of the known turn's, which cost these tokens.
func (t *preparing) forecast(record *epoch.Turn, known epoch.SentTurn, common, tokens int) {
	b := t.built
	broke := func(part, format string, a ...any) { record.Broke, t.brokeWhy = part, fmt.Sprintf(format, a...) }
	if record.ToolsHash != known.Turn.ToolsHash {
		broke("tools", "the tools of the request are others than in turn %d", known.Turn.Number)
		return
	}
	if record.Full != known.Turn.Full {
		before, _ := known.Baseline.(*promptbuilder.Prompt)
		key, tokens := firstDifference(before, b.prompt)
		record.CacheTokens = t.toolTokens + tokens
		broke(key, "a new epoch began: %s", t.because)
		return
	}
	record.CacheTokens = t.toolTokens + b.prompt.Tokens() + tokens
	if common == len(known.Messages) {
		if moved := t.movedUpdates(known, common); moved > 0 {
			record.CacheTokens -= moved
			broke("history", "the user spoke again before an answer, and %s takes updates only behind the last thing that the user said", t.params.Wire)
		}
		return
	}
	where := "its end"
	if common < len(t.prepared) {
		where = fmt.Sprintf("message %d", common)
		if id := t.prepared[common].ID; id != "" {
			where += " (" + id + ")"
		}
	}
	why := "it was trimmed, or edited"
	if i := slices.IndexFunc(b.hookChanges, func(c HookChange) bool { return c.Event == "messages" }); i >= 0 {
		why = fmt.Sprintf("the hook %q changed messages", b.hookChanges[i].Hook)
	}
	broke("history", "the history differs from that of turn %d from %s on: %s", known.Turn.Number, where, why)
}

// movedUpdates is what the updates of the turn before cost that stand elsewhere
// now: behind what the user said after them without an answer between.
func (t *preparing) movedUpdates(known epoch.SentTurn, common int) (tokens int) {
	if common >= len(t.prepared) || t.prepared[common].Role == history.RoleAssistant || !wire.SystemBehindUser(t.params.Wire, t.built.input.Provider, t.built.input.Model.ID) {
		return 0
	}
	for i := common - 1; i >= 0 && t.prepared[i].Role != history.RoleAssistant; i-- {
		if t.prepared[i].IsSystem() {
			tokens += known.Messages[i].Tokens
		}
	}
	return tokens
}

// firstDifference finds the first section in which two system texts differ, and
// what stands before it in tokens.
func firstDifference(before, now *promptbuilder.Prompt) (key string, tokens int) {
	if before == nil {
		return "system", 0
	}
	for i, s := range now.Sections {
		if i >= len(before.Sections) || before.Sections[i].Source.Key != s.Source.Key || before.Sections[i].Text != s.Text {
			return s.Source.Key, tokens
		}
		tokens += s.Tokens
	}
	if len(before.Sections) > len(now.Sections) {
		return before.Sections[len(now.Sections)].Source.Key, tokens
	}
	return "", tokens
}

// reminderState is what reminders depend on in this turn.
func (t *preparing) reminderState() sources.ReminderState {
	return t.built.reminderState(t.params.Session, t.standing.Messages)
}

func (t *preparing) epochNumber() int {
	if t.began != nil {
		return t.standing.NextEpoch()
	}
	return t.standing.Epoch.Number
}

func hashTools(tools []sources.Tool) string {
	if len(tools) == 0 {
		return ""
	}
	h := sha256.New()
	var piece []byte
	for _, tool := range tools {
		piece = piece[:0]
		for _, text := range []string{tool.Name, tool.Description, string(tool.Parameters)} {
			piece = append(strconv.AppendInt(piece, int64(len(text)), 10), ' ') // so that no text runs into the next
			piece = append(piece, text...)
		}
		h.Write(piece)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

func wireTools(tools []sources.Tool) []wire.Tool {
	out := make([]wire.Tool, 0, len(tools))
	for _, t := range tools {
		out = append(out, wire.Tool{Name: t.Name, Description: t.Description, Parameters: t.Parameters})
	}
	return out
}

func (b *built) blocks() []wire.Block {
	var blocks []wire.Block
	if b.prompt.Stable != "" {
		blocks = append(blocks, wire.Block{Text: b.prompt.Stable, Cacheable: true})
	}
	if b.prompt.Volatile != "" {
		blocks = append(blocks, wire.Block{Text: b.prompt.Volatile})
	}
	return blocks
}
