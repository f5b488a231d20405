package commands

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"foreword/workspace/fsys"
	"foreword/workspace/ignore"
	"foreword/workspace/vcs"
)

// repositories remembers what git said, by repository root.
type repositories struct {
	env  func(string) string
	home string
	// files counts those of directories.
	files *fileCounts

	mu    sync.Mutex // guards known
	known map[string]*repository
}

type repository struct {
	ignores sync.Mutex // guards checker; git may take long to give a status, and nobody who asks what it ignores waits for that
	checker *ignore.Checker

	changed atomic.Bool // files changed since status was read, or while it was; events set it and wait for nothing

	mu          sync.Mutex // guards all below; held while git runs, so that it runs once
	status      *vcs.Status
	trusted     bool
	fingerprint string
	asked       time.Time
}

// statusFresh is how long an answer of git is used without asking again when
// nothing told of a change: long enough for the requests of one keystroke,
// short enough that nobody sees an old one.
const statusFresh = 2 * time.Second

func newRepositories(env func(string) string, home string) *repositories {
	return &repositories{env: env, home: home, files: newFileCounts(), known: map[string]*repository{}}
}

func (r *repositories) at(root string) *repository {
	r.mu.Lock()
	defer r.mu.Unlock()
	repo, ok := r.known[root]
	if !ok {
		repo = &repository{}
		r.known[root] = repo
	}
	return repo
}

// gitStatus is the state of the repository at root, at most statusFresh old.
func (r *repositories) gitStatus(ctx context.Context, root string, trusted bool) (*vcs.Status, error) {
	repo := r.at(root)
	repo.mu.Lock()
	defer repo.mu.Unlock()
	now := time.Now()
	mark := vcs.Fingerprint(root)
	fresh := repo.status != nil && !repo.changed.Load() && repo.trusted == trusted && repo.fingerprint == mark && now.Sub(repo.asked) < statusFresh
	if fresh {
		return repo.status, nil
	}
	repo.changed.Store(false)
	if _, _, err := vcs.Dirs(root); err != nil {
		return nil, fmt.Errorf("there is no git folder that can be read: %w", err)
	}
	if !trusted && !vcs.Owns(root) {
		return nil, errors.New("the git folder that it names belongs to another folder; trust the folder to allow it")
	}
	status, err := vcs.Git{Home: r.home, Env: r.env, Trusted: trusted}.Status(ctx, root, 0)
	if err != nil {
		return nil, err
	}
	repo.status, repo.trusted, repo.fingerprint, repo.asked = status, trusted, mark, now
	return status, nil
}

// ignoring is the checker of what git ignores below root.
func (r *repositories) ignoring(files fsys.FS, root string) *ignore.Checker {
	repo := r.at(root)
	repo.ignores.Lock()
	defer repo.ignores.Unlock()
	if repo.checker == nil {
		repo.checker = ignore.NewCheckerWith(files, root, vcs.Git{Home: r.home, Env: r.env})
	}
	return repo.checker.WithFS(files)
}

// filesChanged makes the repositories of these paths ask git again.
func (r *repositories) filesChanged(paths []string) {
	r.mu.Lock()
	repos := make(map[string]*repository, len(r.known))
	for root, repo := range r.known {
		repos[root] = repo
	}
	r.mu.Unlock()
	for root, repo := range repos {
		if !slices.ContainsFunc(paths, func(path string) bool { return fsys.Within(root, path) }) {
			continue
		}
		repo.changed.Store(true)
	}
}
