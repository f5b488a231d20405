package commands

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"foreword/promptbuilder/epoch"
	"foreword/promptbuilder/history"
	"foreword/promptbuilder/templates"
	"foreword/promptbuilder/wire"
)

// PrepareTurnParams is a prompt, a conversation and where it is sent.
type PrepareTurnParams struct {
	BuildPromptParams
	// ParentTurn is the turn that this one continues; the newest by default.
	ParentTurn *int `json:"parentTurn,omitempty" min:"0"`
	// Append holds the messages since the parent turn; needs a session.
	Append []history.Message `json:"append,omitempty"`
	// Messages is the whole conversation, in place of append.
	Messages []history.Message `json:"messages,omitempty"`
	// Wire is the shape of the request body.
	Wire string `json:"wire" enum:"openai-chat,openai-responses,anthropic,gemini,ollama,vscode-lm,text"`
}

// PrepareTurnResult is a request that is ready to be sent.
type PrepareTurnResult struct {
	Head
	// Turn counts from 1 in the session; 0 without one.
	Turn int `json:"turn"`
	// Body is the request body, ready to be sent as it is.
	Body RawObject `json:"body"`
	// Headers that the provider needs beside the panel's own.
	Headers map[string]string `json:"headers"`
	// Fingerprint of the system text.
	Fingerprint Fingerprint `json:"fingerprint"`
	// Sections of the system text.
	Sections []Section `json:"sections"`
	// Injections that stand in the history, in order.
	Injections []Injection `json:"injections"`
	// NotApplied lists what was found and left out.
	NotApplied []NotApplied `json:"notApplied"`
	// History says what was done to the messages.
	History HistoryOutcome `json:"history"`
	// Tokens is the account.
	Tokens TokenTotals `json:"tokens"`
	// Downgrades tell where the provider takes less than was meant.
	Downgrades []string `json:"downgrades"`
}

// HistoryOutcome holds the report of a prepared history.
type HistoryOutcome struct {
	// Report says what was done, and how to undo it.
	Report history.Report `json:"report"`
}

// FinishTurnParams reports a turn's real cost.
type FinishTurnParams struct {
	// Session of the panel.
	Session string `json:"session"`
	// Turn is the number that foreword.turn.prepare gave.
	Turn int `json:"turn" min:"1"`
	// Usage is what the provider counted.
	Usage Usage `json:"usage"`
	// Error of the provider, if the turn failed.
	Error string `json:"error,omitempty"`
}

// Usage is what the provider counted, in tokens.
type Usage struct {
	// Input is what was sent, as the provider counts it.
	Input int `json:"input" min:"0"`
	// Output is the answer.
	Output int `json:"output" min:"0"`
	// CacheRead is what the provider took from its cache.
	CacheRead int `json:"cacheRead,omitempty" min:"0"`
	// CacheWrite is what the provider put into its cache.
	CacheWrite int `json:"cacheWrite,omitempty" min:"0"`
}

// FinishTurnResult holds prediction and report side by side.
type FinishTurnResult struct {
	Head
	// Turn that was reported.
	Turn int `json:"turn"`
	// PredictedInput is what was expected of the whole request, in tokens.
	PredictedInput int `json:"predictedInput"`
	// PredictedCacheRead is what should have been read from the provider's cache.
	PredictedCacheRead int `json:"predictedCacheRead"`
	// Usage as reported.
	Usage Usage `json:"usage"`
}

// PrepareTurn builds the prompt, fits the history into what the window leaves,
// and renders the request.
func (s *Service) PrepareTurn(ctx context.Context, params PrepareTurnParams) (*PrepareTurnResult, error) {
	messages, parent, err := s.conversation(params)
	if err != nil {
		return nil, err
	}
	b, err := s.build(ctx, s.snapshot(ctx), params.BuildPromptParams)
	if err != nil {
		return nil, err
	}
	r := &PrepareTurnResult{
		Head: head(), Headers: map[string]string{}, Sections: b.sections(), NotApplied: b.notApplied(),
		Injections: []Injection{}, Downgrades: []string{},
	}
	r.Warnings = append(r.Warnings, b.warnings...)
	r.Fingerprint.Prefix, r.Fingerprint.Full = b.prompt.Fingerprints()

	said := slices.Clone(messages)
	if r.Injections, err = s.putBack(params.Session, said, b.count); err != nil {
		return nil, err
	}
	if err := remind(said, params.Mode); err != nil {
		return nil, err
	}
	native := params.Tools
	if params.ToolFormat != "" && params.ToolFormat != "tool" {
		native = nil // the system text describes them; the request must not do so again
	}
	tools := toolTokens(native, b.count)
	budget := b.window - b.reserve - b.prompt.Tokens() - tools
	if budget <= 0 {
		return nil, b.overflow(tools)
	}
	prepared, report, err := prepareHistory(said, budget, b.counter, b.count)
	if err != nil {
		return nil, err
	}
	r.Injections = slices.DeleteFunc(r.Injections, func(i Injection) bool {
		return !slices.ContainsFunc(prepared, func(m history.Message) bool { return m.ID == i.Message })
	})
	r.History.Report = report
	r.Tokens = b.totals()
	r.Tokens.History = report.After
	r.Tokens.Total += tools + report.After
	r.Tokens.Free = max(0, r.Tokens.Window-r.Tokens.Reserve-r.Tokens.Total)

	request := wire.Request{
		Wire: params.Wire, Model: b.input.Model.ID, System: b.blocks(), Messages: prepared, Tools: wireTools(native),
		MaxOutput: b.reserve, Estimate: r.Tokens.Total,
	}
	if params.Wire == "ollama" {
		request.NumCtx = b.window // the one provider whose window is the client's to set
	}
	rendered, err := wire.Render(request)
	if err != nil {
		return nil, failf(CodeInvalidParams, "cannot render the request: %w", err)
	}
	r.Body = rendered.Body
	if rendered.Headers != nil {
		r.Headers = rendered.Headers
	}
	r.Downgrades = append(r.Downgrades, rendered.Downgrades...)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if params.Session != "" {
		r.Turn = s.ledger.Begin(params.Session, epoch.Turn{
			Parent: parent, Messages: messages, Sent: prepared, Prefix: r.Fingerprint.Prefix,
			PrefixTokens: b.prompt.StableTokens, InputTokens: r.Tokens.Total,
		}, b.saidFiles())
	}
	return r, nil
}

// overflow says that the prompt alone leaves no room for the conversation, and
// what it is made of, the largest first.
func (b *built) overflow(tools int) *Error {
	parts := []Part{{Key: "tools of the request", Tokens: tools}}
	for _, s := range b.prompt.Sections {
		parts = append(parts, Part{Key: s.Source.Key, Tokens: s.Tokens})
	}
	slices.SortStableFunc(parts, func(a, b Part) int { return b.Tokens - a.Tokens })
	parts = parts[:min(len(parts), 5)]
	var largest []string
	for _, p := range parts {
		largest = append(largest, fmt.Sprintf("%s %d", p.Key, p.Tokens))
	}
	return &Error{
		Code: CodeBudgetImpossible, Data: Overflow{Window: b.window, Reserve: b.reserve, Prompt: b.prompt.Tokens(), Largest: parts},
		Message: fmt.Sprintf("the prompt costs %d tokens and %d are kept for the answer, which leaves nothing of the window of %d for the conversation; largest: %s; use a larger window, a smaller reserve, or leave something out",
			b.prompt.Tokens()+tools, b.reserve, b.window, strings.Join(largest, ", ")),
	}
}

// Overflow is the data of a budget_impossible error that the prompt alone
// causes.
type Overflow struct {
	Window  int    `json:"window"`
	Reserve int    `json:"reserve"`
	Prompt  int    `json:"prompt"`
	Largest []Part `json:"largest"`
}

// Part is one part of a request and what it costs.
type Part struct {
	Key    string `json:"key"`
	Tokens int    `json:"tokens"`
}

// conversation gives the panel's messages: those that it sent whole, or those
// of the parent turn and what came since.
func (s *Service) conversation(params PrepareTurnParams) ([]history.Message, int, error) {
	if params.Messages != nil && params.Append != nil {
		return nil, 0, failf(CodeInvalidParams, "want either messages or append")
	}
	if params.Session == "" {
		if params.Append != nil || params.ParentTurn != nil {
			return nil, 0, failf(CodeInvalidParams, "session: append and parentTurn continue a session, so want its name")
		}
		return params.Messages, 0, nil
	}
	from := -1
	if params.ParentTurn != nil {
		from = *params.ParentTurn
	}
	before, parent, err := s.ledger.Messages(params.Session, from)
	switch {
	case errors.Is(err, epoch.ErrUnknownSession), errors.Is(err, epoch.ErrUnknownTurn):
		return nil, 0, &Error{Code: CodeUnknownSession, Message: err.Error(), Err: err}
	case err != nil:
		return nil, 0, err
	}
	if params.Messages != nil {
		return params.Messages, parent, nil
	}
	return append(before, params.Append...), parent, nil
}

// putBack appends the session's injections to the messages that carry them, at
// the same place and with the same bytes in every turn.
func (s *Service) putBack(session string, messages []history.Message, count func(string) int) ([]Injection, error) {
	placed := []Injection{}
	if session == "" {
		return placed, nil
	}
	for _, injection := range s.ledger.Injections(session) {
		for i := range messages {
			if messages[i].ID != injection.Anchor {
				continue
			}
			with, err := messages[i].AppendText(injection.Text)
			if err != nil {
				return nil, failf(CodeInvalidParams, "messages[%d]: cannot add the instructions that it caused: %w", i, err)
			}
			messages[i] = with
			placed = append(placed, Injection{
				URI: fileURI(injection.Path), Text: injection.Text, Tokens: count(injection.Text), Why: injection.Why, Message: injection.Anchor,
			})
		}
	}
	return placed, nil
}

// remind puts the reminder of the mode at the end of the newest user message.
func remind(messages []history.Message, mode string) error {
	if mode != "plan" {
		return nil
	}
	for i := len(messages) - 1; i >= 0; i-- {
		if messages[i].Role == history.RoleUser {
			with, err := messages[i].AppendText(templates.Set{}.Get(templates.Plan).Text)
			if err != nil {
				return failf(CodeInvalidParams, "messages[%d]: cannot add the reminder of the mode: %w", i, err)
			}
			messages[i] = with
			return nil
		}
	}
	return nil
}

// toolTokens estimates what the tools' schemas cost: their text and a few
// tokens each for the provider's own framing.
func toolTokens(tools []Tool, count func(string) int) int {
	const framing = 10
	n := 0
	for _, t := range tools {
		n += framing + count(t.Name) + count(t.Description) + count(string(t.Parameters))
	}
	return n
}

func wireTools(tools []Tool) []wire.Tool {
	out := make([]wire.Tool, 0, len(tools))
	for _, t := range sourceTools(tools) {
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

// saidFiles lists the instruction files that the system text says.
func (b *built) saidFiles() []epoch.Section {
	in := map[string]bool{}
	for _, s := range b.prompt.Sections {
		in[s.Source.Key] = true
	}
	var said []epoch.Section
	for _, e := range b.discovery.Sent() {
		if in[b.place.key(b.snapshot, e.Path)] {
			said = append(said, epoch.Section{RealPath: e.RealPath, Hash: e.File.Hash})
		}
	}
	return said
}

// FinishTurn records what a turn really cost.
func (s *Service) FinishTurn(_ context.Context, params FinishTurnParams) (*FinishTurnResult, error) {
	usage := epoch.Usage(params.Usage)
	turn, parent, err := s.ledger.Finish(params.Session, params.Turn, usage, params.Error)
	if err != nil {
		return nil, &Error{Code: CodeUnknownSession, Message: err.Error(), Err: err}
	}
	r := &FinishTurnResult{Head: head(), Turn: turn.Number, PredictedInput: turn.InputTokens, Usage: params.Usage}
	if parent.Number > 0 && parent.Prefix == turn.Prefix {
		r.PredictedCacheRead = turn.PrefixTokens
	}
	if params.Error != "" {
		r.Warnings = append(r.Warnings, Warning{Code: "turn-failed", Message: fmt.Sprintf("turn %d failed: %s", turn.Number, params.Error)})
	}
	return r, nil
}
