package history

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"
)

// The scanner finds the same fields and items as encoding/json.
func TestScanAgreesWithDecoder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := drawValue(t, 3)
		for _, raw := range []string{
			`{"a":` + value + `, "b\u0063" : ` + value + ` }`,
			` { "a" :` + value + `}`,
			`{}`, "{\n}",
		} {
			var want map[string]json.RawMessage
			if err := json.Unmarshal([]byte(raw), &want); err != nil {
				t.Fatal(err)
			}
			n := 0
			fields([]byte(raw), func(f field) {
				n++
				if string(want[string(f.key)]) != string(f.value) || raw[f.from:f.from+len(f.value)] != string(f.value) {
					t.Fatalf("%s: field %q is %s", raw, f.key, f.value)
				}
			})
			if n != len(want) {
				t.Fatalf("%s: %d fields, want %d", raw, n, len(want))
			}
		}
		list := "[ " + value + "," + value + " ,\t" + value + "]"
		var want []json.RawMessage
		if err := json.Unmarshal([]byte(list), &want); err != nil {
			t.Fatal(err)
		}
		got := items([]byte(list))
		if len(got) != 3 || string(got[2]) != string(want[2]) || len(items([]byte(" [\n]"))) != 0 {
			t.Fatalf("%s: items %s", list, got)
		}
	})
}

func drawValue(t *rapid.T, depth int) string {
	kind := rapid.IntRange(0, 5).Draw(t, "kind")
	if depth == 0 {
		kind %= 4
	}
	space := rapid.SampledFrom([]string{"", " ", "\n\t"}).Draw(t, "space")
	switch kind {
	case 0:
		return rapid.SampledFrom([]string{"null", "true", "false", "0", "-1.5e+3"}).Draw(t, "literal")
	case 1:
		raw, _ := json.Marshal(rapid.String().Draw(t, "string"))
		return string(raw)
	case 2:
		return `"\\\"{[\u00e9\\"`
	case 3:
		return rapid.SampledFrom([]string{`""`, "[]", "{}", "[ ]", "{ }", `"]}"`}).Draw(t, "empty")
	case 4:
		return "[" + space + drawValue(t, depth-1) + space + "," + drawValue(t, depth-1) + "]"
	}
	return "{" + space + `"k\"]":` + drawValue(t, depth-1) + `,` + space + `"":` + drawValue(t, depth-1) + space + "}"
}
