package sources

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"foreword/workspace/fsys"
)

// tree lists the workspace as deep as its budget of tokens allows, level by
// level, so that the top is always whole before anything below is shown.
func tree(in *Input) []Source {
	return []Source{{
		Key: "core/tree", Group: "files", Layer: Cacheable, Title: "Files of the workspace", Update: updateTree,
		Observe: func(ctx context.Context) Observation {
			if in.Root == "" {
				return none("there is no workspace folder")
			}
			if in.TreeTokens <= 0 {
				return none("the setting tree.tokens is 0")
			}
			if in.Remember == nil {
				return showTree(ctx, in)
			}
			bound := in.bound("tree.tokens", in.TreeTokens)
			return in.Remember(ctx, fmt.Sprintf("core/tree, %d tokens, %s", in.TreeTokens, bound), func() Observation { return showTree(ctx, in) })
		},
	}}
}

// showTree lists the workspace; it depends on the files and the budget alone.
func showTree(ctx context.Context, in *Input) Observation {
	top, err := growTree(ctx, in, in.TreeTokens-in.Count(treeHeading))
	if err != nil {
		return Observation{Status: Unavailable, Why: err.Error()}
	}
	switch {
	case !top.listed, top.hidden > 0 && len(top.children) == 0:
		return none(fmt.Sprintf("%s leaves no room for a list", in.bound("tree.tokens", in.TreeTokens)))
	case len(top.children) == 0:
		return none("the workspace holds no files that may be shown")
	}
	var b strings.Builder
	b.WriteString(treeHeading)
	top.write(&b, 0)
	return say("tree", b.String(), fmt.Sprintf("the model must know what there is; bounded by %s", in.bound("tree.tokens", in.TreeTokens)))
}

const treeHeading = "# Files of the workspace\n\nFiles that git ignores are left out. A number after a directory counts what it holds and the list does not show.\n"

// branch is one directory of the tree; a file is a branch that was never open.
type branch struct {
	name     string
	path     string
	dir      bool
	listed   bool // what it holds is known
	children []*branch
	hidden   int // entries that are not shown
}

// treeNote is what the line costs that counts the rest of a directory.
const treeNote = 8

// growTree opens directories breadth first until the budget is used up. Each
// directory is listed at most once; what is not shown is never listed.
func growTree(ctx context.Context, in *Input, left int) (*branch, error) {
	top := &branch{path: in.Root, dir: true}
	level := []*branch{top}
	asked := map[string]bool{}
	for depth := 0; len(level) > 0 && left > treeNote; depth++ {
		listed, err := list(ctx, in, level, asked)
		if err != nil {
			return nil, err
		}
		var next []*branch
		for i, b := range level {
			for j, child := range listed[i] {
				line := "\n" + strings.Repeat("  ", depth) + "- " + oneLine(child.name)
				if child.dir {
					line += "/ (10000)" // the longest that write may make of it
				}
				cost := in.Count(line)
				if cost > left-treeNote {
					b.hidden = len(listed[i]) - j
					left = 0
					break
				}
				left -= cost
				b.children = append(b.children, child)
				if child.dir {
					next = append(next, child)
				}
			}
			if left == 0 {
				for k := i + 1; k < len(level); k++ {
					level[k].hidden = len(listed[k])
				}
				break
			}
		}
		level = next
	}
	return top, nil
}

// lookAhead is how many entries are asked about at once where there are so many
// in the levels below: each question may start a process.
const lookAhead = 500

// list reads the directories of one level and asks once for all of their
// entries which are left out, unless that was asked with a level above.
func list(ctx context.Context, in *Input, level []*branch, asked map[string]bool) ([][]*branch, error) {
	listed := make([][]*branch, len(level))
	var paths []string
	for i, b := range level {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		entries, err := in.Files.ReadDir(b.path)
		if err != nil {
			if b.path == in.Root {
				return nil, err
			}
			continue // one directory that cannot be listed costs only itself
		}
		b.listed = true
		listed[i] = branches(b.path, entries)
		for _, child := range listed[i] {
			paths = append(paths, child.path)
		}
	}
	out := in.Ignored(ctx, below(in, listed, paths, asked))
	for i, children := range listed {
		kept := children[:0]
		for _, c := range children {
			if _, ignored := out[c.path]; !ignored {
				kept = append(kept, c)
			}
		}
		listed[i] = kept
	}
	return listed, nil
}

// branches are the files and directories among the entries of a directory.
func branches(dir string, entries []fsys.Entry) []*branch {
	var all []*branch
	for _, e := range entries {
		if e.Name != ".git" && (e.Kind == fsys.KindFile || e.Kind == fsys.KindDir) {
			all = append(all, &branch{name: e.Name, path: filepath.Join(dir, e.Name), dir: e.Kind == fsys.KindDir})
		}
	}
	return all
}

// below adds to the paths of a level those of the levels below it, whose answers
// are remembered, where some of them was not asked about before.
func below(in *Input, level [][]*branch, paths []string, asked map[string]bool) []string {
	known := true
	for _, path := range paths {
		known = known && asked[path]
		asked[path] = true
	}
	if known {
		return paths
	}
	paths = slices.Clip(paths)
	for next := slices.Concat(level...); len(next) > 0 && len(paths) < lookAhead; {
		var deeper []*branch
		for _, b := range next {
			if !b.dir || len(paths) >= lookAhead {
				continue
			}
			entries, err := in.Files.ReadDir(b.path)
			if err != nil {
				continue // it is told when its own turn comes
			}
			for _, child := range branches(b.path, entries) {
				asked[child.path] = true
				paths = append(paths, child.path)
				deeper = append(deeper, child)
			}
		}
		next = deeper
	}
	return paths
}

func (b *branch) write(out *strings.Builder, depth int) {
	indent := strings.Repeat("  ", depth)
	for _, c := range b.children {
		out.WriteString("\n" + indent + "- " + oneLine(c.name))
		switch {
		case !c.dir:
		case !c.listed:
			out.WriteString("/ …")
		case c.hidden > 0 && len(c.children) == 0:
			fmt.Fprintf(out, "/ (%d)", c.hidden)
		default:
			out.WriteString("/")
		}
		c.write(out, depth+1)
	}
	if b.hidden > 0 && len(b.children) > 0 {
		fmt.Fprintf(out, "\n%s- … and %d more", indent, b.hidden)
	}
}
