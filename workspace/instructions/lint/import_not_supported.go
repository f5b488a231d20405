package lint

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"foreword/workspace/fsys"
	"foreword/workspace/instructions"
	"foreword/workspace/instructions/imports"
)

var importNotSupported = Rule{
	Code: "import-not-supported", Severity: Info,
	Doc: Doc{
		What: "A line imports a file with @, and a tool that reads the file knows no imports.",
		Why:  "The model gets the bare @path, and nothing of the file.",
		Mend: "Say in words that the file is to be read, or move its text here.",
	},
	check: checkImportNotSupported,
}

func checkImportNotSupported(in *Input) []Diagnostic {
	var out []Diagnostic
	for _, f := range in.Files {
		tools := in.literalReaders(f)
		if len(tools) == 0 {
			continue
		}
		for _, token := range imports.Tokens(f.Text) {
			if !in.meantAsImport(f, token.Text) {
				continue
			}
			word := "@" + trimmed(token.Text)
			out = append(out, Diagnostic{
				Path: f.Path, Place: &instructions.Place{Line: token.Line, Column: token.Column, EndColumn: token.Column + len(word)},
				Message: fmt.Sprintf("%s stays as it is in %s, which has no imports: the model gets the path and not the file", word, titles(tools)),
				Tools:   names(tools),
			})
		}
	}
	return out
}

// literalReaders are the tools that send a file, now or once something happens
// that it waits for, and know no imports.
func (in *Input) literalReaders(f *File) []*Tool {
	if f.File == nil || f.Kind == instructions.KindSkill || !strings.Contains(f.Text, "@") {
		return nil
	}
	var tools []*Tool
	for _, t := range in.Tools {
		e := t.entry(f)
		if d := t.Profile.Imports.Dialect; (d == "" || d == "none") && e != nil && (e.Sent || waits(e)) && e.ImportedBy == "" {
			tools = append(tools, t)
		}
	}
	return tools
}

// waits tells whether a tool sends a file later: after a read, for a file that
// its header names, by the model's choice or by the user's.
func waits(e *instructions.Entry) bool {
	switch e.State {
	case instructions.OnRead:
		return true
	case instructions.OutOfScope:
		return e.Kind == instructions.KindRule && e.Mode == "auto-attached"
	case instructions.ModelDecides, instructions.Manual:
		return e.Kind == instructions.KindRule
	}
	return false
}

// meantAsImport tells whether a word that begins with @ is a path: it looks
// like one, or leads to a file.
func (in *Input) meantAsImport(f *File, token string) bool {
	if imports.LooksLikePath(token) {
		return true
	}
	word := trimmed(token)
	if word == "" || strings.ContainsAny(word, "@:*\\") || path.IsAbs(word) {
		return false
	}
	target := filepath.Join(filepath.Dir(f.Path), filepath.FromSlash(word))
	if !fsys.Within(in.Root, target) {
		return false
	}
	info, err := in.FS.Stat(target)
	return err == nil && info.Kind == fsys.KindFile
}

// trimmed is a token without the at sign and without what ends a sentence.
func trimmed(token string) string {
	return strings.TrimRight(strings.TrimPrefix(token, "@"), ".,;:!?)]}'\"`*")
}
