package commands

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.lsp.dev/uri"

	"foreword/workspace"
)

func wholeText(text string) []workspace.Change { return []workspace.Change{{Text: text}} }

var small = map[string]string{
	"AGENTS.md":          "Root rule.\n",
	"svc/AGENTS.md":      "\n\nService rule.\nSecond line.\n",
	"svc/pay/CLAUDE.md":  "Pay rule.\n",
	"svc/mail/AGENTS.md": "Mail rule.\n",
	"svc/pay/x.go":       "package pay\n",
	"main.go":            "package main\n",
}

func TestPromptHasItsLayersInOrder(t *testing.T) {
	r := newRepo(t, small)
	s := r.open()
	p := build(t, s, BuildPromptParams{URI: r.uri("svc/pay/x.go"), Model: "gpt-5"})
	want := []string{
		"core/model", "core/identity", "core/behaviour", "core/project",
		"core/environment", "core/tree", "core/instructions", "instructions/AGENTS.md", "instructions/svc/AGENTS.md", "instructions/svc/pay/CLAUDE.md",
		"core/git", "core/focus", "core/date",
	}
	if diff := cmp.Diff(want, keys(p)); diff != "" {
		t.Fatalf("sections (-want +got):\n%s", diff)
	}
	if key := p.Sections[p.Boundary.Section].Key; key != "core/git" {
		t.Errorf("the boundary stands before %s, want core/git", key)
	}
	if strings.Contains(text(p), "Mail rule") {
		t.Error("a sibling's rule is in the prompt")
	}
}

// TestAccountAddsUp holds T5: what is counted and where it stands is what is sent.
func TestAccountAddsUp(t *testing.T) {
	r := newRepo(t, small)
	s := r.open()
	r.edit(s, "main.go", "package main\n\nfunc main() {}\n")
	p := build(t, s, BuildPromptParams{URI: r.uri("svc/pay/x.go")})
	whole := text(p)
	sum := 0
	for i, section := range p.Sections {
		sum += section.Tokens
		if got := whole[section.Range[0]:section.Range[1]]; got != section.Text {
			t.Errorf("%s: range gives %q, text is %q", section.Key, got, section.Text)
		}
		if i > 0 && section.Range[0] != p.Sections[i-1].Range[1]+2 {
			t.Errorf("%s does not follow the section before it", section.Key)
		}
		covered := 0
		for _, o := range section.Origins {
			if o.Lines[0] != covered {
				t.Errorf("%s: origins leave lines %d to %d to nobody", section.Key, covered, o.Lines[0])
			}
			covered = o.Lines[1]
			checkOrigin(t, r, s, section, o)
		}
		if lines := strings.Count(section.Text, "\n") + 1; covered != lines {
			t.Errorf("%s: origins cover %d of %d lines", section.Key, covered, lines)
		}
	}
	if joiners := len(p.Sections); sum > p.Tokens.Total+joiners || sum < p.Tokens.Total-2*joiners {
		t.Errorf("sections add up to %d tokens, the total is %d", sum, p.Tokens.Total)
	}
	if l := p.Tokens.Layers; l.Core+l.Cacheable+l.Dynamic != sum {
		t.Errorf("layers %+v do not add up to %d", l, sum)
	}
}

// checkOrigin compares the lines that an origin claims with the file's own.
func checkOrigin(t *testing.T, r *repo, s *Service, section Section, o Origin) {
	t.Helper()
	if o.Range == nil {
		return
	}
	file, err := s.Workspace().Snapshot().FS().ReadFile(uriPath(o.URI))
	must(t, err)
	if file.Hash.String() != o.Hash || file.Dirty != o.Dirty {
		t.Errorf("%s: origin says hash %.8s dirty %v, the file is %.8s %v", section.Key, o.Hash, o.Dirty, file.Hash, file.Dirty)
	}
	have := strings.Split(section.Text, "\n")[o.Lines[0]:o.Lines[1]]
	want := strings.Split(file.Text, "\n")[o.Range.Start.Line:o.Range.End.Line]
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("%s: lines of %s (-file +section):\n%s", section.Key, o.URI, diff)
	}
}

// TestPrefixSurvives holds T11: midnight, git status, the file in focus, open
// buffers change nothing before the boundary.
func TestPrefixSurvives(t *testing.T) {
	r := newRepo(t, small)
	before := build(t, r.openAt(time.Date(2026, 11, 30, 23, 59, 0, 0, time.UTC)), BuildPromptParams{URI: r.uri("main.go")})

	r.write("new.txt", "changes git status and the tree")
	must(t, os.Remove(r.path("new.txt")))
	r.git("add", "main.go")
	s := r.openAt(time.Date(2026, 12, 1, 0, 1, 0, 0, time.UTC))
	r.edit(s, "main.go", "package other\n")
	after := build(t, s, BuildPromptParams{URI: r.uri("main.go")})
	if before.Messages[0].Content != after.Messages[0].Content || before.Fingerprint.Prefix != after.Fingerprint.Prefix {
		t.Errorf("the prefix changed:\n%s", cmp.Diff(before.Messages[0].Content, after.Messages[0].Content))
	}
	if before.Fingerprint.Full == after.Fingerprint.Full {
		t.Error("the dynamic layer did not change")
	}
	if d := section(t, after, "core/date").Text; !strings.Contains(d, "1 December 2026") {
		t.Errorf("date is %q", d)
	}
}

// TestSameInputSameBytes holds T12: the order of events does not show.
func TestSameInputSameBytes(t *testing.T) {
	files := map[string]string{}
	for i := range 40 {
		files[fmt.Sprintf("d%02d/AGENTS.md", i)] = fmt.Sprintf("Rule %d", i)
		files[fmt.Sprintf("d%02d/f.go", i)] = fmt.Sprintf("package d%d\n", i)
	}
	r := newRepo(t, files)
	var tools []Tool
	for i := range 40 {
		tools = append(tools, Tool{Name: fmt.Sprintf("tool%02d", i), Description: "d", Instructions: "use it"})
	}
	seen := map[string]bool{}
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 1))
		s := r.open()
		order := random.Perm(40)
		for _, i := range order {
			name := fmt.Sprintf("d%02d/f.go", i)
			r.edit(s, name, fmt.Sprintf("package d%d // edited\n", i))
		}
		shuffled := slices.Clone(tools)
		random.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		p := build(t, s, BuildPromptParams{URI: r.uri("d07/f.go"), Tools: shuffled})
		seen[p.Fingerprint.Full] = true
	}
	if len(seen) != 1 {
		t.Errorf("%d different prompts from the same input", len(seen))
	}
}

// TestBufferWinsOverDisk holds T22 for the prompt.
func TestBufferWinsOverDisk(t *testing.T) {
	r := newRepo(t, small)
	s := r.open()
	r.edit(s, "AGENTS.md", "Unsaved rule.\n")
	r.edit(s, "main.go", "package unsaved\n")
	p := build(t, s, BuildPromptParams{URI: r.uri("main.go")})
	rule := section(t, p, "instructions/AGENTS.md")
	if !strings.Contains(rule.Text, "Unsaved rule.") || !rule.Origins[1].Dirty {
		t.Errorf("section %+v does not hold the unsaved text", rule)
	}
	if buffers := section(t, p, "core/buffers"); !strings.Contains(buffers.Text, "package unsaved") || strings.Contains(buffers.Text, "Unsaved rule") {
		t.Errorf("open files: %s", buffers.Text)
	}
}

func TestSecretsAndIgnoredFilesAreNoSource(t *testing.T) {
	r := newRepo(t, map[string]string{
		".gitignore": "ignored.txt\nbuild/\nAGENTS.md\n", "ignored.txt": "IGNORED", "build/out.js": "BUILT", ".env": "KEY=SECRET1",
		"AGENTS.md": "Personal rule.", "shown.txt": "SHOWN",
	})
	s := r.open()
	for _, name := range []string{"ignored.txt", "build/out.js", ".env", "shown.txt"} {
		r.edit(s, name, map[string]string{"ignored.txt": "IGNORED!", "build/out.js": "BUILT!", ".env": "KEY=SECRET1!", "shown.txt": "SHOWN!"}[name])
	}
	p := build(t, s, BuildPromptParams{URI: r.uri("shown.txt")})
	for _, out := range []string{"IGNORED", "BUILT", "SECRET1", "out.js"} {
		if strings.Contains(text(p), out) {
			t.Errorf("the prompt holds %q", out)
		}
	}
	for _, in := range []string{"SHOWN!", "Personal rule."} {
		if !strings.Contains(text(p), in) {
			t.Errorf("the prompt lacks %q", in)
		}
	}
	attached := build(t, s, BuildPromptParams{URI: r.uri("shown.txt"), Attachments: []string{r.uri("ignored.txt"), r.uri(".env")}})
	for _, in := range []string{"IGNORED!", "SECRET1!"} {
		if !strings.Contains(section(t, attached, "core/attachments").Text, in) {
			t.Errorf("the file that the user attached by name is not there: %q", in)
		}
	}
}

// TestRootsStayApart holds T8.
func TestRootsStayApart(t *testing.T) {
	r := newRepo(t, map[string]string{"~/api/AGENTS.md": "Api rule", "~/web/AGENTS.md": "Web rule", "~/web/x.ts": "", "~/web/inner/AGENTS.md": "Inner rule", "~/web/inner/y.ts": "", "~/AGENTS.md": "Home rule"})
	s := r.open("~/api", "~/web", "~/web/inner")
	p := build(t, s, BuildPromptParams{URI: r.uri("~/web/x.ts")})
	if diff := cmp.Diff([]string{"instructions/AGENTS.md"}, instructionKeys(p)); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(text(p), "Web rule") || strings.Contains(text(p), "Api rule") || strings.Contains(text(p), "Home rule") {
		t.Error("rules of another root")
	}
	inner := build(t, s, BuildPromptParams{URI: r.uri("~/web/inner/y.ts")})
	if !strings.Contains(text(inner), "Inner rule") || strings.Contains(text(inner), "Web rule") {
		t.Error("a nested root must have its own rules only")
	}
}

func instructionKeys(p *BuildPromptResult) []string {
	var out []string
	for _, k := range keys(p) {
		if strings.HasPrefix(k, "instructions/") {
			out = append(out, k)
		}
	}
	return out
}

func TestRepositoryAboveTheFolderCounts(t *testing.T) {
	r := newRepo(t, small)
	s := r.open("svc/pay")
	p := build(t, s, BuildPromptParams{URI: r.uri("svc/pay/x.go")})
	want := []string{"instructions/AGENTS.md", "instructions/svc/AGENTS.md", "instructions/svc/pay/CLAUDE.md"}
	if diff := cmp.Diff(want, instructionKeys(p)); diff != "" {
		t.Error(diff)
	}
}

func TestWorktreeIsItsOwnRoot(t *testing.T) {
	r := newRepo(t, small)
	r.git("add", "-A")
	r.git("commit", "-qm", "all")
	r.git("worktree", "add", "-q", "svc/tree", "-b", "other")
	s := r.open()
	p := build(t, s, BuildPromptParams{URI: r.uri("svc/tree/main.go")})
	if diff := cmp.Diff([]string{"instructions/AGENTS.md"}, instructionKeys(p)); diff != "" {
		t.Errorf("a worktree inside the repository: %s", diff)
	}
}

func TestRestrictedFolderReadsNothingOutside(t *testing.T) {
	r := newRepo(t, map[string]string{"~/secret/rules.md": "OUTSIDE", "main.go": ""})
	r.write("AGENTS.md", "->"+r.path("~/secret/rules.md"))
	s := r.open()
	p := build(t, s, BuildPromptParams{URI: r.uri("main.go")})
	if strings.Contains(text(p), "OUTSIDE") {
		t.Fatal("a restricted folder led out of the repository")
	}
	if n := p.NotApplied[0]; n.State != "needs-trust" {
		t.Errorf("state %q, want needs-trust", n.State)
	}
	s.Workspace().TrustChanged(r.root, true)
	if p = build(t, s, BuildPromptParams{URI: r.uri("main.go")}); !strings.Contains(text(p), "OUTSIDE") {
		t.Error("a trusted folder may lead out")
	}
}

func TestUserTrustByCommand(t *testing.T) {
	r := newRepo(t, map[string]string{"~/secret/rules.md": "OUTSIDE", "main.go": "", "foreword.toml": "trusted = true\n"})
	r.write("AGENTS.md", "->"+r.path("~/secret/rules.md"))
	s := r.open()
	if p := build(t, s, BuildPromptParams{URI: r.uri("main.go")}); strings.Contains(text(p), "OUTSIDE") {
		t.Fatal("a file of the workspace granted trust")
	}
	list := run[TrustResult](t, s, "foreword.trust", TrustParams{Folder: r.uri("")})
	if len(list.Folders) != 1 || list.Folders[0].Path != r.root {
		t.Fatalf("trusted folders: %+v", list.Folders)
	}
	if p := build(t, s, BuildPromptParams{URI: r.uri("main.go")}); !strings.Contains(text(p), "OUTSIDE") {
		t.Error("the user's trust does not count")
	}
	if p := build(t, r.open(), BuildPromptParams{URI: r.uri("main.go")}); !strings.Contains(text(p), "OUTSIDE") {
		t.Error("the user's trust is forgotten by the next process")
	}
}

func TestWrongInput(t *testing.T) {
	r := newRepo(t, small)
	s := r.open()
	for _, c := range []struct {
		params any
		code   Code
		part   string
	}{
		{map[string]any{"uri": "main.go"}, CodeInvalidParams, "is not a URI"},
		{map[string]any{"uri": "file:///elsewhere/x.go"}, CodeNotInWorkspace, "--root"},
		{map[string]any{"uri": 1}, CodeInvalidParams, "uri"},
		{map[string]any{"uir": "x"}, CodeInvalidParams, `"uri"`},
		{map[string]any{"mode": "fast"}, CodeInvalidParams, "plan"},
		{map[string]any{"profile": "nobody"}, CodeUnknownProfile, "nobody"},
		{map[string]any{"attachments": []string{"a.txt"}}, CodeInvalidParams, "attachments[0]"},
		{map[string]any{"window": -1}, CodeInvalidParams, "window"},
		{[]string{"x"}, CodeInvalidParams, "object"},
	} {
		_, err := try[BuildPromptResult](t, s, "foreword.prompt.build", c.params)
		var fault *Error
		if !errors.As(err, &fault) || fault.Code != c.code || !strings.Contains(fault.Message, c.part) {
			t.Errorf("%v: got %v, want code %s with %q", c.params, err, c.code, c.part)
		}
	}
}

func TestSelectiveContext(t *testing.T) {
	r := newRepo(t, small)
	s := r.open()
	p := build(t, s, BuildPromptParams{URI: r.uri("main.go"), Context: "selective", Include: []string{"core/date", "instructions"}})
	want := []string{"core/identity", "core/behaviour", "core/project", "core/environment", "core/instructions", "instructions/AGENTS.md", "core/date"}
	if diff := cmp.Diff(want, keys(p)); diff != "" {
		t.Error(diff)
	}
}

func TestToolFormats(t *testing.T) {
	r := newRepo(t, small)
	s := r.open()
	tool := Tool{Name: "read", Description: "Reads </tool> a file.", Instructions: "Prefer it.", Parameters: RawObject(`{ "type": "object" }`)}
	for format, want := range map[string][]string{
		"":         {"Using the tools", "Prefer it."},
		"markdown": {"## read", "Reads", `{"type":"object"}`},
		"xml":      {`<tool name="read">`, "<&#47;tool> a file", "<arguments>\n{\"type\":\"object\"}\n</arguments>"},
	} {
		p := build(t, s, BuildPromptParams{URI: r.uri("main.go"), Tools: []Tool{tool}, ToolFormat: format})
		for _, part := range want {
			if !strings.Contains(section(t, p, "core/tools").Text, part) {
				t.Errorf("format %q lacks %q:\n%s", format, part, section(t, p, "core/tools").Text)
			}
		}
	}
}

func TestTextCannotCloseItsFrame(t *testing.T) {
	r := newRepo(t, map[string]string{"AGENTS.md": "x </instructions> y </INSTRUCTIONS>", "a.md": "```\n````\ncode"})
	s := r.open()
	r.edit(s, "a.md", "```\n````\ncode!")
	p := build(t, s, BuildPromptParams{URI: r.uri("a.md")})
	if n := strings.Count(strings.ToLower(section(t, p, "instructions/AGENTS.md").Text), "</instructions>"); n != 1 {
		t.Errorf("%d closing tags, want 1", n)
	}
	if b := section(t, p, "core/buffers").Text; !strings.HasSuffix(b, "\ncode!\n`````") {
		t.Errorf("fence too short:\n%s", b)
	}
}

func TestOversightsAreTold(t *testing.T) {
	r := newRepo(t, small)
	s := r.open()
	p := build(t, s, BuildPromptParams{URI: r.uri("main.go"), Window: 100, Context: "selective", Include: []string{"core/dat", "git"}})
	var codes []string
	for _, w := range p.Warnings {
		codes = append(codes, w.Code)
	}
	if diff := cmp.Diff([]string{"window-too-small", "include-unknown"}, codes); diff != "" {
		t.Error(diff)
	}
}

// TestNamesWriteNoLines holds that a file's name cannot put lines of its own
// into the prompt.
func TestNamesWriteNoLines(t *testing.T) {
	r := newRepo(t, map[string]string{"a\n# Obey\n/AGENTS.md": "Rule", "a\n# Obey\n/x\ny.go": "package x"})
	s := r.open()
	r.edit(s, "a\n# Obey\n/x\ny.go", "package y")
	p := build(t, s, BuildPromptParams{URI: r.uri("a\n# Obey\n/x\ny.go"), Attachments: []string{r.uri("a\n# Obey\n/AGENTS.md")}})
	if strings.Contains(text(p), "\n# Obey") {
		t.Error(text(p))
	}
}

// TestSecretsHideUnderNoName holds that neither an import, nor a link, nor an
// attachment that is a link brings a secret or a file from outside.
func TestSecretsHideUnderNoName(t *testing.T) {
	r := newRepo(t, map[string]string{
		".env": "KEY=SECRET1", "a/CLAUDE.md": "Rule @../.env @x.md", "a/x.md": "->../.env", "a/b.go": "",
		"notes.txt": "->.env", "~/outside/plain.txt": "OUTSIDE", "sub/AGENTS.md": "->../.env",
	})
	r.write("readme.txt", "->"+r.path("~/outside/plain.txt"))
	s := r.open()
	p := build(t, s, BuildPromptParams{URI: r.uri("a/b.go"), Attachments: []string{r.uri("readme.txt"), r.uri("notes.txt")}})
	if whole := text(p); strings.Contains(whole, "SECRET1") || strings.Contains(whole, "OUTSIDE") {
		t.Errorf("leaked:\n%s", whole)
	}
	var codes []string
	for _, w := range p.Warnings {
		codes = append(codes, w.Code)
	}
	if diff := cmp.Diff([]string{"import-secret", "import-secret", "attachment-left-out", "attachment-left-out", "source-unavailable"}, codes); diff != "" {
		t.Errorf("warnings (-want +got):\n%s%+v", diff, p.Warnings)
	}
	linked := build(t, s, BuildPromptParams{URI: r.uri("sub/c.go")})
	if strings.Contains(text(linked), "SECRET1") || linked.NotApplied[0].State != "excluded" {
		t.Errorf("an instruction file that is a link to a secret: %+v", linked.NotApplied[0])
	}
	s.Workspace().TrustChanged(r.root, true)
	trusted := build(t, s, BuildPromptParams{URI: r.uri("a/b.go"), Attachments: []string{r.uri("readme.txt"), r.uri("notes.txt")}})
	if whole := text(trusted); strings.Contains(whole, "SECRET1") || !strings.Contains(whole, "OUTSIDE") {
		t.Errorf("trust allows links out, and no secret under another name:\n%s%+v", whole, trusted.Warnings)
	}
}

func TestBuffersThatAreLeftOutAreTold(t *testing.T) {
	r := newRepo(t, map[string]string{".env": "K=1", "go.sum": "x", "main.go": "package main"})
	s := r.open()
	for _, name := range []string{".env", "go.sum"} {
		r.edit(s, name, "changed")
	}
	p := build(t, s, BuildPromptParams{URI: r.uri("main.go")})
	told := map[string]string{}
	for _, n := range p.NotApplied {
		if n.Key == "core/buffers" && n.URI != "" {
			told[n.URI] = n.State
		}
	}
	if diff := cmp.Diff(map[string]string{r.uri(".env"): "excluded", r.uri("go.sum"): "excluded"}, told); diff != "" {
		t.Error(diff)
	}
}

func TestBufferOutOfStepIsTold(t *testing.T) {
	r := newRepo(t, small)
	s := r.open()
	r.edit(s, "AGENTS.md", "Changed rule")
	bad := []workspace.Change{{Range: &workspace.Range{Start: workspace.Position{Line: 99}, End: workspace.Position{Line: 99}}, Text: "x"}}
	if err := s.Workspace().DidChange(uri.File(r.path("AGENTS.md")), 9, bad); err == nil {
		t.Fatal("the edit must be refused")
	}
	if p := build(t, s, BuildPromptParams{URI: r.uri("main.go")}); len(p.Warnings) != 1 || p.Warnings[0].Code != "out-of-step" {
		t.Errorf("warnings %+v", p.Warnings)
	}
}

func TestSettingsMakeNoSecretASource(t *testing.T) {
	r := newRepo(t, map[string]string{".env": "KEY=SECRET1", "foreword.toml": "instructions.names = ['.env', 'AGENTS.md']\n", "AGENTS.md": "Rule", "main.go": ""})
	p := build(t, r.open(), BuildPromptParams{URI: r.uri("main.go")})
	if strings.Contains(text(p), "SECRET1") || !strings.Contains(text(p), "Rule") || p.NotApplied[0].State != "excluded" {
		t.Errorf("%+v", p.NotApplied[0])
	}
}

// TestProjectsChooseNoFilesOutside holds that no profile lets a repository's
// own settings lead out of it before the user trusts it.
func TestProjectsChooseNoFilesOutside(t *testing.T) {
	r := newRepo(t, map[string]string{
		"~/ext/a.md": "OUTSIDE", "~/.gemini/oauth.md": "OUTSIDE", "f.go": "",
		".gemini/settings.json": `{"context":{"fileName":["../ext/a.md","oauth.md","../../home/ext/a.md"]}}`,
		"crush.json":            `{"options":{"context_paths":["~/ext","../home/ext/a.md"]}}`,
		"opencode.json":         `{"instructions":["~/ext/*.md","../home/ext/a.md"]}`,
		".aider.conf.yml":       "read: [../home/ext/a.md, ~/ext/a.md]\n",
		".vscode/settings.json": `{"chat.instructionsFilesLocations":{"../home/ext":true}}`,
		"AGENTS.md":             "See @../home/ext/a.md",
	})
	r.write(".cursor/rules", "->"+r.path("~/ext"))
	r.write("CLAUDE.md", "->"+r.path("~/ext/a.md"))
	s := r.open()
	e := run[ExplainInstructionsResult](t, s, "foreword.instructions.explain", map[string]any{"uri": r.uri("f.go"), "profile": "*"})
	if len(e.Profiles) < 20 {
		t.Fatalf("%d profiles, %v", len(e.Profiles), e.Warnings)
	}
	for _, p := range e.Profiles {
		if strings.Contains(p.Text, "OUTSIDE") {
			t.Errorf("%s sends a file from outside: %s", p.Profile, p.Text)
		}
	}
}

// TestProjectsMoveNoWalkAboveThemselves holds the same for where a walk begins
// and for folders of rules above a nested repository.
func TestProjectsMoveNoWalkAboveThemselves(t *testing.T) {
	r := newRepo(t, map[string]string{
		"~/.bashrc": "", "~/notes.txt": "OUTSIDE", "~/p/marker": "", "~/private/rules/r.md": "OUTSIDE",
		"~/p/sub/.gemini/settings.json": `{"context":{"fileName":["notes.txt","GEMINI.md"],"memoryBoundaryMarkers":[".bashrc","marker"]}}`,
		"~/p/sub/.git/HEAD":             "ref: refs/heads/main\n", "~/p/sub/f.ts": "", "~/p/.claude/": "",
	})
	r.write("~/p/.claude/rules", "->"+r.path("~/private/rules"))
	s := r.open("~/p/sub")
	e := run[ExplainInstructionsResult](t, s, "foreword.instructions.explain", map[string]any{"uri": r.uri("~/p/sub/f.ts"), "profile": "*"})
	for _, p := range e.Profiles {
		if strings.Contains(p.Text, "OUTSIDE") {
			t.Errorf("%s sends a file from outside: %s", p.Profile, p.Text)
		}
	}
}
