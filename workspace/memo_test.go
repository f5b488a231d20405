package workspace

import (
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"foreword/workspace/fsys"
)

type memoKey string

// Requests that want one result at the same time share one computation.
func TestMemoComputesOnce(t *testing.T) {
	s := New(Options{}).Snapshot()
	var computed atomic.Int32
	started, release := make(chan struct{}), make(chan struct{})
	compute := func() any {
		computed.Add(1)
		close(started)
		<-release
		return "result"
	}
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			if got := s.Memo(memoKey("a"), compute); got != "result" {
				t.Errorf("got %v", got)
			}
		})
	}
	<-started
	// Another key does not wait for this one.
	if got := s.Memo(memoKey("b"), func() any { return 2 }); got != 2 {
		t.Errorf("got %v", got)
	}
	// Nor does a result that is made of others.
	if got := s.Memo(memoKey("c"), func() any { return s.Memo(memoKey("b"), nil).(int) + 1 }); got != 3 {
		t.Errorf("got %v", got)
	}
	close(release)
	group.Wait()
	if s.Memo(memoKey("a"), compute); computed.Load() != 1 {
		t.Errorf("computed %d times", computed.Load())
	}
}

func TestMemoIsOfOneSnapshot(t *testing.T) {
	w := New(Options{})
	n := 0
	compute := func() any { n++; return n }
	w.Snapshot().Memo(memoKey("a"), compute)
	w.DidFocus(Focus{})
	if got := w.Snapshot().Memo(memoKey("a"), compute); got != 2 {
		t.Errorf("got %v", got)
	}
	if got := w.Snapshot().Memo(memoKey("nil"), func() any { return nil }); got != nil {
		t.Errorf("got %v", got)
	}
}

// A panic is its caller's alone: those who wait compute again.
func TestMemoPanicPoisonsNobody(t *testing.T) {
	for name, end := range map[string]func(){"panic": func() { panic("first") }, "goexit": runtime.Goexit} {
		t.Run(name, func(t *testing.T) {
			s := New(Options{}).Snapshot()
			started, release := make(chan struct{}), make(chan struct{})
			var group sync.WaitGroup
			group.Go(func() {
				defer func() {
					if got := recover(); name == "panic" && got != "first" {
						t.Errorf("recovered %v", got)
					}
				}()
				s.Memo(memoKey("a"), func() any {
					close(started)
					<-release
					end()
					return "never"
				})
			})
			<-started
			var computed atomic.Int32
			for range 10 {
				group.Go(func() {
					got := s.Memo(memoKey("a"), func() any { computed.Add(1); return "second" })
					if got != "second" {
						t.Errorf("got %v", got)
					}
				})
			}
			close(release)
			group.Wait()
			if computed.Load() != 1 {
				t.Errorf("computed %d times after the panic", computed.Load())
			}
		})
	}
}

// Results that depend on files are used again for a second, and not beyond a change.
func TestMemoDisk(t *testing.T) {
	root := folder(t, map[string]string{"a.md": "one"})
	path := filepath.Join(root, "a.md")
	now := &clock{now: time.Now().Add(time.Hour)}
	w := New(Options{Clock: now.Now})
	s := w.Snapshot()
	computed := 0
	read := func() string {
		return s.MemoDisk(memoKey("a"), func() any {
			computed++
			f, err := s.FS().ReadFile(path)
			must(t, err)
			return f.Text
		}).(string)
	}
	check := func(text string, times int) {
		t.Helper()
		if got := read(); got != text || computed != times {
			t.Errorf("got %q after %d computations, want %q after %d", got, computed, text, times)
		}
	}
	check("one", 1)
	now.now = now.now.Add(fsys.FreshFor - 1)
	check("one", 1)
	must(t, os.WriteFile(path, []byte("two"), 0o666))
	now.now = now.now.Add(1)
	check("two", 2)
	check("two", 3) // the second computation saw the change; from the next on it holds
	check("two", 3)
	must(t, os.WriteFile(path, []byte("three"), 0o666))
	w.FilesChanged([]string{path}) // also for who holds the older snapshot
	check("three", 4)
}
