package history

// merge joins adjacent messages of one role, for providers that refuse them. It never touches a pinned message, a
// system message, calls and results, or a message after which the caller wants the cache to end.
func (p *plan) merge(prepared []Message, origins []int, actions []Action) ([]Message, []Action, error) {
	var merged []Message
	// into is, for a message of the input that took up others, its place in merged.
	last := -1 // the input message that merged ends with, -1 when it was made up
	more := map[int][]Action{}
	for k, message := range prepared {
		if len(merged) == 0 || last < 0 || origins[k] < 0 || !joins(merged[len(merged)-1], message) {
			merged, last = append(merged, message), origins[k]
			continue
		}
		first := merged[len(merged)-1]
		joined, err := first.joined(message)
		if err != nil {
			return nil, nil, err
		}
		firstCost, _ := p.options.costOf(&first)
		cost, _ := p.options.costOf(&message)
		both, _ := p.options.costOf(&joined)
		p.total += both - firstCost - cost
		merged[len(merged)-1] = joined
		if err := noteJoined(more, p.originals, last, origins[k], firstCost, both, cost); err != nil {
			return nil, nil, err
		}
	}
	if len(more) == 0 {
		return prepared, actions, nil
	}
	return merged, withJoined(actions, more), nil
}

func noteJoined(more map[int][]Action, originals []Message, into, from, before, after, cost int) error {
	if len(more[into]) == 0 {
		raw, err := originals[into].Raw()
		if err != nil {
			return err
		}
		more[into] = []Action{{Index: into, Kind: KindMerged, Reason: ReasonSameRole, Before: before, Restore: raw}}
	}
	more[into][0].After = after
	raw, err := originals[from].Raw()
	if err != nil {
		return err
	}
	more[from] = append(more[from], Action{Index: from, Kind: KindMerged, Reason: ReasonJoined, Before: cost, Restore: raw})
	return nil
}

// withJoined puts the actions of merging behind the others of the same message. The first action of a message has
// its original.
func withJoined(actions []Action, more map[int][]Action) []Action {
	all := make([]Action, 0, len(actions)+len(more))
	add := func(i int, restored bool) {
		for _, action := range more[i] {
			if restored {
				action.Restore = nil
			}
			all = append(all, action)
			restored = true
		}
		delete(more, i)
	}
	last := -1
	upTo := 0
	// Messages without other actions come in between, in the order of the messages.
	flush := func(to int) {
		for ; upTo < to; upTo++ {
			add(upTo, false)
		}
	}
	restored := false
	for k, action := range actions {
		if action.Index != last {
			flush(action.Index)
			last, restored = action.Index, false
		}
		all = append(all, action)
		restored = restored || action.Kind != KindSynthesised && len(action.Restore) > 0
		if k+1 == len(actions) || actions[k+1].Index != last {
			add(last, restored)
			upTo = max(upTo, last+1)
		}
	}
	end := upTo
	for i := range more {
		end = max(end, i+1)
	}
	flush(end)
	return all
}

// joins says whether a provider that wants roles to alternate would take b as a part of a, and nothing is lost by it.
func joins(a, b Message) bool {
	if a.Role != b.Role || a.IsSystem() || a.Role == RoleTool || a.Pinned || b.Pinned {
		return false
	}
	if len(a.ToolCalls)+len(b.ToolCalls) > 0 || a.EphemeralTTL != nil || b.EphemeralTTL != nil || a.Model != b.Model {
		return false
	}
	for _, part := range a.Content.Parts {
		if part.Type == PartToolUse || part.Type == PartToolResult || part.CacheControl != nil {
			return false
		}
	}
	for _, part := range b.Content.Parts {
		if part.Type == PartToolUse || part.Type == PartToolResult {
			return false
		}
	}
	// Parts of two shapes do not make one message.
	return a.Content.Parts == nil && b.Content.Parts == nil || a.shape() == b.shape()
}

// shape is whose format the message is in, as whoever reads its bytes would see it: a message that lost its tool
// results may have lost what told.
func (m Message) shape() shape {
	raw, err := m.Raw()
	var read Message
	if err != nil || parseMessage(raw, "message", &read) != nil {
		return shapeOwn
	}
	return read.source.shape
}

// joined is the message with the content of the next one behind its own.
func (m Message) joined(next Message) (Message, error) {
	if m.Content.Parts == nil && next.Content.Parts == nil {
		return m.withContent(Text(joinText(m.Content.Text, next.Content.Text)))
	}
	content := Content{Parts: []Part{}}
	for _, from := range []Content{m.Content, next.Content} {
		if from.Parts != nil {
			content.Parts = append(content.Parts, from.Parts...)
			continue
		}
		if from.Text == "" {
			continue
		}
		part, err := newTextPart(from.Text)
		if err != nil {
			return m, err
		}
		content.Parts = append(content.Parts, part)
	}
	return m.withContent(content)
}

// newTextPart is a text part that reads the same in every shape.
func newTextPart(text string) (Part, error) {
	raw, err := encodeJSON(textPart{PartText, text})
	return Part{Type: PartText, Text: text, raw: raw}, err
}
