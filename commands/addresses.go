package commands

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"foreword/workspace/fsys"
	"foreword/workspace/instructions"
)

// addressFresh is how long the text of an address is used without asking
// again; a team's rules change by the day.
const addressFresh = time.Hour

// addressRetry is how long an address that failed is left alone.
const addressRetry = time.Minute

// addressPatience is how long a prompt waits for addresses of which nothing is
// known yet: less than one fetch, so that one dead host costs no turn.
const addressPatience = 3 * time.Second

// addresses remembers what the addresses of instructions.files said, and asks
// them in the background. Nothing waits for them but the first prompt.
type addresses struct {
	fetcher AddressFetcher
	store   addressStore
	clock   func() time.Time
	log     func(level, message string)
	// changed is told that an address says something else than before.
	changed func(address string)

	session context.Context
	end     context.CancelFunc
	tasks   sync.WaitGroup // fetches that run

	mu    sync.Mutex // guards the rest
	said  map[addressKey]*addressText
	turns int64 // grows with every change of what is known
}

// addressKey tells apart who names an address: what only the user may ask for
// must not be told to a workspace.
type addressKey struct {
	address string
	private bool
}

// addressText is what is known of one address.
type addressText struct {
	instructions.Fetched
	etag, modified string
	next           time.Time     // when it is asked again
	running        chan struct{} // closed when the fetch that runs is done; nil for none
}

func newAddresses(o Options) *addresses {
	a := &addresses{fetcher: o.Fetcher, clock: time.Now, log: o.Log, changed: o.AddressChanged, said: map[addressKey]*addressText{}}
	if dir := cacheDir(o.Home, o.Env); dir != "" {
		a.store.dir = filepath.Join(dir, "addresses")
	}
	if a.fetcher == nil {
		a.fetcher = NewAddressFetcher(nil)
	}
	if a.changed == nil {
		a.changed = func(string) {}
	}
	a.session, a.end = context.WithCancel(context.Background())
	return a
}

// close ends the fetches that run.
func (a *addresses) close() {
	a.end()
	a.tasks.Wait()
}

// generation grows with every change of what is known.
func (a *addresses) generation() int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.turns
}

// known is what an address said last. It never waits: what is old or unknown is
// asked in the background.
func (a *addresses) known(address string, user bool) instructions.Fetched {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.look(addressKey{address, user}).Fetched
}

// look is the entry of an address, with a fetch under way where it is due. The
// caller holds mu.
func (a *addresses) look(key addressKey) *addressText {
	text := a.said[key]
	if text == nil {
		text = a.stored(key)
		a.said[key] = text
	}
	if text.running == nil && !a.clock().Before(text.next) && a.session.Err() == nil {
		running := make(chan struct{})
		text.running = running
		question := AddressQuestion{Address: key.address, ETag: text.etag, Modified: text.modified, Private: key.private}
		a.tasks.Go(func() {
			defer close(running)
			a.fetch(key, question)
		})
	}
	return text
}

// stored is what the store holds of an address.
func (a *addresses) stored(key addressKey) *addressText {
	kept, ok := a.store.load(key)
	if !ok {
		return &addressText{}
	}
	file, err := fsys.FileOf(key.address, kept.Text, kept.Fetched)
	if err != nil {
		return &addressText{}
	}
	next := kept.Fetched.Add(addressFresh)
	if now := a.clock(); next.After(now.Add(addressFresh)) {
		next = now // the clock went back
	}
	return &addressText{Fetched: instructions.Fetched{File: file}, etag: kept.ETag, modified: kept.Modified, next: next}
}

// fetch asks an address and keeps what it says.
func (a *addresses) fetch(key addressKey, question AddressQuestion) {
	answer, err := a.fetcher.Fetch(a.session, question)
	now := a.clock()
	var file *fsys.File
	if err == nil && !answer.Unchanged {
		if file, err = fsys.FileOf(key.address, answer.Raw, now); err != nil {
			err = fmt.Errorf("it is no text that can be sent: %w", err)
		}
	}
	if a.session.Err() != nil {
		return // nobody asks any more; that is no failure of the address
	}
	kept, changed := a.keep(key, file, answer, err, now)
	if kept.Address != "" {
		if err := a.store.save(key, kept); err != nil {
			a.log("warning", fmt.Sprintf("%s is not kept: %v", key.address, err))
		}
	}
	if changed {
		a.changed(key.address)
	}
}

// keep takes over the outcome of a fetch, and tells what to store and whether
// answers change.
func (a *addresses) keep(key addressKey, file *fsys.File, answer AddressAnswer, err error, now time.Time) (kept storedAddress, changed bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	text := a.said[key]
	before := text.Fetched
	text.running = nil
	if err != nil {
		text.Problem, text.next = err.Error(), now.Add(addressRetry)
		a.log("warning", fmt.Sprintf("%s: %v", key.address, err))
	} else {
		text.Problem, text.next = "", now.Add(addressFresh)
		if file != nil {
			text.File, text.etag, text.modified = file, answer.ETag, answer.Modified
		}
	}
	if err == nil && text.File != nil {
		kept = storedAddress{Address: key.address, ETag: text.etag, Modified: text.modified, Fetched: now, Text: text.File.Text}
	}
	changed = text.Problem != before.Problem || (text.File == nil) != (before.File == nil) ||
		text.File != nil && text.File.Hash != before.File.Hash
	if changed {
		a.turns++
	}
	return kept, changed
}

// await waits a while for the addresses of which nothing is known yet.
func (a *addresses) await(ctx context.Context, wanted []addressKey) {
	if len(wanted) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, addressPatience)
	defer cancel()
	for _, key := range wanted {
		a.mu.Lock()
		text := a.look(key)
		running := text.running
		unknown := text.File == nil
		a.mu.Unlock()
		if running == nil || !unknown {
			continue
		}
		select {
		case <-running:
		case <-ctx.Done():
			return
		}
	}
}

// awaitAddresses lets an answer by foreword's own rules wait for the addresses
// that may be asked for its place.
func (s *Service) awaitAddresses(ctx context.Context, p *place) {
	var wanted []addressKey
	for _, n := range p.config.Instructions.Files {
		if strings.HasPrefix(n.Item, "https://") && (n.User || p.trusted) {
			wanted = append(wanted, addressKey{n.Item, n.User})
		}
	}
	s.addresses.await(ctx, wanted)
}
