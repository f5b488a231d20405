package commands

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"foreword/promptbuilder/history"
)

// Decode reads one JSON object into the parameter struct that into points to,
// and refuses what the contract does not allow: unknown and repeated members,
// wrong types, missing required members, strings outside an enum, numbers
// below a minimum, data after the object. A failure is an [*Error] with
// [CodeInvalidParams] whose message begins with the path of the offending
// value; what into points to is then partly filled and must not be used.
//
// Absent parameters and null stand for {}, and null for an optional member
// stands for its absence, because some clients cannot leave a member out.
// Names are compared exactly. A number such as 1.0 or 1e3 is an integer.
func Decode(raw json.RawMessage, into any) error {
	target := reflect.ValueOf(into)
	if target.Kind() != reflect.Pointer || target.IsNil() {
		return failf(CodeFailed, "decode: want a pointer to a struct, got %T", into)
	}
	raw = bytes.TrimPrefix(raw, []byte("\ufeff")) // some editors begin a file with it
	text := bytes.TrimLeft(raw, " \t\r\n")
	if len(text) == 0 || string(bytes.TrimRight(text, " \t\r\n")) == "null" {
		text = []byte("{}")
	}
	// The reader below relies on well-formed input. The check also bounds the
	// nesting: encoding/json gives up at 10,000 levels.
	if !json.Valid(text) {
		return syntaxError(raw)
	}
	if m := readerOf(target.Type().Elem())(&input{data: text}, target.Elem()); m != nil {
		return failf(CodeInvalidParams, "%s", m)
	}
	return nil
}

// syntaxError says where the text stops being JSON, as line and column from 1.
func syntaxError(raw []byte) error {
	var ignored any
	err := json.Unmarshal(raw, &ignored)
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return failf(CodeInvalidParams, "parameters: not valid JSON: %w", err)
	}
	// Offset counts the bytes read, the offending one included.
	before := raw[:max(0, min(int(syntax.Offset), len(raw))-1)]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := len(before) - bytes.LastIndexByte(before, '\n')
	what := "not valid JSON: " + syntax.Error()
	if strings.HasSuffix(syntax.Error(), "after top-level value") {
		what = "unexpected data after the JSON object"
	}
	return &Error{
		Code: CodeInvalidParams, Err: syntax,
		Message: fmt.Sprintf("parameters: %s (line %d, column %d)", what, line, column),
	}
}

// mismatch is a value that the contract does not allow.
type mismatch struct {
	path    string // of the value, each step with its own "." or "[": ".messages[3].role"
	message string // what is wanted and what came
}

func mismatchf(format string, args ...any) *mismatch {
	return &mismatch{message: fmt.Sprintf(format, args...)}
}

// at puts a step before the path, on the way out of a nested value.
func (m *mismatch) at(step string) *mismatch {
	m.path = step + m.path
	return m
}

func (m *mismatch) String() string {
	if m.path == "" {
		return "parameters: " + m.message
	}
	return strings.TrimPrefix(m.path, ".") + ": " + m.message
}

var plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

// memberStep is the step of a path into the member of an object.
func memberStep(name string) string {
	if plainName.MatchString(name) && len(name) <= maxShown {
		return "." + name
	}
	return "[" + shown(name) + "]"
}

// maxShown bounds what an error repeats of the client's own text, in bytes.
const maxShown = 60

// shown quotes a text of the client's, cut where it is long.
func shown(text string) string {
	if len(text) > maxShown {
		text = strings.ToValidUTF8(text[:maxShown], "") + "…"
	}
	return fmt.Sprintf("%q", text)
}

// ofUnmarshaler turns the error of a type's own UnmarshalJSON into a mismatch
// of the value, with the path inside of it where the error tells one.
func ofUnmarshaler(err error) *mismatch {
	var message *history.ParseError
	if errors.As(err, &message) { // its path begins with the word message
		return &mismatch{path: strings.TrimPrefix(message.Path, "message"), message: message.Problem}
	}
	var wrongType *json.UnmarshalTypeError
	if errors.As(err, &wrongType) {
		m := mismatchf("want %s, got %s", wanted(wrongType.Type), withArticle(wrongType.Value))
		if wrongType.Field != "" {
			m.path = "." + wrongType.Field
		}
		return m
	}
	return &mismatch{message: err.Error()}
}

// wanted says which JSON value a Go type is read from.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return wanted(t.Elem())
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "a boolean"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "an integer"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Slice, reflect.Array:
		return "an array"
	}
	return "an object"
}

// withArticle reads the words of json.UnmarshalTypeError, such as "number 1.5".
func withArticle(value string) string {
	kind, _, _ := strings.Cut(value, " ")
	switch kind {
	case "null":
		return "null"
	case "bool":
		return "a boolean"
	case "array", "object":
		return "an " + kind
	}
	return "a " + value
}
