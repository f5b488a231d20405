package commands

import (
	"context"
	"strings"

	"foreword/promptbuilder/compress"
	"foreword/promptbuilder/compress/gptme"
	"foreword/promptbuilder/history"
)

// MeasureDensityParams is a conversation.
type MeasureDensityParams struct {
	// Messages in the order in which they were said.
	Messages []history.Message `json:"messages"`
	// Compat measures as gptme does.
	Compat string `json:"compat,omitempty" enum:"gptme"`
}

// MeasureDensityResult says how much each message says.
type MeasureDensityResult struct {
	Head
	// Messages in the order of the parameters.
	Messages []MessageDensity `json:"messages"`
	// Ratio of the whole conversation, compressed, to its bytes.
	Ratio float64 `json:"ratio"`
}

// MessageDensity says how much one message says.
type MessageDensity struct {
	// Index of the message.
	Index int `json:"index"`
	// Bytes of its text.
	Bytes int `json:"bytes"`
	// Ratio of its text, compressed, to its bytes; 0 without text.
	Ratio float64 `json:"ratio"`
	// Marginal is the same for what is new after all earlier messages.
	Marginal float64 `json:"marginal"`
	// Verdict is redundant when little of it is new, novel when nearly all is; else it is some.
	Verdict string `json:"verdict" enum:"empty,redundant,some,novel"`
	// DuplicateOf is the earlier message of the same words.
	DuplicateOf *int `json:"duplicateOf,omitempty"`
	// Coverage is the share of its bytes in paragraphs that earlier messages have, too.
	Coverage float64 `json:"coverage"`
}

// MeasureDensity says how much each message says, and how much of it was said
// before.
func (s *Service) MeasureDensity(ctx context.Context, params MeasureDensityParams) (*MeasureDensityResult, error) {
	texts := make([]string, len(params.Messages))
	for i, m := range params.Messages {
		texts[i] = m.Content.PlainText()
	}
	densities := compress.Densities(texts)
	if params.Compat == compatGptme {
		// Messages that gptme does not report keep a marginal of their own ratio.
		for i := range densities {
			densities[i].Ratio = gptme.CompressionRatio(texts[i])
			densities[i].Marginal = densities[i].Ratio
		}
		for _, n := range gptme.Incremental(texts) {
			densities[n.Index].Marginal = n.Ratio
		}
	}
	r := &MeasureDensityResult{Head: head(), Messages: make([]MessageDensity, len(texts)), Ratio: compress.Ratio(strings.Join(texts, "\n\n"))}
	seen := compress.NewSeen()
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		d := densities[i]
		m := MessageDensity{Index: i, Bytes: d.Bytes, Ratio: d.Ratio, Marginal: d.Marginal, Verdict: "some"}
		switch {
		case d.Bytes == 0:
			m.Verdict = "empty"
		case d.Marginal < compress.Redundant:
			m.Verdict = "redundant"
		case d.Marginal > compress.Novel:
			m.Verdict = "novel"
		}
		repeats := seen.Add(i, text)
		m.Coverage = repeats.Coverage
		if of := repeats.Of; of >= 0 {
			m.DuplicateOf = &of
		}
		r.Messages[i] = m
	}
	return r, nil
}
