package commands

import (
	"context"

	"foreword/promptbuilder/compress"
	"foreword/promptbuilder/compress/gptme"
)

// CompressTextParams is a text, and how much of it is wanted.
type CompressTextParams struct {
	// Text to compress.
	Text string `json:"text"`
	// Ratio of the text that is wanted, above 0 and up to 1; by default what the task needs.
	Ratio float64 `json:"ratio,omitempty"`
	// Task that the text is for, in words, or the name of a class of tasks.
	Task string `json:"task,omitempty"`
	// Compat gives what gptme gives, its faults included.
	Compat string `json:"compat,omitempty" enum:"gptme"`
}

// CompressTextResult is what is left of a text.
type CompressTextResult struct {
	Head
	// Text that is left.
	Text string `json:"text"`
	// Task is the class that the task was taken for; unknown when its words do not tell.
	Task string `json:"task"`
	// Wanted is the share of the text that was aimed at.
	Wanted float64 `json:"wanted"`
	// Ratio is the share that is left. Code blocks are never cut, so it can be above what was wanted.
	Ratio float64 `json:"ratio"`
	// Kept are the pieces of the text that stayed, in order.
	Kept []Piece `json:"kept"`
	// Dropped are those that went; with the kept ones they are all of the text.
	Dropped []Piece `json:"dropped"`
	// Tokens before and after.
	Tokens Shrunk `json:"tokens"`
}

// Piece is a sentence, a heading or a code block.
type Piece struct {
	// From is where it begins in the text, in bytes.
	From int `json:"from"`
	// To is where it ends.
	To int `json:"to"`
	// Score says how much it says.
	Score float64 `json:"score"`
	// Code is a code block, which is always kept.
	Code bool `json:"code,omitempty"`
}

// Shrunk is a count before and after.
type Shrunk struct {
	// Before the change.
	Before int `json:"before"`
	// After it.
	After int `json:"after"`
}

// CompressText keeps the sentences of a text that say most.
func (s *Service) CompressText(ctx context.Context, params CompressTextParams) (*CompressTextResult, error) {
	if params.Ratio < 0 || params.Ratio > 1 {
		return nil, failf(CodeInvalidParams, "ratio: %g is not a share; want a number above 0 and up to 1", params.Ratio)
	}
	p, err := s.locate(s.snapshot(ctx), "", "")
	if err != nil {
		return nil, err
	}
	_, count := s.counter(p.model(""))
	r := &CompressTextResult{Head: head(), Kept: []Piece{}, Dropped: []Piece{}}
	if params.Compat == compatGptme {
		r.compressAsGptme(params)
	} else {
		task := compress.Classify(params.Task, compress.Facts{})
		if share, ok := compress.ShareOf(compress.Class(params.Task)); ok {
			task = compress.Task{Class: compress.Class(params.Task), Share: share}
		}
		r.Task, r.Wanted = string(task.Class), task.Share
		if params.Ratio > 0 {
			r.Wanted = params.Ratio
		}
		extracted := compress.Extract(params.Text, r.Wanted, task.Class)
		r.Text, r.Ratio = extracted.Text, extracted.Ratio
		r.Kept, r.Dropped = pieces(extracted.Kept), pieces(extracted.Dropped)
	}
	r.Tokens = Shrunk{Before: count(params.Text), After: count(r.Text)}
	return r, ctx.Err()
}

// compatGptme is the name of the seed whose numbers a client can ask for.
const compatGptme = "gptme"

func (r *CompressTextResult) compressAsGptme(params CompressTextParams) {
	f := gptme.FeaturesOf(params.Task, 0, []string{params.Text})
	c := gptme.Classify(f)
	r.Task, r.Wanted = c.Primary, gptme.Ratio(c, f)
	if params.Ratio > 0 {
		r.Wanted = params.Ratio
	}
	r.Text = params.Text
	if len([]rune(params.Text)) >= 100 {
		if text := gptme.Extract(params.Text, c.Primary, r.Wanted); len(text) <= len(params.Text) {
			r.Text = text
		}
	}
	if params.Text != "" {
		r.Ratio = float64(len(r.Text)) / float64(len(params.Text))
	}
}

func pieces(sentences []compress.Sentence) []Piece {
	out := make([]Piece, len(sentences))
	for i, s := range sentences {
		out[i] = Piece(s)
	}
	return out
}
