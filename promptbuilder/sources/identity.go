package sources

import (
	"context"
	"fmt"
	"strings"

	"foreword/promptbuilder/agents"
	"foreword/promptbuilder/models"
	"foreword/promptbuilder/templates"
)

// identities are the texts of the families that have one of their own.
var identities = map[string]templates.Name{
	models.GPT4: templates.IdentityGPT4, models.Codex: templates.IdentityCodex, models.GPT: templates.IdentityGPT,
	models.Gemini: templates.IdentityGemini, models.Gemma: templates.IdentityGemini, models.Claude: templates.IdentityClaude,
	models.Trinity: templates.IdentityTrinity, models.Kimi: templates.IdentityKimi,
}

// identity says who the assistant is: in the words of the request, of the
// agent, or of foreword in the style that the model's family follows best.
func identity(in *Input) []Source {
	return []Source{{
		Key: "core/identity", Group: "identity", Layer: Core, Title: "Identity",
		Observe: func(context.Context) Observation {
			agent := in.Agent
			switch {
			case strings.TrimSpace(in.ownPrompt()) != "":
				return say("prompt of the request", in.ownPrompt(), "the request says who the assistant is")
			case agent.Prompt != "":
				return agentPrompt(agent)
			case agent.Text != "":
				return in.sayTemplate(agent.Text, fmt.Sprintf("the agent %q has a prompt of its own", agent.Name))
			}
			name, why := in.familyIdentity()
			o := in.sayTemplate(name, why)
			if agent.Name != "" && !agent.BuiltIn && o.Status == Present {
				from := lineCount(o.Text)
				o.Text += fmt.Sprintf("\n\nYou act as the agent %q.", agent.Name)
				o.Origins = append(o.Origins, Origin{Name: "agent of the request", FromLine: from, ToLine: from + 2})
			}
			return o
		},
	}}
}

func (in *Input) familyIdentity() (name templates.Name, why string) {
	family, why := in.Model.Family, in.Model.Why
	if in.Compat == "opencode" {
		family = models.CompatOpencode(in.Model.ID)
		why = fmt.Sprintf("opencode takes %q for one of the family %s", in.Model.ID, family)
	} else if in.Compact {
		return templates.IdentityCompact, "the request asks for the short forms"
	}
	if name, ok := identities[family]; ok {
		return name, why
	}
	return templates.IdentityDefault, why
}

// agentPrompt says what a settings file declares. Its lines are those of the
// file only where the file writes them so; the account points at the beginning.
func agentPrompt(agent agents.Agent) Observation {
	text := strings.Trim(strings.ReplaceAll(agent.Prompt, "\r\n", "\n"), "\n")
	o := say(fmt.Sprintf("agent %s", agent.Name), text, fmt.Sprintf("the agent %q has a prompt of its own", agent.Name))
	if agent.File != "" {
		o.Origins[0].Name = ""
		o.Origins[0].Path, o.Origins[0].FileFrom, o.Origins[0].FileTo = agent.File, agent.Line-1, agent.Line
	}
	return o
}
