package commands

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"path/filepath"
	"strings"

	"go.lsp.dev/uri"
)

// The schemes of the documents that the language server serves. The whole
// question stands in the query, so that a document can be made again from
// nothing but its URI, also after a restart.
const (
	previewScheme = "foreword-preview"
	explainScheme = "foreword-explain"
)

// Schemes lists the schemes of virtual documents, for clients to register.
func Schemes() []string { return []string{previewScheme, explainScheme} }

// Document is the present text of a virtual document.
func (s *Service) Document(ctx context.Context, document string) (string, error) {
	u, err := uri.Parse(document)
	if err != nil {
		return "", failf(CodeInvalidParams, "uri: %q is not a URI", document)
	}
	raw, err := base64.RawURLEncoding.DecodeString(u.Query())
	if err != nil {
		return "", failf(CodeInvalidParams, "uri: the query of %q is not one that foreword made", document)
	}
	switch u.Scheme() {
	case previewScheme:
		var params BuildPromptParams
		if err := Decode(raw, &params); err != nil {
			return "", err
		}
		r, err := s.PreviewPrompt(ctx, PreviewPromptParams{BuildPromptParams: params})
		if err != nil {
			return "", err
		}
		return r.Markdown, nil
	case explainScheme:
		var params ExplainInstructionsParams
		if err := Decode(raw, &params); err != nil {
			return "", err
		}
		r, err := s.ExplainInstructions(ctx, params)
		if err != nil {
			return "", err
		}
		return r.Markdown, nil
	}
	return "", failf(CodeInvalidParams, "uri: scheme %q is not served; the schemes are %s", u.Scheme(), strings.Join(Schemes(), ", "))
}

// documentURI names a virtual document after its target, with the question in
// the query.
func documentURI(scheme, target, suffix string, params any) string {
	name := filepath.ToSlash(target)
	if name == "" {
		name = "/workspace"
	}
	if !strings.HasPrefix(name, "/") {
		name = "/" + name // a drive letter
	}
	question, err := json.Marshal(params)
	if err != nil { // every parameter struct was decoded from JSON
		panic(err)
	}
	u, err := uri.From(uri.Components{
		Scheme: scheme, Path: strings.TrimRight(name, "/") + suffix, Query: base64.RawURLEncoding.EncodeToString(question),
	})
	if err != nil {
		return scheme + ":/prompt.md?" + base64.RawURLEncoding.EncodeToString(question)
	}
	return string(u)
}
