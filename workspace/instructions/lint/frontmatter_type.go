package lint

import (
	"fmt"
	"slices"
	"strings"

	"foreword/workspace/instructions"
	"foreword/workspace/instructions/frontmatter"
)

var frontmatterType = Rule{
	Code: "frontmatter-type", Severity: Error, ByTool: true,
	Doc: Doc{
		What: "A key of the header has a value of a type that the tool does not take.",
		Why:  "The tool drops the value without a word: the rule never applies, or always.",
		Mend: "Write the value in the form that the message names.",
	},
	check: checkFrontmatterType,
}

func checkFrontmatterType(in *Input) []Diagnostic {
	var out []Diagnostic
	for _, f := range in.Files {
		for _, r := range in.ruleReads(f) {
			add := func(field frontmatter.Field, severity Severity, message string) {
				out = append(out, Diagnostic{Path: f.Path, Place: f.ofValue(field), Severity: severity, Message: message, Tools: []string{r.tool.Profile.Name}})
			}
			if key, field, ok := r.globs(); ok && r.wrongType(field) {
				add(field, unset, fmt.Sprintf("%s must be %s, and is a %s; %s", key, r.wantedTypes(), field.Kind, r.afterWrongType()))
			}
			if key := r.step.Rules.Always; key != "" {
				if field, ok := r.header.Field(key); ok && field.Kind != frontmatter.Bool && field.Kind != frontmatter.Null {
					// That "true" in quotes does not count is reported, not documented.
					add(field, Info, fmt.Sprintf("%s must be true or false without quotes, and is a %s; %s may not take it", key, field.Kind, r.tool.Profile.Title))
				}
			}
			if r.entry.Kind == instructions.KindSkill {
				for _, key := range []string{"name", "description"} {
					if field, ok := r.header.Field(key); ok && field.Kind != frontmatter.String && field.Kind != frontmatter.Null {
						add(field, Warning, fmt.Sprintf("%s must be a string, and is a %s", key, field.Kind))
					}
				}
			}
		}
	}
	return out
}

// wrongType tells whether the tool takes no list of patterns of this type.
func (r ruleRead) wrongType(field frontmatter.Field) bool {
	types := r.step.Rules.GlobTypes
	switch field.Kind {
	case frontmatter.List:
		if len(types) > 0 && !slices.Contains(types, "list") {
			return true
		}
		return slices.ContainsFunc(field.Items, func(item frontmatter.Item) bool {
			return item.Kind != frontmatter.String || strings.TrimSpace(item.Text) == ""
		})
	case frontmatter.String:
		return len(types) > 0 && !slices.Contains(types, "string")
	}
	return true
}

func (r ruleRead) wantedTypes() string {
	switch types := r.step.Rules.GlobTypes; {
	case slices.Equal(types, []string{"string"}):
		return "one string (join the patterns with commas)"
	case slices.Equal(types, []string{"list"}):
		return "a list of strings that are not empty"
	}
	return "a string, or a list of strings that are not empty"
}

// afterWrongType says what the tool makes of it.
func (r ruleRead) afterWrongType() string {
	switch r.step.Rules.WrongType {
	case "always":
		return r.tool.Profile.Title + " applies the rule always"
	case "never":
		return r.tool.Profile.Title + " never applies the rule"
	}
	return r.tool.Profile.Title + " drops it, so the rule is not applied by itself"
}
