package promptbuilder

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"foreword/promptbuilder/sources"
	"foreword/promptbuilder/tokens"
)

// heavy is a prompt of 40 instruction files, 40 tools and 40 open files, which
// is more than most people have.
func heavy() *sources.Input {
	files := map[string]string{}
	for i := range 40 {
		files[fmt.Sprintf("pkg%02d/file.go", i)] = ""
	}
	in := project(files)
	for i := range 40 {
		rules := strings.Repeat(fmt.Sprintf("- Rule %d: write what you mean, and no more than that.\n", i), 20)
		instruct(in, fmt.Sprintf("pkg%02d/AGENTS.md", i), fmt.Sprintf("pkg%02d", i), rules)
		in.Tools = append(in.Tools, sources.Tool{
			Name: fmt.Sprintf("tool%02d", i), Description: "Does one thing with one file.", Instructions: "Prefer it over a guess.",
			Parameters: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string","description":"a path below the root"}},"required":["path"]}`),
		})
		open(in, fmt.Sprintf("pkg%02d/file.go", i), "go", source(i), i%2 == 0)
	}
	in.ToolFormat = "markdown"
	in.Target = in.Buffers[7].Path
	return in
}

func source(i int) string {
	return strings.Repeat(fmt.Sprintf("// Add%d adds two numbers.\nfunc Add%d(a, b int) int {\n\treturn a + b + %d\n}\n\n", i, i, i), 20)
}

// BenchmarkBuildCold counts every text anew.
func BenchmarkBuildCold(b *testing.B) {
	in := heavy()
	b.ReportAllocs()
	for b.Loop() {
		promptOf(b, in, Options{})
	}
}

// BenchmarkBuildWarm is the same prompt again, with its counts remembered as
// the program remembers them.
func BenchmarkBuildWarm(b *testing.B) {
	in := remembering(heavy())
	promptOf(b, in, Options{})
	b.ReportAllocs()
	for b.Loop() {
		promptOf(b, in, Options{})
	}
}

// BenchmarkBuildAfterKeystroke is the prompt after an edit of the target.
func BenchmarkBuildAfterKeystroke(b *testing.B) {
	in := remembering(heavy())
	promptOf(b, in, Options{})
	text := in.Buffers[7].Text
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		n++
		in.Buffers[7].Text = fmt.Sprintf("%s// edit %d\n", text, n)
		promptOf(b, in, Options{})
	}
}

// BenchmarkBuildLargeBuffer is the prompt while a file of a megabyte is edited,
// of which only the beginning is sent.
func BenchmarkBuildLargeBuffer(b *testing.B) {
	in := remembering(plain())
	text := strings.Repeat(source(1), 1<<20/len(source(1)))
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		n++
		in.Buffers[0].Text = fmt.Sprintf("// edit %d\n%s", n, text)
		promptOf(b, in, Options{})
	}
}

func remembering(in *sources.Input) *sources.Input {
	cache, counter := tokens.NewCache(16_384), tokens.ForModel("gpt-5")
	in.Count = func(text string) int { return cache.Count(counter, text) }
	return in
}
