package history

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Statuses of a report.
const (
	// StatusFit: nothing had to go.
	StatusFit = "fit"
	// StatusTrimmed: messages were left out so that the rest fits.
	StatusTrimmed = "trimmed"
	// StatusImpossible: what must stay costs more than the budget.
	StatusImpossible = "impossible"
)

// Kinds of actions.
const (
	// KindEmbedded: an attached file became text of the message.
	KindEmbedded = "embedded"
	// KindTruncated: a text became shorter; the reason is the rung of the ladder.
	KindTruncated = "truncated"
	// KindCleared: what a tool answered was replaced by a note.
	KindCleared = "cleared"
	// KindPruned: a message went because its time was over.
	KindPruned = "pruned"
	// KindDropped: a message or a block went.
	KindDropped = "dropped"
	// KindMerged: a message became part of the one before it.
	KindMerged = "merged"
	// KindSynthesised: a message was made up.
	KindSynthesised = "synthesised"
	// KindKept: a message stayed while its turn went.
	KindKept = "kept"
)

// Reasons of actions.
const (
	// ReasonOverBudget: the turn was among the oldest when the budget was used up.
	ReasonOverBudget = "over_budget"
	// ReasonToolPair: it goes, or stays, with the tool call or the result that it belongs to.
	ReasonToolPair = "tool_pair"
	// ReasonOrphanResult: a tool result that no call asked for.
	ReasonOrphanResult = "orphan_result"
	// ReasonOrphanCall: a tool call that was never answered.
	ReasonOrphanCall = "orphan_call"
	// ReasonPinned: it stays because it is pinned, though its turn went.
	ReasonPinned = "pinned"
	// ReasonExpired: it was worth keeping for fewer turns than have passed.
	ReasonExpired = "expired"
	// ReasonOldResult: what a tool answered some time ago, when there was not room for all.
	ReasonOldResult = "old_result"
	// ReasonAttached: the text of an attached file.
	ReasonAttached = "attached"
	// ReasonAttachedBefore: a file that an earlier message holds already.
	ReasonAttachedBefore = "attached_before"
	// ReasonModified: a file that was changed after the message was sent.
	ReasonModified = "modified"
	// ReasonRefused: a file that must not be sent, or cannot be read.
	ReasonRefused = "refused"
	// ReasonSameRole: a message that took up the next one of the same role.
	ReasonSameRole = "same_role"
	// ReasonJoined: a message that became part of the one before it.
	ReasonJoined = "joined_previous"
)

// Report says what was done to a history, and holds what is needed to undo it (Restore).
type Report struct {
	// Status says whether something had to go.
	Status string `json:"status" enum:"fit,trimmed,impossible"`
	// Before is what the messages cost as they came, in tokens.
	Before int `json:"before"`
	// After is what they cost now, in tokens.
	After int `json:"after"`
	// Budget is what they may cost, in tokens.
	Budget int `json:"budget"`
	// Counter is the kind of count that the figures are: exact or estimate.
	Counter string `json:"counter" enum:"exact,estimate"`
	// Actions lists all that was done, in the order of the messages.
	Actions []Action `json:"actions"`
	// PrefixKept is how many messages at the beginning are the same before and after: what a provider's cache
	// can still use.
	PrefixKept int `json:"prefixKept"`
	// Largest are the parts that cost most, when the status is impossible.
	Largest []Largest `json:"largest,omitempty"`
	// Help says what can be done, when the status is impossible.
	Help string `json:"help,omitempty"`
	// Cut is what the next call of the session goes on from; nil when none was given.
	Cut *Cut `json:"-"`
	// FreshFrom is the first message of the input that this call changed and the given cut did not; the number of
	// messages when there is none. A provider's cache holds up to there.
	FreshFrom int `json:"-"`
}

// Action is one thing that was done.
type Action struct {
	// Index of the message in the input. For a synthesised message: of the input message that it stands before,
	// which is the length of the input for one at the end.
	Index int `json:"index"`
	// Block of the message (an index into Message.Blocks), nil when the action is about the whole message.
	Block *int `json:"block,omitempty"`
	// Kind of action.
	Kind string `json:"kind" enum:"embedded,truncated,cleared,pruned,dropped,merged,synthesised,kept"`
	// Reason is a stable word for why.
	Reason string `json:"reason"`
	// Before are the tokens of the message, or of the block, before the action.
	Before int `json:"before"`
	// After are its tokens after the action.
	After int `json:"after"`
	// Restore is the original message. When several actions change one message, the first of them has it.
	Restore json.RawMessage `json:"restore,omitempty"`
}

// Largest is one of the parts that cost most.
type Largest struct {
	// Index of the message in the input.
	Index int `json:"index"`
	// Block of the message, where it is a part of one.
	Block *int `json:"block,omitempty"`
	// Role of the message.
	Role string `json:"role"`
	// Type of the part.
	Type string `json:"type"`
	// Pinned tells that it must stay because it is pinned.
	Pinned bool `json:"pinned,omitempty"`
	// Tokens that it costs.
	Tokens int `json:"tokens"`
}

// CodeBudgetImpossible is the code of a BudgetError for clients.
const CodeBudgetImpossible = "budget_impossible"

// BudgetError says that what must be sent costs more than the budget.
type BudgetError struct {
	// Need and Budget are tokens.
	Need, Budget int
	Largest      []Largest
	Help         string
}

// Code is the code of this error for clients.
func (e *BudgetError) Code() string { return CodeBudgetImpossible }

func (e *BudgetError) Error() string {
	var text strings.Builder
	fmt.Fprintf(&text, "the messages that must stay cost %d tokens, the budget is %d", e.Need, e.Budget)
	for i, part := range e.Largest {
		if i == 0 {
			text.WriteString("; largest: ")
		} else {
			text.WriteString(", ")
		}
		fmt.Fprintf(&text, "messages[%d] (%s %s) %d", part.Index, part.Role, part.Type, part.Tokens)
	}
	if e.Help != "" {
		text.WriteString("; " + e.Help)
	}
	return text.String()
}
