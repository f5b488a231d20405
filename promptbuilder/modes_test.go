package promptbuilder

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"foreword/promptbuilder/agents"
	"foreword/promptbuilder/models"
	"foreword/promptbuilder/sources"
	"foreword/workspace/config"
	"foreword/workspace/fsys"
	"foreword/workspace/instructions"
	"foreword/workspace/process"
	"foreword/workspace/skills"
)

// workspaceW is the workspace of gptme's vectors: a README and a context
// command; beside it a skill and a user who says something about themselves.
func workspaceW() *sources.Input {
	in := project(map[string]string{"README.md": "The project W.\n", "AGENTS.md": "Keep it small.\n", ".agents/skills/release/SKILL.md": "x\n"})
	instruct(in, "AGENTS.md", "", "Keep it small.\n")
	in.Tools = []sources.Tool{{Name: "patch", Instructions: "Changes a file."}, {Name: "save", Instructions: "Writes a file."}, {Name: "shell", Instructions: "Runs a command.", Examples: "shell ls"}}
	in.ToolFormat = "markdown"
	in.User = sources.About{Text: "I like Go.", Name: "setting user.about"}
	in.System = "Debian GNU/Linux 12"
	in.Skills = []skills.Skill{{
		Header: skills.Header{Name: "release", Description: "Makes a release."}, Path: root + "/.agents/skills/release/SKILL.md",
		State: instructions.ModelDecides, Scope: root, File: &fsys.File{Text: "x\n", Hash: fsys.HashOf("x\n")},
	}}
	in.SkillTokens = 1000
	in.Own.Context = []config.ContextCommand{{Argv: []string{"make", "context"}, Declared: config.Declared{Workspace: true, Origin: "workspace foreword.toml:1"}}}
	in.Own.Run = func(context.Context, sources.Program) (process.Result, error) {
		return process.Result{Stdout: []byte("computed\n")}, nil
	}
	return in
}

// calls are the calls of gptme's get_prompt whose results are known
// (gptme/gptme, gptme/prompts/__init__.py, executed 2026-08-22), and two more.
// Its sections are ours in this way: prompt_gptme is model, identity and
// behaviour; systeminfo is environment, timeinfo is date; prompt_workspace is
// the tree, the files, their instructions and git. Its command of an agent's
// folder is the user's own context command here.
var calls = []struct {
	name string
	set  func(*sources.Input)
}{
	{"full", func(*sources.Input) {}},
	{"full, non-interactive", func(in *sources.Input) { in.Interactive = false }},
	{"full, no tools", func(in *sources.Input) { in.Tools = nil }},
	{"short", func(in *sources.Input) { in.Compact = true }},
	{"short, no tools", func(in *sources.Input) { in.Compact, in.Tools = true, nil }},
	{"custom and tools", func(in *sources.Input) { in.Prompt = "Hello world!" }},
	{"custom, no tools", func(in *sources.Input) { in.Prompt, in.Tools = "Hello world!", nil }},
	{"selective []", selective()},
	{"selective [files]", selective("files")},
	{"selective [cmd]", selective("cmd")},
	{"selective [all]", selective("all")},
	{"selective, no tools, custom", func(in *sources.Input) {
		selective()(in)
		in.Prompt, in.Tools = "Hello world!", nil
	}},
	{"agent's own folder", func(in *sources.Input) { agentFolder(in, "/home/me/ada") }},
	{"agent's folder is the workspace", func(in *sources.Input) { agentFolder(in, root) }},
	{"selective [] and agent's own folder", func(in *sources.Input) {
		selective()(in)
		agentFolder(in, "/home/me/ada")
	}},
	{"selective [files, cmd]", selective("files", "cmd")},
}

func selective(include ...string) func(*sources.Input) {
	return func(in *sources.Input) { in.Selective, in.Include = true, include }
}

func agentFolder(in *sources.Input, folder string) {
	in.Chosen.AgentFolder, in.Own.UserFiles = folder, ada{}
}

// ada is a disk with the folder of an assistant.
type ada struct{ nothing }

func (ada) RealPath(path string) (string, error) { return path, nil }
func (ada) ReadDir(string) ([]fsys.Entry, error) { return []fsys.Entry{{Name: "memory.md"}}, nil }

// TestModes holds which sources speak in which call, by our rules and by the
// seeds', and where the boundary stands.
func TestModes(t *testing.T) {
	var b strings.Builder
	for _, call := range calls {
		fmt.Fprintf(&b, "%s\n", call.name)
		for _, compat := range []string{"", "gptme", "opencode"} {
			in, name := workspaceW(), compat
			call.set(in)
			if in.Compat = compat; name == "" {
				name = "ours"
			}
			p := promptOf(t, in, Options{})
			var said []string
			for i, s := range p.Sections {
				if i == p.Boundary {
					said = append(said, "|")
				}
				said = append(said, strings.TrimPrefix(s.Source.Key, "core/"))
			}
			fmt.Fprintf(&b, "  %-8s %s\n", name, strings.Join(said, " "))
		}
	}
	golden(t, "modes", b.String())
}

// TestWhatGptmeLosesIsSaid holds the three that its assembly loses and ours
// must not.
func TestWhatGptmeLosesIsSaid(t *testing.T) {
	says := func(compat string, set func(*sources.Input), text string) bool {
		in := workspaceW()
		set(in)
		in.Compat = compat
		return strings.Contains(promptOf(t, in, Options{}).Text(), text)
	}
	for name, c := range map[string]struct {
		set  func(*sources.Input)
		text string
	}{
		"the output of the project's command, with cmd alone":    {selective("cmd"), "computed"},
		"a custom prompt in selective context, without any tool": {calls[11].set, "Hello world!"},
		"the user in the short form without tools":               {calls[4].set, "I like Go."},
	} {
		if !says("", c.set, c.text) {
			t.Errorf("%s is lost", name)
		}
		if says("gptme", c.set, c.text) {
			t.Errorf("%s is said, and gptme loses it", name)
		}
	}
}

// TestTheBoundaryIsNotLost is gptme's lost boundary: merging the leading system
// messages puts what is computed anew each time into the text that is cached.
// Here the boundary is structure, and whatever the command prints the bytes
// before it are the same.
func TestTheBoundaryIsNotLost(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		build := func(output string) *Prompt {
			in := workspaceW()
			in.Own.Run = func(context.Context, sources.Program) (process.Result, error) {
				return process.Result{Stdout: []byte(output)}, nil
			}
			return promptOf(t, in, Options{})
		}
		first, output := build("live"), rapid.StringN(1, 200, -1).Draw(rt, "output")
		second := build(output)
		if first.Stable != second.Stable || strings.Contains(first.Stable, "live") || !strings.Contains(first.Volatile, "live") {
			rt.Fatalf("the stable text depends on what the command prints (%q)", output)
		}
		if first.Text()[:first.BoundaryByte()] != first.Stable {
			rt.Fatal("the boundary stands elsewhere")
		}
	})
}

// TestAgentsModesAndFormats holds who is told what: each agent in each mode with
// each format of tools, by a model that reasons and one that does not.
func TestAgentsModesAndFormats(t *testing.T) {
	set, _ := agents.Merge([]agents.Declaration{
		{Name: "reviewer", Prompt: "You review.", Steps: -1, Rules: agents.Rules{{Permission: "shell", Pattern: "*", Action: agents.Deny}, {Permission: "skill", Pattern: "*", Action: agents.Deny}}, Trusted: true},
	}, "")
	var b strings.Builder
	for _, a := range set.All() {
		for _, mode := range []string{"build", "plan"} {
			for _, format := range []string{"tool", "markdown", "xml"} {
				for _, model := range []string{"gpt-5", "claude-3-5-sonnet"} {
					in := workspaceW()
					in.Agent, in.Mode, in.ToolFormat, in.Model = a, mode, format, models.Lookup(model)
					in.Tools = slices.DeleteFunc(in.Tools, func(tool sources.Tool) bool { return !a.Uses(tool.Name) })
					p := promptOf(t, in, Options{})
					fmt.Fprintf(&b, "%s, %s, %s, %s:", a.Name, mode, format, model)
					for _, s := range p.Sections {
						if s.Source.Layer != sources.Core && s.Source.Key != "core/skills" {
							continue
						}
						fmt.Fprintf(&b, " %s %d", strings.TrimPrefix(s.Source.Key, "core/"), s.Tokens)
						for _, o := range s.Origins {
							if strings.HasPrefix(o.Name, "templates/") || strings.HasPrefix(o.Name, "agent ") {
								fmt.Fprintf(&b, " (%s)", strings.TrimPrefix(o.Name, "templates/"))
							}
						}
					}
					text, _ := sources.Reminder(sources.ReminderState{}, sources.ReminderState{Agent: a.Name, Mode: mode}, "")
					if text != "" {
						b.WriteString("; reminder " + strings.SplitN(text, "\n", 3)[1][:20])
					}
					b.WriteString("\n")
				}
			}
		}
	}
	golden(t, "agents", b.String())
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; make it with go test -update", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("it changed (-want +got); if it is meant, go test -update:\n%s", diff)
	}
}
