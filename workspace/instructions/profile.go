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
	// Same is what makes two entries one: path, real-path, or content (which
	// is real-path and content).
	Same string `toml:"same"`
	// Trust names what must hold before project files are read.
	Trust TrustRule `toml:"trust"`
	// Exclude names the setting with patterns of files to leave out.
	Exclude string `toml:"exclude"`
	// Imports is how files pull in other files.
	Imports ImportRule `toml:"imports"`
	// Comments is keep, or strip-blocks: HTML comments that stand as a block
	// are not sent.
	Comments string `toml:"comments"`
	// Frame is what stands around each file in the text that is sent.
	Frame Frame `toml:"frame"`
	// Events lists the kinds of events that count as a read.
	Events []string `toml:"events"`
	// Steps in the order in which the tool loads, which is that of the prompt.
	Steps []Step `toml:"step"`
}

// RuleSource is where a rule comes from.
type RuleSource struct {
	Versions string `toml:"versions"`
	Source   string `toml:"source"`
	Checked  string `toml:"checked"`
}

// SettingsFile is a file of the tool in which settings stand.
type SettingsFile struct {
	Path   string `toml:"path"`
	Format string `toml:"format"` // toml, json (comments allowed), yaml
	// Keys that are taken from it; all when empty. A project's file may not
	// set what only the user may.
	Keys []string `toml:"keys"`
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
	// Bytes bounds one chain; 0 for no bound.
	Bytes int `toml:"bytes"`
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

	Personal bool `toml:"personal"`
	// CapBytes bounds what the step sends in all; CapSetting names the setting
	// that changes it.
	CapBytes   int    `toml:"cap_bytes"`
	CapSetting string `toml:"cap_setting"`
	// FileChars bounds one file in characters: a larger one is left out.
	FileChars int `toml:"file_chars"`
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
}

// WalkStep looks for names in every directory of a path.
type WalkStep struct {
	Names        []string `toml:"names"`
	NamesSetting string   `toml:"names_setting"` // replaces Names
	MoreSetting  string   `toml:"more_setting"`  // is appended to Names
	// From is where the walk begins: marker, root, home, filesystem, cwd.
	From string `toml:"from"`
	// To is where it ends: cwd (default), target, root.
	To             string   `toml:"to"`
	Markers        []string `toml:"markers"`
	MarkersSetting string   `toml:"markers_setting"`
	// NoMarker is where the walk begins when no marker is found: cwd (default),
	// root, filesystem.
	NoMarker string `toml:"no_marker"`
	// Choice in each directory: all (default), first; or first-name: the first
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
	// NearestOnly sends the nearest directory that has a file, and no other.
	NearestOnly bool `toml:"nearest_only"`
	// FoldCase accepts a name in any case.
	FoldCase bool `toml:"fold_case"`
}

// RulesStep reads folders of rules.
type RulesStep struct {
	Dirs []string `toml:"dirs"`
	// At is root (default), home, chain (every directory from the root to the
	// target) or cwd-chain (to the directory in which the tool was started).
	At        string   `toml:"at"`
	Suffixes  []string `toml:"suffixes"` // .md, .mdc; all files when empty
	Recursive bool     `toml:"recursive"`
	SkipDirs  []string `toml:"skip_dirs"`
	// Beside marks names that count as rules in any directory of the chain
	// (such as rules.md), scoped to it.
	Beside []string `toml:"beside"`
	Reader string   `toml:"reader"` // none, yaml, vscode, cursor, continue
	// Globs, Regex, Always, Description and Trigger are keys of the header.
	Globs       []string `toml:"globs"`
	GlobTypes   []string `toml:"glob_types"` // string, list; both when empty
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
}

// ListedStep reads the files that a setting lists.
type ListedStep struct {
	Setting string   `toml:"setting"`
	Default []string `toml:"default"`
	// Base of relative paths: root (default), cwd, up (every directory from cwd
	// to the root, nearest first), declaring (the folder of the settings file).
	Base  string `toml:"base"`
	Globs bool   `toml:"globs"`
	// Folders reads every file of a directory that is listed.
	Folders bool `toml:"folders"`
	URLs    bool `toml:"urls"`
}

//go:embed profiles/*.toml
var profileFiles embed.FS

// loaded parses the embedded profiles once.
var loaded = sync.OnceValues(func() (map[string]*Profile, error) {
	entries, err := profileFiles.ReadDir("profiles")
	if err != nil {
		return nil, err
	}
	profiles := map[string]*Profile{}
	for _, entry := range entries {
		raw, err := profileFiles.ReadFile("profiles/" + entry.Name())
		if err != nil {
			return nil, err
		}
		p, err := ParseProfile(raw)
		if err != nil {
			return nil, fmt.Errorf("profiles/%s: %w", entry.Name(), err)
		}
		profiles[p.Name] = p
	}
	return profiles, nil
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
	profiles, err := loaded()
	if err != nil {
		return nil, false, err
	}
	if name == "" || name == "any" {
		name = Own
	}
	p, ok := profiles[name]
	return p, ok, nil
}

// Own is the name of foreword's own profile.
const Own = "foreword"

// ProfileNames lists the profiles, ours first, the others by name.
func ProfileNames() []string {
	profiles, err := loaded()
	if err != nil {
		return nil
	}
	names := make([]string, 0, len(profiles))
	for name := range profiles {
		if name != Own {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return append([]string{Own}, names...)
}

// check refuses values that the engine does not know.
func (p *Profile) check() error {
	if p.Name == "" || p.Title == "" {
		return fmt.Errorf("want name and title")
	}
	if p.Rule.Source == "" || p.Rule.Checked == "" {
		return fmt.Errorf("%s: want rule.source and rule.checked", p.Name)
	}
	type choice struct {
		what, value string
		known       []string
	}
	choices := []choice{
		{"same", p.Same, []string{"", "path", "real-path", "content"}},
		{"comments", p.Comments, []string{"", "keep", "strip-blocks"}},
		{"imports.dialect", p.Imports.Dialect, []string{"", "none", "claude", "gemini", "goose", "codecompanion"}},
		{"imports.confine", p.Imports.Confine, []string{"", "root", "approval"}},
		{"imports.failure", p.Imports.Failure, []string{"", "keep", "comment"}},
		{"imports.place", p.Imports.Place, []string{"", "after", "inline"}},
	}
	for i, s := range p.Steps {
		at := fmt.Sprintf("step[%d].", i)
		parts := 0
		if f := s.Files; f != nil {
			parts++
			choices = append(choices, choice{at + "files.base", f.Base, []string{"", "root", "cwd"}},
				choice{at + "files.choice", f.Choice, []string{"", "all", "first", "first-non-blank"}})
		}
		if w := s.Walk; w != nil {
			parts++
			choices = append(choices,
				choice{at + "walk.from", w.From, []string{"marker", "root", "home", "filesystem", "cwd"}},
				choice{at + "walk.to", w.To, []string{"", "cwd", "target", "root"}},
				choice{at + "walk.no_marker", w.NoMarker, []string{"", "cwd", "root", "filesystem"}},
				choice{at + "walk.choice", w.Choice, []string{"", "all", "first", "first-name"}},
				choice{at + "walk.below_choice", w.BelowChoice, []string{"", "all", "first"}},
				choice{at + "walk.order", w.Order, []string{"", "outermost", "nearest", "sorted"}},
				choice{at + "walk.below_order", w.BelowOrder, []string{"", "outermost", "nearest"}},
				choice{at + "walk.below", w.Below, []string{"", "out-of-scope", "on-read", "listed", "sent"}})
		}
		if r := s.Rules; r != nil {
			parts++
			choices = append(choices,
				choice{at + "rules.at", r.At, []string{"", "root", "home", "chain", "cwd-chain"}},
				choice{at + "rules.reader", r.Reader, []string{"none", "yaml", "vscode", "cursor", "continue"}},
				choice{at + "rules.base", r.Base, []string{"", "root", "dir"}},
				choice{at + "rules.absent", r.Absent, []string{"", "always", "manual", "model-decides", "none"}},
				choice{at + "rules.wrong_type", r.WrongType, []string{"", "always", "never", "absent"}},
				choice{at + "rules.broken", r.Broken, []string{"", "always", "never"}},
				choice{at + "rules.fires", r.Fires, []string{"", "launch", "read"}},
				choice{at + "rules.order", r.Order, []string{"", "path", "name"}})
		}
		if l := s.Listed; l != nil {
			parts++
			choices = append(choices, choice{at + "listed.base", l.Base, []string{"", "root", "cwd", "up", "declaring"}})
		}
		if parts != 1 {
			return fmt.Errorf("%s: step[%d]: want exactly one of files, walk, rules, listed", p.Name, i)
		}
	}
	for _, c := range choices {
		if !slices.Contains(c.known, c.value) {
			return fmt.Errorf("%s: %s is %q; want one of %q", p.Name, c.what, c.value, c.known)
		}
	}
	return nil
}
