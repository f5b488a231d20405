package vcs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	format "github.com/go-git/go-git/v5/plumbing/format/diff"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/utils/diff"
	"github.com/sergi/go-diff/diffmatchpatch"
)

const (
	// maxCompared bounds a file whose lines the library compares, in bytes: it holds both texts and more in memory.
	maxCompared = 1 << 20
	// comparing is how long it may take over one file; after that the rest of it counts as replaced.
	comparing = 500 * time.Millisecond
)

// libraryChanged is Changed where there is no git binary, or one that cannot be asked safely. It is as slow as
// libraryStatus.
func libraryChanged(ctx context.Context, root, below string, staged bool) ([]string, error) {
	return libraryPaths(ctx, root, below, func(code string) bool { return code != "??" && (!staged || code[0] != '.') })
}

// libraryUntracked is Untracked where there is no git binary.
func libraryUntracked(ctx context.Context, root, below string) ([]string, error) {
	return libraryPaths(ctx, root, below, func(code string) bool { return code == "??" })
}

// libraryPaths lists the changes below a path whose code fits.
func libraryPaths(ctx context.Context, root, below string, fits func(code string) bool) ([]string, error) {
	status, err := libraryStatus(ctx, root, 0)
	if err != nil {
		return nil, err
	}
	below = filepath.ToSlash(filepath.Clean(below))
	var paths []string
	for _, change := range status.Changed {
		within := below == "." || change.Path == below || strings.HasPrefix(change.Path, below+"/")
		if within && fits(change.Code) {
			paths = append(paths, change.Path)
		}
	}
	slices.Sort(paths)
	return paths, nil
}

// libraryDiff is Diff where there is no git binary, or one that cannot be asked safely. No filter runs, so that a file
// which one would change differs as it is on the disk.
func libraryDiff(ctx context.Context, root string, paths []string, staged bool, most int) (text string, more bool, err error) {
	storage, err := openStorage(root)
	if err != nil {
		return "", false, err
	}
	defer storage.Close()
	sides, err := openSides(storage, root, staged)
	if err != nil {
		return "", false, err
	}
	defer sides.close()
	var out strings.Builder
	limited := &limitedWriter{out: &out, left: most}
	for _, path := range paths {
		if err := ctx.Err(); err != nil {
			return "", false, err
		}
		patch, err := sides.patch(path)
		if err != nil {
			return "", false, fmt.Errorf("%s: compare %s: %w", root, path, err)
		}
		if patch == nil {
			continue
		}
		if err := format.NewUnifiedEncoder(limited, format.DefaultContextLines).Encode(patch); err != nil && !limited.full {
			return "", false, fmt.Errorf("%s: print the difference of %s: %w", root, path, err)
		}
		if limited.full {
			return out.String(), true, nil
		}
	}
	return out.String(), false, nil
}

// sides are the two states that are compared.
type sides struct {
	storage *filesystem.Storage
	before  *object.Tree // nil before the first commit
	// staged are the entries of the index; nil where the work tree is compared.
	staged map[string]version
	work   *os.Root
}

// version is a file in one state; nil text for a binary or a very large one.
type version struct {
	hash plumbing.Hash
	mode filemode.FileMode
	text []byte
}

func openSides(storage *filesystem.Storage, root string, staged bool) (*sides, error) {
	s := &sides{storage: storage}
	repository, err := git.Open(storage, regularFiles{osfs.New(root)})
	if err != nil {
		return nil, fmt.Errorf("%s: open the repository: %w", root, err)
	}
	switch head, err := repository.Head(); {
	case err == nil:
		commit, err := repository.CommitObject(head.Hash())
		if err != nil {
			return nil, fmt.Errorf("%s: read the commit %s: %w", root, head.Hash(), err)
		}
		if s.before, err = commit.Tree(); err != nil {
			return nil, fmt.Errorf("%s: read the tree of %s: %w", root, head.Hash(), err)
		}
	case !errors.Is(err, plumbing.ErrReferenceNotFound):
		return nil, fmt.Errorf("%s: read HEAD: %w", root, err)
	}
	if staged {
		index, err := storage.Index()
		if err != nil {
			return nil, fmt.Errorf("%s: read the index: %w", root, err)
		}
		s.staged = map[string]version{}
		for _, entry := range index.Entries {
			s.staged[entry.Name] = version{hash: entry.Hash, mode: entry.Mode}
		}
		return s, nil
	}
	// A root that no link leads out of, whatever the work tree holds by now.
	if s.work, err = os.OpenRoot(root); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *sides) close() {
	if s.work != nil {
		_ = s.work.Close() // it was only read
	}
}

// patch compares one file; nil where it is the same.
func (s *sides) patch(path string) (format.Patch, error) {
	before, err := s.committed(path)
	if err != nil {
		return nil, err
	}
	after, err := s.now(path)
	if err != nil {
		return nil, err
	}
	if before == nil && after == nil || before != nil && after != nil && before.hash == after.hash && before.mode == after.mode {
		return nil, nil
	}
	p := &filePatch{}
	var texts [2]string
	for i, v := range []*version{before, after} {
		if v == nil {
			continue
		}
		p.files[i] = &fileOf{v, path}
		p.binary = p.binary || v.text == nil
		texts[i] = string(v.text)
	}
	if p.binary {
		return p, nil
	}
	for _, d := range diff.DoWithTimeout(texts[0], texts[1], comparing) {
		p.chunks = append(p.chunks, chunk{d})
	}
	return p, nil
}

// committed is a file as HEAD has it; nil where it does not.
func (s *sides) committed(path string) (*version, error) {
	if s.before == nil {
		return nil, nil
	}
	entry, err := s.before.FindEntry(path)
	switch {
	case errors.Is(err, object.ErrEntryNotFound), errors.Is(err, object.ErrDirectoryNotFound):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return s.blob(version{hash: entry.Hash, mode: entry.Mode})
}

// now is a file as it is staged, or in the work tree; nil where it is gone.
func (s *sides) now(path string) (*version, error) {
	if s.staged != nil {
		entry, ok := s.staged[path]
		if !ok {
			return nil, nil
		}
		return s.blob(entry)
	}
	info, err := s.work.Lstat(filepath.FromSlash(path))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := s.work.Readlink(filepath.FromSlash(path))
		if err != nil {
			return nil, err
		}
		return versionOf([]byte(target), filemode.Symlink), nil
	case !info.Mode().IsRegular():
		return nil, nil // a folder, or what is never opened, stands where the file was
	}
	mode, err := filemode.NewFromOSFileMode(info.Mode())
	if err != nil {
		return nil, err
	}
	file, err := s.work.Open(filepath.FromSlash(path))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	raw, err := io.ReadAll(io.LimitReader(file, maxCompared+1))
	if err != nil {
		return nil, err
	}
	return versionOf(raw, mode), nil
}

func versionOf(raw []byte, mode filemode.FileMode) *version {
	return &version{hash: plumbing.ComputeHash(plumbing.BlobObject, raw), mode: mode, text: textOf(raw)}
}

// blob reads the text of a version.
func (s *sides) blob(v version) (*version, error) {
	if v.mode == filemode.Submodule {
		v.text = []byte("Subproject commit " + v.hash.String() + "\n")
		return &v, nil
	}
	blob, err := object.GetBlob(s.storage, v.hash)
	if err != nil {
		return nil, err
	}
	if blob.Size > maxCompared {
		return &v, nil
	}
	reader, err := blob.Reader()
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	raw, err := io.ReadAll(reader)
	if err != nil {
		return nil, err
	}
	v.text = textOf(raw)
	return &v, nil
}

// textOf is raw where it is a text of a size to compare, never nil then.
func textOf(raw []byte) []byte {
	if len(raw) > maxCompared || bytes.IndexByte(raw[:min(len(raw), 8000)], 0) >= 0 {
		return nil // git looks at the first 8000 bytes, too
	}
	if raw == nil {
		return []byte{}
	}
	return raw
}

// filePatch is one file's difference, as the encoder wants it.
type filePatch struct {
	binary bool
	files  [2]*fileOf
	chunks []format.Chunk
}

func (p *filePatch) FilePatches() []format.FilePatch { return []format.FilePatch{p} }
func (p *filePatch) Message() string                 { return "" }
func (p *filePatch) IsBinary() bool                  { return p.binary }
func (p *filePatch) Chunks() []format.Chunk          { return p.chunks }

func (p *filePatch) Files() (from, to format.File) {
	if p.files[0] != nil {
		from = p.files[0]
	}
	if p.files[1] != nil {
		to = p.files[1]
	}
	return from, to
}

type fileOf struct {
	version *version
	path    string
}

func (f *fileOf) Hash() plumbing.Hash     { return f.version.hash }
func (f *fileOf) Mode() filemode.FileMode { return f.version.mode }
func (f *fileOf) Path() string            { return f.path }

type chunk struct{ diffmatchpatch.Diff }

func (c chunk) Content() string { return c.Text }

func (c chunk) Type() format.Operation {
	switch c.Diff.Type {
	case diffmatchpatch.DiffInsert:
		return format.Add
	case diffmatchpatch.DiffDelete:
		return format.Delete
	}
	return format.Equal
}
