package lsp

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"go.lsp.dev/protocol"

	"foreword/commands"
)

// progressDelay is how long a piece of work must last before it is shown: what
// is done within it would only flicker.
const progressDelay = 300 * time.Millisecond

// jobs are the pieces of work that are shown to the user now.
type jobs struct {
	delay time.Duration

	mu      sync.Mutex // guards the rest
	serial  int
	running map[string]*job // by token, as text
	order   []string        // tokens, oldest first
}

type job struct {
	title  string
	cancel context.CancelFunc
}

func newJobs(delay time.Duration) *jobs { return &jobs{delay: delay, running: map[string]*job{}} }

// current is the title of the oldest piece of work.
func (j *jobs) current() (string, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.order) == 0 {
		return "", false
	}
	return j.running[j.order[0]].title, true
}

// add notes a piece of work and returns its token: the client's, or a new one.
func (j *jobs) add(token protocol.ProgressToken, title string, cancel context.CancelFunc) protocol.ProgressToken {
	j.mu.Lock()
	defer j.mu.Unlock()
	if token == nil {
		j.serial++
		token = protocol.String(fmt.Sprintf("foreword-%d", j.serial))
	}
	key := tokenKey(token)
	if j.running[key] == nil {
		j.order = append(j.order, key)
	}
	j.running[key] = &job{title: title, cancel: cancel}
	return token
}

func (j *jobs) remove(token protocol.ProgressToken) {
	j.mu.Lock()
	defer j.mu.Unlock()
	key := tokenKey(token)
	delete(j.running, key)
	for i, known := range j.order {
		if known == key {
			j.order = append(j.order[:i], j.order[i+1:]...)
			break
		}
	}
}

func tokenKey(token protocol.ProgressToken) string { return fmt.Sprintf("%T %v", token, token) }

// WorkDoneProgressCancel is a writer: the user pressed cancel.
func (s *server) WorkDoneProgressCancel(_ context.Context, params *protocol.WorkDoneProgressCancelParams) error {
	s.jobs.mu.Lock()
	job := s.jobs.running[tokenKey(params.Token)]
	s.jobs.mu.Unlock()
	if job != nil {
		job.cancel()
	}
	return nil
}

// withProgress runs work, which may be long: it waits for a place among the
// workers, and shows $/progress when it lasts. The token is the request's own,
// or nil.
func withProgress[R any](ctx context.Context, s *server, token protocol.ProgressToken, title string, work func(context.Context) (R, error)) (R, error) {
	var none R
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	leave, err := s.work.enter(ctx)
	if err != nil {
		return none, err
	}
	defer leave()
	if token == nil && !s.can.createsProgress && !s.can.wants(methodStatus) {
		return work(ctx)
	}

	done, news := make(chan struct{}), newMessages()
	ctx = commands.WithProgress(ctx, news.tell)
	var shown sync.WaitGroup
	shown.Go(func() {
		late := time.NewTimer(s.jobs.delay)
		defer late.Stop()
		select {
		case <-done:
		case <-late.C:
			s.showProgress(ctx, token, title, cancel, news, done)
		}
	})
	result, err := work(ctx)
	close(done)
	shown.Wait()
	return result, err
}

// showProgress shows a piece of work until it is done.
func (s *server) showProgress(ctx context.Context, asked protocol.ProgressToken, title string, cancel context.CancelFunc, news *messages, done <-chan struct{}) {
	token := s.jobs.add(asked, title, cancel)
	defer s.announce()
	defer s.jobs.remove(token)
	s.announce()
	if asked == nil {
		if !s.can.createsProgress {
			<-done
			return
		}
		if err := s.client.WorkDoneProgressCreate(ctx, &protocol.WorkDoneProgressCreateParams{Token: token}); err != nil {
			<-done
			return
		}
	}
	s.progress(token, &protocol.WorkDoneProgressBegin{Kind: "begin", Title: title, Cancellable: new(true)})
	s.report(token, news, done)
	s.progress(token, &protocol.WorkDoneProgressEnd{Kind: "end"})
}

// report tells how far a piece of work has come until it is done: what is newest,
// and not faster than anybody reads.
func (s *server) report(token protocol.ProgressToken, news *messages, done <-chan struct{}) {
	pause := time.NewTimer(0)
	defer pause.Stop()
	for {
		select {
		case <-done:
			return
		case <-pause.C:
		}
		select {
		case <-done:
			return
		case <-news.wake:
			s.progress(token, &protocol.WorkDoneProgressReport{Kind: "report", Message: new(news.last()), Cancellable: new(true)})
			pause.Reset(s.jobs.delay)
		}
	}
}

// messages holds the newest message of a piece of work.
type messages struct {
	wake   chan struct{}
	newest atomic.Pointer[string]
}

func newMessages() *messages { return &messages{wake: make(chan struct{}, 1)} }

func (m *messages) tell(message string) {
	m.newest.Store(&message)
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

func (m *messages) last() string { return *m.newest.Load() }

func (s *server) progress(token protocol.ProgressToken, value any) {
	raw, err := protocol.Marshal(value)
	if err != nil {
		s.log.errorf("$/progress: %v", err)
		return
	}
	_ = s.client.Progress(s.session, &protocol.ProgressParams{Token: token, Value: raw})
}
