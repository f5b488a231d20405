package commands

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foreword/workspace/fsys"
)

// A count goes on as long as somebody waits for it, and ends with the last.
func TestCountEndsWithItsLastWaiter(t *testing.T) {
	c := newFileCounts()
	defer c.close()
	begun, ended := make(chan struct{}, 9), make(chan struct{}, 9)
	look := func(ctx context.Context) (int, bool, error) {
		begun <- struct{}{}
		<-ctx.Done()
		ended <- struct{}{}
		return 0, false, errors.New("signal: killed")
	}
	key := countKey{"/w", "/w"}
	var cancels []context.CancelFunc
	answers := make(chan error, 2)
	for range 2 {
		ctx, cancel := context.WithCancel(t.Context())
		cancels = append(cancels, cancel)
		go func() {
			_, err := c.count(ctx, key, true, look)
			answers <- err
		}()
	}
	<-begun
	for { // both wait
		c.mu.Lock()
		waiting := c.known[key].waiting
		c.mu.Unlock()
		if waiting == 2 {
			break
		}
	}
	cancels[0]()
	if err := <-answers; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	select {
	case <-ended:
		t.Error("the count ended while somebody waited for it")
	default:
	}
	cancels[1]()
	<-ended
	if err := <-answers; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	got, err := c.count(t.Context(), key, true, func(context.Context) (int, bool, error) { return 7, false, nil })
	if err != nil || got.files != 7 {
		t.Errorf("%+v, %v", got, err)
	}
	// Known for a while: nobody looks again.
	got, err = c.count(t.Context(), key, true, look)
	if err != nil || got.files != 7 || len(begun) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

// One who must not wait leaves a count behind, which ends with the service.
func TestCountThatNobodyWaitsFor(t *testing.T) {
	c := newFileCounts()
	got, err := c.count(t.Context(), countKey{"/w", "/w"}, false, func(ctx context.Context) (int, bool, error) {
		<-ctx.Done()
		return 0, false, ctx.Err()
	})
	if err != nil || !got.pending {
		t.Errorf("%+v, %v", got, err)
	}
	c.close()
}

// Without git a repository is walked by the rules of its ignore files, and a
// folder that is no repository is walked whole.
func TestWalkWithoutGit(t *testing.T) {
	files := map[string]string{
		".gitignore": "/out/\n*.log\n", "AGENTS.md": "A", "CLAUDE.local.md": "L", "src/a.go": "", "src/b.log": "", "out/deep/AGENTS.md": "O", "sub/.gitignore": "CLAUDE.local.md\n",
		"sub/CLAUDE.local.md": "S", "node_modules/x/AGENTS.md": "N",
	}
	r := newRepo(t, files)
	bin := t.TempDir() // holds no git
	t.Setenv("PATH", bin)
	if _, err := exec.LookPath("git"); err == nil {
		t.Fatal("git is still found")
	}
	s := r.open()
	snap := s.Workspace().Snapshot()
	found, err := s.find(t.Context(), snap, r.root)
	must(t, err)
	var names []string
	for _, f := range found.Files {
		names = append(names, f.Rel)
	}
	// What git ignores counts where it lies beside what it does not.
	if diff := cmp.Diff([]string{"AGENTS.md", "CLAUDE.local.md", "sub/CLAUDE.local.md"}, names); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{".gitignore", "AGENTS.md", "CLAUDE.local.md", "src/a.go", "sub/.gitignore"}, found.Paths); diff != "" {
		t.Error(diff)
	}
	p, err := s.locate(snap, r.uri("AGENTS.md"), "")
	must(t, err)
	n, err := s.countFiles(t.Context(), snap, p, filepath.Join(r.root, "src"))
	if err != nil || n.files != 1 {
		t.Errorf("%+v, %v", n, err)
	}
	if n, _, err := s.walkCount(t.Context(), snap, fsys.Disk(), filepath.Join(r.root, "out")); err != nil || n != 0 {
		t.Errorf("%d files, %v: out is ignored as a whole", n, err)
	}
}
