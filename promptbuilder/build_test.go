package promptbuilder

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"foreword/promptbuilder/sources"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// letters counts the letters of a text: a counter whose answers can be seen.
func letters(text string) int {
	return strings.Count(text, "") - 1 - strings.Count(text, "\n")
}

// says is a source that always says the same.
func says(key string, layer sources.Layer, text string) sources.Source {
	return sources.Source{
		Key: key, Group: strings.Split(key, "/")[0], Layer: layer, Title: "Title of " + key,
		Observe: func(context.Context) sources.Observation {
			return sources.Observation{
				Status: sources.Present, Text: text, Why: "why of " + key,
				Origins: []sources.Origin{{Name: key, ToLine: strings.Count(text, "\n") + 1}},
			}
		},
	}
}

// acts is a source of the core layer with its own way to observe.
func acts(key string, observe func(context.Context) sources.Observation) sources.Source {
	return sources.Source{Key: key, Group: key, Layer: sources.Core, Observe: observe}
}

func mustBuild(t *testing.T, all []sources.Source, o Options) *Prompt {
	t.Helper()
	if o.Count == nil {
		o.Count = letters
	}
	p, err := Build(t.Context(), all, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func sectionKeys(p *Prompt) []string {
	keys := []string{}
	for _, s := range p.Sections {
		keys = append(keys, s.Source.Key)
	}
	return keys
}

func TestSectionsStandByLayerThenInTheOrderGiven(t *testing.T) {
	p := mustBuild(t, []sources.Source{
		says("d/1", sources.Dynamic, "now"), says("k/1", sources.Cacheable, "project"), says("c/2", sources.Core, "second"),
		says("d/0", sources.Dynamic, "later"), says("c/1", sources.Core, "first"),
	}, Options{})
	if diff := cmp.Diff([]string{"c/2", "c/1", "k/1", "d/1", "d/0"}, sectionKeys(p)); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
	if p.Stable != "second\n\nfirst\n\nproject" || p.Volatile != "now\n\nlater" {
		t.Errorf("stable %q, volatile %q", p.Stable, p.Volatile)
	}
	if p.Boundary != 3 || p.BoundaryByte() != len(p.Stable) {
		t.Errorf("boundary at section %d, byte %d", p.Boundary, p.BoundaryByte())
	}
	for _, s := range p.Sections {
		if got := p.Text()[s.From:s.To]; got != s.Text {
			t.Errorf("%s: range gives %q, text is %q", s.Source.Key, got, s.Text)
		}
	}
}

func TestBoundaryWhereALayerIsEmpty(t *testing.T) {
	stable, dynamic := says("c/1", sources.Core, "stable"), says("d/1", sources.Dynamic, "dynamic")
	for name, c := range map[string]struct {
		all            []sources.Source
		text           string
		boundary, byte int
	}{
		"both":          {[]sources.Source{stable, dynamic}, "stable\n\ndynamic", 1, 6},
		"stable alone":  {[]sources.Source{stable}, "stable", 1, 6},
		"dynamic alone": {[]sources.Source{dynamic}, "dynamic", 0, 0},
		"nothing":       {nil, "", 0, 0},
	} {
		p := mustBuild(t, c.all, Options{})
		if p.Text() != c.text || p.Boundary != c.boundary || p.BoundaryByte() != c.byte {
			t.Errorf("%s: %q, boundary at section %d, byte %d", name, p.Text(), p.Boundary, p.BoundaryByte())
		}
		for _, s := range p.Sections {
			if got := p.Text()[s.From:s.To]; got != s.Text {
				t.Errorf("%s: range of %s gives %q", name, s.Source.Key, got)
			}
		}
	}
}

func TestTokensAreCountedBySectionAndByPart(t *testing.T) {
	p := mustBuild(t, []sources.Source{
		says("c/1", sources.Core, "abc"), says("k/1", sources.Cacheable, "defgh"), says("k/2", sources.Cacheable, "i"), says("d/1", sources.Dynamic, "jk"),
	}, Options{})
	if p.StableTokens != 9 || p.VolatileTokens != 2 || p.Tokens() != 11 {
		t.Errorf("stable %d, volatile %d, all %d", p.StableTokens, p.VolatileTokens, p.Tokens())
	}
	for layer, want := range map[sources.Layer]int{sources.Core: 3, sources.Cacheable: 6, sources.Dynamic: 2} {
		if got := p.LayerTokens(layer); got != want {
			t.Errorf("%s: %d tokens, want %d", layer, got, want)
		}
	}
}

func TestFingerprintsAreOfTheBytes(t *testing.T) {
	sum := func(text string) string {
		h := sha256.Sum256([]byte(text))
		return hex.EncodeToString(h[:])
	}
	p := mustBuild(t, []sources.Source{says("c/1", sources.Core, "a"), says("d/1", sources.Dynamic, "b")}, Options{})
	if prefix, full := p.Fingerprints(); prefix != sum("a") || full != sum("a\n\nb") {
		t.Errorf("prefix %s, full %s", prefix, full)
	}
}

// TestOmittedSourcesAreNotAsked holds that they cost nothing, and that it is
// told why they are silent.
func TestOmittedSourcesAreNotAsked(t *testing.T) {
	all := []sources.Source{says("c/1", sources.Core, "first"), acts("c/2", func(context.Context) sources.Observation { panic("asked") }), says("d/1", sources.Dynamic, "last")}
	p := mustBuild(t, all, Options{Omit: func(s sources.Source) string {
		if s.Key == "c/2" {
			return "not wanted"
		}
		return ""
	}})
	if diff := cmp.Diff([]string{"c/1", "d/1"}, sectionKeys(p)); diff != "" {
		t.Error(diff)
	}
	if len(p.LeftOut) != 1 || p.LeftOut[0].Status != sources.Unasked || p.LeftOut[0].Why != "not wanted" || len(p.Warnings) != 0 {
		t.Errorf("left out %+v, warnings %v", p.LeftOut, p.Warnings)
	}
}

// TestABrokenSourceCostsOnlyItself holds that nothing that one source does
// keeps the others from the prompt, and that it is told.
func TestABrokenSourceCostsOnlyItself(t *testing.T) {
	for name, c := range map[string]struct {
		observe  func(context.Context) sources.Observation
		status   sources.Status
		why      string
		warnings []string
	}{
		"unavailable": {func(context.Context) sources.Observation {
			return sources.Observation{Status: sources.Unavailable, Why: "no such thing"}
		}, sources.Unavailable, "no such thing", []string{"source-unavailable"}},
		"panic": {func(context.Context) sources.Observation { panic("broken promise") },
			sources.Unavailable, "broken promise", []string{"internal", "source-unavailable"}},
		"slow": {func(ctx context.Context) sources.Observation {
			<-ctx.Done()
			return sources.Observation{Status: sources.Unavailable, Why: ctx.Err().Error()}
		}, sources.Unavailable, "took longer than 1ms", []string{"source-unavailable"}},
		"absent": {func(context.Context) sources.Observation { return sources.Observation{Why: "nothing there"} }, sources.Absent, "nothing there", nil},
		"empty": {func(context.Context) sources.Observation {
			return sources.Observation{Status: sources.Present, Why: "x"}
		}, sources.Absent, "nothing to say", nil},
		"white space": {func(context.Context) sources.Observation {
			return sources.Observation{Status: sources.Present, Text: " \n\t", Why: "x"}
		}, sources.Absent, "nothing to say", nil},
		"with warning": {func(context.Context) sources.Observation {
			return sources.Observation{Why: "x", Warnings: []sources.Warning{{Code: "careful"}}}
		}, sources.Absent, "x", []string{"careful"}},
	} {
		p := mustBuild(t, []sources.Source{says("c/0", sources.Core, "before"), acts("bad", c.observe), says("c/1", sources.Core, "after")}, Options{Deadline: time.Millisecond})
		if p.Text() != "before\n\nafter" {
			t.Errorf("%s: the prompt is %q", name, p.Text())
		}
		if len(p.LeftOut) != 1 || p.LeftOut[0].Source.Key != "bad" || p.LeftOut[0].Status != c.status || !strings.Contains(p.LeftOut[0].Why, c.why) {
			t.Errorf("%s: left out %+v", name, p.LeftOut)
		}
		var codes []string
		for _, w := range p.Warnings {
			codes = append(codes, w.Code)
		}
		if diff := cmp.Diff(c.warnings, codes); diff != "" {
			t.Errorf("%s: warnings (-want +got):\n%s", name, diff)
		}
	}
}

// TestALateValueCounts holds that a source that answers after its deadline all
// the same is believed: its value is there.
func TestALateValueCounts(t *testing.T) {
	late := acts("late", func(ctx context.Context) sources.Observation {
		<-ctx.Done()
		return sources.Observation{Status: sources.Present, Text: "late", Why: "wanted"}
	})
	if p := mustBuild(t, []sources.Source{late}, Options{Deadline: time.Millisecond}); p.Text() != "late" || p.Sections[0].Why != "wanted" {
		t.Errorf("got %+v, left out %+v", p.Sections, p.LeftOut)
	}
}

func TestDeadlineByDefault(t *testing.T) {
	var left time.Duration
	mustBuild(t, []sources.Source{acts("a", func(ctx context.Context) sources.Observation {
		deadline, ok := ctx.Deadline()
		if !ok {
			t.Error("the source has no deadline")
		}
		left = time.Until(deadline)
		return sources.Observation{}
	})}, Options{})
	if left <= 0 || left > DefaultDeadline {
		t.Errorf("%s are left, want at most %s", left, DefaultDeadline)
	}
}

// TestInvalidTextIsRepaired holds that ranges are of the text that is sent: a
// name on disk need not be UTF-8, and JSON cannot carry what is not.
func TestInvalidTextIsRepaired(t *testing.T) {
	p := mustBuild(t, []sources.Source{says("c/0", sources.Core, "a\xffb\xe4\xbd\nc"), says("c/1", sources.Core, "d")}, Options{})
	if !utf8.ValidString(p.Text()) || p.Text() != "a\uFFFDb\uFFFD\nc\n\nd" {
		t.Errorf("text %q", p.Text())
	}
	for _, s := range p.Sections {
		if p.Text()[s.From:s.To] != s.Text {
			t.Errorf("%s: range [%d, %d) of %q", s.Source.Key, s.From, s.To, p.Text())
		}
	}
}

func TestCancellation(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	begun := make(chan struct{})
	var ended sync.WaitGroup
	ended.Add(1)
	waits := acts("waits", func(ctx context.Context) sources.Observation {
		defer ended.Done()
		close(begun)
		<-ctx.Done()
		return sources.Observation{Status: sources.Unavailable}
	})
	go func() {
		<-begun
		cancel()
	}()
	p, err := Build(ctx, []sources.Source{waits, says("c/1", sources.Core, "x")}, Options{Count: letters, Deadline: time.Hour})
	if p != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, %v", p, err)
	}
	ended.Wait() // Build has waited for it; this hangs if it was never asked
}

// TestSourcesAreObservedAtTheSameTime holds it by sources that wait for one
// another.
func TestSourcesAreObservedAtTheSameTime(t *testing.T) {
	const n = 8
	var met sync.WaitGroup
	met.Add(n)
	var all []sources.Source
	for i := range n {
		all = append(all, acts(fmt.Sprint("s", i), func(context.Context) sources.Observation {
			met.Done()
			met.Wait()
			return sources.Observation{Status: sources.Present, Text: fmt.Sprint(i)}
		}))
	}
	if p := mustBuild(t, all, Options{}); p.Text() != "0\n\n1\n\n2\n\n3\n\n4\n\n5\n\n6\n\n7" {
		t.Errorf("got %q", p.Text())
	}
}

func TestSkippedNamesItsSource(t *testing.T) {
	some := acts("some", func(context.Context) sources.Observation {
		return sources.Observation{Status: sources.Present, Text: "x", Skipped: []sources.Skipped{{Path: "/w/.env", Why: "secret"}}}
	})
	p := mustBuild(t, []sources.Source{some}, Options{})
	if len(p.Skipped) != 1 || p.Skipped[0].Source.Key != "some" || p.Skipped[0].Path != "/w/.env" || p.Skipped[0].Why != "secret" {
		t.Errorf("got %+v", p.Skipped)
	}
}
