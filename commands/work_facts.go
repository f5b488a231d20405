package commands

import (
	"context"
	"path"
	"regexp"
	"slices"
	"strings"

	"foreword/promptbuilder/history"
	"foreword/workspace"
)

// adaptive is the strategy that weighs what goes by what the work is about.
const adaptive = "adaptive"

// nearMost is how many names are looked for in each text.
const nearMost = 32

// weigh is what the workspace tells of the work at hand: the files that are
// changed, those with errors, the one in focus, and who imports them.
func (s *Service) weigh(ctx context.Context, snap *workspace.Snapshot, p *place) history.Weigh {
	var w history.Weigh
	near := func(name string) {
		if name != "" && name != "." && len(w.Near) < nearMost && !slices.Contains(w.Near, name) {
			w.Near = append(w.Near, name)
		}
	}
	if p.target != p.dir {
		near(p.name(p.target))
	}
	for _, d := range snap.Diagnostics() {
		errors := 0
		for _, problem := range d.List {
			if problem.Severity == workspace.SeverityError {
				errors++
			}
		}
		if errors > 0 && p.name(d.Path) != "" {
			w.Facts.Errors += errors
			near(p.name(d.Path))
		}
	}
	if p.repository {
		// What git cannot say is not known; the work can be weighed without it.
		if status, err := s.repos.gitStatus(ctx, p.root, p.trusted); err == nil {
			w.Facts.Changed = status.Total
			for _, change := range status.Changed {
				if change.Code == "??" || strings.HasPrefix(change.Code, "A") {
					w.Facts.New++
				}
				near(strings.TrimSuffix(change.Path, "/"))
			}
		}
	}
	w.Facts.ImportedBy = importers(snap, p, w.Near)
	return w
}

// name is a path below the root, with slashes; empty for another.
func (p *place) name(path string) string {
	rel, _ := relative(p.root, path)
	return rel
}

// importLine is a line by which a file of some language takes in another.
var importLine = regexp.MustCompile(`(?m)^\s*(?:import|from|use|using|require|include|#include|export\s.*\sfrom|const\s.*=\s*require)\b.*$|^\s*(?:\w+\s+)?"[^"\n]+"$`)

// importers counts the open files that take in one of the files named, by its
// name or its folder's.
func importers(snap *workspace.Snapshot, p *place, names []string) int {
	var stems []string
	for _, name := range names {
		base := path.Base(name)
		stems = append(stems, strings.TrimSuffix(base, path.Ext(base)))
		if dir := path.Base(path.Dir(name)); dir != "." {
			stems = append(stems, dir)
		}
	}
	n := 0
	for _, d := range snap.Documents() {
		if d.Path == "" || slices.Contains(names, p.name(d.Path)) {
			continue
		}
		lines := importLine.FindAllString(d.Text, -1)
		if slices.ContainsFunc(lines, func(line string) bool { return imports(line, stems) }) {
			n++
		}
	}
	return n
}

// imports tells whether a line names one of the stems as a word.
func imports(line string, stems []string) bool {
	words := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(`"'<>/.;:,(){} `+"\t", r) })
	return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(stems, word) })
}
