package commands

import (
	"context"
	"errors"
	"sync"
	"time"

	"foreword/workspace"
	"foreword/workspace/fsys"
	"foreword/workspace/instructions/lint"
	"foreword/workspace/vcs"
)

// countFresh is how long a count of files is shown without counting again. It
// is a figure for people, so an old one does no harm.
const countFresh = 10 * time.Second

// countLimit bounds the count where there is no git to ask.
const countLimit = 20_000

// countPatience is what one who must not wait gives a count: nobody notices it
// before a hover appears, and in most repositories git answers within it.
const countPatience = 50 * time.Millisecond

// fileCounts remembers how many files directories hold. A count is made once,
// whoever asks for it, and ends when nobody wants it any more.
type fileCounts struct {
	session context.Context
	end     context.CancelFunc
	tasks   sync.WaitGroup // counts that are made

	mu    sync.Mutex // guards the rest
	known map[countKey]*fileCount
}

type countKey struct{ root, dir string }

type fileCount struct {
	files     int
	truncated bool
	err       error
	asked     time.Time // zero before the first count is done

	running chan struct{} // closed when the count that is made is done; nil for none
	cancel  context.CancelFunc
	waiting int  // who would be disappointed if it were cancelled
	wanted  bool // so would somebody who asks again
}

func newFileCounts() *fileCounts {
	c := &fileCounts{known: map[countKey]*fileCount{}}
	c.session, c.end = context.WithCancel(context.Background())
	return c
}

// close ends the counts that are made.
func (c *fileCounts) close() {
	c.end()
	c.tasks.Wait()
}

// counted is what is known of a directory.
type counted struct {
	files     int
	truncated bool
	// pending tells that the files are still being counted.
	pending bool
}

// count is how many files look finds, at most countFresh old. One who may not
// wait gets an older number, or none that is still pending.
func (c *fileCounts) count(ctx context.Context, key countKey, wait bool, look func(context.Context) (int, bool, error)) (counted, error) {
	for {
		c.mu.Lock()
		n := c.known[key]
		if n == nil {
			n = &fileCount{}
			c.known[key] = n
		}
		has := !n.asked.IsZero() && n.err == nil
		last := counted{files: n.files, truncated: n.truncated}
		if has && time.Since(n.asked) < countFresh {
			c.mu.Unlock()
			return last, nil
		}
		if n.running == nil {
			c.start(ctx, n, look)
		}
		running := n.running
		if wait {
			n.waiting++
		} else {
			n.wanted = true
		}
		c.mu.Unlock()
		switch {
		case wait:
			select {
			case <-running:
			case <-ctx.Done():
			}
		case has:
			return last, nil
		case !soon(ctx, running):
			return counted{pending: true}, ctx.Err()
		}
		if got, err := c.outcome(ctx, n, wait); !errors.Is(err, errEnded) {
			return got, err
		}
	}
}

// soon waits as long as nobody notices.
func soon(ctx context.Context, done <-chan struct{}) bool {
	timer := time.NewTimer(countPatience)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	return false
}

// errEnded tells that a count was ended by others, who did not want it any more.
var errEnded = errors.New("the count was ended")

// outcome ends a wait.
func (c *fileCounts) outcome(ctx context.Context, n *fileCount, waited bool) (counted, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if waited {
		n.waiting--
	}
	if err := ctx.Err(); err != nil {
		if n.running != nil && n.waiting == 0 && !n.wanted {
			n.cancel()
		}
		return counted{}, err
	}
	if n.running != nil || errors.Is(n.err, context.Canceled) && c.session.Err() == nil {
		return counted{}, errEnded
	}
	return counted{files: n.files, truncated: n.truncated}, n.err
}

// start makes a count. The caller holds mu.
func (c *fileCounts) start(ctx context.Context, n *fileCount, look func(context.Context) (int, bool, error)) {
	// The count outlives the request, which others may wait for with it.
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(c.session, cancel)
	done := make(chan struct{})
	n.running, n.cancel, n.wanted = done, cancel, false
	c.tasks.Go(func() {
		files, truncated, err := look(work)
		if work.Err() != nil {
			err = work.Err() // whatever it looked like to git
		}
		stop()
		cancel()
		c.mu.Lock()
		defer c.mu.Unlock()
		defer close(done)
		n.running, n.asked, n.err = nil, time.Now(), err
		if err == nil {
			n.files, n.truncated = files, truncated
		}
	})
}

// countFiles counts the files below a directory that git does not ignore.
func (s *Service) countFiles(ctx context.Context, snap *workspace.Snapshot, p *place, dir string) (counted, error) {
	return s.repos.files.count(ctx, countKey{p.root, dir}, mayWait(ctx), func(ctx context.Context) (int, bool, error) {
		if p.repository {
			sub, _ := relative(p.root, dir)
			if sub == "." {
				sub = ""
			}
			listed, err := vcs.Git{Home: s.repos.home, Env: s.repos.env}.ListFiles(ctx, p.root, sub)
			if !errors.Is(err, vcs.ErrNoGit) {
				return len(listed), false, err
			}
		}
		return s.walkCount(ctx, snap, p.files(snap), dir)
	})
}

// walkCount counts by looking, where git cannot be asked.
func (s *Service) walkCount(ctx context.Context, snap *workspace.Snapshot, files fsys.FS, dir string) (n int, truncated bool, err error) {
	paths, truncated, err := s.walk(ctx, snap, files, dir)
	return len(paths), truncated, err
}

// walk finds the files below a directory by looking.
func (s *Service) walk(ctx context.Context, snap *workspace.Snapshot, files fsys.FS, dir string) (paths []string, truncated bool, err error) {
	return lint.Paths(ctx, lint.Search{
		Root: dir, FS: files, Ignored: s.ignored(snap, dir), Most: countLimit, Progress: toldInCounts(ctx, "directories"),
	})
}
