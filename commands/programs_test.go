package commands

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"foreword/promptbuilder/history"
)

// openWithPrograms opens a service whose programs find those of the system.
func (r *repo) openWithPrograms() *Service {
	r.t.Helper()
	s, err := Open(Options{
		Roots: []Folder{{Path: r.root, Name: "repo"}}, Home: r.home, Version: "test", Now: func() time.Time { return noon },
		Environ: func() []string { return append(os.Environ(), "SOME_API_KEY=SECRET", "SOME_NAME=plain") },
	})
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { must(r.t, s.Close()) })
	return s
}

func (r *repo) script(name, text string) {
	r.t.Helper()
	r.write(name, "#!/bin/sh\n"+text)
	must(r.t, os.Chmod(r.path(name), 0o755))
}

func (r *repo) exists(name string) bool {
	_, err := os.Lstat(r.path(name))
	return err == nil
}

func sectionOf(r *BuildPromptResult, key string) string {
	for _, s := range r.Sections {
		if s.Key == key {
			return s.Text
		}
	}
	return ""
}

func stateOf(r *BuildPromptResult, key string) string {
	for _, n := range r.NotApplied {
		if n.Key == key {
			return n.State
		}
	}
	return ""
}

func warned(warnings []Warning, code string) (n int) {
	for _, w := range warnings {
		if w.Code == code {
			n++
		}
	}
	return n
}

// runs counts what a script noted, one line for each run.
func (r *repo) runs(name string) int {
	text, err := os.ReadFile(r.path(name))
	if err != nil {
		return 0
	}
	return strings.Count(string(text), "\n")
}

func (r *repo) approveAll(s *Service) {
	r.t.Helper()
	shown, err := s.TrustCommands(r.t.Context(), TrustCommandsParams{Folder: r.uri("")})
	if err != nil {
		r.t.Fatal(err)
	}
	var ids []string
	for _, c := range shown.Commands {
		ids = append(ids, c.ID)
	}
	if _, err := s.TrustCommands(r.t.Context(), TrustCommandsParams{Folder: r.uri(""), Approve: ids}); err != nil {
		r.t.Fatal(err)
	}
}

// Nothing that came with a repository runs before the user trusts the folder and approves the command as it is
// (CVE-2025-59536, CVE-2025-54136 and CVE-2025-54135 in other tools).
func TestCommandsOfAWorkspaceNeedTrustAndApproval(t *testing.T) {
	r := newRepo(t, map[string]string{"foreword.toml": `contextCommand = ["./ctx.sh"]
[[sources]]
key = "ci/state"
title = "State of the checks"
command = ["sh", "ci.sh", "a b"]
[[hooks]]
name = "note"
at = "system"
command = ["./hook.sh"]
`})
	r.script("ctx.sh", "echo PWNED >> ran\necho context of the project\n")
	r.script("ci.sh", "echo PWNED >> ran; echo x >> ran-ci\necho \"checks pass: $1\"\n")
	r.script("hook.sh", "echo PWNED >> ran\necho '{\"add\": [{\"key\": \"n\", \"text\": \"from the hook\"}]}'\n")
	s := r.openWithPrograms()
	keys := []string{"core/context-command-of-project", "ci/state"}

	untrusted := build(t, s, BuildPromptParams{})
	if r.exists("ran") {
		t.Fatal("a program ran in a folder that is not trusted")
	}
	for _, key := range keys {
		if stateOf(untrusted, key) != "needs-trust" {
			t.Errorf("%s: %q", key, stateOf(untrusted, key))
		}
	}
	if warned(untrusted.Warnings, "needs-trust") != 3 {
		t.Errorf("%+v", untrusted.Warnings)
	}

	if _, err := s.Trust(t.Context(), TrustParams{Folder: r.uri("")}); err != nil {
		t.Fatal(err)
	}
	trusted := build(t, s, BuildPromptParams{})
	if r.exists("ran") {
		t.Fatal("a program ran that nobody approved")
	}
	if stateOf(trusted, keys[0]) != "needs-approval" || warned(trusted.Warnings, "needs-approval") != 3 {
		t.Errorf("%+v", trusted.Warnings)
	}
	status, err := s.Status(t.Context(), StatusParams{})
	if err != nil || len(status.Problems) != 3 || !strings.Contains(status.Problems[0].Message, "--approve-commands") {
		t.Errorf("%+v, %v", status.Problems, err)
	}

	r.approveAll(s)
	approved := build(t, s, BuildPromptParams{})
	for key, want := range map[string]string{keys[0]: "context of the project", keys[1]: "checks pass: a b", "hook/note/n": "from the hook"} {
		if !strings.Contains(sectionOf(approved, key), want) {
			t.Errorf("%s: %q", key, sectionOf(approved, key))
		}
	}
	if len(approved.Hooks) != 1 || approved.Hooks[0] != (HookChange{Hook: "note", Event: "system", Kind: "added", Key: "hook/note/n"}) {
		t.Errorf("%+v", approved.Hooks)
	}

	// One byte of one script: that command alone waits again.
	ran := r.runs("ran-ci")
	r.script("ci.sh", "echo PWNED >> ran; echo x >> ran-ci\necho \"checks fail: $1\"\n")
	changed := build(t, s, BuildPromptParams{})
	if stateOf(changed, keys[1]) != "needs-approval" || sectionOf(changed, keys[0]) == "" {
		t.Errorf("%q, %q", stateOf(changed, keys[1]), sectionOf(changed, keys[0]))
	}
	if r.runs("ran-ci") != ran || ran == 0 {
		t.Error("the changed script ran")
	}
	shown, err := s.TrustCommands(t.Context(), TrustCommandsParams{})
	if err != nil || len(shown.Commands) != 3 || shown.Commands[1].State != "changed" || shown.Commands[0].State != "approved" || !shown.Trusted {
		t.Errorf("%+v, %v", shown, err)
	}
	// What is approved is what was shown, not what it has become since.
	stale := shown.Commands[1].ID
	r.script("ci.sh", "rm -rf everything\n")
	var failed *Error
	if _, err := s.TrustCommands(t.Context(), TrustCommandsParams{Approve: []string{stale}}); !errors.As(err, &failed) || failed.Code != CodeConflict {
		t.Errorf("%v", err)
	}
	if _, err := s.TrustCommands(t.Context(), TrustCommandsParams{Revoke: true}); err != nil {
		t.Fatal(err)
	}
	if again := build(t, s, BuildPromptParams{}); stateOf(again, keys[0]) != "needs-approval" {
		t.Errorf("%q after the approval was taken back", stateOf(again, keys[0]))
	}
}

// A configuration that appears during a session is not applied without an act of the user.
func TestConfigurationThatAppears(t *testing.T) {
	r := newRepo(t, map[string]string{"a.go": "x"})
	s := r.openWithPrograms()
	if _, err := s.Trust(t.Context(), TrustParams{Folder: r.uri("")}); err != nil {
		t.Fatal(err)
	}
	build(t, s, BuildPromptParams{})
	r.write("foreword.toml", "contextCommand = [\"touch\", \"PWNED\"]\n")
	s.FilesChanged([]string{r.path("foreword.toml")})
	if got := build(t, s, BuildPromptParams{}); stateOf(got, "core/context-command-of-project") != "needs-approval" || r.exists("PWNED") {
		t.Errorf("%q", stateOf(got, "core/context-command-of-project"))
	}
}

// The user's own programs need no leave, get no keys, and may not be a way to run what a repository brings.
func TestCommandsOfTheUser(t *testing.T) {
	r := newRepo(t, map[string]string{
		"a.go": "x", "~/.config/foreword/foreword.toml": "contextCommand = [\"" + filepath.ToSlash("HOME") + "/bin/ctx.sh\"]\n",
	})
	r.script("~/bin/ctx.sh", "pwd\necho \"key=$SOME_API_KEY name=$SOME_NAME\"\necho \"$0 $#\"\n")
	r.write("~/.config/foreword/foreword.toml", "contextCommand = [\""+r.path("~/bin/ctx.sh")+"\"]\n")
	s := r.openWithPrograms()
	text := sectionOf(build(t, s, BuildPromptParams{}), "core/context-command")
	if !strings.Contains(text, r.root+"\nkey= name=plain\n") {
		t.Errorf("%s", text)
	}
	r.script("ctx.sh", "touch PWNED\n")
	for _, command := range []string{`["./ctx.sh"]`, `["sh", "ctx.sh"]`, `["env", "X=ctx.sh", "sh"]`} {
		r.write("~/.config/foreword/foreword.toml", "contextCommand = "+command+"\n")
		s.FilesChanged([]string{r.path("~/.config/foreword/foreword.toml")})
		if got := stateOf(build(t, s, BuildPromptParams{}), "core/context-command"); got != "needs-trust" || r.exists("PWNED") {
			t.Errorf("%s: %q", command, got)
		}
	}
}

// The context command runs once for a build and the preview beside it, never for a hover or an explanation; selective
// context with cmd alone runs it.
func TestWhenTheContextCommandRuns(t *testing.T) {
	r := newRepo(t, map[string]string{"a.go": "x", "AGENTS.md": "rules\n"})
	r.script("~/bin/ctx.sh", "echo x >> \"$HOME/ran\"\necho part\necho '--'>&2\necho broken >&2\nexit 3\n")
	r.write("~/.config/foreword/foreword.toml", "contextCommand = [\""+r.path("~/bin/ctx.sh")+"\"]\n")
	s, err := Open(Options{
		Roots: []Folder{{Path: r.root, Name: "repo"}}, Home: r.home, Version: "test", Now: func() time.Time { return noon },
		Environ: func() []string { return []string{"HOME=" + r.home, "PATH=" + os.Getenv("PATH")} },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { must(t, s.Close()) })
	uri := r.uri("a.go")
	if _, err := s.ExplainInstructions(WithoutWaiting(t.Context()), ExplainInstructionsParams{URI: uri}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Status(t.Context(), StatusParams{URI: uri}); err != nil {
		t.Fatal(err)
	}
	if build(t, s, BuildPromptParams{URI: uri, Context: "selective"}); r.exists("~/ran") {
		t.Error("it ran for an explanation, or for a prompt that does not include it")
	}
	built := build(t, s, BuildPromptParams{URI: uri, Context: "selective", Include: []string{"cmd"}})
	text := sectionOf(built, "core/context-command")
	for _, want := range []string{"part", "exit status 3", "--\nbroken"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not told:\n%s", want, text)
		}
	}
	for range 3 {
		if _, err := s.PreviewPrompt(t.Context(), PreviewPromptParams{BuildPromptParams: BuildPromptParams{URI: uri}}); err != nil {
			t.Fatal(err)
		}
	}
	if n := r.runs("~/ran"); n != 1 {
		t.Errorf("it ran %d times", n)
	}
}

// An editor that does not answer in time costs a prompt its additions; selective context does not ask it unless
// hooks are included.
func TestEditorThatDoesNotAnswer(t *testing.T) {
	r := newRepo(t, map[string]string{"a.go": "x"})
	asked := 0
	s, err := Open(Options{
		Roots: []Folder{{Path: r.root, Name: "repo"}}, Home: r.home, Version: "test",
		Collect: func(ctx context.Context, _ CollectSectionsParams) (*CollectSectionsResult, error) {
			asked++
			<-ctx.Done()
			return nil, ctx.Err()
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { must(t, s.Close()) })
	if got := build(t, s, BuildPromptParams{Context: "selective"}); asked != 0 || len(got.Warnings) != 0 {
		t.Errorf("asked %d times, %+v", asked, got.Warnings)
	}
	got := build(t, s, BuildPromptParams{Context: "selective", Include: []string{"hooks"}})
	if asked != 1 || len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0].Message, "it took longer than 2s") {
		t.Errorf("asked %d times, %+v", asked, got.Warnings)
	}
}

// A turn says what a hook adds, says the change of it after the history, and takes nothing back while the hook fails.
func TestHookOverTurns(t *testing.T) {
	r := newRepo(t, map[string]string{"a.go": "x", "~/says": "one"})
	r.script("~/bin/hook.sh", `says=$(cat "$HOME/says")
test "$says" = fail && exit 3
in=$(cat)
case "$in" in *'"messages":[{'*) seen=yes;; *) seen=no;; esac
echo "{\"add\": [{\"key\": \"n\", \"text\": \"$says, messages $seen\"}], \"edit\": [{\"key\": \"core/identity\", \"text\": \"mine\"}]}"
`)
	r.write("~/.config/foreword/foreword.toml", "[[hooks]]\nname = \"h\"\nat = \"system\"\ncommand = [\""+r.path("~/bin/hook.sh")+"\"]\n")
	open := func() *Service {
		s, err := Open(Options{
			Roots: []Folder{{Path: r.root, Name: "repo"}}, Home: r.home, Version: "test", Now: func() time.Time { return noon },
			Environ: func() []string { return []string{"HOME=" + r.home, "PATH=" + os.Getenv("PATH")} },
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { must(t, s.Close()) })
		return s
	}
	s := open()
	say := func(id, text string) []history.Message {
		return []history.Message{{ID: id, Role: history.RoleUser, Content: history.Text(text)}}
	}
	turn := func(messages []history.Message) *PrepareTurnResult {
		t.Helper()
		result, err := s.PrepareTurn(t.Context(), PrepareTurnParams{BuildPromptParams: BuildPromptParams{URI: r.uri("a.go"), Session: "s", Model: "gpt-5"}, Append: messages, Wire: "openai-chat"})
		if err != nil {
			t.Fatal(err)
		}
		return result
	}
	first := turn(say("u1", "hello"))
	i := slices.IndexFunc(first.Sections, func(section Section) bool { return section.Key == "hook/h/n" })
	if i < 0 || first.Sections[i].Text != "one, messages yes" || first.Sections[i].Origins[0].URI != "foreword:///hooks/h" {
		t.Fatalf("%+v", first.Sections)
	}
	if warned(first.Warnings, "hook-refused") != 1 {
		t.Errorf("%+v", first.Warnings)
	}
	r.write("~/says", "two")
	second := turn(say("u2", "again"))
	if second.Fingerprint != first.Fingerprint || len(second.Updates) != 1 || second.Updates[0].Key != "hook/h/n" || !strings.Contains(second.Updates[0].Text, "two") {
		t.Errorf("%+v", second.Updates)
	}
	r.write("~/says", "fail")
	if third := turn(say("u3", "more")); len(third.Updates) != 0 || warned(third.Warnings, "hook-failed") != 1 {
		t.Errorf("%+v\n%+v", third.Updates, third.Warnings)
	}
	s = open() // which remembers no answer of the hook
	if again := turn(say("u3b", "more")); len(again.Updates) != 0 || warned(again.Warnings, "hook-failed") != 1 {
		t.Errorf("in another process: %+v\n%+v", again.Updates, again.Warnings)
	}
	r.write("~/says", "two")
	if fourth := turn(say("u4", "end")); len(fourth.Updates) != 0 {
		t.Errorf("%+v", fourth.Updates)
	}
}
