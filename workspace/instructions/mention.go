package instructions

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"foreword/workspace/fsys"
)

// mentionOthers tells about files on the way from the root to the target that
// the profile does not read: those that other tools do, and those whose name
// differs only in case. Nothing of a known name is silent.
func (r *resolver) mentionOthers() {
	r.personal = false
	if r.req.Root == "" {
		return
	}
	names := r.readNames()
	for _, dir := range chain(r.req.Root, r.req.Dir) {
		r.mentionNever(dir)
		for _, e := range r.list(dir) {
			r.mention(dir, e, names)
		}
		if _, ok := r.has(dir, ".github"); ok {
			r.mentionCopilot(dir, names)
		}
	}
}

// mentionCopilot tells about the one file of a known name that lies in a folder.
func (r *resolver) mentionCopilot(dir string, names []string) {
	for _, e := range r.list(filepath.Join(dir, ".github")) {
		name := ".github/" + e.Name
		switch {
		case e.Kind == fsys.KindDir || !strings.EqualFold(name, copilotFile):
		case name == copilotFile:
			r.notRead(dir, name, KindCopilot, names)
		case slices.Contains(names, copilotFile):
			r.add(dir, name, KindCopilot, fmt.Sprintf("named %s; the name that is read is %s, in exactly this case", name, copilotFile))
		}
	}
}

// mentionNever tells why the tool does not read what people expect it to.
func (r *resolver) mentionNever(dir string) {
	for _, never := range r.profile.Never {
		for _, name := range never.Names {
			if kind, ok := r.has(dir, name); ok && kind != fsys.KindDir {
				r.add(dir, name, kindOrOther(name), never.Why)
			}
		}
	}
}

const copilotFile = ".github/copilot-instructions.md"

// readNames lists the names that the profile's walks look for.
func (r *resolver) readNames() []string {
	var names []string
	for i := range r.profile.Steps {
		s := &r.profile.Steps[i]
		switch {
		case s.Walk != nil:
			names = append(names, r.walkNames(s.Walk)...)
		case s.Files != nil && !s.Personal:
			names = append(names, s.Files.Paths...)
		case s.Listed != nil && !s.Personal:
			names = append(names, s.Listed.Default...)
		}
	}
	var out []string
	for _, name := range names {
		fixed := !strings.HasPrefix(name, "setting:") && !strings.Contains(name, "${") && !strings.HasPrefix(name, "~")
		if fixed && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

func (r *resolver) mention(dir string, e fsys.Entry, names []string) {
	if e.Kind == fsys.KindDir {
		return // a folder of rules, such as .clinerules/
	}
	if kind, ok := KindOf(e.Name); ok {
		r.notRead(dir, e.Name, kind, names)
		return
	}
	if right, ok := wrongCase(e.Name, names); ok {
		why := fmt.Sprintf("named %s; the name that is read is %s, in exactly this case", e.Name, right)
		if r.add(dir, e.Name, kindOrOther(right), why) && r.profile.Name != Own {
			r.warn("wrong-case-name", filepath.Join(dir, e.Name), fmt.Sprintf("%s is read by %s only when it is named %s", r.display(filepath.Join(dir, e.Name)), r.profile.Title, right))
		}
	}
}

func (r *resolver) notRead(dir, name string, kind Kind, names []string) {
	var why string
	switch {
	case len(names) == 0:
		why = r.profile.Title + " reads no file of this name"
	case r.profile.Name == Own:
		why = "the names that are read are " + strings.Join(names, ", ")
		if !strings.Contains(name, "/") { // the setting takes names, not paths
			why += fmt.Sprintf("; add %s to the setting instructions.names to send it", name)
		}
	default:
		why = fmt.Sprintf("%s reads %s, and here no other name", r.profile.Title, strings.Join(names, ", "))
	}
	r.add(dir, name, kind, why)
}

// add tells about a file that is not read, unless a step did already.
func (r *resolver) add(dir, name string, kind Kind, why string) bool {
	path := filepath.Join(dir, filepath.FromSlash(name))
	if r.told[path] {
		return false
	}
	e := Entry{Path: path, RealPath: path, Kind: kind, State: NotReadByTool, Rule: r.rule(nil), Scope: dir, Why: why}
	if info, err := r.at(dir).Lstat(path); err == nil {
		e.Size = fsys.SizeOf(r.at(dir), info)
		e.Bytes = e.Size
	}
	r.told[path] = true
	r.entries = append(r.entries, e)
	return true
}
