package history

import (
	"bytes"
	"encoding/json"
)

// The functions of this file take JSON apart without decoding it: a message keeps its bytes anyway, so all that
// parsing needs is where its fields are. They take valid JSON only; who calls them has checked it.

// field is a field of an object; from is where the value begins in the object.
type field struct {
	// key is without quotes and escapes.
	key   []byte
	value json.RawMessage
	from  int
}

// fields calls visit for every field of an object, in order.
func fields(object []byte, visit func(field)) {
	i := skipSpace(object, 0) + 1 // the brace
	for {
		i = skipSpace(object, i)
		if object[i] == '}' {
			return
		}
		if object[i] == ',' {
			i = skipSpace(object, i+1)
		}
		end := skipValue(object, i)
		key := object[i+1 : end-1]
		if bytes.IndexByte(key, '\\') >= 0 {
			key = []byte(decodeString(object[i:end]))
		}
		i = skipSpace(object, end) + 1 // the colon
		i = skipSpace(object, i)
		end = skipValue(object, i)
		visit(field{key, object[i:end:end], i})
		i = end
	}
}

// items are the values of a list.
func items(list []byte) []json.RawMessage {
	all := []json.RawMessage{}
	i := skipSpace(list, 0) + 1 // the bracket
	for {
		i = skipSpace(list, i)
		if list[i] == ']' {
			return all
		}
		if list[i] == ',' {
			i = skipSpace(list, i+1)
		}
		end := skipValue(list, i)
		all = append(all, list[i:end:end])
		i = end
	}
}

func skipSpace(raw []byte, i int) int {
	for raw[i] == ' ' || raw[i] == '\n' || raw[i] == '\t' || raw[i] == '\r' {
		i++
	}
	return i
}

// skipValue is the end of the value that begins at i.
func skipValue(raw []byte, i int) int {
	depth := 0
	for {
		switch raw[i] {
		case '"':
			i = skipString(raw, i)
		case '{', '[':
			depth++
			i++
		case '}', ']':
			depth--
			i++
		case ' ', '\n', '\t', '\r', ',', ':': // inside a list or an object
			i++
		default: // a number, true, false or null
			for i < len(raw) && bytes.IndexByte([]byte(" \n\t\r,:]}"), raw[i]) < 0 {
				i++
			}
		}
		if depth == 0 {
			return i
		}
	}
}

// skipString is the end of the string that begins at i.
func skipString(raw []byte, i int) int {
	for i++; ; i++ {
		skip := bytes.IndexAny(raw[i:], `"\`)
		i += skip
		if raw[i] == '"' {
			return i + 1
		}
		i++ // the escaped byte
	}
}
