package commands

import (
	"context"
	"strings"

	"foreword/promptbuilder/sources"
	"foreword/workspace"
)

// remembered is what compute makes of files and open buffers, worked out again
// where a file changed or it is older than files are believed unseen. The key
// must name all else that it depends on. What a request that was given up made
// is nobody's but its own.
func remembered[T any](ctx context.Context, snap *workspace.Snapshot, key any, compute func() T) T {
	type result struct {
		value T
		whole bool
	}
	found := snap.MemoDisk(key, func() any {
		value := compute()
		return result{value, ctx.Err() == nil}
	}).(result)
	if !found.whole {
		return compute()
	}
	return found.value
}

// fewPaths is up to how many paths the answer to a question about them is kept
// by what was asked: the questions of every turn, about what is open, in focus
// or changed. Of a larger list the question alone would take more than it saves.
const fewPaths = 128

// keptBack is leftOut, asked once for the sources that ask the same.
func (s *Service) keptBack(ctx context.Context, snap *workspace.Snapshot, p *place, paths []string) map[string]string {
	type key struct {
		root, exclude, paths string
		repository           bool
	}
	if len(paths) > fewPaths {
		return s.leftOut(ctx, snap, p, paths)
	}
	k := key{p.root, strings.Join(p.config.Exclude, "\x00"), strings.Join(paths, "\x00"), p.repository}
	return remembered(ctx, snap, k, func() map[string]string { return s.leftOut(ctx, snap, p, paths) })
}

// rememberSource keeps what a source makes of the files of a place alone.
func (s *Service) rememberSource(snap *workspace.Snapshot, p *place, counter string) func(context.Context, string, func() sources.Observation) sources.Observation {
	type key struct {
		root, exclude, counter, source string
		repository, trusted            bool
	}
	return func(ctx context.Context, source string, compute func() sources.Observation) sources.Observation {
		return remembered(ctx, snap, key{p.root, strings.Join(p.config.Exclude, "\x00"), counter, source, p.repository, p.trusted}, compute)
	}
}
