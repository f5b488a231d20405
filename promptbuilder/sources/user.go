package sources

import (
	"context"
	"strings"

	"foreword/workspace/fsys"
)

// About is what somebody says about the user or the project, and where.
type About struct {
	Text string
	// Path of the file, absolute; Name of the setting, where it is none.
	Path, Name string
	// Hash of the file, and whether it is a buffer that is not saved.
	Hash  fsys.Hash
	Dirty bool
	// Problem says why there is no text, where the file is there.
	Problem string
}

// user says what the user says about themselves. Where nobody reads the
// answers it is nobody's business.
func user(in *Input) []Source {
	return []Source{{
		Key: "core/user", Group: "user", Layer: Core, Title: "The user",
		Observe: func(context.Context) Observation {
			about := in.User
			if !in.Interactive {
				return none("nobody reads the answers, so nothing is told about the user")
			}
			if about.Problem != "" {
				o := none("its file cannot be read: " + about.Problem)
				o.Warnings = []Warning{{Code: "user-file", Path: about.Path, Message: "what you say about yourself is left out: " + about.Problem}}
				return o
			}
			return about.say("# The user\n\n", "the user says this about themselves")
		},
	}}
}

// say makes the observation of a text with a heading before it.
func (a About) say(heading, why string) Observation {
	whole := strings.ReplaceAll(a.Text, "\r\n", "\n")
	body := strings.TrimLeft(whole, "\n")
	blank := len(whole) - len(body)
	body = strings.TrimRight(body, "\n")
	if strings.TrimSpace(body) == "" {
		return none("there is no text about it")
	}
	before := strings.Count(heading, "\n")
	from := Origin{Path: a.Path, Name: a.Name, Hash: a.Hash, Dirty: a.Dirty, FromLine: before, ToLine: before + lineCount(body)}
	if a.Path != "" {
		from.Name, from.FileFrom = "", blank
		from.FileTo = blank + lineCount(body)
	}
	return Observation{
		Status: Present, Text: heading + body, Why: why,
		Origins: []Origin{{Name: "heading", FromLine: 0, ToLine: before}, from},
	}
}
