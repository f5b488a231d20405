package commands

import (
	"context"
	"encoding/json"
	"reflect"
)

// Command is one line of the contract: a name, what it is for, and the
// function that answers it.
type Command struct {
	// Name is the identifier that clients use in workspace/executeCommand.
	Name string
	// CLI is the equivalent on the command line, or empty.
	CLI string
	// Summary says in one sentence what the command is for.
	Summary string
	// Writes tells that the command changes what the server remembers.
	Writes bool
	// Params and Result are the struct types of the two sides.
	Params, Result reflect.Type

	call func(*Service, context.Context, json.RawMessage) (any, error)
}

// Call decodes one JSON object strictly, runs the command and returns its
// result, a pointer to a struct of type Result. A failure is an [*Error].
func (c Command) Call(ctx context.Context, s *Service, params json.RawMessage) (any, error) {
	return c.call(s, ctx, params)
}

// Table lists every command, in the order of the reference.
func Table() []Command { return table }

// Lookup finds a command by name.
func Lookup(name string) (Command, bool) {
	for _, c := range table {
		if c.Name == name {
			return c, true
		}
	}
	return Command{}, false
}

var table = []Command{
	define("foreword.prompt.build", "foreword prompt [PATH]",
		"Assembles the prompt for a file: every section with its layer, tokens and origins.", reads, (*Service).BuildPrompt),
	define("foreword.prompt.preview", "foreword prompt --preview [PATH]",
		"Renders the same prompt as a Markdown document to read.", reads, (*Service).PreviewPrompt),
	define("foreword.prompt.diff", "foreword session diff SESSION",
		"Says how the requests of two turns differ, where the provider's cached prefix breaks, and which source broke it.", reads, (*Service).DiffPrompt),
	define("foreword.turn.prepare", "foreword turn [FILE]",
		"Hands the panel a request that is ready to be sent: prompt, prepared history, provider body.", writes, (*Service).PrepareTurn),
	define("foreword.turn.finish", "",
		"Reports what the provider counted for a turn, to be held against what was predicted.", writes, (*Service).FinishTurn),
	define("foreword.history.prepare", "foreword history [FILE]",
		"Fits a list of messages into a budget and says what was done to each.", reads, (*Service).PrepareHistory),
	define("foreword.history.compact", "foreword history --compact [FILE]",
		"Says what to ask a model for a summary of the older messages, and puts its answer in their place.", writes, (*Service).CompactHistory),
	define("foreword.context.touch", "foreword touch PATH...",
		"Tells that files were read, opened, attached or edited; answers with the nested instruction files that the session was not told yet.", writes, (*Service).TouchContext),
	define("foreword.instructions.explain", "foreword explain PATH",
		"Lists every instruction file that could apply to a file, in order, with its state and the reason for it.", reads, (*Service).ExplainInstructions),
	define("foreword.instructions.list", "foreword list [FOLDER]",
		"Lists every instruction file, rule and skill of the workspace with its reach, its tokens and the tools that send it.", reads, (*Service).ListInstructions),
	define("foreword.instructions.check", "foreword check [PATH...]",
		"Finds what is wrong with the instruction files of the workspace: what a tool drops, cuts, hides or never reads.", reads, (*Service).CheckInstructions),
	define("foreword.session.list", "foreword session list",
		"Lists the sessions that are remembered, the one used last first.", reads, (*Service).ListSessions),
	define("foreword.session.show", "foreword session show SESSION",
		"Shows what a session remembers: its epochs, its turns with predicted and real cost, and the ledger of what was told.", reads, (*Service).ShowSession),
	define("foreword.session.rebase", "foreword session rebase SESSION",
		"Makes the next turn of a session say the whole prompt anew.", writes, (*Service).RebaseSession),
	define("foreword.session.fork", "foreword session fork SESSION NAME",
		"Makes a second session of a turn and all before it.", writes, (*Service).ForkSession),
	define("foreword.session.forget", "foreword session forget SESSION",
		"Deletes all that is remembered of a session.", writes, (*Service).ForgetSession),
	define("foreword.skills.list", "foreword skills",
		"Lists the skills of a place: what each is for, whether the model is told of it, and what is wrong with it.", reads, (*Service).ListSkills),
	define("foreword.skills.load", "foreword skills NAME",
		"Gives the text of a skill and the names of the files that it brings along.", writes, (*Service).LoadSkill),
	define("foreword.tools.list", "foreword tool",
		"Lists the tools that a panel can offer to its model to look round in the workspace, and what the agent's rules say of them.", reads, (*Service).ListTools),
	define("foreword.tools.call", "foreword tool NAME [ARGUMENTS]",
		"Runs one of these tools for the model, and tells the session what was read.", writes, (*Service).CallTool),
	define("foreword.tokens.count", "foreword count [FILE...]",
		"Counts the tokens of a text or of files for a model.", reads, (*Service).CountTokens),
	define("foreword.text.compress", "foreword compress [FILE]",
		"Keeps the sentences of a text that say most for a task, and all its code.", reads, (*Service).CompressText),
	define("foreword.text.density", "foreword density [FILE]",
		"Says of each message how much it says, how much of that is new, and what it repeats.", reads, (*Service).MeasureDensity),
	define("foreword.status", "foreword doctor [PATH]",
		"Says what the server is working with: version, folders, settings with their origin, trust, caches, problems.", reads, (*Service).Status),
	define("foreword.trust", "foreword trust [FOLDER]",
		"Adds a folder to the user's own list of trusted folders, or takes it off.", writes, (*Service).Trust),
	define("foreword.trust.commands", "foreword trust --commands [FOLDER]",
		"Lists the commands that a folder brings, with what an approval of each holds to, and approves them.", writes, (*Service).TrustCommands),
}

const (
	reads  = false
	writes = true
)

func define[P, R any](name, cli, summary string, write bool, run func(*Service, context.Context, P) (*R, error)) Command {
	return Command{
		Name: name, CLI: cli, Summary: summary, Writes: write,
		Params: reflect.TypeFor[P](), Result: reflect.TypeFor[R](),
		call: func(s *Service, ctx context.Context, raw json.RawMessage) (any, error) {
			var p P
			if err := Decode(raw, &p); err != nil {
				return nil, err
			}
			result, err := run(s, ctx, p)
			if err != nil {
				return nil, asError(ctx, err)
			}
			return result, nil
		},
	}
}
