package commands

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// With several folders open, tools look into all of them and nowhere else, whatever a path or a link says.
func TestToolsInSeveralFolders(t *testing.T) {
	r := newRepo(t, map[string]string{
		"app/main.go": "package main // here\n", "app/.env": "HERE=1", "lib/lib.go": "package lib // here\n", "secret/plan.txt": "PLAN here\n",
		"~/out.txt": "OUTSIDE here\n", "~/dir/x.txt": "OUTSIDE here\n",
	})
	must(t, os.RemoveAll(filepath.Join(r.root, ".git")))
	r.write("app/link.txt", "->"+r.path("~/out.txt"))
	r.write("app/dir", "->"+r.path("~/dir"))
	r.write("app/over", "->../secret")
	r.write("app/key.txt", "->.env")
	s := r.open("app", "lib")
	call := func(name, arguments string) *CallToolResult {
		return callTool(t, s, map[string]any{"name": name, "arguments": arguments, "uri": r.uri("app/main.go")})
	}
	for _, test := range []struct{ name, arguments, want string }{
		{"read", `{"path":"main.go"}`, "1\tpackage main // here\n"},
		{"read", `{"path":"app/main.go"}`, "1\tpackage main // here\n"},
		{"read", `{"path":"lib/lib.go"}`, "1\tpackage lib // here\n"},
		{"read", `{"path":"` + filepath.ToSlash(r.path("lib/lib.go")) + `"}`, "1\tpackage lib // here\n"},
		{"grep", `{"pattern":"here"}`, "main.go:1: package main // here\n" + filepath.ToSlash(r.path("lib/lib.go")) + ":1: package lib // here\n"},
		{"glob", `{"pattern":"*.go"}`, "main.go\n" + filepath.ToSlash(r.path("lib/lib.go")) + "\n"},
	} {
		if got := call(test.name, test.arguments); got.Text != test.want {
			t.Errorf("%s %s: %q, want %q", test.name, test.arguments, got.Text, test.want)
		}
	}
	if got := call("list", `{}`); !strings.Contains(got.Text, "main.go\n") || !strings.HasSuffix(got.Text, "(other folders of the workspace, to be given as path: "+filepath.ToSlash(r.path("lib"))+")") {
		t.Errorf("list: %q", got.Text)
	}
	for _, path := range []string{
		"../secret/plan.txt", "secret/plan.txt", "../../home/out.txt", "link.txt", "dir/x.txt", "over/plan.txt", "lib/../../secret/plan.txt", "key.txt", ".env", "~/out.txt", "/etc/passwd", "file:///etc/passwd",
		filepath.ToSlash(r.path("secret/plan.txt")), filepath.ToSlash(r.path("app")) + "/../secret/plan.txt", filepath.ToSlash(r.path("app-secret")), `..\\secret\\plan.txt`, "main.go\\u0000.txt",
	} {
		for _, name := range []string{"read", "list", "grep"} {
			arguments := `{"path":"` + path + `"}`
			if name == "grep" {
				arguments = `{"pattern":".","path":"` + path + `"}`
			}
			got := call(name, arguments)
			if !got.IsError || strings.Contains(got.Text, "OUTSIDE") || strings.Contains(got.Text, "PLAN") || strings.Contains(got.Text, "HERE=") || strings.Contains(got.Text, "root:") {
				t.Errorf("%s %s: %+v", name, path, got)
			}
		}
	}
	for _, trusted := range []bool{false, true} {
		s.Workspace().TrustChanged(r.path("app"), trusted)
		for _, c := range [][2]string{{"grep", `{"pattern":"."}`}, {"glob", `{"pattern":"**"}`}, {"list", `{"depth":9}`}} {
			if got := call(c[0], c[1]); strings.Contains(got.Text, "OUTSIDE") || strings.Contains(got.Text, "plan.txt") || strings.Contains(got.Text, "x.txt") || strings.Contains(got.Text, "HERE=") {
				t.Errorf("%s, trusted %v: %s", c[0], trusted, got.Text)
			}
		}
	}
}

// Parallel reads of one message never bring the same rules twice, and share what they look at.
func TestParallelReadsBringTheRulesOnce(t *testing.T) {
	r := newRepo(t, toolFiles)
	s := r.open()
	var mu sync.Mutex
	told := map[string]int{}
	var wait sync.WaitGroup
	for i := range 12 {
		wait.Go(func() {
			name, arguments := "read", `{"path":"pay/x.go"}`
			switch i % 4 {
			case 1:
				name, arguments = "grep", `{"pattern":"Total"}`
			case 2:
				name, arguments = "list", `{}`
			case 3:
				name, arguments = "diff", `{}`
			}
			got := callTool(t, s, map[string]any{"name": name, "arguments": arguments, "session": "s", "message": "m"})
			if got.IsError {
				t.Errorf("%s: %s", name, got.Text)
			}
			mu.Lock()
			defer mu.Unlock()
			for _, i := range got.Injections {
				told[i.URI]++
			}
		})
	}
	wait.Wait()
	if len(told) != 1 || told[r.uri("pay/AGENTS.md")] != 1 {
		t.Errorf("told %v", told)
	}
}
