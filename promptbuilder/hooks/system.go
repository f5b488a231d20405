package hooks

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"foreword/promptbuilder/history"
	"foreword/promptbuilder/sources"
)

const (
	// maxText bounds a section that a hook writes, in characters: as much as a command may print.
	maxText = 100_000
	// maxAdditions bounds the sections of one hook.
	maxAdditions = 50
)

// additionKey is what a hook may call a section of its own.
var additionKey = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/-]{0,119}$`)

// System asks the hooks of the event system about what was observed, in the order of the prompt, and gives what is
// to be said in its place. Messages are those that are known.
func (s *Set) System(ctx context.Context, seen []sources.Observed, messages []history.Message) ([]sources.Observed, Outcome) {
	var o Outcome
	seen = slices.Clone(seen)
	for _, h := range s.For(System) {
		if ctx.Err() != nil {
			break
		}
		about := h.About()
		out, ok := s.call(ctx, h, Input{Event: System, Sections: sections(seen), Messages: messages}, &o)
		if !ok {
			o.Silent = append(o.Silent, about.Name)
			for _, source := range s.Memory.last(s.Request.Root, about.Name) {
				seen = append(seen, sources.Observed{Source: source, Observation: sources.Observation{
					Status: sources.Unavailable, Why: "the hook " + about.Name + " did not answer",
				}})
			}
			continue
		}
		change := systemChange{about: about, seen: seen, outcome: &o}
		for _, e := range out.Edit {
			change.edit(e)
		}
		for _, key := range out.Remove {
			change.remove(key)
		}
		var added []sources.Source
		for _, a := range out.Add {
			if source, ok := change.add(a); ok {
				added = append(added, source)
			}
		}
		seen = change.seen
		s.Memory.keep(s.Request.Root, about.Name, added)
	}
	return seen, o
}

// sections are what a hook sees: what is said.
func sections(seen []sources.Observed) []Section {
	var all []Section
	for _, o := range seen {
		if o.Status == sources.Present && strings.TrimSpace(o.Text) != "" {
			all = append(all, Section{Key: o.Key, Layer: string(o.Layer), Title: o.Title, Text: o.Text})
		}
	}
	return all
}

// systemChange applies the answer of one hook.
type systemChange struct {
	about   About
	seen    []sources.Observed
	outcome *Outcome
}

// target finds a section that the hook may touch.
func (c *systemChange) target(key string) *sources.Observed {
	change := Change{Hook: c.about.Name, Event: System, Key: key, Index: -1}
	i := slices.IndexFunc(c.seen, func(o sources.Observed) bool { return o.Key == key && o.Status == sources.Present })
	switch {
	case i < 0:
		c.outcome.refuse(change, "there is no such section")
	case c.seen[i].Layer != sources.Dynamic && !c.about.Stable:
		c.outcome.refuse(change, "it stands before the cache boundary, and the hook does not declare itself stable")
	default:
		return &c.seen[i]
	}
	return nil
}

func (c *systemChange) edit(e Edit) {
	section := c.target(e.Key)
	text := tidy(e.Text)
	switch {
	case section == nil, text == section.Text:
		return
	case text == "":
		c.takeOut(section)
		return
	case utf8.RuneCountInString(text) > maxText:
		c.outcome.refuse(Change{Hook: c.about.Name, Event: System, Key: e.Key, Index: -1}, "its text would have more than %d characters", maxText)
		return
	}
	section.Origins = retrace(section.Origins, section.Text, text, origin(c.about))
	section.Text = text
	section.Why += "; edited by the hook " + c.about.Name
	c.note(Edited, e.Key)
}

func (c *systemChange) remove(key string) {
	if section := c.target(key); section != nil {
		c.takeOut(section)
	}
}

func (c *systemChange) takeOut(section *sources.Observed) {
	section.Observation = sources.Observation{
		Status: sources.Absent, State: "removed", Why: "taken out by the hook " + c.about.Name,
		Skipped: section.Skipped, Warnings: section.Warnings,
	}
	c.note(Removed, section.Key)
}

func (c *systemChange) add(a Addition) (sources.Source, bool) {
	key := "hook/" + c.about.Name + "/" + a.Key
	change := Change{Hook: c.about.Name, Event: System, Key: key, Index: -1}
	layer := sources.Layer(a.Layer)
	if layer == "" {
		layer = sources.Dynamic
	}
	text := tidy(a.Text)
	fault := ""
	switch {
	case !additionKey.MatchString(a.Key):
		fault = "a key has letters, digits and ._/-, at most 120"
	case !slices.Contains(sources.Layers, layer):
		fault = fmt.Sprintf("there is no layer %.40q", a.Layer)
	case layer != sources.Dynamic && !c.about.Stable:
		fault = "it would stand before the cache boundary, and the hook does not declare itself stable"
	case slices.ContainsFunc(c.seen, func(o sources.Observed) bool { return o.Key == key }):
		fault = "the hook added it before"
	case utf8.RuneCountInString(text) > maxText:
		fault = fmt.Sprintf("its text has more than %d characters", maxText)
	case c.additions() >= maxAdditions:
		fault = fmt.Sprintf("a hook adds at most %d sections", maxAdditions)
	}
	if fault != "" {
		c.outcome.refuse(change, "%s", fault)
		return sources.Source{}, false
	}
	title := strings.Join(strings.Fields(a.Title), " ")
	if title == "" {
		title = "Addition of the hook " + c.about.Name
	}
	o := sources.Observed{Source: sources.Source{Key: key, Group: "hooks", Layer: layer, Title: title}}
	if a.Update != "" {
		o.Update = func(before, after string) string { return sources.Fill(a.Update, before, after) }
	}
	if a.Removal != "" {
		o.Removal = func(before string) string { return sources.Fill(a.Removal, before, "") }
	}
	if text == "" {
		o.Observation = sources.Observation{Status: sources.Absent, Why: "the hook " + c.about.Name + " has nothing to say"}
	} else {
		o.Observation = sources.Observation{
			Status: sources.Present, Text: text, Why: "added by the hook " + c.about.Name,
			Origins: []sources.Origin{{Name: origin(c.about), ToLine: lines(text)}},
		}
		c.note(Added, key)
	}
	at := len(c.seen)
	for at > 0 && sources.ByLayer(c.seen[at-1].Source, o.Source) > 0 {
		at-- // behind what its layer has already
	}
	c.seen = slices.Insert(c.seen, at, o)
	return o.Source, true
}

func (c *systemChange) additions() (n int) {
	for _, o := range c.seen {
		if strings.HasPrefix(o.Key, "hook/"+c.about.Name+"/") {
			n++
		}
	}
	return n
}

func (c *systemChange) note(kind, key string) {
	c.outcome.Changes = append(c.outcome.Changes, Change{Hook: c.about.Name, Event: System, Kind: kind, Key: key, Index: -1})
}

func origin(about About) string { return "hooks/" + about.Name }

// tidy makes a text as sources make theirs: line feeds, no NUL bytes, no line ends at its ends.
func tidy(text string) string {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\x00", "\ufffd")
	if strings.TrimSpace(text) == "" {
		return ""
	}
	return strings.Trim(text, "\n")
}

func lines(text string) int { return strings.Count(text, "\n") + 1 }

// retrace gives the lines of an edited text their origins: the lines at its beginning and its end that are as they
// were keep theirs, what stands between them is the hook's.
func retrace(origins []sources.Origin, before, after, name string) []sources.Origin {
	old, now := strings.Split(before, "\n"), strings.Split(after, "\n")
	head := 0
	for head < min(len(old), len(now)) && old[head] == now[head] {
		head++
	}
	tail := 0
	for tail < min(len(old), len(now))-head && old[len(old)-1-tail] == now[len(now)-1-tail] {
		tail++
	}
	traced := clip(origins, 0, head, 0)
	if len(now)-tail > head {
		traced = append(traced, sources.Origin{Name: name, FromLine: head, ToLine: len(now) - tail})
	}
	return append(traced, clip(origins, len(old)-tail, len(old), len(now)-len(old))...)
}

// clip keeps what origins say of the lines [from, to), and moves it.
func clip(origins []sources.Origin, from, to, by int) []sources.Origin {
	var kept []sources.Origin
	for _, o := range origins {
		first, last := max(o.FromLine, from), min(o.ToLine, to)
		if first >= last {
			continue
		}
		if o.FileTo-o.FileFrom >= o.ToLine-o.FromLine { // line by line, as files are said
			o.FileFrom += first - o.FromLine
			o.FileTo = o.FileFrom + last - first
		}
		o.FromLine, o.ToLine = first+by, last+by
		kept = append(kept, o)
	}
	return kept
}
