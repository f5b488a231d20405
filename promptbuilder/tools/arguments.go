package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// decode reads arguments into a struct. Models write numbers and truths in
// quotation marks and leave fields null; both are taken as they are meant. A
// field that is not known is refused with those that are.
func decode(arguments json.RawMessage, into any) error {
	arguments = unquoted(bytes.TrimSpace(arguments))
	if len(arguments) == 0 || string(arguments) == "null" {
		return nil
	}
	var fields map[string]json.RawMessage
	decoder := json.NewDecoder(bytes.NewReader(arguments))
	if err := decoder.Decode(&fields); err != nil {
		return refuse("the arguments are no JSON object: %v", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return refuse("the arguments are more than one JSON object")
	}
	known := fieldsOf(into)
	names := make([]string, 0, len(fields))
	for name := range fields {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		field, ok := known[name]
		if !ok {
			return refuse("there is no argument %q%s; there are: %s", clip(name), meant(name, sortedNames(known)), strings.Join(sortedNames(known), ", "))
		}
		if err := set(field, fields[name]); err != nil {
			return refuse("argument %q: %v", name, err)
		}
	}
	return nil
}

// unquoted is the text of a JSON string that holds an object, which is how some
// providers hand the arguments on.
func unquoted(arguments []byte) []byte {
	var text string
	if len(arguments) > 0 && arguments[0] == '"' && json.Unmarshal(arguments, &text) == nil {
		return bytes.TrimSpace([]byte(text))
	}
	return arguments
}

// fieldsOf are the fields of a struct by their names in JSON.
func fieldsOf(into any) map[string]reflect.Value {
	known := map[string]reflect.Value{}
	value := reflect.ValueOf(into).Elem()
	for i := range value.NumField() {
		known[value.Type().Field(i).Tag.Get("json")] = value.Field(i)
	}
	return known
}

func sortedNames(known map[string]reflect.Value) []string {
	names := make([]string, 0, len(known))
	for name := range known {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// set gives a field the value of an argument.
func set(field reflect.Value, raw json.RawMessage) error {
	if string(raw) == "null" {
		return nil
	}
	var text string
	quoted := json.Unmarshal(raw, &text) == nil
	switch field.Kind() {
	case reflect.String:
		if !quoted {
			return errors.New("want a text")
		}
		field.SetString(text)
	case reflect.Int:
		if !quoted {
			text = string(raw)
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || n != float64(int32(n)) {
			return errors.New("want a whole number")
		}
		field.SetInt(int64(n))
	case reflect.Bool:
		if !quoted {
			text = string(raw)
		}
		truth, err := strconv.ParseBool(strings.ToLower(strings.TrimSpace(text)))
		if err != nil {
			return errors.New("want true or false")
		}
		field.SetBool(truth)
	}
	return nil
}
