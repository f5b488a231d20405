package commands

// StatusParams may name a file to be told about.
type StatusParams struct {
	// URI of a file; with it the answer says how many instructions apply there.
	URI string `json:"uri,omitempty"`
	// Model whose counter is used.
	Model string `json:"model,omitempty"`
}

// StatusResult is what the server is working with.
type StatusResult struct {
	Head
	// Server is the version of the program.
	Server string `json:"server"`
	// Go is the version it was built with.
	Go string `json:"go"`
	// Platform is the operating system and processor.
	Platform string `json:"platform"`
	// Folders of the workspace.
	Folders []FolderStatus `json:"folders"`
	// Profile in force.
	Profile string `json:"profile"`
	// Settings with the origin of each value.
	Settings []SettingStatus `json:"settings"`
	// Watcher says how changes on disk are noticed.
	Watcher string `json:"watcher"`
	// Caches and their sizes.
	Caches []CacheStatus `json:"caches"`
	// Buffers is the number of open documents.
	Buffers int `json:"buffers"`
	// Sessions is the number of conversations remembered.
	Sessions int `json:"sessions"`
	// Instructions that apply to URI.
	Instructions *InstructionStatus `json:"instructions,omitempty"`
	// Problems found, each with what to do.
	Problems []Problem `json:"problems"`
}

// FolderStatus is one folder of the workspace.
type FolderStatus struct {
	URI     string `json:"uri"`
	Name    string `json:"name"`
	Trusted bool   `json:"trusted"`
	// Repository is the URI of the repository's root, where there is one.
	Repository string `json:"repository,omitempty"`
	// Branch that is checked out.
	Branch string `json:"branch,omitempty"`
}

// SettingStatus is one setting and where its value comes from.
type SettingStatus struct {
	Key    string `json:"key"`
	Value  any    `json:"value"`
	Origin string `json:"origin"`
}

// CacheStatus is one cache.
type CacheStatus struct {
	Name    string `json:"name"`
	Entries int    `json:"entries"`
	Hits    int    `json:"hits"`
	Misses  int    `json:"misses"`
}

// InstructionStatus counts the instruction files of one file.
type InstructionStatus struct {
	URI string `json:"uri"`
	// Applies is the number of files that are sent.
	Applies int `json:"applies"`
	// Tokens of their text.
	Tokens int `json:"tokens"`
	// LeftOut is the number of files that are not.
	LeftOut int `json:"leftOut"`
	// Counter is exact or estimate.
	Counter string `json:"counter"`
}

// Problem is something that a person should mend.
type Problem struct {
	Severity string `json:"severity" enum:"error,warning,info"`
	Message  string `json:"message"`
	URI      string `json:"uri,omitempty"`
	Line     int    `json:"line,omitempty"`
}
