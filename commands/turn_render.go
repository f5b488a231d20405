package commands

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

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
		Wire: t.params.Wire, Model: b.input.Model.ID, System: b.blocks(), Messages: t.prepared, Tools: wireTools(t.nativeTools()),
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
func (t *preparing) record() epoch.Turn {
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
	t.compare(&record)
	return record
}

// compare finds how much of the request the provider has seen with the turn
// before, and what breaks it.
func (t *preparing) compare(record *epoch.Turn) {
	b, st := t.built, t.standing
	options := t.costOptions()
	common, shared := 0, 0
	for common < len(t.prepared) && common < len(st.Sent) && st.Sent[common].Hash == t.prepared[common].Key().String() {
		shared += st.Sent[common].Tokens
		common++
	}
	record.SentKept = common
	record.SentAdded = make([]epoch.Sent, 0, len(t.prepared)-common)
	for i := common; i < len(t.prepared); i++ {
		m := t.prepared[i]
		record.SentAdded = append(record.SentAdded, epoch.Sent{ID: m.ID, Hash: m.Key().String(), Tokens: options.CostOf(m)})
	}
	parent := st.Parent
	if parent.Number == 0 {
		t.brokeWhy = "nothing was sent before"
		return
	}
	broke := func(part, format string, a ...any) { record.Broke, t.brokeWhy = part, fmt.Sprintf(format, a...) }
	if cold := t.cold(); cold != "" {
		broke("cache", "%s", cold)
		return
	}
	if record.ToolsHash != parent.ToolsHash {
		broke("tools", "the tools of the request are others than in turn %d", parent.Number)
		return
	}
	if record.Full != parent.Full {
		before, _ := st.Epoch.Baseline.(*promptbuilder.Prompt)
		key, tokens := firstDifference(before, b.prompt)
		record.CacheTokens = t.toolTokens + tokens
		broke(key, "a new epoch began: %s", t.because)
		return
	}
	record.CacheTokens = t.toolTokens + b.prompt.Tokens() + shared
	if common < len(st.Sent) {
		where := "the end of the history"
		if common < len(t.prepared) && t.prepared[common].ID != "" {
			where = "message " + t.prepared[common].ID
		}
		broke("history", "the history differs from that of turn %d from %s on: it was trimmed, or edited", parent.Number, where)
	}
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
	for _, tool := range wireTools(tools) {
		fmt.Fprintf(h, "%q %q %q\n", tool.Name, tool.Description, tool.Parameters)
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
