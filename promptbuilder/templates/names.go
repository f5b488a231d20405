package templates

// Name names a text: its file without the ending.
type Name string

// The texts.
const (
	// IdentityDefault says who the assistant is, to a model of no known family.
	IdentityDefault Name = "identity_default"
	// IdentityGPT4 and those below say it in the style that a family follows best.
	IdentityGPT4    Name = "identity_gpt_4"
	IdentityCodex   Name = "identity_codex"
	IdentityGPT     Name = "identity_gpt"
	IdentityGemini  Name = "identity_gemini"
	IdentityClaude  Name = "identity_claude"
	IdentityTrinity Name = "identity_trinity"
	IdentityKimi    Name = "identity_kimi"
	// IdentityCompact is the short form for all families.
	IdentityCompact Name = "identity_compact"

	// Interactive is how to work when a person can answer, Unattended when nobody can.
	Interactive Name = "interactive"
	Unattended  Name = "unattended"
	// Thinking asks a model that does not reason by itself to think in tags.
	Thinking Name = "thinking"
	// ToolUse makes families use tools that rather describe what they would do.
	ToolUse Name = "tool_use"
	// Output asks for an answer of a given form; the schema stands behind it.
	Output Name = "output"

	// Plan stands at the end of the newest user message when plan mode begins.
	Plan Name = "plan"
	// PlanFile takes its place where the plan is written to a file. It holds
	// {{plan_file}}, the file's path, and {{plan_file_state}}, whether it is there.
	PlanFile Name = "plan_file"
	// BuildSwitch says that plan mode has ended.
	BuildSwitch Name = "build_switch"
	// BuildSwitchFile is added where there is a plan in a file; it holds {{plan_file}}.
	BuildSwitchFile Name = "build_switch_file"
	// MaxSteps is the last assistant message of a task whose steps are used up.
	MaxSteps Name = "max_steps"

	// Explore, Compaction, Title and Summary are the prompts of the agents of these names.
	Explore    Name = "explore"
	Compaction Name = "compaction"
	Title      Name = "title"
	Summary    Name = "summary"
)

// Names lists all texts in the order of the documentation.
var Names = []Name{
	IdentityDefault, IdentityGPT4, IdentityCodex, IdentityGPT, IdentityGemini, IdentityClaude, IdentityTrinity, IdentityKimi, IdentityCompact,
	Interactive, Unattended, Thinking, ToolUse, Output,
	Plan, PlanFile, BuildSwitch, BuildSwitchFile, MaxSteps,
	Explore, Compaction, Title, Summary,
}
