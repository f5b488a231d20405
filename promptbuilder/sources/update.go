package sources

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// attachmentKey is the key of the files that the user added by name.
const attachmentKey = "core/attachments"

// contextLines stand around each change of a text, as in git's own diffs.
const contextLines = 3

// sayDiff tells a change of a long text of many lines as a diff, where that is
// shorter than the new text.
func sayDiff(title string) func(before, after string) string {
	return func(before, after string) string {
		whole := title + " changed. This replaces what was said of it before:\n\n" + after
		edits := udiff.Strings(before, after)
		unified, err := udiff.ToUnified("before", "now", before, edits, contextLines)
		if err != nil {
			return whole
		}
		// The two lines of file names say nothing here.
		_, unified, _ = strings.Cut(unified, "\n")
		_, unified, _ = strings.Cut(unified, "\n")
		short := title + " changed since it was last said. The difference, with - before lines that went and + before lines that came:\n\n" + Fence("diff", unified)
		if len(short) < len(whole) {
			return short
		}
		return whole
	}
}
