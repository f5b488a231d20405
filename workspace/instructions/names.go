package instructions

import "strings"

// known maps the names that some tool reads to their kind. A file of such a
// name that the walk passes is never silent: it is sent, or it says why not.
// Names and spellings: instruction file conventions of the tools' own
// documentation, checked 2026-11-30.
var known = []struct {
	name string
	kind Kind
}{
	{"AGENTS.md", KindAgents},
	{"AGENTS.override.md", KindAgents},
	{"AGENTS.local.md", KindAgents},
	{"AGENT.md", KindAgents},
	{"CLAUDE.md", KindClaude},
	{"CLAUDE.local.md", KindClaude},
	{"GEMINI.md", KindGemini},
	{"COPILOT.md", KindCopilot},
	{"CONTEXT.md", KindOther},
	{".github/copilot-instructions.md", KindCopilot},
	{".cursorrules", KindCursor},
	{".windsurfrules", KindWindsurf},
	{".clinerules", KindCline},
	{".roorules", KindRoo},
	{".rules", KindZed},
	{"WARP.md", KindOther},
	{".goosehints", KindOther},
}

// DefaultNames are the names that foreword's own profile reads in every
// directory of the walk, in this order.
func DefaultNames() []string {
	p, ok, err := LookupProfile(Own)
	if err != nil || !ok {
		return nil
	}
	for _, s := range p.Steps {
		if s.Walk != nil {
			return s.Walk.Names
		}
	}
	return nil
}

// KindOf says for which tool's convention a file name stands, and whether any
// tool reads that name. The name is compared exactly.
func KindOf(name string) (Kind, bool) {
	for _, k := range known {
		if k.name == name {
			return k.kind, true
		}
	}
	return KindOther, false
}

// IsName tells whether a base name is one that a walk with these names reads,
// or one that some other tool does.
func IsName(base string, names []string) bool {
	for _, n := range names {
		if lastSegment(n) == base {
			return true
		}
	}
	for _, k := range known {
		if lastSegment(k.name) == base {
			return true
		}
	}
	return false
}

// wrongCase finds the configured name that base spells in the wrong case.
func wrongCase(base string, names []string) (string, bool) {
	for _, n := range names {
		if n != base && strings.EqualFold(n, base) {
			return n, true
		}
	}
	return "", false
}

func lastSegment(name string) string {
	return name[strings.LastIndexByte(name, '/')+1:]
}
