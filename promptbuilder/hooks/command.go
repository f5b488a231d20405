package hooks

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"foreword/workspace/process"
)

// RawContent is the content of a message as JSON.
type RawContent = json.RawMessage

// MaxAnswer is how many bytes a program may answer with: some forty times the text that a prompt can hold of it.
const MaxAnswer = 16 << 20

// Command is the hook that is a program: it reads an [Input] and prints an [Output]. Start runs it; it decides
// whether it may run at all, and keeps the time.
func Command(about About, start func(ctx context.Context, stdin []byte) (process.Result, error)) Hook {
	return command{about, start}
}

type command struct {
	about About
	start func(context.Context, []byte) (process.Result, error)
}

func (c command) About() About { return c.about }

func (c command) Call(ctx context.Context, in Input) (Output, error) {
	stdin, err := encode(in)
	if err != nil {
		return Output{}, err
	}
	result, err := c.start(ctx, stdin)
	if err != nil {
		return Output{}, err
	}
	if result.ExitCode != 0 {
		if complaint := result.Complaint(200); complaint != "" {
			return Output{}, fmt.Errorf("%s: %s", result.State, complaint)
		}
		return Output{}, errors.New(result.State)
	}
	if result.Cut() {
		return Output{}, fmt.Errorf("its answer has %d bytes and may have %d", result.StdoutBytes, MaxAnswer)
	}
	return Parse(result.Stdout)
}

// encode writes JSON without the escapes that are for HTML: prompts are full of < and >.
func encode(in Input) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(in)
	return out.Bytes(), err
}

// Parse reads an answer. White space alone is the answer that changes nothing; a field that no answer has is an
// error, since a misspelt one would be missed without a word.
func Parse(answer []byte) (Output, error) {
	answer = bytes.TrimPrefix(answer, []byte("\ufeff"))
	if len(bytes.TrimSpace(answer)) == 0 {
		return Output{}, nil
	}
	decoder := json.NewDecoder(bytes.NewReader(answer))
	decoder.DisallowUnknownFields()
	var out Output
	if err := decoder.Decode(&out); err != nil {
		return Output{}, fmt.Errorf("its answer is not the JSON that a hook answers with: %s; it begins with %.60q", strings.TrimPrefix(err.Error(), "json: "), answer[:min(len(answer), 60)])
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return Output{}, errors.New("its answer goes on after the JSON object; print one object and nothing else")
	}
	return out, nil
}
