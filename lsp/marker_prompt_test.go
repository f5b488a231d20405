package lsp

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"

	"foreword/commands"
)

func contextForCancel() (context.Context, context.CancelFunc) {
	return context.WithCancel(context.Background())
}

// sums builds a prompt and checks its account: the sections' tokens make up the
// total within what joining them costs, their ranges are the bytes that are
// sent, the fingerprint is of those bytes, and a preview shows each section's
// bytes unchanged.
func (r *run) sums(a args) error {
	raw, err := r.execute("foreword.prompt.build", a.text(0))
	if err != nil {
		return err
	}
	var built commands.BuildPromptResult
	if err := json.Unmarshal(raw, &built); err != nil {
		return err
	}
	var parts []string
	for _, message := range built.Messages {
		parts = append(parts, message.Content)
	}
	sent := strings.Join(parts, "\n\n")
	sum := 0
	for _, section := range built.Sections {
		sum += section.Tokens
		if got := sent[section.Range[0]:section.Range[1]]; got != section.Text {
			return fmt.Errorf("section %s: range %v holds %q, not its text", section.Key, section.Range, clip(got))
		}
	}
	// Sections are joined by blank lines, a token or two each.
	if joints := 2 * len(built.Sections); built.Tokens.Total < sum-joints || built.Tokens.Total > sum+joints {
		return fmt.Errorf("total is %d tokens, the sections have %d", built.Tokens.Total, sum)
	}
	if hash := sha256.Sum256([]byte(sent)); hex.EncodeToString(hash[:]) != built.Fingerprint.Full {
		return fmt.Errorf("fingerprint %s is not of the bytes that are sent", built.Fingerprint.Full)
	}
	raw, err = r.execute("foreword.prompt.preview", a.text(0))
	if err != nil {
		return err
	}
	var preview commands.PreviewPromptResult
	if err := json.Unmarshal(raw, &preview); err != nil {
		return err
	}
	for _, section := range built.Sections {
		if !strings.Contains(preview.Markdown, section.Text) {
			return fmt.Errorf("the preview does not show section %s as it is sent", section.Key)
		}
	}
	raw = r.editor.must("workspace/textDocumentContent", object{"uri": preview.URI})
	var served struct{ Text string }
	if err := json.Unmarshal(raw, &served); err != nil {
		return err
	}
	if served.Text != preview.Markdown {
		return fmt.Errorf("the document at %s is not the preview", preview.URI)
	}
	return nil
}

var toldFile = regexp.MustCompile(`(?s)<instructions path="([^"]*)"[^>]*>\n(.*?)</instructions>`)

// told asks what the model is told of instruction files for a file, and keeps
// of the answer each file's path, whether its text is unsaved, and the text.
func (r *run) told(a args) error {
	raw, err := r.execute("foreword.instructions.explain", fmt.Sprintf(`{"uri":%q}`, r.uri(a.text(0))))
	if err != nil {
		return err
	}
	var explained commands.ExplainInstructionsResult
	if err := json.Unmarshal(raw, &explained); err != nil {
		return err
	}
	var out strings.Builder
	for i, file := range toldFile.FindAllStringSubmatch(explained.Text, -1) {
		fmt.Fprintf(&out, "%s (dirty %v)\n", file[1], explained.Entries[i].Dirty)
		for line := range strings.Lines(file[2]) {
			fmt.Fprintf(&out, "\t%q\n", line)
		}
	}
	return r.compare(a.text(1), out.String())
}

// impossible prepares a turn that cannot fit and checks that the error names
// the parts, the largest first.
func (r *run) impossible(a args) error {
	_, err := r.execute("foreword.turn.prepare", a.text(0))
	var wire *jsonrpc2.Error
	if !errors.As(err, &wire) {
		return fmt.Errorf("the answer is no error but %v", err)
	}
	var data struct {
		Code   string
		Detail struct{ Largest []struct{ Tokens int } }
	}
	if err := json.Unmarshal(wire.Data, &data); err != nil {
		return err
	}
	if wire.Code != -32803 || data.Code != "budget_impossible" {
		return fmt.Errorf("error %d with code %q, want -32803 with budget_impossible: %w", wire.Code, data.Code, err)
	}
	parts := data.Detail.Largest
	if len(parts) < 2 || !slices.IsSortedFunc(parts, func(a, b struct{ Tokens int }) int { return b.Tokens - a.Tokens }) {
		return fmt.Errorf("parts are not listed from the largest: %s", wire.Data)
	}
	return nil
}

// absent checks that a text stands nowhere in the answer to a build.
func (r *run) absent(a args) error {
	raw, err := r.execute("foreword.prompt.build", a.text(0))
	if err == nil && strings.Contains(string(raw), a.text(1)) {
		err = fmt.Errorf("the prompt holds %q", a.text(1))
	}
	return err
}

func (r *run) present(a args) error {
	raw, err := r.execute("foreword.prompt.build", a.text(0))
	if err == nil && !strings.Contains(string(raw), a.text(1)) {
		err = fmt.Errorf("the prompt does not hold %q", a.text(1))
	}
	return err
}
