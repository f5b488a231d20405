package lint

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"foreword/workspace/instructions"
	"foreword/workspace/instructions/frontmatter"
	"foreword/workspace/instructions/globs"
)

var globDiffersBetweenTools = Rule{
	Code: "glob-differs-between-tools", Severity: Info,
	Doc: Doc{
		What: "A pattern means other files to another tool that reads the same rule.",
		Why:  "Tools differ in whether *.py stands for any depth, in letter case, and in how a list is split.",
		Mend: "Write **/*.py for any depth, and /*.py or src/*.py for one folder.",
	},
	check: checkGlobDiffersBetweenTools,
}

func checkGlobDiffersBetweenTools(in *Input) []Diagnostic {
	var out []Diagnostic
	for _, f := range in.Files {
		var asked []ruleRead
		for _, r := range in.ruleReads(f) {
			// foreword follows the dialect of the tool whose rule it is.
			if r.tool.Profile.Name != instructions.Own && len(r.step.Rules.Globs) > 0 {
				asked = append(asked, r)
			}
		}
		if len(asked) == 0 {
			continue
		}
		var tools []*Tool
		for _, r := range asked {
			tools = append(tools, r.tool)
		}
		mine, others := readersByDialect(f, asked[0])
		for _, other := range others {
			if p, example, ok := in.differs(f, asked[0], other[0]); ok {
				out = append(out, Diagnostic{
					Path: f.Path, Place: p.place, Tools: names(tools),
					Message: fmt.Sprintf("%q %s", p.text, howItDiffers(mine, other, example)),
				})
			}
		}
	}
	return out
}

// reader is a tool's step that reads a file.
type reader struct {
	profile *instructions.Profile
	step    *instructions.Step
}

// readersByDialect lists the tools, in question or not, whose rules name the
// folder of a file: those that read its patterns as one tool does, and the
// others, by the way in which they read them.
func readersByDialect(f *File, r ruleRead) (same []reader, others [][]reader) {
	rel, err := filepath.Rel(f.Dir, f.Path)
	if err != nil {
		return nil, nil
	}
	way := func(s *instructions.Step) string { return s.Rules.Dialect + " " + s.Rules.Split }
	for _, name := range instructions.ProfileNames() {
		p, ok, err := instructions.LookupProfile(name)
		if err != nil || !ok || name == instructions.Own {
			continue
		}
		for i := range p.Steps {
			s := &p.Steps[i]
			if s.Rules == nil || s.Personal || len(s.Rules.Globs) == 0 || !readsPath(s.Rules, filepath.ToSlash(rel)) {
				continue
			}
			at := slices.IndexFunc(others, func(o []reader) bool { return way(o[0].step) == way(s) })
			switch {
			case way(s) == way(r.step):
				same = append(same, reader{p, s})
			case at >= 0:
				others[at] = append(others[at], reader{p, s})
			default:
				others = append(others, []reader{{p, s}})
			}
			break
		}
	}
	return same, others
}

// readsPath tells whether a step reads a file at a path below its holder.
func readsPath(rules *instructions.RulesStep, rel string) bool {
	for _, dir := range rules.Dirs {
		inside, ok := strings.CutPrefix(rel, dir+"/")
		if ok && (rules.Recursive || !strings.Contains(inside, "/")) &&
			(len(rules.Suffixes) == 0 || slices.ContainsFunc(rules.Suffixes, func(s string) bool { return strings.HasSuffix(rel, s) })) {
			return true
		}
	}
	return false
}

// differs finds the first pattern that means other files to the other tool: a
// bare name always does where one reads it at any depth, anything else where a
// file of the workspace shows it.
func (in *Input) differs(f *File, r ruleRead, other reader) (pattern, string, bool) {
	_, field, ok := r.globs()
	if !ok {
		return pattern{}, "", false
	}
	theirs := ruleRead{&Tool{Profile: other.profile}, other.step, r.entry, f.Header(frontmatter.Reader(other.step.Rules.Reader))}
	_, theirField, ok := theirs.globs()
	if !ok {
		return pattern{}, "", false
	}
	mine, others := r.patterns(f, field), theirs.patterns(f, theirField)
	if len(mine) != len(others) {
		return pattern{}, "", false
	}
	base, err := filepath.Rel(in.Root, f.Dir)
	if err != nil {
		return pattern{}, "", false
	}
	for i, p := range mine {
		question := comparison{r.step.Rules.Dialect, other.step.Rules.Dialect, p.text, others[i].text, filepath.ToSlash(base)}
		if a := in.compare(question); a.differs {
			return p, a.example, true
		}
	}
	return pattern{}, "", false
}

// comparison is a question whether two patterns in two dialects mean the same
// files below a directory.
type comparison struct {
	dialect, otherDialect, pattern, otherPattern, base string
}

type answer struct {
	differs bool
	example string // a file that shows it
}

// compare answers each question once; two tools that read one rule ask the same
// from both sides.
func (in *Input) compare(c comparison) answer {
	if c.otherDialect < c.dialect {
		c.dialect, c.otherDialect, c.pattern, c.otherPattern = c.otherDialect, c.dialect, c.otherPattern, c.pattern
	}
	if a, ok := in.compared[c]; ok {
		return a
	}
	left, _ := globs.Compile(globs.Dialect(c.dialect), []string{c.pattern})
	right, _ := globs.Compile(globs.Dialect(c.otherDialect), []string{c.otherPattern})
	var a answer
	a.example, a.differs = in.apart(c.base, left, right)
	if bare := strings.HasPrefix(c.pattern, "*.") && !strings.Contains(c.pattern, "/"); bare && !a.differs {
		nested := "folder/a" + strings.TrimPrefix(c.pattern, "*")
		a.differs = matches(left, nested) != matches(right, nested)
	}
	if in.compared == nil {
		in.compared = map[comparison]answer{}
	}
	in.compared[c] = a
	return a
}

// maxCompared bounds how many files of a workspace are held against the
// patterns of one rule: what differs shows early or hardly ever.
const maxCompared = 20_000

// apart finds a file below base that one set matches and the other does not.
func (in *Input) apart(base string, a, b *globs.Set) (string, bool) {
	prefix := ""
	if base != "." {
		prefix = base + "/"
	}
	compared := 0
	for _, path := range in.Paths {
		rel, ok := strings.CutPrefix(path, prefix)
		if !ok {
			continue
		}
		if compared++; compared > maxCompared {
			return "", false
		}
		if matches(a, rel) != matches(b, rel) {
			return rel, true
		}
	}
	return "", false
}

func matches(s *globs.Set, path string) bool {
	_, ok := s.Match(path)
	return ok
}

func howItDiffers(mine, others []reader, example string) string {
	anyDepth := func(readers []reader) bool {
		return slices.ContainsFunc(readers, func(r reader) bool { return r.step.Rules.Dialect == string(globs.VSCode) })
	}
	message := fmt.Sprintf("means other files to %s than to %s", readerTitles(others), readerTitles(mine))
	switch {
	case anyDepth(others):
		mine, others = others, mine
		fallthrough
	case anyDepth(mine):
		message = fmt.Sprintf("is matched at any depth by %s, and from the root by %s", readerTitles(mine), readerTitles(others))
	}
	if example != "" {
		message += "; the two differ for instance in " + example
	}
	return message
}

func readerTitles(readers []reader) string {
	var titles []string
	for _, r := range readers {
		titles = append(titles, r.profile.Title)
	}
	return joinAnd(titles)
}
