package main

import (
	"bytes"
	_ "embed"
	"strings"
	"text/template"

	"foreword/workspace/instructions/lint"
)

// diagnosticsText is the prose of docs/diagnostics.md.
//
//go:embed diagnostics.md
var diagnosticsText string

// writeDiagnostics makes docs/diagnostics.md.
func writeDiagnostics(rules []lint.Rule, signs []lint.Sign) ([]byte, error) {
	type sign struct{ Tool, Paths string }
	page := struct {
		Header string
		Rules  []lint.Rule
		Signs  []sign
	}{Header: header, Rules: onePerCode(rules)}
	for _, s := range signs {
		page.Signs = append(page.Signs, sign{s.Tool, "`" + strings.Join(s.Paths, "`, `") + "`"})
	}
	t, err := template.New("diagnostics.md").Funcs(template.FuncMap{"plain": mdPlain}).Parse(diagnosticsText)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, page); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// onePerCode leaves out the milder halves of rules that share a code.
func onePerCode(rules []lint.Rule) []lint.Rule {
	var out []lint.Rule
	for _, r := range rules {
		switch n := len(out); {
		case n > 0 && out[n-1].Code == r.Code && out[n-1].Severity >= r.Severity:
		case n > 0 && out[n-1].Code == r.Code:
			out[n-1] = r
		default:
			out = append(out, r)
		}
	}
	return out
}

// mdPlain keeps the stars of patterns from being taken for emphasis.
func mdPlain(text string) string { return strings.NewReplacer("*", `\*`, "_", `\_`).Replace(text) }
