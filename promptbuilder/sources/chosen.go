package sources

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"foreword/workspace/config"
	"foreword/workspace/fsys"
	"foreword/workspace/ignore"
)

// Chosen are files and folders that the settings name, and what was found of
// them. Find fills in the latter.
type Chosen struct {
	// Files are those of the setting context.files.
	Files []config.Named
	// References are the other folders that the model may look into.
	References []config.Reference
	// AgentFolder is the assistant's own folder, AgentFiles are those that its
	// own settings name.
	AgentFolder string
	AgentFiles  []config.Named
	// Tokens bounds the texts of all files.
	Tokens int
	// Texts reads what the editor shows, confined as Facts.Files is.
	Texts fsys.FS

	files    []chosenFile
	warnings []Warning
}

// chosenFile is a file that a setting names.
type chosenFile struct {
	path, real string
	named      config.Named
	ofAgent    bool
	file       *fsys.File // nil where it is not told
	text       string     // of file, as much of it as is told
	cut        string     // says how much that is; empty for all
	why        string     // why it is not told
	state      string
	missing    bool
}

// usualAgentFiles are told of the assistant's own folder where its settings
// name none.
var usualAgentFiles = []string{"README*", "AGENTS.md"}

// firstNames go first among what one pattern names, in this order: what
// introduces a project before what builds it. It is gptme's order
// (gptme/gptme gptme/prompts/workspace.py, d27f98d3).
var firstNames = []string{
	"README.md", "README.rst", "README.txt", "README", "gptme.toml", "AGENTS.md", "CLAUDE.md", "COPILOT.md", "GEMINI.md",
	"pyproject.toml", "package.json", "Cargo.toml", "Makefile", "docker-compose.yml", "docker-compose.yaml",
}

// Find looks for the files that the settings name. Each is found once, however
// it is named; the budget of tokens goes to them in the order in which they are
// named. What cannot be told says why.
func (in *Input) Find(ctx context.Context) error {
	c := &in.Chosen
	c.files, c.warnings = nil, nil
	if c.Tokens <= 0 {
		return ctx.Err()
	}
	seen := map[string]string{} // real path → why it needs no second time
	if in.Instructions != nil {
		for _, e := range in.Instructions.Sent() {
			seen[e.RealPath] = "it is told as an instruction file"
		}
	}
	for _, list := range []struct {
		named   []config.Named
		ofAgent bool
	}{{c.Files, false}, {in.agentFiles(), true}} {
		for _, named := range list.named {
			paths, err := in.named(ctx, named, list.ofAgent)
			if err != nil {
				return err
			}
			for _, path := range paths {
				f := in.choose(ctx, chosenFile{path: path, named: named, ofAgent: list.ofAgent})
				why, twice := seen[f.real]
				switch {
				case twice && why == "", f.missing && list.ofAgent && len(c.AgentFiles) == 0:
					continue // told by another name or pattern; or one of the usual that is not there
				case twice:
					f.file, f.why = nil, why
				}
				if f.file != nil {
					seen[f.real] = ""
				}
				c.add(f)
			}
		}
	}
	in.fitChosen()
	return ctx.Err()
}

// add keeps a file. One of the same path that could not be told makes room for
// it: a user may name what a repository may not.
func (c *Chosen) add(f chosenFile) {
	i := slices.IndexFunc(c.files, func(other chosenFile) bool { return other.path == f.path && other.ofAgent == f.ofAgent })
	switch {
	case i < 0:
		c.files = append(c.files, f)
	case f.file != nil:
		c.files[i] = f
	}
}

func (in *Input) agentFiles() []config.Named {
	c := &in.Chosen
	if !in.hasAgentFolder() {
		return nil
	}
	if len(c.AgentFiles) > 0 {
		return c.AgentFiles
	}
	var usual []config.Named
	for _, item := range usualAgentFiles {
		usual = append(usual, config.Named{Item: item, Base: c.AgentFolder, Origin: "one of the usual files of the assistant's folder", User: true})
	}
	return usual
}

// hasAgentFolder tells whether the assistant has a folder beside the project.
func (in *Input) hasAgentFolder() bool {
	return in.Chosen.AgentFolder != "" && in.Chosen.AgentFolder != in.Root
}

// source is a name as a source of the configuration, so that its pattern is
// looked for by the same rules.
func namedSource(n config.Named, path string) config.Source {
	return config.Source{Key: "context.files", Glob: path, Declared: config.Declared{Workspace: !n.User, Path: n.Path, Line: n.Line, Origin: n.Origin}}
}

// named lists the files that an item names, the important first. A pattern
// leaves out what git ignores and what is excluded; a name that stands there in
// full is looked at later, when it can be said why.
func (in *Input) named(ctx context.Context, n config.Named, ofAgent bool) ([]string, error) {
	path, err := in.namedPath(n)
	if err != nil {
		in.miss(n, err.Error())
		return nil, nil
	}
	if !strings.ContainsAny(path, "*?[{") {
		return []string{path}, nil
	}
	paths, more, err := in.expand(ctx, namedSource(n, path))
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		in.miss(n, err.Error())
		return nil, nil
	case len(paths) == 0 && !ofAgent:
		in.miss(n, "no file matches it")
	case more:
		in.miss(n, fmt.Sprintf("it names more than %d files, or looks into more than %d folders; the rest is left out", globFiles, globFolders))
	}
	slices.SortStableFunc(paths, func(a, b string) int { return cmp.Compare(firstRank(a), firstRank(b)) })
	return paths, nil
}

func firstRank(path string) int {
	if i := slices.Index(firstNames, filepath.Base(path)); i >= 0 {
		return i
	}
	return len(firstNames)
}

func (in *Input) miss(n config.Named, why string) {
	in.Chosen.warnings = append(in.Chosen.warnings, Warning{Code: "context-file", Path: n.Path, Message: fmt.Sprintf("context.files names %q (%s): %s", n.Item, n.Origin, why)})
}

// namedPath makes an item absolute.
func (in *Input) namedPath(n config.Named) (string, error) {
	rest, home := strings.CutPrefix(n.Item, "~/")
	switch {
	case home && in.Home == "":
		return "", errors.New("there is no home folder")
	case home:
		return filepath.Join(in.Home, filepath.FromSlash(rest)), nil
	case filepath.IsAbs(n.Item):
		return filepath.Clean(n.Item), nil
	case n.Base == "":
		return "", errors.New("it is relative, and there is no workspace folder")
	}
	return filepath.Join(n.Base, filepath.FromSlash(n.Item)), nil
}

// choose reads a file, or says why it is not told. A repository's settings name
// what is in it and what git does not ignore; the user's own name what they
// like, but nobody names a secret.
func (in *Input) choose(ctx context.Context, f chosenFile) chosenFile {
	f.real = f.path
	files := in.Chosen.Texts
	if f.named.User {
		files = in.Own.UserFiles
	}
	if real, err := files.RealPath(f.path); err == nil {
		f.real = real
	}
	for _, path := range []string{f.path, f.real} {
		if why, secret := ignore.Secret(path); secret {
			f.why, f.state = "it holds secrets ("+why+"), which are never told", "excluded"
			return f
		}
	}
	if !f.named.User {
		for _, path := range []string{f.path, f.real} {
			if why, out := in.Ignored(ctx, []string{path})[path]; out {
				f.why, f.state = why, "excluded"
				return f
			}
		}
	}
	file, err := files.ReadFile(f.path)
	switch {
	case err == nil && strings.TrimSpace(file.Text) == "":
		f.why, f.state = "it is blank", "blank"
	case err == nil:
		f.file, f.text = file, strings.TrimRight(strings.ReplaceAll(file.Text, "\r\n", "\n"), "\n")
	case fsys.ReasonOf(err) == fsys.ReasonOutside:
		f.why, f.state = "it lies outside the workspace, whose settings name it; trust the folder to allow it", "needs-trust"
	case errors.Is(err, fs.ErrNotExist):
		f.why, f.missing = "it does not exist", true
	default:
		f.why, f.state = err.Error(), "unreadable"
	}
	return f
}

// worthCutting is the least number of tokens worth beginning a file with that
// does not fit whole; one that is cut shorter says too little.
const worthCutting = 200

// fitChosen gives the budget to the files in their order. One that does not fit
// is cut if much of it is left; the next ones are told as far as they fit whole.
func (in *Input) fitChosen() {
	left, cut := in.Chosen.Tokens, false
	for i := range in.Chosen.files {
		f := &in.Chosen.files[i]
		if f.file == nil {
			continue
		}
		cost := in.Count(in.chosenText(f))
		if cost <= left {
			left -= cost
			continue
		}
		whole := f.text
		if !cut && left >= worthCutting {
			cut = true
			t := newTranscript("", "", left-chosenFrame, in.Count)
			kept := strings.TrimRight(t.fit(whole, left-chosenFrame), "\n")
			f.text, f.cut = kept, fmt.Sprintf("the first %d of %d lines", lineCount(kept), lineCount(whole))
			if cost = in.Count(in.chosenText(f)); cost <= left && kept != "" {
				left -= cost
				continue
			}
		}
		f.file, f.text, f.cut = nil, "", ""
		f.why, f.state = fmt.Sprintf("%s leaves no room for it", in.bound("context.tokens", in.Chosen.Tokens)), "excluded"
	}
}

// chosenFrame is about what the tags around a file cost.
const chosenFrame = 60

// chosenText is a file as the model is told it.
func (in *Input) chosenText(f *chosenFile) string {
	part := ""
	if f.cut != "" {
		part = attribute("part", f.cut)
	}
	return "<file" + attribute("path", in.location(f.path)) + part + ">\n" + neutralise(f.text, "file") + "\n</file>"
}

// chosenSource is the source of one file.
func (in *Input) chosenSource(f *chosenFile, key string) Source {
	shown := in.display(f.path)
	return Source{
		Key: key, Group: "files", Layer: Cacheable, Title: "The file " + shown,
		Observe: func(context.Context) Observation {
			if f.file == nil {
				return Observation{Why: f.why, State: f.state}
			}
			text := in.chosenText(f)
			lines := lineCount(f.text)
			o := Observation{Status: Present, Text: text, Why: fmt.Sprintf("%s names it; bounded by %s", f.named.Origin, in.bound("context.tokens", in.Chosen.Tokens))}
			o.Origins = []Origin{
				{Name: "context", ToLine: 1},
				{Path: f.path, Hash: f.file.Hash, Dirty: f.file.Dirty, FromLine: 1, ToLine: 1 + lines, FileTo: lines},
				{Name: "context", FromLine: 1 + lines, ToLine: 2 + lines},
			}
			if f.cut != "" {
				o.Warnings = []Warning{{Code: "context-file-cut", Path: f.path, Message: fmt.Sprintf(
					"only %s of %s are told: the setting context.tokens is %d", f.cut, shown, in.Chosen.Tokens)}}
			}
			return o
		},
		Update: sayDiff("The file " + shown),
		Removal: func(string) string {
			return fmt.Sprintf("The file %s is no longer told; what was said of it may be out of date.", shown)
		},
	}
}
