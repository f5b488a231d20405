package sources

import (
	"context"
	"fmt"
	"strings"
)

// attachments says the files that the user added by name. Naming a file is the
// user's own decision, so git's ignore rules do not hold for it. They may take
// half of the window, since the conversation needs the rest.
func attachments(in *Input) []Source {
	return []Source{{
		Key: attachmentKey, Group: "files", Layer: Dynamic, Title: "Attached files",
		// What was attached before stays attached.
		Update: func(_, after string) string { return after },
		Observe: func(context.Context) Observation {
			if len(in.Attachments) == 0 {
				return none("nothing is attached")
			}
			budget := in.Model.Window / 2
			t := newTranscript("# Attached files\n\nThe user added these files to the conversation.", "Attached too, but too large to be shown", budget, in.Count)
			var warnings []Warning
			var unread []string // with the reason
			read := 0
			for _, path := range in.Attachments {
				name := in.display(path)
				file, err := in.Attached(path)
				if err != nil {
					w := Warning{Code: "attachment-left-out", Path: path, Message: fmt.Sprintf("%s is not embedded: %v", name, err)}
					warnings, unread = append(warnings, w), append(unread, w.Message)
					continue
				}
				read++
				if lines, less := t.add(name, Buffer{Path: path, Text: file.Text, Dirty: file.Dirty}); less {
					warnings = append(warnings, Warning{Code: "attachment-cut", Path: path, Message: fmt.Sprintf(
						"only the first %d lines of %s are sent, since attachments may take half of the window (%d tokens): attach less, or take a model with a larger window", lines, name, budget)})
				}
			}
			if read == 0 {
				return Observation{Status: Unavailable, Why: noneRead(unread), Warnings: warnings}
			}
			o := t.observation("the user attached them")
			o.Warnings = warnings
			return o
		},
	}}
}

// noneRead says why nothing of what is attached is sent, with the first files.
func noneRead(unread []string) string {
	const named = 3
	why := "none of the attached files could be read: " + strings.Join(unread[:min(len(unread), named)], "; ")
	if more := len(unread) - named; more > 0 {
		why += fmt.Sprintf("; and %d more", more)
	}
	return why
}
