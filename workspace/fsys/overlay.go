package fsys

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Buffer is an open buffer of the editor: the text of Path for as long as it is
// open, saved or not.
type Buffer struct {
	Path    string // absolute
	Text    string
	Version int32
	Dirty   bool

	read *bufferRead // how ReadFile answers; shared by all copies, see NewBuffer
}

// bufferRead holds what ReadFile says of a buffer, worked out once.
type bufferRead struct {
	once sync.Once
	file *File
	err  error
}

// NewBuffer is a Buffer that remembers how it reads (its hash, whether it is
// text), so that many overlays in a row can share it. A Buffer written as a
// literal works as well; each overlay then works that out for itself.
func NewBuffer(path, text string, version int32, dirty bool) Buffer {
	return Buffer{Path: path, Text: text, Version: version, Dirty: dirty, read: new(bufferRead)}
}

// file reads the buffer by the rules that hold for a file: too large or no text
// is an error here, too.
func (b Buffer) file(path string) (*File, error) {
	b.read.once.Do(func() {
		if len(b.Text) > MaxFileSize {
			b.read.err = &Error{Path: b.Path, Reason: ReasonTooLarge}
			return
		}
		text := sniff(b.Text)
		if text.refused != "" {
			b.read.err = &Error{Path: b.Path, Reason: text.refused, Detail: text.detail}
			return
		}
		b.read.file = &File{
			Path: b.Path, Text: text.text, Hash: HashOf(text.text), Size: int64(len(b.Text)),
			Open: true, Dirty: b.Dirty, Version: b.Version, BOM: text.bom, Repaired: text.repaired,
		}
	})
	if b.read.err != nil || path == b.Path {
		return b.read.file, b.read.err
	}
	alias := *b.read.file
	alias.Path = path
	return &alias, nil
}

// Overlay puts open buffers before base. While a buffer is open its text is the
// file's text, clean or dirty and whatever the disk says, also for a file that
// is not on disk yet (its folder then lists it, and exists if it did not).
// A buffer counts for every path that leads to its file: open AGENTS.md, and
// the link CLAUDE.md beside it reads as the buffer.
//
// The result is immutable; buffers may be changed afterwards. Its keys are the
// absolute paths, cleaned.
func Overlay(base FS, buffers map[string]Buffer) FS {
	return OverlayNoting(base, buffers, func(string) {})
}

// OverlayNoting is Overlay that tells of each buffer, by its path, before its
// text is read. Of what a look says of a buffer only the size depends on the
// text, so who keeps that asks for it by [SizeOf].
func OverlayNoting(base FS, buffers map[string]Buffer, note func(path string)) FS {
	if len(buffers) == 0 {
		return base
	}
	o := &overlay{base: base, note: note, buffers: make(map[string]Buffer, len(buffers)), names: make(map[string]bool, len(buffers))}
	for path, b := range buffers {
		path = Clean(path)
		b.Path = path
		if b.read == nil {
			b.read = new(bufferRead)
		}
		o.buffers[path] = b
		o.names[filepath.Base(path)] = true
	}
	o.folders = sync.OnceValue(o.listFolders)
	o.real = sync.OnceValue(o.resolveBuffers)
	return o
}

type overlay struct {
	base    FS
	note    func(path string) // told before a buffer's text is read
	buffers map[string]Buffer
	names   map[string]bool // last elements of the buffers' paths

	folders func() map[string][]Entry // what the buffers add to each folder above them, real paths included
	real    func() map[string]Buffer  // the buffers by real path
}

// find is the buffer that path leads to. It asks the disk only when no buffer
// has that very path.
func (o *overlay) find(path string) (Buffer, bool) {
	if b, ok := o.buffers[path]; ok {
		return b, true
	}
	real, err := o.base.RealPath(path)
	if err != nil {
		// Not on disk, so no link either: only its folder can be spelled in another way.
		if ReasonOf(err) != ReasonMissing || !o.names[filepath.Base(path)] {
			return Buffer{}, false
		}
		real = Resolve(o.base, path)
	}
	b, ok := o.real()[real]
	return b, ok
}

func (o *overlay) Lstat(path string) (Info, error) {
	path = Clean(path)
	info, err := o.base.Lstat(path)
	if err == nil && (info.Kind == KindSymlink || info.Kind == KindDir) {
		// A link stays one, so that who looks for links finds it; Stat says what it leads to.
		_, info.Open = o.buffers[path]
		if info.Open && info.Kind == KindDir {
			return o.buffers[path].info(path), nil
		}
		return info, nil
	}
	return o.infoOr(path, info, err)
}

func (o *overlay) Stat(path string) (Info, error) {
	path = Clean(path)
	if b, ok := o.buffers[path]; ok {
		return b.info(path), nil
	}
	info, err := o.base.Stat(path)
	return o.infoOr(path, info, err)
}

// infoOr is the buffer's information, else what the base said, else that of a
// folder which only buffers are in.
func (o *overlay) infoOr(path string, info Info, err error) (Info, error) {
	if err == nil && info.Kind == KindDir {
		return info, nil
	}
	if b, ok := o.find(path); ok {
		return b.info(path), nil
	}
	if ReasonOf(err) == ReasonMissing && len(o.folders()[path]) > 0 {
		return Info{Path: path, Kind: KindDir}, nil
	}
	return info, err
}

func (b Buffer) info(path string) Info {
	return Info{Path: path, Kind: KindFile, Size: int64(len(b.Text)), Open: true}
}

func (o *overlay) ReadFile(path string) (*File, error) {
	path = Clean(path)
	if b, ok := o.find(path); ok {
		return o.read(b, path)
	}
	return o.base.ReadFile(path)
}

// read reads a buffer under the name that was asked for.
func (o *overlay) read(b Buffer, path string) (*File, error) {
	o.note(b.Path)
	return b.file(path)
}

// SizeOf is the size that a look at files found. Of a buffer it reads the text,
// so that it is known who depends on it.
func SizeOf(files FS, look Info) int64 {
	if !look.Open {
		return look.Size
	}
	if file, err := files.ReadFile(look.Path); err == nil {
		return file.Size
	}
	return look.Size // too large, or no text; the read was noted all the same
}

func (o *overlay) readFileIn(root, real, path string) (*File, error) {
	path = Clean(path)
	b, ok := o.buffers[path]
	if !ok {
		// By the real path that was checked: path may lead elsewhere by now.
		b, ok = o.real()[real]
	}
	if ok {
		return o.read(b, path)
	}
	return readFileIn(o.base, root, real, path)
}

func (o *overlay) ReadDir(path string) ([]Entry, error) {
	path = Clean(path)
	entries, err := o.base.ReadDir(path)
	return o.addBuffers(path, entries, err)
}

func (o *overlay) readDirIn(root, real, path string) ([]Entry, error) {
	path = Clean(path)
	entries, err := readDirIn(o.base, root, real, path)
	return o.addBuffers(path, entries, err)
}

// addBuffers puts the buffers' names into a listing of the folder path.
func (o *overlay) addBuffers(path string, entries []Entry, err error) ([]Entry, error) {
	extra := o.folders()[path]
	if real, realErr := o.base.RealPath(path); realErr == nil && real != path {
		extra = slices.Concat(extra, o.folders()[real])
	}
	if len(extra) == 0 || err != nil && ReasonOf(err) != ReasonMissing {
		return entries, err
	}
	merged := slices.Clone(entries) // what the base gave is shared
	for _, e := range extra {
		at, found := slices.BinarySearchFunc(merged, e.Name, func(have Entry, name string) int { return strings.Compare(have.Name, name) })
		switch {
		case !found:
			merged = slices.Insert(merged, at, e)
		case e.Kind == KindFile && merged[at].Kind != KindSymlink:
			merged[at].Kind = KindFile
		}
	}
	return merged, nil
}

func (o *overlay) RealPath(path string) (string, error) {
	path = Clean(path)
	real, err := o.base.RealPath(path)
	if ReasonOf(err) != ReasonMissing {
		return real, err
	}
	_, open := o.find(path)
	if open || len(o.folders()[path]) > 0 {
		return Resolve(o.base, path), nil
	}
	return "", err
}

// listFolders gives each folder above a buffer the name that leads to it.
func (o *overlay) listFolders() map[string][]Entry {
	type child struct {
		dir, name string
	}
	kinds := make(map[child]Kind)
	add := func(path string) {
		kind := KindFile
		for dir := filepath.Dir(path); dir != path; path, dir = dir, filepath.Dir(dir) {
			c := child{dir, filepath.Base(path)}
			if have, ok := kinds[c]; ok && have == kind {
				return // and so has all above
			}
			kinds[c] = kind
			kind = KindDir
		}
	}
	for path := range o.buffers {
		add(path)
	}
	for path := range o.real() {
		add(path)
	}
	folders := make(map[string][]Entry)
	for c, kind := range kinds {
		folders[c.dir] = append(folders[c.dir], Entry{Name: c.name, Kind: kind})
	}
	for _, entries := range folders {
		sortEntries(entries)
	}
	return folders
}

// resolveBuffers finds the buffers' real paths. Where several buffers are one
// file, the one whose path is the real one counts, else the first by path.
func (o *overlay) resolveBuffers() map[string]Buffer {
	real := make(map[string]Buffer, len(o.buffers))
	for _, path := range slices.Sorted(maps.Keys(o.buffers)) {
		at := Resolve(o.base, path)
		if _, taken := real[at]; !taken || at == path {
			real[at] = o.buffers[path]
		}
	}
	return real
}
