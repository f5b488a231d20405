package tokens

// Calibration is how a provider's own counts compare with a counter's estimates, learned from the usage that it
// reported of earlier requests of one kind. The zero value has learned nothing.
type Calibration struct {
	// Ratio is what the provider counts for one token of the estimate.
	Ratio float64
	// Samples is how many requests it was learned from.
	Samples int
}

const (
	// leastLearned is how large a request must be, in tokens, for its framing not to count for more than its text. Of one
	// of wholeLearned it is a hundredth or so; what is smaller counts less, too.
	leastLearned, wholeLearned, smallWeight = 200, 2000, 0.4
	// No tokenizer is further from its estimate than this: what is was reported of another request, or by mistake.
	leastRatio, mostRatio = 0.5, 2.5
	// near is how far one ratio lies from the last in a conversation that goes on. What lies further off counts
	// little, until more of its kind come, unless so little is known that the last may be what is wrong.
	near, nearWeight, farWeight, unsettled = 0.15, 0.5, 0.1, 3
	// A growing conversation is off by 0.15 % in 95 of 100 turns once one was reported, requests that have nothing in
	// common by more, so a few samples are needed before little is kept free for errors.
	firstMargin, lastMargin = 0.08, 0.03
)

// Learn takes in that a request which was estimated at so many tokens had so many by the provider's count. It says no
// where that is nothing to learn from.
func (c Calibration) Learn(estimated, actual int) (Calibration, bool) {
	if estimated < leastLearned || actual <= 0 {
		return c, false
	}
	ratio := float64(actual) / float64(estimated)
	if ratio < leastRatio || ratio > mostRatio {
		return c, false
	}
	if !c.valid() {
		return Calibration{Ratio: ratio, Samples: 1}, true
	}
	weight := farWeight
	if off := ratio/c.Ratio - 1; off >= -near && off <= near || c.Samples < unsettled {
		weight = nearWeight * min(1, max(smallWeight, float64(estimated)/wholeLearned))
	}
	return Calibration{Ratio: c.Ratio + weight*(ratio-c.Ratio), Samples: c.Samples + 1}, true
}

// valid tells whether it says something; a row of a damaged store may not.
func (c Calibration) valid() bool {
	return c.Samples > 0 && c.Ratio >= leastRatio && c.Ratio <= mostRatio
}

// Margin is the relative error that is reckoned with.
func (c Calibration) Margin() float64 {
	return max(lastMargin, firstMargin/float64(max(1, c.Samples)))
}

// Calibrated is a counter of which it is known how far it is off.
func (c Counter) Calibrated(by Calibration) Planning {
	if c.Exact || !by.valid() {
		return Planning{ratio: 1, ErrorBound: c.ErrorBound}
	}
	return Planning{ratio: by.Ratio, ErrorBound: by.Margin(), Samples: by.Samples}
}

// Planning turns counts into what a provider is expected to count.
type Planning struct {
	ratio float64
	// ErrorBound is the relative error of Expected.
	ErrorBound float64
	// Samples is how many requests it was learned from; 0 for none.
	Samples int
}

// Expected is what the provider should count where the counter counts so many.
func (p Planning) Expected(count int) int {
	if p.ratio == 1 {
		return count
	}
	return int(float64(count)*p.ratio + 0.5)
}

// Bound is the most that the provider should count for one token of the counter's.
func (p Planning) Bound() float64 { return p.ratio * (1 + p.ErrorBound) }

// Room is how much of a budget, which is in the provider's tokens, may be filled by the counter's figures: as much
// less as they may be wrong.
func (p Planning) Room(budget int) int { return int(float64(budget) / p.Bound()) }
