package hooks

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"foreword/promptbuilder/history"
	"foreword/promptbuilder/sources"
	"foreword/workspace/process"
)

// The test binary is the program that the hooks of the tests run: it behaves as FOREWORD_PLAY says.
func TestMain(m *testing.M) {
	if play, ok := os.LookupEnv("FOREWORD_PLAY"); ok {
		os.Exit(playHook(play))
	}
	goleak.VerifyTestMain(m)
}

func playHook(play string) int {
	switch play {
	case "hang":
		time.Sleep(time.Hour) // not select: the runtime ends a program that can never go on
	case "garbage":
		fmt.Print("Traceback (most recent call last):\n\xff\xfe")
	case "half":
		fmt.Print(`{"add": [{"key": "a", "text"`)
	case "twice":
		fmt.Print(`{}{}`)
	case "typo":
		fmt.Print(`{"adds": []}`)
	case "exit":
		fmt.Print(`{"add": [{"key": "a", "text": "never"}]}`)
		fmt.Fprintln(os.Stderr, "no such thing")
		return 3
	case "silent":
	case "flood":
		fmt.Print(strings.Repeat(" ", MaxAnswer+1) + "{}")
	case "leave": // answers, and leaves a child that holds the output
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), "FOREWORD_PLAY=hang")
		child.Stdout = os.Stdout
		if err := child.Start(); err != nil {
			return 1
		}
		fmt.Print(`{"add": [{"key": "a", "text": "left a child"}]}`)
	case "echo": // tells what it was asked
		var in map[string]any
		if err := json.NewDecoder(os.Stdin).Decode(&in); err != nil {
			return 1
		}
		raw, err := json.Marshal(in)
		if err != nil {
			return 1
		}
		answer, err := json.Marshal(Output{Add: []Addition{{Key: "asked", Text: string(raw)}}})
		if err != nil {
			return 1
		}
		fmt.Print(string(answer))
	}
	return 0
}

// program is the hook that is the test binary.
func program(t *testing.T, play string, timeout time.Duration) Hook {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	return Command(About{Name: play, At: []Event{System}, Timeout: timeout, From: "user foreword.toml:1"}, func(ctx context.Context, stdin []byte) (process.Result, error) {
		return process.Do(ctx, process.Command{
			Argv: []string{self}, Dir: dir, Stdin: stdin, Env: []string{"FOREWORD_PLAY=" + play}, MaxStdout: MaxAnswer, MaxStderr: 1000,
		})
	})
}

// function is a hook in Go.
type function struct {
	about About
	call  func(context.Context, Input) (Output, error)
}

func (f function) About() About                                       { return f.about }
func (f function) Call(ctx context.Context, in Input) (Output, error) { return f.call(ctx, in) }

// answers is a hook that gives one answer.
func answers(name string, stable bool, out Output) Hook {
	return function{About{Name: name, At: []Event{System, Messages, Compacting}, Stable: stable, From: "test"}, func(context.Context, Input) (Output, error) { return out, nil }}
}

// prompt is what was observed: a section in each layer, and one that is not said.
func prompt() []sources.Observed {
	section := func(key string, layer sources.Layer, text string) sources.Observed {
		return sources.Observed{
			Source: sources.Source{Key: key, Layer: layer, Title: key},
			Observation: sources.Observation{
				Status: sources.Present, Text: text, Why: "it is there",
				Origins: []sources.Origin{{Name: "own", ToLine: 1}, {Path: "/w/f", FromLine: 1, ToLine: lines(text), FileFrom: 10, FileTo: 10 + lines(text) - 1}},
			},
		}
	}
	return []sources.Observed{
		section("core/identity", sources.Core, "You are\nsomebody."),
		section("core/tree", sources.Cacheable, "files:\na\nb"),
		section("core/git", sources.Dynamic, "branch:\nmain\nclean"),
		{Source: sources.Source{Key: "core/buffers", Layer: sources.Dynamic}, Observation: sources.Observation{Why: "none"}},
		section("core/date", sources.Dynamic, "Today\nis Monday."),
	}
}

func keys(seen []sources.Observed) string {
	var all []string
	for _, o := range seen {
		mark := ""
		if o.Status != sources.Present {
			mark = "-"
		}
		all = append(all, mark+o.Key)
	}
	return strings.Join(all, " ")
}

func find(t *testing.T, seen []sources.Observed, key string) sources.Observed {
	t.Helper()
	for _, o := range seen {
		if o.Key == key {
			return o
		}
	}
	t.Fatalf("no %s in %s", key, keys(seen))
	return sources.Observed{}
}

// covered holds that every line has one origin.
func covered(t interface{ Errorf(string, ...any) }, o sources.Observed) {
	if o.Status != sources.Present {
		return
	}
	at := 0
	for _, origin := range o.Origins {
		if origin.FromLine != at || origin.ToLine <= at {
			t.Errorf("%s: origin %+v where %d lines are covered", o.Key, origin, at)
		}
		at = origin.ToLine
	}
	if at != lines(o.Text) {
		t.Errorf("%s: %d of %d lines have an origin", o.Key, at, lines(o.Text))
	}
}

func parse(t *testing.T, text string) []history.Message {
	t.Helper()
	messages, err := history.ParseMessages(json.RawMessage(text))
	if err != nil {
		t.Fatal(err)
	}
	return messages
}
