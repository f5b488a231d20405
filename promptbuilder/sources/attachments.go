package sources

import (
	"context"
	"fmt"
)

// attachments says the files that the user added by name. Naming a file is the
// user's own decision, so git's ignore rules do not hold for it.
func attachments(in *Input) []Source {
	return []Source{{
		Key: "core/attachments", Group: "files", Layer: Dynamic, Title: "Attached files",
		Observe: func(context.Context) Observation {
			if len(in.Attachments) == 0 {
				return none("nothing is attached")
			}
			t := &transcript{heading: "# Attached files\n\nThe user added these files to the conversation.", left: in.Model.Window / 2, count: in.Count}
			var warnings []Warning
			for _, path := range in.Attachments {
				file, err := in.Attached(path)
				if err != nil {
					warnings = append(warnings, Warning{Code: "unreadable", Path: path, Message: fmt.Sprintf("cannot attach %s: %v", in.display(path), err)})
					continue
				}
				t.add(in.display(path), Buffer{Path: path, Text: file.Text, Dirty: file.Dirty})
			}
			if len(t.parts) == 0 {
				return Observation{Status: Unavailable, Why: "none of the attached files could be read", Warnings: warnings}
			}
			o := t.observation()
			o.Why = "the user attached them"
			o.Warnings = warnings
			return o
		},
	}}
}
