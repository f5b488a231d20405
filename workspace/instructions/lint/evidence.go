package lint

import "foreword/workspace/instructions"

// Evidence says how well a tool's loading rules are known.
type Evidence uint8

// The grades of evidence.
const (
	// Reported by users or third parties, not checked.
	Reported Evidence = iota
	// Documented by the vendor.
	Documented
	// ReadInSource, or in the specification that the tools implement.
	ReadInSource
)

// evidence grades each profile by the source that its data file names. A tool
// that is missing counts as Documented, one whose file tells a doubt about all of
// its rules as Reported.
var evidence = map[string]Evidence{
	"foreword":       ReadInSource,
	"agent-skills":   ReadInSource, // the specification itself
	"cline":          ReadInSource,
	"codex":          ReadInSource,
	"continue":       ReadInSource,
	"crush":          ReadInSource,
	"gemini-cli":     ReadInSource,
	"goose":          ReadInSource,
	"gptme":          ReadInSource,
	"opencode":       ReadInSource,
	"roo-code":       ReadInSource,
	"vscode-copilot": ReadInSource,
}

func evidenceOf(p *instructions.Profile) Evidence {
	if p.Rule.Doubt != "" {
		return Reported
	}
	if e, ok := evidence[p.Name]; ok {
		return e
	}
	return Documented
}

// most is the highest severity that evidence of this grade supports.
func (e Evidence) most() Severity {
	switch e {
	case ReadInSource:
		return Error
	case Documented:
		return Warning
	}
	return Info
}
