package history

import (
	"fmt"
	"strings"

	"foreword/promptbuilder/compress"
)

// Weigh is what StrategyAdaptive knows of the task beside the conversation.
type Weigh struct {
	// Task in words; "" takes the newest question.
	Task string
	// Facts of the workspace, in place of guesses.
	Facts compress.Facts
	// Near are names that the work is about, for example paths of changed files and of files with errors: what speaks of
	// them goes later.
	Near []string
}

// weights say of each text how early it goes.
type weights struct {
	task compress.Task
	near []string
	// novelty and repeats are by message; again are the messages of which a later one has all the words.
	novelty []float64
	repeats []float64
	again   map[int]bool
	// settled is the first message that is too new to lose its thoughts.
	settled int
}

// thoughtfulAnswers is how many of the newest answers keep what was thought aloud in them: a model goes on from it.
const thoughtfulAnswers = 2

// weigh measures all texts, once and in linear time.
func (p *plan) weigh() {
	w := &weights{near: p.options.Trim.Weigh.Near, again: map[int]bool{}, repeats: make([]float64, len(p.messages))}
	task := p.options.Trim.Weigh.Task
	texts := make([]string, len(p.messages))
	for i, m := range p.messages {
		if p.dropped[i] == "" {
			texts[i] = m.Content.PlainText()
		}
	}
	if task == "" && p.question >= 0 {
		task = ownText(p.messages[p.question])
	}
	w.task = compress.Classify(task, p.options.Trim.Weigh.Facts)
	w.novelty = compress.Marginals(texts)
	seen := compress.NewSeen()
	last := map[int]int{}
	for i, text := range texts {
		r := seen.Add(i, text)
		w.repeats[i] = r.Coverage
		if r.Of >= 0 && len(text) >= worthShortening {
			before, ok := last[r.Of]
			if !ok {
				before = r.Of
			}
			w.again[before] = true // the older one goes: a later one is the last to go
			last[r.Of] = i
		}
	}
	w.settled = len(p.messages)
	for answers := 0; w.settled > 0 && answers < thoughtfulAnswers; w.settled-- {
		if p.messages[w.settled-1].Role == RoleAssistant {
			answers++
		}
	}
	p.weights = w
}

// of is the weight of a text: above 1 goes earlier, below 1 later.
func (w *weights) of(c *candidate) float64 {
	weight := 1.
	// What is new after all before it counts once; a repetition counts double.
	weight += 1 - min(1, w.novelty[c.message]/compress.Novel)
	weight += w.repeats[c.message]
	if w.speaksOfNear(c.text) {
		weight /= 2
	}
	switch w.task.Class {
	case compress.Diagnostic, compress.Fix:
		if c.result && hasComplaint(c.text) {
			weight /= 2 // what went wrong is what the task is about
		}
	case compress.Implementation, compress.Refactor:
		if c.result && strings.Contains(c.text, "\n") {
			weight *= .8 // existing code is what is built upon
		}
	case compress.Exploration:
		if !c.result {
			weight *= .8 // what was found out matters more than where
		}
	}
	return weight
}

func (w *weights) speaksOfNear(text string) bool {
	for _, name := range w.near {
		if name != "" && strings.Contains(text, name) {
			return true
		}
	}
	return false
}

// hasComplaint says whether one of the first lines of a text, or of its last, complains.
func hasComplaint(text string) bool {
	const looked = 4_000
	if len(text) > 2*looked {
		text = text[:looked] + "\n" + text[len(text)-looked:]
	}
	for line := range strings.Lines(text) {
		if complains(line) {
			return true
		}
	}
	return false
}

// next is the cut of a rung that only this strategy has.
func (w *weights) next(p *plan, c *candidate) (textCut, bool) {
	switch c.rung {
	case rungRepeated:
		if !w.again[c.message] || len(p.messages[c.message].texts()) > 1 {
			return textCut{}, false
		}
		return textCut{rung: RungRepeated, note: fmt.Sprintf("[%s left out: a later message says the same]", amount(len(c.text), "byte"))}, true
	case rungThoughts:
		if c.message >= w.settled || p.messages[c.message].Role != RoleAssistant {
			return textCut{}, false
		}
		cut := textCut{rung: RungThoughts, keep: [][2]int{}}
		at := 0
		for _, span := range compress.Thoughts(c.text) {
			if span[0] > at {
				cut.keep = append(cut.keep, [2]int{at, span[0]})
			}
			at = span[1]
		}
		if at == 0 {
			return cut, false
		}
		if at < len(c.text) {
			cut.keep = append(cut.keep, [2]int{at, len(c.text)})
		}
		return cut, len(cut.keep) > 0 // an answer that is all thought stays
	}
	if c.result && strings.Count(c.text, "\n") > worthElision || c.cost <= worthShortening {
		return textCut{}, false // sentences of a log are no sentences
	}
	// Twice the share that a task needs: the rest of the ladder is still to come.
	extracted := compress.Extract(c.text, min(1, 2*w.task.Share), w.task.Class)
	cut := textCut{rung: RungExtract, keep: [][2]int{}}
	const worthNote = 64 // bytes; a shorter gap costs about as much as its note
	for _, s := range extracted.Kept {
		if n := len(cut.keep); n > 0 && s.From-cut.keep[n-1][1] < worthNote {
			cut.keep[n-1][1] = s.To
			continue
		}
		cut.keep = append(cut.keep, [2]int{s.From, s.To})
	}
	return cut, len(extracted.Dropped) > 0 && len(cut.keep) > 0
}
