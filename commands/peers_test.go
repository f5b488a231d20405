//go:build !race

package commands

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"foreword/promptbuilder/history"
	"foreword/promptbuilder/tokens"
)

var (
	peersFolder = flag.String("peers", "", "write the conversations of TestPeers and what they took here to this folder, for editors/e2e/bench")
	peersSizes  = flag.Int("peers-most", 100, "how many messages the longest conversation of TestPeers has")
)

// peerMessage is a message as all peers take it.
type peerMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// took is what a trimmer needed and kept.
type took struct {
	Name         string  `json:"name"`
	N            int     `json:"n"`
	Milliseconds float64 `json:"ms"`
	Kept         int     `json:"kept"`
	Tokens       int     `json:"tokens"`
	Budget       int     `json:"budget"`
}

// A conversation is trimmed to three tenths of what it costs, by foreword and as gptme's rules are written down: each round
// counts everything anew and shortens the longest. editors/e2e/bench/run.sh gives the same messages to other trimmers.
func TestPeers(t *testing.T) {
	counter := tokens.ForModel("gpt-4")
	var results []took
	for n := 100; n <= *peersSizes; n *= 10 {
		conversation := peerConversation(t, n)
		total := 0
		for _, m := range conversation {
			total += counter.Count(m.Content) + perMessage
		}
		budget := total * 3 / 10
		ours := make([]history.Message, n)
		for i, m := range conversation {
			ours[i] = history.Message{ID: fmt.Sprint("m", i), Role: m.Role, Content: history.Text(m.Content), Pinned: i == 0}
		}
		measure := func(name string, rounds int, prepare func() []history.Message) {
			best := took{Name: name, N: n, Budget: budget}
			for range rounds {
				begun := time.Now()
				kept := prepare()
				if ms := float64(time.Since(begun).Nanoseconds()) / 1e6; best.Milliseconds == 0 || ms < best.Milliseconds {
					best.Milliseconds = ms
				}
				best.Kept, best.Tokens = len(kept), 0
				for _, m := range kept {
					best.Tokens += counter.Count(m.Content.PlainText()) + perMessage
				}
			}
			if best.Tokens > budget || best.Kept == 0 {
				t.Errorf("%s, %d messages: %d tokens of at most %d in %d messages", name, n, best.Tokens, budget, best.Kept)
			}
			results = append(results, best)
		}
		measure("foreword", 3, func() []history.Message {
			kept, _, err := history.Prepare(ours, history.Options{Budget: budget, Count: counter.Count, PerMessage: perMessage})
			if err != nil {
				t.Fatal(err)
			}
			return kept
		})
		if n <= 1000 {
			measure("gptme's rules, written down", 1, func() []history.Message { return naive(ours, budget, counter) })
		}
		if *peersFolder != "" {
			writeJSON(t, filepath.Join(*peersFolder, fmt.Sprintf("history-%d.json", n)), map[string]any{"messages": conversation, "budget": budget})
		}
	}
	if *peersFolder != "" {
		writeJSON(t, filepath.Join(*peersFolder, "ours.json"), results)
	}
}

func writeJSON(t *testing.T, path string, value any) {
	t.Helper()
	raw, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
}

// peerConversation is a conversation about the sources of the Go toolchain, the same each time: questions, answers, and
// every third answer with a block of code of 5 to 200 lines.
func peerConversation(t *testing.T, n int) []peerMessage {
	t.Helper()
	root := filepath.Join(runtime.GOROOT(), "src", "net", "http") //nolint:staticcheck // tests run where they are built
	var lines []string
	for _, name := range []string{"server.go", "transport.go", "request.go", "transfer.go", "cookie.go"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal("the sources of the Go toolchain are wanted, which every installation has: ", err)
		}
		lines = append(lines, strings.Split(strings.ReplaceAll(string(text), "```", "'''"), "\n")...)
	}
	r := rand.New(rand.NewPCG(7, 0x70656572))
	some := func(most int) string {
		count := 1 + r.IntN(most)
		at := r.IntN(len(lines) - count)
		return strings.Join(lines[at:at+count], "\n")
	}
	all := []peerMessage{{"system", "You help with this code."}}
	for i := 1; i < n; i++ {
		switch {
		case i%2 == 1:
			all = append(all, peerMessage{"user", "What does this do?\n" + some(10)})
		case i%3 == 0:
			all = append(all, peerMessage{"assistant", "It is this:\n\n```go\n" + some(200) + "\n```\n"})
		default:
			all = append(all, peerMessage{"assistant", "It says:\n" + some(30)})
		}
	}
	return all
}

// naive shortens the longest message until all fit, counting everything in each round, then keeps the newest that fit.
func naive(messages []history.Message, budget int, counter tokens.Counter) []history.Message {
	kept := append([]history.Message(nil), messages...)
	for {
		total, longest, most := 0, -1, 0
		for i, m := range kept {
			n := counter.Count(m.Content.Text) + perMessage
			total += n
			if !m.Pinned && n > most {
				longest, most = i, n
			}
		}
		lines := strings.Split(kept[longest].Content.Text, "\n")
		if total <= budget || len(lines) <= 21 {
			break
		}
		kept[longest].Content = history.Text(strings.Join(append(append(append([]string(nil), lines[:10]...), "[...]"), lines[len(lines)-10:]...), "\n"))
	}
	left := budget - counter.Count(kept[0].Content.Text) - perMessage
	from := len(kept)
	for from > 1 {
		cost := counter.Count(kept[from-1].Content.Text) + perMessage
		if cost > left {
			break
		}
		left -= cost
		from--
	}
	return append(kept[:1:1], kept[from:]...)
}
