package lsp

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"foreword/workspace"
	"foreword/workspace/config"
	"foreword/workspace/fsys"
	"foreword/workspace/instructions"
	"foreword/workspace/vcs"
)

// watchFiles finds out who watches the files: the client, where it can, and
// ourselves for what it cannot see.
func (s *server) watchFiles(ctx context.Context) {
	description := "own watcher on the directories in use"
	if s.can.watchesFiles && s.register(ctx, "foreword-files", protocol.MethodWorkspaceDidChangeWatchedFiles,
		&protocol.DidChangeWatchedFilesRegistrationOptions{Watchers: s.watchers()}) {
		description = "the client, and own watcher outside the folders"
		s.clientWatches.Store(true)
	}
	s.service.SetWatcher(description)
	s.watchFolders(s.workspace.Snapshot().Folders())
	s.disk.run(ctx)
}

// watchFolders watches what decides about the folders themselves.
func (s *server) watchFolders(folders []workspace.Folder) {
	for _, folder := range folders {
		s.disk.watch(filepath.Join(folder.Path, "foreword.toml"))
	}
}

// watchers are the few patterns that concern us.
func (s *server) watchers() []protocol.FileSystemWatcher {
	var out []protocol.FileSystemWatcher
	for _, pattern := range []string{
		"**/" + oneOf(s.instructionNames()), "**/foreword.toml", "**/.gitignore", "**/.git/{HEAD,index}",
	} {
		out = append(out, protocol.FileSystemWatcher{GlobPattern: protocol.Pattern(pattern)})
	}
	return out
}

// oneOf is a pattern for any of several names.
func oneOf(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return "{" + strings.Join(names, ",") + "}"
}

// instructionNames are the file names that the settings make instruction
// files, in any folder.
func (s *server) instructionNames() []string {
	snapshot := s.workspace.Snapshot()
	roots := []string{""}
	for _, folder := range snapshot.Folders() {
		roots = append(roots, folder.Path)
	}
	var names []string
	for _, root := range roots {
		settings, _ := config.Load(snapshot.FS(), snapshot.Home(), snapshot.Env, root, snapshot.EditorConfig(), snapshot.Trusted(root))
		named := settings.Instructions.Names
		if len(named) == 0 {
			named = instructions.DefaultNames()
		}
		names = append(names, named...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// DidChangeWatchedFiles is a writer.
func (s *server) DidChangeWatchedFiles(_ context.Context, params *protocol.DidChangeWatchedFilesParams) error {
	var paths []string
	for _, change := range params.Changes {
		if path := workspace.PathOf(change.URI); path != "" {
			paths = append(paths, path)
		}
	}
	if len(paths) > 0 {
		s.filesChanged(paths)
	}
	return nil
}

// filesChanged forgets what was known of the files; nil means of all.
func (s *server) filesChanged(paths []string) {
	if paths == nil {
		snapshot := s.workspace.Snapshot()
		snapshot.Cache().InvalidateAll()
		for _, folder := range snapshot.Folders() {
			paths = append(paths, folder.Path)
		}
		s.service.FilesChanged(paths)
		s.notices.changed("many files changed on disk")
		return
	}
	s.service.FilesChanged(paths)
	for _, path := range paths {
		switch name := filepath.Base(path); {
		case name == "foreword.toml":
			s.notices.changed(path + " changed on disk")
		case filepath.Base(filepath.Dir(path)) == ".git":
			// Git works through other files in this folder, under names that
			// come and go.
			if name == "HEAD" || name == "index" {
				s.notices.repository()
			}
		default:
			s.notices.document(uri.File(path), "changed on disk")
		}
	}
}

// directoriesFor lists the directories that decide about a file: from its own
// up to the root of its repository, the repository's own, and that of the
// user's settings.
func (s *server) directoriesFor(path string) []string {
	snapshot := s.workspace.Snapshot()
	files, home := snapshot.FS(), snapshot.Home()
	folder, inFolder := snapshot.FolderOf(path)
	root, inRepository := vcs.Root(files, path, home)
	if !inRepository {
		root = folder.Path
	}
	var out []string
	if root != "" && fsys.Within(root, path) {
		for dir := filepath.Dir(path); fsys.Within(root, dir); dir = filepath.Dir(dir) {
			out = append(out, dir)
			if dir == root {
				break
			}
		}
		if inRepository {
			// In a linked worktree .git is a file, and HEAD is elsewhere; such a
			// change is noticed when it is used.
			out = append(out, filepath.Join(root, ".git"))
		}
	}
	if file := config.UserFile(home, snapshot.Env); file != "" {
		out = append(out, filepath.Dir(file))
	}
	if s.clientWatches.Load() && inFolder {
		out = slices.DeleteFunc(out, func(dir string) bool { return fsys.Within(folder.Path, dir) })
	}
	return out
}
