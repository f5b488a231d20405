package instructions

import (
	"fmt"
	"regexp"
	"slices"

	"foreword/workspace/instructions/frontmatter"
)

// skips tells whether the header of a rule names this tool among those that are
// to leave it out.
func skips(rules *RulesStep, d frontmatter.Document) (value string, skipped bool) {
	if rules.SkipKey == "" {
		return "", false
	}
	f, ok := d.Field(rules.SkipKey)
	if !ok {
		return "", false
	}
	for _, value := range texts(f) {
		if slices.Contains(rules.SkipValues, value) {
			return value, true
		}
	}
	return "", false
}

// texts are the values of a field that may be one or several.
func texts(f frontmatter.Field) []string {
	if f.Kind != frontmatter.List {
		return []string{f.Text}
	}
	var out []string
	for _, item := range f.Items {
		out = append(out, item.Text)
	}
	return out
}

// decideRegex holds the patterns of a header against the text of the target. It
// decides nothing where the text matches and the header names files, too.
func (r *resolver) decideRegex(rules *RulesStep, f frontmatter.Field, alsoGlobs bool) (decision, bool) {
	file, err := r.at(r.req.Dir).ReadFile(r.req.Target)
	if err != nil {
		return decision{state: OutOfScope, mode: "auto-attached", why: fmt.Sprintf("%s in line %d asks for the text of %s, which cannot be read", rules.Regex, f.KeyLine+1, r.display(r.req.Target))}, true
	}
	for _, pattern := range texts(f) {
		// The tool's own engine is JavaScript's; what only that one knows
		// matches nothing here.
		expression, err := regexp.Compile(pattern)
		if err != nil || !expression.MatchString(file.Text) {
			continue
		}
		if alsoGlobs {
			return decision{}, false
		}
		return decision{mode: "auto-attached", why: fmt.Sprintf("the text of %s matches %q in line %d", r.display(r.req.Target), pattern, f.KeyLine+1)}, true
	}
	return decision{state: OutOfScope, mode: "auto-attached", why: fmt.Sprintf("the text of %s does not match %s in line %d", r.display(r.req.Target), rules.Regex, f.KeyLine+1)}, true
}
