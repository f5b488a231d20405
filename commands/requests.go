package commands

import (
	"context"
	"reflect"
	"time"

	"foreword/promptbuilder/hooks"
)

// Request is a request that the server sends to a client which offers to
// answer it.
type Request struct {
	// Name is the method on the wire.
	Name string
	// Summary says in one sentence what is asked.
	Summary string
	// Params and Result are the struct types of the two sides.
	Params, Result reflect.Type
}

// Requests lists them, in the order of the reference. The server sends them only
// to clients that list the name in [InitializationOptions].
func Requests() []Request {
	return []Request{
		{CollectSectionsMethod,
			"Asks what the editor adds to a prompt, or changes in it, before it is said.", reflect.TypeFor[CollectSectionsParams](), reflect.TypeFor[CollectSectionsResult]()},
	}
}

// editorPatience is how long a prompt waits for the editor: its callbacks run on
// the thread that draws, so a longer one would be seen.
const editorPatience = 2 * time.Second

// CollectSectionsMethod is the name of the request for what an editor adds.
const CollectSectionsMethod = "foreword/collectSections"

// CollectSectionsParams is a prompt before it is said.
type CollectSectionsParams struct {
	// URI of the file that the prompt is for.
	URI string `json:"uri,omitempty"`
	// Session of the panel.
	Session string `json:"session,omitempty"`
	// Model that the request names.
	Model string `json:"model,omitempty"`
	// Agent that the request names.
	Agent string `json:"agent,omitempty"`
	// Mode that the request names.
	Mode string `json:"mode,omitempty"`
	// Sections in the order in which they are sent.
	Sections []CollectedSection `json:"sections"`
}

// CollectedSection is a section before it is said.
type CollectedSection struct {
	// Key names the source.
	Key string `json:"key"`
	// Layer is core, cacheable or dynamic; an editor may change dynamic ones.
	Layer string `json:"layer" enum:"core,cacheable,dynamic"`
	// Title is a short heading.
	Title string `json:"title"`
	// Text is what the model is to be told.
	Text string `json:"text"`
}

// CollectSectionsResult is what an editor adds and changes. All of it stands in
// the dynamic layer.
type CollectSectionsResult struct {
	// Add are sections of the editor's own.
	Add []AddedSection `json:"add,omitempty"`
	// Edit gives dynamic sections another text.
	Edit []EditedSection `json:"edit,omitempty"`
	// Remove lists the keys of dynamic sections that are not to be sent.
	Remove []string `json:"remove,omitempty"`
	// Warnings are for the user.
	Warnings []string `json:"warnings,omitempty"`
}

// AddedSection is a section of an editor's own.
type AddedSection struct {
	// Key is letters, digits and ._/-; in the prompt the section is hook/editor/<key>.
	Key string `json:"key"`
	// Title is a short heading.
	Title string `json:"title,omitempty"`
	// Text in full.
	Text string `json:"text"`
	// Update is what the model is told when the text changed, with {text} for the new one; empty for the usual words.
	Update string `json:"update,omitempty"`
	// Removal is what the model is told when the section is gone; empty for the usual words.
	Removal string `json:"removal,omitempty"`
}

// EditedSection gives a section another text.
type EditedSection struct {
	// Key of the section.
	Key string `json:"key"`
	// Text that takes the place of the whole text.
	Text string `json:"text"`
}

// editorHook is the callback of the editor, as a hook.
type editorHook struct {
	collect func(context.Context, CollectSectionsParams) (*CollectSectionsResult, error)
}

// About says that the editor may add to the dynamic layer.
func (h editorHook) About() hooks.About {
	return hooks.About{Name: "editor", At: []hooks.Event{hooks.System}, Timeout: editorPatience, From: "the editor"}
}

// Call asks the editor.
func (h editorHook) Call(ctx context.Context, in hooks.Input) (hooks.Output, error) {
	params := CollectSectionsParams{
		URI: optionalURI(in.Target), Session: in.Session, Model: in.Model, Agent: in.Agent, Mode: in.Mode, Sections: []CollectedSection{},
	}
	for _, s := range in.Sections {
		params.Sections = append(params.Sections, CollectedSection(s))
	}
	result, err := h.collect(ctx, params)
	if err != nil {
		return hooks.Output{}, err
	}
	out := hooks.Output{Remove: result.Remove, Warnings: result.Warnings}
	for _, a := range result.Add {
		out.Add = append(out.Add, hooks.Addition{Key: a.Key, Title: a.Title, Text: a.Text, Update: a.Update, Removal: a.Removal})
	}
	for _, e := range result.Edit {
		out.Edit = append(out.Edit, hooks.Edit(e))
	}
	return out, nil
}
