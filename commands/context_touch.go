package commands

// TouchContextParams tells that files came into a conversation.
type TouchContextParams struct {
	// Session of the panel.
	Session string `json:"session"`
	// Message is the id of the message that touched them: a tool result or the user's.
	Message string `json:"message,omitempty"`
	// URIs of the files.
	URIs []string `json:"uris"`
	// Kind of touch; list never injects.
	Kind string `json:"kind" enum:"read,open,attach,edit,list"`
	// Model whose counter is used.
	Model string `json:"model,omitempty"`
}

// TouchContextResult holds what the model must be told now.
type TouchContextResult struct {
	Head
	// Injections, outermost first; empty when the session was told all of it.
	Injections []Injection `json:"injections"`
}

// Injection is an instruction file said once, at the end of the message that
// touched its directory.
type Injection struct {
	// URI of the instruction file.
	URI string `json:"uri"`
	// Text to append to the message.
	Text string `json:"text"`
	// Tokens of Text.
	Tokens int `json:"tokens"`
	// Why says which file was touched.
	Why string `json:"why"`
	// Message is the id of the message that carries it.
	Message string `json:"message,omitempty"`
}
