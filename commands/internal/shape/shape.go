// Package shape reads the contract that the struct types of package commands
// carry in their tags. Decode and the generator of the reference and of the
// editors' types both start here, so that what is documented as required is
// what is demanded.
//
// The tags: json gives the name, and omitempty or omitzero makes a field
// optional; enum:"a,b" lists the allowed strings; min:"0" is the least number.
package shape

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// Field is one member of a JSON object.
type Field struct {
	// Name of the member.
	Name string
	// Index leads from the outer struct to the field, as in reflect.Value.FieldByIndex.
	Index []int
	// Type of the Go field.
	Type reflect.Type
	// Owner is the struct type that declares the field, and GoName its name
	// there: where the doc comment stands.
	Owner  reflect.Type
	GoName string
	// Required tells that parameters must have the member and results always do.
	Required bool
	// Enum lists the allowed strings, of the field or of its elements; empty for any.
	Enum []string
	// Min is the least allowed number, or nil.
	Min *int64
}

// Fields lists the members of the JSON object that a struct type stands for,
// in the order of declaration, with embedded structs flattened. It panics on a
// type that cannot be a part of the contract: that is a fault of the program,
// which the tests of both users find.
func Fields(t reflect.Type) []Field {
	if t.Kind() != reflect.Struct {
		panic(fmt.Sprintf("shape: %s is not a struct", t))
	}
	var fields []Field
	at := map[string]int{} // index in fields by name
	collect(t, nil, func(f Field) {
		i, taken := at[f.Name]
		switch {
		case !taken:
			at[f.Name] = len(fields)
			fields = append(fields, f)
		case len(f.Index) < len(fields[i].Index):
			fields[i] = f // the outer field hides the embedded one
		case len(f.Index) == len(fields[i].Index):
			panic(fmt.Sprintf("shape: %s has two fields with the JSON name %q", t, f.Name))
		}
	})
	return fields
}

func collect(t reflect.Type, outer []int, add func(Field)) {
	for i := range t.NumField() {
		sf := t.Field(i)
		name, options, _ := strings.Cut(sf.Tag.Get("json"), ",")
		index := append(append([]int(nil), outer...), i)
		if sf.Anonymous && name == "" && sf.Type.Kind() == reflect.Struct {
			collect(sf.Type, index, add)
			continue
		}
		if !sf.IsExported() || sf.Tag.Get("json") == "-" {
			continue
		}
		if sf.Anonymous && name == "" {
			panic(fmt.Sprintf("shape: %s embeds %s; only structs can be embedded", t, sf.Type))
		}
		if name == "" {
			name = sf.Name
		}
		f := Field{Name: name, Index: index, Type: sf.Type, Owner: t, GoName: sf.Name, Required: true}
		for option := range strings.SplitSeq(options, ",") {
			switch option {
			case "omitempty", "omitzero":
				f.Required = false
			case "":
			default:
				panic(fmt.Sprintf("shape: %s.%s: the JSON option %q is not supported", t, sf.Name, option))
			}
		}
		if list := sf.Tag.Get("enum"); list != "" {
			f.Enum = strings.Split(list, ",")
		}
		if least := sf.Tag.Get("min"); least != "" {
			n, err := strconv.ParseInt(least, 10, 64)
			if err != nil {
				panic(fmt.Sprintf("shape: %s.%s: min: %v", t, sf.Name, err))
			}
			f.Min = &n
		}
		add(f)
	}
}
