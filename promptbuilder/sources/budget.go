package sources

import "fmt"

// shareOfWindow is what the bounded sources may take together of what the
// answer leaves of the window: the conversation and the instructions need the
// rest. With the default settings it binds below a window of 32,000 tokens.
const shareOfWindow = 0.75

// Allowance is what one source may cost.
type Allowance struct {
	// Setting that bounds it.
	Setting string
	// Asked is the setting's value, Granted what the window leaves of it; tokens.
	Asked, Granted int
}

// Budget is the one ledger of what the sources that could fill any window may
// cost. Nothing is granted twice, so whatever the settings say, a small window
// is not filled by them.
type Budget struct {
	// Allowances in the order in which they were asked for.
	Allowances []Allowance
}

// NewBudget shares out a window without what is kept for the answer, in tokens.
// Where the settings ask for more than there is, each gets less in proportion.
func NewBudget(room int, asked ...Allowance) Budget {
	total := 0
	for _, a := range asked {
		total += max(0, a.Asked)
	}
	limit := int(float64(max(0, room)) * shareOfWindow)
	b := Budget{Allowances: make([]Allowance, len(asked))}
	for i, a := range asked {
		a.Granted = max(0, a.Asked)
		if total > limit {
			a.Granted = int(float64(a.Granted) * float64(limit) / float64(total))
		}
		b.Allowances[i] = a
	}
	return b
}

// Granted is what a source may cost, in tokens.
func (b Budget) Granted(setting string) int {
	a, _ := b.find(setting)
	return a.Granted
}

func (b Budget) find(setting string) (Allowance, bool) {
	for _, a := range b.Allowances {
		if a.Setting == setting {
			return a, true
		}
	}
	return Allowance{}, false
}

// bound names what bounds a source, for a sentence.
func (in *Input) bound(setting string, granted int) string {
	if a, ok := in.Budget.find(setting); ok && a.Granted < a.Asked {
		return fmt.Sprintf("the setting %s (%d, of which this window leaves %d)", setting, a.Asked, a.Granted)
	}
	return fmt.Sprintf("the setting %s (%d)", setting, granted)
}
