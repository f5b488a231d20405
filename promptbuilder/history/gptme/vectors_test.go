package gptme

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"foreword/promptbuilder/tokens"
)

// The vectors are the numbers of gptme's design notes: T and D truncation, R reduction, E pruning and merging, M14
// orphans, L limits, M22 cache marks. Each was made by running gptme; token counts are cl100k.

func cl100k(text string) int { return tokens.CL100k.Count(text) }

func lines(prefix string, n int) string {
	var all []string
	for i := range n {
		all = append(all, prefix+strconv.Itoa(i+1))
	}
	return strings.Join(all, "\n")
}

func python(n int) string { return "head\n```python\n" + lines("L", n) + "\n```\n\ntail" }

func TestTruncate(t *testing.T) {
	for _, test := range []struct{ n, before, after int }{{22, 74, 71}, {23, 77, 71}, {30, 98, 71}} {
		text := python(test.n)
		cut, ok := Truncate(text, 10, 10)
		if !ok || cl100k(text) != test.before || cl100k(cut) != test.after {
			t.Errorf("T1 n=%d: %v, %d to %d tokens", test.n, ok, cl100k(text), cl100k(cut))
		}
		if _, ok := Truncate(cut, 10, 10); ok {
			t.Errorf("T1 n=%d: cut again", test.n)
		}
	}
	for _, n := range []int{20, 21} {
		if _, ok := Truncate(python(n), 10, 10); ok {
			t.Errorf("T1 n=%d was cut", n)
		}
	}
	if cut, _ := Truncate(python(24), 10, 10); cut != "head\n```python\n"+lines("L", 10)+"\n[...]\nL15\nL16\nL17\nL18\nL19\nL20\nL21\nL22\nL23\nL24\n```\n\ntail" {
		t.Errorf("T1 n=24: %s", cut)
	}
	body := lines("L", 30)
	for name, test := range map[string]struct {
		text string
		cut  bool
	}{
		"T2 closing fence followed by text": {"```python\n" + body + "\n```\ntext", false},
		"T2 space before the language":      {"``` python\n" + body + "\n```\n", false},
		"T2 CRLF":                           {"```python\r\n" + strings.ReplaceAll(body, "\n", "\r\n") + "\r\n```\r\n", false},
		"T2 unclosed":                       {"```python\n" + body, false},
		"T2 indented":                       {"  ```python\n" + body + "\n  ```\n", false},
		"T2 fence after text":               {"x ```python\n" + body + "\n```\n", false},
		"T2 unclosed thought before":        {"<think>\n```python\n" + body + "\n```\n", false},
		"T2 fence at the end":               {"```python\n" + body + "\n```", true},
		"T2 blank line":                     {"```python\n" + body + "\n```\n\nx", true},
		"T2 thought before":                 {"<think>x</think>\n```python\n" + body + "\n```", true},
	} {
		if _, ok := Truncate(test.text, 10, 10); ok != test.cut {
			t.Errorf("%s: %v", name, ok)
		}
	}
	block := "```python\n" + body + "\n```"
	if cut, _ := Truncate(block+"\n\n"+block, 10, 10); strings.Count(cut, "[...]") != 2 {
		t.Errorf("T3: %s", cut)
	}
	if cut, _ := Truncate("````a.py\n"+body+"\n````", 10, 10); !strings.HasPrefix(cut, "````a.py\n") || !strings.HasSuffix(cut, "\n````") || !strings.Contains(cut, "[...]") {
		t.Errorf("T4: %s", cut)
	}
}

func TestDetails(t *testing.T) {
	text := func(n int) string { return "A\n<details>\n<summary>S</summary>\n" + lines("d", n) + "\n</details>\nB" }
	if cut, ok := Truncate(text(30), 3, 2); !ok || cut != "A\n<details>\n<summary>S</summary>\nd1\nd2\nd3\n[...]\nd29\nd30\n</details>\nB" {
		t.Errorf("D1: %v %q", ok, cut)
	}
	if _, ok := Truncate(text(6), 3, 2); ok {
		t.Error("D1: six lines were cut")
	}
	if _, ok := Truncate(text(7), 3, 2); !ok {
		t.Error("D1: seven lines were not cut")
	}
	if got := DetailsSpans("x</details><details>a<DETAILS>b</details>c</details>d<details>e"); !reflect.DeepEqual(got, [][2]int{{11, 52}}) {
		t.Errorf("spans %v", got)
	}
}

var loaded = []string{"shell", "save", "patch", "ipython"}

func TestCalls(t *testing.T) {
	for _, test := range []struct {
		role, text string
		want       bool
	}{
		{"assistant", "```shell\nls\n```", true}, {"assistant", "```python\nx\n```", false}, {"assistant", "```ipython\nx\n```", true},
		{"assistant", "```save hello.py\nx\n```", true}, {"assistant", "```hello.py\nx\n```", false},
		{"assistant", `@shell(call_1): {"command": "ls"}`, true}, {"assistant", `@nosuch(call_1): {"a": 1}`, true},
		{"assistant", `@shell(call_1): {"command": `, false},
		{"assistant", "<tool-use><shell>ls</shell></tool-use>", true}, {"system", "<tool-use><shell>ls</shell></tool-use>", false},
	} {
		if got := Calls(Message{Role: test.role, Content: test.text}, loaded); got != test.want {
			t.Errorf("%s %q: %v", test.role, test.text, got)
		}
	}
	body := lines("L", 40)
	for _, test := range []struct {
		name, role, lang string
		cut              bool
	}{{"T5 a call", "assistant", "shell", false}, {"T5 the same from the user", "user", "shell", true}, {"T5 no tool", "assistant", "python", true}} {
		log := []Message{{Role: test.role, Content: "```" + test.lang + "\n" + body + "\n```"}}
		if got := Reduce(log, 10, loaded, cl100k); (got[0].Content != log[0].Content) != test.cut {
			t.Errorf("%s: %q", test.name, got[0].Content)
		}
	}
}

func costsOf(log []Message) []int {
	var costs []int
	for _, m := range log {
		costs = append(costs, cl100k(m.Content))
	}
	return costs
}

func TestReduce(t *testing.T) {
	block := func(n int) string { return "```python\n" + lines("L", n) + "\n```" }
	log := []Message{{Role: "system", Content: "S", Pinned: true}, {Role: "user", Content: "u"}, {Role: "assistant", Content: block(200)}, {Role: "system", Content: block(60)}}
	full := costsOf(log)
	if full[2] != 604 || full[3] != 184 {
		t.Fatalf("R1: the blocks cost %v", full)
	}
	for limit, want := range map[int][]int{1000: {1, 1, 604, 184}, 500: {1, 1, 67, 184}, 300: {1, 1, 67, 184}, 200: {1, 1, 67, 67}} {
		if got := costsOf(Reduce(log, limit, loaded, cl100k)); !reflect.DeepEqual(got, want) {
			t.Errorf("R1 limit %d: %v, want %v", limit, got, want)
		}
	}
	// R5: what is pinned and what calls is never cut.
	log = []Message{{Role: "system", Content: strings.Repeat(" word", 500), Pinned: true}, {Role: "assistant", Content: "```shell\n" + lines("L", 100) + "\n```"}}
	if got := Reduce(log, 100, loaded, cl100k); !reflect.DeepEqual(costsOf(got), costsOf(log)) {
		t.Errorf("R5: %v", costsOf(got))
	}
	// R6: prose that cannot be cut is longer than a block that could, so nothing is cut. Prepare of the package above
	// cuts the block; TestAStuckMessageDoesNotStopTheRest holds that.
	log = []Message{{Role: "system", Content: "S", Pinned: true}, {Role: "user", Content: "a" + strings.Repeat(" word", 600)}, {Role: "system", Content: block(102)}}
	if got := costsOf(Reduce(log, 700, loaded, cl100k)); got[1] < got[2] || !reflect.DeepEqual(got, costsOf(log)) {
		t.Errorf("R6: %v of %v", got, costsOf(log))
	}
	// gptme dies of 1,100 cuts.
	log = nil
	for range 1_200 {
		log = append(log, Message{Role: "user", Content: block(30)})
	}
	if got := Reduce(log, 10, loaded, func(text string) int { return len(text) }); strings.Count(got[1_199].Content, "[...]") != 1 {
		t.Error("1,200 cuts")
	}
}

func ttl(n int) *int { return &n }

// brief is a log in few letters: role, text, and ttl.
func brief(log []Message) string {
	var all []string
	for _, m := range log {
		s := strings.ToUpper(m.Role[:1]) + ":" + strings.ReplaceAll(m.Content, "\n\n", "+")
		if m.TTL != nil {
			s += fmt.Sprint("/", *m.TTL)
		}
		all = append(all, s)
	}
	return strings.Join(all, " ")
}

func TestPrune(t *testing.T) {
	s := func(text string) Message { return Message{Role: "system", Content: text} }
	u := func(text string) Message { return Message{Role: "user", Content: text} }
	a := func(text string) Message { return Message{Role: "assistant", Content: text} }
	with := func(m Message, n int) Message { m.TTL = ttl(n); return m }
	pinned := func(m Message) Message { m.Pinned = true; return m }
	id := func(m Message, id string) Message { m.CallID = id; return m }
	for _, test := range []struct {
		name     string
		log      []Message
		want     string
		boundary int
	}{
		{"E1", []Message{s("S"), u("Q0"), with(a("x"), 0), u("Q1"), a("A")}, "S:S U:Q0+Q1 A:A", -1},
		{"E2", []Message{s("S"), u("Q0"), with(a("x"), 2), u("Q1"), a("A1"), u("Q2"), a("A2")}, "S:S U:Q0 A:x/2 U:Q1 A:A1 U:Q2 A:A2", 1},
		{"E3", []Message{u("Q0"), with(a("x"), 2), u("Q1"), a("A1"), u("Q2"), a("A2"), u("Q3"), a("A3")}, "U:Q0+Q1 A:A1 U:Q2 A:A2 U:Q3 A:A3", -1},
		{"E4", []Message{with(a("A0"), 2), u("1"), with(a("A1"), 1), u("2"), a("A2"), u("3"), a("A3")}, "A:A0/2 U:1+2 A:A2 U:3 A:A3", -1},
		{"E5", []Message{pinned(with(a("x"), 0)), u("q"), a("A")}, "A:x/0 U:q A:A", -1},
		{"E7", []Message{u("q"), a("A"), id(with(s("r"), 0), "1"), u("p"), a("B")}, "U:q+p A:B", -1},
		{"E9", []Message{pinned(s("S1")), pinned(s("S2")), with(s("note"), 3), u("a"), with(u("b"), 5)}, "S:S1+S2+note/3 U:a+b/5", -1},
		{"E10", []Message{a("A"), id(s("r1"), "1"), id(s("r2"), "2"), s("x"), s("y")}, "A:A S:r1 S:r2 S:x+y", -1},
		{"E12 last", []Message{u("q"), with(a("A"), 0)}, "U:q A:A/0", 0},
		{"E12 below zero", []Message{u("q"), with(u("x"), -1)}, "U:q", -1},
	} {
		got, boundary := Prune(test.log)
		if brief(got) != test.want || boundary != test.boundary {
			t.Errorf("%s: %s, boundary %d\nwant %s, %d", test.name, brief(got), boundary, test.want, test.boundary)
		}
	}
}

func TestDropOrphans(t *testing.T) {
	log := []Message{{Role: "user"}, {Role: "assistant"}, {Role: "system", CallID: "1"}, {Role: "system"}, {Role: "system", CallID: "2"}, {Role: "user"}, {Role: "assistant"}}
	for _, test := range []struct{ kept, want []int }{
		{[]int{0, 2, 4, 5, 6}, []int{0, 5, 6}},
		{[]int{0, 1, 2, 3, 5, 6}, []int{0, 3, 5, 6}},
		{[]int{0, 1, 2, 4, 5, 6}, []int{0, 1, 2, 4, 5, 6}},
	} {
		if got := DropOrphans(log, test.kept); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%v: %v, want %v", test.kept, got, test.want)
		}
	}
	log[2].Pinned = true
	if got := DropOrphans(log, []int{0, 2, 5, 6}); !reflect.DeepEqual(got, []int{0, 2, 5, 6}) {
		t.Errorf("a pinned result: %v", got)
	}
}

// log reads "s1 u10* s1#": role, tokens, pinned, call id.
func logOf(t *testing.T, text string) []Message {
	t.Helper()
	var log []Message
	for i, word := range strings.Fields(text) {
		m := Message{Role: map[byte]string{'s': "system", 'u': "user", 'a': "assistant"}[word[0]]}
		m.Pinned = strings.HasSuffix(word, "*")
		if strings.HasSuffix(word, "#") {
			m.CallID = fmt.Sprint(i)
		}
		n, err := strconv.Atoi(strings.TrimRight(word[1:], "*#"))
		if err != nil {
			t.Fatal(err)
		}
		m.Content = strings.Repeat("x", n)
		log = append(log, m)
	}
	return log
}

func TestLimit(t *testing.T) {
	for _, test := range []struct {
		name   string
		window int
		log    string
		want   []int
	}{
		{"L1", 10, "s2 a13 s1", []int{0}},
		{"L2", 12, "s2 a21 s1 s1", []int{0}},
		{"L4", 5, "s1 u1* a2 u3", []int{0, 1, 3}},
		{"L5", 7, "s1 a2* s1# u3", []int{0, 1, 2, 3}},
		{"L6", 6, "s1 a2* s2 u2", []int{0, 1, 2}},
		{"L8", 3, "s1 u10 u4", []int{0}},
		{"L9", 8, "s1 u3 a2 u1 a2", []int{0, 2, 3, 4}},
		{"L10", 6, "s1 u1 s3 a2", []int{0, 3}},
		{"L11", 2, "s5 u1", []int{0}},
		{"L14", 6, "s1 u2 a2 u1", []int{0, 1, 2, 3}},
		{"L15", 6, "s1 u1 a41 u1", []int{0, 3}},
	} {
		if got := LimitIndexes(logOf(t, test.log), test.window, func(text string) int { return len(text) }); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

func TestBreakpoints(t *testing.T) {
	log := logOf(t, "u1 a1 u1 a1 u1")
	if got := Breakpoints(log, -1); !reflect.DeepEqual(got, []int{2, 4}) {
		t.Errorf("M22: %v", got)
	}
	if got := Breakpoints(log, 1); !reflect.DeepEqual(got, []int{1, 2, 4}) {
		t.Errorf("M22 with a boundary: %v", got)
	}
}
