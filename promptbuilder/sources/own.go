package sources

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"foreword/workspace/config"
	"foreword/workspace/fsys"
	"foreword/workspace/process"
	"foreword/workspace/trust"
)

// Own is what the configuration adds to a prompt, and the ways to get at it.
type Own struct {
	// Context are programs whose output is told to the model.
	Context []config.ContextCommand
	// Sources are those of [[sources]], in the order of the files.
	Sources []config.Source
	// Run runs a program that the configuration names. Where the user has not
	// allowed it the error is a *trust.Refusal. A program that has run within the
	// last few seconds may not be run again.
	Run func(context.Context, Program) (process.Result, error)
	// Fetch gives the text at an address; its errors are as Run's.
	Fetch func(ctx context.Context, address string, from config.Declared) (string, error)
	// UserFiles reads what the user's own configuration names, wherever it is.
	UserFiles fsys.FS
}

// Program is a program that the configuration names.
type Program struct {
	Argv []string
	// From is where it is named: a workspace's needs the user's approval.
	From config.Declared
	// Timeout is how long it may take.
	Timeout time.Duration
	// Stdin is what it reads.
	Stdin []byte
	// MaxStdout bounds what is kept of its output, in bytes.
	MaxStdout int
}

const (
	// commandCharacters is how many characters of a program's output are told, as gptme tells of its context_cmd (gptme/gptme
	// gptme/prompts/context_cmd.py).
	commandCharacters = 100_000
	// complaintCharacters is how much of its standard error, where it failed.
	complaintCharacters = 2_000
	// commandTimeout is how long a program may take, as with gptme.
	commandTimeout = 60 * time.Second
	// commandSlack is what a source has beside its program's time: to ask for it, and to end it.
	commandSlack = 2 * time.Second
)

// output is what a program said.
type output struct {
	text   string // of its standard output, cut
	note   string // what must be told beside it; empty for nothing
	absent string // why there is no text; empty where there is
}

// ask runs a program. Without an error there is an output.
func (in *Input) ask(ctx context.Context, p Program) (output, error) {
	p.MaxStdout = 4 * (commandCharacters + 1) // UTF-8 has at most four bytes for a character
	result, err := in.Own.Run(ctx, p)
	if err != nil {
		return output{}, err
	}
	text, ok := process.Text(result.Stdout)
	if !ok {
		return output{}, fmt.Errorf("%s printed no text: its output has NUL bytes", p.Argv[0])
	}
	text, cut := cutText(text, commandCharacters)
	o := output{text: strings.Trim(text, "\n")}
	if cut || result.Cut() {
		o.note = fmt.Sprintf("Its output has %d bytes and is cut after the first %d characters.", result.StdoutBytes, len([]rune(o.text)))
	}
	if result.ExitCode != 0 {
		o.note = strings.TrimSpace(o.note + " It failed: " + result.State + ".")
		complaint, _ := process.Text(result.Stderr)
		complaint = strings.TrimSpace(strings.ReplaceAll(complaint, "\x00", "\ufffd"))
		if complaint, cut = cutText(complaint, complaintCharacters); complaint != "" {
			o.note += " On standard error it said"
			if cut {
				o.note += " (the beginning)"
			}
			o.note += ":\n\n" + Fence("text", complaint)
		}
	}
	if o.text == "" && o.note == "" {
		o.absent = "it printed nothing"
	}
	return o, nil
}

// cutText keeps the first characters of a text, and ends them with a whole line
// where one ends among the last 1,000 of them. It tells whether something was
// cut.
func cutText(text string, characters int) (kept string, cut bool) {
	at, n := len(text), 0
	for i := range text {
		if n == characters {
			at = i
			break
		}
		n++
	}
	if at == len(text) {
		return text, false
	}
	kept = text[:at]
	const nearEnd = 1_000
	from, back := len(kept), 0
	for from > 0 && back < nearEnd {
		from--
		if kept[from]&0xC0 != 0x80 {
			back++
		}
	}
	if line := strings.LastIndexByte(kept, '\n'); line > from {
		kept = kept[:line]
	}
	return kept, true
}

// failed is the observation of something that could not be had.
func failed(err error) Observation {
	var refused *trust.Refusal
	if errors.As(err, &refused) {
		return Observation{
			Status: Absent, State: refused.State, Why: refused.Why,
			Warnings: []Warning{{Code: refused.State, Message: refused.Why}},
		}
	}
	return Observation{Status: Unavailable, Why: err.Error()}
}

// commandLine shows words as somebody would type them.
func commandLine(argv []string) string {
	words := make([]string, len(argv))
	for i, word := range argv {
		words[i] = oneLine(word)
		if word == "" || strings.ContainsFunc(word, func(r rune) bool { return !strings.ContainsRune(plainCharacters, r) }) {
			words[i] = "'" + strings.ReplaceAll(words[i], "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}

const plainCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=@%+,"
