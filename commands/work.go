package commands

import (
	"context"
	"fmt"
)

// Progress says in a few words how far long work has come, such as "120 of 800
// directories".
type Progress func(message string)

type progressKey struct{}

// WithProgress makes long work that is done with the context tell how far it
// has come, from several goroutines at once.
func WithProgress(ctx context.Context, tell Progress) context.Context {
	return context.WithValue(ctx, progressKey{}, tell)
}

// toldInCounts tells a count of things to whoever wants to know; nil for nobody.
func toldInCounts(ctx context.Context, what string) func(done, total int) {
	tell, ok := ctx.Value(progressKey{}).(Progress)
	if !ok {
		return nil
	}
	return func(done, total int) { tell(fmt.Sprintf("%d of %d %s", done, total, what)) }
}

type withoutWaiting struct{}

// WithoutWaiting makes commands that are called with the context answer from
// what is known: a hover waits neither for the network nor for a count of files.
func WithoutWaiting(ctx context.Context) context.Context {
	return context.WithValue(ctx, withoutWaiting{}, true)
}

func mayWait(ctx context.Context) bool { return ctx.Value(withoutWaiting{}) == nil }
