package commands

// ExplainInstructionsParams asks which instruction files apply to a file.
type ExplainInstructionsParams struct {
	// URI of the file or folder.
	URI string `json:"uri"`
	// Cwd is the URI of the directory in which the tool is started; the root by default.
	Cwd string `json:"cwd,omitempty"`
	// Profile is whose loading rules are followed; foreword by default.
	Profile string `json:"profile,omitempty"`
	// Session whose reads count; files told to it already are marked.
	Session string `json:"session,omitempty"`
	// Show asks the server to open the answer as a document (language server only).
	Show bool `json:"show,omitempty"`
}

// ExplainInstructionsResult is the answer for one file.
type ExplainInstructionsResult struct {
	Head
	// Target is the URI that was asked about.
	Target string `json:"target"`
	// Profile that was followed.
	Profile string `json:"profile"`
	// Root is the URI of the directory in which the walk began.
	Root string `json:"root"`
	// Entries lists the files that are sent, in order, then the others.
	Entries []Instruction `json:"entries"`
	// Tokens is the count of Text.
	Tokens int `json:"tokens"`
	// Text is all that the model is sent of instruction files.
	Text string `json:"text"`
	// Document is the URI under which the language server serves the answer as Markdown.
	Document string `json:"document"`
	// Markdown is that document.
	Markdown string `json:"markdown"`
}

// Instruction is what became of one instruction file for one target.
type Instruction struct {
	// URI of the file.
	URI string `json:"uri"`
	// Path relative to the root, or from ~/, or absolute.
	Path string `json:"path"`
	// Sent tells whether the model gets it now.
	Sent bool `json:"sent"`
	// State is what became of it.
	State string `json:"state" enum:"sent,truncated,on-read,listed,model-decides,manual,shadowed,out-of-scope,blank,excluded,needs-trust,needs-approval,needs-setting,not-read-by-tool,unreadable"`
	// Order counts from 1 among the sent; 0 for the others.
	Order int `json:"order"`
	// Why names the evidence in one sentence.
	Why string `json:"why"`
	// Rule is the loading rule that decided.
	Rule Rule `json:"rule"`
	// Kind of file.
	Kind string `json:"kind" enum:"agents,claude,gemini,copilot,cursor,windsurf,cline,roo,continue,zed,rule,skill,import,config,url,other"`
	// Mode is how the file asks to be loaded.
	Mode string `json:"mode,omitempty" enum:"always,auto-attached,model-decides,manual"`
	// Scope is the directory whose files it reaches, as Path is given.
	Scope string `json:"scope"`
	// Bytes that are sent of it, or its size where it is not sent.
	Bytes int `json:"bytes"`
	// Truncated tells that a part of it was cut.
	Truncated bool `json:"truncated"`
	// Tokens of what is sent, or of the whole where it is not.
	Tokens int `json:"tokens"`
	// Dirty tells that the text is an editor's, not yet saved.
	Dirty bool `json:"dirty,omitempty"`
	// Target is the path that a symbolic link leads to.
	Target string `json:"target,omitempty"`
	// SameAs is the path of the entry that says the same already.
	SameAs string `json:"sameAs,omitempty"`
}

// Rule is where a loading rule comes from.
type Rule struct {
	// Tool whose rule it is.
	Tool string `json:"tool"`
	// Versions of the tool for which it was checked.
	Versions string `json:"versions"`
	// Source is a repository and path, or a page.
	Source string `json:"source"`
	// Checked is the day on which it was checked, YYYY-MM-DD.
	Checked string `json:"checked"`
}
