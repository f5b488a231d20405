package ignore

import (
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"foreword/workspace/fsys"
	"foreword/workspace/vcs"
)

// ruleFile is an ignore file that was read.
type ruleFile struct {
	shown string // its path for people: relative to the root for one inside
	hash  fsys.Hash
	rules []rule
	open  bool // an open buffer, which git cannot see
}

// base is what holds for every path of a repository: the files outside of the tree of .gitignore files.
type base struct {
	stamp fsys.Hash   // changes with anything that this was made from
	files []*ruleFile // weakest first: core.excludesFile, info/exclude
	fold  bool        // core.ignoreCase
}

// folder is what holds for the entries of one folder: what holds for its parent, and its own .gitignore.
type folder struct {
	base   *base
	parent *folder
	depth  int       // number of names in the folder's path
	own    *ruleFile // nil without a .gitignore
	stamp  fsys.Hash // changes when any ignore file from the root to here does
	open   bool      // some of these files is an open buffer
}

// decide returns the line that decides about the last name of path, which lies in f, and false when no line is about
// it. Folders above it are not asked about.
func (f *folder) decide(path []string, isDir bool) (file *ruleFile, r rule, found bool) {
	for at := f; at != nil; at = at.parent {
		if at.own == nil {
			continue
		}
		if r, found := lastMatch(at.own.rules, path[at.depth:], isDir); found {
			return at.own, r, true
		}
	}
	for i := len(f.base.files) - 1; i >= 0; i-- {
		if r, found := lastMatch(f.base.files[i].rules, path, isDir); found {
			return f.base.files[i], r, true
		}
	}
	return nil, rule{}, false
}

// reader reads ignore files for one question or one batch of them, each at most once.
type reader struct {
	fs      fsys.FS
	root    string
	git     vcs.Git
	memory  *memory
	base    *base
	folders map[string]*folder
	links   map[string]bool // folders by relative path that are links
}

func (c *Checker) reader() *reader {
	return &reader{fs: c.fs, root: c.root, git: c.git, memory: c.memory, folders: map[string]*folder{}, links: map[string]bool{}}
}

// folder returns what holds for the entries of a folder, given relative to the root with slashes, "." for the root.
func (r *reader) folder(rel string) *folder {
	if f, ok := r.folders[rel]; ok {
		return f
	}
	if r.base == nil {
		r.base = r.readBase()
	}
	f := &folder{base: r.base, stamp: r.base.stamp}
	if rel != "." {
		f.parent = r.folder(path.Dir(rel))
		f.depth, f.stamp, f.open = f.parent.depth+1, f.parent.stamp, f.parent.open
	}
	shown := path.Join(rel, ".gitignore")
	full := filepath.Join(r.root, filepath.FromSlash(shown))
	// git does not follow a .gitignore that is a link.
	if info, err := r.fs.Lstat(full); err == nil && info.Kind == fsys.KindFile {
		f.own = r.read(full, shown, r.base.fold)
	}
	if f.own != nil {
		f.stamp = fsys.HashOf(f.stamp.String() + f.own.hash.String() + strconv.Itoa(f.depth))
		f.open = f.open || f.own.open
	}
	r.folders[rel] = f
	return f
}

// read reads an ignore file; nil when it is not there or is no text.
func (r *reader) read(full, shown string, fold bool) *ruleFile {
	file, err := r.fs.ReadFile(full)
	if err != nil {
		return nil
	}
	return &ruleFile{shown: shown, hash: file.Hash, open: file.Open, rules: r.memory.parsed.rules(file, fold)}
}

// readBase reads the configuration as far as it says what is ignored. Included files are not followed.
func (r *reader) readBase() *base {
	home := r.git.HomeFolder()
	configHome := r.git.Lookup("XDG_CONFIG_HOME")
	if !filepath.IsAbs(configHome) {
		configHome = ""
		if home != "" {
			configHome = filepath.Join(home, ".config")
		}
	}
	_, common := r.memory.gitFolders(r.root)
	var configs []string
	if filepath.Separator == '/' {
		configs = append(configs, "/etc/gitconfig")
	}
	if configHome != "" {
		configs = append(configs, filepath.Join(configHome, "git", "config"))
	}
	if home != "" {
		configs = append(configs, filepath.Join(home, ".gitconfig"))
	}
	if common != "" {
		configs = append(configs, filepath.Join(common, "config"))
	}
	b := &base{}
	var stamps strings.Builder
	excludes := ""
	if configHome != "" {
		excludes = filepath.Join(configHome, "git", "ignore")
	}
	for _, name := range configs {
		file, err := r.fs.ReadFile(name)
		if err != nil {
			stamps.WriteString("-")
			continue
		}
		stamps.WriteString(file.Hash.String())
		core := r.memory.parsed.core(file)
		if core.excludes != nil {
			excludes = expand(*core.excludes, home, r.root)
		}
		if core.fold != nil {
			b.fold = *core.fold
		}
	}
	add := func(full, shown string) {
		if full == "" {
			return
		}
		if file := r.read(full, shown, b.fold); file != nil {
			b.files = append(b.files, file)
			stamps.WriteString(file.hash.String())
		}
		stamps.WriteString(",")
	}
	add(excludes, filepath.ToSlash(excludes))
	if common != "" {
		exclude := filepath.Join(common, "info", "exclude")
		shown := filepath.ToSlash(exclude)
		if rel, err := filepath.Rel(r.root, exclude); err == nil && fsys.Within(r.root, exclude) {
			shown = filepath.ToSlash(rel)
		}
		add(exclude, shown)
	}
	b.stamp = fsys.HashOf(stamps.String())
	return b
}

// expand makes a path of the configuration absolute.
func expand(name, home, root string) string {
	switch rest, ok := strings.CutPrefix(name, "~/"); {
	case name == "":
		return ""
	case ok && home != "":
		return filepath.Join(home, filepath.FromSlash(rest))
	case filepath.IsAbs(name):
		return filepath.Clean(name)
	}
	return filepath.Join(root, filepath.FromSlash(name))
}
