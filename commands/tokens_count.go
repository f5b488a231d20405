package commands

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
	Counter string `json:"counter"`
	// Encoding is the tokenizer that was used.
	Encoding string `json:"encoding"`
	// Source says why this tokenizer.
	Source string `json:"source"`
	// ErrorBound is the stated relative error; 0 when exact.
	ErrorBound float64 `json:"errorBound"`
	// PlanningBound is the factor that a budget should allow over the count.
	PlanningBound float64 `json:"planningBound"`
}

// FileTokens is the count of one file.
type FileTokens struct {
	URI    string `json:"uri"`
	Tokens int    `json:"tokens"`
	Bytes  int    `json:"bytes"`
	// Dirty tells that an unsaved buffer was counted.
	Dirty bool `json:"dirty"`
}
