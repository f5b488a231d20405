package gptme

import "strings"

// The task types, in gptme's order: of equal scores the first wins.
var types = []string{"diagnostic", "fix", "implementation", "exploration", "refactor"}

// Signals are how strongly the words of a prompt speak for each type, from 0 to 1.
type Signals struct{ Diagnostic, Implementation, Fix, Exploration, Refactor float64 }

// keywords are found anywhere in a prompt, also inside of words: "debug" holds "bug".
var keywords = struct{ diagnostic, implementation, fix, exploration, refactor []string }{
	[]string{"debug", "investigate", "why", "error", "failing", "problem", "issue"},
	[]string{"implement", "create", "build", "add", "feature", "new"},
	[]string{"fix", "resolve", "correct", "repair", "patch", "bug"},
	[]string{"explore", "research", "investigate", "options", "compare", "alternatives"},
	[]string{"refactor", "restructure", "reorganize", "improve", "cleanup", "simplify"},
}

// SignalsOf reads the signals of a prompt.
func SignalsOf(prompt string) Signals {
	lower := strings.ToLower(prompt)
	signal := func(words []string) float64 {
		found := 0
		for _, word := range words {
			if strings.Contains(lower, word) {
				found++
			}
		}
		return min(1, float64(float64(found)*.3))
	}
	return Signals{
		signal(keywords.diagnostic), signal(keywords.implementation), signal(keywords.fix),
		signal(keywords.exploration), signal(keywords.refactor),
	}
}

// Features are what gptme knows of a task. New, ImportDepth and CircularDeps are never computed there.
type Features struct {
	Signals
	// Files to modify, New files among them, ImportDepth.
	Files, New, ImportDepth int
	// ContextChars of all context; PatternMatches of the items that look like code, 0 below three of them.
	ContextChars, PatternMatches int
	// Reference says that there is an implementation to go by.
	Reference bool
}

// FeaturesOf are the features that gptme computes from a prompt, the number of files and the context.
func FeaturesOf(prompt string, files int, context []string) Features {
	f := Features{Signals: SignalsOf(prompt), Files: files}
	matches := 0
	for _, item := range context {
		f.ContextChars += len([]rune(item))
		for _, mark := range []string{"class ", "def ", "function ", "implementation"} {
			if strings.Contains(item, mark) {
				matches++
				break
			}
		}
	}
	if matches >= 3 {
		f.Reference, f.PatternMatches = true, matches
	}
	return f
}

// Classification is what a task is taken for.
type Classification struct {
	Primary string
	// Secondary are the other types above one half.
	Secondary  []string
	Confidence float64
	// Scores by type, the highest being 1.
	Scores map[string]float64
}

// Classify classes a task.
func Classify(f Features) Classification {
	scores := make([]float64, len(types))
	diagnostic, fix, implementation, exploration, refactor := &scores[0], &scores[1], &scores[2], &scores[3], &scores[4]
	if f.Files <= 2 && f.New == 0 {
		*fix += .3
		*diagnostic += .2
	}
	if f.New >= 3 {
		*implementation += .4
	}
	if f.Files >= 3 && f.New == 0 {
		*refactor += .3
	}
	*diagnostic += float64(f.Diagnostic * .4)
	*implementation += float64(f.Implementation * .4)
	*fix += float64(f.Fix * .3)
	*exploration += float64(f.Exploration * .3)
	*refactor += float64(f.Refactor * .3)
	if f.Reference && f.New >= 2 {
		*implementation += .2
	}
	if f.PatternMatches >= 3 {
		*fix += .1
	}
	if f.ImportDepth >= 5 {
		*implementation += .2
		*refactor += .1
	}
	highest := 0.
	for _, score := range scores {
		highest = max(highest, score)
	}
	c := Classification{Primary: types[0], Scores: map[string]float64{}}
	best := 0
	for i, name := range types {
		if highest > 0 {
			scores[i] /= highest
		}
		c.Scores[name] = scores[i]
		if scores[i] > scores[best] {
			best = i
		}
	}
	c.Primary, c.Confidence = types[best], scores[best]
	for i, name := range types {
		if i != best && scores[i] > .5 {
			c.Secondary = append(c.Secondary, name)
		}
	}
	return c
}

// ratios are least, usual and most of each type.
var ratios = map[string][3]float64{
	"diagnostic": {.10, .12, .15}, "fix": {.15, .17, .20}, "implementation": {.30, .35, .50},
	"exploration": {.20, .25, .30}, "refactor": {.25, .30, .35},
}

// Ratio is how much of the context a task is left.
func Ratio(c Classification, f Features) float64 {
	of := ratios[c.Primary]
	ratio := of[1]
	if f.Reference && c.Primary == "implementation" {
		ratio = of[2]
	}
	if c.Confidence < .6 {
		ratio = .25
	}
	if f.ContextChars > 1_000_000 {
		ratio = max(of[0], ratio-.05)
	}
	return max(.10, min(.50, ratio))
}
