package hooks

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"

	"foreword/promptbuilder/sources"
	"foreword/workspace/trust"
)

// Set is the hooks of one request, in the order in which they run.
type Set struct {
	// Hooks run one after another.
	Hooks []Hook
	// Request is what the prompt is for.
	Request Request
	// Memory remembers what hooks added last; nil to remember nothing.
	Memory *Memory
}

// Outcome is what became of the hooks of one event.
type Outcome struct {
	// Changes in the order in which they were made.
	Changes []Change
	// Warnings for the user.
	Warnings []sources.Warning
	// Silent are the hooks that did not answer.
	Silent []string
}

// For lists the hooks that want an event.
func (s *Set) For(event Event) []Hook {
	var all []Hook
	for _, h := range s.Hooks {
		if slices.Contains(h.About().At, event) {
			all = append(all, h)
		}
	}
	return all
}

// call asks one hook within its time, and turns what is wrong with its answer into a warning. It is false where
// there is no answer.
func (s *Set) call(ctx context.Context, h Hook, in Input, o *Outcome) (out Output, ok bool) {
	about := h.About()
	in.Version, in.Hook, in.Request = Version, about.Name, s.Request
	timeout := about.Timeout
	if timeout <= 0 {
		timeout = DefaultTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	defer func() {
		if fault := recover(); fault != nil {
			out, ok = Output{}, false
			o.warn("internal", "the hook %s: %v\n%s", about.Name, fault, debug.Stack())
		}
	}()
	out, err := h.Call(ctx, in)
	if err == nil {
		err = belongs(in.Event, out)
	}
	var refused *trust.Refusal
	switch {
	case errors.As(err, &refused):
		o.warn(refused.State, "the hook %s does not run: %s", about.Name, refused.Why)
		return Output{}, false
	case err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
		err = fmt.Errorf("it took longer than %s", timeout)
		fallthrough
	case err != nil:
		o.warn("hook-failed", "the hook %s (%s) is left out: %v", about.Name, about.From, err)
		return Output{}, false
	}
	for _, text := range out.Warnings {
		o.warn("hook", "the hook %s: %.500s", about.Name, text)
	}
	return out, true
}

// belongs refuses an answer to another event.
func belongs(event Event, out Output) error {
	system := len(out.Add)+len(out.Edit)+len(out.Remove) > 0
	messages := len(out.AddMessages)+len(out.EditMessages)+len(out.RemoveMessages) > 0
	compacting := len(out.Context) > 0 || out.Prompt != ""
	if system && event != System || messages && event != Messages || compacting && event != Compacting {
		return fmt.Errorf("its answer is not one to %s: add, edit and remove are for system, addMessages, editMessages and removeMessages for messages, context and prompt for compacting", event)
	}
	return nil
}

func (o *Outcome) warn(code, format string, arguments ...any) {
	o.Warnings = append(o.Warnings, sources.Warning{Code: code, Message: fmt.Sprintf(format, arguments...)})
}

// refuse notes a change that is not made.
func (o *Outcome) refuse(c Change, format string, arguments ...any) {
	c.Kind, c.Why = Refused, fmt.Sprintf(format, arguments...)
	o.Changes = append(o.Changes, c)
	what := c.Key
	if what == "" {
		what = fmt.Sprintf("messages[%d]", c.Index)
	}
	o.warn("hook-refused", "the hook %s may not change %s: %s", c.Hook, what, c.Why)
}

// Memory remembers which sections each hook added last, by the workspace's root, so that a hook which fails does not
// look like one that took them back: what a session was told stands until the hook says otherwise. It is safe for
// concurrent use.
type Memory struct {
	mu    sync.Mutex // guards added
	added map[[2]string][]sources.Source
}

// remembered bounds the memory; the entries are a few strings each.
const remembered = 1_000

func (m *Memory) keep(root, hook string, added []sources.Source) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.added == nil || len(m.added) > remembered {
		m.added = map[[2]string][]sources.Source{}
	}
	m.added[[2]string{root, hook}] = added
}

func (m *Memory) last(root, hook string) []sources.Source {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.added[[2]string{root, hook}]
}
