package sources

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"foreword/workspace/fsys"
)

// project says what the project is called and what it is: by the settings, else
// by its folder and the first paragraph of its README.
func project(in *Input) []Source {
	return []Source{{
		Key: "core/project", Group: "project", Layer: Core, Title: "The project",
		Observe: func(ctx context.Context) Observation {
			if in.Root == "" {
				return none("there is no workspace folder")
			}
			name, from := in.ProjectName, "setting project.name"
			if name == "" {
				name, from = filepath.Base(in.Root), "name of the folder"
			}
			heading := fmt.Sprintf("# The project\n\nThe workspace is the project %s.", oneLine(name))
			o := Observation{Status: Present, Text: heading, Why: "the model must know what it works on"}
			o.Origins = []Origin{{Name: "heading", FromLine: 0, ToLine: 2}, {Name: from, FromLine: 2, ToLine: 3}}
			switch about, warning := in.aboutProject(ctx); {
			case warning != nil:
				o.Warnings = append(o.Warnings, *warning)
			case about.Text == "":
			case about.Path == "":
				more := about.say(heading+"\n\n", "")
				o.Text = more.Text
				o.Origins = append(o.Origins, Origin{Name: "heading", FromLine: 3, ToLine: 4}, more.Origins[1])
			default:
				lines := lineCount(about.Text)
				o.Text += fmt.Sprintf("\n\n<readme%s>\n%s\n</readme>", attribute("path", in.display(about.Path)), neutralise(about.Text, "readme"))
				o.Origins = append(o.Origins, Origin{Name: "heading", FromLine: 3, ToLine: 5}, Origin{
					Path: about.Path, Hash: about.Hash, FromLine: 5, ToLine: 5 + lines, FileFrom: about.from, FileTo: about.from + lines,
				}, Origin{Name: "heading", FromLine: 5 + lines, ToLine: 6 + lines})
				o.Why += "; what it is, by the first paragraph of its README"
			}
			return o
		},
	}}
}

// paragraph is a part of a file.
type paragraph struct {
	About
	// from is the line of the file in which it begins, from 0.
	from int
}

// readmes are the names that a README goes by, most usual first.
var readmes = []string{"README.md", "readme.md", "Readme.md", "README.markdown", "README.txt", "README"}

// maxReadme is the longest paragraph, in bytes, that is taken for a description.
const maxReadme = 1_000

// aboutProject finds what the project is; a README that is ignored or secret
// says nothing. An unreadable one is told.
func (in *Input) aboutProject(ctx context.Context) (paragraph, *Warning) {
	if in.ProjectAbout != "" {
		return paragraph{About: About{Text: in.ProjectAbout, Name: "setting project.about"}}, nil
	}
	for _, name := range readmes {
		path := filepath.Join(in.Root, name)
		file, err := in.Files.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return paragraph{}, &Warning{Code: "readme", Path: path, Message: fmt.Sprintf("the project's README is left out: %v", err)}
		}
		if in.Ignored != nil && in.Ignored(ctx, []string{path})[path] != "" {
			continue
		}
		text, from := firstParagraph(file)
		return paragraph{About{Text: text, Path: path, Hash: file.Hash}, from}, nil
	}
	return paragraph{}, nil
}

// firstParagraph gives the first paragraph of prose: what is no heading, badge,
// list, table, quote, code or mark-up. It is empty where there is none, or none
// of a reasonable length.
func firstParagraph(file *fsys.File) (text string, line int) {
	lines := strings.Split(strings.ReplaceAll(file.Text, "\r\n", "\n"), "\n")
	if len(lines) > 0 && lines[0] == "---" { // front matter
		for i := 1; i < len(lines); i++ {
			if lines[i] == "---" {
				lines = append(make([]string, i+1), lines[i+1:]...)
				break
			}
		}
	}
	fence := ""
	for i := 0; i < len(lines); i++ {
		trimmed := strings.TrimSpace(lines[i])
		if fence != "" {
			if strings.HasPrefix(trimmed, fence) {
				fence = ""
			}
			continue
		}
		for _, mark := range []string{"```", "~~~"} {
			if strings.HasPrefix(trimmed, mark) {
				fence = mark
			}
		}
		if trimmed == "" || fence != "" {
			continue
		}
		end := i
		prose := true
		for end < len(lines) && strings.TrimSpace(lines[end]) != "" {
			prose = prose && isProse(lines[end])
			end++
		}
		under := i+1 < end && strings.Trim(strings.TrimSpace(lines[i+1]), "=-") == "" // a heading with a line below it
		if prose && !under {
			text := strings.Join(lines[i:end], "\n")
			if len(text) > maxReadme {
				return "", 0
			}
			return text, i
		}
		// A heading may stand directly above its paragraph.
		if strings.HasPrefix(trimmed, "#") || under {
			if under {
				i++
			}
			continue
		}
		i = end
	}
	return "", 0
}

// isProse tells whether a line of Markdown is a sentence's.
func isProse(line string) bool {
	trimmed := strings.TrimSpace(line)
	if strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t") {
		return false // code
	}
	for _, mark := range []string{"#", "<", "|", ">", "![", "[![", "- ", "* ", "+ ", "1.", "===", "---", "***", "___", ":::", "```", "~~~", ".. ", "//", "[comment]"} {
		if strings.HasPrefix(trimmed, mark) {
			return false
		}
	}
	return true
}
