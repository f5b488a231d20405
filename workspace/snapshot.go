package workspace

import (
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"foreword/workspace/fsys"

	"go.lsp.dev/uri"
)

// Snapshot is the workspace between two events. It is immutable, and so is all
// that it gives: do not modify it. Disk is not part of it; what is read through
// FS is at most fsys.FreshFor old.
type Snapshot struct {
	id    int64
	world *world
	state state

	overlay sync.Once // builds fs, when it is first needed
	fs      fsys.FS
	results memo  // what holds for this snapshot
	kept    *kept // what also depends on the disk, shared with snapshots that read the same
	apart   memo  // the same, where kept does not hold for this one
}

// state is what events change. Every field is replaced, never modified.
type state struct {
	documents documents
	folders   []Folder
	focus     Focus
	diagnosed diagnosed
	encoding  Encoding
	editor    map[string]any
	trust     map[string]bool // what the client said, by folder; "" for the whole workspace
}

// ID grows with every event, so two snapshots with one ID are one.
func (s *Snapshot) ID() int64 { return s.id }

// FS is the file system with the open buffers before the disk.
func (s *Snapshot) FS() fsys.FS {
	s.overlay.Do(func() {
		buffers := make(map[string]fsys.Buffer, len(s.state.documents))
		for _, d := range s.state.documents {
			if d.Path != "" {
				buffers[d.Path] = d.buffer
			}
		}
		s.fs = fsys.OverlayNoting(s.world.cache, buffers, func(path string) { s.kept.note(path, s.state.documents.find(path)) })
	})
	return s.fs
}

// Cache is the cache of the disk below FS. All snapshots share it.
func (s *Snapshot) Cache() *fsys.Cache { return s.world.cache }

// Documents are the open buffers, sorted by path and those without one by URI.
func (s *Snapshot) Documents() []*Document { return s.state.documents }

// Document is the open buffer of u, however it is spelled; nil when there is none.
func (s *Snapshot) Document(u uri.URI) *Document { return s.state.documents.find(keyOf(u)) }

// DocumentByPath is the open buffer of a file, nil when there is none.
func (s *Snapshot) DocumentByPath(path string) *Document {
	d := s.state.documents.find(filepath.Clean(path))
	if d == nil || d.Path == "" {
		return nil
	}
	return d
}

// Folders are the folders of the editor's workspace, in the editor's order.
func (s *Snapshot) Folders() []Folder { return s.state.folders }

// FolderOf is the innermost folder that path is in. Where path is spelled
// differently from the folder, because one of them goes through a link, real
// paths decide.
func (s *Snapshot) FolderOf(path string) (Folder, bool) {
	same := func(p string) string { return p }
	if i := innermost(s.state.folders, path, same); i >= 0 {
		return s.state.folders[i], true
	}
	if i := innermost(s.state.folders, s.realPath(path), s.realPath); i >= 0 {
		return s.state.folders[i], true
	}
	return Folder{}, false
}

// innermost is the index of the folder with the longest path above path, -1 for none.
func innermost(folders []Folder, path string, spell func(string) string) int {
	best, longest := -1, -1
	for i, f := range folders {
		root := spell(f.Path)
		if fsys.Within(root, path) && len(root) > longest {
			best, longest = i, len(root)
		}
	}
	return best
}

// realPath is path without links; of a path that does not exist, as far as it does.
func (s *Snapshot) realPath(path string) string { return fsys.Resolve(s.FS(), path) }

// Encoding is the units in which the client counts characters.
func (s *Snapshot) Encoding() Encoding { return s.state.encoding }

// Focus is where the user is.
func (s *Snapshot) Focus() Focus { return s.state.focus }

// EditorConfig is the settings that the editor has for foreword, nil for none.
func (s *Snapshot) EditorConfig() map[string]any { return s.state.editor }

// Home is the user's home folder.
func (s *Snapshot) Home() string { return s.world.home }

// Env is an environment variable, "" when it is not set.
func (s *Snapshot) Env(name string) string { return s.world.env(name) }

// Now is the date and time.
func (s *Snapshot) Now() time.Time { return s.world.now() }

// Trusted reports whether the real path of path is in a folder that is trusted.
// What the client said of the innermost folder counts: no when it said no, also
// against the user's list, which decides where the client said nothing. No file
// of the workspace has a say.
func (s *Snapshot) Trusted(path string) bool {
	real := s.realPath(path)
	trusted, said, longest := false, false, -1
	for folder, says := range s.state.trust {
		if folder == "" {
			continue
		}
		root := s.realPath(folder)
		// Two spellings of one folder that disagree: no counts.
		if fsys.Within(root, real) && (len(root) > longest || len(root) == longest && !says) {
			trusted, said, longest = says, true, len(root)
		}
	}
	if says, ok := s.state.trust[""]; ok && !said && innermost(s.state.folders, real, s.realPath) >= 0 {
		trusted, said = says, true
	}
	if said {
		return trusted
	}
	return s.world.userTrust(real)
}

// Memo is the result of compute for this snapshot: computed once for each key,
// by whoever asks first, while others that ask for the same key wait for it and
// those that ask for other keys do not. A panic of compute is its caller's; the
// next one computes again.
//
// The result must depend on this snapshot alone, not on the disk (see MemoDisk)
// nor on the context of one request, whose cancellation would be everybody's.
// Keys are comparable values of a type of the caller's own package, so that two
// packages never mean different things by one key. compute must not ask for its
// own key.
func (s *Snapshot) Memo(key any, compute func() any) any {
	return s.results.do(key, memoCall{}, func(*memoCall) bool { return true }, compute)
}

// MemoDisk is Memo for results that depend on files as well: one is used again
// for fsys.FreshFor, unless the cache has seen a file change since. So a result
// is at most twice that old when no event tells of the change.
//
// A later snapshot uses it, too, where nothing lies between but edits of buffers
// whose text was not read, diagnostics and another focus. So compute may read
// the text of a buffer through FS only, and may use neither Documents nor Focus
// nor Diagnostics.
func (s *Snapshot) MemoDisk(key any, compute func() any) any {
	now, generation := s.world.clock(), s.world.cache.Generation()
	results, shared := &s.apart, s.kept.holdsFor(s.state.documents)
	if shared {
		results = &s.kept.results
	}
	holds := func(c *memoCall) bool {
		age := now.Sub(c.at)
		return age < fsys.FreshFor && c.generation >= generation && (!shared || s.kept.holdsFor(s.state.documents))
	}
	return results.do(key, memoCall{at: now, generation: generation}, holds, compute)
}

// documents are open buffers, sorted by key. It is a slice that is copied for
// each change: that is one short copy of pointers, and needs no other structure.
type documents []*Document

func (ds documents) search(key string) (int, bool) {
	return slices.BinarySearchFunc(ds, key, func(d *Document, key string) int { return strings.Compare(d.key, key) })
}

func (ds documents) find(key string) *Document {
	if i, ok := ds.search(key); ok {
		return ds[i]
	}
	return nil
}

func (ds documents) with(d *Document) documents {
	i, found := ds.search(d.key)
	if found {
		next := slices.Clone(ds)
		next[i] = d
		return next
	}
	next := make(documents, 0, len(ds)+1)
	next = append(next, ds[:i]...)
	next = append(next, d)
	return append(next, ds[i:]...)
}

func (ds documents) without(key string) documents {
	i, found := ds.search(key)
	if !found {
		return ds
	}
	return append(slices.Clone(ds[:i]), ds[i+1:]...)
}
