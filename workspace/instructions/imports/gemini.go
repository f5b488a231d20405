package imports

// geminiCode finds what Gemini CLI takes for code: the matches, one after the
// other, of one or more backticks, anything, and the same number of backticks
// (/(`+)([\s\S]*?)\1/g). That is not what CommonMark says: a run closes another
// one that is shorter, and one that nothing closes is split, so that ``` alone
// is an empty span and a backtick.
//
// The expression is followed without trying: of a run of n backticks, it takes
// as many as a later run has, n at most, or half of the run and the other half.
func geminiCode(text string) []span {
	runs := backticks(text)
	// The longest run after each, and the next one that is longer.
	longest, longer := make([]int, len(runs)), make([]int, len(runs))
	for i := len(runs) - 1; i >= 0; i-- {
		longer[i] = len(runs)
		if i+1 == len(runs) {
			continue
		}
		longest[i] = max(longest[i+1], runs[i+1].size())
		next := i + 1
		for next < len(runs) && runs[next].size() <= runs[i].size() {
			next = longer[next]
		}
		longer[i] = next
	}
	var code []span
	for i := 0; i < len(runs); {
		start := runs[i].start
		n := runs[i].size()
		k := min(n, longest[i])
		if k <= n/2 {
			if n == 1 {
				i++
				continue // one backtick that nothing closes
			}
			k = n / 2
			code = append(code, span{start, start + 2*k})
			runs[i].start += 2 * k
		} else {
			// Each step of this goes to a longer run, and stops at k, so that all steps
			// together are no more than there are backticks.
			next := i + 1
			for runs[next].size() < k {
				next = longer[next]
			}
			code = append(code, span{start, runs[next].start + k})
			i = next
			runs[i].start += k
		}
		if runs[i].size() == 0 {
			i++
		}
	}
	return code
}

// backticks lists the runs of backticks of a text.
func backticks(text string) []span {
	var runs []span
	for i := 0; i < len(text); i++ {
		if text[i] != '`' {
			continue
		}
		start := i
		for i < len(text) && text[i] == '`' {
			i++
		}
		runs = append(runs, span{start, i})
	}
	return runs
}

// span is a stretch of a text.
type span struct{ start, end int }

func (s span) size() int { return s.end - s.start }
