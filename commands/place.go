package commands

import (
	"path/filepath"
	"strings"

	"foreword/workspace"
	"foreword/workspace/config"
	"foreword/workspace/fsys"
	"foreword/workspace/instructions"
	"foreword/workspace/vcs"
)

// place is where a request happens: the target and what follows from it.
type place struct {
	// target is the file or folder asked about, absolute; empty where the
	// document is no file and there is no folder.
	target string
	// uri of the target as it is told to clients.
	uri string
	// dir is the directory in which the walk for instruction files ends.
	dir string
	// root is the repository's root, else the workspace folder, else dir.
	root string
	// base is what paths in answers are relative to: the workspace folder, or
	// the repository that it lies in.
	base string
	// repository tells that root is a repository's.
	repository bool
	// cwd is the directory in which the tool was started.
	cwd string
	// trusted tells whether the user trusts root.
	trusted bool
	config  config.Config
	// problems of the configuration.
	problems []config.Problem
}

// locate finds the place of a document. An empty URI means the first workspace
// folder.
func (s *Service) locate(snap *workspace.Snapshot, document, cwd string) (p *place, err error) {
	p = &place{}
	folders := snap.Folders()
	isDir := false
	switch {
	case document == "":
		if len(folders) > 0 {
			p.target, isDir = folders[0].Path, true
		}
	default:
		u, err := parseURI(document)
		switch {
		case err != nil:
			return nil, failf(CodeInvalidParams, "uri: %w", err)
		case u.IsFile():
			if p.target = workspace.PathOf(u); p.target == "" {
				return nil, failf(CodeInvalidParams, "uri: %q is not the URI of a file on this machine", document)
			}
			info, err := snap.FS().Stat(p.target)
			isDir = err == nil && info.Kind == fsys.KindDir
		case len(folders) > 0: // untitled: and the like belong to the first folder
			p.target, isDir = folders[0].Path, true
		}
	}
	if p.target != "" {
		p.dir = p.target
		if !isDir {
			p.dir = filepath.Dir(p.target)
		}
		if err := s.placeRoot(snap, p, folders); err != nil {
			return nil, err
		}
		p.uri = fileURI(p.target)
	}
	p.cwd, p.base = p.root, p.root
	if folder, ok := snap.FolderOf(p.target); ok && fsys.Within(folder.Path, p.root) {
		p.base = folder.Path
	}
	if cwd != "" {
		if p.cwd, err = filePath(cwd); err != nil {
			return nil, failf(CodeInvalidParams, "cwd: %w", err)
		}
	}
	p.trusted = p.root != "" && snap.Trusted(p.root)
	loaded := s.configFor(snap, p.root, p.trusted)
	p.config, p.problems = loaded.config, loaded.problems
	return p, nil
}

// placeRoot finds where the walk begins. With folders open, a file belongs to
// the workspace when it lies in one of them or in the repository of one.
func (s *Service) placeRoot(snap *workspace.Snapshot, p *place, folders []workspace.Folder) error {
	type key struct{ dir string }
	type found struct {
		root         string
		inRepository bool
	}
	repository := snap.MemoDisk(key{p.dir}, func() any {
		root, ok := vcs.Root(snap.FS(), p.dir, snap.Home())
		return found{root, ok}
	}).(found)
	root, inRepository := repository.root, repository.inRepository
	folder, inFolder := snap.FolderOf(p.target)
	switch {
	case s.isPersonal(snap, p.target) && !inFolder:
		p.root = p.dir // the user's own file, edited beside a project
	case inRepository:
		p.root, p.repository = root, true
		if len(folders) > 0 && !inFolder && !holdsFolder(root, folders) {
			return failf(CodeNotInWorkspace, "%s is not in the workspace (%s); open its folder too, or give it with --root", p.target, folderList(folders))
		}
	case inFolder:
		p.root = belowHome(snap.Home(), folder.Path, p.dir)
	case len(folders) > 0:
		return failf(CodeNotInWorkspace, "%s is not in the workspace (%s); open its folder too, or give it with --root", p.target, folderList(folders))
	default:
		p.root = p.dir
	}
	return nil
}

// isPersonal tells whether a path is the user's own instruction file at its
// usual place.
func (s *Service) isPersonal(snap *workspace.Snapshot, path string) bool {
	dir := configDir(snap.Home(), snap.Env)
	return dir != "" && path == filepath.Join(dir, "AGENTS.md")
}

// belowHome keeps a walk that begins above the home folder from passing
// through it: nothing above a user's home is a project of theirs.
func belowHome(home, root, dir string) string {
	if home != "" && root != home && fsys.Within(root, home) && fsys.Within(home, dir) {
		return home
	}
	return root
}

func holdsFolder(root string, folders []workspace.Folder) bool {
	for _, f := range folders {
		if fsys.Within(root, f.Path) {
			return true
		}
	}
	return false
}

func folderList(folders []workspace.Folder) string {
	paths := make([]string, len(folders))
	for i, f := range folders {
		paths[i] = f.Path
	}
	return strings.Join(paths, ", ")
}

type loadedConfig struct {
	config   config.Config
	problems []config.Problem
}

// configFor reads the settings that hold at a root, once per snapshot.
func (s *Service) configFor(snap *workspace.Snapshot, root string, trusted bool) loadedConfig {
	type key struct {
		root    string
		trusted bool
	}
	return snap.MemoDisk(key{root, trusted}, func() any {
		c, problems := config.Load(snap.FS(), snap.Home(), snap.Env, root, snap.EditorConfig(), trusted)
		return loadedConfig{c, problems}
	}).(loadedConfig)
}

// homeRepository tells that the home folder is a repository and the only one
// above the target. It is never a root: dotfiles are no project of what lies
// below them.
func (p *place) homeRepository(snap *workspace.Snapshot) bool {
	home := snap.Home()
	if p.repository || home == "" || p.target == "" || !fsys.Within(home, p.target) {
		return false
	}
	_, err := snap.FS().Lstat(filepath.Join(home, ".git"))
	return err == nil
}

// model is the model that a request means: the one that it names, else the
// setting's.
func (p *place) model(named string) string {
	if named != "" {
		return named
	}
	return p.config.Model
}

// display shortens a path as answers give it.
func (p *place) display(snap *workspace.Snapshot, path string) string {
	return instructions.Display(p.base, snap.Home(), path)
}

// key is the name of an instruction file's source in the prompt.
func (p *place) key(snap *workspace.Snapshot, path string) string {
	return "instructions/" + instructions.Display(p.root, snap.Home(), path)
}

// saved is files without the open buffers: a file that only the editor knows
// must not change the list of files, which stands before the cache boundary.
func (p *place) saved(snap *workspace.Snapshot) fsys.FS {
	if p.trusted || p.root == "" {
		return snap.Cache()
	}
	return fsys.Confine(snap.Cache(), p.root)
}

// files is what the workspace may make foreword read at this place.
func (p *place) files(snap *workspace.Snapshot) fsys.FS {
	if p.trusted || p.root == "" {
		return snap.FS()
	}
	return fsys.Confine(snap.FS(), p.root)
}
