package instructions

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"foreword/workspace/fsys"
	"foreword/workspace/instructions/frontmatter"
	"foreword/workspace/instructions/globs"
)

// runRules reads folders of rules: files whose header says for which files they
// hold.
func (r *resolver) runRules(s *Step) []candidate {
	rules := s.Rules
	var found []candidate
	for _, holder := range r.worthAsking(s, r.ruleHolders(rules)) {
		for _, path := range r.ruleFiles(rules, holder) {
			found = append(found, r.ruleCandidate(s, holder, path))
		}
	}
	for _, holder := range r.worthAsking(s, r.holdersBelow(s)) {
		for _, path := range r.ruleFiles(rules, holder) {
			c := r.ruleCandidate(s, holder, path)
			r.settleRuleBelow(s, &c, holder)
			found = append(found, c)
		}
	}
	if rules.Order == "name" {
		slices.SortStableFunc(found, func(a, b candidate) int {
			return strings.Compare(strings.ToLower(filepath.Base(a.path)), strings.ToLower(filepath.Base(b.path)))
		})
	}
	return found
}

// holdersBelow lists the directories below that in which the tool was started,
// on the way to the target and to what was read.
func (r *resolver) holdersBelow(s *Step) []string {
	if s.Rules.Below == "" {
		return nil
	}
	return r.belowDirs(&WalkStep{}, r.req.Cwd, r.readDir(s))
}

// worthAsking leaves the directories out that whoever asks has asked about before.
func (r *resolver) worthAsking(s *Step, holders []string) []string {
	if r.req.RulesOf == "" {
		return holders
	}
	for _, other := range r.profile.Steps {
		if slices.Contains(other.UnlessStep, s.ID) {
			return holders
		}
	}
	return slices.DeleteFunc(holders, func(holder string) bool {
		return holder != r.req.RulesOf && (holder != "" || r.req.RulesOf != r.req.Root) // "" stands for places of the user's
	})
}

// settleRuleBelow says what becomes of a rule that would hold, but lies below
// the directory in which the tool was started.
func (r *resolver) settleRuleBelow(s *Step, c *candidate, holder string) {
	rules := s.Rules
	if rules.BelowSetting != "" && !r.settings.isTrue(rules.BelowSetting) {
		c.state, c.sent = NeedsSetting, false
		c.why = fmt.Sprintf("below %s, where the tool was started; %s looks there when the setting %s is on", r.named(r.req.Cwd), r.profile.Title, rules.BelowSetting)
		return
	}
	if rules.Below != "on-read" || c.state != "" {
		return
	}
	c.state, c.mode, c.late = OnRead, "auto-attached", true
	if read := r.readDir(s); read != "" && fsys.Within(holder, read) {
		c.sent = true
		c.why = fmt.Sprintf("%s was read, which lies in its scope", r.display(r.req.Event.Path))
		return
	}
	c.why = fmt.Sprintf("below %s, where the tool was started; it waits until a file in %s is read", r.named(r.req.Cwd), r.display(holder))
}

// ruleHolders lists the directories in which folders of rules may lie.
func (r *resolver) ruleHolders(rules *RulesStep) []string {
	switch rules.At {
	case "home":
		if r.req.Home == "" {
			return nil
		}
		return []string{r.req.Home}
	case "chain":
		dirs := chain(r.req.Root, r.req.Dir)
		if r.nearestFirst(r.profile.OrderSetting) {
			slices.Reverse(dirs)
		}
		return dirs
	case "cwd-chain":
		return chain(r.req.Root, r.req.Cwd)
	case "filesystem-chain":
		return chain(filesystemRoot(r.req.Cwd), r.req.Cwd)
	case "cwd":
		return []string{r.req.Cwd}
	case "places":
		return []string{""}
	}
	if r.req.Root == "" {
		return nil
	}
	return []string{r.req.Root}
}

// lookAbove lets a step look at a folder above the repository, as far as it
// really lies there; one that is a link leads to whatever its maker chose.
func (r *resolver) lookAbove(holder, folder string) {
	if r.personal || fsys.Within(r.req.Root, folder) {
		return
	}
	r.above[folder] = holder
}

func (r *resolver) ruleFiles(rules *RulesStep, holder string) []string {
	var paths []string
	for _, dir := range rules.Dirs {
		if rules.At == "places" {
			for _, place := range r.places(dir, "cwd") {
				paths = append(paths, r.filesBelow(place, rules.Recursive, rules.Suffixes, rules.SkipDirs)...)
			}
			continue
		}
		dir, ok := r.expand(dir)
		if !ok {
			continue
		}
		if kind, ok := r.has(holder, dir); !ok || kind == fsys.KindFile || kind == fsys.KindOther {
			continue
		}
		folder := filepath.Join(holder, filepath.FromSlash(dir))
		r.lookAbove(holder, folder)
		paths = append(paths, r.filesBelow(folder, rules.Recursive, rules.Suffixes, rules.SkipDirs)...)
	}
	for _, name := range rules.Beside {
		if _, ok := r.has(holder, name); ok {
			paths = append(paths, filepath.Join(holder, name))
		}
	}
	return paths
}

func (r *resolver) ruleCandidate(s *Step, holder, path string) candidate {
	rules := s.Rules
	c := candidate{path: path, scope: holder, kind: KindRule, mode: "always"}
	if filepath.Base(path) == "SKILL.md" {
		c.kind = KindSkill
	}
	file, err := r.at(filepath.Dir(path)).ReadFile(path)
	if err != nil {
		c.why = "a rule that cannot be read"
		return c // admit says why
	}
	header := headers.read(frontmatter.Reader(rules.Reader), file)
	if rules.Body && header.Found && !broken(header) {
		body := header.Body
		c.body, c.bodyLine = &body, header.BodyLine
	}
	if slices.Contains(rules.Beside, filepath.Base(path)) && !hasKey(header, rules.Globs) {
		r.settleBeside(&c, holder)
		return c
	}
	if rules.Skill != nil {
		r.decideSkill(rules.Skill, &c, holder, file, header)
		return c
	}
	d := r.decide(s, holder, header)
	c.state, c.why, c.mode, c.sent = d.state, d.why, d.mode, d.sent
	c.patterns, c.patternBase = d.patterns, d.patternBase
	if s.Why != "" && c.state == "" && c.mode == "always" {
		c.why = s.Why
	}
	return c
}

// settleBeside scopes a rule to the directory that it lies in.
func (r *resolver) settleBeside(c *candidate, dir string) {
	c.mode = "auto-attached"
	c.why = fmt.Sprintf("the file lies in %s, the directory of the rule", r.display(dir))
}

func hasKey(d frontmatter.Document, keys []string) bool {
	for _, key := range keys {
		if _, ok := d.Field(key); ok {
			return true
		}
	}
	return false
}

// decision is what a header says about one target.
type decision struct {
	state State
	why   string
	mode  string
	sent  bool
	// patterns that the target was held against, and the directory that they begin at.
	patterns    []string
	patternBase string
}

// decide reads the header as the tool does and holds it against the target.
func (r *resolver) decide(s *Step, holder string, d frontmatter.Document) decision {
	rules := s.Rules
	if value, skipped := skips(rules, d); skipped {
		return decision{state: OutOfScope, mode: "manual", why: fmt.Sprintf("%s: %s in its header keeps it from %s", rules.SkipKey, value, r.profile.Title)}
	}
	if broken(d) {
		if rules.Broken == "never" {
			return decision{state: OutOfScope, mode: "manual", why: fmt.Sprintf("its header cannot be read, so %s never applies it", r.profile.Title)}
		}
		return decision{mode: "always", why: fmt.Sprintf("its header cannot be read, so %s applies it always", r.profile.Title)}
	}
	if rules.Trigger != "" {
		if f, ok := d.Field(rules.Trigger); ok {
			switch f.Text {
			case "always_on":
				return decision{mode: "always", why: "trigger: always_on"}
			case "manual":
				return decision{state: Manual, mode: "manual", why: "trigger: manual; the user must name it"}
			case "model_decision":
				return decision{state: ModelDecides, mode: "model-decides", why: "trigger: model_decision; the model is told its description"}
			}
		}
	}
	if rules.Always != "" {
		if f, ok := d.Field(rules.Always); ok && f.Kind == frontmatter.Bool && f.Bool {
			return decision{mode: "always", why: fmt.Sprintf("%s: true in line %d", rules.Always, f.KeyLine+1)}
		}
	}
	if f, ok := d.Field(rules.Regex); ok && rules.Regex != "" {
		if d, decided := r.decideRegex(rules, f, hasKey(d, rules.Globs)); decided {
			return d
		}
	}
	for _, key := range rules.Globs {
		f, ok := d.Field(key)
		if !ok || f.Kind == frontmatter.Null || (f.Kind == frontmatter.String && strings.TrimSpace(f.Text) == "") {
			continue
		}
		return r.decideGlobs(s, holder, key, f)
	}
	return r.decideAbsent(rules, d)
}

// broken tells whether the header could not be read at all.
func broken(d frontmatter.Document) bool {
	return d.Broken || d.Found && !d.Closed
}

func (r *resolver) decideAbsent(rules *RulesStep, d frontmatter.Document) decision {
	absent := rules.Absent
	if rules.Always != "" {
		if f, ok := d.Field(rules.Always); ok && f.Kind == frontmatter.Bool && !f.Bool && absent == "always" {
			absent = "manual"
		}
	}
	if rules.Description != "" && absent != "always" {
		if f, ok := d.Field(rules.Description); ok && strings.TrimSpace(f.Text) != "" {
			return decision{state: ModelDecides, mode: "model-decides", why: "only a description: the model is told it, and may ask for the rule"}
		}
	}
	switch absent {
	case "manual":
		return decision{state: Manual, mode: "manual", why: "its header names no files and no description; the user must name the rule"}
	case "model-decides":
		return decision{state: ModelDecides, mode: "model-decides", why: "the model is told its description, and may ask for it"}
	case "none":
		return decision{state: Manual, mode: "manual", why: fmt.Sprintf("its header names no files, so %s does not apply it by itself", r.profile.Title)}
	}
	return decision{mode: "always", why: "its header names no files, so it holds for all"}
}

// decideGlobs holds the patterns of a header against the target, or where the
// tool waits for a read, against the file that was read.
func (r *resolver) decideGlobs(s *Step, holder, key string, f frontmatter.Field) decision {
	rules := s.Rules
	list, lines, wrong := patternsOf(rules, f)
	if wrong {
		switch rules.WrongType {
		case "always":
			return decision{mode: "always", why: fmt.Sprintf("%s in line %d has the wrong type, so %s applies the rule always", key, f.KeyLine+1, r.profile.Title)}
		case "never":
			return decision{state: OutOfScope, mode: "auto-attached", why: fmt.Sprintf("%s in line %d has the wrong type, so %s drops it", key, f.KeyLine+1, r.profile.Title)}
		}
		return decision{state: Manual, mode: "manual", why: fmt.Sprintf("%s in line %d has the wrong type and is dropped, so the rule names no files", key, f.KeyLine+1)}
	}
	base := r.req.Root
	if rules.Base == "dir" {
		base = holder
	}
	if rules.At == "places" || rules.At == "home" && base == holder {
		base = r.req.Root
	}
	d := r.holdAgainst(s, base, key, f, list, lines)
	d.patterns, d.patternBase = list, base
	return d
}

// holdAgainst says what the patterns of a header decide, of which lines are the
// places; they begin at base.
func (r *resolver) holdAgainst(s *Step, base, key string, f frontmatter.Field, list []string, lines []int) decision {
	rules := s.Rules
	set := patterns.compile(globs.Dialect(rules.Dialect), list)
	matches := func(path string) (string, int, bool) {
		rel, err := filepath.Rel(base, path)
		if err != nil || strings.HasPrefix(rel, "..") {
			return "", 0, false
		}
		i, ok := set.Match(filepath.ToSlash(rel))
		if !ok || i < 0 || i >= len(list) {
			return "", 0, false
		}
		return list[i], lines[i], true
	}
	if rules.Fires == "read" {
		if r.isRead(s) {
			if pattern, line, ok := matches(r.req.Event.Path); ok {
				return decision{state: OnRead, sent: true, mode: "auto-attached", why: fmt.Sprintf("%s was read and matches %q in line %d", r.display(r.req.Event.Path), pattern, line+1)}
			}
		}
		if pattern, line, ok := matches(r.req.Target); ok {
			return decision{state: OnRead, mode: "auto-attached", why: fmt.Sprintf("matches %q in line %d; it waits until a matching file is read", pattern, line+1)}
		}
	} else if pattern, line, ok := matches(r.req.Target); ok {
		return decision{mode: "auto-attached", why: fmt.Sprintf("%s matches %q in line %d", r.display(r.req.Target), pattern, line+1)}
	}
	if len(list) == 0 {
		return decision{state: OutOfScope, mode: "auto-attached", why: fmt.Sprintf("%s in line %d is empty, so the rule never applies", key, f.KeyLine+1)}
	}
	return decision{state: OutOfScope, mode: "auto-attached", why: fmt.Sprintf("%s does not match %s in line %d", r.display(r.req.Target), quoted(list), f.KeyLine+1)}
}

// patternsOf reads a list of patterns by the tool's own splitter; lines are
// the 0-based lines of the file in which each stands.
func patternsOf(rules *RulesStep, f frontmatter.Field) (list []string, lines []int, wrong bool) {
	kind := ""
	switch f.Kind {
	case frontmatter.String:
		kind = "string"
	case frontmatter.List:
		kind = "list"
	}
	if kind == "" || (len(rules.GlobTypes) > 0 && !slices.Contains(rules.GlobTypes, kind)) {
		return nil, nil, true
	}
	if kind == "list" {
		for _, item := range f.Items {
			if item.Kind != frontmatter.String || strings.TrimSpace(item.Text) == "" {
				return nil, nil, true
			}
			list, lines = append(list, item.Text), append(lines, item.Line)
		}
		return list, lines, false
	}
	for _, p := range globs.Split(globs.Splitter(rules.Split), f.Text) {
		text := p.Text
		if p.Negated && !strings.HasPrefix(text, "!") {
			text = "!" + text
		}
		list, lines = append(list, text), append(lines, f.Line)
	}
	return list, lines, false
}

func quoted(patterns []string) string {
	out := make([]string, len(patterns))
	for i, p := range patterns {
		out[i] = fmt.Sprintf("%q", p)
	}
	return clip(strings.Join(out, ", "))
}

// longest is how much of a list of patterns a reason repeats.
const longest = 200

func clip(text string) string {
	if len(text) <= longest {
		return text
	}
	return strings.ToValidUTF8(text[:longest], "") + "…"
}

// matchesAbsolute holds patterns of a setting against an absolute path.
func matchesAbsolute(patterns []string, path string) (string, bool) {
	set, _ := globs.Compile(globs.Picomatch, patterns)
	i, ok := set.Match(strings.TrimPrefix(filepath.ToSlash(path), "/"))
	if ok {
		return patterns[i], true
	}
	for _, pattern := range patterns {
		trimmed, absolute := strings.CutPrefix(pattern, "/")
		if !absolute {
			continue
		}
		set, _ := globs.Compile(globs.Picomatch, []string{trimmed})
		if _, ok := set.Match(strings.TrimPrefix(filepath.ToSlash(path), "/")); ok {
			return pattern, true
		}
	}
	return "", false
}
