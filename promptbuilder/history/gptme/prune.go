package gptme

// Prune drops messages whose time is over, then results and calls without each other, then merges adjacent messages of
// one role, also when nothing was dropped. boundary is the message before the first that has a time, -1 for none.
func Prune(log []Message) (pruned []Message, boundary int) {
	kept := make([]bool, len(log))
	answers := 0
	for i := len(log) - 1; i >= 0; i-- {
		m := log[i]
		if !m.Pinned && m.TTL != nil && answers > *m.TTL {
			continue
		}
		kept[i] = true
		if m.Role == "assistant" {
			answers++
		}
	}
	dropOrphans(log, kept)
	var list []Message
	for i, m := range log {
		if kept[i] {
			list = append(list, m)
		}
	}
	pruned = Merge(list)
	return pruned, boundaryOf(pruned)
}

func boundaryOf(log []Message) int {
	for i, m := range log {
		if m.TTL != nil {
			return i - 1
		}
	}
	return -1
}

// Merge joins adjacent messages of one role where neither has a call id.
func Merge(log []Message) []Message {
	var merged []Message
	for _, m := range log {
		if n := len(merged); n > 0 && merged[n-1].Role == m.Role && merged[n-1].CallID == "" && m.CallID == "" {
			merged[n-1] = concat(merged[n-1], m)
			continue
		}
		merged = append(merged, m)
	}
	return merged
}

func concat(a, b Message) Message {
	a.Content += "\n\n" + b.Content
	a.Pinned = a.Pinned || b.Pinned
	if a.TTL == nil || b.TTL != nil && *b.TTL < *a.TTL {
		a.TTL = b.TTL
	}
	a.From = append(append([]int(nil), a.From...), b.From...)
	return a
}

// DropOrphans keeps of the kept messages those whose call or results are kept, too.
func DropOrphans(log []Message, kept []int) []int {
	keep := make([]bool, len(log))
	for _, i := range kept {
		keep[i] = true
	}
	dropOrphans(log, keep)
	var left []int
	for i := range log {
		if keep[i] {
			left = append(left, i)
		}
	}
	return left
}

func dropOrphans(log []Message, kept []bool) {
	ids := false
	for _, m := range log {
		ids = ids || m.CallID != ""
	}
	for changed := ids; changed; {
		changed = false
		for i, m := range log {
			if !kept[i] {
				continue
			}
			if m.Role == "system" && m.CallID != "" && !m.Pinned {
				if anchor := anchorOf(log, i); anchor >= 0 && !kept[anchor] {
					kept[i], changed = false, true
				}
				continue
			}
			if m.Role != "assistant" {
				continue
			}
			for k := i + 1; k < len(log) && log[k].Role == "system"; k++ {
				if log[k].CallID != "" && !kept[k] {
					kept[i], changed = false, true
					break
				}
			}
		}
	}
}

// anchorOf is the nearest message before i that is no system message, -1 when there is none.
func anchorOf(log []Message, i int) int {
	for i--; i >= 0 && log[i].Role == "system"; i-- {
	}
	return i
}
