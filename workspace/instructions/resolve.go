package instructions

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"foreword/workspace/fsys"
	"foreword/workspace/ignore"
)

// Resolve says what one tool loads for one file: every instruction file that it
// could load with its state and reason, in the order of its prompt. A file that
// cannot be read costs only itself; the error is that of the context.
func Resolve(ctx context.Context, files fsys.FS, p *Profile, req Request) (*Discovery, error) {
	r := newResolver(ctx, files, p, req)
	r.readSettings()
	for i := 0; i < len(p.Steps); {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		i += r.runGroup(p.Steps[i:])
	}
	r.settleSkills()
	r.followWaiting()
	r.mentionOthers()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return r.finish(), nil
}

// resolver is one answer in the making.
type resolver struct {
	ctx      context.Context
	files    fsys.FS // unconfined: what the user or the tool names
	confined fsys.FS // what the repository may name
	personal bool    // the current step reads the user's own files
	profile  *Profile
	req      Request
	version  string
	settings Settings

	entries  []Entry
	warnings []Warning
	warned   map[warningKey]bool
	listings map[string][]fsys.Entry
	seenPath map[string]int  // identity → index of the entry that is sent
	seenText map[string]int  // normalised text → the same
	found    map[string]int  // step ID → files that it selected
	spent    map[string]int  // step ID → bytes sent under its cap
	told     map[string]bool // paths that a step decided about
	late     map[string]int  // step ID → files that the event added
	lateSize map[string]int64
	// usersSettings are the settings without what the project's own files say.
	usersSettings Settings
	// above are directories outside the repository that the tool itself looks
	// at, such as those above its root, with the one that each must really lie in.
	above   map[string]string
	users   map[userValue]bool // what the user's own files hold of settings
	skills  []skill
	ignored *ignore.Checker // made when it is first asked
}

func newResolver(ctx context.Context, files fsys.FS, p *Profile, req Request) *resolver {
	if req.Cwd == "" {
		req.Cwd = req.Root
	}
	if req.Secret == nil {
		req.Secret = func(string) (string, bool) { return "", false }
	}
	if req.Env == nil {
		req.Env = func(string) string { return "" }
	}
	r := &resolver{
		ctx: ctx, files: files, confined: files, profile: p, req: req, version: req.Version,
		warned:   map[warningKey]bool{},
		listings: map[string][]fsys.Entry{}, seenPath: map[string]int{}, seenText: map[string]int{},
		found: map[string]int{}, spent: map[string]int{}, told: map[string]bool{},
		late: map[string]int{}, lateSize: map[string]int64{}, users: map[userValue]bool{}, above: map[string]string{},
	}
	if r.version == "" {
		r.version = p.Newest
	}
	if !req.Trusted && req.Root != "" {
		r.confined = fsys.Confine(files, req.Root)
	}
	return r
}

// at gives the files as the current step may see them from a directory: all of
// them where the user is trusted or speaks for himself, else what really lies
// in the repository, or, above it, in that very directory.
func (r *resolver) at(dir string) fsys.FS {
	switch {
	case r.req.Trusted || r.personal:
		return r.files
	case r.above[dir] != "" && !fsys.Within(r.req.Root, dir):
		return fsys.Confine(r.files, r.above[dir])
	}
	return r.confined
}

// candidate is a file that a step found, before it is read.
type candidate struct {
	path  string
	scope string
	kind  Kind
	// state and why where the step decided already; otherwise it is to be sent.
	state State
	why   string
	// sent tells that a file in state on-read is sent now.
	sent bool
	mode string
	// patterns name the files that a rule holds for, seen from patternBase.
	patterns    []string
	patternBase string
	// body replaces the file's text where a header is left out.
	body     *string
	bodyLine int
	sameAs   string
	// late tells that only a read brings it in.
	late bool
	// skill is the name under which a skill is told to the model.
	skill string
	// file is what was fetched of an address.
	file *fsys.File
}

// runGroup runs the first of the steps, and those that follow and are one walk
// with it; it tells how many that were.
func (r *resolver) runGroup(steps []Step) int {
	n := 1
	for n < len(steps) && steps[0].Group != "" && steps[n].Group == steps[0].Group {
		n++
	}
	type found struct {
		step *Step
		candidate
	}
	var all []found
	for i := range steps[:n] {
		for _, c := range r.run(&steps[i]) {
			all = append(all, found{&steps[i], c})
		}
	}
	if n > 1 {
		slices.SortStableFunc(all, func(a, b found) int { return depth(a.scope) - depth(b.scope) })
	}
	for _, f := range all {
		r.personal = f.step.Personal
		r.admit(f.step, f.candidate)
	}
	return n
}

// depth counts the directories above one.
func depth(dir string) int {
	return strings.Count(strings.TrimRight(dir, string(filepath.Separator)), string(filepath.Separator))
}

// run finds what one step finds, and hides it where the step is off.
func (r *resolver) run(s *Step) []candidate {
	if len(s.OS) > 0 && !slices.Contains(s.OS, runtime.GOOS) {
		return nil
	}
	r.personal = s.Personal
	hide := r.switchedOff(s)
	if s.Personal && !r.req.Trusted {
		// What a project's settings say must not choose among the user's files.
		defer func(all Settings) { r.settings = all }(r.settings)
		r.settings = r.usersSettings
	}
	var found []candidate
	switch {
	case s.Files != nil:
		found = r.runFiles(s)
	case s.Walk != nil:
		found = r.runWalk(s)
	case s.Rules != nil:
		found = r.runRules(s)
	case s.Listed != nil:
		found = r.runListed(s)
	case s.Configured:
		found = r.runConfigured(s)
	}
	for i := range found {
		c := &found[i]
		// A step of other versions, or one that is switched off, decides nothing;
		// one that only comes second keeps what it knows better.
		if hide != nil && (hide.state != Shadowed || c.state == "" || c.state == OnRead || c.state == Listed || c.state == ModelDecides) {
			c.state, c.why, c.sent, c.skill = hide.state, hide.why, false, ""
		}
		if c.state == "" {
			r.found[s.ID]++
		}
	}
	return found
}

type hiding struct {
	state State
	why   string
}

// switchedOff tells why a step does not load what it finds.
func (r *resolver) switchedOff(s *Step) *hiding {
	if !inVersions(r.version, s.Versions) {
		return &hiding{NotReadByTool, fmt.Sprintf("%s reads it only in versions %s; version %s is asked about", r.profile.Title, s.Versions, r.version)}
	}
	if met, have := r.settings.holds(s.Enabled); !met {
		return &hiding{NeedsSetting, fmt.Sprintf("%s reads it when the setting %s is %s; it is %s", r.profile.Title, s.Enabled.Setting, orList(s.Enabled.In), have+r.origin(s.Enabled.Setting))}
	}
	for _, id := range s.UnlessStep {
		if r.found[id] > 0 {
			why := s.HiddenWhy
			if why == "" {
				why = fmt.Sprintf("%s reads it only where it finds nothing of what it looks for before", r.profile.Title)
			}
			return &hiding{Shadowed, why}
		}
	}
	if s.Personal || !r.untrusted() {
		return nil
	}
	return &hiding{NeedsTrust, fmt.Sprintf("%s reads files of a project only in a trusted folder", r.profile.Title)}
}

func (r *resolver) untrusted() bool {
	t := r.profile.Trust
	return t.Is != "" && (t.When == "" || r.settings.isTrue(t.When)) && !r.settings.isTrue(t.Is)
}

func orList(values []any) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = fmt.Sprint(v)
	}
	return strings.Join(texts, " or ")
}

// rule is where the decision of a step comes from.
func (r *resolver) rule(s *Step) Rule {
	rule := Rule{Tool: r.profile.Name, Versions: r.profile.Rule.Versions, Source: r.profile.Rule.Source, Checked: r.profile.Rule.Checked}
	if s == nil {
		return rule
	}
	if s.Versions != "" {
		rule.Versions = s.Versions
	}
	if s.Rule.Versions != "" {
		rule.Versions = s.Rule.Versions
	}
	if s.Rule.Source != "" {
		rule.Source = s.Rule.Source
	}
	if s.Rule.Checked != "" {
		rule.Checked = s.Rule.Checked
	}
	return rule
}

// doubt is what is not certain about the rule of a step.
func (r *resolver) doubt(s *Step) string {
	if s.Rule.Doubt != "" {
		return s.Rule.Doubt
	}
	return r.profile.Rule.Doubt
}

// list reads a directory once; one that cannot be listed is empty, with a
// warning unless it is not there.
func (r *resolver) list(dir string) []fsys.Entry {
	if entries, ok := r.listings[dir]; ok {
		return entries
	}
	entries, err := r.at(dir).ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		var fault *fsys.Error
		known := errors.As(err, &fault)
		switch {
		case known && fault.Reason == fsys.ReasonNotDirectory:
		case known && fault.Reason == fsys.ReasonOutside:
			r.warn("needs-trust", dir, fmt.Sprintf("%s leads outside %s, so its files are left out; trust the folder to allow it", r.display(dir), r.rootName()))
		default:
			r.warn("unreadable-directory", dir, fmt.Sprintf("cannot list %s: %v; its instruction files are left out", r.display(dir), err))
		}
	}
	r.listings[dir] = entries
	return entries
}

// has tells whether a directory holds a name, and what it is. The name may
// have slashes.
func (r *resolver) has(dir, name string) (fsys.Kind, bool) {
	if at := strings.LastIndexByte(name, '/'); at >= 0 {
		first := name[:strings.IndexByte(name, '/')]
		if _, ok := r.has(dir, first); !ok {
			return 0, false
		}
		return r.has(filepath.Join(dir, filepath.FromSlash(name[:at])), name[at+1:])
	}
	for _, e := range r.list(dir) {
		if e.Name == name {
			return e.Kind, true
		}
	}
	return 0, false
}

// isFile tells whether a name is a regular file, links followed. Selection by
// a tool looks at this alone; what the file holds is looked at later.
func (r *resolver) isFile(dir, name string) bool {
	kind, ok := r.has(dir, name)
	if !ok || kind == fsys.KindDir || kind == fsys.KindOther {
		return false
	}
	if kind == fsys.KindFile {
		return true
	}
	info, err := r.at(dir).Stat(filepath.Join(dir, filepath.FromSlash(name)))
	return err == nil && info.Kind == fsys.KindFile
}

// exists tells whether a name is there, whatever it is, links followed: all
// that some tools look at before they choose.
func (r *resolver) exists(dir, name string) bool {
	kind, ok := r.has(dir, name)
	if !ok || kind != fsys.KindSymlink {
		return ok
	}
	_, err := r.at(dir).Stat(filepath.Join(dir, filepath.FromSlash(name)))
	return err == nil || !errors.Is(err, fs.ErrNotExist)
}

// finish puts the sent entries first, those at launch before those on a read.
func (r *resolver) finish() *Discovery {
	d := &Discovery{
		Root: r.req.Root, Dir: r.req.Dir, Profile: r.profile.Name, Version: r.version, Warnings: r.warnings,
		NearestFirst: r.nearestFirst(r.profile.OrderSetting),
	}
	for _, late := range []bool{false, true} {
		for _, e := range r.entries {
			if e.Sent && (e.State == OnRead) == late {
				e.Order = len(d.Entries) + 1
				d.Entries = append(d.Entries, e)
			}
		}
	}
	// What several steps found is told once, by the one that says most.
	best := map[string]int{}
	for _, e := range r.entries {
		if rank, ok := best[e.Path]; !ok || telling(e) < rank {
			best[e.Path] = telling(e)
		}
	}
	for _, e := range r.entries {
		if rank, ok := best[e.Path]; ok && !e.Sent && telling(e) == rank {
			d.Entries = append(d.Entries, e)
			delete(best, e.Path)
		}
	}
	return d
}

// telling orders entries by how much they say of one file; a sent one says all.
func telling(e Entry) int {
	if e.Sent {
		return 0
	}
	switch e.State {
	case OnRead, Listed, ModelDecides, Manual:
		return 1
	case NeedsSetting:
		return 3
	case OutOfScope:
		return 4
	case NotReadByTool:
		return 5
	}
	return 2
}

func (r *resolver) warn(code, path, message string) {
	r.warnAt(code, path, message, nil)
}

type warningKey struct {
	code, path, message string
	place               Place
}

func (r *resolver) warnAt(code, path, message string, place *Place) {
	key := warningKey{code: code, path: path, message: message}
	if place != nil {
		key.place = *place
	}
	if r.warned[key] {
		return
	}
	r.warned[key] = true
	r.warnings = append(r.warnings, Warning{Code: code, Path: path, Message: message, Place: place})
}

// rootName is what confines a project's files, for people.
func (r *resolver) rootName() string {
	if r.req.Root == "" {
		return "the workspace"
	}
	return "the repository"
}

// named is a directory in the middle of a sentence.
func (r *resolver) named(dir string) string {
	if dir == r.req.Root {
		return "the root"
	}
	return r.display(dir)
}

func (r *resolver) display(path string) string { return Display(r.req.Root, r.req.Home, path) }

func (r *resolver) relative(path string) string {
	rel, err := filepath.Rel(r.req.Root, path)
	if err != nil {
		return filepath.ToSlash(path)
	}
	return filepath.ToSlash(rel)
}
