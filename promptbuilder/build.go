package promptbuilder

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"foreword/promptbuilder/epoch"
	"foreword/promptbuilder/sources"
	"foreword/promptbuilder/tokens"
)

// Options say which sources speak and how long each may take.
type Options struct {
	// Omit, where it is not nil, says why a source is not asked; empty where it is.
	Omit func(sources.Source) string
	// Deadline for each source; [DefaultDeadline] when zero.
	Deadline time.Duration
	// Count counts tokens.
	Count func(string) int
	// Amend, where it is not nil, is given what was observed, in the order of
	// the prompt, and answers with what is to be said in its place: hooks. It
	// may add sources, replace and take out observations.
	Amend func(context.Context, []sources.Observed) []sources.Observed
}

// DefaultDeadline is how long a source may look before the prompt goes without
// it: longer than git takes on a large repository, short enough to wait for.
const DefaultDeadline = 3 * time.Second

// Build looks and assembles: the prompt of a request that has nothing before it.
func Build(ctx context.Context, all []sources.Source, o Options) (*Prompt, error) {
	observed, err := Look(ctx, all, o)
	if err != nil {
		return nil, err
	}
	return Assemble(observed, o.Count), nil
}

// Look observes the sources concurrently: by layer, inside a layer in the order
// given. A source that fails, is slow or panics costs only its own value; the
// error is that of the context.
func Look(ctx context.Context, all []sources.Source, o Options) ([]sources.Observed, error) {
	if o.Deadline == 0 {
		o.Deadline = DefaultDeadline
	}
	observed := make([]sources.Observed, len(all))
	for i, s := range all {
		observed[i].Source = s
	}
	slices.SortStableFunc(observed, func(a, b sources.Observed) int { return sources.ByLayer(a.Source, b.Source) })
	var looks []epoch.Look[sources.Observation]
	var places []int
	for i := range observed {
		seen := &observed[i]
		if why := o.omit(seen.Source); why != "" {
			seen.Observation = sources.Observation{Status: sources.Unasked, Why: why}
			continue
		}
		looks, places = append(looks, look(seen.Source, o.Deadline)), append(places, i)
	}
	for j, seen := range epoch.Observe(ctx, looks) {
		observed[places[j]].Observation = seen
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if o.Amend != nil {
		observed = o.Amend(ctx, observed)
		slices.SortStableFunc(observed, func(a, b sources.Observed) int { return sources.ByLayer(a.Source, b.Source) })
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	for i := range observed {
		seen := &observed[i]
		if seen.Status != sources.Present {
			continue
		}
		if seen.Text = tokens.Valid(seen.Text); strings.TrimSpace(seen.Text) == "" {
			seen.Status, seen.Why = sources.Absent, "it has nothing to say"
		}
	}
	return observed, nil
}

// Assemble makes a prompt of what the sources found. What has no value is told
// in LeftOut.
func Assemble(observed []sources.Observed, count func(string) int) *Prompt {
	p := &Prompt{Sections: make([]Section, 0, len(observed))}
	for _, seen := range observed {
		p.account(seen)
		if seen.Status == sources.Present {
			p.Sections = append(p.Sections, Section{Source: seen.Source, Text: seen.Text, Origins: seen.Origins, Why: seen.Why})
		}
	}
	p.assemble(count)
	return p
}

// Now is the prompt as it was said, with what the sources warn of and leave out
// now.
func (p *Prompt) Now(observed []sources.Observed) *Prompt {
	now := *p
	now.Skipped, now.LeftOut, now.Warnings = nil, nil, nil
	for _, seen := range observed {
		now.account(seen)
	}
	return &now
}

// account notes what a source warns of and what it leaves out.
func (p *Prompt) account(seen sources.Observed) {
	p.Warnings = append(p.Warnings, seen.Warnings...)
	for _, skipped := range seen.Skipped {
		p.Skipped = append(p.Skipped, Skipped{Source: seen.Source, Skipped: skipped})
	}
	if seen.Status == sources.Present {
		return
	}
	p.LeftOut = append(p.LeftOut, LeftOut{Source: seen.Source, Status: seen.Status, State: seen.State, Why: seen.Why})
	if seen.Status == sources.Unavailable {
		p.Warnings = append(p.Warnings, sources.Warning{Code: "source-unavailable", Message: fmt.Sprintf("%s is left out of the prompt: %s", seen.Key, seen.Why)})
	}
}

func (o Options) omit(s sources.Source) string {
	if o.Omit == nil {
		return ""
	}
	return o.Omit(s)
}

// look is how one source is looked at.
func look(s sources.Source, deadline time.Duration) epoch.Look[sources.Observation] {
	if s.Deadline > 0 {
		deadline = s.Deadline
	}
	return epoch.Look[sources.Observation]{
		Deadline: deadline,
		See: func(ctx context.Context) sources.Observation {
			seen := s.Observe(ctx)
			if seen.Status == sources.Unavailable && errors.Is(ctx.Err(), context.DeadlineExceeded) {
				seen.Why = fmt.Sprintf("took longer than %s", deadline)
			}
			return seen
		},
		Missed: func(fault any, stack []byte) sources.Observation {
			return sources.Observation{
				Status: sources.Unavailable, Why: fmt.Sprintf("fault in the source %s: %v", s.Key, fault),
				Warnings: []sources.Warning{{Code: "internal", Message: fmt.Sprintf("source %s: %v\n%s", s.Key, fault, stack)}},
			}
		},
	}
}
