package lint

import (
	"fmt"

	"foreword/workspace/instructions"
	"foreword/workspace/instructions/frontmatter"
	"foreword/workspace/instructions/globs"
)

// globRules are the problems that the pattern readers find.
var globRules = []Rule{
	{Code: globs.CodeSyntax, Severity: Warning, ByTool: true, Doc: Doc{
		"A pattern is not what its author meant.", "The tool drops it, or matches other files.", "As the message says."}},
	{Code: globs.CodeTooManyBraces, Severity: Warning, ByTool: true, Doc: Doc{
		"The braces of a pattern stand for too many patterns.", "The pattern matches nothing.", "Write fewer alternatives, or several patterns."}},
	{Code: globs.CodeBackslash, Severity: Warning, ByTool: true, Doc: Doc{
		"A pattern holds a backslash.", "It makes the next character ordinary and separates no folders; Markdown formatters put it in front of a *.", "Write / between folders, and * without a backslash."}},
	{Code: globs.CodeNegation, Severity: Warning, ByTool: true, Doc: Doc{
		"A pattern begins with !.", "In this tool that excludes nothing.", "Take the pattern out."}},
	{Code: globs.CodeBraces, Severity: Info, ByTool: true, Doc: Doc{
		"A pattern has braces.", "They are reported to mean themselves in this tool.", "Write several patterns."}},
	{Code: globs.CodeDotSlash, Severity: Warning, ByTool: true, Doc: Doc{
		"A pattern begins with ./.", "In this tool it matches nothing.", "Take ./ off."}},
	{Code: globs.CodeRooted, Severity: Warning, ByTool: true, Doc: Doc{
		"A pattern begins with /.", "In this tool paths are relative, so it matches nothing.", "Take the slash off."}},
	{Code: globs.CodeTrailingSlash, Severity: Warning, ByTool: true, Doc: Doc{
		"A pattern ends with /.", "In this tool it matches no file.", "Write dir/** for all that is in a folder."}},
}

// fromGlobs gives each problem of a pattern the function that takes it over.
func fromGlobs() []Rule {
	out := make([]Rule, len(globRules))
	for i, r := range globRules {
		r.check = func(in *Input) []Diagnostic { return in.globProblems(r.Code) }
		out[i] = r
	}
	return out
}

func (in *Input) globProblems(code string) []Diagnostic {
	var out []Diagnostic
	for _, f := range in.Files {
		for _, r := range in.ruleReads(f) {
			key, field, ok := r.globs()
			if !ok {
				continue
			}
			patterns := r.patterns(f, field)
			_, problems := globs.Compile(globs.Dialect(r.step.Rules.Dialect), texts(patterns))
			for _, p := range problems {
				if p.Code != code || p.Index < 0 || p.Index >= len(patterns) {
					continue
				}
				out = append(out, Diagnostic{
					Path: f.Path, Place: patterns[p.Index].place, Tools: []string{r.tool.Profile.Name},
					Message: fmt.Sprintf("%s: %q: %s", key, patterns[p.Index].text, p.Message),
				})
			}
		}
	}
	return out
}

// pattern is one of a header's.
type pattern struct {
	text  string
	place *instructions.Place
}

func texts(patterns []pattern) []string {
	out := make([]string, len(patterns))
	for i, p := range patterns {
		out[i] = p.text
	}
	return out
}

// patterns takes a header's list apart as the tool does; nil where the tool
// drops the value for its type.
func (r ruleRead) patterns(f *File, field frontmatter.Field) []pattern {
	if r.wrongType(field) {
		return nil
	}
	var out []pattern
	if field.Kind == frontmatter.List {
		for _, item := range field.Items {
			out = append(out, pattern{item.Text, &instructions.Place{Line: item.Line, Column: item.Column, EndColumn: item.EndColumn}})
		}
		return out
	}
	whole := f.ofValue(field)
	for _, p := range globs.Split(globs.Splitter(r.step.Rules.Split), field.Text) {
		place := whole
		// Inside a plain value on one line, the place of one pattern is known.
		if field.Line == field.EndLine && field.EndColumn-field.Column == len(field.Text) {
			place = &instructions.Place{Line: field.Line, Column: field.Column + p.Start, EndColumn: field.Column + p.End}
		}
		out = append(out, pattern{p.Text, place})
	}
	return out
}
