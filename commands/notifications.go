package commands

import (
	"encoding/json"
	"errors"
	"reflect"
)

// Notification is a message of foreword's own beside the commands, which only
// the language server sends or takes. All of them are optional: a client that
// knows only standard LSP reaches everything without them.
type Notification struct {
	// Name is the method on the wire.
	Name string
	// FromClient tells the direction; the others come from the server, and
	// only to clients that list the name in [InitializationOptions].
	FromClient bool
	// Summary says in one sentence what the notification is for.
	Summary string
	// Params is the struct type of its parameters.
	Params reflect.Type
}

// Notifications lists them, in the order of the reference.
func Notifications() []Notification {
	return []Notification{
		{"foreword/didFocus", true,
			"Tells which file the user looks at now.", reflect.TypeFor[DidFocusParams]()},
		{"foreword/didChangeDiagnostics", true,
			"Tells all problems that the editor shows in a file now, in place of those it told before.", reflect.TypeFor[DidChangeDiagnosticsParams]()},
		{"foreword/didChangeTrust", true,
			"Tells that the editor's user trusts a workspace folder, or no longer does.", reflect.TypeFor[DidChangeTrustParams]()},
		{"foreword/status", false,
			"Tells what the server is doing, for a status bar.", reflect.TypeFor[StatusNotificationParams]()},
		{"foreword/promptChanged", false,
			"Tells that prompts may differ from what was shown last, so that a client can ask again.", reflect.TypeFor[PromptChangedParams]()},
	}
}

// InitializationOptions is what a client may say in the initialize request.
type InitializationOptions struct {
	// Commands of the client's own that code actions and code lenses may name:
	// foreword.client.showPreview and foreword.client.showExplain. Without them
	// the server shows documents itself.
	Commands []string `json:"commands,omitempty"`
	// Notifications that the client wants to be sent.
	Notifications []string `json:"notifications,omitempty" enum:"foreword/status,foreword/promptChanged"`
	// Requests that the client answers.
	Requests []string `json:"requests,omitempty" enum:"foreword/collectSections"`
	// Trusted tells which folders the editor's user trusts: all, none, or by the folder's URI.
	Trusted *TrustedFolders `json:"trusted,omitempty"`
	// Settings with the keys of foreword.toml, for clients that cannot answer workspace/configuration.
	Settings map[string]any `json:"settings,omitempty"`
}

// TrustedFolders is a boolean for every folder, or an object with a boolean by folder URI.
type TrustedFolders struct {
	// All is the answer for folders that ByURI does not name.
	All bool
	// ByURI is the answer by the URI of the folder.
	ByURI map[string]bool
}

// UnmarshalJSON reads true, false or {"<uri>": true}.
func (t *TrustedFolders) UnmarshalJSON(raw []byte) error {
	*t = TrustedFolders{}
	if json.Unmarshal(raw, &t.All) == nil {
		return nil
	}
	if json.Unmarshal(raw, &t.ByURI) == nil {
		return nil
	}
	return errors.New("want true, false or an object with true or false for each folder URI")
}

// MarshalJSON writes what UnmarshalJSON reads.
func (t TrustedFolders) MarshalJSON() ([]byte, error) {
	if t.ByURI == nil {
		return json.Marshal(t.All)
	}
	return json.Marshal(t.ByURI)
}

// DidFocusParams is what the user looks at.
type DidFocusParams struct {
	// URI of the file.
	URI string `json:"uri"`
	// Range that is selected, or empty where the cursor is.
	Range *Range `json:"range,omitempty"`
	// Visible lists the URIs of all files that can be seen.
	Visible []string `json:"visible,omitempty"`
}

// DidChangeDiagnosticsParams are the problems of one file.
type DidChangeDiagnosticsParams struct {
	// URI of the file.
	URI string `json:"uri"`
	// Version of the document that they were found in.
	Version *int32 `json:"version,omitempty"`
	// Diagnostics are all of them, from whatever server or linter; none where the file has no problem any more.
	Diagnostics []EditorDiagnostic `json:"diagnostics"`
}

// EditorDiagnostic is one problem that the editor shows.
type EditorDiagnostic struct {
	// Range of the text that is meant.
	Range Range `json:"range"`
	// Severity is how much it matters.
	Severity string `json:"severity" enum:"error,warning,info,hint"`
	// Message for people.
	Message string `json:"message"`
	// Source is who found it, such as a compiler or a linter.
	Source string `json:"source,omitempty"`
	// Code is the rule.
	Code string `json:"code,omitempty"`
}

// DidChangeTrustParams is a decision of the editor's user.
type DidChangeTrustParams struct {
	// Folder is the URI of the workspace folder; all folders without one.
	Folder string `json:"folder,omitempty"`
	// Trusted is the decision.
	Trusted bool `json:"trusted"`
}

// StatusNotificationParams is what the server is doing.
type StatusNotificationParams struct {
	// Kind is how much it matters.
	Kind string `json:"kind" enum:"ok,info,warning,error"`
	// Message for the status bar, one line.
	Message string `json:"message"`
	// Busy tells that work is going on.
	Busy bool `json:"busy"`
}

// PromptChangedParams says what changed.
type PromptChangedParams struct {
	// URI of the file that changed, where it was one.
	URI string `json:"uri,omitempty"`
	// Session whose prompt changed; without one any prompt may have.
	Session string `json:"session,omitempty"`
	// PrefixChanged tells that the cacheable part is another one now.
	PrefixChanged bool `json:"prefixChanged"`
	// Because says in one sentence what happened.
	Because string `json:"because"`
}
