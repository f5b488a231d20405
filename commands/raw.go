package commands

import (
	"bytes"
	"encoding/json"
	"errors"
)

// RawObject is a JSON object that passes through as it came.
type RawObject = json.RawMessage

// ToolArguments are the arguments of a call as a model wrote them: a JSON object,
// or the text of one, as some providers hand it on.
type ToolArguments struct{ Raw json.RawMessage }

// UnmarshalJSON takes an object or a text.
func (a *ToolArguments) UnmarshalJSON(raw []byte) error {
	if raw = bytes.TrimSpace(raw); len(raw) > 0 && raw[0] != '{' && raw[0] != '"' && string(raw) != "null" {
		return errors.New("want an object, or a string that holds one")
	}
	a.Raw = bytes.Clone(raw)
	return nil
}

// MarshalJSON writes what came.
func (a ToolArguments) MarshalJSON() ([]byte, error) {
	if a.Raw == nil {
		return []byte("null"), nil
	}
	return a.Raw, nil
}
