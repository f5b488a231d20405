package ignore

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"foreword/workspace/fsys"
	"foreword/workspace/vcs"
)

// Checker says which paths of one repository git ignores. A path that git tracks is not ignored, whatever the
// ignore files say; what lies in .git always is.
//
// A link is ignored when git ignores it or what it leads to.
//
// It holds no process and no open file. It is safe for concurrent use.
type Checker struct {
	fs     fsys.FS
	root   string
	git    vcs.Git
	memory *memory
}

// NewChecker returns a checker for the repository at repoRoot that reads ignore files through fs.
func NewChecker(fs fsys.FS, repoRoot string) *Checker {
	return NewCheckerWith(fs, repoRoot, vcs.Git{})
}

// NewCheckerWith is NewChecker with a say in how git is called and where the user's settings are.
func NewCheckerWith(fs fsys.FS, repoRoot string, git vcs.Git) *Checker {
	return &Checker{fs: fs, root: filepath.Clean(repoRoot), git: git, memory: newMemory()}
}

// WithFS returns a checker that reads through fs and shares what this one remembers. Answers are remembered with
// the texts of the ignore files that they follow from, so that a checker of an older snapshot sees its own.
func (c *Checker) WithFS(fs fsys.FS) *Checker {
	other := *c
	other.fs = fs
	return &other
}

// Ignored says whether git ignores path (absolute), itself or with a folder that holds it, and by which line: "file:line
// pattern", the file relative to the root. IsDir says that path is a folder where that cannot be seen on the disk.
func (c *Checker) Ignored(path string, isDir bool) (why string, ignored bool) {
	r := c.reader()
	q := c.question(r, path, isDir)
	// One process answers for all entries of the folder: whoever asks about one asks about the next.
	if _, known := c.recall(r, q); q.kind == ask && !known {
		_ = c.learn(context.Background(), r, append(c.siblings(r, q), q))
	}
	why, ignored, _ = c.answer(context.Background(), r, q)
	return why, ignored
}

// IgnoredPaths says which of the paths (absolute) git ignores, and why. It starts at most two processes for all that is
// not known yet. An error is the context's.
func (c *Checker) IgnoredPaths(ctx context.Context, paths []string) (map[string]string, error) {
	r := c.reader()
	questions := make([]question, len(paths))
	var unknown []question
	for i, p := range paths {
		info, err := c.fs.Lstat(p)
		questions[i] = c.question(r, p, err == nil && info.Kind == fsys.KindDir)
		if _, known := c.recall(r, questions[i]); questions[i].kind == ask && !known {
			unknown = append(unknown, questions[i])
		}
	}
	if err := c.learn(ctx, r, unknown); err != nil {
		return nil, err
	}
	if err := c.learnTracked(ctx, r, questions); err != nil {
		return nil, err
	}
	ignored := map[string]string{}
	for i, q := range questions {
		why, is, err := c.answer(ctx, r, q)
		if err != nil {
			return nil, err
		}
		if is {
			ignored[paths[i]] = why
		}
	}
	return ignored, nil
}

// kind says what is to be done about a path.
type kind uint8

const (
	ask     kind = iota // ask git, or the rules
	outside             // not in this repository: not ignored
	own                 // in .git: always ignored
)

// question is what is asked about a path, in git's terms.
type question struct {
	kind kind
	// key is the path relative to the root with slashes, and a slash at its end for a folder.
	key string
	// then is the next question when this one is about a link: about where it leads.
	then *question
}

// question makes the question that a path is.
func (c *Checker) question(r *reader, path string, isDir bool) question {
	return c.questionAt(r, path, isDir, 40) // as many links as Linux follows
}

func (c *Checker) questionAt(r *reader, full string, isDir bool, links int) question {
	rel, within := fsys.Below(c.root, full)
	if !within {
		// The root is known by one name and the path by another.
		real, err := c.fs.RealPath(full)
		if err != nil || !fsys.Within(c.root, real) {
			return question{kind: outside}
		}
		full = real
		rel, _ = fsys.Below(c.root, full)
	}
	if rel == "." {
		return question{kind: outside}
	}
	rel = filepath.ToSlash(rel)
	parts := strings.Split(rel, "/")
	for i, name := range parts {
		if strings.EqualFold(name, ".git") {
			return question{kind: own}
		}
		at := strings.Join(parts[:i+1], "/")
		if !r.isLink(at) {
			continue
		}
		// To git a link is a file, and nothing lies below it. What is read is what it leads to, so that counts too.
		q := question{key: at}
		if real, err := c.fs.RealPath(full); err == nil && links > 0 {
			if info, err := c.fs.Stat(real); err == nil {
				isDir = info.Kind == fsys.KindDir
			}
			then := c.questionAt(r, real, isDir, links-1)
			q.then = &then
		}
		return q
	}
	if isDir {
		rel += "/"
	}
	return question{key: rel}
}

// isLink says whether a path relative to the root is a symbolic link.
func (r *reader) isLink(rel string) bool {
	link, known := r.links[rel]
	if !known {
		info, err := r.fs.Lstat(filepath.Join(r.root, filepath.FromSlash(rel)))
		link = err == nil && info.Kind == fsys.KindSymlink
		r.links[rel] = link
	}
	return link
}

// maxSiblings is how many entries of a folder are asked about for the sake of one; git answers some 100,000 in a second.
const maxSiblings = 2000

// siblings returns the questions about the other entries of the folder that q is in.
func (c *Checker) siblings(r *reader, q question) []question {
	parent := path.Dir(strings.TrimSuffix(q.key, "/"))
	entries, err := c.fs.ReadDir(filepath.Join(c.root, filepath.FromSlash(parent)))
	if err != nil {
		return nil
	}
	var out []question
	for _, e := range entries[:min(len(entries), maxSiblings)] {
		if strings.EqualFold(e.Name, ".git") {
			continue
		}
		key := path.Join(parent, e.Name)
		if e.Kind == fsys.KindDir {
			key += "/"
		}
		if key != q.key {
			out = append(out, question{key: key})
		}
	}
	return out
}

// answer puts together what is known; whatever is missing is learned first.
func (c *Checker) answer(ctx context.Context, r *reader, q question) (why string, ignored bool, err error) {
	switch q.kind {
	case outside:
		return "", false, nil
	case own:
		return "git's own folder .git", true, nil
	}
	v, known := c.recall(r, q)
	if !known {
		if err := c.learn(ctx, r, []question{q}); err != nil {
			return "", false, err
		}
		v, _ = c.recall(r, q)
	}
	if v.ignored {
		tracked, err := c.tracked(ctx, r, q)
		if err != nil {
			return "", false, err
		}
		if !tracked {
			return v.why, true, nil
		}
	}
	if q.then != nil {
		return c.answer(ctx, r, *q.then)
	}
	return "", false, nil
}

// learn asks git about the questions, or the rules where git cannot know, and remembers the answers.
func (c *Checker) learn(ctx context.Context, r *reader, questions []question) error {
	if len(questions) == 0 {
		return nil
	}
	// One at a time: whoever asks the same at the same moment finds the answer.
	c.memory.learning.Lock()
	defer c.memory.learning.Unlock()
	var git, keys []string
	for _, q := range questions {
		f := r.folder(path.Dir(strings.TrimSuffix(q.key, "/")))
		switch _, known := c.memory.verdict(q.key, f.stamp); {
		case known:
		case f.open || !onDisk(c.root, q.key):
			c.memory.remember(q.key, f.stamp, match(r, q.key))
		default:
			git = append(git, strings.TrimSuffix(q.key, "/"))
			keys = append(keys, q.key)
		}
	}
	matches, err := c.git.CheckIgnore(ctx, c.root, git)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for i, key := range keys {
		v := verdict{}
		if err != nil {
			// No git, or a path that it refuses to speak about (in a submodule, say): the rules are nearly as good.
			v = match(r, key)
		} else if m, found := matches[git[i]]; found && m.Ignored() {
			v = verdict{ignored: true, why: reason(m.Source, m.Line, m.Pattern)}
		}
		c.memory.remember(key, r.folder(path.Dir(strings.TrimSuffix(key, "/"))).stamp, v)
	}
	return nil
}

// onDisk says that git will see what the key says. It looks at the disk itself for what is a folder, and knows nothing
// of a folder that is only in the editor.
func onDisk(root, key string) bool {
	if !strings.HasSuffix(key, "/") {
		return true
	}
	info, err := os.Lstat(filepath.Join(root, filepath.FromSlash(key)))
	return err == nil && info.IsDir()
}

// match decides by the rules, from the top down: nothing below an ignored folder is taken back.
func match(r *reader, key string) verdict {
	clean := strings.TrimSuffix(key, "/")
	parts := strings.Split(clean, "/")
	dir := "."
	for i, name := range parts {
		isDir := i < len(parts)-1 || clean != key
		file, rule, found := r.folder(dir).decide(parts[:i+1], isDir)
		if found && !rule.negated {
			return verdict{ignored: true, why: reason(file.shown, fmt.Sprint(rule.line), rule.text)}
		}
		dir = path.Join(dir, name)
	}
	return verdict{}
}

// reason shows the line that decides. The text of a line is left out where the file is not the repository's: a
// hostile core.excludesFile could name any file of the user's.
func reason(source, line, pattern string) string {
	source = filepath.ToSlash(source)
	if path.IsAbs(source) || filepath.IsAbs(source) {
		return source + ":" + line
	}
	return source + ":" + line + " " + pattern
}

// recall returns what is remembered about a question, if the ignore files have not changed since.
func (c *Checker) recall(r *reader, q question) (verdict, bool) {
	if q.kind != ask {
		return verdict{}, true
	}
	return c.memory.verdict(q.key, r.folder(path.Dir(strings.TrimSuffix(q.key, "/"))).stamp)
}

// tracked says whether git tracks the path of a question.
func (c *Checker) tracked(ctx context.Context, r *reader, q question) (bool, error) {
	if t, known := c.memory.isTracked(q.key, c.indexStamp()); known {
		return t, nil
	}
	if err := c.learnTracked(ctx, r, []question{q}); err != nil {
		return false, err
	}
	t, _ := c.memory.isTracked(q.key, c.indexStamp())
	return t, nil
}

// learnTracked asks git which of the paths that the ignore files exclude it tracks all the same.
func (c *Checker) learnTracked(ctx context.Context, r *reader, questions []question) error {
	stamp := c.indexStamp()
	var keys []string
	for _, q := range questions {
		for at := &q; at != nil; at = at.then {
			if v, known := c.recall(r, *at); !known || !v.ignored {
				continue
			}
			if _, known := c.memory.isTracked(at.key, stamp); !known {
				keys = append(keys, at.key)
			}
		}
	}
	if len(keys) == 0 {
		return nil
	}
	tracked, err := c.git.Tracked(ctx, c.root, keys)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for _, key := range keys {
		// When nobody can tell, what the ignore files say holds: that leaves out more.
		c.memory.rememberTracked(key, stamp, err == nil && tracked[key])
	}
	return nil
}

// indexStamp changes when git's index does.
func (c *Checker) indexStamp() string {
	git, _ := c.memory.gitFolders(c.root)
	if git == "" {
		return "none"
	}
	info, err := c.fs.Stat(filepath.Join(git, "index"))
	if err != nil {
		return "none"
	}
	return fmt.Sprintf("%d+%d", info.ModTime.UnixNano(), info.Size)
}
