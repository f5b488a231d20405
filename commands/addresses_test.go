package commands

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// desk answers for the network: what an address says, or why it does not.
type desk struct {
	mu     sync.Mutex // guards the rest
	says   map[string]string
	fails  map[string]string
	asked  []AddressQuestion
	before func() // called before an answer, outside the lock; nil for nothing
}

func (d *desk) Fetch(ctx context.Context, q AddressQuestion) (AddressAnswer, error) {
	d.mu.Lock()
	d.asked = append(d.asked, q)
	before, text, fails := d.before, d.says[q.Address], d.fails[q.Address]
	d.mu.Unlock()
	if before != nil {
		before()
	}
	switch {
	case ctx.Err() != nil:
		return AddressAnswer{}, ctx.Err()
	case fails != "":
		return AddressAnswer{}, errors.New(fails)
	case q.ETag == "tag of "+text:
		return AddressAnswer{Unchanged: true}, nil
	}
	return AddressAnswer{Raw: text, ETag: "tag of " + text}, nil
}

func (d *desk) set(change func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	change()
}

func (d *desk) questions() []AddressQuestion {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.asked
}

// openWith opens a service whose network is the desk; changed gets a line for
// each address that says something else.
func (r *repo) openWith(d *desk, trusted bool) (s *Service, changed chan string) {
	r.t.Helper()
	changed = make(chan string, 100)
	s, err := Open(Options{
		Home: r.home, Now: func() time.Time { return noon }, Version: "test", Roots: []Folder{{Path: r.root, Name: "repo"}},
		Fetcher: d, AddressChanged: func(address string) { changed <- address },
	})
	must(r.t, err)
	r.t.Cleanup(func() { must(r.t, s.Close()) })
	if trusted {
		s.Workspace().TrustChanged(r.root, true)
	}
	return s, changed
}

const rulesAddress = "https://example.com/rules.md"

// The first prompt waits for an address, keeps what it says in the user's cache
// alone, and the next process needs no network.
func TestAddressInAPrompt(t *testing.T) {
	r := newRepo(t, map[string]string{"AGENTS.md": "A", "foreword.toml": "instructions.files = [\"" + rulesAddress + "\"]\n", "a.go": ""})
	d := &desk{says: map[string]string{rulesAddress: "Be brief."}}
	s, _ := r.openWith(d, true)
	prompt := build(t, s, BuildPromptParams{URI: r.uri("a.go"), Model: "gpt-5"})
	got := section(t, prompt, "instructions/"+rulesAddress)
	if !strings.Contains(got.Text, `path="`+rulesAddress+`" scope="the whole repository">`) || !strings.Contains(got.Text, "Be brief.") {
		t.Error(got.Text)
	}
	if got.Origins[1].URI != rulesAddress {
		t.Errorf("%+v", got.Origins)
	}
	if q := d.questions(); len(q) != 1 || q[0].Private {
		t.Errorf("%+v", q)
	}
	must(t, s.Close()) // the text may be stored after the prompt was answered
	dir := filepath.Join(r.home, ".cache/foreword/addresses")
	files, err := os.ReadDir(dir)
	must(t, err)
	folder, err := os.Stat(dir)
	must(t, err)
	if len(files) != 1 || folder.Mode().Perm() != 0o700 {
		t.Fatalf("%v, %v", files, folder.Mode())
	}
	if info, err := files[0].Info(); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	away := &desk{fails: map[string]string{rulesAddress: "no network"}}
	s, _ = r.openWith(away, true)
	if prompt := build(t, s, BuildPromptParams{URI: r.uri("a.go"), Model: "gpt-5"}); !strings.Contains(text(prompt), "Be brief.") || len(away.questions()) != 0 {
		t.Errorf("%v, %v", keys(prompt), away.questions())
	}
}

// Nothing is asked for a workspace that the user does not trust.
func TestAddressNeedsTrust(t *testing.T) {
	r := newRepo(t, map[string]string{"foreword.toml": "instructions.files = [\"" + rulesAddress + "\"]\n", "a.go": ""})
	d := &desk{says: map[string]string{rulesAddress: "Be brief."}}
	s, _ := r.openWith(d, false)
	prompt := build(t, s, BuildPromptParams{URI: r.uri("a.go"), Model: "gpt-5"})
	if q := d.questions(); len(q) != 0 {
		t.Errorf("asked %+v", q)
	}
	for _, n := range prompt.NotApplied {
		if n.URI == rulesAddress {
			if n.State != "needs-trust" || !strings.Contains(n.Why, "workspace "+filepath.Join(r.root, "foreword.toml")+":1") && !strings.Contains(n.Why, "foreword.toml:1") {
				t.Errorf("%+v", n)
			}
			return
		}
	}
	t.Errorf("not told: %+v", prompt.NotApplied)
}

// The user's own file needs no trust, and alone may name a private address.
func TestAddressOfTheUser(t *testing.T) {
	r := newRepo(t, map[string]string{"~/.config/foreword/foreword.toml": "instructions.files = [\"" + rulesAddress + "\"]\n", "a.go": ""})
	d := &desk{says: map[string]string{rulesAddress: "Be brief."}}
	s, _ := r.openWith(d, false)
	prompt := build(t, s, BuildPromptParams{URI: r.uri("a.go"), Model: "gpt-5"})
	if q := d.questions(); len(q) != 1 || !q[0].Private {
		t.Errorf("%+v", q)
	}
	if got := section(t, prompt, "instructions/"+rulesAddress); !strings.Contains(got.Text, `scope="every project"`) {
		t.Error(got.Text)
	}
}

// A hover never waits: it says that nothing came yet, and its next answer has
// what did.
func TestHoverDoesNotWaitForAddresses(t *testing.T) {
	r := newRepo(t, map[string]string{"foreword.toml": "instructions.files = [\"" + rulesAddress + "\"]\n", "a.go": ""})
	leave := make(chan struct{})
	d := &desk{says: map[string]string{rulesAddress: "Be brief."}, before: func() { <-leave }}
	s, changed := r.openWith(d, true)
	explain := func() Instruction {
		result, err := s.ExplainInstructions(WithoutWaiting(t.Context()), ExplainInstructionsParams{URI: r.uri("a.go")})
		must(t, err)
		return result.Entries[0]
	}
	if e := explain(); e.State != "unreadable" || !strings.Contains(e.Why, "not fetched yet") || e.URI != rulesAddress || e.Kind != "url" {
		t.Errorf("%+v", e)
	}
	close(leave)
	if address := <-changed; address != rulesAddress {
		t.Error(address)
	}
	if e := explain(); e.State != "sent" || e.Bytes != 9 {
		t.Errorf("%+v", e)
	}
	if n := len(d.questions()); n != 1 {
		t.Errorf("asked %d times", n)
	}
}

// An old text is asked for again by its tag; what fails leaves the last text
// with a warning, and is left alone for a while.
func TestAddressIsAskedAgain(t *testing.T) {
	r := newRepo(t, map[string]string{"foreword.toml": "x = 1\ninstructions.files = [\"" + rulesAddress + "\"]\n", "a.go": ""})
	d := &desk{says: map[string]string{rulesAddress: "one"}, fails: map[string]string{}}
	s, changed := r.openWith(d, true)
	now := time.Now()
	var clock sync.Mutex // guards now
	s.addresses.clock = func() time.Time {
		clock.Lock()
		defer clock.Unlock()
		return now
	}
	pass := func(span time.Duration) {
		clock.Lock()
		defer clock.Unlock()
		now = now.Add(span)
	}
	// known asks as an answer does and waits for the fetch that this starts.
	known := func() (text, problem string) {
		s.addresses.known(rulesAddress, false)
		s.addresses.tasks.Wait()
		f := s.addresses.known(rulesAddress, false)
		if f.File != nil {
			text = f.File.Text
		}
		return text, f.Problem
	}
	step := func(name, text, problem string, asked int) {
		t.Helper()
		gotText, gotProblem := known()
		if gotText != text || gotProblem != problem || len(d.questions()) != asked {
			t.Errorf("%s: %q, %q, asked %d; want %q, %q, %d", name, gotText, gotProblem, len(d.questions()), text, problem, asked)
		}
	}
	step("first", "one", "", 1)
	<-changed
	pass(addressFresh - time.Second)
	step("fresh", "one", "", 1)
	pass(2 * time.Second)
	step("unchanged", "one", "", 2)
	if q := d.questions()[1]; q.ETag != "tag of one" {
		t.Errorf("%+v", q)
	}
	pass(2 * addressFresh)
	d.set(func() { d.says[rulesAddress] = "two" })
	step("changed", "two", "", 3)
	<-changed
	pass(2 * addressFresh)
	d.set(func() { d.fails[rulesAddress] = "it is away" })
	step("failed", "two", "it is away", 4)
	<-changed
	result := run[ExplainInstructionsResult](t, s, "foreword.instructions.explain", ExplainInstructionsParams{URI: r.uri("a.go")})
	if e := result.Entries[0]; e.State != "sent" || !strings.Contains(e.Why, "the last text that came") {
		t.Errorf("%+v", e)
	}
	stale := false
	for _, w := range result.Warnings {
		stale = stale || w.Code == "address-stale" && w.Range != nil && w.Range.Start.Line == 1 && strings.HasSuffix(w.URI, "/foreword.toml")
	}
	if !stale {
		t.Errorf("%+v", result.Warnings)
	}
	pass(addressRetry / 2)
	step("left alone", "two", "it is away", 4)
	pass(addressRetry)
	step("failed again", "two", "it is away", 5)
	d.set(func() { delete(d.fails, rulesAddress) })
	pass(2 * addressRetry)
	step("back", "two", "", 6)
	<-changed
	select {
	case address := <-changed:
		t.Errorf("%s is told to have changed once more", address)
	default:
	}
}

// A host that hangs does not keep the process, and what is broken in the cache
// is asked anew.
func TestAddressesEnd(t *testing.T) {
	r := newRepo(t, map[string]string{"foreword.toml": "instructions.files = [\"" + rulesAddress + "\"]\n", "a.go": ""})
	key := addressKey{rulesAddress, false}
	store := addressStore{filepath.Join(r.home, ".cache/foreword/addresses")}
	must(t, os.MkdirAll(store.dir, 0o700))
	must(t, os.WriteFile(store.path(key), []byte("{"), 0o600))
	d := &desk{}
	s, _ := r.openWith(d, true)
	hung := make(chan struct{})
	d.before = func() {
		close(hung)
		<-s.addresses.session.Done()
	}
	s.addresses.known(rulesAddress, false)
	<-hung
	must(t, s.Close())
	if f := s.addresses.known(rulesAddress, false); f.File != nil || f.Problem != "" {
		t.Errorf("%+v", f)
	}
}

// The store holds so many addresses and no more.
func TestAddressStoreIsBounded(t *testing.T) {
	store := addressStore{filepath.Join(t.TempDir(), "a")}
	for i := range maxStored + 20 {
		key := addressKey{"https://example.com/" + strings.Repeat("x", i), i%2 == 0}
		must(t, store.save(key, storedAddress{Address: key.address, Text: "t"}))
	}
	files, err := os.ReadDir(store.dir)
	must(t, err)
	if len(files) > maxStored {
		t.Errorf("%d files", len(files))
	}
	last := addressKey{"https://example.com/" + strings.Repeat("x", maxStored+19), (maxStored+19)%2 == 0}
	if kept, ok := store.load(last); !ok || kept.Text != "t" {
		t.Error("the newest is gone")
	}
	last.private = !last.private
	if _, ok := store.load(last); ok {
		t.Error("what the user may ask for is told to a workspace")
	}
}
