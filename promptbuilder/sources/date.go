package sources

import "context"

// date says which day it is, in the user's time zone. It is day-granular and
// dynamic: a time of day in the prefix would lose the cache at every turn.
func date(in *Input) []Source {
	return []Source{{
		Key: "core/date", Group: "date", Layer: Dynamic, Title: "Date", Essential: true,
		Observe: func(context.Context) Observation {
			return say("clock", "Today is "+in.Now().Format("Monday, 2 January 2006")+".", "the model cannot know the date")
		},
		Update: func(_, after string) string { return "The day has changed. " + after },
	}}
}
