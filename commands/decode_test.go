package commands

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// trial has a field of every shape that parameters use.
type trial struct {
	trialInner
	URI      string            `json:"uri"`
	Mode     string            `json:"mode,omitempty" enum:"build,plan"`
	Kinds    []string          `json:"kinds,omitempty" enum:"read,open,edit"`
	Window   int               `json:"window,omitempty" min:"0"`
	Turn     *int              `json:"turn,omitempty" min:"1"`
	Small    int8              `json:"small,omitempty"`
	Count    uint16            `json:"count,omitempty"`
	Ratio    float64           `json:"ratio,omitempty"`
	Flag     *bool             `json:"flag,omitempty"`
	Tools    []trialTool       `json:"tools,omitempty"`
	Headers  map[string]string `json:"headers,omitempty"`
	Schema   RawObject         `json:"schema,omitempty"`
	Own      []trialOwn        `json:"own,omitempty"`
	Span     [2]int            `json:"span,omitempty"`
	Anything any               `json:"anything,omitempty"`
	Child    *trial            `json:"child,omitempty"`
	Ignored  string            `json:"-"`
}

type trialInner struct {
	Session string `json:"session,omitempty"`
}

type trialTool struct {
	Name   string  `json:"name"`
	Weight float32 `json:"weight"`
}

// trialOwn decodes itself, as a message does.
type trialOwn struct{ Text string }

func (o *trialOwn) UnmarshalJSON(raw []byte) error {
	if err := json.Unmarshal(raw, &o.Text); err != nil {
		return err
	}
	if text, ok := strings.CutPrefix(o.Text, "fail "); ok {
		return errors.New(text)
	}
	return nil
}

func (o trialOwn) MarshalJSON() ([]byte, error) { return json.Marshal(o.Text) }

func TestDecodeAccepts(t *testing.T) {
	one, yes := 1, true
	for _, c := range []struct {
		name, raw string
		want      trial
	}{
		{"every member", ` { "session" : "s", "uri":"file:///a", "mode":"plan", "kinds":["read","edit"], "window":8000, "turn":1,
			"small":-128, "count":65535, "ratio":1.5e-1, "flag":true, "tools":[{"name":"t","weight":0}], "headers":{"a":"b"},
			"schema": {"type": "object"} , "own":["x"], "span":[1,2], "anything":[1,{"a":null}], "child":{"uri":"c"} } `,
			trial{trialInner: trialInner{Session: "s"}, URI: "file:///a", Mode: "plan", Kinds: []string{"read", "edit"}, Window: 8000, Turn: &one,
				Small: -128, Count: 65535, Ratio: 0.15, Flag: &yes, Tools: []trialTool{{Name: "t"}}, Headers: map[string]string{"a": "b"},
				Schema: RawObject(`{"type": "object"}`), Own: []trialOwn{{Text: "x"}}, Span: [2]int{1, 2},
				Anything: []any{1.0, map[string]any{"a": nil}}, Child: &trial{URI: "c"}}},
		{"null for optional members", `{"uri":"u","mode":null,"window":null,"turn":null,"tools":null,"schema":null,"own":null,"anything":null}`, trial{URI: "u"}},
		{"empty lists and maps", `{"uri":"","kinds":[],"tools":[],"headers":{}}`, trial{Kinds: []string{}, Tools: []trialTool{}, Headers: map[string]string{}}},
		{"integers in other spellings", `{"uri":"u","window":1e3,"small":-1.0,"count":65535.00}`, trial{URI: "u", Window: 1000, Small: -1, Count: 65535}},
		{"escapes in names and texts", `{"\u0075ri":"a\"\\\/\n\ud83d\ude00","headers":{"a\"b":"}]"}}`, trial{URI: "a\"\\/\n😀", Headers: map[string]string{`a"b`: "}]"}}},
		{"text that is not Unicode", "{\"uri\":\"a\xffb\\ud800\"}", trial{URI: "a\ufffdb\ufffd"}},
		{"byte order mark", "\ufeff{\"uri\":\"u\"}", trial{URI: "u"}},
		{"brackets in passed-through text", `{"uri":"u","schema":{"a":"}\\","b":["]\""]},"mode":"build"}`, trial{URI: "u", Mode: "build", Schema: RawObject(`{"a":"}\\","b":["]\""]}`)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got trial
			if err := Decode(json.RawMessage(c.raw), &got); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got  %+v\nwant %+v", got, c.want)
			}
		})
	}
}

func TestDecodeTakesAbsentParametersForAnEmptyObject(t *testing.T) {
	for _, raw := range []json.RawMessage{nil, {}, json.RawMessage("null"), json.RawMessage(" \n null\t"), json.RawMessage("{}"), json.RawMessage(" ")} {
		var params struct {
			Model string `json:"model,omitempty"`
		}
		if err := Decode(raw, &params); err != nil {
			t.Errorf("%q: %v", raw, err)
		}
		var strict trial
		if err := Decode(raw, &strict); err == nil || err.Error() != "uri: required, but missing" {
			t.Errorf("%q: %v", raw, err)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	long := strings.Repeat("x", 200)
	for _, c := range []struct{ raw, want string }{
		// Not an object.
		{`[]`, `parameters: want an object, got an array`},
		{`["file:///a"]`, `parameters: want an object, got an array`},
		{`"x"`, `parameters: want an object, got a string`},
		{`7`, `parameters: want an object, got a number`},
		{`true`, `parameters: want an object, got a boolean`},
		// Not JSON.
		{`{"uri":"u"} {}`, `parameters: unexpected data after the JSON object (line 1, column 13)`},
		{"{\n  \"uri\": \"u\",\n}", `parameters: not valid JSON: invalid character '}' looking for beginning of object key string (line 3, column 1)`},
		{`{"uri":`, `parameters: not valid JSON: unexpected end of JSON input (line 1, column 7)`},
		{`x`, `parameters: not valid JSON: invalid character 'x' looking for beginning of value (line 1, column 1)`},
		{`{"uri":NaN}`, `parameters: not valid JSON: invalid character 'N' looking for beginning of value (line 1, column 8)`},
		// Names.
		{`{"uir":"u"}`, `uir: unknown field; did you mean "uri"?`},
		{`{"URI":"u"}`, `URI: unknown field; did you mean "uri"?`},
		{`{"sesion":"u"}`, `sesion: unknown field; did you mean "session"?`},
		{`{"tools":[{"nam":"u"}]}`, `tools[0].nam: unknown field; did you mean "name"?`},
		{`{"tools":[{"colour":"u"}]}`, `tools[0].colour: unknown field; known are "name" and "weight"`},
		{`{"a b":1,"uri":"u"}`, `["a b"]: unknown field; known are "session", "uri", "mode", "kinds", "window", "turn", "small", "count", "ratio", "flag", "tools", "headers", "schema", "own", "span", "anything" and "child"`},
		{`{"tools":[{"` + long + `":1}]}`, `tools[0]["` + long[:60] + `…"]: unknown field; known are "name" and "weight"`},
		{`{"uri":"u","uri":"v"}`, `uri: given twice`},
		{`{"uri":"u","mode":null,"mode":"plan"}`, `mode: given twice`},
		{`{"uri":"u","headers":{"a":"1","a":"2"}}`, `headers.a: given twice`},
		{`{"Ignored":"x"}`, `Ignored: unknown field; known are "session", "uri", "mode", "kinds", "window", "turn", "small", "count", "ratio", "flag", "tools", "headers", "schema", "own", "span", "anything" and "child"`},
		// Types.
		{`{"uri":1}`, `uri: want a string, got a number`},
		{`{"uri":null}`, `uri: want a string, got null`},
		{`{"uri":["a"]}`, `uri: want a string, got an array`},
		{`{"session":{}}`, `session: want a string, got an object`},
		{`{"flag":"yes"}`, `flag: want true or false, got a string`},
		{`{"window":"1"}`, `window: want an integer, got a string`},
		{`{"ratio":"1"}`, `ratio: want a number, got a string`},
		{`{"ratio":1e999}`, `ratio: "1e999" is out of range`},
		{`{"kinds":"read"}`, `kinds: want an array, got a string`},
		{`{"kinds":["read",null]}`, `kinds[1]: want a string, got null`},
		{`{"tools":{}}`, `tools: want an array, got an object`},
		{`{"tools":[{"name":"t","weight":1},[]]}`, `tools[1]: want an object, got an array`},
		{`{"tools":[{"name":true}]}`, `tools[0].name: want a string, got a boolean`},
		{`{"headers":[]}`, `headers: want an object, got an array`},
		{`{"headers":{"x-y":1}}`, `headers.x-y: want a string, got a number`},
		{`{"headers":{"x y":1}}`, `headers["x y"]: want a string, got a number`},
		{`{"schema":"{}"}`, `schema: want an object, got a string`},
		{`{"schema":[]}`, `schema: want an object, got an array`},
		{`{"span":[1]}`, `span: want 2 elements, got 1`},
		{`{"span":[1,2,3]}`, `span: want 2 elements, got more`},
		{`{"span":[1,"2"]}`, `span[1]: want an integer, got a string`},
		{`{"child":{"child":{"child":{"uri":2}}}}`, `child.child.child.uri: want a string, got a number`},
		// Numbers.
		{`{"window":1.5}`, `window: want an integer, got 1.5`},
		{`{"window":-1}`, `window: want at least 0, got -1`},
		{`{"turn":0}`, `turn: want at least 1, got 0`},
		{`{"window":9223372036854775808}`, `window: "9223372036854775808" is out of range`},
		{`{"window":1e999}`, `window: "1e999" is out of range`},
		{`{"small":128}`, `small: "128" is out of range`},
		{`{"count":65536}`, `count: "65536" is out of range`},
		{`{"count":-1}`, `count: want at least 0, got -1`},
		{`{"count":0.5}`, `count: want an integer, got 0.5`},
		// Enums.
		{`{"mode":"paln"}`, `mode: want "build" or "plan", got "paln"`},
		{`{"mode":""}`, `mode: want "build" or "plan", got ""`},
		{`{"kinds":["read","write"]}`, `kinds[1]: want "read", "open" or "edit", got "write"`},
		{`{"mode":"` + long + `"}`, `mode: want "build" or "plan", got "` + long[:60] + `…"`},
		// Missing.
		{`{"session":"s"}`, `uri: required, but missing`},
		{`{"uri":"u","tools":[{}]}`, `tools[0].name: required, but missing; so is "weight"`},
		// Types that decode themselves.
		{`{"own":[1]}`, `own[0]: want a string, got a number`},
		{`{"own":["a",null]}`, `own[1]: want a value, got null`},
		{`{"own":["fail sorry"]}`, `own[0]: sorry`},
	} {
		name := c.raw
		if len(name) > 60 {
			name = name[:60]
		}
		t.Run(name, func(t *testing.T) {
			err := Decode(json.RawMessage(c.raw), new(trial))
			var known *Error
			if !errors.As(err, &known) {
				t.Fatalf("got %v, want an *Error", err)
			}
			if known.Code != CodeInvalidParams {
				t.Errorf("code %s", known.Code)
			}
			if known.Message != c.want {
				t.Errorf("got  %s\nwant %s", known.Message, c.want)
			}
		})
	}
}

func TestDecodeNamesEverythingThatIsMissing(t *testing.T) {
	var params struct {
		A int `json:"a"`
		B int `json:"b"`
		C int `json:"c"`
		D int `json:"d"`
	}
	err := Decode(json.RawMessage(`{"b":1}`), &params)
	if want := `a: required, but missing; so are "c" and "d"`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestDecodeTellsWhatIsWrongWithAMessage(t *testing.T) {
	for _, c := range []struct{ raw, path string }{
		{`{"messages":[{"role":"user","content":"a"},7]}`, "messages[1]: "},
		{`{"messages":[{"role":"user","content":"a"},null]}`, "messages[1]: "},
		{`{"messages":[{"role":"user","content":"a"},{"role":5,"content":"b"}]}`, "messages[1].role: "},
		{`{"messages":[{"role":"user","content":[{"type":"text"}]}]}`, "messages[0].content[0].text: "},
		{`{"messages":[{"role":"assistant","toolCalls":[{"id":"a"}]}]}`, "messages[0].toolCalls[0].name: "},
		{`{"messages":{}}`, "messages: want an array"},
		{`{}`, "messages: required"},
	} {
		err := Decode(json.RawMessage(c.raw), new(PrepareHistoryParams))
		if err == nil || !strings.HasPrefix(err.Error(), c.path) {
			t.Errorf("%s\ngot  %v\nwant %s…", c.raw, err, c.path)
		}
	}
}

func TestDecodeBoundsNesting(t *testing.T) {
	for _, depth := range []int{100, 9_000, 11_000, 1_000_000} {
		for _, shape := range []struct{ open, close string }{{`{"child":`, `}`}, {`{"schema":{"a":`, `}}`}, {`{"anything":[`, `]}`}} {
			raw := strings.Repeat(shape.open, depth) + "1" + strings.Repeat(shape.close, depth)
			if err := Decode(json.RawMessage(raw), new(trial)); err == nil {
				t.Errorf("%d levels of %s: no error", depth, shape.open)
			}
		}
	}
}

func TestDecodeIntoAnythingButAPointerIsAnError(t *testing.T) {
	for _, into := range []any{nil, trial{}, (*trial)(nil)} {
		if err := Decode(json.RawMessage(`{"uri":"u"}`), into); err == nil {
			t.Errorf("%T: no error", into)
		}
	}
}

func TestDecodeKeepsNoPartOfTheInput(t *testing.T) {
	raw := []byte(`{"uri":"u","schema":{"a":1}}`)
	var got trial
	if err := Decode(raw, &got); err != nil {
		t.Fatal(err)
	}
	for i := range raw {
		raw[i] = 'x'
	}
	if got.URI != "u" || string(got.Schema) != `{"a":1}` {
		t.Errorf("got %q, %s", got.URI, got.Schema)
	}
}

// What encoding/json writes is read back as it was.
func TestDecodeReadsWhatWasEncoded(t *testing.T) {
	tool := rapid.Custom(func(t *rapid.T) trialTool {
		return trialTool{Name: rapid.String().Draw(t, "name"), Weight: rapid.Float32().Draw(t, "weight")}
	})
	own := rapid.Custom(func(t *rapid.T) trialOwn { return trialOwn{Text: rapid.StringN(0, 4, -1).Draw(t, "text")} })
	rapid.Check(t, func(t *rapid.T) {
		want := trial{
			trialInner: trialInner{Session: rapid.String().Draw(t, "session")},
			URI:        rapid.String().Draw(t, "uri"),
			Mode:       rapid.SampledFrom([]string{"", "build", "plan"}).Draw(t, "mode"),
			Kinds:      rapid.SliceOf(rapid.SampledFrom([]string{"read", "open", "edit"})).Draw(t, "kinds"),
			Window:     rapid.IntMin(0).Draw(t, "window"),
			Turn:       rapid.Ptr(rapid.IntMin(1), true).Draw(t, "turn"),
			Small:      rapid.Int8().Draw(t, "small"),
			Count:      rapid.Uint16().Draw(t, "count"),
			Ratio:      rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64).Draw(t, "ratio"),
			Flag:       rapid.Ptr(rapid.Bool(), true).Draw(t, "flag"),
			Tools:      rapid.SliceOf(tool).Draw(t, "tools"),
			Headers:    rapid.MapOf(rapid.String(), rapid.String()).Draw(t, "headers"),
			Own:        rapid.SliceOf(own).Draw(t, "own"),
		}
		raw, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got trial
		if err := Decode(raw, &got); err != nil {
			t.Fatalf("%v\n%s", err, raw)
		}
		again, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		if string(again) != string(raw) {
			t.Errorf("got  %s\nwant %s", again, raw)
		}
	})
}

// Decode never panics, and what it accepts encoding/json reads the same,
// except for the spellings of integers that encoding/json refuses.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"uri":"u","tools":[{"name":"t","weight":1}],"headers":{"a":"b"},"schema":{"a":[1]},"own":["x"],"span":[1,2],"child":{"uri":"c"}}`,
		`{"uri":"\u0000\ud800","window":1e3,"turn":null}`, `[]`, `null`, ``, `{"uri":"u"} x`, `{"a":"\\\\\""}`, "\ufeff{}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, c := range Table() {
			err := Decode(raw, reflect.New(c.Params).Interface())
			if known := (*Error)(nil); err != nil && !errors.As(err, &known) {
				t.Fatalf("%s: %T: %v", c.Name, err, err)
			}
		}
		var got, want trial
		if err := Decode(raw, &got); err != nil {
			return
		}
		err := json.Unmarshal([]byte(strings.TrimPrefix(string(raw), "\ufeff")), &want)
		if wrongType := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrongType) {
			return
		}
		if err != nil {
			t.Fatalf("encoding/json refuses it: %v", err)
		}
		if string(want.Schema) == "null" {
			want.Schema = nil
		}
		if g, w := fmt.Sprintf("%#v", flat(got)), fmt.Sprintf("%#v", flat(want)); g != w {
			t.Errorf("got  %s\nwant %s", g, w)
		}
	})
}

// flat encodes a trial, so that pointers compare by what they lead to.
func flat(v trial) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// benchmarkConversation is 10,000 messages of the usual kinds and sizes.
func benchmarkConversation() []byte {
	var b strings.Builder
	b.WriteString(`{"model":"gpt-5","messages":[`)
	for i := range 2_500 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":"m%d","role":"user","content":"please look at the file number %d and say \"why\""},`, i, i)
		fmt.Fprintf(&b, `{"role":"assistant","content":"reading","toolCalls":[{"id":"c%d","name":"read","arguments":"{\"path\":\"a/b/c%d.go\"}"}]},`, i, i)
		fmt.Fprintf(&b, `{"role":"tool","toolCallID":"c%d","content":%q},`, i, strings.Repeat("func main() { println(1) }\n", 20))
		fmt.Fprintf(&b, `{"role":"assistant","content":"because of line %d"}`, i)
	}
	b.WriteString(`]}`)
	return []byte(b.String())
}

// BenchmarkDecode reads a conversation of 10,000 messages, and for comparison
// does so without any of the checks.
func BenchmarkDecode(b *testing.B) {
	raw := benchmarkConversation()
	b.Run("strict", func(b *testing.B) {
		b.SetBytes(int64(len(raw)))
		b.ReportAllocs()
		for b.Loop() {
			if err := Decode(raw, new(PrepareHistoryParams)); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("encoding-json", func(b *testing.B) {
		b.SetBytes(int64(len(raw)))
		b.ReportAllocs()
		for b.Loop() {
			if err := json.Unmarshal(raw, new(PrepareHistoryParams)); err != nil {
				b.Fatal(err)
			}
		}
	})
}
