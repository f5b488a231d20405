package ignore

import (
	"sync"

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

// gitFolder returns the folder that holds the index of the repository at root.
func (m *memory) gitFolder(root string) string {
	m.mu.RLock()
	git := m.git
	m.mu.RUnlock()
	if git != "" {
		return git
	}
	git, _, err := vcs.Dirs(root)
	if err != nil {
		return root // no repository: there is no index here either
	}
	m.mu.Lock()
	m.git = git
	m.mu.Unlock()
	return git
}

// maxParsed is how many ignore files are kept parsed; a monorepo has some hundred.
const maxParsed = 4096

// parsed keeps the rules of ignore files by their text.
type parsed struct {
	mu    sync.Mutex // guards files
	files map[parsedKey][]rule
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
