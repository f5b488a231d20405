package sources

import (
	"context"
	"encoding/json"
	"time"

	"foreword/promptbuilder/agents"
	"foreword/promptbuilder/models"
	"foreword/promptbuilder/templates"
	"foreword/workspace/fsys"
	"foreword/workspace/instructions"
	"foreword/workspace/skills"
	"foreword/workspace/vcs"
)

// Input is all that sources may look at: the request's own words, and facts
// of the workspace behind small functions, so that a source can be tested with
// a literal.
type Input struct {
	Request
	Place
	Facts
	// Own is what the configuration adds.
	Own Own
	// Chosen are files and folders that the settings name.
	Chosen Chosen
}

// Request is what the panel asked for.
type Request struct {
	Model    models.Model
	Provider string
	// Agent acts: it has a prompt, and what it is permitted to do.
	Agent       agents.Agent
	Mode        string
	Interactive bool
	Compact     bool
	// Prompt takes the place of who the assistant is and how it works; empty for
	// foreword's own texts.
	Prompt     string
	Tools      []Tool
	ToolFormat string
	// Compat is the seed whose assembly is followed: gptme, opencode or none.
	Compat string
	// Selective lets only what Include names speak, beside the core layer and the
	// essential sources; Include holds keys and groups.
	Selective bool
	Include   []string
	// OutputSchema is the JSON Schema of the answer, or empty.
	OutputSchema json.RawMessage
	// Attachments are absolute paths of files that the user named.
	Attachments []string
	// Message is the text of the newest message of the user's; empty for none.
	Message string
	// Texts are foreword's prompt texts, with those of the user's own in place of
	// the built-in ones.
	Texts templates.Set
}

// Tool is a tool that the panel offers to the model.
type Tool struct {
	Name, Description, Instructions, Examples string
	// Formats holds further instructions for one format, by its name; an empty text
	// counts. Where there are none, Functions are listed.
	Formats map[string]string
	// Functions that the tool knows, beside what its schema says.
	Functions  []Function
	Parameters json.RawMessage
	// Rest is what did not fit into the description that a provider takes.
	Rest string
}

// Function is one function of a tool.
type Function struct{ Signature, Description string }

// Place is where the conversation happens.
type Place struct {
	// Target is the file or folder in focus, absolute; empty for none.
	Target string
	// Root of the repository, or the folder where there is none; empty for none.
	Root string
	// Repository tells that Root is a repository's.
	Repository bool
	// HomeRepository tells that the only repository above is the home folder's.
	HomeRepository bool
	// Cwd is the directory in which the tool was started.
	Cwd string
	// Home shortens paths.
	Home string
}

// Facts is what the workspace knows; every function may be called at once from
// several goroutines.
type Facts struct {
	// Files reads through open buffers, confined to what the workspace may read.
	Files fsys.FS
	// Attached reads a file that the user named, unless a link of that name
	// leads where the user did not mean to go.
	Attached func(path string) (*fsys.File, error)
	// Instructions for Target.
	Instructions *instructions.Discovery
	// Elsewhere are the discoveries for other files that the session has to do
	// with: those that were in focus before, and those that were touched.
	Elsewhere []*instructions.Discovery
	// Skills that were found for Target, as skills.Of sorts them.
	Skills []skills.Skill
	// Git is the state of the repository; nil where there is none.
	Git func(context.Context) (*vcs.Status, error)
	// Ignored says which of the paths (absolute) are left out, and why: ignored
	// by git, secret, or excluded by a setting. A path that is fine is missing.
	Ignored func(ctx context.Context, paths []string) map[string]string
	// Remember gives what a source observed of the files of the workspace before,
	// while no file changed since; nil where nothing is remembered. The name says
	// what it depends on beside files, Ignored and Count.
	Remember func(ctx context.Context, name string, observe func() Observation) Observation
	// Buffers are the open documents, in the order of their paths.
	Buffers []Buffer
	// Focus is what the user looks at.
	Focus Focus
	// Problems are what the editor shows in files, in the order of their paths.
	Problems []Problems
	// Continues tells that the session goes on with its epoch, as far as that can
	// be known beforehand: what speaks once in an epoch has spoken.
	Continues bool
	// Earlier lists other conversations, the newest first; nil where the settings
	// want none.
	Earlier func(context.Context) ([]Conversation, error)
	// EarlierAsGptme lists what gptme would say of its conversations, where it is
	// followed; nil where the user did not ask it to.
	EarlierAsGptme func(context.Context) ([]string, error)
	// Now is the present time in the user's time zone.
	Now func() time.Time
	// Count counts tokens.
	Count func(string) int
	// Budget is what was shared out; TreeTokens, BufferTokens, SkillTokens,
	// ActiveTokens, ProblemTokens and Chosen.Tokens are what it granted.
	Budget                                                                            Budget
	TreeTokens, BufferTokens, SkillTokens, ActiveTokens, ProblemTokens, HistoryTokens int
	// Everywhere lets conversations of other repositories be told, too.
	Everywhere bool
	// Platform names the operating system and processor, System the system and its
	// version; empty where that is not known.
	Platform, System string
	// User is what the user says about themselves.
	User About
	// ProjectName and ProjectAbout are settings; empty for what the files say.
	ProjectName, ProjectAbout string
}

// Buffer is an open document.
type Buffer struct {
	// Path is absolute, or empty for a document that is no file.
	Path string
	// Label names a document that is no file.
	Label    string
	Language string
	Text     string
	Dirty    bool
}

// Problems are what the editor shows in one file.
type Problems struct {
	// Path is absolute, or empty for a document that is no file; Label names it then.
	Path, Label string
	// Stale tells that the text was edited since, so that lines may be off.
	Stale bool
	// List holds the worst first, More is how many are not in it.
	List []Problem
	More int
}

// Problem is one of them.
type Problem struct {
	// FromLine and ToLine are both included; lines count from 0.
	FromLine, ToLine int
	// Severity is 1 for an error, 2 for a warning, 3 for an information, 4 for a
	// hint.
	Severity int
	// Message for people, Source who found it, Code the rule.
	Message, Source, Code string
}

// Conversation is what is known of another conversation: foreword's own digest,
// or what a log of another tool says.
type Conversation struct {
	// ID tells two apart, Tool whose it is; empty for foreword's own.
	ID, Tool string
	Title    string
	// Root of the repository that it was about, or where the tool was started.
	Root string
	// At is when it went on last, in milliseconds since 1970.
	At int64
	// Turns counts what the user said; 0 where that is not known.
	Turns int
	// First and Last are what the user asked first and last, Answer how the last
	// answer began.
	First, Last, Answer string
	// Files that it touched, absolute.
	Files []string
}

// Focus is the place that the user looks at.
type Focus struct {
	// Path of the file that has the cursor, absolute.
	Path string
	// Selected tells that text is selected in it, from FromLine to ToLine, both
	// included; lines count from 0.
	Selected         bool
	FromLine, ToLine int
	// Visible are the paths of the files that can be seen.
	Visible []string
}

func (in *Input) display(path string) string {
	return instructions.Display(in.Root, in.Home, path)
}
