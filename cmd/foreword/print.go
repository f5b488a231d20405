package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode"

	"go.lsp.dev/uri"

	"foreword/commands"
)

// printJSON prints one object on standard output, as it would go over the wire.
func (p *program) printJSON(v any) {
	encoder := json.NewEncoder(p.stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(v); err != nil {
		fmt.Fprintln(p.stderr, "foreword: cannot write the answer:", err)
		p.code = exitFailed
	}
}

// warn prints warnings on standard error, where they disturb no pipe.
func (p *program) warn(warnings []commands.Warning) {
	for _, w := range warnings {
		place := ""
		if w.URI != "" {
			place = uri.URI(w.URI).FsPath()
			if w.Range != nil {
				place = fmt.Sprintf("%s:%d", place, w.Range.Start.Line+1)
			}
			place += ": "
		}
		fmt.Fprintf(p.stderr, "foreword: warning: %s%s\n", place, w.Message)
	}
}

// printf prints for people. What is told may come from anywhere, so nothing of it
// moves the cursor or the title of a terminal; --json gives it as it is.
func (p *program) printf(format string, args ...any) {
	fmt.Fprint(p.stdout, strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && unicode.IsControl(r) {
			return '?'
		}
		return r
	}, fmt.Sprintf(format, args...)))
}

// table prints rows in columns.
func table(w io.Writer, rows [][]string) {
	columns := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = strings.Map(func(r rune) rune {
				if unicode.IsControl(r) {
					return '?'
				}
				return r
			}, cell)
		}
		fmt.Fprintln(columns, strings.Join(cells, "\t"))
	}
	_ = columns.Flush() // the writer below reports its own errors
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// isCobraUsage tells wrong calls that cobra itself finds apart from failed
// work; cobra has no type for them.
func isCobraUsage(err error) bool {
	text := err.Error()
	for _, prefix := range []string{"unknown command", "unknown flag", "unknown shorthand", "accepts ", "requires ", "required flag", "invalid argument"} {
		if strings.HasPrefix(text, prefix) {
			return true
		}
	}
	return false
}
