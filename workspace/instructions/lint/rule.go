package lint

import (
	"slices"

	"foreword/workspace/instructions"
)

// Rule is one kind of fault.
type Rule struct {
	// Code is its stable name.
	Code string
	// Severity at most.
	Severity Severity
	// ByTool tells that the fact behind it is one of the tools, so that the
	// evidence for the tool bounds the severity.
	ByTool bool
	// Tools that it can concern; all where it is empty.
	Tools []string
	// Source is where the fact stands; the profile's own source where it is
	// empty.
	Source string
	// Doc is for the reader of a diagnostic.
	Doc Doc

	check func(*Input) []Diagnostic
}

// Doc explains a rule in three short texts.
type Doc struct {
	// What is wrong, Why it matters, and what to do to Mend it.
	What, Why, Mend string
}

// Rules lists all rules, sorted by code.
func Rules() []Rule { return slices.Clone(rules()) }

// Lookup finds a rule by code.
func Lookup(code string) (Rule, bool) {
	for _, r := range rules() {
		if r.Code == code {
			return r, true
		}
	}
	return Rule{}, false
}

// run gives a rule's findings with code, severity and source filled in.
func (r Rule) run(in *Input) []Diagnostic {
	if len(r.Tools) > 0 && !slices.ContainsFunc(in.Tools, func(t *Tool) bool { return slices.Contains(r.Tools, t.Profile.Name) }) {
		return nil
	}
	found := r.check(in)
	for i := range found {
		d := &found[i]
		d.Code = r.Code
		if d.Severity == unset {
			d.Severity = r.Severity
		}
		if r.ByTool {
			d.Severity = min(d.Severity, in.most(d.Tools))
		}
		if d.Source == "" {
			d.Source = r.sourceFor(d.Tools)
		}
	}
	return found
}

// most is the severity that the evidence for the best known of the tools bears.
func (in *Input) most(tools []string) Severity {
	most := Info
	for _, t := range in.Tools {
		if slices.Contains(tools, t.Profile.Name) {
			most = max(most, t.Evidence.most())
		}
	}
	return most
}

func (r Rule) sourceFor(tools []string) string {
	if r.Source != "" || len(tools) == 0 {
		return r.Source
	}
	p, ok, err := instructions.LookupProfile(tools[0])
	if err != nil || !ok {
		return ""
	}
	return p.Rule.Source
}
