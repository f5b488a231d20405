package commands

// TrustParams changes or lists the user's trusted folders.
type TrustParams struct {
	// Folder is the URI of the folder; without one the list is only shown.
	Folder string `json:"folder,omitempty"`
	// Trusted is true to add the folder (the default), false to take it off.
	Trusted *bool `json:"trusted,omitempty"`
}

// TrustResult is the list after the change.
type TrustResult struct {
	Head
	Folders []TrustedFolder `json:"folders"`
	// File that holds the list.
	File string `json:"file"`
}

// TrustedFolder is one entry of the user's list.
type TrustedFolder struct {
	// Path is the real path of the folder.
	Path string `json:"path"`
	// Since is when it was added, RFC 3339.
	Since string `json:"since"`
}
