package history

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// reader decodes single JSON values and keeps the first error, so that a list of fields reads as a list.
type reader struct {
	// path of the object that is read; the methods take what comes after it, so that a path is put together only
	// when something is wrong.
	path string
	err  error
}

func (r *reader) fail(at, format string, arguments ...any) {
	if r.err == nil {
		r.err = problem(r.path+at, format, arguments...)
	}
}

func (r *reader) decode(raw json.RawMessage, at, want string, into any) {
	if !present(raw) {
		return
	}
	if got := kindOf(raw); got != want {
		r.fail(at, "%s is needed, not %s", withArticle(want), withArticle(got))
		return
	}
	if err := json.Unmarshal(raw, into); err != nil {
		r.fail(at, "%s is needed: %v", withArticle(want), err)
	}
}

func (r *reader) text(raw json.RawMessage, at string) string {
	if !present(raw) {
		return ""
	}
	if got := kindOf(raw); got != "string" {
		r.fail(at, "a string is needed, not %s", withArticle(got))
		return ""
	}
	return decodeString(raw)
}

// decodeString is the text of a JSON string. Most have nothing to decode.
func decodeString(raw []byte) string {
	if bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw) {
		return string(raw[1 : len(raw)-1])
	}
	var text string
	if err := json.Unmarshal(raw, &text); err != nil { // only valid JSON comes here
		panic(err)
	}
	return text
}

func (r *reader) flag(raw json.RawMessage, at string) (flag bool) {
	r.decode(raw, at, "boolean", &flag)
	return flag
}

func (r *reader) number(raw json.RawMessage, at string) (number int) {
	r.decode(raw, at, "number", &number)
	return number
}

func (r *reader) texts(raw json.RawMessage, at string) (texts []string) {
	r.decode(raw, at, "list", &texts)
	return texts
}

// arguments of a call are an object, or a string that holds one (OpenAI's way).
func (r *reader) arguments(raw json.RawMessage, at string) string {
	switch kindOf(raw) {
	case "object":
		return string(raw)
	case "string":
		return r.text(raw, at)
	case "nothing", "null":
		return ""
	}
	r.fail(at, "an object or a string with JSON is needed, not %s", withArticle(kindOf(raw)))
	return ""
}

// present says whether a field was given and is not null.
func present(raw json.RawMessage) bool { return len(raw) > 0 && !bytes.Equal(raw, []byte("null")) }

// kindOf names the kind of a JSON value in the words of our errors.
func kindOf(raw json.RawMessage) string {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	if len(raw) == 0 {
		return "nothing"
	}
	switch raw[0] {
	case '{':
		return "object"
	case '[':
		return "list"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

func withArticle(kind string) string {
	switch kind {
	case "object":
		return "an object"
	case "null", "nothing":
		return kind
	}
	return "a " + kind
}
