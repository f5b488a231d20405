package history

import "strings"

// Code blocks and details keep this many lines at either end: enough to see what it is and how it ends.
const (
	headLines = 10
	tailLines = 10
)

// middleOf cuts the middle out of long code blocks and details. Blocks are found as a reader would find them:
// fences of backticks or tildes at any indentation, also with CRLF, nested, followed by text, or never closed.
func middleOf(text string) (textCut, bool) {
	lines := splitLines(text)
	if len(lines) <= headLines+tailLines+1 {
		return textCut{}, false
	}
	keep := make([]bool, len(lines))
	for i := range keep {
		keep[i] = true
	}
	for _, b := range fencedBlocks(lines) {
		cutMiddle(lines, keep, b)
	}
	for _, b := range details(lines) {
		cutMiddle(lines, keep, b)
	}
	return linesKept(RungMiddle, lines, keep)
}

// lineBlock is what stands between two lines: [from, to).
type lineBlock struct{ from, to int }

// cutMiddle keeps fences inside the block, so that whoever reads them in pairs finds the pairs.
func cutMiddle(lines []string, keep []bool, b lineBlock) {
	if b.to-b.from <= headLines+tailLines+1 {
		return
	}
	for i := b.from + headLines; i < b.to-tailLines; i++ {
		if _, _, isFence := fence(lines[i]); !isFence {
			keep[i] = false
		}
	}
}

// fencedBlocks are the outermost fenced blocks without their fences.
func fencedBlocks(lines []string) []lineBlock {
	var blocks []lineBlock
	for i := 0; i < len(lines); i++ {
		open, _, ok := fence(lines[i])
		if !ok {
			continue
		}
		from, depth := i+1, 1
		for i++; i < len(lines) && depth > 0; i++ {
			run, info, ok := fence(lines[i])
			switch {
			case !ok || run[0] != open[0] || len(run) < len(open):
			case info != "":
				depth++ // a block inside a block, fenced alike
			default:
				depth--
			}
		}
		to := i
		if depth == 0 {
			i--
			to = i
		}
		blocks = append(blocks, lineBlock{from, to})
	}
	return blocks
}

// fence is the run of marks of a line that is a fence, and what stands after it.
func fence(line string) (run, info string, ok bool) {
	line = strings.Trim(line, " \t\r\n")
	if len(line) < 3 || line[0] != '`' && line[0] != '~' {
		return "", "", false
	}
	n := 1
	for n < len(line) && line[n] == line[0] {
		n++
	}
	info = strings.TrimSpace(line[n:])
	// A line with backticks after the fence is code in a sentence.
	if n < 3 || line[0] == '`' && strings.ContainsRune(info, '`') {
		return "", "", false
	}
	return line[:n], info, true
}

// details are the bodies of the outermost <details> elements, without their summary.
func details(lines []string) []lineBlock {
	var blocks []lineBlock
	depth, from := 0, 0
	for i, line := range lines {
		lower := strings.ToLower(line)
		opens, closes := strings.Count(lower, "<details"), strings.Count(lower, "</details>")
		if opens == 0 && closes == 0 {
			if depth == 1 && strings.Contains(lower, "</summary>") && i-from <= 2 {
				from = i + 1
			}
			continue
		}
		if depth == 0 && opens > closes {
			from = i + 1
		}
		before := depth
		depth = max(0, depth+opens-closes)
		if before > 0 && depth == 0 {
			blocks = append(blocks, lineBlock{from, i})
		}
	}
	return blocks
}
