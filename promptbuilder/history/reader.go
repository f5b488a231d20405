package history

import (
	"bytes"
	"encoding/json"
)

// reader decodes single JSON values and keeps the first error, so that a list of fields reads as a list.
type reader struct{ err error }

func (r *reader) fail(path, format string, arguments ...any) {
	if r.err == nil {
		r.err = problem(path, format, arguments...)
	}
}

func (r *reader) decode(raw json.RawMessage, path, want string, into any) {
	if !present(raw) {
		return
	}
	if got := kindOf(raw); got != want {
		r.fail(path, "%s is needed, not %s", withArticle(want), withArticle(got))
		return
	}
	if err := json.Unmarshal(raw, into); err != nil {
		r.fail(path, "%s is needed: %v", withArticle(want), err)
	}
}

func (r *reader) text(raw json.RawMessage, path string) (text string) {
	r.decode(raw, path, "string", &text)
	return text
}

func (r *reader) flag(raw json.RawMessage, path string) (flag bool) {
	r.decode(raw, path, "boolean", &flag)
	return flag
}

func (r *reader) number(raw json.RawMessage, path string) (number int) {
	r.decode(raw, path, "number", &number)
	return number
}

func (r *reader) texts(raw json.RawMessage, path string) (texts []string) {
	r.decode(raw, path, "list", &texts)
	return texts
}

// arguments of a call are an object, or a string that holds one (OpenAI's way).
func (r *reader) arguments(raw json.RawMessage, path string) string {
	switch kindOf(raw) {
	case "object":
		return string(raw)
	case "string":
		return r.text(raw, path)
	case "nothing", "null":
		return ""
	}
	r.fail(path, "an object or a string with JSON is needed, not %s", withArticle(kindOf(raw)))
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
