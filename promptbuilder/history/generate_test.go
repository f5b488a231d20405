package history

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The generator writes conversations as JSON, the way panels send them: in each of the four shapes, with
// parallel and interrupted calls, results that nobody asked for, system notes anywhere, images, thinking,
// pinned and empty messages, unknown fields and odd white space.

type generator struct {
	t     *rapid.T
	shape string
	next  int
	// reuse gives the calls of every answer the same ids, as providers without ids of their own do.
	reuse bool
	list  []string
}

func drawConversation(t *rapid.T) string {
	g := &generator{t: t, reuse: rapid.Bool().Draw(t, "reuse ids")}
	mixed := rapid.Bool().Draw(t, "mixed shapes")
	g.drawShape()
	for range rapid.IntRange(0, 14).Draw(t, "steps") {
		if mixed {
			g.drawShape()
		}
		g.step()
	}
	return "[" + strings.Join(g.list, " ,\n") + "]"
}

func (g *generator) drawShape() {
	g.shape = rapid.SampledFrom([]string{"own", "own parts", "openai", "anthropic"}).Draw(g.t, "shape")
}

func (g *generator) flip(percent int, label string) bool {
	return rapid.IntRange(0, 99).Draw(g.t, label) < percent
}

// text is unique, so that a text that is lost or counted twice can be seen.
func (g *generator) text() string {
	if g.flip(8, "empty") {
		return ""
	}
	g.next++
	if g.flip(8, "long") {
		return g.long()
	}
	return fmt.Sprintf("t%d %s", g.next, strings.Repeat("x", rapid.IntRange(0, 30).Draw(g.t, "length")))
}

// long is a text that can be shortened: code with or without its end, a log, prose without lines, or another script.
func (g *generator) long() string {
	n := rapid.IntRange(20, 80).Draw(g.t, "lines")
	line := rapid.SampledFrom([]string{"x := y + 1\n", "ERROR: no such file\r\n", "func f(a int) {\n", "a word and another ", "日本語のテキスト。"}).Draw(g.t, "line")
	open, end := "", ""
	if g.flip(50, "fenced") {
		open = "```go\n"
		if g.flip(70, "closed") {
			end = "```"
		}
	}
	return fmt.Sprintf("t%d\n%s%s%s", g.next, open, strings.Repeat(line, n), end)
}

func (g *generator) message(role, rest string) {
	extra := ""
	if g.flip(12, "pinned") {
		extra += `, "pinned": true`
	}
	if g.flip(6, "ephemeral") {
		extra += fmt.Sprintf(`, "ephemeralTTL": %d`, rapid.IntRange(-1, 3).Draw(g.t, "ttl"))
	}
	if g.flip(20, "unknown field") {
		extra += ` , "x-vendor":{ "a" : [1.0,1e3] , "<b>":"\u00e9" }`
	}
	g.list = append(g.list, fmt.Sprintf(`{"role":%q%s,%s}`, role, extra, rest))
}

func (g *generator) step() {
	switch rapid.SampledFrom([]string{"user", "user", "answer", "calls", "calls", "system", "lost result", "empty list"}).Draw(g.t, "step") {
	case "user":
		g.user()
	case "answer":
		g.message("assistant", g.answer())
	case "calls":
		g.calls()
	case "system":
		g.message("system", fmt.Sprintf(`"content":%q`, g.text()))
	case "lost result":
		g.result([]string{"lost"})
	case "empty list":
		g.message("user", `"content":[]`)
	}
}

func (g *generator) user() {
	if !g.flip(30, "image") {
		g.message("user", fmt.Sprintf(`"content": %q`, g.text()))
		return
	}
	image := `{"type":"image","mimeType":"image/png","data":"aGk="}`
	switch g.shape {
	case "openai":
		image = `{"type":"image_url","image_url":{"url":"data:image/png;base64,aGk="}}`
	case "anthropic":
		image = `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGk="}}`
	}
	g.message("user", fmt.Sprintf(`"content":[{"type":"text","text":%q}, %s]`, g.text(), image))
}

func (g *generator) answer() string {
	thinking := `{"type":"thinking","text":"h","signature":"c2ln","model":"m"}`
	switch g.shape {
	case "openai":
		return fmt.Sprintf(`"content":%q`, g.text())
	case "anthropic":
		thinking = `{"type":"thinking","thinking":"h","signature":"c2ln"}`
	}
	return fmt.Sprintf(`"content":[%s, {"type":"text","text":%q}]`, thinking, g.text())
}

func (g *generator) calls() {
	var ids, calls []string
	for k := range rapid.IntRange(1, 3).Draw(g.t, "calls") {
		id := fmt.Sprintf("c%d", k)
		if !g.reuse {
			g.next++
			id = fmt.Sprintf("call%d", g.next)
		}
		ids = append(ids, id)
		switch g.shape {
		case "own":
			calls = append(calls, fmt.Sprintf(`{"id":%q,"name":"ls","arguments":{"path":"/"}}`, id))
		case "own parts":
			calls = append(calls, fmt.Sprintf(`{"type":"tool-use","id":%q,"name":"ls","arguments":{}}`, id))
		case "openai":
			calls = append(calls, fmt.Sprintf(`{"id":%q,"type":"function","function":{"name":"ls","arguments":"{\"p\":1}"}}`, id))
		case "anthropic":
			calls = append(calls, fmt.Sprintf(`{"type":"tool_use","id":%q,"name":"ls","input":{}}`, id))
		}
	}
	list := strings.Join(calls, ", ")
	switch g.shape {
	case "own":
		g.message("assistant", fmt.Sprintf(`"content":%q,"toolCalls":[%s]`, g.text(), list))
	case "openai":
		g.message("assistant", fmt.Sprintf(`"content":null,"tool_calls":[%s]`, list))
	default:
		g.message("assistant", fmt.Sprintf(`"content":[%s]`, list))
	}
	var answered []string
	for _, id := range rapid.Permutation(ids).Draw(g.t, "order") {
		if !g.flip(20, "interrupted") {
			answered = append(answered, id)
		}
	}
	if g.flip(8, "twice") {
		answered = append(answered, ids[0])
	}
	if g.flip(8, "foreign") {
		answered = append(answered, "foreign")
	}
	for len(answered) > 0 {
		if g.flip(10, "note between") {
			g.message("system", fmt.Sprintf(`"content":%q`, g.text()))
		}
		n := rapid.IntRange(1, len(answered)).Draw(g.t, "together")
		g.result(answered[:n])
		answered = answered[n:]
	}
}

// result writes results for ids, in one message where the shape can.
func (g *generator) result(ids []string) {
	var parts []string
	for _, id := range ids {
		text := g.text()
		if g.flip(10, "cancelled") {
			text = cancelled
		}
		switch g.shape {
		case "own":
			g.message("tool", fmt.Sprintf(`"toolCallID":%q,"content":%q`, id, text))
		case "openai":
			g.message("tool", fmt.Sprintf(`"tool_call_id":%q,"content":[{"type":"text","text":%q}]`, id, text))
		case "own parts":
			parts = append(parts, fmt.Sprintf(`{"type":"tool-result","toolCallID":%q,"content":%q}`, id, text))
		case "anthropic":
			parts = append(parts, fmt.Sprintf(`{"type":"tool_result","tool_use_id":%q,"content":[{"type":"text","text":%q}]}`, id, text))
		}
	}
	if len(parts) == 0 {
		return
	}
	if g.flip(25, "text beside") {
		parts = append(parts, fmt.Sprintf(`{"type":"text","text":%q}`, g.text()))
	}
	role := "user"
	if g.shape == "own parts" && g.flip(50, "role tool") {
		role = "tool"
	}
	g.message(role, fmt.Sprintf(`"content":[%s]`, strings.Join(parts, " ,")))
}

// findOrphan is the checker of the properties. It is written apart from pair.go, from the providers' rules: a
// message with calls is followed by exactly one result for each of them before the user or the assistant
// speaks again. Calls of the last answer that nobody has begun to answer are no orphans.
func findOrphan(messages []Message) string {
	waiting := map[string]int{}
	owner, answers := -1, 0
	open := func() string {
		for id, n := range waiting {
			if n != 0 {
				return fmt.Sprintf("messages[%d]: call %q has no result", owner, id)
			}
		}
		return ""
	}
	for i, message := range messages {
		if message.Role == RoleAssistant {
			if problem := open(); problem != "" {
				return problem
			}
			waiting, owner, answers = map[string]int{}, i, 0
			for _, block := range message.Blocks() {
				if block.Type == PartToolUse {
					waiting[block.ID]++
				}
			}
			continue
		}
		if message.IsSystem() {
			continue
		}
		own := false
		for _, block := range message.Blocks() {
			if block.Type != PartToolResult {
				own = true
				continue
			}
			if waiting[block.ID] == 0 {
				return fmt.Sprintf("messages[%d]: result %q has no call", i, block.ID)
			}
			waiting[block.ID]--
			answers++
		}
		if message.Role == RoleUser && (own || len(message.Blocks()) == 0) {
			if problem := open(); problem != "" {
				return problem
			}
			waiting = map[string]int{}
		}
	}
	if answers == 0 {
		return ""
	}
	return open()
}

func parse(t testing.TB, raw string) []Message {
	t.Helper()
	messages, err := ParseMessages([]byte(raw))
	if err != nil {
		t.Fatalf("parse %s: %v", raw, err)
	}
	return messages
}
