package epoch

import (
	"context"
	"runtime/debug"
	"sync"
	"time"
)

// Status tells apart a value, no value, and a value that could not be had.
type Status uint8

// What looking at a source can give.
const (
	// Absent means that there is nothing to say.
	Absent Status = iota
	// Value means that there is a text.
	Value
	// Unavailable means that it could not be found out whether there is one.
	Unavailable
	// Unasked means that nobody looked this time: what was said stands.
	Unasked
)

// Observed is what one source said when it was looked at, once per operation.
type Observed struct {
	// Key is unique in one composition; see [CheckKey].
	Key string
	// Layer is core, cacheable or dynamic.
	Layer string
	// Title is a short heading for people and for the usual wording.
	Title string
	// Status tells whether there is a value. A blank Text is no value.
	Status Status
	// Text is the value said in full.
	Text string
	// Why is the reason where there is no value.
	Why string
	// Since is when it became unavailable; zero where nobody knows.
	Since time.Time
	// Permanent tells that an unavailable value will not come back by itself.
	Permanent bool
	// Arrival says a value that the session does not know, within an epoch; in the
	// system text stands Text alone. Nil, or an empty answer, means Text.
	Arrival func(text string) string
	// Update says how the value changed; before is the text as it was admitted.
	// Nil, or an empty answer, means the usual wording.
	Update func(before, after string) string
	// Removal says that the value is gone; it is rendered when the value is
	// said. Nil, or an empty answer, means the usual wording.
	Removal func(before string) string
}

// state is the status, with a blank text counted as none.
func (o *Observed) state() Status {
	if o.Status == Value && blank(o.Text) {
		return Absent
	}
	return o.Status
}

// Look is how one source is looked at. It must honour the context's deadline.
type Look[T any] struct {
	// Deadline is how long it may take; none where it is zero.
	Deadline time.Duration
	// See gives the answer.
	See func(context.Context) T
	// Missed makes the answer of a source that panicked with fault.
	Missed func(fault any, stack []byte) T
}

// Observe looks at all sources at once, at each just once, and gives the
// answers in the order of the sources, whatever the order in which they come. A
// source that panics costs its own answer only. Observe returns when every
// source has answered: one that does not keep to its deadline is waited for,
// since its goroutine would otherwise have no owner.
func Observe[T any](ctx context.Context, looks []Look[T]) []T {
	answers := make([]T, len(looks))
	var wait sync.WaitGroup
	for i := range looks {
		wait.Go(func() { answers[i] = looks[i].answer(ctx) })
	}
	wait.Wait()
	return answers
}

func (l *Look[T]) answer(ctx context.Context) (answer T) {
	if l.Deadline > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, l.Deadline)
		defer cancel()
	}
	defer func() {
		if fault := recover(); fault != nil {
			answer = l.Missed(fault, debug.Stack())
		}
	}()
	return l.See(ctx)
}
