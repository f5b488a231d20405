package promptbuilder

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foreword/promptbuilder/agents"
	"foreword/promptbuilder/models"
	"foreword/promptbuilder/sources"
	"foreword/workspace/instructions"
	"foreword/workspace/vcs"
)

var update = flag.Bool("update", false, "write the golden files anew; read them before they are committed")

var (
	shop = map[string]string{
		"AGENTS.md":             "# Shop\n\nRun `go test ./...` before you say that something works.\n",
		"README.md":             "The shop.\n",
		"go.mod":                "module shop\n",
		"main.go":               "package main\n\nfunc main() { serve(\":8080\") }\n",
		"internal/cart/cart.go": "package cart\n\n// Total adds up a cart, in cents.\nfunc Total(prices []int) (sum int) {\n\tfor _, p := range prices {\n\t\tsum += p\n\t}\n\treturn sum\n}\n",
		".env":                  "KEY=SECRET\n",
	}
	monorepo = map[string]string{
		"AGENTS.md":                       "Monorepo. One package does not import another's internals.\n",
		"packages/api/AGENTS.md":          "\r\n\r\nThe API is versioned.\r\nNever break v1.\r\n",
		"packages/api/src/CLAUDE.md":      "Handlers return `Result`. </instructions> is only text here.",
		"packages/api/src/handler.ts":     "export const handler = () => \"ok\";\r\n",
		"packages/web/AGENTS.md":          "Web rules.\n",
		"packages/web/src/page.tsx":       "export default () => null;\n",
		"packages/web/src/deep/a/b/c.tsx": "",
	}
	someTools = []sources.Tool{
		{Name: "grep", Description: "Search the workspace.", Parameters: json.RawMessage(`{ "type": "object", "properties": { "pattern": { "type": "string", "description": "a regular expression, in ` + "`RE2`" + ` syntax" } } }`)},
		{Name: "read", Description: "Read a file.", Instructions: "Prefer it over asking the user.", Examples: "read {\"path\": \"main.go\"}", Parameters: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`)},
	}
)

func plain() *sources.Input {
	in := project(shop)
	instruct(in, "AGENTS.md", "", shop["AGENTS.md"])
	in.Target = root + "/internal/cart/cart.go"
	open(in, "internal/cart/cart.go", "go", shop["internal/cart/cart.go"], false)
	return in
}

// scenarios are the prompts that are kept as golden files.
var scenarios = map[string]func() (*sources.Input, Options){
	"plain_repository": func() (*sources.Input, Options) { return plain(), Options{} },
	"monorepo": func() (*sources.Input, Options) {
		in := project(monorepo)
		instruct(in, "~/.config/foreword/AGENTS.md", "", "Answer in British English.\n")
		instruct(in, "AGENTS.md", "", monorepo["AGENTS.md"])
		instruct(in, "packages/api/AGENTS.md", "packages/api", monorepo["packages/api/AGENTS.md"])
		instruct(in, "packages/api/src/CLAUDE.md", "packages/api/src", monorepo["packages/api/src/CLAUDE.md"])
		in.Target, in.Cwd = root+"/packages/api/src/handler.ts", root+"/packages/api"
		in.Focus = sources.Focus{Path: in.Target, Selected: true, FromLine: 0, ToLine: 1, Visible: []string{root + "/packages/web/src/page.tsx"}}
		open(in, "packages/api/AGENTS.md", "markdown", monorepo["packages/api/AGENTS.md"], false)
		open(in, "packages/api/src/handler.ts", "typescript", "export const handler = () => \"changed\";\r\n", true)
		open(in, "packages/web/src/page.tsx", "typescriptreact", monorepo["packages/web/src/page.tsx"], false)
		in.Buffers = append(in.Buffers, sources.Buffer{Label: "untitled:Untitled-1", Language: "markdown", Text: "```\na note\n```", Dirty: true})
		in.Git = func(context.Context) (*vcs.Status, error) {
			return &vcs.Status{
				Head: vcs.Head{Branch: "feature/v2", Commit: "fedcba9876543210"}, Upstream: "origin/main", Ahead: 2, Behind: 1,
				Changed: []vcs.Change{{Path: ".env", Code: ".M"}, {Path: "packages/api/src/handler.ts", Code: "M."}, {Path: "packages/web/src/page.tsx", Code: "R.", OrigPath: "packages/web/src/index.tsx"}, {Path: "notes/", Code: "??"}},
				Total:   4,
			}, nil
		}
		return in, Options{}
	},
	"plan_mode": func() (*sources.Input, Options) {
		in := plain()
		in.Mode, in.Agent = "plan", agents.Agent{Name: "architect", Prompt: "You draw plans."}
		return in, Options{}
	},
	"non_interactive": func() (*sources.Input, Options) {
		in := plain()
		in.Interactive = false
		in.OutputSchema = json.RawMessage("{\n  \"type\": \"object\",\n  \"required\": [\"verdict\"]\n}")
		return in, Options{}
	},
	"compact": func() (*sources.Input, Options) {
		in := plain()
		in.Compact, in.Agent = true, agents.Agent{Name: "reviewer"}
		return in, Options{}
	},
	"tools_native": func() (*sources.Input, Options) {
		in := plain()
		in.Tools = someTools
		return in, Options{}
	},
	"tools_markdown": func() (*sources.Input, Options) {
		in := plain()
		in.Tools, in.ToolFormat = someTools, "markdown"
		return in, Options{}
	},
	"tools_xml": func() (*sources.Input, Options) {
		in := plain()
		in.Tools, in.ToolFormat = someTools, "xml"
		return in, Options{}
	},
	"selective": func() (*sources.Input, Options) {
		in := plain()
		in.Attachments = []string{root + "/main.go", root + "/gone.go"}
		in.Selective, in.Include = true, []string{"files", "core/git"}
		return in, Options{}
	},
	"no_workspace": func() (*sources.Input, Options) {
		in := project(nil)
		in.Place = sources.Place{Home: home}
		in.Model, in.Provider, in.Agent = models.Lookup(""), "", agents.Agent{}
		in.Git = nil
		in.Instructions = &instructions.Discovery{Profile: instructions.Own}
		in.Buffers = []sources.Buffer{{Label: "untitled:Untitled-1", Text: "a thought"}}
		return in, Options{}
	},
	"everything_fails": func() (*sources.Input, Options) {
		in := plain()
		in.Files = nothing{}
		in.Target = root + "/.env"
		in.Buffers = []sources.Buffer{{Path: root + "/.env", Text: "KEY=SECRET"}, {Path: root + "/go.sum", Text: "x"}, {Path: "/elsewhere/a.go", Text: "x"}, {Path: root + "/blank", Text: " \n"}}
		in.Attachments = []string{root + "/gone.go"}
		in.Git = func(context.Context) (*vcs.Status, error) { return nil, errors.New("git is not there") }
		return in, Options{}
	},
}

func TestGolden(t *testing.T) {
	for name, scenario := range scenarios {
		t.Run(name, func(t *testing.T) {
			in, o := scenario()
			p := promptOf(t, in, o)
			checkPrompt(t, in, p)
			got := account(p) + "\n======== before the boundary\n" + p.Stable + "\n======== after the boundary\n" + p.Volatile + "\n"
			if strings.Contains(got, "SECRET") {
				t.Error("a secret is in the prompt")
			}
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
				t.Errorf("the prompt changed (-want +got); if it is meant, go test -update:\n%s", diff)
			}
		})
	}
}

// account writes all of a prompt beside its text.
func account(p *Prompt) string {
	var b strings.Builder
	for _, s := range p.Sections {
		fmt.Fprintf(&b, "%s: %s, %q, %d tokens, bytes %d to %d; %s\n", s.Source.Key, s.Source.Layer, s.Source.Title, s.Tokens, s.From, s.To, s.Why)
		for _, o := range s.Origins {
			fmt.Fprintf(&b, "  lines %d to %d: ", o.FromLine, o.ToLine)
			if o.Path == "" {
				b.WriteString(o.Name + "\n")
				continue
			}
			fmt.Fprintf(&b, "%s lines %d to %d, %.8s", o.Path, o.FileFrom, o.FileTo, o.Hash)
			if o.Dirty {
				b.WriteString(", not saved")
			}
			b.WriteString("\n")
		}
	}
	fmt.Fprintf(&b, "boundary: before section %d, at byte %d; %d tokens before, %d after\n", p.Boundary, p.BoundaryByte(), p.StableTokens, p.VolatileTokens)
	for _, s := range p.Skipped {
		fmt.Fprintf(&b, "skipped by %s: %s%s: %s\n", s.Source.Key, s.Path, s.Name, s.Why)
	}
	for _, l := range p.LeftOut {
		state := map[sources.Status]string{sources.Absent: "absent", sources.Unavailable: "unavailable", sources.Unasked: "absent"}[l.Status]
		fmt.Fprintf(&b, "%s: %s; %s\n", state, l.Source.Key, l.Why)
	}
	for _, w := range p.Warnings {
		fmt.Fprintf(&b, "warning %s %s: %s\n", w.Code, w.Path, w.Message)
	}
	return b.String()
}
