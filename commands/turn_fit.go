package commands

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"foreword/promptbuilder/epoch"
	"foreword/promptbuilder/history"
	"foreword/promptbuilder/sources"
	"foreword/workspace"
)

// fit puts what is told into the messages and makes them fit what the window
// leaves. Where that takes away a message that carried instructions which the
// work still needs, they are said again, and the messages are fitted anew.
func (t *preparing) fit(ctx context.Context, snap *workspace.Snapshot) error {
	t.toolTokens = toolTokens(t.nativeTools(), t.built.count)
	// Each round says again what the one before lost, and what is said with the
	// newest message cannot be lost, so two rounds settle it.
	const rounds = 4
	for round := range rounds {
		if err := t.trim(ctx); err != nil {
			return err
		}
		lost := t.lostCarriers()
		if len(lost) == 0 || t.began != nil || round == rounds-1 {
			for _, told := range lost {
				t.lost = append(t.lost, told.Seq)
			}
			return nil
		}
		for _, told := range lost {
			t.lost = append(t.lost, told.Seq)
		}
		there := make(map[string]bool, len(t.prepared))
		for i := range t.prepared {
			there[t.prepared[i].ID] = true
		}
		t.standing = t.standing.Without(lost, func(id string) bool { return there[id] })
		again, err := t.service.look(ctx, snap, t.params.BuildPromptParams, t.standing)
		if err != nil {
			return err
		}
		prompt := t.built.prompt
		t.built, t.told, t.stands = again, nil, t.standing.Told
		again.say(t.params.BuildPromptParams, prompt.Now(again.observed))
		if err := t.reconcile(); err != nil {
			return err
		}
		t.remind()
	}
	return nil
}

// trim places what is told and prepares the history.
func (t *preparing) trim(ctx context.Context) error {
	b, st := t.built, t.standing
	told := slices.Concat(t.stands, t.told, t.passing)
	var err error
	if t.placed, err = epoch.Place(st.Messages, told); err != nil {
		return failf(CodeInvalidParams, "%w", err)
	}
	t.placed, _ = t.service.messageHooks(ctx, b, t.params.BuildPromptParams, t.placed)
	b.planning = t.service.planning(ctx, b.snapshot, b.counter, requestKind(t.params.Wire, len(t.nativeTools()) > 0))
	room := b.planning.Room(b.window-b.reserve) - b.prompt.Tokens() - t.toolTokens
	if room <= 0 {
		return t.overflow()
	}
	options := t.costOptions()
	options.Budget = room
	if t.params.Strategy == adaptive {
		options.Trim.Weigh = t.service.weigh(ctx, b.snapshot, b.place)
	}
	attached := t.service.attachmentsOf(ctx, b.snapshot, b.place, st.Messages)
	options.Attach = attached.forHistory(t.params.Modified == "note")
	options.Attach.Read = t.attachments(options.Attach.Read)
	if st.Session != "" {
		options.Cut = &history.Cut{}
		if st.Parent.Cut != nil {
			if err := json.Unmarshal(st.Parent.Cut, options.Cut); err != nil {
				b.warnings = append(b.warnings, Warning{Code: "session-damaged", Message: fmt.Sprintf("what turn %d trimmed cannot be read, so the history is trimmed anew: %v", st.Parent.Number, err)})
				options.Cut = &history.Cut{}
			}
		}
	}
	t.prepared, t.report, err = fitHistory(t.placed, options)
	t.attached = attached.warnings
	return err
}

// attachments reads the files that are attached to messages: those of this turn
// as they are now, which is remembered, and those of earlier turns as they were
// when they were sent.
func (t *preparing) attachments(read func(string, history.Message) history.Attachment) func(string, history.Message) history.Attachment {
	st := t.standing
	if st.Session == "" {
		return read
	}
	stored := sentWith(st.Told)
	now := make(map[string]bool, len(st.Messages)-st.Kept)
	for i := st.Kept; i < len(st.Messages); i++ {
		now[st.Messages[i].ID] = true
	}
	t.told = slices.DeleteFunc(t.told, func(told epoch.Told) bool { return told.How == epoch.AsAttachment })
	return func(file string, of history.Message) history.Attachment {
		if a, ok := stored[attachedFile{of.ID, file}]; ok {
			return a
		}
		if !now[of.ID] {
			return history.Attachment{Refused: true} // it stayed a name then
		}
		a := read(file, of)
		if !a.Refused {
			stored[attachedFile{of.ID, file}] = a
			t.told = append(t.told, epoch.Told{
				Key: file, Kind: epoch.SaidNew, How: epoch.AsAttachment, Anchor: of.ID, Text: a.Text, Path: a.Name, Why: "attached to the message",
			})
		}
		return a
	}
}

// costOptions say how messages are counted.
func (t *preparing) costOptions() history.Options {
	b := t.built
	o := t.params.HistoryWays.options(b.input.Model.ID, t.params.Compat)
	o.Count, o.CounterKind, o.PerMessage, o.Costs = b.count, b.counter.Kind(), perMessage, t.service.costs(b.counter)
	return o
}

// lostCarriers lists what was told in messages that are not sent, or not whole.
func (t *preparing) lostCarriers() []epoch.Told {
	if len(t.report.Actions) == 0 {
		return nil
	}
	var lost []epoch.Told
	for _, told := range t.stands {
		if told.Anchor != "" && told.How == epoch.AsInjection && !t.carried(told) {
			lost = append(lost, told)
		}
	}
	return lost
}

// carried tells whether the request holds what was told.
func (t *preparing) carried(told epoch.Told) bool {
	for i := range t.prepared {
		if t.prepared[i].ID == told.Anchor {
			return epoch.Carried(t.prepared[i], told)
		}
	}
	return false
}

// nativeTools are the tools that the request itself carries: those that the
// system text describes must not be described again.
func (t *preparing) nativeTools() []sources.Tool {
	if t.params.ToolFormat != "" && t.params.ToolFormat != "tool" {
		return nil
	}
	return t.built.input.Tools
}

// toolTokens estimates what the tools' schemas cost: their text and a few
// tokens each for the provider's own framing.
func toolTokens(tools []sources.Tool, count func(string) int) int {
	const framing = 10
	n := 0
	for _, t := range tools {
		n += framing + count(t.Name) + count(t.Description) + count(string(t.Parameters))
	}
	return n
}
