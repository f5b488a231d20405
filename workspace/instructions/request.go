package instructions

import "foreword/workspace/fsys"

// Request says for which file the instruction files are wanted, whose rules
// hold, and what has happened.
type Request struct {
	// Target is the file (or folder) asked about, absolute and clean.
	Target string
	// Dir is the directory of the target.
	Dir string
	// Root is the root of the repository, else the workspace folder; Dir or an
	// ancestor of it.
	Root string
	// Cwd is the directory in which the tool was started; Root when empty.
	Cwd string
	// Home and Env are the user's.
	Home string
	Env  func(string) string
	// Event is what happened last in the session; the zero value is the launch.
	Event Event
	// Version of the tool; the newest that the profile knows when empty.
	Version string
	// Settings given in place of what stands in the tool's own files.
	Settings Settings
	// Exclude says whether a pattern of the user's own leaves out a path
	// (relative to Root, with slashes) and which one; nil for none.
	Exclude func(rel string) (pattern string, excluded bool)
	// Secret says whether a file of this path holds secrets, and why; such a
	// file is never read, under whatever name it is reached. Nil for none.
	Secret func(path string) (why string, secret bool)
	// Trusted allows links and imports that lead out of Root.
	Trusted bool
	// AnyTarget tells that whoever asks wants to know of imports for whatever
	// file, as a linter does: those of rules that do not hold for Target are
	// followed, too.
	AnyTarget bool
	// RulesOf is a directory whose folders of rules alone are read, and none beside
	// or above it, but where another step depends on them; empty for all. A linter asks
	// about each directory, and must not read a large folder for each below it.
	RulesOf string
	// Configured are the files, patterns and addresses that foreword's own
	// settings name, in order.
	Configured []Configured
	// Addresses tells what was fetched of an address; the engine fetches nothing.
	// Nil where nothing is.
	Addresses func(address string, user bool) Fetched
	// Origin says where a setting's value comes from, such as "user
	// ~/.config/foreword/foreword.toml:3"; empty for a default. Nil for nowhere.
	Origin func(setting string) string
}

// Configured is one item of the setting that names more instruction files.
type Configured struct {
	// Item is a path, a pattern or an https address, as it was written.
	Item string
	// Base is the folder that a relative path begins at.
	Base string
	// Origin says for people who names it, and where.
	Origin string
	// Path of the file of settings and Line in it, from 1; "" and 0 for none.
	Path string
	Line int
	// User tells that the user's own settings name it: it may lie anywhere.
	User bool
}

// Fetched is what is known of an address.
type Fetched struct {
	// File is its text; nil where there is none yet. It is the last one that
	// came, also where Problem says that a newer one could not be had.
	File *fsys.File
	// Problem is why there is no newer text; empty for none.
	Problem string
}

// Event is what happened in a session.
type Event struct {
	// Kind is launch (or empty), read, open, attach, edit or list.
	Kind string
	// Path of the file, absolute.
	Path string
}
