package config

import "slices"

// Type is what a setting's value is.
type Type string

// The types of settings.
const (
	String  Type = "string"
	Integer Type = "integer"
	Boolean Type = "boolean"
	Strings Type = "list of strings"
	// Tables are begun with [[key]]; a value of this type is shown as the names of its tables.
	Tables       Type = "list of tables"
	TablesByName Type = "tables by name"
)

// Scope says which sources may set a setting. Defaults, the user's file and the editor may set all of them: what
// differs is what a file that came with a repository may do.
type Scope string

// The scopes.
const (
	// Anywhere: a workspace file may set it.
	Anywhere Scope = "anywhere"
	// TrustedWorkspace: a workspace file may set it once the user trusts the workspace.
	TrustedWorkspace Scope = "trusted workspace"
	// UserOnly: a workspace file may never set it, because it would weaken what protects the user.
	UserOnly Scope = "user"
)

// Setting describes one key of foreword.toml and of the editor's settings.
type Setting struct {
	// Key is the full name, tables joined with dots.
	Key string
	// Type is what the value must be.
	Type Type
	// Default is used where nobody sets the key: a string, int, bool or []string (for Tables too).
	Default any
	// Scope says who may set it.
	Scope Scope
	// Description is for documentation and editors: one or two sentences.
	Description string
}

// Settings returns all settings, sorted by key. It is the source of the settings reference.
func Settings() []Setting {
	return slices.Clone(settings)
}

// settings is the table. To add a setting, add a line here, in the order of the keys, and a field with its line in
// Config.set.
var settings = []Setting{
	{"active.tokens", Integer, 0, Anywhere,
		"How many tokens the files may take that are chosen for the newest message: those that it names, and what is being worked on. 0 sends none, since nobody expects files to be sent that they did not open or name."},
	{"agent.folder", String, "", UserOnly,
		"A folder of the assistant's own with its notes and tasks, absolute or beginning with ~/: what is in it is listed to the model, and the files that its own foreword.toml names in context.files are told. Empty for none."},
	{agentsKey, TablesByName, []string{}, Anywhere,
		"Agents of your own, and changes to foreword's; see [prompts](prompts.md). A workspace that is not trusted can add agents and deny them things, and neither allow anything nor change an agent that is there."},
	{"buffers.tokens", Integer, 8000, Anywhere,
		"How many tokens the texts of open buffers may take in a prompt. 0 leaves them out."},
	{"cache.minutes", Integer, 5, Anywhere,
		"How long a provider keeps what it cached of a request, in minutes. After that nothing is lost by saying everything anew."},
	{"codeLens.enabled", Boolean, true, Anywhere,
		"Show above the first line of an instruction file which files it applies to and what it costs."},
	{"commands.hideEnv", Strings, []string{}, UserOnly,
		"Names of environment variables that commands and hooks are not given, with * and ?, beside those that look like keys."},
	{"commands.keepEnv", Strings, []string{}, UserOnly,
		"Names of environment variables that commands and hooks are given although they look like keys, with * and ?."},
	{contextFilesKey, Strings, []string{}, Anywhere,
		"Files whose text is told in every prompt: paths and patterns relative to the file that names them, and paths that are absolute or begin with ~/. The lists of all sources are joined. What a workspace's file or the editor names outside the workspace needs a trusted folder. Ignored and secret files stay out."},
	{"context.tokens", Integer, 4000, Anywhere,
		"How many tokens the files of context.files and of agent.folder may take in a prompt, the most important first. 0 leaves them out."},
	{contextCommandKey, Strings, []string{}, Anywhere,
		"A program and its arguments, without a shell, whose output is told to the model: the user's in every project, a workspace's there, once the folder is trusted and the command approved."},
	{"defaultAgent", String, "", TrustedWorkspace,
		"The agent that acts where a request names none. Empty for build."},
	{"diagnostics.tokens", Integer, 1000, Anywhere,
		"How many tokens the problems may take that the editor shows in open files: errors first, then warnings, those of the file in focus before others. 0 leaves them out."},
	{"exclude", Strings, []string{}, Anywhere,
		"Files that are never a source of a prompt, as patterns like those of .gitignore, relative to the root. The lists of all sources are joined; a workspace file can add to the user's list but not take from it."},
	{"history.everywhere", Boolean, false, UserOnly,
		"Tell what was asked and answered in other repositories, too."},
	{"history.otherTools", Boolean, false, UserOnly,
		"Read the logs that gptme and opencode keep of conversations, too."},
	{"history.tokens", Integer, 0, TrustedWorkspace,
		"How many tokens a digest of earlier conversations in this repository may take, the most relevant to the newest message first. 0 sends none, since nobody expects one conversation to tell of another."},
	{hooksKey, Tables, []string{}, Anywhere,
		"Programs that see a prompt before it is sent and may change it; see [hooks](hooks.md). Those of a workspace run once the folder is trusted and their commands approved."},
	{"hover.sources", Boolean, true, Anywhere,
		"On the first line of any file, show the instructions that apply there."},
	{filesKey, Strings, []string{}, Anywhere,
		"More instruction files: paths and patterns relative to the file that names them, paths that are absolute or begin with ~/, and https addresses. The lists of all sources are joined. What a workspace's file or the editor names outside the workspace, and every address, needs a trusted folder; the user's own file needs none."},
	{"instructions.names", Strings, []string{}, Anywhere,
		"Names of instruction files that are read in every directory, most important first. Names only, no paths. Empty for those of the profile."},
	{"instructions.order", String, outermostFirst, Anywhere,
		"In which order the project's instruction files are told: outermost-first, or nearest-first. In either the nearer one holds where two disagree. Files of one directory follow the order of instructions.names."},
	{"instructions.otherTools", Boolean, true, Anywhere,
		"Send the project's files that are written for one other tool too, such as CLAUDE.md, GEMINI.md and .cursorrules. Folders of rules have instructions.rules."},
	{"instructions.rules", Boolean, true, Anywhere,
		"Read the folders of rules of other tools too, such as .claude/rules and .cursor/rules, each by its own tool's rules."},
	{"instructions.userFile", String, "", UserOnly,
		"The user's own instruction file, absolute or beginning with ~/. Empty for ~/.config/foreword/AGENTS.md, else the first of those of opencode, Claude Code and Codex."},
	{"model", String, "", Anywhere,
		"The model that prompts are for where a request names none; it decides how tokens are counted and how large the window is."},
	{"plan.file", Boolean, false, Anywhere,
		"In plan mode, have the plan written to a file of its own in .foreword/plans, which the agent plan may edit."},
	{"profile", String, "foreword", TrustedWorkspace,
		"Whose rules for loading instruction files are followed."},
	{"project.about", String, "", Anywhere,
		"What the project is, in a few sentences. Empty for the first paragraph of its README."},
	{"project.name", String, "", Anywhere,
		"What the project is called. Empty for the name of its folder."},
	{"provider", String, "", TrustedWorkspace,
		"The provider that prompts are for where a request names none. Empty for the model's own."},
	{referencesKey, Tables, []string{}, Anywhere,
		"Other folders that the model may look into, each a table with name, path and description; see [context](context.md). Those of a workspace outside it need a trusted folder."},
	{"reserve", Integer, 0, Anywhere,
		"How many tokens of the window are kept free for the answer. 0 for the model's own."},
	{"skills.tokens", Integer, 2000, Anywhere,
		"How many tokens the list of skills may take in a prompt. 0 leaves it out."},
	{sourcesKey, Tables, []string{}, Anywhere,
		"Ingredients of the prompt of your own: files, addresses, commands; see [hooks](hooks.md). Addresses and commands of a workspace need a trusted folder."},
	{"tree.tokens", Integer, 1000, Anywhere,
		"How many tokens the tree of the workspace may take in a prompt. 0 leaves it out."},
	{"updates.tokens", Integer, 4000, Anywhere,
		"How many tokens the changes said within an epoch may cost before the whole prompt is said anew, as soon as the provider's cache is cold anyway. 0 for any number."},
	{"user.about", String, "", UserOnly,
		"What the model is told about you, where a person reads its answers. Empty for the text of ~/.config/foreword/user.md."},
	{"window", Integer, 0, Anywhere,
		"How many tokens the context window has. 0 for the model's own."},
}

// maxInteger is above every count of tokens that makes sense, and fits an int of any machine.
const maxInteger = 1_000_000_000

// lookup finds a setting by its key.
func lookup(key string) (Setting, bool) {
	i := slices.IndexFunc(settings, func(s Setting) bool { return s.Key == key })
	if i < 0 {
		return Setting{}, false
	}
	return settings[i], true
}
