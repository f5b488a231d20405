package lsp

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

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
	var text strings.Builder
	for _, message := range built.Messages {
		text.WriteString(message.Content)
	}
	sent := text.String()
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
