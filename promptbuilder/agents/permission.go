package agents

import (
	"runtime"
	"strings"
)

// Action is what a permission allows.
type Action string

// The actions. Ask leaves the decision to the user, so that what needs asking
// is still offered to the model.
const (
	Allow Action = "allow"
	Ask   Action = "ask"
	Deny  Action = "deny"
)

// Rule is one permission rule. In Permission and Pattern a * stands for any
// run of characters and a ? for one; a pattern that ends with a space and a *
// also fits what stands before the space, so that "ls *" fits "ls".
type Rule struct {
	// Permission is what is done: read, edit, bash, skill, task, …
	Permission string
	// Pattern is to what: a path, a command, the name of a skill or an agent.
	Pattern string
	Action  Action
}

// Rules are permission rules of which the last that fits decides.
//
// The rules of matching are those of opencode (packages/opencode/src/permission
// and src/util/wildcard.ts of anomalyco/opencode, 2026-07-08), so that a list of
// rules means the same here and there.
type Rules []Rule

// Evaluate gives the last rule that fits, or one that asks where none does.
func (rules Rules) Evaluate(permission, pattern string) Rule {
	for i := len(rules) - 1; i >= 0; i-- {
		if Match(rules[i].Permission, permission) && Match(rules[i].Pattern, pattern) {
			return rules[i]
		}
	}
	return Rule{Permission: permission, Pattern: "*", Action: Ask}
}

// Closed tells that a permission is denied for everything: the last rule that
// names it denies the pattern * itself. Where a later rule names a narrower
// pattern, something may be allowed, and the permission is not closed.
func (rules Rules) Closed(permission string) bool {
	for i := len(rules) - 1; i >= 0; i-- {
		if Match(rules[i].Permission, permission) {
			return rules[i].Pattern == "*" && rules[i].Action == Deny
		}
	}
	return false
}

// Match tells whether a text fits a pattern as a whole, in time proportional to
// the product of their lengths. Backslashes count as slashes; case counts
// except on Windows.
func Match(pattern, text string) bool {
	return match(pattern, text, runtime.GOOS == "windows")
}

func match(pattern, text string, fold bool) bool {
	pattern, text = strings.ReplaceAll(pattern, `\`, "/"), strings.ReplaceAll(text, `\`, "/")
	if fold {
		pattern, text = strings.ToLower(pattern), strings.ToLower(text)
	}
	if head, ok := strings.CutSuffix(pattern, " *"); ok && fits([]rune(head), []rune(text)) {
		return true
	}
	return fits([]rune(pattern), []rune(text))
}

// fits goes back to the last * only, which is enough: what an earlier one could
// take more of, the last one can take as well.
func fits(pattern, text []rune) bool {
	p, t := 0, 0
	star, from := -1, 0
	for t < len(text) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, from = p, t
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == text[t]):
			p++
			t++
		case star >= 0:
			from++
			p, t = star+1, from
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}
