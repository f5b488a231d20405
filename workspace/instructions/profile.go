package instructions

import (
	"embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
)

// Profile is how one tool loads instruction files. It is read from a data file
// in profiles/, whose README says what each key means; a tool that has no new
// kind of rule needs no Go code.
type Profile struct {
	// Name is what people call the tool in settings and on the command line.
	Name string `toml:"name"`
	// Title is the tool's own name.
	Title string `toml:"title"`
	// Newest is the newest version that the rules were checked for; it counts
	// where nobody names a version.
	Newest string `toml:"newest"`
	// Rule is where the rules come from, unless a step says otherwise.
	Rule RuleSource `toml:"rule"`
	// Settings are the tool's own files that are read for settings.
	Settings []SettingsFile `toml:"settings"`
	// Defaults of settings, by dotted key.
	Defaults map[string]any `toml:"defaults"`
	// FileBytes is how much of one file is told; 0 for all.
	FileBytes int `toml:"file_bytes"`
	// Same is what makes two entries one: path, real-path, or content (which
	// is real-path and content).
	Same string `toml:"same"`
	// Trust names what must hold before project files are read.
	Trust TrustRule `toml:"trust"`
	// Exclude names the setting with patterns of files to leave out.
	Exclude string `toml:"exclude"`
	// Env maps variables of the environment to the settings that they stand
	// for; they hold over files.
	Env map[string]string `toml:"env"`
	// Concat names settings whose lists add up over the files.
	Concat []string `toml:"concat"`
	// Never names files that people expect the tool to read, and why it does not.
	Never []NeverRule `toml:"never"`
	// SkillNames says which of two skills of one name counts, in the order of
	// the steps: first, last, or all when empty.
	SkillNames string `toml:"skill_names"`
	// Imports is how files pull in other files.
	Imports ImportRule `toml:"imports"`
	// Comments is keep, or strip-blocks: HTML comments that stand as a block
	// are not sent.
	Comments string `toml:"comments"`
	// Frame is what stands around each file in the text that is sent; of
	// Frames, the first whose versions hold counts in its place.
	Frame  Frame   `toml:"frame"`
	Frames []Frame `toml:"frames"`
	// Events lists the kinds of events that count as a read.
	Events []string `toml:"events"`
	// OrderSetting names the setting whose value nearest-first turns the order of
	// walks and folders of rules round.
	OrderSetting string `toml:"order_setting"`
	// OthersSetting names the setting that must be true for the project's files
	// written for one other tool to be sent.
	OthersSetting string `toml:"others_setting"`
	// Steps in the order in which the tool loads, which is that of the prompt.
	Steps []Step `toml:"step"`
}

// RuleSource is where a rule comes from.
type RuleSource struct {
	Versions string `toml:"versions"`
	Source   string `toml:"source"`
	Checked  string `toml:"checked"`
	// Doubt is what is not known for certain; it is said in every reason.
	Doubt string `toml:"doubt"`
}

// NeverRule tells about names that a tool does not read, where that surprises.
type NeverRule struct {
	// Names, each with the folders before it, of any directory.
	Names []string `toml:"names"`
	Why   string   `toml:"why"`
}

// SettingsFile is a file of the tool in which settings stand.
type SettingsFile struct {
	Path   string `toml:"path"`
	Format string `toml:"format"` // toml, json (comments allowed), yaml
	// Keys that are taken from it; all when empty. A project's file may not
	// set what only the user may.
	Keys []string `toml:"keys"`
	// At is empty for the place that Path says, or chain: below every directory
	// from the root to the one in which the tool was started, the latter last.
	At string `toml:"at"`
	// Variable of the environment that holds the text itself, in place of Path.
	Variable string `toml:"variable"`
	// Unless names a setting that, where it is true, keeps the file from being read.
	Unless string `toml:"unless"`
}

// TrustRule asks for a trusted folder: where the setting When is true (or is
// empty), the setting Is must be true.
type TrustRule struct {
	When string `toml:"when"`
	Is   string `toml:"is"`
}

// ImportRule is a dialect of imports and its limits.
type ImportRule struct {
	Dialect string `toml:"dialect"`
	// Hops is how many files deep imports are followed.
	Hops int `toml:"hops"`
	// Confine is root (never outside), approval (outside only when trusted),
	// or file (the folder of the importing file).
	Confine string `toml:"confine"`
	// Failure is keep (the token stays as text) or comment (it becomes an HTML
	// comment that says so).
	Failure string `toml:"failure"`
	// Place is after (the imported file follows as a file of its own) or inline.
	Place string `toml:"place"`
	// Bytes bounds one chain, Files how many it may put in; 0 for no bound.
	Bytes int `toml:"bytes"`
	Files int `toml:"files"`
	// Absolute and Home say whether @/x and @~/x are followed.
	Absolute bool `toml:"absolute"`
	Home     bool `toml:"home"`
	// Before and After stand around a file that is put in, Failed stands for one
	// that cannot be, Repeated for one that is in already; {path} is the path as
	// written, {reason} why.
	Before   string `toml:"before"`
	After    string `toml:"after"`
	Failed   string `toml:"failed"`
	Repeated string `toml:"repeated"`
	// RootAgain is the fault of one tool: the file that begins the chain is
	// not remembered, so a cycle embeds it once more.
	RootAgain bool `toml:"root_again"`
}

// Frame is the text around one file. {path}, {absolute} and {scope} stand for
// those of the entry.
type Frame struct {
	Before string `toml:"before"`
	After  string `toml:"after"`
	Join   string `toml:"join"`
	// Between stands between the user's files and the project's.
	Between string `toml:"between"`
	// Versions for which the frame holds; empty for all.
	Versions string `toml:"versions"`
	// Read stands around all that a read adds; without it those files follow
	// like the others.
	Read *ReadFrame `toml:"read"`
}

// ReadFrame is the text around the files that a read adds.
type ReadFrame struct {
	Before string `toml:"before"`
	Join   string `toml:"join"`
	After  string `toml:"after"`
}

// Step is one stage of loading. Steps run in order, which is the order of the
// prompt.
type Step struct {
	ID string `toml:"id"`
	// Versions for which the step holds, such as ">=2.1.277"; empty for all.
	Versions string     `toml:"versions"`
	Rule     RuleSource `toml:"rule"`
	// Off names a setting that switches the step off when it has the value.
	Enabled SettingIs `toml:"enabled"`
	// UnlessStep switches the step off when one of these steps found a file;
	// what it would have read is hidden.
	UnlessStep []string `toml:"unless_step"`
	// Why completes "…" in the reason of what the step sends; {n} levels, {name}.
	Why string `toml:"why"`
	// HiddenWhy is the reason of what UnlessStep hides.
	HiddenWhy string `toml:"hidden_why"`

	Files  *FilesStep  `toml:"files"`
	Walk   *WalkStep   `toml:"walk"`
	Rules  *RulesStep  `toml:"rules"`
	Listed *ListedStep `toml:"listed"`
	// Configured reads what foreword's own settings name: the user's where the
	// step is personal, the workspace's and the editor's where it is not.
	Configured bool `toml:"configured"`

	Personal bool `toml:"personal"`
	// CapBytes bounds what the step sends in all; CapSetting names the setting
	// that changes it.
	CapBytes   int    `toml:"cap_bytes"`
	CapSetting string `toml:"cap_setting"`
	// FileChars bounds one file in characters: a larger one is left out.
	FileChars int `toml:"file_chars"`

	// OS lists the systems (as Go names them) on which the step exists; all
	// when empty.
	OS []string `toml:"os"`
	// Group joins steps that follow each other into one walk: what they find is
	// ordered by directory, and in one directory by step.
	Group string `toml:"group"`
	// Events in place of the profile's.
	Events []string `toml:"events"`
	// Forced files are not left out by the tool's own exclude setting.
	Forced bool `toml:"forced"`
	// DropIgnored leaves out what git ignores.
	DropIgnored bool `toml:"drop_ignored"`
	// Blank says which files are skipped: white-space (default), empty (of no
	// byte), or never.
	Blank string `toml:"blank"`
	// Twins counts links to one file that the step itself found as files of
	// their own.
	Twins bool `toml:"twins"`
	// Directory is listed where the tool takes a directory of the name for a
	// file, and names it to the model.
	Directory string `toml:"directory"`
}

// SettingIs is a condition on a setting.
type SettingIs struct {
	Setting string `toml:"setting"`
	In      []any  `toml:"in"`
}

// FilesStep reads files at fixed places.
type FilesStep struct {
	Paths  []string `toml:"paths"`  // ~/x, ${VAR:-~/x}/y, or relative to Base
	Base   string   `toml:"base"`   // root (default), cwd
	Choice string   `toml:"choice"` // all (default), first, first-non-blank
	// Names stand for {name} in a path, in this order; NamesSetting replaces them.
	Names        []string `toml:"names"`
	NamesSetting string   `toml:"names_setting"`
	// Drop lists paths that are not read where DropSetting is true.
	Drop        []string `toml:"drop"`
	DropSetting string   `toml:"drop_setting"`
}

// WalkStep looks for names in every directory of a path.
type WalkStep struct {
	Names        []string `toml:"names"`
	NamesSetting string   `toml:"names_setting"` // replaces Names
	MoreSetting  string   `toml:"more_setting"`  // is appended to Names
	// Drop lists names that are not read where DropSetting is true.
	Drop        []string `toml:"drop"`
	DropSetting string   `toml:"drop_setting"`
	// From is where the walk begins: marker, root, home (the root of the disk
	// where the walk is not below home), home-or-root, filesystem, cwd.
	From string `toml:"from"`
	// To is where it ends: cwd (default), target, root.
	To             string   `toml:"to"`
	Markers        []string `toml:"markers"`
	MarkersSetting string   `toml:"markers_setting"`
	// NoMarker is where the walk begins when no marker is found: cwd (default),
	// root, filesystem.
	NoMarker string `toml:"no_marker"`
	// Choice in each directory: all (default), first, first-non-blank; or first-name: the first
	// name that is found anywhere counts for all directories.
	Choice string `toml:"choice"`
	// Order: outermost (default), nearest, sorted.
	Order string `toml:"order"`
	// FromAfter leaves out the directory in which the walk begins.
	FromAfter bool `toml:"from_after"`
	// Below is what becomes of files between the end of the walk and the
	// target: out-of-scope (default), on-read, listed, sent.
	Below string `toml:"below"`
	// BelowSetting must be true for Below to hold; else needs-setting.
	BelowSetting string   `toml:"below_setting"`
	BelowNames   []string `toml:"below_names"`
	BelowChoice  string   `toml:"below_choice"`
	BelowOrder   string   `toml:"below_order"`
	BelowCap     int      `toml:"below_cap"` // files per event
	// BelowBytes bounds what one event adds.
	BelowBytes int `toml:"below_bytes"`
	// BelowHolds is a name that a directory must hold to be looked into.
	BelowHolds string `toml:"below_holds"`
	// BelowPrefix is the fault of one tool: a directory counts as below where
	// its path merely begins with the same characters.
	BelowPrefix bool `toml:"below_prefix"`
	// BelowNotItself leaves out the file that was read.
	BelowNotItself bool `toml:"below_not_itself"`
	// OnlyBelow looks into no directory of the walk itself.
	OnlyBelow bool `toml:"only_below"`
	// NearestOnly sends the nearest directory that has a file, and no other.
	NearestOnly bool `toml:"nearest_only"`
	// FoldCase accepts a name in any case.
	FoldCase bool `toml:"fold_case"`
}

// RulesStep reads folders of rules.
type RulesStep struct {
	Dirs []string `toml:"dirs"`
	// At is root (default), cwd, home, chain (every directory from the root to
	// the target), cwd-chain (to the directory in which the tool was started),
	// filesystem-chain (so, from the root of the disk), or places: Dirs are
	// written as the paths of files are, relative to where the tool was started.
	At string `toml:"at"`
	// Below is what becomes of folders between the directory in which the tool
	// was started and the target: empty for nothing, on-read, or sent.
	Below string `toml:"below"`
	// BelowSetting must be true for Below to hold; else needs-setting.
	BelowSetting string   `toml:"below_setting"`
	Suffixes     []string `toml:"suffixes"` // .md, .mdc; all files when empty
	Recursive    bool     `toml:"recursive"`
	SkipDirs     []string `toml:"skip_dirs"`
	// Beside marks names that count as rules in any directory of the chain
	// (such as rules.md), scoped to it.
	Beside []string `toml:"beside"`
	Reader string   `toml:"reader"` // none, yaml, vscode, cursor, continue
	// Globs, Regex (patterns of the target's text), Always, Description and
	// Trigger are keys of the header.
	Globs       []string `toml:"globs"`
	GlobTypes   []string `toml:"glob_types"` // string, list; both when empty
	Regex       string   `toml:"regex"`
	Always      string   `toml:"always"`
	Description string   `toml:"description"`
	Trigger     string   `toml:"trigger"`
	Split       string   `toml:"split"`
	Dialect     string   `toml:"dialect"`
	// Base of the patterns: root (default) or dir (the directory that holds
	// the folder of rules).
	Base string `toml:"base"`
	// Absent is the mode of a rule without the keys: always (default), manual,
	// model-decides, none.
	Absent string `toml:"absent"`
	// WrongType is what a value of the wrong type means: always, never, absent.
	WrongType string `toml:"wrong_type"`
	// Broken is what a header that cannot be read means: always, never.
	Broken string `toml:"broken"`
	// Fires is launch (default) or read: when a scoped rule is sent.
	Fires string `toml:"fires"`
	// Order: path (default) or name (lower-case base name).
	Order string `toml:"order"`
	// Body sends only what follows the header; else the file is sent whole.
	Body bool `toml:"body"`
	// SkipKey is a key of the header whose value, or one of them, being one of
	// SkipValues leaves the rule out.
	SkipKey    string   `toml:"skip_key"`
	SkipValues []string `toml:"skip_values"`
	// Skill says that the files are skills, and what the tool wants of them.
	Skill *SkillRule `toml:"skill"`
}

// SkillRule is what a tool wants of a skill before it tells the model of it.
type SkillRule struct {
	// Folder is same (the name must be the folder's), same-fold (in any case),
	// or empty (the folder does not count).
	Folder string `toml:"folder"`
	// Described skills only.
	Described bool `toml:"described"`
	// Broken is kept where a header that cannot be read costs the skill no more
	// than its name and description, or lines where those are then looked for
	// line by line.
	Broken string `toml:"broken"`
	// Depth is how many folders deep a skill may lie; 0 for any.
	Depth int `toml:"depth"`
}

// ListedStep reads the files that a setting lists.
type ListedStep struct {
	Setting string   `toml:"setting"`
	Default []string `toml:"default"`
	// Base of relative paths: root (default), cwd, up (every directory from cwd
	// to the root, nearest first), or a place that begins with ~ or $.
	Base  string `toml:"base"`
	Globs bool   `toml:"globs"`
	// Folders reads every file of a directory that is listed.
	Folders bool `toml:"folders"`
	URLs    bool `toml:"urls"`
	// Shallow says that wildcards of a path from ~/ or from the root of the disk
	// count in its last segment alone, and match no leading dot.
	Shallow bool `toml:"shallow"`
	// Within leaves out what really lies outside the base.
	Within bool `toml:"within"`
	// First lists names that go first among what one pattern finds, in this order.
	First []string `toml:"first"`
	// ExcludeSetting names patterns of names, or of paths from the base, that
	// are left out.
	ExcludeSetting string `toml:"exclude_setting"`
}

//go:embed profiles/*.toml
var profileFiles embed.FS

// loadedProfile is an embedded profile, or what is wrong with its file.
type loadedProfile struct {
	profile *Profile
	err     error
}

// loaded parses the embedded profiles once, by the names of their files. A
// broken one costs itself only.
var loaded = sync.OnceValue(func() map[string]loadedProfile {
	entries, err := profileFiles.ReadDir("profiles")
	if err != nil {
		panic(err) // what is embedded is there
	}
	profiles := map[string]loadedProfile{}
	for _, entry := range entries {
		name := strings.TrimSuffix(entry.Name(), ".toml")
		raw, err := profileFiles.ReadFile("profiles/" + entry.Name())
		var p *Profile
		if err == nil {
			p, err = ParseProfile(raw)
		}
		if err == nil && p.Name != name {
			err = fmt.Errorf("its name is %q; want that of the file", p.Name)
		}
		if err != nil {
			err = fmt.Errorf("profiles/%s: %w", entry.Name(), err)
		}
		profiles[name] = loadedProfile{p, err}
	}
	return profiles
})

// ParseProfile reads a profile's data file and refuses one that the engine
// would not understand.
func ParseProfile(raw []byte) (*Profile, error) {
	p := &Profile{}
	decoder := toml.NewDecoder(strings.NewReader(string(raw)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(p); err != nil {
		var unknown *toml.StrictMissingError
		if errors.As(err, &unknown) {
			return nil, fmt.Errorf("not a profile: unknown key\n%s", unknown.String())
		}
		return nil, fmt.Errorf("not a profile: %w", err)
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	return p, nil
}

// LookupProfile finds a profile by name. The name any stands for foreword.
func LookupProfile(name string) (*Profile, bool, error) {
	if name == "" || name == "any" {
		name = Own
	}
	found, ok := loaded()[name]
	return found.profile, ok, found.err
}

// Own is the name of foreword's own profile.
const Own = "foreword"

// ProfileNames lists the profiles, ours first, the others by name.
func ProfileNames() []string {
	profiles := loaded()
	names := make([]string, 0, len(profiles))
	for name := range profiles {
		if name != Own {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return append([]string{Own}, names...)
}
