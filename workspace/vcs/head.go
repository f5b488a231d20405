package vcs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/storer"
)

// Head is what is checked out.
type Head struct {
	// Branch is the short name, "main"; "" when detached.
	Branch string
	// Commit is the full hash in hex; "" before the first commit.
	Commit string
	// Detached says that no branch is checked out.
	Detached bool
}

// ReadHead returns what is checked out in the work tree at root. It starts no process, except where go-git cannot
// read the repository: SHA-256, reftable, a configuration that only git understands.
func ReadHead(root string) (Head, error) { return Git{}.Head(root) }

// Head is ReadHead as g says.
func (g Git) Head(root string) (Head, error) {
	storage, err := openStorage(root)
	if err != nil {
		return Head{}, err
	}
	defer storage.Close()
	config, err := storage.Config()
	if err != nil {
		// go-git's reader is stricter than git's: a section on the line of its key, [a.b], a BOM.
		head, processErr := g.processHead(root)
		if processErr != nil {
			return Head{}, fmt.Errorf("%s: read the git configuration: %w", root, err)
		}
		return head, nil
	}
	extensions := config.Raw.Section("extensions")
	if format := extensions.Option("objectformat"); format != "" && !strings.EqualFold(format, "sha1") || extensions.Option("refstorage") != "" {
		return g.processHead(root)
	}
	ref, err := storage.Reference(plumbing.HEAD)
	if err != nil {
		return Head{}, fmt.Errorf("%s: read HEAD: %w", root, err)
	}
	if ref.Type() == plumbing.HashReference {
		return Head{Commit: ref.Hash().String(), Detached: true}, nil
	}
	head := Head{Branch: ref.Target().Short()}
	switch tip, err := storer.ResolveReference(storage, ref.Target()); {
	case err == nil:
		head.Commit = tip.Hash().String()
	case !errors.Is(err, plumbing.ErrReferenceNotFound): // not found: a branch before its first commit
		return Head{}, fmt.Errorf("%s: read %s: %w", root, ref.Target(), err)
	}
	return head, nil
}

// processHead asks the git binary.
func (g Git) processHead(root string) (Head, error) {
	ctx := context.Background() // the process has its own time limit
	var branch, commit bytes.Buffer
	err := g.run(ctx, root, nil, &branch, "symbolic-ref", "--quiet", "--short", "HEAD")
	if err != nil && exitCode(err) != 1 { // 1: detached
		return Head{}, err
	}
	detached := err != nil
	err = g.run(ctx, root, nil, &commit, "rev-parse", "--quiet", "--verify", "HEAD")
	if err != nil && (exitCode(err) != 1 || detached) { // 1: no commit yet
		return Head{}, err
	}
	return Head{
		Branch:   strings.TrimSpace(branch.String()),
		Commit:   strings.TrimSpace(commit.String()),
		Detached: detached,
	}, nil
}

// Fingerprint returns a text that changes when HEAD moves, when its branch gets another commit, when something is
// staged and when the upstream is fetched; it costs a few small reads. It does not change when a file of the work
// tree is edited: a caller that memoises a Status forgets it on file events too. It is "" where there is no repository.
func Fingerprint(root string) string {
	git, common, err := Dirs(root)
	if err != nil {
		return ""
	}
	head, err := pointer(filepath.Join(git, "HEAD"))
	if err != nil {
		return ""
	}
	// A branch is a file of its own, or a line of packed-refs, or in the tables of a reftable.
	const links = 5 // how many names of a branch git follows
	branch := head
	for range links {
		name, symbolic := strings.CutPrefix(branch, "ref: ")
		if !symbolic || !filepath.IsLocal(filepath.FromSlash(name)) {
			break
		}
		if branch, err = pointer(filepath.Join(common, filepath.FromSlash(name))); err != nil {
			branch, _ = pointer(filepath.Join(git, filepath.FromSlash(name)))
		}
	}
	return strings.Join([]string{
		head, branch, stamp(filepath.Join(common, "packed-refs")), stamp(filepath.Join(common, "reftable", "tables.list")), stamp(filepath.Join(git, "reftable", "tables.list")),
		stamp(filepath.Join(git, "index")), stamp(filepath.Join(common, "FETCH_HEAD")),
	}, " ")
}

// stamp tells one state of a file from another: its time and size.
func stamp(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return "-"
	}
	return strconv.FormatInt(info.ModTime().UnixNano(), 36) + "+" + strconv.FormatInt(info.Size(), 36)
}
