package commands

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// input is a JSON text that is known to be well-formed, and a place in it. Its
// methods check nothing that the grammar guarantees.
type input struct {
	data []byte
	pos  int // of the next byte to read
}

// peek skips white space and gives the byte with which the next token begins.
func (in *input) peek() byte {
	for {
		switch c := in.data[in.pos]; c {
		case ' ', '\t', '\r', '\n':
			in.pos++
		default:
			return c
		}
	}
}

// enter steps into the object or array that begins here, and reports whether
// it has anything in it; where it has not, the input stands behind it.
func (in *input) enter(end byte) bool {
	in.pos++
	if in.peek() == end {
		in.pos++
		return false
	}
	return true
}

// more steps over the comma behind a member, or over the end of the object or
// array, and reports which it was.
func (in *input) more() bool {
	comma := in.peek() == ','
	in.pos++
	return comma
}

// key reads a member's name and the colon. The result is valid until the next call.
func (in *input) key() []byte {
	in.peek()
	quoted := in.stringToken()
	in.peek()
	in.pos++ // the colon
	if inner := quoted[1 : len(quoted)-1]; isPlain(inner) {
		return inner
	}
	return []byte(unquote(quoted))
}

// stringToken takes the string that begins here, quotes included.
func (in *input) stringToken() []byte {
	start := in.pos
	in.pos++
	for {
		in.pos += bytes.IndexByte(in.data[in.pos:], '"') + 1
		slashes := 0
		for in.data[in.pos-2-slashes] == '\\' {
			slashes++ // stops at the opening quote at the latest
		}
		if slashes%2 == 0 {
			return in.data[start:in.pos]
		}
	}
}

// value takes the value that begins here, whatever it is.
func (in *input) value() []byte {
	first := in.peek()
	start := in.pos
	switch first {
	case '"':
		return in.stringToken()
	case '{', '[':
		for depth := 0; ; {
			switch in.data[in.pos] {
			case '"':
				in.stringToken()
				continue
			case '{', '[':
				depth++
			case '}', ']':
				depth--
			}
			in.pos++
			if depth == 0 {
				return in.data[start:in.pos]
			}
		}
	}
	for in.pos < len(in.data) {
		switch in.data[in.pos] {
		case ',', '}', ']', ' ', '\t', '\r', '\n':
			return in.data[start:in.pos]
		}
		in.pos++
	}
	return in.data[start:in.pos]
}

// kind names the value that begins here, for a person.
func (in *input) kind() string {
	switch in.peek() {
	case '"':
		return "a string"
	case '{':
		return "an object"
	case '[':
		return "an array"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// isPlain tells that a string's inside stands for itself.
func isPlain(inner []byte) bool {
	return bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner)
}

// unquote gives the text of a string token; invalid UTF-8 and lone surrogates
// become U+FFFD, as in encoding/json.
func unquote(quoted []byte) string {
	inner := quoted[1 : len(quoted)-1]
	if isPlain(inner) {
		return string(inner)
	}
	var text string
	if err := json.Unmarshal(quoted, &text); err != nil {
		return string(inner) // cannot happen: the token is well-formed
	}
	return text
}
