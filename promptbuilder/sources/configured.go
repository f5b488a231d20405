package sources

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"foreword/workspace/config"
	"foreword/workspace/fsys"
	"foreword/workspace/trust"
)

// configured says the sources of the configuration's own, [[sources]] of
// foreword.toml, each as if it were built in.
func configured(in *Input) []Source {
	all := make([]Source, 0, len(in.Own.Sources))
	for _, c := range in.Own.Sources {
		s := Source{Key: c.Key, Group: "sources", Layer: Layer(c.Layer), Title: c.Title}
		switch {
		case c.File != "":
			s.Observe = func(context.Context) Observation { return in.configuredFile(c) }
		case c.Glob != "":
			s.Observe = func(ctx context.Context) Observation { return in.configuredGlob(ctx, c) }
		case c.URL != "":
			s.Observe = func(ctx context.Context) Observation { return in.configuredAddress(ctx, c) }
		default:
			timeout := c.Timeout
			if timeout == 0 {
				timeout = commandTimeout
			}
			s.Deadline = timeout + commandSlack
			s.Observe = func(ctx context.Context) Observation {
				return in.configuredCommand(ctx, c, Program{Argv: c.Command, From: c.Declared, Timeout: timeout})
			}
		}
		if c.Update != "" {
			s.Update = func(before, after string) string { return Fill(c.Update, before, after) }
		}
		if c.Removal != "" {
			s.Removal = func(before string) string { return Fill(c.Removal, before, "") }
		}
		all = append(all, s)
	}
	return all
}

// Fill puts texts into somebody's own words for an update or a removal. A text
// that the words have
// no place for stands after them, since an update must say what holds now.
func Fill(words, before, after string) string {
	said := strings.NewReplacer("{text}", after, "{before}", before).Replace(words)
	if after != "" && !strings.Contains(words, "{text}") {
		said += "\n\n" + after
	}
	return said
}

// part is a text of a source and the file that it is from.
type part struct {
	name string // for people; empty for none
	file *fsys.File
	text string
	note string
}

// wrap puts the texts of a source between tags that nothing inside them closes.
func wrap(c config.Source, parts ...part) Observation {
	var b strings.Builder
	b.WriteString("<context" + attribute("source", c.Key) + attribute("title", c.Title) + ">")
	o := Observation{Status: Present, Why: "[[sources]] names it (" + c.Origin + ")"}
	lines := 1
	from := 0 // the first line that has no origin yet
	ours := func(to int) {
		if to > from {
			o.Origins = append(o.Origins, Origin{Name: "sources/" + c.Key, FromLine: from, ToLine: to})
		}
		from = to
	}
	add := func(text string) { b.WriteString("\n" + text); lines += lineCount(text) }
	for _, p := range parts {
		if len(parts) > 1 {
			add("<file" + attribute("path", p.name) + ">")
		}
		if p.note != "" {
			add(p.note)
		}
		if p.text != "" {
			ours(lines)
			text := neutralise(neutralise(p.text, "context"), "file")
			add(text)
			origin := Origin{Name: "sources/" + c.Key, FromLine: from, ToLine: lines}
			if p.file != nil {
				origin = Origin{Path: p.file.Path, Hash: p.file.Hash, Dirty: p.file.Dirty, FromLine: from, ToLine: lines, FileTo: lines - from}
			}
			o.Origins = append(o.Origins, origin)
			from = lines
		}
		if len(parts) > 1 {
			add("</file>")
		}
	}
	add("</context>")
	ours(lines)
	o.Text = b.String()
	return o
}

func (in *Input) configuredCommand(ctx context.Context, c config.Source, p Program) Observation {
	said, err := in.ask(ctx, p)
	if err != nil {
		return failed(err)
	}
	if said.absent != "" {
		return none(said.absent)
	}
	return wrap(c, part{text: said.text, note: said.note})
}

func (in *Input) configuredAddress(ctx context.Context, c config.Source) Observation {
	text, err := in.Own.Fetch(ctx, c.URL, c.Declared)
	if err != nil {
		return failed(err)
	}
	if strings.TrimSpace(text) == "" {
		return none(c.URL + " has no text")
	}
	return wrap(c, cutPart(part{name: c.URL, text: text}))
}

// cutPart bounds a text and says so.
func cutPart(p part) part {
	text := strings.ReplaceAll(p.text, "\r\n", "\n")
	kept, cut := cutText(text, commandCharacters)
	if cut {
		p.note = fmt.Sprintf("It has %d bytes and is cut after the first %d characters.", len(text), len([]rune(kept)))
	}
	p.text = strings.TrimRight(kept, "\n")
	return p
}

// configuredPath is where a file or pattern of a source begins. What a
// workspace names stays in the workspace until the user trusts it: the files
// that it is read through hold that.
func (in *Input) configuredPath(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(in.Root, filepath.FromSlash(path))
}

// filesOf are the files that a source may be read through.
func (in *Input) filesOf(c config.Source) fsys.FS {
	if c.Workspace {
		return in.Files
	}
	return in.Own.UserFiles
}

func (in *Input) configuredFile(c config.Source) Observation {
	if in.Root == "" && !filepath.IsAbs(c.File) {
		return none("there is no workspace folder")
	}
	path := in.configuredPath(c.File)
	p, err := in.configuredRead(c, path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return none(in.display(path) + " does not exist")
	case err != nil:
		return failed(err)
	case strings.TrimSpace(p.text) == "":
		return none(in.display(path) + " is blank")
	}
	return wrap(c, p)
}

func (in *Input) configuredRead(c config.Source, path string) (part, error) {
	if c.Workspace { // a user names a file by their own decision; a repository does not speak for them
		if why, out := in.Ignored(context.Background(), []string{path})[path]; out {
			return part{}, fmt.Errorf("%s is left out: %s", in.display(path), why)
		}
	}
	file, err := in.filesOf(c).ReadFile(path)
	if err != nil {
		if fsys.ReasonOf(err) == fsys.ReasonOutside {
			err = in.outside(c, path)
		}
		return part{}, err
	}
	return cutPart(part{name: in.display(path), file: file, text: file.Text}), nil
}

// outside refuses what a workspace names that is not in it.
func (in *Input) outside(c config.Source, path string) error {
	return &trust.Refusal{State: trust.NeedsTrust, Why: fmt.Sprintf(
		"%s is outside the workspace, and %s names it; trust the folder to allow it", in.display(path), c.Origin)}
}
