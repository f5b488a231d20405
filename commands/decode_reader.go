package commands

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"foreword/commands/internal/shape"
)

// reader reads the next value of an input into a settable Go value.
type reader func(*input, reflect.Value) *mismatch

var (
	readers sync.Map // reflect.Type to reader; written by readerOf only

	rawMessage  = reflect.TypeFor[json.RawMessage]()
	unmarshaler = reflect.TypeFor[json.Unmarshaler]()
)

// readerOf gives the reader of a type, which is made once.
func readerOf(t reflect.Type) reader {
	if known, ok := readers.Load(t); ok {
		return known.(reader)
	}
	made, _ := readers.LoadOrStore(t, makeReader(t))
	return made.(reader)
}

// later defers the making of a reader to its first use, so that a type may
// contain itself.
func later(t reflect.Type) func() reader {
	return sync.OnceValue(func() reader { return readerOf(t) })
}

func makeReader(t reflect.Type) reader {
	switch {
	case t == rawMessage:
		return readRawObject
	case reflect.PointerTo(t).Implements(unmarshaler) && t.Kind() != reflect.Pointer:
		return readUnmarshaler
	}
	switch t.Kind() {
	case reflect.String:
		return readString
	case reflect.Bool:
		return readBool
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return readInt
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return readUint
	case reflect.Float32, reflect.Float64:
		return readFloat
	case reflect.Pointer:
		return pointerReader(t)
	case reflect.Slice:
		return sliceReader(t)
	case reflect.Array:
		return arrayReader(t)
	case reflect.Map:
		return mapReader(t)
	case reflect.Struct:
		return structReader(t)
	case reflect.Interface:
		return readAny
	}
	panic(fmt.Sprintf("decode: %s cannot be a part of the contract", t))
}

func wrongKind(in *input, want string) *mismatch {
	return mismatchf("want %s, got %s", want, in.kind())
}

func readString(in *input, v reflect.Value) *mismatch {
	if in.peek() != '"' {
		return wrongKind(in, "a string")
	}
	v.SetString(unquote(in.stringToken()))
	return nil
}

func readBool(in *input, v reflect.Value) *mismatch {
	c := in.peek()
	if c != 't' && c != 'f' {
		return wrongKind(in, "true or false")
	}
	in.value()
	v.SetBool(c == 't')
	return nil
}

func readInt(in *input, v reflect.Value) *mismatch {
	token, m := number(in, "an integer")
	if m != nil {
		return m
	}
	n, err := strconv.ParseInt(token, 10, 64)
	if err != nil {
		f, m := integral(token)
		if m != nil {
			return m
		}
		n = int64(f)
	}
	if v.OverflowInt(n) {
		return mismatchf("%s is out of range", shown(token))
	}
	v.SetInt(n)
	return nil
}

func readUint(in *input, v reflect.Value) *mismatch {
	token, m := number(in, "an integer")
	if m != nil {
		return m
	}
	n, err := strconv.ParseUint(token, 10, 64)
	if err != nil {
		f, m := integral(token)
		switch {
		case m != nil:
			return m
		case f < 0:
			return mismatchf("want at least 0, got %s", token)
		}
		n = uint64(f)
	}
	if v.OverflowUint(n) {
		return mismatchf("%s is out of range", shown(token))
	}
	v.SetUint(n)
	return nil
}

func readFloat(in *input, v reflect.Value) *mismatch {
	token, m := number(in, "a number")
	if m != nil {
		return m
	}
	f, err := strconv.ParseFloat(token, v.Type().Bits())
	if err != nil {
		return mismatchf("%s is out of range", shown(token))
	}
	v.SetFloat(f)
	return nil
}

func number(in *input, want string) (string, *mismatch) {
	if c := in.peek(); c != '-' && (c < '0' || c > '9') {
		return "", wrongKind(in, want)
	}
	return string(in.value()), nil
}

// maxExact is the largest integer up to which a float64 is exact.
const maxExact = 1 << 53

// integral accepts an integer that is written with a fraction or an exponent,
// as Lua and JavaScript write large ones.
func integral(token string) (float64, *mismatch) {
	f, err := strconv.ParseFloat(token, 64)
	switch {
	case err != nil || math.Abs(f) > maxExact:
		return 0, mismatchf("%s is out of range", shown(token))
	case f != math.Trunc(f):
		return 0, mismatchf("want an integer, got %s", token)
	}
	return f, nil
}

func readRawObject(in *input, v reflect.Value) *mismatch {
	if in.peek() != '{' {
		return wrongKind(in, "an object")
	}
	v.SetBytes(append([]byte(nil), in.value()...))
	return nil
}

func readUnmarshaler(in *input, v reflect.Value) *mismatch {
	if in.peek() == 'n' {
		return wrongKind(in, "a value") // UnmarshalJSON takes null for "leave it"
	}
	if err := v.Addr().Interface().(json.Unmarshaler).UnmarshalJSON(in.value()); err != nil {
		return ofUnmarshaler(err)
	}
	return nil
}

func readAny(in *input, v reflect.Value) *mismatch {
	if err := json.Unmarshal(in.value(), v.Addr().Interface()); err != nil {
		return ofUnmarshaler(err)
	}
	return nil
}

func pointerReader(t reflect.Type) reader {
	inner := later(t.Elem())
	return func(in *input, v reflect.Value) *mismatch {
		if in.peek() == 'n' {
			in.value()
			v.SetZero()
			return nil
		}
		v.Set(reflect.New(t.Elem()))
		return inner()(in, v.Elem())
	}
}

func sliceReader(t reflect.Type) reader {
	element := later(t.Elem())
	return func(in *input, v reflect.Value) *mismatch {
		if in.peek() != '[' {
			return wrongKind(in, "an array")
		}
		v.Set(reflect.MakeSlice(t, 0, 0))
		read := element()
		for i, more := 0, in.enter(']'); more; i, more = i+1, in.more() {
			if i == v.Cap() {
				v.Grow(1)
			}
			v.SetLen(i + 1)
			if m := read(in, v.Index(i)); m != nil {
				return m.at("[" + strconv.Itoa(i) + "]")
			}
		}
		return nil
	}
}

func arrayReader(t reflect.Type) reader {
	element := later(t.Elem())
	return func(in *input, v reflect.Value) *mismatch {
		if in.peek() != '[' {
			return wrongKind(in, "an array")
		}
		i := 0
		for more := in.enter(']'); more; i, more = i+1, in.more() {
			if i == t.Len() {
				return mismatchf("want %d elements, got more", t.Len())
			}
			if m := element()(in, v.Index(i)); m != nil {
				return m.at("[" + strconv.Itoa(i) + "]")
			}
		}
		if i < t.Len() {
			return mismatchf("want %d elements, got %d", t.Len(), i)
		}
		return nil
	}
}

func mapReader(t reflect.Type) reader {
	if t.Key().Kind() != reflect.String {
		panic(fmt.Sprintf("decode: %s: the keys of a map must be strings", t))
	}
	element := later(t.Elem())
	return func(in *input, v reflect.Value) *mismatch {
		if in.peek() != '{' {
			return wrongKind(in, "an object")
		}
		v.Set(reflect.MakeMap(t))
		for more := in.enter('}'); more; more = in.more() {
			name := string(in.key())
			key := reflect.ValueOf(name).Convert(t.Key())
			if v.MapIndex(key).IsValid() {
				return mismatchf("given twice").at(memberStep(name))
			}
			item := reflect.New(t.Elem()).Elem()
			if m := element()(in, item); m != nil {
				return m.at(memberStep(name))
			}
			v.SetMapIndex(key, item)
		}
		return nil
	}
}

func structReader(t reflect.Type) reader {
	fields := shape.Fields(t)
	names := make([]string, len(fields))
	byName := make(map[string]int, len(fields))
	reads := make([]func() reader, len(fields))
	for i, f := range fields {
		names[i], byName[f.Name], reads[i] = f.Name, i, later(f.Type)
	}
	return func(in *input, v reflect.Value) *mismatch {
		if in.peek() != '{' {
			return wrongKind(in, "an object")
		}
		given := make([]bool, len(fields)) // also as null
		set := make([]bool, len(fields))
		for more := in.enter('}'); more; more = in.more() {
			key := in.key()
			i, known := byName[string(key)]
			if !known {
				return unknownMember(string(key), names)
			}
			f := &fields[i]
			if given[i] {
				return mismatchf("given twice").at(memberStep(f.Name))
			}
			given[i] = true
			if !f.Required && in.peek() == 'n' {
				in.value()
				continue
			}
			field := v.FieldByIndex(f.Index)
			m := reads[i]()(in, field)
			if m == nil {
				m = checkTags(f, field)
			}
			if m != nil {
				return m.at(memberStep(f.Name))
			}
			set[i] = true
		}
		return missingMembers(fields, set)
	}
}

func unknownMember(name string, names []string) *mismatch {
	m := mismatchf("unknown field; known are %s", quotedList(names, "and"))
	if near, ok := nearest(name, names); ok {
		m = mismatchf("unknown field; did you mean %q?", near)
	} else if len(names) == 0 {
		m = mismatchf("unknown field; none is known here")
	}
	return m.at(memberStep(name))
}

func missingMembers(fields []shape.Field, set []bool) *mismatch {
	var missing []string
	for i := range fields {
		if fields[i].Required && !set[i] {
			missing = append(missing, fields[i].Name)
		}
	}
	switch len(missing) {
	case 0:
		return nil
	case 1:
		return mismatchf("required, but missing").at(memberStep(missing[0]))
	case 2:
		return mismatchf("required, but missing; so is %q", missing[1]).at(memberStep(missing[0]))
	}
	return mismatchf("required, but missing; so are %s", quotedList(missing[1:], "and")).at(memberStep(missing[0]))
}

// checkTags holds a value, or the elements of a slice, against the field's
// enum and min tags.
func checkTags(f *shape.Field, v reflect.Value) *mismatch {
	if f.Enum == nil && f.Min == nil {
		return nil
	}
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return nil
		}
		v = v.Elem()
	}
	if v.Kind() == reflect.Slice {
		for i := range v.Len() {
			if m := checkTags(f, v.Index(i)); m != nil {
				return m.at("[" + strconv.Itoa(i) + "]")
			}
		}
		return nil
	}
	if f.Enum != nil && v.Kind() == reflect.String {
		for _, allowed := range f.Enum {
			if v.String() == allowed {
				return nil
			}
		}
		return mismatchf("want %s, got %s", quotedList(f.Enum, "or"), shown(v.String()))
	}
	if f.Min != nil && v.CanInt() && v.Int() < *f.Min {
		return mismatchf("want at least %d, got %d", *f.Min, v.Int())
	}
	return nil
}

// quotedList writes "a", "b" or "c".
func quotedList(words []string, conjunction string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = strconv.Quote(w)
	}
	last := len(quoted) - 1
	if last < 1 {
		return strings.Join(quoted, "")
	}
	return strings.Join(quoted[:last], ", ") + " " + conjunction + " " + quoted[last]
}
