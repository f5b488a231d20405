package instructions

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"foreword/workspace/fsys"
)

// runWalk looks for names in every directory from where the walk begins to
// where it ends, and then says what becomes of files between there and the
// target.
func (r *resolver) runWalk(s *Step) []candidate {
	w := s.Walk
	names, dirs := r.walkNames(w), r.walkDirs(w)
	outside := r.namesOutside(w, names)
	for _, dir := range dirs {
		for _, name := range outside {
			r.above[filepath.Dir(filepath.Join(dir, filepath.FromSlash(name)))] = dir
		}
		r.above[dir] = dir
	}
	var found []candidate
	switch {
	case w.OnlyBelow:
		dirs = nil
	case w.Choice == "first-name":
		found = r.firstName(s, names, dirs)
	default:
		for _, dir := range dirs {
			if fsys.Within(r.req.Root, dir) {
				found = append(found, r.inDirectory(s, names, dir, w.Choice)...)
			} else {
				found = append(found, r.inDirectory(s, outside, dir, w.Choice)...)
			}
		}
	}
	if w.NearestOnly {
		found = r.nearestOnly(found)
	}
	found = r.order(w.Order, found)
	if r.nearestFirst(r.profile.OrderSetting) {
		found = r.order("nearest", found)
	}
	return append(r.drop(w, found), r.drop(w, r.below(s, names, dirs))...)
}

// drop keeps out the names that a setting switches off.
func (r *resolver) drop(w *WalkStep, found []candidate) []candidate {
	if !r.drops(w) {
		return found
	}
	for i := range found {
		if slices.Contains(w.Drop, filepath.Base(found[i].path)) {
			found[i].state, found[i].sent = NeedsSetting, false
			found[i].why = fmt.Sprintf("%s reads no file of this name while %s is on", r.profile.Title, w.DropSetting)
		}
	}
	return found
}

func (r *resolver) drops(w *WalkStep) bool {
	return w.DropSetting != "" && r.settings.isTrue(w.DropSetting)
}

func (r *resolver) walkNames(w *WalkStep) []string {
	names := w.Names
	if given, ok := r.settings.strings(w.NamesSetting); ok && w.NamesSetting != "" && len(given) > 0 {
		names = given
	}
	if more, ok := r.settings.strings(w.MoreSetting); ok && w.MoreSetting != "" {
		names = append(slices.Clone(names), more...)
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !isPlainName(name) })
}

// namesOutside are the names that are looked for above the repository: until
// the user trusts it, its own settings must not choose them.
func (r *resolver) namesOutside(w *WalkStep, names []string) []string {
	if r.req.Trusted {
		return names
	}
	all := r.settings
	r.settings = r.usersSettings
	defer func() { r.settings = all }()
	return r.walkNames(w)
}

// isPlainName tells whether a name stays in the directory that it is looked
// for in.
func isPlainName(name string) bool {
	return name != "" && filepath.IsLocal(filepath.FromSlash(name)) && !slices.Contains(strings.Split(filepath.ToSlash(name), "/"), "..")
}

// begin is the directory in which a walk begins; empty where there is none.
func (r *resolver) begin(w *WalkStep) string {
	switch w.From {
	case "root":
		return r.req.Root
	case "cwd":
		return r.req.Cwd
	case "filesystem":
		return filesystemRoot(r.req.Cwd)
	case "home", "home-or-root":
		switch {
		case r.req.Home != "" && fsys.Within(r.req.Home, r.req.Cwd):
			return r.req.Home
		case w.From == "home":
			return filesystemRoot(r.req.Cwd)
		}
		return r.req.Root
	}
	markers := w.Markers
	settings := r.settings
	if !r.req.Trusted {
		settings = r.usersSettings // a repository does not move the walk above itself
	}
	if given, ok := settings.strings(w.MarkersSetting); ok && w.MarkersSetting != "" {
		markers = given
	}
	for dir := r.req.Cwd; len(markers) > 0; dir = filepath.Dir(dir) {
		for _, marker := range markers {
			if _, err := r.files.Lstat(filepath.Join(dir, marker)); err == nil {
				return dir
			}
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	switch w.NoMarker {
	case "root":
		return r.req.Root
	case "filesystem":
		return filesystemRoot(r.req.Cwd)
	}
	return r.req.Cwd
}

func filesystemRoot(path string) string {
	return filepath.VolumeName(path) + string(filepath.Separator)
}

func (r *resolver) walkDirs(w *WalkStep) []string {
	from := r.begin(w)
	dirs := chain(from, r.walkEnd(w))
	// A walk from the root of the disk passes it by itself in no tool but those
	// that say so; a walk that began at home keeps it.
	if (w.FromAfter || w.From == "home") && len(dirs) > 1 && dirs[0] == filesystemRoot(dirs[0]) {
		dirs = dirs[1:]
	}
	return dirs
}

func (r *resolver) walkEnd(w *WalkStep) string {
	switch w.To {
	case "target":
		return r.req.Dir
	case "root":
		return r.req.Root
	}
	return r.req.Cwd
}

// inDirectory finds the names of one directory.
func (r *resolver) inDirectory(s *Step, names []string, dir, choice string) []candidate {
	var found []candidate
	taken := ""
	for _, name := range names {
		spelled, ok := r.spelled(s, dir, name)
		if !ok || r.isFolderOfRules(dir, spelled) {
			continue
		}
		c := candidate{
			path: filepath.Join(dir, filepath.FromSlash(spelled)), scope: dir, kind: kindOrOther(spelled), mode: "always",
			why: r.position(s, dir),
		}
		if choice == "first" || choice == "first-non-blank" {
			if r.drops(s.Walk) && slices.Contains(s.Walk.Drop, name) {
				found = append(found, c) // drop says why
				continue
			}
			if taken != "" {
				c.state, c.why = Shadowed, fmt.Sprintf("%s reads one file in a directory, and %s comes first", r.profile.Title, taken)
			} else if r.chosen(s.Walk, choice, dir, spelled) {
				taken = spelled
			}
		}
		found = append(found, c)
	}
	return found
}

// chosen tells whether a name that comes first in its directory ends the search
// there.
func (r *resolver) chosen(w *WalkStep, choice, dir, name string) bool {
	switch {
	case choice == "first-non-blank":
		return !r.blank(filepath.Join(dir, filepath.FromSlash(name)))
	case w.Choice == "first-name": // a tool that looks at no more than existence
		return r.exists(dir, name)
	}
	return r.isFile(dir, name)
}

// isFolderOfRules tells whether a name that tools use for a file and for a
// folder of rules alike, such as .clinerules, is the folder here.
func (r *resolver) isFolderOfRules(dir, name string) bool {
	kind, _ := r.has(dir, name)
	return kind == fsys.KindDir && mayBeFolder(name)
}

// mayBeFolder tells whether a name, such as .clinerules, may well be that of a
// folder: it has no ending.
func mayBeFolder(name string) bool {
	return filepath.Ext(strings.TrimPrefix(filepath.Base(name), ".")) == ""
}

// spelled finds a name as the directory spells it.
func (r *resolver) spelled(s *Step, dir, name string) (string, bool) {
	if _, ok := r.has(dir, name); ok {
		return name, true
	}
	if s.Walk == nil || !s.Walk.FoldCase || strings.Contains(name, "/") {
		return "", false
	}
	for _, e := range r.list(dir) {
		if strings.EqualFold(e.Name, name) {
			return e.Name, true
		}
	}
	return "", false
}

// firstName takes the first name that is found in any directory, and only that
// one everywhere.
func (r *resolver) firstName(s *Step, names, dirs []string) []candidate {
	var found []candidate
	winner := ""
	for _, name := range names {
		var hits []candidate
		exists := false
		for _, dir := range dirs {
			if _, ok := r.has(dir, name); ok {
				exists = exists || r.exists(dir, name)
				hits = append(hits, candidate{
					path: filepath.Join(dir, filepath.FromSlash(name)), scope: dir, kind: kindOrOther(name), mode: "always", why: r.position(s, dir),
				})
			}
		}
		if winner != "" {
			for i := range hits {
				hits[i].state, hits[i].why = Shadowed, fmt.Sprintf("%s found %s on the way up, so it reads this name in every directory and no other", r.profile.Title, winner)
			}
		} else if exists && !(r.drops(s.Walk) && slices.Contains(s.Walk.Drop, name)) {
			winner = name
		}
		found = append(found, hits...)
	}
	return found
}

// nearestOnly keeps the files of the innermost directory that has any.
func (r *resolver) nearestOnly(found []candidate) []candidate {
	if len(found) == 0 {
		return found
	}
	nearest := found[len(found)-1].scope
	for i := range found {
		if found[i].scope != nearest && found[i].state == "" {
			found[i].state = Shadowed
			found[i].why = fmt.Sprintf("%s reads the nearest file alone, which lies in %s", r.profile.Title, r.display(nearest))
		}
	}
	return found
}

// order sorts what a walk found. The walk itself goes from the outermost
// directory to the nearest.
func (r *resolver) order(order string, found []candidate) []candidate {
	depth := func(c candidate) int { return strings.Count(c.scope, string(filepath.Separator)) }
	switch order {
	case "nearest":
		slices.SortStableFunc(found, func(a, b candidate) int { return depth(b) - depth(a) })
	case "sorted":
		slices.SortStableFunc(found, func(a, b candidate) int { return strings.Compare(a.path, b.path) })
	}
	return found
}

// position says in words where a directory of the walk lies.
func (r *resolver) position(s *Step, dir string) string {
	if s.Why != "" {
		return s.Why
	}
	root := ""
	if dir == r.req.Root {
		root = ", the root of the walk"
		if !fsys.Within(r.req.Root, r.req.Dir) {
			root = ""
		}
	}
	up := levelsUp(dir, r.req.Dir)
	switch {
	case dir == r.req.Dir && root != "":
		return "in the directory of the file, which is the root of the walk"
	case dir == r.req.Dir:
		return "in the directory of the file"
	case up > 0:
		return fmt.Sprintf("ancestor, %s up%s", levels(up), root)
	}
	return fmt.Sprintf("in %s, where the tool was started", r.named(dir))
}

// levelsUp counts the directories between an ancestor and a directory; 0 where
// it is none.
func levelsUp(ancestor, dir string) int {
	if ancestor == dir || !fsys.Within(ancestor, dir) {
		return 0
	}
	rel, err := filepath.Rel(ancestor, dir)
	if err != nil {
		return 0
	}
	return strings.Count(filepath.ToSlash(rel), "/") + 1
}

func levels(n int) string {
	if n == 1 {
		return "1 level"
	}
	return fmt.Sprintf("%d levels", n)
}

// below says what becomes of files beneath the end of the walk, on the way to
// the target and to what was read.
func (r *resolver) below(s *Step, walked, dirs []string) []candidate {
	w := s.Walk
	end := r.walkEnd(w)
	names := walked
	if len(w.BelowNames) > 0 {
		names = w.BelowNames
	}
	read := r.readDir(s)
	var found []candidate
	for _, dir := range r.belowDirs(w, end, read) {
		if slices.Contains(dirs, dir) {
			continue
		}
		if w.BelowHolds != "" {
			if _, ok := r.has(dir, w.BelowHolds); !ok {
				continue
			}
		}
		here := r.inDirectory(s, names, dir, w.BelowChoice)
		for i := range here {
			r.settleBelow(s, &here[i], dir, read)
		}
		found = append(found, here...)
	}
	return found
}

// belowDirs lists the directories strictly below the end of the walk that lie
// on the way to the target or to the file that was read.
func (r *resolver) belowDirs(w *WalkStep, end, read string) []string {
	var dirs []string
	for _, leaf := range []string{r.req.Dir, read} {
		if leaf == "" || leaf == end || !(fsys.Within(end, leaf) || w.BelowPrefix && strings.HasPrefix(leaf, end)) {
			continue
		}
		for _, dir := range above(end, leaf) {
			if !slices.Contains(dirs, dir) {
				dirs = append(dirs, dir)
			}
		}
	}
	if w.BelowOrder == "nearest" {
		slices.Reverse(dirs)
	}
	return dirs
}

// above lists the directories from leaf up to where their path no longer begins
// with end, or is end itself; the outermost first. Below end that is the chain
// between the two; beside it, what a tool takes for that which compares no more
// than the first characters.
func above(end, leaf string) []string {
	var dirs []string
	for dir := leaf; dir != end && strings.HasPrefix(dir, end) && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		dirs = append(dirs, dir)
	}
	slices.Reverse(dirs)
	return dirs
}

func (r *resolver) settleBelow(s *Step, c *candidate, dir, read string) {
	if c.state != "" {
		return
	}
	w := s.Walk
	if w.BelowSetting != "" && !r.settings.isTrue(w.BelowSetting) {
		c.state = NeedsSetting
		c.why = fmt.Sprintf("below the workspace root; %s looks there when the setting %s is on", r.profile.Title, w.BelowSetting)
		return
	}
	switch w.Below {
	case "sent":
		c.why = r.position(s, dir)
	case "listed":
		c.state = Listed
		c.why = fmt.Sprintf("%s tells the model that the file is there, and the model must read it", r.profile.Title)
	case "on-read":
		c.state, c.mode, c.late = OnRead, "auto-attached", true
		if read != "" && fsys.Within(dir, read) {
			if w.BelowNotItself && c.path == r.req.Event.Path {
				c.why = fmt.Sprintf("it is the very file that was read; %s does not add it to itself", r.profile.Title)
				return
			}
			c.sent = true
			c.why = fmt.Sprintf("%s was read, which lies in its scope", r.display(r.req.Event.Path))
			if end := r.walkEnd(w); !fsys.Within(end, dir) {
				c.why += fmt.Sprintf("; it is not below %s, but %s compares no more than the beginning of the two paths", r.named(end), r.profile.Title)
			}
			return
		}
		c.why = fmt.Sprintf("below %s; it waits until a file in %s is read", r.whereItEnds(w), r.display(dir))
	default:
		c.state = OutOfScope
		c.why = fmt.Sprintf("below %s; %s never looks there", r.whereItEnds(w), r.profile.Title)
	}
}

// whereItEnds says in words where the walk ends.
func (r *resolver) whereItEnds(w *WalkStep) string {
	end := r.walkEnd(w)
	if end == r.req.Cwd {
		return r.named(end) + ", where the tool was started"
	}
	return r.named(end)
}

// isRead tells whether the event counts as a read for a step.
func (r *resolver) isRead(s *Step) bool {
	if r.req.Event.Path == "" {
		return false
	}
	events := r.profile.Events
	if len(s.Events) > 0 {
		events = s.Events
	}
	if len(events) == 0 {
		return r.req.Event.Kind == "read"
	}
	return slices.Contains(events, r.req.Event.Kind)
}

// readDir is the directory that was listed, or that of the file that was read;
// empty where the event is none for the step.
func (r *resolver) readDir(s *Step) string {
	switch {
	case !r.isRead(s):
		return ""
	case r.req.Event.Kind == "list":
		return r.req.Event.Path
	}
	return filepath.Dir(r.req.Event.Path)
}

// chain lists the directories from root down to dir. A dir that is not inside
// root gives only dir itself.
func chain(root, dir string) []string {
	if !fsys.Within(root, dir) {
		return []string{dir}
	}
	dirs := []string{dir}
	for dir != root {
		parent := filepath.Dir(dir)
		if parent == dir {
			break
		}
		dir = parent
		dirs = append(dirs, dir)
	}
	slices.Reverse(dirs)
	return dirs
}
