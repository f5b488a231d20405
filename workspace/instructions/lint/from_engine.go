package lint

import (
	"fmt"
	"strings"

	"foreword/workspace/instructions"
	"foreword/workspace/instructions/imports"
)

// engineRules are the warnings that come out of resolution as they are: what
// the engine meets while it follows a tool's rules. Severities and texts stand
// here, the finding is the engine's.
var engineRules = []Rule{
	{Code: "import-missing", Severity: Warning, ByTool: true, Doc: Doc{
		"An import names a file that does not exist.", "Most tools say nothing, and the model reads the bare @path.", "Correct the path, or put the token in backticks."}},
	{Code: "at-token-will-be-replaced", Severity: Warning, ByTool: true, Doc: Doc{
		"A word that begins with @ is no import, and the tool takes it for one.", "The tool puts a comment about the failed import in its place, so the model never reads the word.", "Put the word in backticks."}},
	{Code: "import-cycle", Severity: Warning, ByTool: true, Doc: Doc{
		"Files import each other in a circle.", "The tool cuts the circle somewhere, or says a file twice.", "Take one of the imports out."}},
	{Code: "import-outside-root", Severity: Error, ByTool: true, Doc: Doc{
		"An import leads out of the project.", "The tool refuses it, or asks each user first.", "Move the file into the project, or into the user's own instructions."}},
	{Code: "import-is-directory", Severity: Error, ByTool: true, Doc: Doc{
		"An import names a directory.", "Nothing is imported.", "Import a file of it."}},
	{Code: "import-absolute", Severity: Error, ByTool: true, Doc: Doc{
		"An import is an absolute path.", "This tool imports relative paths alone, and nobody else has this path.", "Write the path relative to the file."}},
	{Code: "import-home", Severity: Error, ByTool: true, Doc: Doc{
		"An import begins with ~/.", "This tool imports nothing from the home folder.", "Write a path inside the project."}},
	{Code: "import-depth", Severity: Warning, ByTool: true, Doc: Doc{
		"Imports are nested deeper than the tool follows.", "The file at the end of the chain is never read.", "Import it from a file that stands higher."}},
	{Code: "import-too-large", Severity: Warning, ByTool: true, Doc: Doc{
		"The imports of one file are larger than the tool takes.", "What comes after the limit is left out.", "Import less."}},
	{Code: "import-unreadable", Severity: Warning, Doc: Doc{
		"An imported file cannot be read.", "Nothing of it reaches the model.", "Mend the file or take the import out."}},
	{Code: "import-secret", Severity: Error, Source: "foreword workspace/ignore/secret.go", Doc: Doc{
		"An import names a file that holds secrets.", "foreword never reads such a file; a tool that does sends the secret to its model.", "Take the import out."}},
	{Code: "configured-missing", Severity: Warning, Source: "foreword docs/settings.md", Doc: Doc{
		"The setting instructions.files names a file that does not exist, a directory, or a pattern that matches no file.", "Nothing of it is sent.", "Correct the path; it is relative to the file that names it."}},
	{Code: "address-unreachable", Severity: Warning, Source: "foreword docs/instructions.md", Doc: Doc{
		"An address in the setting instructions.files could not be fetched, and nothing is known of it.", "Nothing of it is sent.", "The message says what is in the way; foreword asks again after a minute."}},
	{Code: "address-stale", Severity: Info, Source: "foreword docs/instructions.md", Doc: Doc{
		"An address in the setting instructions.files could not be fetched again.", "Its last text is sent, which may be old.", "Nothing, unless it lasts; foreword asks again after a minute."}},
	{Code: "instructions-cut", Severity: Warning, Source: "foreword docs/instructions.md", Doc: Doc{
		"The file is longer than what foreword tells of one file (64 KiB).", "The model reads its beginning, and that it goes on.", "Split it, or move what is needed seldom into a skill."}},
	{Code: "encoding-utf16", Severity: Error, Source: "tools read UTF-8; PowerShell 5 writes UTF-16 with >", Doc: Doc{
		"The file is UTF-16.", "Tools read UTF-8 and send the model a heap of characters that mean nothing.", "Save it as UTF-8."}},
	{Code: "invalid-utf8", Severity: Warning, Source: "https://www.unicode.org/versions/latest/core-spec/chapter-3/", Doc: Doc{
		"The file holds bytes that are not UTF-8.", "Each is sent as a replacement character.", "Save the file as UTF-8."}},
	{Code: "unreadable", Severity: Warning, Doc: Doc{
		"A file with the name of an instruction file cannot be read.", "No tool can send it.", "The message says what is in the way."}},
	{Code: "needs-trust", Severity: Info, Doc: Doc{
		"A folder of rules or a setting leads out of the repository.", "Until the folder is trusted nothing there is looked at.", "Move the files into the repository, or trust the folder."}},
	{Code: "unreadable-directory", Severity: Warning, Doc: Doc{
		"A directory cannot be listed.", "Its instruction files are left out.", "Allow reading it."}},
	{Code: "tool-settings", Severity: Warning, Doc: Doc{
		"A settings file of a tool cannot be read.", "The tool falls back on its defaults, or refuses to start.", "Mend the file."}},
	{Code: "too-many-files", Severity: Warning, Doc: Doc{
		"A folder of rules holds more files than are read.", "The rest is left out.", "Delete or merge rules."}},
	{Code: "front-matter-as-text", Severity: Info, Doc: Doc{
		"The file begins with a header, and its name has none.", "The header is sent to the model as text.", "Delete it, or move the rule to a file whose tool reads headers."}},
}

// fromEngine gives each of them the function that takes it over.
func fromEngine() []Rule {
	out := make([]Rule, len(engineRules))
	for i, r := range engineRules {
		r.check = func(in *Input) []Diagnostic { return in.warnings(r.Code) }
		out[i] = r
	}
	return out
}

// warnings gathers the engine's warnings with a code, over all tools and
// directories.
func (in *Input) warnings(code string) []Diagnostic {
	var out []Diagnostic
	for _, t := range in.Tools {
		for _, p := range t.Places {
			for _, d := range []*instructions.Discovery{p.Here, p.FromRoot} {
				for _, w := range d.Warnings {
					if found, message := told(t, w); found == code {
						out = append(out, Diagnostic{Path: w.Path, Place: w.Place, Message: message, Tools: []string{t.Profile.Name}})
					}
				}
				if p.Here == p.FromRoot {
					break
				}
			}
		}
	}
	return out
}

// told is the code and the message under which a warning of the engine is
// told. A token that is meant as a path and leads nowhere is a missing import,
// also where the tool replaces it.
func told(t *Tool, w instructions.Warning) (code, message string) {
	if w.Code != "at-token-will-be-replaced" {
		return w.Code, w.Message
	}
	token, rest, ok := strings.Cut(w.Message, ": ")
	switch {
	case !ok:
		return w.Code, w.Message
	case imports.LooksLikePath(token):
		return "import-missing", fmt.Sprintf("%s; %s sends a comment about the failure in its place", w.Message, t.Profile.Title)
	}
	return w.Code, fmt.Sprintf("%s takes %s for an import (%s) and sends a comment about the failure in its place; put %s in backticks", t.Profile.Title, token, rest, token)
}
