// Package workspace is what is in the editor and on disk: the open buffers, the
// folders, the settings and the trust that a client has told of, over the files.
//
// Workspace is the only thing in it that changes. Each event (DidOpen,
// DidChange, FilesChanged, …) makes the next Snapshot, which shares all that did
// not change; events are applied in the order in which they are called and do no
// I/O. A reader takes one Snapshot when it starts and works on nothing else, so
// it never waits for an event and never sees half of one.
//
// To add a kind of state: a field in state (snapshot.go), an event here that
// replaces it, a method on Snapshot that reads it. Results that are worth keeping
// go into Snapshot.Memo. Subpackages take an fsys.FS, never the workspace.
package workspace

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"foreword/workspace/fsys"

	"go.lsp.dev/uri"
)

// Folder is a folder that the editor has opened.
type Folder struct {
	Path string // absolute
	Name string // as the editor shows it
}

// Focus is where the user is.
type Focus struct {
	Path    string   // the active file, "" for none
	Range   *Range   // the selection, nil for none
	Visible []string // the files that are on screen
}

// Options are what a Workspace needs of the world around it. All may be left
// out but Home, without which nothing is taken for the user's own.
type Options struct {
	Home      string                      // the user's home folder
	Env       func(name string) string    // an environment variable, "" when unset; nil: none is set
	Now       func() time.Time            // the date and time that readers see; nil: time.Now
	Clock     func() time.Time            // the running clock that the cache's freshness is measured on, apart from Now, which may stand still; nil: time.Now
	Disk      fsys.FS                     // nil: fsys.Disk()
	Folders   []Folder                    // the folders at the start
	Log       func(level, message string) // for what has no caller to return to; nil: nowhere
	UserTrust func(realPath string) bool  // whether the user trusts this path by a list of their own; nil: nothing
}

// world is what all snapshots of one workspace share and nobody changes.
type world struct {
	home      string
	env       func(string) string
	now       func() time.Time
	clock     func() time.Time
	cache     *fsys.Cache
	log       func(level, message string)
	userTrust func(string) bool
}

// Workspace takes the events and holds the newest Snapshot. It is safe for
// concurrent use, but only calls that come one after the other have an order.
type Workspace struct {
	mu      sync.Mutex               // held by an event while it makes the next snapshot
	current atomic.Pointer[Snapshot] // written under mu
}

// New is a workspace without buffers. It does no I/O.
func New(o Options) *Workspace {
	w := &world{home: o.Home, env: o.Env, now: o.Now, clock: o.Clock, log: o.Log, userTrust: o.UserTrust}
	if w.env == nil {
		w.env = func(string) string { return "" }
	}
	if w.now == nil {
		w.now = time.Now
	}
	if w.clock == nil {
		w.clock = time.Now
	}
	if w.log == nil {
		w.log = func(string, string) {}
	}
	if w.userTrust == nil {
		w.userTrust = func(string) bool { return false }
	}
	disk := o.Disk
	if disk == nil {
		disk = fsys.Disk()
	}
	w.cache = fsys.NewCache(disk, w.clock)
	ws := new(Workspace)
	ws.current.Store(&Snapshot{id: 1, world: w, kept: new(kept), state: state{encoding: UTF16, folders: foldersAfter(nil, o.Folders, nil)}})
	return ws
}

// Snapshot is the newest snapshot.
func (w *Workspace) Snapshot() *Snapshot { return w.current.Load() }

// next makes the next snapshot from a copy of the state of the newest one. edit
// replaces what changes and must not modify what it finds.
func (w *Workspace) next(edit func(*state)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	old := w.current.Load()
	s := &Snapshot{id: old.id + 1, world: old.world, kept: new(kept), state: old.state}
	edit(&s.state)
	w.current.Store(s)
}

// nextAlike is next for an event that changes no more than the text of buffers,
// the focus and the diagnostics: what was made from none of it is kept.
func (w *Workspace) nextAlike(edit func(*state)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	old := w.current.Load()
	s := &Snapshot{id: old.id + 1, world: old.world, kept: old.kept, state: old.state}
	edit(&s.state)
	if !old.kept.goesOn(s.state.documents) {
		s.kept = new(kept)
	}
	w.current.Store(s)
}

// SetEncoding sets the units in which the client counts characters.
func (w *Workspace) SetEncoding(enc Encoding) {
	w.next(func(s *state) { s.encoding = enc })
}

// DidOpen opens a buffer, or replaces the one that is open under this URI.
func (w *Workspace) DidOpen(u uri.URI, languageID string, version int32, text string) {
	d := openDocument(u, languageID, version, text)
	w.next(func(s *state) { s.documents = s.documents.with(d) })
}

// DidChange edits a buffer. An error (not open, a version that is not newer, an
// edit outside of the text) means that nothing was applied: the buffer keeps its
// text and is OutOfSync until the client sends a whole text or opens it again.
func (w *Workspace) DidChange(u uri.URI, version int32, changes []Change) (err error) {
	w.nextAlike(func(s *state) {
		d := s.documents.find(keyOf(u))
		if d == nil {
			err = fmt.Errorf("change of %s to version %d: the buffer is not open", u, version)
			return
		}
		d, err = d.change(version, changes, s.encoding)
		s.documents = s.documents.with(d)
	})
	return err
}

// DidSave says that a buffer was saved, and with which text where the client
// tells. A file that was saved is another one on disk.
func (w *Workspace) DidSave(u uri.URI, text *string) {
	w.invalidate(PathOf(u))
	var before *Document
	w.next(func(s *state) {
		before = s.documents.find(keyOf(u))
		if before != nil {
			s.documents = s.documents.with(before.save(text))
		}
	})
	if before != nil && text != nil && *text != before.Text && !before.OutOfSync {
		w.Snapshot().world.log("warning", fmt.Sprintf("%s was saved with another text than its buffer had at version %d; the saved text is used", u, before.Version))
	}
}

// DidClose closes a buffer: its file has the text that is on disk again, also
// where the buffer had another one. What was wrong with it is forgotten: editors
// look after the files that are open.
func (w *Workspace) DidClose(u uri.URI) {
	w.invalidate(PathOf(u))
	w.next(func(s *state) {
		s.documents = s.documents.without(keyOf(u))
		s.diagnosed = s.diagnosed.without(keyOf(u))
	})
}

// FilesChanged says that files were made, changed or removed on disk.
func (w *Workspace) FilesChanged(paths []string) {
	w.invalidate(paths...)
	w.next(func(*state) {})
}

// invalidate forgets what the cache knows of the paths; "" is none.
func (w *Workspace) invalidate(paths ...string) {
	paths = slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return p == "" })
	w.Snapshot().Cache().Invalidate(paths...)
}

// FoldersChanged adds and removes folders of the editor's workspace.
func (w *Workspace) FoldersChanged(added, removed []Folder) {
	w.next(func(s *state) { s.folders = foldersAfter(s.folders, added, removed) })
}

// foldersAfter is folders, without the removed ones, with the added ones at the
// end. A folder is known by its path.
func foldersAfter(folders, added, removed []Folder) []Folder {
	var after []Folder
	drop := func(f Folder) bool {
		return slices.ContainsFunc(removed, func(r Folder) bool { return filepath.Clean(r.Path) == f.Path })
	}
	for _, f := range folders {
		if !drop(f) {
			after = append(after, f)
		}
	}
	for _, f := range added {
		f = Folder{Path: filepath.Clean(strings.Clone(f.Path)), Name: strings.Clone(f.Name)}
		same := func(have Folder) bool { return have.Path == f.Path }
		if i := slices.IndexFunc(after, same); i >= 0 {
			after[i] = f
		} else if filepath.IsAbs(f.Path) {
			after = append(after, f)
		}
	}
	return after
}

// ConfigChanged replaces the settings that the editor has for foreword. They are
// JSON values: nil, bool, numbers, string, []any and map[string]any.
func (w *Workspace) ConfigChanged(editor map[string]any) {
	kept, _ := cloneJSON(editor).(map[string]any)
	w.next(func(s *state) { s.editor = kept })
}

// cloneJSON copies a decoded JSON value, strings included: they may alias the
// message that they came in, and the caller may go on to change the rest.
func cloneJSON(value any) any {
	switch v := value.(type) {
	case map[string]any:
		if v == nil {
			return v
		}
		m := make(map[string]any, len(v))
		for key, e := range v {
			m[strings.Clone(key)] = cloneJSON(e)
		}
		return m
	case []any:
		list := make([]any, len(v))
		for i, e := range v {
			list[i] = cloneJSON(e)
		}
		return list
	case string:
		return strings.Clone(v)
	default:
		return v
	}
}

// TrustChanged says whether the client trusts folder and all below it, or, with
// "", all folders of the workspace. The innermost statement counts.
func (w *Workspace) TrustChanged(folder string, trusted bool) {
	if folder != "" {
		folder = filepath.Clean(strings.Clone(folder))
	}
	w.next(func(s *state) {
		trust := maps.Clone(s.trust)
		if trust == nil {
			trust = make(map[string]bool)
		}
		trust[folder] = trusted
		s.trust = trust
	})
}

// DidFocus says where the user is.
func (w *Workspace) DidFocus(f Focus) {
	kept := Focus{Path: strings.Clone(f.Path)}
	for _, path := range f.Visible {
		kept.Visible = append(kept.Visible, strings.Clone(path))
	}
	if f.Range != nil {
		r := *f.Range
		kept.Range = &r
	}
	w.nextAlike(func(s *state) { s.focus = kept })
}
