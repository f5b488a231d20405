package wire

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"foreword/promptbuilder/history"

	"pgregory.net/rapid"
)

// same holds that a request is rendered with a memory as it is without one.
func same(t interface {
	Helper()
	Fatalf(string, ...any)
}, request Request, memory *Memory) {
	t.Helper()
	request.Memory = nil
	want, err := Render(request)
	if err != nil {
		t.Fatalf("%s: %v", request.Wire, err)
	}
	request.Memory = memory
	got, err := Render(request)
	if err != nil {
		t.Fatalf("%s: with a memory: %v", request.Wire, err)
	}
	if string(got.Body) != string(want.Body) {
		t.Fatalf("%s: with a memory of %d beginnings\n%s\nwithout\n%s", request.Wire, len(memory.held), got.Body, want.Body)
	}
	if !slices.Equal(got.Downgrades, want.Downgrades) {
		t.Fatalf("%s: with a memory\n%s\nwithout\n%s", request.Wire, strings.Join(got.Downgrades, "\n"), strings.Join(want.Downgrades, "\n"))
	}
}

// A memory changes no byte, however a conversation goes on: it grows, is edited and sent again, cut, forked, and
// goes to other models and wires between.
func TestMemoryChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		memory := NewMemory(rapid.SampledFrom([]int{1 << 20, 4 << 10, 0}).Draw(t, "limit"))
		request := Request{
			MaxOutput: rapid.SampledFrom([]int{0, 9}).Draw(t, "max"),
			System:    []Block{{Text: "core.", Cacheable: true}, {Text: "today."}}[:rapid.IntRange(0, 2).Draw(t, "blocks")],
			Tools:     []Tool{{Name: "ls"}, {Name: "cat"}}[:rapid.IntRange(0, 2).Draw(t, "tools")],
		}
		wires := rapid.SliceOfNDistinct(rapid.SampledFrom(Names()), 1, 2, rapid.ID).Draw(t, "wires")
		branches := [][]history.Message{nil}
		for range rapid.IntRange(1, 8).Draw(t, "turns") {
			k := rapid.IntRange(0, len(branches)-1).Draw(t, "branch")
			messages := branches[k]
			if rapid.IntRange(0, 9).Draw(t, "way") < 3 && len(messages) > 0 {
				cut := rapid.IntRange(0, len(messages)-1).Draw(t, "cut")
				if rapid.Bool().Draw(t, "front") {
					messages = messages[cut:]
				} else {
					messages = messages[:cut]
				}
				if rapid.Bool().Draw(t, "fork") {
					branches, k = append(branches, nil), len(branches)
				}
			}
			branches[k] = append(slices.Clip(messages), drawMessages(t)...)
			request.Messages = branches[k]
			request.Model = rapid.SampledFrom([]string{"m", "m", "m", "gemini-3-pro", systemModel, systemModel}).Draw(t, "model")
			request.Provider = rapid.SampledFrom([]string{"anthropic", "anthropic", "bedrock"}).Draw(t, "provider")
			for _, request.Wire = range wires {
				same(t, request, memory)
			}
		}
	})
}

// The golden conversations are rendered message by message, and give what they give at once.
func TestMemoryByMessage(t *testing.T) {
	for _, name := range []string{"tools", "rough"} {
		for _, wire := range Names() {
			memory := NewMemory(1 << 20)
			request := golden(t, name)
			request.Wire = wire
			all := append(slices.Clip(request.Messages), request.Messages...)
			for n := range len(all) + 1 {
				request.Messages = all[:n]
				same(t, request, memory)
			}
		}
	}
}

// What a memory must see coming: each case is a conversation that goes on in a way that changes what stands before.
func TestMemoryLooksBack(t *testing.T) {
	const plain = `{"role":"user","content":"q"},{"role":"assistant","content":"a"},{"role":"user","content":"q2"},{"role":"assistant","content":"a2"},{"role":"user","content":"q3"},{"role":"assistant","content":"a3"},{"role":"user","content":"q4"}`
	made := freeID(history.Part{ID: "bad id", Name: "ls", Arguments: "{}"}, func(string) bool { return false })
	call := `{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[{"id":"bad id","function":{"name":"ls","arguments":"{}"}}]},{"role":"tool","tool_call_id":"bad id","content":"r"},`
	const one = `{"role":"assistant","content":null,"tool_calls":[{"id":"z","function":{"name":"ls","arguments":"{}"}}]},{"role":"tool","tool_call_id":"z","content":"r"}`
	const two = `{"role":"assistant","content":null,"tool_calls":[{"id":"x","function":{"name":"ls","arguments":"{}"}},{"id":"y","function":{"name":"ls","arguments":"{}"}}]}`
	marked := func(text, ttl string) string {
		return fmt.Sprintf(`{"role":"user","content":[{"type":"text","text":%q,"cache_control":{"type":"ephemeral"%s}}]},{"role":"assistant","content":"a"},`, text, ttl)
	}
	for name, turns := range map[string][]string{
		"a call of the id that was made": {call + plain, call + plain + `,{"role":"assistant","content":null,"tool_calls":[{"id":"` + made + `","function":{"name":"ls","arguments":"{}"}}]}`},
		"a call of an id given before":   {call + plain, call + plain + `,{"role":"assistant","content":null,"tool_calls":[{"id":"bad id","function":{"name":"ls","arguments":"{}"}}]}`},
		"more marks than there may be":   {marked("1", "") + plain, marked("1", "") + plain + "," + marked("2", "") + marked("3", "") + marked("4", "") + plain},
		"a mark that lasts longer":       {marked("1", `,"ttl":"1h"`) + plain, marked("1", `,"ttl":"1h"`) + plain + "," + plain},
		"an ephemeral message":           {plain, plain + `,{"role":"assistant","content":"a"},{"role":"user","content":"now","ephemeralTTL":1}`, plain + `,{"role":"assistant","content":"a"},{"role":"user","content":"now","ephemeralTTL":1},` + plain},
		"answers in a row":               {plain, plain[:strings.LastIndexByte(plain, '{')-1] + `,{"role":"assistant","content":"more "}`},
		"a result that comes later":      {`{"role":"user","content":"q"},{"role":"assistant","content":"a"},{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[{"id":"x","function":{"name":"ls","arguments":"{}"}}]}`, `{"role":"user","content":"q"},{"role":"assistant","content":"a"},{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[{"id":"x","function":{"name":"ls","arguments":"{}"}}]},{"role":"tool","tool_call_id":"x","content":"r"},` + plain},
		"system text at the beginning":   {`{"role":"system","content":"s"},` + plain, `{"role":"system","content":"s"},` + plain + "," + plain},
		"blank messages first":           {`{"role":"user","content":" "},{"role":"assistant","content":" "},{"role":"system","content":"s"},` + plain, `{"role":"user","content":" "},{"role":"assistant","content":" "},{"role":"system","content":"s"},` + plain + "," + plain},
		"a result in place of an answer": {
			`{"role":"user","content":"q"},` + two + `,{"role":"tool","tool_call_id":"x","content":"r"},` + one + `,{"role":"assistant","content":"a"},{"role":"user","content":"q"}`,
			`{"role":"user","content":"q"},` + two + `,{"role":"tool","tool_call_id":"x","content":"r"},{"role":"tool","tool_call_id":"y","content":"r"},` + plain,
		},
		"a call after a blank message":     {`{"role":"user","content":" "},` + one + `,{"role":"assistant","content":"a"},{"role":"user","content":"q"}`},
		"system text after blank messages": {`{"role":"user","content":" "},{"role":"assistant","content":" "},{"role":"system","content":"s"},{"role":"user","content":"q"},{"role":"assistant","content":"a"},{"role":"user","content":"q"}`},
		"files that are not embedded":      {`{"role":"user","content":"q","files":["a"]},` + plain, `{"role":"user","content":"q","files":["a"]},` + plain + `,{"role":"assistant","content":"a"},{"role":"user","content":"q","files":["b"]},` + plain},
	} {
		for _, wire := range Names() {
			memory := NewMemory(1 << 20)
			for _, turn := range append(slices.Clip(turns), turns[0]) {
				parsed, err := history.ParseMessages([]byte("[" + turn + "]"))
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				same(t, Request{Wire: wire, Model: "m", Messages: parsed, Tools: []Tool{{Name: "ls"}}, System: []Block{{Text: "core", Cacheable: true}}}, memory)
			}
		}
	}
}

// What one model thought is not sent to another.
func TestMemoryKnowsTheModel(t *testing.T) {
	memory := NewMemory(1 << 20)
	all := messages(t, `[{"role":"user","content":"q"},{"role":"assistant","model":"m","content":[{"type":"thinking","thinking":"h","signature":"s"},{"type":"text","text":"a"}]},
		{"role":"user","content":"q"},{"role":"assistant","content":"a"},{"role":"user","content":"q"}]`)
	for _, model := range []string{"m", "n", "m"} {
		for _, wire := range []string{Anthropic, Gemini} {
			same(t, Request{Wire: wire, Model: model, Messages: all}, memory)
		}
	}
}

// A memory is used: a turn that follows encodes what is new.
func TestMemoryIsUsed(t *testing.T) {
	for _, wire := range Names() {
		if wire == PlainText {
			continue
		}
		memory := NewMemory(1 << 20)
		var all []history.Message
		add := func(role, text string) {
			all = append(all, history.Message{Role: role, Content: history.Text(text)})
		}
		for i := range 100 {
			add(history.RoleUser, fmt.Sprintf("question %d", i))
			same(t, Request{Wire: wire, Model: "m", Messages: all}, memory)
			add(history.RoleAssistant, fmt.Sprintf("answer %d", i))
		}
		if len(memory.held) != 1 || len(memory.held[0].messages) != len(all)-4 {
			t.Errorf("%s: %d beginnings are held", wire, len(memory.held))
		}
	}
}

// The memory of a conversation that goes on further does not stand in the way of one that ends earlier.
func TestMemoryOfAnEarlierTurn(t *testing.T) {
	memory := NewMemory(1 << 20)
	var all []history.Message
	for i := range 20 {
		all = append(all,
			history.Message{Role: history.RoleUser, Content: history.Text(fmt.Sprintf("question %d", i))},
			history.Message{Role: history.RoleAssistant, Content: history.Text(fmt.Sprintf("answer %d", i))})
	}
	for _, n := range []int{31, 39, 33, 35, 37, 39} {
		request := Request{Wire: Anthropic, Model: "m", Messages: all[:n]}
		same(t, request, memory)
		if _, ok := memory.render(renderers()[Anthropic], request); !ok {
			t.Errorf("with %d messages the request is rendered as a whole", n)
		}
	}
}

// What is held stays within its bounds, and the conversation used last is held.
func TestMemoryIsBounded(t *testing.T) {
	const limit = 64 << 10
	memory := NewMemory(limit)
	for i := range 3 * maxHeld {
		var all []history.Message
		for n := range 10 {
			all = append(all,
				history.Message{Role: history.RoleUser, Content: history.Text(fmt.Sprintf("question %d of %d", n, i))},
				history.Message{Role: history.RoleAssistant, Content: history.Text(strings.Repeat("answer ", 50))})
		}
		all = append(all, history.Message{Role: history.RoleUser, Content: history.Text("and?")})
		same(t, Request{Wire: OpenAIChat, Model: "m", Messages: all}, memory)
		total := 0
		for _, b := range memory.held {
			total += b.size()
		}
		if total > limit || len(memory.held) == 0 || len(memory.held) > maxHeld || memory.held[len(memory.held)-1].messages[0].Content.Text != all[0].Content.Text {
			t.Fatalf("%d bytes in %d beginnings are held", total, len(memory.held))
		}
	}
}
