package commands

import (
	"foreword/promptbuilder/history"
)

// PrepareTurnParams is a prompt, a conversation and where it is sent.
type PrepareTurnParams struct {
	BuildPromptParams
	// ParentTurn is the turn that this one continues; the newest by default.
	ParentTurn *int `json:"parentTurn,omitempty" min:"0"`
	// Append holds the messages since the parent turn; needs a session.
	Append []history.Message `json:"append,omitempty"`
	// Messages is the whole conversation, in place of append.
	Messages []history.Message `json:"messages,omitempty"`
	// Wire is the shape of the request body.
	Wire string `json:"wire" enum:"openai-chat,openai-responses,anthropic,gemini,ollama,vscode-lm,text"`
}

// PrepareTurnResult is a request that is ready to be sent.
type PrepareTurnResult struct {
	Head
	// Turn counts from 1 in the session; 0 without one.
	Turn int `json:"turn"`
	// Body is the request body, ready to be sent as it is.
	Body RawObject `json:"body"`
	// Headers that the provider needs beside the panel's own.
	Headers map[string]string `json:"headers"`
	// Fingerprint of the system text.
	Fingerprint Fingerprint `json:"fingerprint"`
	// Sections of the system text.
	Sections []Section `json:"sections"`
	// Injections that stand in the history, in order.
	Injections []Injection `json:"injections"`
	// NotApplied lists what was found and left out.
	NotApplied []NotApplied `json:"notApplied"`
	// History says what was done to the messages.
	History HistoryOutcome `json:"history"`
	// Tokens is the account.
	Tokens TokenTotals `json:"tokens"`
	// Downgrades tell where the provider takes less than was meant.
	Downgrades []string `json:"downgrades"`
}

// HistoryOutcome holds the report of a prepared history.
type HistoryOutcome struct {
	Report history.Report `json:"report"`
}

// FinishTurnParams reports a turn's real cost.
type FinishTurnParams struct {
	Session string `json:"session"`
	Turn    int    `json:"turn" min:"1"`
	Usage   Usage  `json:"usage"`
	// Error of the provider, if the turn failed.
	Error string `json:"error,omitempty"`
}

// Usage is what the provider counted, in tokens.
type Usage struct {
	Input      int `json:"input" min:"0"`
	Output     int `json:"output" min:"0"`
	CacheRead  int `json:"cacheRead,omitempty" min:"0"`
	CacheWrite int `json:"cacheWrite,omitempty" min:"0"`
}

// FinishTurnResult holds prediction and report side by side.
type FinishTurnResult struct {
	Head
	Turn int `json:"turn"`
	// PredictedInput is what was expected of the whole request, in tokens.
	PredictedInput int `json:"predictedInput"`
	// PredictedCacheRead is what should have been read from the provider's cache.
	PredictedCacheRead int `json:"predictedCacheRead"`
	// Usage as reported.
	Usage Usage `json:"usage"`
}
