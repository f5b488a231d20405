package commands

import (
	"strings"
	"testing"
)

// What a request attaches and what a message names is read by one rule
// (docs/context.md), and told in the same words; the user's word in attachments
// lets secret, ignored and excluded files through, a message does not.
func TestAttachmentsAndFilesOfMessagesFollowOneRule(t *testing.T) {
	r := newRepo(t, map[string]string{
		".gitignore": "ignored.txt\n", "ignored.txt": "IGNORED", ".env": "K=SECRET", "gen/out.txt": "GENERATED", "plain.txt": "PLAIN", "dir/x": "",
		"data.bin": "\x00\x01", "link.txt": "->plain.txt", "secret.txt": "->.env", "~/out.txt": "OUTSIDE", "foreword.toml": "exclude = [\"gen/\"]\n",
	})
	r.write("leads.txt", "->"+r.path("~/out.txt"))
	s := r.open()
	for name, c := range map[string]struct {
		text string // that is sent
		// attached and named are why it is not sent: as an attachment, by a message.
		attached, named string
	}{
		"plain.txt":   {text: "PLAIN"},
		"link.txt":    {text: "PLAIN"},
		"missing.txt": {attached: "there is no such file", named: "there is no such file"},
		"dir":         {attached: "it is a directory", named: "it is a directory"},
		"data.bin":    {attached: "it holds NUL bytes", named: "it holds NUL bytes"},
		"leads.txt":   {attached: "which is outside", named: "which is outside"},
		"secret.txt":  {attached: "it is a link to", named: "leads to .env: environment file"},
		".env":        {text: "SECRET", named: "environment file (.env)"},
		"ignored.txt": {text: "IGNORED", named: "ignored by git"},
		"gen/out.txt": {text: "GENERATED", named: "excluded by the pattern"},
	} {
		user := map[string]any{"id": "u", "role": "user", "content": "look"}
		byRequest := map[string]any{"wire": "text", "attachments": []string{r.uri(name)}, "messages": []any{user}}
		byMessage := map[string]any{"wire": "text", "messages": []any{map[string]any{"id": "u", "role": "user", "content": "look", "files": []string{name}}}}
		for how, params := range map[string]map[string]any{"attachments": byRequest, "files": byMessage} {
			why := c.attached
			if how == "files" {
				why = c.named
			}
			got := run[PrepareTurnResult](t, s, "foreword.turn.prepare", params)
			body := string(got.Body)
			var warning Warning
			for _, w := range got.Warnings {
				if w.Code == "attachment-left-out" {
					warning = w
				}
			}
			if why == "" {
				if !strings.Contains(body, c.text) || warning.Code != "" {
					t.Errorf("%s in %s: is not sent: %+v", name, how, warning)
				}
				continue
			}
			if c.text != "" && strings.Contains(body, c.text) || strings.Contains(body, "OUTSIDE") || strings.Contains(body, "SECRET") && how == "files" {
				t.Errorf("%s in %s: is sent", name, how)
			}
			if warning.URI != r.uri(name) || !strings.HasPrefix(warning.Message, name+" is not embedded: ") || !strings.Contains(warning.Message, why) {
				t.Errorf("%s in %s: want %q, got %+v", name, how, why, warning)
			}
			if strings.Contains(warning.Message, "cannot read") || how == "attachments" && !contains(got.NotApplied, "core/attachments", why) {
				t.Errorf("%s in %s: %+v, not applied %+v", name, how, warning, got.NotApplied)
			}
		}
	}
}

func contains(list []NotApplied, key, why string) bool {
	for _, n := range list {
		if n.Key == key && strings.Contains(n.Why, why) {
			return true
		}
	}
	return false
}
