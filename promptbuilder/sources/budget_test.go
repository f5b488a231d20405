package sources

import (
	"testing"

	"pgregory.net/rapid"
)

// TestTheBudgetIsSharedOnce holds for any settings and window that no more is
// granted than there is, nobody gets more than the setting says, and all get it
// where there is room.
func TestTheBudgetIsSharedOnce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		room := rapid.IntRange(-10, 200_000).Draw(rt, "room")
		var asked []Allowance
		total := 0
		for i := range rapid.IntRange(0, 6).Draw(rt, "sources") {
			n := rapid.IntRange(0, 50_000).Draw(rt, "asked")
			total += n
			asked = append(asked, Allowance{Setting: string(rune('a' + i)), Asked: n})
		}
		b := NewBudget(room, asked...)
		granted := 0
		for _, a := range b.Allowances {
			if a.Granted < 0 || a.Granted > a.Asked || b.Granted(a.Setting) != a.Granted {
				rt.Fatalf("%+v", a)
			}
			granted += a.Granted
		}
		limit := int(float64(max(0, room)) * shareOfWindow)
		if granted > limit || total <= limit && granted != total {
			rt.Fatalf("asked for %d, room for %d, granted %d", total, limit, granted)
		}
	})
}

func TestASmallWindowIsNamed(t *testing.T) {
	in := &Input{}
	in.Budget = NewBudget(4000, Allowance{Setting: "tree.tokens", Asked: 1000}, Allowance{Setting: "buffers.tokens", Asked: 8000})
	if got := in.bound("tree.tokens", in.Budget.Granted("tree.tokens")); got != "the setting tree.tokens (1000, of which this window leaves 333)" {
		t.Error(got)
	}
	if got := in.bound("skills.tokens", 7); got != "the setting skills.tokens (7)" {
		t.Error(got)
	}
}
