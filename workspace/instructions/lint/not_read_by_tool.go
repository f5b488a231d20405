package lint

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"foreword/workspace/instructions"
)

var notReadByTool = Rule{
	Code: "not-read-by-tool", Severity: Info, ByTool: true,
	Doc: Doc{
		What: "A tool that is used here does not read this file.",
		Why:  "It reads other names, or other places.",
		Mend: "The message names what lets the tool read it; where the file is for other tools, nothing.",
	},
	check: checkNotReadByTool,
}

// readTheFile says by tool what makes it read a file that it does not know.
var readTheFile = map[string]string{
	"aider":        "list it under read: in .aider.conf.yml",
	"claude-code":  "add a CLAUDE.md beside it that contains @AGENTS.md",
	"codex":        "add the name to project_doc_fallback_filenames in ~/.codex/config.toml",
	"crush":        "add the path to options.context_paths in crush.json",
	"foreword":     "add the name to the setting instructions.names",
	"gemini-cli":   "add the name to context.fileName in .gemini/settings.json",
	"goose":        "add the name to CONTEXT_FILE_NAMES",
	"junie":        "name it in Junie's settings as the path of the guidelines",
	"kilo":         "list it under instructions in kilo.jsonc",
	"opencode":     "list it under instructions in opencode.json",
	"agent-skills": "",
}

func checkNotReadByTool(in *Input) []Diagnostic {
	var out []Diagnostic
	for _, f := range in.Files {
		for _, t := range in.Tools {
			if in.meantForOthers(f, t) || t.delivered(f) {
				continue
			}
			if why, ok := in.whyNotRead(f, t); ok {
				out = append(out, Diagnostic{Path: f.Path, Tools: []string{t.Profile.Name}, Message: why})
			}
		}
	}
	return out
}

// meantForOthers tells whether a file is plainly none of a tool's business:
// another tool that is used here reads it, and it is not the one that all share.
func (in *Input) meantForOthers(f *File, t *Tool) bool {
	if t.Profile.Name == "agent-skills" || filepath.Base(f.Path) == "AGENTS.md" {
		return t.Profile.Name == "agent-skills"
	}
	return slices.ContainsFunc(in.Tools, func(o *Tool) bool {
		return o != t && o.Profile.Name != instructions.Own && reads(o.entry(f))
	})
}

func (in *Input) whyNotRead(f *File, t *Tool) (string, bool) {
	if f.Kind == instructions.KindRule || f.Kind == instructions.KindSkill {
		return t.wrongSuffix(f)
	}
	e := t.entry(f)
	if e == nil || e.State != instructions.NotReadByTool {
		return "", false
	}
	if _, wrong := t.rightName(f); wrong {
		return "", false // wrong-case-name says so
	}
	message := t.Profile.Title + " does not read " + filepath.Base(f.Path)
	switch hint := readTheFile[t.Profile.Name]; {
	case t.never(f):
		return message + ": " + e.Why, true
	case t.onlyInRoot(f):
		return message + " here, only in the root of the project", true
	case e.Step != "": // a step looks for it, in other versions
		return fmt.Sprintf("%s; %s", e.Why, hint), true
	case hint != "" && (t.Profile.Name != "claude-code" || filepath.Base(f.Path) == "AGENTS.md"):
		return message + "; " + hint, true
	}
	return message, true
}

// never tells whether the profile says of this very name why it is not read.
func (t *Tool) never(f *File) bool {
	return slices.ContainsFunc(t.Profile.Never, func(n instructions.NeverRule) bool {
		return slices.ContainsFunc(n.Names, func(name string) bool { return strings.HasSuffix(filepath.ToSlash(f.Path), "/"+name) })
	})
}

// onlyInRoot tells whether the tool reads a file of this name at one place.
func (t *Tool) onlyInRoot(f *File) bool {
	p := t.Places[f.Dir]
	if p == nil || f.Dir == p.Root {
		return false
	}
	rel, err := filepath.Rel(f.Dir, f.Path)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(t.Profile.Steps, func(s instructions.Step) bool {
		return s.Files != nil && slices.Contains(s.Files.Paths, filepath.ToSlash(rel))
	})
}

// wrongSuffix says of a file in a tool's folder of rules that its name does not
// end as the tool wants it.
func (t *Tool) wrongSuffix(f *File) (string, bool) {
	rel, err := filepath.Rel(f.Dir, f.Path)
	if err != nil || t.entry(f) != nil {
		return "", false
	}
	for i := range t.Profile.Steps {
		rules := t.Profile.Steps[i].Rules
		if rules == nil || len(rules.Suffixes) == 0 || t.Profile.Steps[i].Personal || isSkills(rules) {
			continue
		}
		for _, dir := range rules.Dirs {
			inside, ok := strings.CutPrefix(filepath.ToSlash(rel), dir+"/")
			if !ok {
				continue
			}
			switch {
			case !slices.ContainsFunc(rules.Suffixes, func(s string) bool { return strings.HasSuffix(inside, s) }):
				return fmt.Sprintf("%s reads only files that end in %s in %s", t.Profile.Title, strings.Join(rules.Suffixes, " or "), dir), true
			case strings.Contains(inside, "/") && !rules.Recursive:
				return fmt.Sprintf("%s looks into no folders below %s", t.Profile.Title, dir), true
			}
		}
	}
	return "", false
}
