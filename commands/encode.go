package commands

import (
	"bytes"
	"encoding/json"
)

// Encode writes the result of a command as JSON, without the escapes that are
// for HTML. The body of a turn is taken as it is: it is JSON already, nearly all
// of the result, and reading it once more to check it takes longer than to
// prepare the turn.
func Encode(result any) ([]byte, error) {
	turn, ok := result.(*PrepareTurnResult)
	if !ok || turn == nil {
		return encodeJSON(result)
	}
	// The field stands before all whose keys are not our own, and no string holds
	// these bytes, since a quote in one is escaped.
	const field, none = `"body":`, `null`
	rest := *turn
	rest.Body = RawObject(none)
	raw, err := encodeJSON(&rest)
	if err != nil {
		return nil, err
	}
	before, after, found := bytes.Cut(raw, []byte(field+none))
	if !found || len(turn.Body) == 0 {
		return encodeJSON(result)
	}
	whole := make([]byte, 0, len(raw)+len(turn.Body))
	return append(append(append(append(whole, before...), field...), turn.Body...), after...), nil
}

func encodeJSON(value any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}
