package ignore

import (
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing/format/config"

	"foreword/workspace/fsys"
	"foreword/workspace/vcs"
)

// verdict is what the ignore files say about a path, whether git tracks it or not.
type verdict struct {
	ignored bool
	why     string
}

// maxRemembered is how many answers are kept: more than a large repository has files that anybody asks about. At
// some 200 bytes each that is 40 MB; all are forgotten then, and the next questions cost a process again.
const maxRemembered = 200_000

// memory holds answers. Each is kept with the stamp of what it follows from, and holds while that is the same.
type memory struct {
	learning sync.Mutex // held while git is asked
	parsed   parsed

	mu       sync.RWMutex // guards all fields below
	verdicts map[string]stampedVerdict
	tracks   map[string]stampedTrack
	git      string // the folder with the index
	common   string // the folder with config and info/exclude
}

type stampedVerdict struct {
	stamp fsys.Hash
	verdict
}

type stampedTrack struct {
	stamp   string
	tracked bool
}

func newMemory() *memory {
	return &memory{verdicts: map[string]stampedVerdict{}, tracks: map[string]stampedTrack{}}
}

func (m *memory) verdict(key string, stamp fsys.Hash) (verdict, bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	v, ok := m.verdicts[key]
	return v.verdict, ok && v.stamp == stamp
}

func (m *memory) remember(key string, stamp fsys.Hash, v verdict) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.verdicts) >= maxRemembered {
		clear(m.verdicts)
	}
	m.verdicts[key] = stampedVerdict{stamp, v}
}

func (m *memory) isTracked(key, stamp string) (tracked, known bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	t, ok := m.tracks[key]
	return t.tracked, ok && t.stamp == stamp
}

func (m *memory) rememberTracked(key, stamp string, tracked bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.tracks) >= maxRemembered {
		clear(m.tracks)
	}
	m.tracks[key] = stampedTrack{stamp, tracked}
}

// gitFolders returns the folders that hold the index and the configuration of the repository at root, "" where
// there is none. They are looked up once: a repository does not change its kind.
func (m *memory) gitFolders(root string) (git, common string) {
	m.mu.RLock()
	git, common = m.git, m.common
	m.mu.RUnlock()
	if git != "" {
		return git, common
	}
	git, common, err := vcs.Dirs(root)
	if err != nil {
		return "", ""
	}
	m.mu.Lock()
	m.git, m.common = git, common
	m.mu.Unlock()
	return git, common
}

// maxParsed is how many ignore files are kept parsed; a monorepo has some hundred.
const maxParsed = 4096

// parsed keeps the rules of ignore files, and what configurations say about them, by their text.
type parsed struct {
	mu      sync.Mutex // guards all fields below
	files   map[parsedKey][]rule
	configs map[fsys.Hash]coreConfig
}

type parsedKey struct {
	hash fsys.Hash
	fold bool
}

func (p *parsed) rules(file *fsys.File, fold bool) []rule {
	key := parsedKey{file.Hash, fold}
	p.mu.Lock()
	defer p.mu.Unlock()
	if rules, ok := p.files[key]; ok {
		return rules
	}
	if p.files == nil || len(p.files) >= maxParsed {
		p.files = map[parsedKey][]rule{}
	}
	rules := parseRules(file.Text, fold)
	p.files[key] = rules
	return rules
}

// coreConfig is what one configuration file says; nil for what it says nothing about.
type coreConfig struct {
	excludes *string
	fold     *bool
}

func (p *parsed) core(file *fsys.File) coreConfig {
	p.mu.Lock()
	defer p.mu.Unlock()
	if core, ok := p.configs[file.Hash]; ok {
		return core
	}
	if p.configs == nil || len(p.configs) >= maxParsed {
		p.configs = map[fsys.Hash]coreConfig{}
	}
	core := parseCore(file.Text)
	p.configs[file.Hash] = core
	return core
}

// parseCore reads one configuration file. One that is malformed says nothing, as git would refuse to work with it.
func parseCore(text string) coreConfig {
	decoded := config.New()
	if config.NewDecoder(strings.NewReader(text)).Decode(decoded) != nil {
		return coreConfig{}
	}
	var c coreConfig
	core := decoded.Section("core")
	if core.HasOption("excludesfile") {
		c.excludes = new(core.Option("excludesfile"))
	}
	if core.HasOption("ignorecase") {
		c.fold = new(isTrue(core.Option("ignorecase")))
	}
	return c
}

// isTrue reads a boolean of git's configuration.
func isTrue(text string) bool {
	switch strings.ToLower(text) {
	case "true", "yes", "on", "1":
		return true
	}
	return false
}
