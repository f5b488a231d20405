package sources

import (
	"context"
	"strings"

	"foreword/promptbuilder/models"
	"foreword/promptbuilder/templates"
)

// behaviour says how to work: with a person at hand or alone, thinking in tags
// where the model does not reason by itself, using tools where it tends not to.
func behaviour(in *Input) []Source {
	return []Source{{
		Key: "core/behaviour", Group: "behaviour", Layer: Core, Title: "Way of working",
		Observe: func(context.Context) Observation {
			if strings.TrimSpace(in.ownPrompt()) != "" {
				return none("the request's own prompt says how to work")
			}
			var o Observation
			reasons := []string{}
			add := func(name templates.Name, reason string) {
				text := in.Texts.Get(name)
				if text.Text == "" {
					return // the user's own file is blank
				}
				at := 0
				if o.Text != "" {
					at = lineCount(o.Text)
					o.Text += "\n\n"
					o.Origins = append(o.Origins, Origin{Name: "behaviour", FromLine: at, ToLine: at + 1})
					at++
				}
				o.Text += text.Text
				o.Origins = append(o.Origins, templateOrigin(text, at))
				reasons = append(reasons, reason)
			}
			if in.Interactive {
				add(templates.Interactive, "a person can answer questions")
			} else {
				add(templates.Unattended, "the request says that nobody can answer questions")
			}
			if !in.Model.Reasoning {
				add(templates.Thinking, "the model is not known to reason by itself")
			}
			if len(in.Tools) > 0 && in.urgeTools() {
				add(templates.ToolUse, "models of the family "+in.Model.Family+" tend to describe what they could do with a tool")
			}
			if o.Text == "" {
				return none("the files that take the place of its texts are blank")
			}
			o.Status, o.Why = Present, strings.Join(reasons, "; ")
			return o
		},
	}}
}

func (in *Input) urgeTools() bool {
	if in.Compat == "gptme" {
		return models.CompatGptmeUrgeTools(in.Provider, in.Model.ID)
	}
	return in.Model.UrgeTools(in.Provider)
}
