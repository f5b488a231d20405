package commands

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"foreword/promptbuilder"
	"foreword/promptbuilder/earlier"
	"foreword/promptbuilder/epoch"
	"foreword/promptbuilder/epoch/store"
	"foreword/promptbuilder/history"
	"foreword/promptbuilder/hooks"
	"foreword/promptbuilder/tokens"
	"foreword/promptbuilder/wire"
	"foreword/workspace"
	"foreword/workspace/fsys"
	"foreword/workspace/trust"
)

// Options are what a service needs of its surroundings; nothing else of the
// machine is looked at.
type Options struct {
	// Roots are the workspace folders.
	Roots []workspace.Folder
	// Home folder, absolute; empty for none.
	Home string
	// Env looks up an environment variable; nil means that none is set.
	Env func(string) string
	// Now is the clock that prompts tell; nil means the real one.
	Now func() time.Time
	// Environ lists NAME=value pairs that programs of the configuration may be
	// given; nil means the few that every program needs, as Env tells them.
	Environ func() []string
	// Version of the program.
	Version string
	// Forgetful keeps sessions in memory only.
	Forgetful bool
	// Disk below the open buffers; nil means the real one.
	Disk fsys.FS
	// Fetcher gets the addresses that the settings name; nil means the network.
	Fetcher AddressFetcher
	// AddressChanged is told, from another goroutine, that an address says
	// something else than before.
	AddressChanged func(address string)
	// Collect asks the editor what it adds to a prompt; nil for an editor that
	// adds nothing.
	Collect func(context.Context, CollectSectionsParams) (*CollectSectionsResult, error)
	// Log receives what a person may want to read later; levels are those of
	// the language server protocol: error, warning, info, log.
	Log func(level, message string)
}

// Service answers the commands of one workspace. Its methods may be called at
// once from several goroutines; each works on the snapshot that is newest when
// it begins.
type Service struct {
	workspace *workspace.Workspace
	trust     *trust.Store
	ledger    *epoch.Ledger
	recent    recent
	counts    *tokens.Cache
	bodies    *wire.Memory
	repos     *repositories
	addresses *addresses
	logs      earlier.Logs // of other tools
	programs  *programs
	collect   func(context.Context, CollectSectionsParams) (*CollectSectionsResult, error)
	now       func() time.Time
	version   string
	log       func(level, message string)
	trustFile string
	system    string // name and version of the operating system
	// hookMemory remembers what hooks added last.
	hookMemory hooks.Memory

	mu           sync.Mutex // guards all below
	watcher      string
	messageCosts map[string]*history.Costs
}

// countedTexts bounds the memory of token counts: an entry is a hash and a
// number, so this is about a megabyte.
const countedTexts = 16_384

// renderedBytes bounds the memory of rendered conversations: a request of the
// largest windows has about four megabytes, most have less than one.
const renderedBytes = 32 << 20

// Open builds a workspace and what is remembered beside it.
func Open(o Options) (*Service, error) {
	if o.Env == nil {
		o.Env = func(string) string { return "" }
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = func(string, string) {}
	}
	for _, root := range o.Roots {
		if !filepath.IsAbs(root.Path) {
			return nil, fmt.Errorf("workspace folder %q: want an absolute path", root.Path)
		}
	}
	s := &Service{
		messageCosts: map[string]*history.Costs{},
		counts:       tokens.NewCache(countedTexts),
		bodies:       wire.NewMemory(renderedBytes),
		repos:        newRepositories(o.Env, o.Home),
		addresses:    newAddresses(o),
		now:          o.Now,
		version:      o.Version,
		log:          o.Log,
		trustFile:    trust.StateFile(o.Home, o.Env),
		system:       systemName(),
		watcher:      "none: files are looked at again when they are used",
	}
	s.trust = trust.Open(s.trustFile, o.Now)
	s.programs, s.collect = newPrograms(o, s.trust), o.Collect
	s.ledger = epoch.NewLedger(epoch.Options{
		Now: o.Now, Open: openSessions(o), Warn: func(message string) { o.Log("warning", message) },
		Thaw: func(raw []byte) (epoch.Baseline, error) { return promptbuilder.Thaw(raw) },
	})
	s.workspace = workspace.New(workspace.Options{
		Home: o.Home, Env: o.Env, Now: o.Now, Disk: o.Disk, Folders: o.Roots, Log: o.Log,
		UserTrust: s.trust.Trusted,
	})
	return s, nil
}

// Close ends what the service started.
func (s *Service) Close() error {
	s.addresses.close()
	s.repos.files.close()
	return s.ledger.Close()
}

// openSessions opens the file of sessions when the first one is used; without a
// home folder there is none.
func openSessions(o Options) func(context.Context) (*store.Store, error) {
	path := store.Path(o.Home, o.Env)
	if path == "" || o.Forgetful {
		return nil
	}
	return func(ctx context.Context) (*store.Store, error) { return store.Open(ctx, path, o.Now) }
}

// Workspace is what the events of an editor are applied to.
func (s *Service) Workspace() *workspace.Workspace { return s.workspace }

type snapshotKey struct{}

// WithSnapshot makes the commands that are called with the context answer for
// this snapshot, the one that was newest when their request was read.
func WithSnapshot(ctx context.Context, snap *workspace.Snapshot) context.Context {
	return context.WithValue(ctx, snapshotKey{}, snap)
}

func (s *Service) snapshot(ctx context.Context) *workspace.Snapshot {
	if snap, ok := ctx.Value(snapshotKey{}).(*workspace.Snapshot); ok {
		return snap
	}
	return s.workspace.Snapshot()
}

// SetWatcher tells how changes on disk are noticed, for the status.
func (s *Service) SetWatcher(description string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watcher = description
}

func (s *Service) watching() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.watcher
}

// FilesChanged forgets what was remembered of these paths and of the
// repositories they belong to.
func (s *Service) FilesChanged(paths []string) {
	s.workspace.FilesChanged(paths)
	s.repos.filesChanged(paths)
}

// costs remembers what messages cost by the counter.
func (s *Service) costs(c tokens.Counter) history.CostCache {
	s.mu.Lock()
	defer s.mu.Unlock()
	name := counterName(c)
	if s.messageCosts[name] == nil {
		s.messageCosts[name] = history.NewCosts(countedTexts)
	}
	return s.messageCosts[name]
}

// counterName tells counters apart that count differently.
func counterName(c tokens.Counter) string {
	return fmt.Sprintf("%s %s %s %g", c.Encoding, c.Family, c.Kind(), c.PlanningBound)
}

// counter is the counter for a model, with a function that remembers counts.
func (s *Service) counter(model string) (tokens.Counter, func(string) int) {
	c := tokens.ForModel(model)
	return c, func(text string) int { return s.counts.Count(c, text) }
}

func platform() string { return runtime.GOOS + " " + runtime.GOARCH }

func configDir(home string, env func(string) string) string {
	if dir := env("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "foreword")
	}
	if home == "" {
		return ""
	}
	return filepath.Join(home, ".config", "foreword")
}

func head() Head { return Head{Version: Version, Warnings: []Warning{}} }
