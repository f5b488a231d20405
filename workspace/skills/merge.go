package skills

import (
	"cmp"
	"slices"
	"strings"
)

// Merge adds to the skills of one place those of others that the model is told
// of there and whose names are free, so that a look at another file takes no
// skill away.
func Merge(here []Skill, elsewhere ...[]Skill) []Skill {
	taken := map[string]bool{}
	for i := range here {
		if here[i].Told() {
			taken[here[i].Name] = true
		}
	}
	all := slices.Clone(here)
	for _, other := range elsewhere {
		for _, s := range other {
			if s.Told() && !taken[s.Name] {
				taken[s.Name] = true
				all = append(all, s)
			}
		}
	}
	slices.SortFunc(all, compare)
	return all
}

// compare orders by name; of one name what is told comes first, then by path.
func compare(a, b Skill) int {
	return cmp.Or(strings.Compare(a.Name, b.Name), rank(&a)-rank(&b), strings.Compare(a.Path, b.Path))
}
