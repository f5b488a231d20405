// Package models is the one table of what foreword knows about models: family,
// context window, the most that an answer may take, and what they can do.
//
// An identifier is matched by the words in it, without regard to case, so that
// "anthropic/claude-sonnet-4.5", "claude-sonnet-4-5-20250929" and
// "us.anthropic.claude-sonnet-4-5" are one model, while the letters o3 inside
// solar-pro3 are none. To add one, put a row into table.go above any row that
// would match it too.
package models

import (
	"fmt"
	"strings"
	"unicode"
)

// Model is what the table says about one identifier.
type Model struct {
	// ID as it was asked for.
	ID string
	// Family is one of the names of table.go.
	Family string
	// Window is the context window in tokens.
	Window int
	// Output is the most that an answer may take, in tokens.
	Output int
	// Reasoning tells that the model reasons natively.
	Reasoning bool
	// Caching is how a prompt comes to be kept by the provider.
	Caching Caching
	// Source says which row matched, in a few words, for people.
	Source string
	// Why says in a sentence how the family was found.
	Why string
}

// Lookup says what is known about a model. An identifier that no row matches
// gets the family default and a cautious window.
func Lookup(id string) Model { return LookupAt("", id) }

// LookupAt is [Lookup] for a model of a provider, which counts where a model's
// own name says nothing.
func LookupAt(provider, id string) Model {
	words := split(id)
	for _, r := range rows {
		if at := r.find(words); at >= 0 {
			found := strings.TrimPrefix(r.words, "^")
			n := len(split(found))
			return Model{ID: id, Family: r.family, Window: r.window, Output: r.output, Reasoning: r.reasoning, Caching: r.caching,
				Source: "model table, row " + found,
				Why:    fmt.Sprintf("%q is of the family %s: its words %q match the row %q of the model table", id, r.family, plain(words[at:at+n]), found)}
		}
	}
	m := Model{ID: id, Family: Default, Window: unknownWindow, Output: unknownOutput, Source: "default for a model that the table does not know"}
	m.Why = fmt.Sprintf("%q matches no row of the model table, so it is of the family default", id)
	for _, p := range providers {
		if id != "" && strings.EqualFold(provider, p.id) {
			m.Family, m.Why = p.family, fmt.Sprintf("%q matches no row of the model table; its provider %s serves models of the family %s", id, p.id, p.family)
		}
	}
	if id == "" {
		m.Source, m.Why = "default, no model was named", "no model was named, so the family is default"
	}
	return m
}

// Name is the model's name without the provider's or vendor's before it.
func (m Model) Name() string { return m.ID[strings.LastIndex(m.ID, "/")+1:] }

// UrgeTools tells that models of the family tend to describe what they would
// do in place of doing it, so that they are asked to use their tools. Provider
// counts where the model's own name says nothing.
func (m Model) UrgeTools(provider string) bool {
	switch m.Family {
	case GPT4, GPT, Codex, Gemini, Gemma, Grok:
		return true
	case Default:
		return gptmeProvider(provider)
	}
	return false
}

// LaterSystem tells that the model takes system messages between others and
// reads them where they stand. OpenAI's own models do, and xAI's (docs.x.ai,
// chat guide: roles in any sequence, 2026-11-30). Of other models it is not known who
// serves them: most chat templates of open models take one system message, as
// the first (Qwen: vllm-project/vllm#41114), and Anthropic's layer for OpenAI's
// clients moves all of them to the front (platform.claude.com/docs/en/api/openai-sdk).
func (m Model) LaterSystem() bool {
	switch m.Family {
	case GPT4, Codex, GPT:
		return row{words: "gpt oss"}.find(split(m.ID)) < 0 // the GPT that others serve
	case Grok:
		return true
	}
	return false
}

// word is a word of an identifier.
type word struct {
	text string
	// first tells that a name begins with it: it stands at the beginning, after
	// a slash or after the name of a vendor.
	first bool
}

// vendors stand before a model's name with other marks than a slash.
var vendors = map[string]bool{"openai": true, "azure": true}

// split cuts an identifier into words at everything that is no letter or
// digit, dots included: "gpt-4.1" is gpt, 4, 1, as is "gpt-4-1".
func split(id string) []word {
	var words []word
	for _, part := range strings.Split(strings.ToLower(id), "/") {
		first := true
		for _, field := range strings.FieldsFunc(part, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			for _, text := range cut(field) {
				words = append(words, word{text, first})
				first = first && vendors[text]
			}
		}
	}
	return words
}

// cut separates a name from the version that is glued to its end: qwen3 is
// qwen and 3, gpt4o is gpt and 4o, while o3 and 4o stay whole, and so does
// gpt4all, which is no version of gpt.
func cut(field string) []string {
	i := strings.IndexFunc(field, unicode.IsDigit)
	if i < 2 {
		return []string{field}
	}
	letters := strings.TrimLeftFunc(field[i:], unicode.IsDigit)
	if len(letters) > 1 {
		return []string{field}
	}
	return []string{field[:i], field[i:]}
}

// find gives the index of the first word of the row's, or -1.
func (r row) find(words []word) int {
	run, anchored := strings.CutPrefix(r.words, "^")
	want := split(run)
	for i := 0; i+len(want) <= len(words); i++ {
		match := !anchored || words[i].first
		for j := 0; match && j < len(want); j++ {
			match = words[i+j].text == want[j].text
		}
		if match {
			return i
		}
	}
	return -1
}

func plain(words []word) string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.text
	}
	return strings.Join(texts, " ")
}
