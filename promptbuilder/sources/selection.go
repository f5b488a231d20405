package sources

import (
	"slices"
	"strings"
)

// covers says what a name in include stands for beside the source or group of
// that name: the files of the workspace come with the rules for them.
var covers = map[string][]string{"files": {"instructions"}}

// Included lists the names of include with all that they cover, each once.
func Included(include []string) []string {
	var names []string
	for _, name := range include {
		for _, covered := range append([]string{name}, covers[name]...) {
			if !slices.Contains(names, covered) {
				names = append(names, covered)
			}
		}
	}
	return names
}

// Omit says why a source is no part of the prompt of this request, whatever it
// would say; empty where it is.
func (in *Input) Omit(s Source) string {
	if in.Agent.Hidden && s.Key != "core/identity" {
		return "the agent " + in.Agent.Name + " is told nothing but its own prompt"
	}
	switch in.Compat {
	case "gptme":
		return in.omitAsGptme(s)
	case "opencode":
		if opencodeSays(s) {
			return ""
		}
		return "opencode says nothing of the kind"
	}
	// The assistant's own folder is part of who it is.
	if !in.Selective || s.Layer == Core || s.Essential || s.Group == "agent-folder" || in.includes(s, Included(in.Include)) {
		return ""
	}
	return "not included: the request asks for selective context"
}

func (in *Input) includes(s Source, names []string) bool {
	return slices.Contains(names, "all") || slices.Contains(names, s.Key) || slices.Contains(names, s.Group)
}

// omitAsGptme follows gptme's assembly (gptme/gptme, gptme/prompts/__init__.py,
// 2026-08-22), which lets the tools and the form decide about sections that have
// nothing to do with them, and runs no command of the project without its files.
func (in *Input) omitAsGptme(s Source) string {
	names := in.Include
	if slices.Contains(names, "all") {
		names = append(slices.Clone(names), "files", "cmd")
	}
	files := !in.Selective || slices.Contains(names, "files")
	cmd := !in.Selective || slices.Contains(names, "cmd")
	tools, custom := len(in.Tools) > 0, strings.TrimSpace(in.Prompt) != ""
	const short, without = "gptme leaves it out of the short form", "gptme leaves it out where there are no tools"
	switch s.Group {
	case "identity", "behaviour":
		return ""
	case "tools", "skills", "user", "project", "environment", "date":
		switch {
		case in.Selective && !tools:
			return without
		case s.Group == "tools":
			return ""
		case custom:
			return "gptme leaves it out beside a custom prompt"
		case in.Compact && !tools:
			return without
		case in.Compact && s.Group != "user" && s.Group != "project":
			return short
		case s.Group == "skills" && !tools:
			return without
		}
		return ""
	case "files", "instructions", "git":
		if !files {
			return "not included: the request asks for selective context"
		}
		return ""
	case "cmd":
		switch {
		case !cmd:
			return "not included: the request asks for selective context"
		case !files && s.Key != "core/context-command":
			return "gptme runs the project's command only where its files are included"
		}
		return ""
	case "agent-folder", "output", "history":
		return ""
	}
	return "gptme says nothing of the kind"
}

// ownPrompt is the request's own prompt. Gptme loses it in selective context
// without tools.
func (in *Input) ownPrompt() string {
	if in.Compat == "gptme" && in.Selective && len(in.Tools) == 0 {
		return ""
	}
	return strings.Trim(in.Prompt, "\r\n")
}

// opencodeSays lists what opencode's system text is made of (anomalyco/opencode,
// packages/opencode/src/session/prompt.ts and llm/request.ts at 0abbcddac,
// 2026-07-08).
func opencodeSays(s Source) bool {
	switch s.Group {
	case "identity", "environment", "date", "instructions", "skills", "references", "output":
		return true
	}
	return false
}
