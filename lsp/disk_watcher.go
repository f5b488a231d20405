package lsp

import (
	"context"
	"errors"
	"path/filepath"
	"sort"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	// watchDelay is how long the disk must have been quiet before events count:
	// one checkout of a branch is many events and one change.
	watchDelay = 200 * time.Millisecond
	// watchLatest is how long events may wait while more keep coming.
	watchLatest = 2 * time.Second
	// watchLimit is the number of directories that are watched, far below the
	// 8,192 that older systems allow a user for all programs together.
	watchLimit = 512
)

// diskWatcher watches single directories for a client that does not. Its events
// are hints: what is read is checked again when it is used.
type diskWatcher struct {
	log *logger
	// directories lists what to watch for a path: its ancestors up to the root
	// and what else decides about it. It may read the disk.
	directories func(path string) []string
	// changed is told which paths changed; nil means any may have.
	changed func(paths []string)

	wanted  chan string // paths for which to watch
	renewed chan struct{}
}

// watchQueue is how many paths may wait to be watched; more are dropped, since
// they are only hints.
const watchQueue = 256

func newDiskWatcher(log *logger, directories func(string) []string, changed func([]string)) *diskWatcher {
	return &diskWatcher{
		log: log, directories: directories, changed: changed,
		wanted: make(chan string, watchQueue), renewed: make(chan struct{}, 1),
	}
}

// watch asks for the directories that decide about path. It never waits.
func (d *diskWatcher) watch(path string) {
	select {
	case d.wanted <- path:
	default:
	}
}

// again asks to find the directories of all paths anew.
func (d *diskWatcher) again() {
	select {
	case d.renewed <- struct{}{}:
	default:
	}
}

// run watches until ctx ends.
func (d *diskWatcher) run(ctx context.Context) {
	// The buffer is the library's: events are collected at once, so it need not
	// be large.
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		d.log.warnf("cannot watch files: %v; changes on disk are noticed when files are used", err)
		return
	}
	defer watcher.Close()

	paths, watched, full := map[string]bool{}, map[string]bool{}, false
	add := func(path string) {
		for _, dir := range d.directories(path) {
			if watched[dir] {
				continue
			}
			if len(watched) >= watchLimit {
				if !full {
					d.log.infof("watching %d directories; changes in others are noticed when files are used", watchLimit)
				}
				full = true
				return
			}
			if watcher.Add(dir) == nil {
				watched[dir] = true
				d.log.log("debug", "watching "+dir)
			}
		}
	}
	dirty, overflow := map[string]bool{}, false
	quiet := time.NewTimer(watchDelay)
	quiet.Stop()
	defer quiet.Stop()
	var first time.Time // of the events that wait; zero for none
	hold := func() {
		if first.IsZero() {
			first = time.Now()
		}
		quiet.Reset(max(0, min(watchDelay, watchLatest-time.Since(first))))
	}
	for {
		select {
		case <-ctx.Done():
			return
		case path := <-d.wanted:
			paths[path] = true
			add(path)
		case <-d.renewed:
			for _, path := range sorted(paths) {
				add(path)
			}
		case event, ok := <-watcher.Events:
			if !ok {
				return
			}
			if event.Op == fsnotify.Chmod {
				continue // neither text nor name
			}
			if event.Has(fsnotify.Remove) || event.Has(fsnotify.Rename) {
				delete(watched, event.Name)
			}
			dirty[filepath.Clean(event.Name)] = true
			hold()
		case err, ok := <-watcher.Errors:
			if !ok {
				return
			}
			if !errors.Is(err, fsnotify.ErrEventOverflow) {
				d.log.warnf("watching files: %v", err)
			}
			overflow = true
			hold()
		case <-quiet.C:
			first = time.Time{}
			if overflow {
				d.changed(nil)
			} else {
				d.changed(sorted(dirty))
			}
			dirty, overflow = map[string]bool{}, false
			// A directory that was made again is a new one to the kernel.
			for _, path := range sorted(paths) {
				add(path)
			}
		}
	}
}

func sorted(set map[string]bool) []string {
	out := make([]string, 0, len(set))
	for s := range set {
		out = append(out, s)
	}
	sort.Strings(out)
	return out
}
