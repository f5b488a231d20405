package commands

import "foreword/promptbuilder/history"

// PrepareHistoryParams is a conversation and what it may cost.
type PrepareHistoryParams struct {
	// Messages of the conversation, system messages included if there are any.
	Messages []history.Message `json:"messages"`
	// Model whose counter and window are used.
	Model string `json:"model,omitempty"`
	// Window is the context window in tokens, where the client knows it better.
	Window int `json:"window,omitempty" min:"0"`
	// Budget is what the messages may cost, in tokens; window less reserve by default.
	Budget int `json:"budget,omitempty" min:"0"`
	// Reserve is what is kept free for the answer, in tokens.
	Reserve int `json:"reserve,omitempty" min:"0"`
}

// PrepareHistoryResult is the conversation that fits, and the report.
type PrepareHistoryResult struct {
	Head
	Messages []history.Message `json:"messages"`
	Report   history.Report    `json:"report"`
}
