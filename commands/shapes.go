package commands

// Version is the version of the contract; every result carries it.
const Version = 1

// Head begins every result.
type Head struct {
	// Version of the contract.
	Version int `json:"version"`
	// Warnings tell what went wrong beside the result, for the user to see.
	Warnings []Warning `json:"warnings"`
}

// Warning is a part that failed or was left out without failing the whole.
type Warning struct {
	// Code is the stable name of the kind of warning.
	Code string `json:"code"`
	// Message says what, where and what to do.
	Message string `json:"message"`
	// URI of the file concerned.
	URI string `json:"uri,omitempty"`
	// Range in that file.
	Range *Range `json:"range,omitempty"`
}

// Position is a place in a text: 0-based line, 0-based UTF-16 code unit.
type Position struct {
	// Line counts from 0.
	Line int `json:"line"`
	// Character counts UTF-16 code units from 0.
	Character int `json:"character"`
}

// Range is a half-open stretch of a text.
type Range struct {
	// Start is the first place inside.
	Start Position `json:"start"`
	// End is the first place behind it.
	End Position `json:"end"`
}

// Span is a half-open pair [from, to]; its unit is said where it is used.
type Span [2]int

// Section is the text that one source put into a prompt.
type Section struct {
	// Key names the source, for instance core/identity or instructions/AGENTS.md.
	Key string `json:"key"`
	// Layer is core, cacheable or dynamic.
	Layer string `json:"layer" enum:"core,cacheable,dynamic"`
	// Title is a short heading for people.
	Title string `json:"title"`
	// Text is exactly what the model is sent.
	Text string `json:"text"`
	// Tokens is the count of Text by the counter of the result.
	Tokens int `json:"tokens"`
	// Range is [from, to) in bytes of the rendered system text.
	Range Span `json:"range"`
	// Origins say which file or fact each line came from.
	Origins []Origin `json:"origins"`
	// Why says in one sentence why the section is in the prompt.
	Why string `json:"why"`
}

// Origin is where lines of a section came from.
type Origin struct {
	// URI of the file, or foreword:<name> for what foreword itself wrote or observed.
	URI string `json:"uri"`
	// Range in that file, where it is a part of it.
	Range *Range `json:"range,omitempty"`
	// Hash is the SHA-256 of the file's text, in hex.
	Hash string `json:"hash,omitempty"`
	// Dirty tells that the text is an editor's, not yet saved.
	Dirty bool `json:"dirty"`
	// Lines is [from, to) in 0-based lines of the section's text.
	Lines Span `json:"lines"`
}

// Boundary is where the cacheable part of the prompt ends.
type Boundary struct {
	// Section is the index of the first dynamic section.
	Section int `json:"section"`
	// Byte is the offset of the boundary in the rendered system text.
	Byte int `json:"byte"`
	// Tokens is the count of what stands before it.
	Tokens int `json:"tokens"`
}

// TokenTotals is the account of a prompt.
type TokenTotals struct {
	// Total of the system text and, in a turn, the messages.
	Total int `json:"total"`
	// Expected is what the provider should count of all that: the total where it is exact or nothing was learned yet,
	// else corrected by what the provider reported of earlier requests.
	Expected int `json:"expected"`
	// ErrorBound is the relative error of Expected that is reckoned with; 0 for an exact count.
	ErrorBound float64 `json:"errorBound"`
	// Learned is how many requests the correction was learned from.
	Learned int `json:"learned,omitempty"`
	// Window is the model's context window in tokens; 0 where it is not known.
	Window int `json:"window"`
	// WindowSource says where Window comes from.
	WindowSource string `json:"windowSource"`
	// Reserve is what is kept free for the answer.
	Reserve int `json:"reserve"`
	// Free is what Expected and Reserve leave of the window; never negative.
	Free int `json:"free"`
	// Counter is exact or estimate.
	Counter string `json:"counter" enum:"exact,estimate"`
	// Encoding is the tokenizer that was used.
	Encoding string `json:"encoding"`
	// Layers is the count by layer.
	Layers LayerTokens `json:"layers"`
	// Allowances are what the bounded sources may cost.
	Allowances []Allowance `json:"allowances"`
	// History is the count of the messages, in a turn.
	History int `json:"history,omitempty"`
}

// Allowance is what a setting grants one source of the prompt.
type Allowance struct {
	// Setting that bounds the source.
	Setting string `json:"setting"`
	// Asked is the setting's value, in tokens.
	Asked int `json:"asked"`
	// Granted is what the window leaves of it, in tokens.
	Granted int `json:"granted"`
}

// LayerTokens is the count of tokens by layer.
type LayerTokens struct {
	// Core is who the assistant is; it never changes in a session.
	Core int `json:"core"`
	// Cacheable is what changes seldom: project, tree, instructions.
	Cacheable int `json:"cacheable"`
	// Dynamic is what may differ in every turn.
	Dynamic int `json:"dynamic"`
}

// Fingerprint identifies the bytes of a prompt.
type Fingerprint struct {
	// Prefix is the SHA-256 of everything before the cache boundary, in hex.
	Prefix string `json:"prefix"`
	// Full is the SHA-256 of the whole system text, in hex.
	Full string `json:"full"`
}

// NotApplied is an ingredient that was found and left out.
type NotApplied struct {
	// Key of the source that would have said it.
	Key string `json:"key"`
	// URI of the file, where it is one.
	URI string `json:"uri,omitempty"`
	// State is one of the states of instruction files, or absent, unavailable or excluded.
	State string `json:"state"`
	// Why says the reason in one sentence.
	Why string `json:"why"`
}

// ToolFormats are instructions by tool format; an empty text counts.
type ToolFormats struct {
	// Markdown is for the format markdown.
	Markdown *string `json:"markdown,omitempty"`
	// XML is for the format xml.
	XML *string `json:"xml,omitempty"`
	// Tool is for the format tool.
	Tool *string `json:"tool,omitempty"`
}

// ToolFunction is one function that a tool knows.
type ToolFunction struct {
	// Signature is how it is called, for instance add(a: int, b: int) -> int.
	Signature string `json:"signature"`
	// Description says what it does.
	Description string `json:"description,omitempty"`
}

// Tool is a tool that the panel offers to the model.
type Tool struct {
	// Name as the model calls it.
	Name string `json:"name"`
	// Description says what it is for.
	Description string `json:"description,omitempty"`
	// Instructions say how to use it; they stand in the prompt.
	Instructions string `json:"instructions,omitempty"`
	// Examples of use; they stand in the prompt.
	Examples string `json:"examples,omitempty"`
	// Formats are further instructions for one tool format each; where there are none, the functions are listed.
	Formats *ToolFormats `json:"formats,omitempty"`
	// Functions that the tool knows, beside what its schema says.
	Functions []ToolFunction `json:"functions,omitempty"`
	// Parameters is the JSON Schema of the arguments.
	Parameters RawObject `json:"parameters,omitempty"`
}
