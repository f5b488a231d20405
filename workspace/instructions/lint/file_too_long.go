package lint

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"foreword/workspace/instructions"
)

var fileTooLong = Rule{
	Code: "file-too-long", Severity: Warning, ByTool: true,
	Doc: Doc{
		What: "The file is longer than a tool reads, or than its makers advise.",
		Why:  "The rest is left out, or the whole file is; a long text also takes room from the conversation.",
		Mend: "Split it: into files of subdirectories, or into rules that hold for some files.",
	},
	check: checkFileTooLong,
}

// longFile is the number of characters above which Claude Code warns of one
// file (https://code.claude.com/docs/en/memory, since 2.1.169 scaled to the
// context).
const longFile = 40_000

// longSkill is the number of lines that the specification of skills advises to
// stay below (https://agentskills.io/specification).
const longSkill = 500

func checkFileTooLong(in *Input) []Diagnostic {
	var out []Diagnostic
	for _, f := range in.Files {
		if f.File == nil {
			continue
		}
		for _, t := range in.Tools {
			e := t.entry(f)
			s := t.step(e)
			if s == nil {
				continue
			}
			d := Diagnostic{Path: f.Path, Tools: []string{t.Profile.Name}}
			switch characters := utf8.RuneCountInString(f.Text); {
			case s.FileChars > 0 && characters > s.FileChars:
				d.Message = fmt.Sprintf("%d characters; %s reads %d of one file", characters, t.Profile.Title, s.FileChars)
				d.Place = f.fromCharacter(s.FileChars)
			case t.Profile.Name == "claude-code" && e.Sent && characters > longFile:
				d.Message = fmt.Sprintf("%d characters; %s warns above %d, and advises fewer than 200 lines", characters, t.Profile.Title, longFile)
			case f.isSkill() && t.Profile.Name == "agent-skills" && strings.Count(f.Text, "\n") > longSkill:
				d.Message = fmt.Sprintf("%d lines; the specification advises fewer than %d: move details to files beside it", strings.Count(f.Text, "\n"), longSkill)
				d.Severity = Info
			default:
				continue
			}
			out = append(out, d)
		}
	}
	return out
}

// fromCharacter is the rest of the line in which a character of the text
// stands.
func (f *File) fromCharacter(n int) *instructions.Place {
	at := 0
	for i := range f.Text {
		if n == 0 {
			at = i
			break
		}
		n--
	}
	place := f.line(strings.Count(f.Text[:at], "\n"))
	if place != nil {
		place.Column = min(at-(strings.LastIndexByte(f.Text[:at], '\n')+1), place.EndColumn)
	}
	return place
}
