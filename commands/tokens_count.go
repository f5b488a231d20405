package commands

import (
	"context"
	"path/filepath"
)

// CountTokensParams names what to count.
type CountTokensParams struct {
	// Text to count.
	Text *string `json:"text,omitempty"`
	// URIs of files to count, open buffers before disk.
	URIs []string `json:"uris,omitempty"`
	// Model for which to count.
	Model string `json:"model,omitempty"`
}

// CountTokensResult is the count and how far it can be trusted.
type CountTokensResult struct {
	Head
	// Tokens in all.
	Tokens int `json:"tokens"`
	// Files is the count by file.
	Files []FileTokens `json:"files,omitempty"`
	// Counter is exact or estimate.
	Counter string `json:"counter" enum:"exact,estimate"`
	// Encoding is the tokenizer that was used.
	Encoding string `json:"encoding"`
	// Source says why this tokenizer.
	Source string `json:"source"`
	// Expected is what the provider should count: the tokens where they are exact or nothing was learned yet, else
	// corrected by what the provider reported of earlier requests.
	Expected int `json:"expected"`
	// ErrorBound is the relative error of Expected that is reckoned with; 0 when exact.
	ErrorBound float64 `json:"errorBound"`
	// PlanningBound is the factor that a budget should allow over the tokens.
	PlanningBound float64 `json:"planningBound"`
	// Learned is how many requests the correction was learned from.
	Learned int `json:"learned,omitempty"`
}

// FileTokens is the count of one file.
type FileTokens struct {
	// URI of the file.
	URI string `json:"uri"`
	// Tokens of its text.
	Tokens int `json:"tokens"`
	// Bytes of its text.
	Bytes int `json:"bytes"`
	// Dirty tells that an unsaved buffer was counted.
	Dirty bool `json:"dirty"`
}

// CountTokens counts a text or files.
func (s *Service) CountTokens(ctx context.Context, params CountTokensParams) (*CountTokensResult, error) {
	if (params.Text == nil) == (len(params.URIs) == 0) {
		return nil, failf(CodeInvalidParams, "want either text or uris")
	}
	snap := s.snapshot(ctx)
	model := params.Model
	if model == "" {
		p, err := s.locate(snap, "", "")
		if err != nil {
			return nil, err
		}
		model = p.config.Model
	}
	counter, count := s.counter(model)
	r := &CountTokensResult{
		Head: head(), Counter: counter.Kind(), Encoding: string(counter.Encoding), Source: counter.Source,
		PlanningBound: counter.PlanningBound,
	}
	planning := s.planning(ctx, snap, counter, "")
	if r.ErrorBound, r.Learned = planning.ErrorBound, planning.Samples; r.Learned > 0 {
		r.PlanningBound = planning.Bound()
	}
	defer func() { r.Expected = planning.Expected(r.Tokens) }()
	if params.Text != nil {
		r.Tokens = count(*params.Text)
		return r, nil
	}
	for _, document := range params.URIs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		file, err := s.countFile(ctx, document, count)
		if err != nil {
			if len(params.URIs) == 1 {
				return nil, err
			}
			r.Warnings = append(r.Warnings, Warning{Code: string(asError(ctx, err).Code), Message: err.Error(), URI: document})
			continue
		}
		r.Tokens += file.Tokens
		r.Files = append(r.Files, file)
	}
	return r, nil
}

func (s *Service) countFile(ctx context.Context, document string, count func(string) int) (FileTokens, error) {
	snap := s.snapshot(ctx)
	u, err := parseURI(document)
	if err != nil {
		return FileTokens{}, failf(CodeInvalidParams, "uris: %w", err)
	}
	if d := snap.Document(u); d != nil {
		return FileTokens{URI: document, Tokens: count(d.Text), Bytes: len(d.Text), Dirty: d.Dirty}, nil
	}
	if !u.IsFile() {
		return FileTokens{}, failf(CodeUnreadable, "%s is not open and is no file", document)
	}
	p, err := s.locate(snap, document, "")
	if err != nil {
		return FileTokens{}, err
	}
	file, err := p.files(snap).ReadFile(filepath.Clean(u.FsPath()))
	if err != nil {
		return FileTokens{}, failf(CodeUnreadable, "cannot count %s: %w", document, err)
	}
	return FileTokens{URI: document, Tokens: count(file.Text), Bytes: len(file.Text), Dirty: file.Dirty}, nil
}
