//go:build !race

package commands

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"foreword/promptbuilder/epoch"
	"foreword/promptbuilder/tokens"
)

// The ways of the two reference systems. Each has the same ingredients in our
// words, so that only the way differs: what is said when, where it stands, and
// what is rebuilt. Facts: gptme (github.com/gptme/gptme, June 2026) and opencode
// (github.com/anomalyco/opencode, July 2026), read and, for gptme, run.

// frozenAtTheStart is gptme's: the prompt is made once, and all leading system
// messages are merged into one. The files that it lists are read anew for each
// request, so an edit of AGENTS.md rewrites the head; the date and all else
// stay as they were. Rules of a folder are said once, after the tool that went
// there.
type frozenAtTheStart struct {
	sim  *simulation
	head string
	tail []string
	said map[string]bool
}

func (w *frozenAtTheStart) name() string { return "gptme: one head, its files read anew" }

func (w *frozenAtTheStart) request(m simulatedStep) []string {
	if m.n == 1 {
		now := w.sim.present()
		w.said = map[string]bool{}
		w.head = strings.Join([]string{core(now), now["core/environment"], now["core/date"], now["core/git"]}, "\n\n")
	}
	for _, added := range m.added {
		w.tail = append(w.tail, textOf(added))
	}
	for _, name := range above(m.read, m.files) {
		if !w.said[name] {
			w.said[name] = true
			w.tail = append(w.tail, fmt.Sprintf("system\n<agent-instructions source=%q>\n%s\n</agent-instructions>", name, m.files[name]))
		}
	}
	return append([]string{"system\n" + w.head + "\n\n````AGENTS.md\n" + m.files["AGENTS.md"] + "\n````"}, w.tail...)
}

// rebuiltEachStep is that of opencode's first version: one system string, built
// anew for each step, with the date in the environment before the rules. The
// rules of a folder stand in the result of the read that went there. The
// reminder of the mode is added to the newest user message at each step and is
// not kept.
type rebuiltEachStep struct {
	sim     *simulation
	tail    []string
	newest  int // the place of the newest user message
	loaded  map[string]bool
	planned bool
}

// The sizes, in bytes, of the reminders of opencode's first version.
const planReminderSize, buildReminderSize = 1484, 233

func (w *rebuiltEachStep) name() string { return "opencode V1: system rebuilt each step" }

func (w *rebuiltEachStep) request(m simulatedStep) []string {
	if w.loaded == nil {
		w.loaded = map[string]bool{}
	}
	now := w.sim.present()
	system := strings.Join([]string{core(now), now["core/environment"], now["core/date"], "Instructions from: AGENTS.md\n" + m.files["AGENTS.md"]}, "\n")
	for _, added := range m.added {
		if added["role"] == "user" {
			w.newest = len(w.tail)
		}
		w.tail = append(w.tail, textOf(added))
	}
	for _, name := range above(m.read, m.files) {
		if !w.loaded[name] {
			w.loaded[name] = true
			w.tail[len(w.tail)-1] += "\n\n<system-reminder>\nInstructions from: " + name + "\n" + m.files[name] + "\n</system-reminder>"
		}
	}
	request := append([]string{"system\n" + system}, w.tail...)
	size := 0
	if m.plan {
		w.planned, size = true, planReminderSize
	} else if w.planned {
		size = buildReminderSize
	}
	if size > 0 {
		reminder := strings.Repeat("You are asked to mind the mode. ", size/32)
		request[1+w.newest] += "\n\n<system-reminder>\n" + reminder + "\n</system-reminder>"
	}
	return request
}

// epochsOfTheSeed is that of opencode's second version: a baseline that stays,
// and updates after the newest message. All instruction files are one source. It
// knows neither rules of folders nor reminders.
type epochsOfTheSeed struct {
	sim      *simulation
	system   string
	snapshot epoch.Snapshot
	tail     []string
}

func (w *epochsOfTheSeed) name() string { return "opencode V2: epochs" }

func (w *epochsOfTheSeed) request(m simulatedStep) []string {
	now := w.sim.present()
	rules := "Instructions from: AGENTS.md\n" + m.files["AGENTS.md"]
	observed := []epoch.Observed{
		{Key: "core/environment", Layer: "cacheable", Status: epoch.Value, Text: now["core/environment"]},
		{Key: "core/date", Layer: "dynamic", Status: epoch.Value, Text: now["core/date"]},
		{
			Key: "core/instructions", Layer: "cacheable", Status: epoch.Value, Text: rules,
			Update: func(_, after string) string {
				return "These instructions replace all previously loaded ambient instructions.\n\n" + after
			},
			Removal: func(string) string { return "Previously loaded instructions no longer apply." },
		},
	}
	for _, added := range m.added {
		w.tail = append(w.tail, textOf(added))
	}
	rulesOf := epoch.AlgebraOf("opencode")
	if m.n == 1 {
		g, err := rulesOf.Initialize(observed)
		must(w.sim.t, err)
		var parts []string
		for _, key := range g.Order {
			said, _ := g.Snapshot.Get(key)
			parts = append(parts, said.Text)
		}
		w.system, w.snapshot = strings.Join(parts, "\n\n"), g.Snapshot
	} else {
		out, err := rulesOf.Reconcile(observed, w.snapshot)
		must(w.sim.t, err)
		if out.Kind == epoch.Updated {
			w.tail = append(w.tail, "user\n<system-update>\n"+out.Text()+"\n</system-update>")
		}
		w.snapshot = out.Snapshot
	}
	return append([]string{"system\n" + core(now), "system\n" + w.system}, w.tail...)
}

// textOf writes one message of the panel as one text.
func textOf(m message) string {
	calls := ""
	if list, ok := m["toolCalls"].([]message); ok {
		for _, call := range list {
			arguments, _ := json.Marshal(call["arguments"])
			calls += fmt.Sprintf("\n%s %s", call["name"], arguments)
		}
	}
	return fmt.Sprintf("%s\n%s%s", m["role"], m["content"], calls)
}

// texts reads the messages of a body for OpenAI's chat in the same form.
func texts(t *testing.T, raw RawObject) []string {
	t.Helper()
	var body struct {
		Messages []struct {
			Role, Content string
			Calls         []struct {
				Function struct{ Name, Arguments string }
			} `json:"tool_calls"`
		}
	}
	must(t, json.Unmarshal(raw, &body))
	all := make([]string, len(body.Messages))
	for i, m := range body.Messages {
		all[i] = m.Role + "\n" + m.Content
		for _, call := range m.Calls {
			all[i] += fmt.Sprintf("\n%s %s", call.Function.Name, call.Function.Arguments)
		}
	}
	return slices.Clip(all)
}

func tokenCounter(model string) func(string) int { return tokens.ForModel(model).Count }
