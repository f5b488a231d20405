package commands

import (
	"encoding/json"
	"testing"
)

// The JSON of a turn is that of the encoder, whatever it says.
func TestEncodeTurn(t *testing.T) {
	r := newRepo(t, map[string]string{"AGENTS.md": "Say \"body\":null, <b> & more.\n", "main.go": "package main\n"})
	s := r.open()
	real := turn(t, s, map[string]any{"uri": r.uri("main.go"), "model": "m", "messages": []message{user("u", `what of "body":null, <b> & "body": null?`)}})
	for name, result := range map[string]*PrepareTurnResult{
		"a turn":   real,
		"nothing":  {},
		"warnings": {Head: Head{Warnings: []Warning{{Code: "body", Message: `"body":null`, URI: `"body":null`}}}, Body: RawObject(`{"body":null}`)},
	} {
		want, err := encodeJSON(result)
		must(t, err)
		got, err := Encode(result)
		must(t, err)
		if string(got) != string(want) {
			t.Errorf("%s:\n%s\nthe encoder writes\n%s", name, got, want)
		}
		if !json.Valid(got) {
			t.Errorf("%s is not JSON: %s", name, got)
		}
	}
	if got, err := Encode(map[string]string{"a": "<b>"}); err != nil || string(got) != `{"a":"<b>"}` {
		t.Errorf("%s, %v", got, err)
	}
}
