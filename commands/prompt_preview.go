package commands

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
