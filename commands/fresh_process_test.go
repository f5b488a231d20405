package commands

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"go.lsp.dev/uri"
)

// freshProcesses is how many processes build the same prompt.
const freshProcesses = 100

// childSeed names the environment variable that makes the test binary one of
// those processes; its value is the order of events.
const childSeed = "FOREWORD_TEST_CHILD_SEED"

// TestFreshProcessesSayTheSame holds T12: forty rules, forty tools and forty
// buffers, in a hundred fresh processes with the events in another order each,
// give one prompt to the byte.
func TestFreshProcessesSayTheSame(t *testing.T) {
	if seed := os.Getenv(childSeed); seed != "" {
		t.Fatal("a child runs TestFreshProcessChild alone")
	}
	r := newRepo(t, map[string]string{"AGENTS.md": "Root rule.\n", "main.go": "package main\n"})
	for i := range 40 {
		r.write(fmt.Sprintf(".claude/rules/rule%02d.md", i), fmt.Sprintf("Rule %d.\n", i))
		r.write(fmt.Sprintf("buffers/b%02d.go", i), "package b\n")
	}
	program, err := os.Executable()
	must(t, err)
	hashes := map[string][]int{}
	for seed := range freshProcesses {
		c := exec.Command(program, "-test.run=^TestFreshProcessChild$", "-test.count=1")
		c.Env = append(os.Environ(), childSeed+"="+strconv.Itoa(seed), "FOREWORD_TEST_ROOT="+r.root, "FOREWORD_TEST_HOME="+r.home)
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("process %d: %v\n%s", seed, err, out)
		}
		_, after, _ := strings.Cut(string(out), "fingerprint ")
		hash, _, found := strings.Cut(after, "\n")
		if !found || len(hash) != 2*64+1 {
			t.Fatalf("process %d: no fingerprint in\n%s", seed, out)
		}
		hashes[hash] = append(hashes[hash], seed)
	}
	if len(hashes) != 1 {
		t.Errorf("%d different prompts: %v", len(hashes), hashes)
	}
}

// TestFreshProcessChild is one of the processes; on its own it does nothing.
func TestFreshProcessChild(t *testing.T) {
	seed, err := strconv.ParseUint(os.Getenv(childSeed), 10, 64)
	if err != nil {
		return
	}
	r := &repo{t: t, root: os.Getenv("FOREWORD_TEST_ROOT"), home: os.Getenv("FOREWORD_TEST_HOME")}
	s := r.open()
	shuffled := rand.New(rand.NewPCG(seed, seed))
	for _, i := range shuffled.Perm(40) {
		s.Workspace().DidOpen(uri.File(filepath.Join(r.root, "buffers", fmt.Sprintf("b%02d.go", i))), "go", 1, fmt.Sprintf("package b // %d\n", i))
	}
	var tools []Tool
	for _, i := range shuffled.Perm(40) {
		tools = append(tools, Tool{Name: fmt.Sprintf("tool%02d", i), Description: fmt.Sprintf("Does %d.", i), Parameters: RawObject(`{"type":"object"}`)})
	}
	got := build(t, s, BuildPromptParams{URI: r.uri("main.go"), Model: "gpt-5", Tools: tools, ToolFormat: "markdown"})
	if n := len(got.Sections); n < 45 {
		t.Fatalf("only %d sections", n)
	}
	fmt.Printf("fingerprint %s %s\n", got.Fingerprint.Prefix, got.Fingerprint.Full)
}
