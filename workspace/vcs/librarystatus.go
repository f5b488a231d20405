package vcs

import (
	"context"
	"fmt"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5"
)

// libraryStatus is the status without a git binary. It is 5 to 15 times slower and knows neither upstream nor
// renames nor core.excludesFile, and it cannot be interrupted: it goes on reading, for nobody, after ctx ends.
func libraryStatus(ctx context.Context, root string, limit int) (*Status, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	head, err := Git{Program: NoProgram}.Head(root)
	if err != nil {
		return nil, err
	}
	storage, err := openStorage(root)
	if err != nil {
		return nil, err
	}
	defer storage.Close()
	repository, err := git.Open(storage, regularFiles{osfs.New(root)})
	if err != nil {
		return nil, fmt.Errorf("%s: open the repository: %w", root, err)
	}
	tree, err := repository.Worktree()
	if err != nil {
		return nil, fmt.Errorf("%s: open the work tree: %w", root, err)
	}
	found, err := tree.StatusWithOptions(git.StatusOptions{Strategy: git.Empty})
	if err != nil {
		return nil, fmt.Errorf("%s: compare the work tree: %w", root, err)
	}
	status := &Status{Head: head, Source: SourceGoGit}
	for path, file := range found {
		if file.Staging == git.Unmodified && file.Worktree == git.Unmodified {
			continue
		}
		status.Total++
		if len(status.Changed) < maxChanges {
			status.Changed = append(status.Changed, Change{Path: path, Code: code(file.Staging) + code(file.Worktree)})
		}
	}
	status.limit(limit)
	return status, nil
}

// code spells a state as porcelain v2 does.
func code(s git.StatusCode) string {
	if s == git.Unmodified {
		return "."
	}
	return string(rune(s))
}
