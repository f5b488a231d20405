package lint

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"foreword/workspace/fsys"
	"foreword/workspace/instructions"
)

var symlinkAsText = Rule{
	Code: "symlink-as-text", Severity: Error, Source: "https://git-scm.com/docs/git-config (core.symlinks); Comfy-Org/ComfyUI#14757",
	Doc: Doc{
		What: "The file holds nothing but the path of another file.",
		Why:  "git wrote a symbolic link as text, because links are switched off (core.symlinks, as on Windows); tools send the path in place of the instructions.",
		Mend: "Make it a link again, or write @ before the path where the tool knows imports.",
	},
	check: checkSymlinkAsText,
}

func checkSymlinkAsText(in *Input) []Diagnostic {
	var out []Diagnostic
	for _, f := range in.Files {
		target, ok := in.pointsTo(f)
		if !ok {
			continue
		}
		var tools []*Tool
		for _, t := range in.Tools {
			if reads(t.entry(f)) {
				tools = append(tools, t)
			}
		}
		if len(tools) == 0 {
			continue
		}
		out = append(out, Diagnostic{
			Path: f.Path, Place: f.line(0), Tools: names(tools),
			Message: fmt.Sprintf("holds only the path %s: git checked out a symbolic link as text (core.symlinks is off); make it a link again, or write @%s for tools that import", target, target),
		})
	}
	return out
}

// pointsTo recognises a link that was checked out as text: git writes the
// target and no line end. An editor may have added one, which is believed only
// of paths to instruction files.
func (in *Input) pointsTo(f *File) (string, bool) {
	if f.File == nil || f.Kind == instructions.KindSkill {
		return "", false
	}
	text := strings.TrimSpace(f.Text)
	_, named := instructions.PointerTarget(f.Text)
	if text == "" || len(text) > 255 || strings.ContainsAny(text, " \n\r\t*?<>|@:#`") || path.IsAbs(text) || (text != f.Text && !named) {
		return "", false
	}
	target := filepath.Join(filepath.Dir(f.Path), filepath.FromSlash(text))
	if target == f.Path {
		return "", false
	}
	info, err := in.FS.Stat(target)
	return text, err == nil && info.Kind == fsys.KindFile
}
