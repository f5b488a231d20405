package commands

import (
	"context"
	"fmt"
	"strings"

	"foreword/promptbuilder/sources"
)

// PreviewPromptParams is [BuildPromptParams] and how to show the answer.
type PreviewPromptParams struct {
	BuildPromptParams
	// Show asks the server to open the document in the client (language server only).
	Show bool `json:"show,omitempty"`
}

// PreviewPromptResult is a prompt as a document to read.
type PreviewPromptResult struct {
	Head
	// URI under which the language server serves the same bytes.
	URI string `json:"uri"`
	// Markdown is the document.
	Markdown string `json:"markdown"`
}

// PreviewPrompt renders the prompt of the same parameters as a document.
func (s *Service) PreviewPrompt(ctx context.Context, params PreviewPromptParams) (*PreviewPromptResult, error) {
	b, err := s.build(previewing(ctx), s.snapshot(ctx), params.BuildPromptParams)
	if err != nil {
		return nil, err
	}
	r := &PreviewPromptResult{Head: head(), URI: documentURI(previewScheme, b.place.target, ".prompt.md", params.BuildPromptParams)}
	r.Warnings = append(r.Warnings, b.warnings...)
	r.Markdown = b.markdown()
	return r, nil
}

// markdown writes the prompt for a reader: an account, then every section
// under a heading of its own with its text unchanged.
func (b *built) markdown() string {
	result := b.result()
	var out strings.Builder
	target := "no file"
	if b.place.target != "" {
		target = b.place.display(b.snapshot, b.place.target)
		if target == "." {
			target = b.place.root
		}
	}
	fmt.Fprintf(&out, "# Prompt for %s\n\n", inlineCode(target))
	b.writeAccount(&out, result)
	for i, section := range result.Sections {
		if i == result.Boundary.Section {
			fmt.Fprintf(&out, "---\n\n**Cache boundary.** The %s above it stay the same within a session; what follows may change with every turn.\n\n", count(result.Boundary.Tokens, "token"))
		}
		b.writeSection(&out, section)
	}
	writeUpdates(&out, result.Updates)
	writeNotApplied(&out, result.NotApplied)
	writeWarnings(&out, result.Warnings)
	return strings.TrimRight(out.String(), "\n") + "\n"
}

func (b *built) writeAccount(out *strings.Builder, r *BuildPromptResult) {
	model := b.input.Model.ID
	if model == "" {
		model = "not named"
	}
	fmt.Fprintf(out, "%s in %s, %s by %s. Model %s; window %d (%s), %d kept for the answer, %d free.\n\n",
		count(r.Tokens.Total, "token"), count(len(r.Sections), "section"), r.Tokens.Counter, r.Tokens.Encoding,
		model, r.Tokens.Window, r.Tokens.WindowSource, r.Tokens.Reserve, r.Tokens.Free)
	out.WriteString("| section | layer | tokens | why |\n|---|---|--:|---|\n")
	for _, s := range r.Sections {
		fmt.Fprintf(out, "| %s | %s | %d | %s |\n", tableCell(s.Key), s.Layer, s.Tokens, tableCell(s.Why))
	}
	out.WriteString("\n")
}

func (b *built) writeSection(out *strings.Builder, s Section) {
	fmt.Fprintf(out, "## %s (%s, %s)\n\n", headingText(s.Title), s.Layer, count(s.Tokens, "token"))
	fmt.Fprintf(out, "%s: %s.", inlineCode(s.Key), escapeMarkdown(s.Why))
	if files := b.originList(s.Origins); files != "" {
		out.WriteString(" From " + files + ".")
	}
	out.WriteString("\n\n" + sources.Fence("text", s.Text) + "\n\n")
}

func (b *built) originList(origins []Origin) string {
	var files []string
	for _, o := range origins {
		if o.Range == nil {
			continue
		}
		name := b.place.display(b.snapshot, uriPath(o.URI))
		file := fmt.Sprintf("[%s](%s) lines %d to %d", escapeMarkdown(name), o.URI, o.Range.Start.Line+1, o.Range.End.Line)
		if o.Dirty {
			file += " (not saved)"
		}
		files = append(files, file)
	}
	return strings.Join(files, ", ")
}

// writeUpdates writes what a session's next turn says after the history.
func writeUpdates(out *strings.Builder, updates []Update) {
	if len(updates) == 0 {
		return
	}
	out.WriteString("---\n\n**The history stands here.** What changed since this was said follows it, so that what stands above stays as it is.\n\n")
	for _, u := range updates {
		fmt.Fprintf(out, "## %s (%s, %s)\n\n", headingText(u.Key), u.Kind, count(u.Tokens, "token"))
		if u.Why != "" {
			out.WriteString(escapeMarkdown(u.Why) + ".\n\n")
		}
		out.WriteString(sources.Fence("text", u.Text) + "\n\n")
	}
}

func writeNotApplied(out *strings.Builder, left []NotApplied) {
	if len(left) == 0 {
		return
	}
	out.WriteString("## Left out\n\n| what | state | why |\n|---|---|---|\n")
	for _, n := range left {
		fmt.Fprintf(out, "| %s | %s | %s |\n", tableCell(n.Key), n.State, tableCell(n.Why))
	}
	out.WriteString("\n")
}

func writeWarnings(out *strings.Builder, warnings []Warning) {
	if len(warnings) == 0 {
		return
	}
	out.WriteString("## Warnings\n\n")
	for _, w := range warnings {
		fmt.Fprintf(out, "- %s\n", escapeMarkdown(w.Message))
	}
	out.WriteString("\n")
}
