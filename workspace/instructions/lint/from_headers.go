package lint

import (
	"slices"
	"strings"

	"foreword/workspace/instructions"
	"foreword/workspace/instructions/frontmatter"
)

// yamlSource is what headers in YAML must follow.
const yamlSource = "https://yaml.org/spec/1.2.2/"

// headerRules are the problems that the readers of headers find.
var headerRules = []Rule{
	{Code: "frontmatter-unclosed", Severity: Error, ByTool: true, Doc: Doc{
		"The header is opened and never closed.", "VS Code then takes the whole file for header and sends nothing; other tools take the header for text, so that the rule holds for all files.", "Close it with a second line of three dashes."}},
	{Code: "text-above-header", Severity: Error, ByTool: true, Tools: []string{"continue", instructions.Own}, Doc: Doc{
		"Text stands above the first line of three dashes.", "Continue takes what stands between any two such lines for the header, and drops what stands above.", "Move the header to the first line, or write *** for a line in the text."}},
	{Code: "nbsp", Severity: Warning, Source: "https://yaml.org/spec/1.2.2/#white-space-characters", Doc: Doc{
		"A character that looks like a space, and is none, stands beside a key or a value.", "Readers take it for part of the text, so the key is not known, or the pattern matches nothing.", "Replace it by a space."}},
	{Code: "key-not-plain", Severity: Warning, Source: yamlSource, Doc: Doc{
		"A key of the header is no word.", "No tool knows such a key.", "Write key: value."}},
	{Code: "not-strict-yaml", Severity: Hint, Source: "https://cursor.com/docs/rules; https://forum.cursor.com/t/rule-frontmatter-format/146274", Doc: Doc{
		"The header is no YAML.", "That is right for Cursor, which reads plain text; other tools that read the file with a YAML parser fail.", "Nothing: quotes around the globs would switch the rule off in Cursor."}},
}

// yamlRules are the ways in which a header is no YAML, each under the code of
// the reader.
var yamlRules = []struct{ code, what string }{
	{"yaml-alias", "A value begins with *, which is an alias in YAML."},
	{"yaml-anchor", "A value begins with &, which is an anchor in YAML."},
	{"yaml-character", "The header holds a character that YAML does not allow."},
	{"yaml-dash", "A list begins on the line of its key."},
	{"yaml-dots", "A line of three dots ends the document."},
	{"yaml-duplicate-key", "A key stands twice."},
	{"yaml-flow", "Text follows a closing bracket."},
	{"yaml-indent", "A line is indented as no line before it."},
	{"yaml-nbsp", "The blank after a colon is no space."},
	{"yaml-no-colon", "A line is no key: value."},
	{"yaml-no-mapping", "The header does not consist of key: value lines."},
	{"yaml-no-space", "No space follows the colon."},
	{"yaml-quote", "Text follows a closing quote."},
	{"yaml-reserved", "A value begins with a character that YAML reserves."},
	{"yaml-syntax", "The header is no valid YAML."},
	{"yaml-tab", "A tab indents a line."},
	{"yaml-tag", "A value begins with !, which is a tag in YAML."},
	{"yaml-too-large", "The header is too large to be read."},
	{"yaml-unclosed-bracket", "A bracket is never closed."},
	{"yaml-unclosed-quote", "A quote is never closed."},
	{"yaml-unquoted-colon", "A value holds a colon followed by a blank, which ends a key in YAML."},
}

// fromHeaders gives each problem of a header the function that takes it over.
func fromHeaders() []Rule {
	out := slices.Clone(headerRules)
	for _, y := range yamlRules {
		out = append(out, Rule{Code: y.code, Severity: Error, ByTool: true, Source: yamlSource, Doc: Doc{
			y.what, "Tools that read the header with a YAML parser get nothing out of it: the rule is dropped, or holds for all files.", "As the message says; mostly by putting the value in quotes.",
		}})
	}
	for i := range out {
		code := out[i].Code
		out[i].check = func(in *Input) []Diagnostic { return in.headerProblems(code) }
	}
	return out
}

// headerProblems gathers what the readers say of headers under one code. Tools
// for which a fault means the same share a diagnostic.
func (in *Input) headerProblems(code string) []Diagnostic {
	var out []Diagnostic
	for _, f := range in.Files {
		var here []*Diagnostic
		tools := map[*Diagnostic][]*Tool{}
		for _, r := range in.ruleReads(f) {
			for _, p := range r.header.Problems {
				if p.Code != code || elsewhere(r, p) || saidBetter(r, p) {
					continue
				}
				d := &Diagnostic{
					Path: f.Path, Place: &instructions.Place{Line: p.Line, Column: p.Column, EndColumn: p.EndColumn},
					Message: p.Message, Severity: headerSeverity(r, p),
				}
				consequence := r.consequence(p)
				d.Source = consequence // until the message is complete
				if at := slices.IndexFunc(here, func(o *Diagnostic) bool {
					return o.says(*d) && o.Severity == d.Severity && o.Source == consequence
				}); at >= 0 {
					d = here[at]
				} else {
					here = append(here, d)
				}
				if !slices.Contains(tools[d], r.tool) {
					tools[d] = append(tools[d], r.tool)
				}
			}
		}
		for _, d := range here {
			if d.Source != "" {
				d.Message += "; until then " + titles(tools[d]) + " " + d.Source
			}
			d.Source, d.Tools = "", names(tools[d])
			out = append(out, *d)
		}
	}
	return out
}

// elsewhere tells that a problem is no fault in this file: its tool reads the
// form of the header as it is meant, and the hint is Cursor's alone.
func elsewhere(r ruleRead, p frontmatter.Problem) bool {
	return p.Code == "not-strict-yaml" && !strings.HasSuffix(r.entry.Path, ".mdc")
}

// saidBetter tells that another problem explains the same odd space.
func saidBetter(r ruleRead, p frontmatter.Problem) bool {
	return p.Code == "nbsp" && slices.ContainsFunc(r.header.Problems, func(o frontmatter.Problem) bool {
		return o.Code == "yaml-nbsp" && o.Line == p.Line && o.Column == p.Column
	})
}

// headerSeverity is lower where the tool makes the best of the fault.
func headerSeverity(r ruleRead, p frontmatter.Problem) Severity {
	switch {
	case strings.HasPrefix(p.Code, "yaml-") && !r.header.Broken:
		return Warning
	case p.Code == "frontmatter-unclosed" && !r.header.Broken:
		return Warning
	}
	return unset
}

// consequence says what a fault means to the tool until it is mended; empty
// where that needs no word.
func (r ruleRead) consequence(p frontmatter.Problem) string {
	rules := r.step.Rules
	switch {
	case !r.header.Broken || !strings.HasPrefix(p.Code, "yaml-"):
		return ""
	case rules.Skill != nil && rules.Skill.Broken == "kept":
		return "cannot tell the name and description of the skill"
	case isSkills(rules):
		return "may leave the skill out"
	case rules.Broken == "never":
		return "cannot apply the rule"
	}
	return "may apply the rule to all files"
}
