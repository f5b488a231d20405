//go:build !race

package commands

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/uri"

	"foreword/workspace"
)

// A simulated session: two hundred requests of one conversation over a
// repository that changes meanwhile. It is sent in five ways at once, and what
// of each request a provider could take from its cache is counted. It is kept
// from the race detector, under which it takes a minute and finds nothing that
// the tests of single turns do not.
const simulatedRequests = 200

// simulatedStep is one request of the conversation and what is true when it is sent.
type simulatedStep struct {
	n int
	// added are the panel's messages since the request before, sent all so far.
	added, sent []message
	// read is the file that the newest tool result holds, and result its message.
	read, result string
	// focus is the file that the user looks at.
	focus string
	plan  bool
	// files are the instruction files as they are on the disk, by path.
	files map[string]string
	// holds are lines that a model which is up to date was told: the date, and one
	// of each instruction file that applies to what was read.
	holds []line
}

// line is words that are true now, and the part of them that was true before.
type line struct{ now, ever string }

// way is one way to send a session.
type way interface {
	// name says whose way it is.
	name() string
	// request gives the messages of the request, each with its role, its text and
	// its calls as one text.
	request(m simulatedStep) []string
}

// TestSimulatedSession prints what a session costs in each way, and holds that
// ours keeps the cached prefix best and is never out of date.
func TestSimulatedSession(t *testing.T) {
	t.Run("a generated repository", func(t *testing.T) { simulateSession(t, newSimulation(t, nil)) })
	t.Run("this repository", func(t *testing.T) { simulateSession(t, newSimulation(t, ownFiles(t))) })
}

func simulateSession(t *testing.T, sim *simulation) {
	count := counting()
	everything := &ourWay{t: t, sim: sim, session: "everything", label: "foreword, all sources", updates: map[string]spent{}}
	alike := &ourWay{t: t, sim: sim, session: "alike", label: "foreword, the seeds' sources", updates: map[string]spent{}, params: map[string]any{
		"context": "selective", "include": []string{"environment", "instructions", "date"},
	}}
	ways := []way{everything, alike, &epochsOfTheSeed{sim: sim}, &rebuiltEachStep{sim: sim}, &frozenAtTheStart{sim: sim}}
	accounts := make([]account, len(ways))
	for n := 1; n <= simulatedRequests; n++ {
		m := sim.next(n)
		for i, w := range ways {
			accounts[i].add(w.request(m), m, count)
		}
	}
	t.Log("\n" + accountTable(ways, accounts) + everything.spent() + alike.spent())

	ours, alikeOurs, epochs, rebuilt, frozen := &accounts[0], &accounts[1], &accounts[2], &accounts[3], &accounts[4]
	if ours.stale+ours.untold+alikeOurs.stale+alikeOurs.untold != 0 {
		t.Errorf("the model was out of date: %+v, %+v", ours, alikeOurs)
	}
	for i, seed := range []*account{epochs, rebuilt, frozen} {
		name := ways[2+i].name()
		if alikeOurs.share() < seed.share() {
			t.Errorf("ours keeps %.3f%% of the possible prefix, %s %.3f%%", alikeOurs.share(), name, seed.share())
		}
		if seed.stale+seed.untold == 0 {
			t.Errorf("%s was never out of date", name)
		}
	}
	for i, seed := range []*account{rebuilt, frozen} {
		name := ways[3+i].name()
		if ours.share() <= seed.share() {
			t.Errorf("with all sources ours keeps %.3f%%, %s %.3f%%", ours.share(), name, seed.share())
		}
		if 2*alikeOurs.fresh() >= seed.fresh() {
			t.Errorf("ours costs %d tokens at full price, %s only %d", alikeOurs.fresh(), name, seed.fresh())
		}
	}
	// What opencode's epochs never say, the rules of folders and the mode, may
	// cost something, but not much.
	if 10*alikeOurs.fresh() >= 11*epochs.fresh() {
		t.Errorf("ours costs %d tokens at full price, %s %d", alikeOurs.fresh(), ways[2].name(), epochs.fresh())
	}
}

// account adds up one way.
type account struct {
	before []string
	size   int // tokens of before
	input  int // tokens of all requests
	// cached is what they shared with the request before, in tokens; possible is
	// all of the request before, which is what a provider holds at best.
	cached, possible int
	// broke counts requests that share less, stale those that say only what held
	// before, untold those that do not say what holds at all.
	broke, stale, untold int
}

func (a *account) share() float64 { return 100 * float64(a.cached) / float64(max(1, a.possible)) }

// fresh is what the provider has to read anew.
func (a *account) fresh() int { return a.input - a.cached }

func (a *account) add(request []string, m simulatedStep, count func(string) int) {
	total := 0
	for _, text := range request {
		total += count(text)
	}
	shared := 0
	for i, text := range request {
		if i == len(a.before) {
			break
		}
		if text != a.before[i] {
			shared += count(commonStart(text, a.before[i]))
			break
		}
		shared += count(text)
	}
	if m.n > 1 {
		a.cached += shared
		a.possible += a.size
		if shared < a.size {
			a.broke++
		}
	}
	a.input += total
	a.before, a.size = request, total
	whole := strings.Join(request, "\n")
	stale, untold := 0, 0
	for _, want := range m.holds {
		switch {
		case strings.Contains(whole, want.now):
		case strings.Contains(whole, want.ever):
			stale = 1
		default:
			untold = 1
		}
	}
	a.stale, a.untold = a.stale+stale, a.untold+untold
}

func commonStart(a, b string) string {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return a[:i]
		}
	}
	return a[:n]
}

// counting counts tokens, each text once.
func counting() func(string) int {
	count := tokenCounter("gpt-5")
	known := map[string]int{}
	return func(text string) int {
		n, ok := known[text]
		if !ok {
			n = count(text)
			known[text] = n
		}
		return n
	}
}

func accountTable(ways []way, accounts []account) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d requests, tokens\n%-38s %10s %10s %12s %7s %11s %6s %7s\n", simulatedRequests,
		"", "sent", "cached", "of possible", "breaks", "full price", "stale", "untold")
	for i := range accounts {
		a := &accounts[i]
		fmt.Fprintf(&b, "%-38s %10d %10d %11.2f%% %7d %11d %6d %7d\n", ways[i].name(), a.input, a.cached, a.share(), a.broke, a.fresh(), a.stale, a.untold)
	}
	return b.String()
}

// next lets the user and the model go one step further: every other request is
// a question, and in the one after it the model has read a file.
func (s *simulation) next(n int) simulatedStep {
	s.t.Helper()
	m := simulatedStep{n: n}
	if n%2 == 1 {
		if n > 1 {
			m.added = append(m.added, message{"id": fmt.Sprint("a", n), "role": "assistant", "content": s.prose(60)})
		}
		s.happen(n)
		m.added = append(m.added, user(fmt.Sprint("u", n), s.prose(25)))
	} else {
		m.read = s.code[s.random.IntN(len(s.code))]
		m.result = fmt.Sprint("t", n)
		for _, name := range above(m.read, s.instructions()) {
			s.went[name] = true
		}
		call := fmt.Sprint("call", n)
		m.added = append(m.added,
			message{"id": fmt.Sprint("c", n), "role": "assistant", "content": s.prose(12), "toolCalls": []message{{"id": call, "name": "read", "arguments": map[string]string{"path": m.read}}}},
			message{"id": m.result, "role": "tool", "toolCallID": call, "content": s.disk[m.read]},
		)
	}
	s.messages = append(s.messages, m.added...)
	m.sent, m.focus, m.plan, m.files = s.messages, s.focus, s.plan, s.instructions()
	m.holds = append(m.holds, line{s.now.Format("2 January 2006"), "2026"})
	for _, name := range append([]string{"AGENTS.md"}, slices.Sorted(maps.Keys(s.went))...) {
		now := s.marker(name)
		_, ever, _ := strings.Cut(now, " of ")
		m.holds = append(m.holds, line{now, ever})
	}
	return m
}

// happen is what the user and others do between two questions.
func (s *simulation) happen(n int) {
	switch n {
	case 31, 77, 123, 161: // the rules of the repository
		s.revise("AGENTS.md")
	case 51: // another editor saves them with other line ends
		s.save("AGENTS.md", strings.ReplaceAll(s.disk["AGENTS.md"], "\n", "\r\n"))
	case 91, 141: // those of one part
		s.revise(s.ruled[len(s.ruled)-1])
	case 121: // it is past midnight
		s.now = s.now.Add(13 * time.Hour)
	case 41, 101, 171:
		s.plan = true
	case 49, 107, 177:
		s.plan = false
	}
	if n%6 == 1 { // another file in focus
		s.focus = s.code[s.random.IntN(len(s.code))]
		s.open(s.focus)
	}
	if n%4 == 1 { // the user types
		s.typed++
		s.version++
		u := uri.File(s.repo.path(s.focus))
		must(s.t, s.service.Workspace().DidChange(u, s.version, wholeText(fmt.Sprintf("%s\n// note %d\n", s.disk[s.focus], s.typed))))
	}
	if n%20 == 1 { // and saves
		s.save(s.focus, fmt.Sprintf("%s\n// note %d\n", s.disk[s.focus], s.typed))
	}
}

// open puts a file into the editor, unless it is there.
func (s *simulation) open(path string) {
	u := uri.File(s.repo.path(path))
	if !s.opened[path] {
		s.opened[path] = true
		s.service.Workspace().DidOpen(u, "go", 1, s.disk[path])
	}
	s.service.Workspace().DidFocus(workspace.Focus{Path: s.repo.path(path)})
}

// ourWay sends the session with foreword.turn.prepare.
type ourWay struct {
	t              *testing.T
	sim            *simulation
	session, label string
	params         map[string]any
	updates        map[string]spent // by source
	begun          []string
}

// spent is how often and at what cost a source said that it changed.
type spent struct{ times, tokens int }

func (w *ourWay) name() string { return w.label }

func (w *ourWay) request(m simulatedStep) []string {
	s := w.sim.service
	if m.read != "" {
		touch(w.t, s, TouchContextParams{Session: w.session, Message: m.result, URIs: []string{w.sim.repo.uri(m.read)}, Model: "gpt-5"})
	}
	params := map[string]any{"session": w.session, "uri": w.sim.repo.uri(m.focus), "append": m.added}
	if m.plan {
		params["agent"], params["mode"] = "plan", "plan"
	}
	for key, value := range w.params {
		params[key] = value
	}
	result := turn(w.t, s, params)
	for _, u := range result.Updates {
		was := w.updates[u.Key]
		w.updates[u.Key] = spent{was.times + 1, was.tokens + u.Tokens}
	}
	if result.Epoch.Status == "replaced" {
		w.begun = append(w.begun, fmt.Sprintf("%d: %s", m.n, result.Epoch.Because))
	}
	return texts(w.t, result.Body)
}

// spent says which sources changed, the dearest first.
func (w *ourWay) spent() string {
	keys := slices.Collect(maps.Keys(w.updates))
	slices.SortFunc(keys, func(a, b string) int {
		return cmp.Or(w.updates[b].tokens-w.updates[a].tokens, strings.Compare(a, b))
	})
	var b strings.Builder
	fmt.Fprintf(&b, "%s, updates:", w.label)
	for _, key := range keys {
		fmt.Fprintf(&b, " %s %d× %d;", key, w.updates[key].times, w.updates[key].tokens)
	}
	for _, because := range w.begun {
		fmt.Fprintf(&b, " new epoch at request %s;", because)
	}
	return b.String() + "\n"
}
