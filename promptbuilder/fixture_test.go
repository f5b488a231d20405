package promptbuilder

import (
	"context"
	"path"
	"strings"
	"testing"
	"time"

	"foreword/promptbuilder/agents"
	"foreword/promptbuilder/models"
	"foreword/promptbuilder/sources"
	"foreword/promptbuilder/tokens"
	"foreword/workspace/fsys"
	"foreword/workspace/instructions"
	"foreword/workspace/vcs"
)

const (
	root = "/w/shop"
	home = "/home/me"
)

// nothing is a disk without a file.
type nothing struct{}

func missing(path string) error { return &fsys.Error{Path: path, Reason: fsys.ReasonMissing} }

func (nothing) Lstat(path string) (fsys.Info, error)      { return fsys.Info{}, missing(path) }
func (nothing) Stat(path string) (fsys.Info, error)       { return fsys.Info{}, missing(path) }
func (nothing) ReadDir(path string) ([]fsys.Entry, error) { return nil, missing(path) }
func (nothing) ReadFile(path string) (*fsys.File, error)  { return nil, missing(path) }
func (nothing) RealPath(path string) (string, error)      { return "", missing(path) }

// project is the input of a prompt for a project whose files are texts by their
// path below root; no disk is involved.
func project(files map[string]string) *sources.Input {
	overlay := map[string]fsys.Buffer{}
	for name, text := range files {
		overlay[path.Join(root, name)] = fsys.Buffer{Text: text}
	}
	disk := fsys.Overlay(nothing{}, overlay)
	return &sources.Input{
		Request: sources.Request{Model: models.Lookup("gpt-5"), Provider: "openai", Agent: agents.Agent{Name: "build", BuiltIn: true}, Mode: "build", Interactive: true, ToolFormat: "tool"},
		Place:   sources.Place{Root: root, Repository: true, Cwd: root, Home: home},
		Facts: sources.Facts{
			Files:        disk,
			Attached:     disk.ReadFile,
			Instructions: &instructions.Discovery{Profile: instructions.Own, Root: root},
			Ignored: func(_ context.Context, paths []string) map[string]string {
				out := map[string]string{}
				for _, p := range paths {
					if strings.HasSuffix(p, "/.env") {
						out[p] = "its name is that of a file with secrets"
					}
				}
				return out
			},
			Git: func(context.Context) (*vcs.Status, error) {
				return &vcs.Status{Head: vcs.Head{Branch: "main", Commit: "0123456789abcdef"}, Source: vcs.SourceGit}, nil
			},
			Now:        func() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) },
			Count:      tokens.O200k.Count,
			TreeTokens: 1000, BufferTokens: 8000, Platform: "linux amd64",
		},
	}
}

// instruct adds an instruction file that is sent; scope is below root.
func instruct(in *sources.Input, name, scope, text string) {
	e := instructions.Entry{
		Path: path.Join(root, name), Kind: instructions.KindAgents, State: instructions.Sent, Sent: true, Mode: "always",
		Why: "it stands at or above the file", Body: text, Whole: true, Scope: path.Join(root, scope),
		File: &fsys.File{Text: text, Hash: fsys.HashOf(text)},
	}
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		e.Path, e.Scope, e.Personal, e.Why = path.Join(home, rest), "", true, "it is the user's own file"
	}
	if strings.HasSuffix(name, "CLAUDE.md") {
		e.Kind = instructions.KindClaude
	}
	e.RealPath, e.Order = e.Path, len(in.Instructions.Entries)+1
	in.Instructions.Entries = append(in.Instructions.Entries, e)
}

// open opens a file of root in the editor.
func open(in *sources.Input, name, language, text string, dirty bool) {
	in.Buffers = append(in.Buffers, sources.Buffer{Path: path.Join(root, name), Language: language, Text: text, Dirty: dirty})
}

func promptOf(t testing.TB, in *sources.Input, o Options) *Prompt {
	t.Helper()
	o.Count, o.Omit = in.Count, in.Omit
	p, err := Build(context.Background(), sources.All(in), o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// textOf gives the text of a file that an origin names, with the line ends of a
// prompt.
func textOf(in *sources.Input, o sources.Origin) (string, error) {
	lines := func(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }
	for _, e := range in.Instructions.Entries {
		if e.Path == o.Path {
			return lines(e.Text()), nil
		}
	}
	for _, b := range in.Buffers {
		if b.Path == o.Path {
			return lines(b.Text), nil
		}
	}
	file, err := in.Files.ReadFile(o.Path)
	if err != nil {
		return "", err
	}
	return lines(file.Text), nil
}
