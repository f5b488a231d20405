package commands

import (
	"testing"

	"foreword/workspace/fsys"
)

// While git looks at every file for a status, which may take long, nobody waits
// who does not ask for one: what is ignored is told, and events are taken.
func TestNobodyWaitsForAStatusOfGit(t *testing.T) {
	r := newRepositories(func(string) string { return "" }, "")
	repo := r.at("/w")
	repo.mu.Lock() // as gitStatus does while git runs
	defer repo.mu.Unlock()
	if r.ignoring(fsys.Disk(), "/w") == nil {
		t.Error("no checker")
	}
	r.filesChanged([]string{"/elsewhere/a.go"})
	if repo.changed.Load() {
		t.Error("a file of another folder counts")
	}
	r.filesChanged([]string{"/w/a.go"})
	if !repo.changed.Load() {
		t.Error("the next status is not asked for anew")
	}
}
