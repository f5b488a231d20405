package shape

import (
	"reflect"
	"strings"
	"testing"
)

type inner struct {
	Shared string `json:"shared,omitempty"`
	Deep   int    `json:"deep" min:"-3"`
}

type outer struct {
	First string `json:"first"`
	inner
	Shared   string   `json:"shared"`
	Zero     bool     `json:"zero,omitzero"`
	Kinds    []string `json:"kinds,omitempty" enum:"a,b"`
	Untagged string
	Dash     string `json:"-"`
	private  string
	Named    inner `json:"named"`
}

func TestFields(t *testing.T) {
	least := int64(-3)
	o, i := reflect.TypeFor[outer](), reflect.TypeFor[inner]()
	text := reflect.TypeFor[string]()
	want := []Field{
		{Name: "first", Index: []int{0}, Type: text, Owner: o, GoName: "First", Required: true},
		{Name: "shared", Index: []int{2}, Type: text, Owner: o, GoName: "Shared", Required: true}, // hides the embedded one
		{Name: "deep", Index: []int{1, 1}, Type: reflect.TypeFor[int](), Owner: i, GoName: "Deep", Required: true, Min: &least},
		{Name: "zero", Index: []int{3}, Type: reflect.TypeFor[bool](), Owner: o, GoName: "Zero"},
		{Name: "kinds", Index: []int{4}, Type: reflect.TypeFor[[]string](), Owner: o, GoName: "Kinds", Enum: []string{"a", "b"}},
		{Name: "Untagged", Index: []int{5}, Type: text, Owner: o, GoName: "Untagged", Required: true},
		{Name: "named", Index: []int{8}, Type: i, Owner: o, GoName: "Named", Required: true},
	}
	got := Fields(o)
	for k := range max(len(got), len(want)) {
		if k >= len(got) || k >= len(want) || !reflect.DeepEqual(got[k], want[k]) {
			t.Fatalf("field %d\ngot  %+v\nwant %+v", k, got, want)
		}
	}
	_ = outer{}.private
}

type pointed struct{ *inner }

func TestFieldsRefusesWhatCannotBeInTheContract(t *testing.T) {
	for _, c := range []struct {
		typ  reflect.Type
		want string
	}{
		{reflect.TypeFor[string](), "not a struct"},
		{reflect.StructOf([]reflect.StructField{
			{Name: "A", Type: reflect.TypeFor[string](), Tag: `json:"a"`},
			{Name: "B", Type: reflect.TypeFor[string](), Tag: `json:"a"`},
		}), `two fields with the JSON name "a"`},
		{reflect.TypeFor[struct {
			A int `json:"a,string"`
		}](), `the JSON option "string" is not supported`},
		{reflect.TypeFor[struct {
			A int `json:"a" min:"x"`
		}](), "min"},
		{reflect.TypeFor[struct{ Named }](), "only structs can be embedded"},
	} {
		func() {
			defer func() {
				if got, _ := recover().(string); !strings.Contains(got, c.want) {
					t.Errorf("%s: got panic %q, want %q", c.typ, got, c.want)
				}
			}()
			Fields(c.typ)
		}()
	}
	if got := Fields(reflect.TypeFor[pointed]()); len(got) != 0 {
		t.Errorf("an unexported embedded pointer: %+v", got) // encoding/json cannot fill it either
	}
}

// Named is an embeddable type that is no struct.
type Named string
