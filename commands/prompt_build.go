package commands

// BuildPromptParams is what a prompt depends on.
type BuildPromptParams struct {
	// URI of the file (or folder) that the conversation is about.
	URI string `json:"uri,omitempty"`
	// Session of the panel; without one nothing is remembered.
	Session string `json:"session,omitempty"`
	// Cwd is the URI of the directory in which the tool is started; the root by default.
	Cwd string `json:"cwd,omitempty"`
	// Profile is whose loading rules for instruction files are followed.
	Profile string `json:"profile,omitempty"`
	// Model is the model's identifier, as the provider spells it.
	Model string `json:"model,omitempty"`
	// Provider serves the model.
	Provider string `json:"provider,omitempty"`
	// Agent is build (the default) or another agent's name.
	Agent string `json:"agent,omitempty"`
	// Mode is build (the default) or plan.
	Mode string `json:"mode,omitempty" enum:"build,plan"`
	// Interactive tells that a person can answer questions; true by default.
	Interactive *bool `json:"interactive,omitempty"`
	// Compact asks for the short forms of the texts.
	Compact bool `json:"compact,omitempty"`
	// Tools that the panel offers to the model.
	Tools []Tool `json:"tools,omitempty"`
	// ToolFormat is how tools are described in the prompt; tool (the default) leaves the schema to the request.
	ToolFormat string `json:"toolFormat,omitempty" enum:"markdown,xml,tool"`
	// Context is full (the default) or selective: only what include names.
	Context string `json:"context,omitempty" enum:"full,selective"`
	// Include names source keys or groups for selective context.
	Include []string `json:"include,omitempty"`
	// OutputSchema is the JSON Schema that the answer must follow.
	OutputSchema RawObject `json:"outputSchema,omitempty"`
	// Attachments are URIs of files that the user added by name.
	Attachments []string `json:"attachments,omitempty"`
	// Window is the context window in tokens, where the client knows it better.
	Window int `json:"window,omitempty" min:"0"`
	// Reserve is what is kept free for the answer, in tokens.
	Reserve int `json:"reserve,omitempty" min:"0"`
}

// BuildPromptResult is a prompt with the origin of every line.
type BuildPromptResult struct {
	Head
	// Sections in the order in which they are sent.
	Sections []Section `json:"sections"`
	// Boundary is where the cacheable part ends.
	Boundary Boundary `json:"boundary"`
	// Messages are the system messages, ready to be put before a history.
	Messages []SystemMessage `json:"messages"`
	// Tokens is the account.
	Tokens TokenTotals `json:"tokens"`
	// Fingerprint identifies the bytes.
	Fingerprint Fingerprint `json:"fingerprint"`
	// NotApplied lists what was found and left out, with the reason.
	NotApplied []NotApplied `json:"notApplied"`
}

// SystemMessage is one block of the system text.
type SystemMessage struct {
	// Role is system.
	Role string `json:"role"`
	// Content is the text.
	Content string `json:"content"`
	// Layer is cacheable (core and cacheable sections) or dynamic.
	Layer string `json:"layer"`
}
