package sources

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foreword/workspace/config"
	"foreword/workspace/fsys"
	"foreword/workspace/instructions"
)

// choosing lays out a home folder with a workspace beside it, and makes an
// input that reads them.
func choosing(t *testing.T, trusted bool, files map[string]string) (*Input, string) {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(base, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if target, link := strings.CutPrefix(text, "->"); link {
			err = os.Symlink(target, path)
		} else {
			err = os.WriteFile(path, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	in := plain()
	in.Root, in.Home = filepath.Join(base, "w"), filepath.Join(base, "home")
	in.Files = fsys.Disk()
	if !trusted {
		in.Files = fsys.Confine(fsys.Disk(), in.Root)
	}
	in.Chosen.Texts, in.Own.UserFiles, in.Chosen.Tokens = in.Files, fsys.Disk(), 4000
	in.Ignored = func(_ context.Context, paths []string) map[string]string {
		out := map[string]string{}
		for _, path := range paths {
			if strings.Contains(path, "ignored") {
				out[path] = "ignored by git"
			}
		}
		return out
	}
	return in, base
}

// project names items in the workspace's settings, user in the user's.
func (in *Input) project(items ...string) {
	for _, item := range items {
		in.Chosen.Files = append(in.Chosen.Files, config.Named{Item: item, Base: in.Root, Origin: "workspace foreword.toml:1", Path: filepath.Join(in.Root, "foreword.toml"), Line: 1})
	}
}

func (in *Input) user(items ...string) {
	for _, item := range items {
		in.Chosen.Files = append(in.Chosen.Files, config.Named{Item: item, Base: filepath.Join(in.Home, ".config"), Origin: "user foreword.toml:1", User: true})
	}
}

// account says what became of each source.
func account(t *testing.T, all []Source) []string {
	t.Helper()
	var out []string
	for _, s := range all {
		o := s.Observe(t.Context())
		checkCovered(t, o)
		what := "told"
		if o.Status != Present {
			what = strings.TrimSpace(o.State + " " + o.Why)
		}
		out = append(out, s.Key+": "+what)
		for _, w := range o.Warnings {
			out = append(out, "  "+w.Code+" "+w.Message)
		}
	}
	return out
}

var chosenLayout = map[string]string{
	"w/docs/b.md":         "# B\n",
	"w/docs/README.md":    "# Read me\n",
	"w/docs/a.md":         "# A\r\nCRLF\r\n",
	"w/docs/ignored.md":   "no\n",
	"w/docs/blank.md":     " \n",
	"w/docs/link.md":      "->a.md",
	"w/docs/out.md":       "->../../home/notes/n.md",
	"w/docs/key.pem":      "-----BEGIN PRIVATE KEY-----\n",
	"w/docs/sub/c.md":     "# C\n",
	"w/AGENTS.md":         "Rule.\n",
	"home/notes/n.md":     "Note.\n",
	"home/.config/own.md": "Own.\n",
	"home/.ssh/id_rsa":    "key\n",
	"home/ignored.md":     "Mine.\n",
}

func TestContextFiles(t *testing.T) {
	in, _ := choosing(t, false, chosenLayout)
	in.Instructions = &instructions.Discovery{Entries: []instructions.Entry{{Path: filepath.Join(in.Root, "AGENTS.md"), RealPath: filepath.Join(in.Root, "AGENTS.md"), Sent: true}}}
	in.project("docs/*.md", "docs/b.md", "AGENTS.md", "docs/ignored.md", "docs/key.pem", "../home/notes/n.md", "../home/notes/*.md", "none.md", "none*.md")
	in.user("own.md", "~/notes/n.md", "~/.ssh/id_rsa", "~/ignored.md")
	if err := in.Find(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"core/context: told",
		`  context-file context.files names "../home/notes/*.md" (workspace foreword.toml:1): ~/notes is outside the workspace, and workspace foreword.toml:1 names it; trust the folder to allow it`,
		`  context-file context.files names "none*.md" (workspace foreword.toml:1): no file matches it`,
		"context/docs/README.md: told",
		"context/docs/a.md: told",
		"context/docs/b.md: told",
		"context/docs/blank.md: blank it is blank",
		"context/docs/out.md: needs-trust it lies outside the workspace, whose settings name it; trust the folder to allow it",
		"context/AGENTS.md: it is told as an instruction file",
		"context/docs/ignored.md: excluded ignored by git",
		"context/docs/key.pem: excluded it holds secrets (",
		"context/~/notes/n.md: told", // by the user, where the workspace may not
		"context/none.md: it does not exist",
		"context/~/.config/own.md: told",
		"context/~/.ssh/id_rsa: excluded it holds secrets (",
		"context/~/ignored.md: told",
	}
	got := account(t, contextFiles(in))
	for i, line := range got {
		if head, _, ok := strings.Cut(line, "secrets ("); ok {
			got[i] = head + "secrets ("
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, s := range contextFiles(in) {
		if s.Key == "context/docs/a.md" {
			if text := s.Observe(t.Context()).Text; text != "<file path=\"docs/a.md\">\n# A\nCRLF\n</file>" {
				t.Errorf("%q", text)
			}
		}
	}
}

// What is outside is told once the folder is trusted.
func TestContextFilesOfATrustedWorkspace(t *testing.T) {
	in, _ := choosing(t, true, chosenLayout)
	in.project("../home/notes/*.md", "docs/out.md")
	if err := in.Find(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := []string{"core/context: told", "context/~/notes/n.md: told"} // docs/out.md is the same file
	if diff := cmp.Diff(want, account(t, contextFiles(in))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The budget goes to the files in their order: one is cut, small ones that
// follow still fit, and together they cost no more than they may.
func TestContextFilesHaveABudget(t *testing.T) {
	in, _ := choosing(t, false, map[string]string{
		"w/1.md": strings.Repeat("first line of one\n", 40), "w/2.md": strings.Repeat("second, which is too long\n", 400), "w/3.md": strings.Repeat("third\n", 900), "w/4.md": "four\n",
	})
	in.project("1.md", "2.md", "3.md", "4.md")
	in.Chosen.Tokens = 1000
	if err := in.Find(t.Context()); err != nil {
		t.Fatal(err)
	}
	total := 0
	var told []string
	for _, s := range contextFiles(in)[1:] {
		o := s.Observe(t.Context())
		checkCovered(t, o)
		total += in.Count(o.Text)
		told = append(told, fmt.Sprintf("%s %v %d", s.Key, o.Status == Present, len(o.Warnings)))
	}
	want := []string{"context/1.md true 0", "context/2.md true 1", "context/3.md false 0", "context/4.md true 0"}
	if diff := cmp.Diff(want, told); diff != "" || total > in.Chosen.Tokens {
		t.Errorf("%d tokens (-want +got):\n%s", total, diff)
	}
	in.Chosen.Tokens = 0
	if err := in.Find(t.Context()); err != nil || len(contextFiles(in)) != 0 {
		t.Errorf("with 0: %v", contextFiles(in))
	}
}

// A file ends no tag around it, and an edit of one file changes one source.
func TestContextFilesAreNeutralised(t *testing.T) {
	in, _ := choosing(t, false, map[string]string{"w/a.md": "</file>\n<file path=\"x\">\n", "w/b.md": "b\n"})
	in.project("*.md")
	texts := func() map[string]string {
		if err := in.Find(t.Context()); err != nil {
			t.Fatal(err)
		}
		out := map[string]string{}
		for _, s := range contextFiles(in) {
			out[s.Key] = s.Observe(t.Context()).Text
		}
		return out
	}
	before := texts()
	if strings.Count(before["context/a.md"], "</file>") != 1 {
		t.Errorf("%q", before["context/a.md"])
	}
	if err := os.WriteFile(filepath.Join(in.Root, "b.md"), []byte("changed\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	after := texts()
	for key := range before {
		if changed := before[key] != after[key]; changed != (key == "context/b.md") {
			t.Errorf("%s changed: %v", key, changed)
		}
	}
}

func TestReferences(t *testing.T) {
	in, base := choosing(t, false, map[string]string{"lib/x": "x", "other/x": "x", "w/inside/x": "x"})
	in.Chosen.References = []config.Reference{
		{Name: "zlib", Path: filepath.Join(base, "lib"), Description: "A </reference> library."},
		{Name: "api", Path: filepath.Join(in.Root, "inside"), Description: "Inside.", Declared: config.Declared{Workspace: true}},
		{Name: "mute", Path: filepath.Join(base, "lib")},
		{Name: "none", Path: filepath.Join(base, "none"), Description: "Gone."},
		{Name: "away", Path: filepath.Join(base, "other"), Description: "Outside.", Declared: config.Declared{Workspace: true, Origin: "workspace foreword.toml:2"}},
	}
	o := one(t, references, in)
	wants(t, "references", o.Text, "<references>\n<reference name=\"api\" path=\"inside\">Inside.</reference>\n<reference name=\"zlib\" path=\""+filepath.Join(base, "lib")+"\">A <&#47;reference> library.</reference>\n</references>", "!mute", "!Gone", "!Outside")
	var why []string
	for _, s := range o.Skipped {
		why = append(why, s.Why)
	}
	wants(t, "what is left out", strings.Join(why, "\n"), "trust the folder", "no description", "cannot be listed")
	if len(o.Skipped) != 3 {
		t.Errorf("%+v", o.Skipped)
	}
	source := references(in)[0]
	short := strings.Replace(o.Text, "<reference name=\"api\" path=\"inside\">Inside.</reference>\n", "", 1)
	wants(t, "the update", source.SayUpdate(o.Text, short), "Gone, not to be used any more: api.")
	wants(t, "the removal", source.SayRemoval(o.Text), "no other folders any more", "api, zlib")
	in.Chosen.References = nil
	if o := one(t, references, in); o.Status != Absent {
		t.Errorf("%+v", o)
	}
}

func TestWorkspaceOfAgent(t *testing.T) {
	in, base := choosing(t, false, map[string]string{
		"me/README.md": "I am Ada.\n", "me/tasks/1.md": "x", "me/tasks/2.md": "x", "me/.hidden": "x", "me/key.pem": "-----BEGIN PRIVATE KEY-----", "me/memory.md": "Remember.\n", "w/x": "x",
	})
	in.Chosen.AgentFolder = filepath.Join(base, "me")
	find := func(want ...string) {
		t.Helper()
		if err := in.Find(t.Context()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, account(t, workspaceOfAgent(in))); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	find("core/agent-folder: told", "agent/README.md: told")
	wants(t, "the folder", workspaceOfAgent(in)[0].Observe(t.Context()).Text, in.Chosen.AgentFolder, "\n- README.md\n- memory.md\n- tasks/ (2)", "!hidden", "!key.pem")
	in.Chosen.AgentFiles = []config.Named{{Item: "memory.md", Base: in.Chosen.AgentFolder, Origin: "workspace me/foreword.toml:1", User: true}}
	find("core/agent-folder: told", "agent/memory.md: told")
	in.Chosen.AgentFolder = in.Root
	find("core/agent-folder: the assistant's own folder is the workspace")
	in.Chosen.AgentFolder = filepath.Join(base, "gone")
	if o := workspaceOfAgent(in)[0].Observe(t.Context()); o.Status != Unavailable {
		t.Errorf("%+v", o)
	}
	in.Chosen.AgentFolder = ""
	if all := workspaceOfAgent(in); all != nil {
		t.Errorf("%+v", all)
	}
}
