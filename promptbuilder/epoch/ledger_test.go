package epoch

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"foreword/promptbuilder/history"
	"foreword/workspace/fsys"
)

var (
	one = fsys.HashOf("one")
	two = fsys.HashOf("two")
)

// messages makes messages of these ids.
func messages(ids ...string) []history.Message {
	var all []history.Message
	for _, id := range ids {
		all = append(all, history.Message{ID: id, Role: history.RoleUser})
	}
	return all
}

func ids(all []history.Message) string {
	var out []string
	for _, m := range all {
		out = append(out, m.ID)
	}
	return strings.Join(out, " ")
}

// inject tells a session a file at the end of a message.
func inject(l *Ledger, session, path string, hash fsys.Hash, anchor string) Told {
	_, told := l.Inject(session, path, hash, func(Told) Injection {
		return Injection{Anchor: anchor, Path: path, Text: "text of " + path}
	})
	return told
}

func paths(l *Ledger, session string) string {
	var out []string
	for _, i := range l.Injections(session) {
		out = append(out, i.Anchor+":"+i.Path)
	}
	return strings.Join(out, " ")
}

func TestAFileIsToldOnce(t *testing.T) {
	l := NewLedger()
	asked := 0
	say := func(before Told) Injection {
		asked++
		return Injection{Anchor: "m1", Path: "/a", Text: fmt.Sprint("said as ", before)}
	}
	for i, c := range []struct {
		session string
		hash    fsys.Hash
		told    Told
		text    string
	}{
		{"s", one, NeverTold, "said as 0"},
		{"s", one, AlreadyTold, ""},
		{"s", two, ToldOtherwise, "said as 1"},
		{"s", two, AlreadyTold, ""},
		{"s", one, ToldOtherwise, "said as 1"},
		{"other", one, NeverTold, "said as 0"},
	} {
		if stands := l.Stands(c.session, "/a", c.hash); stands != c.told {
			t.Errorf("step %d: the file stands as %d, want %d", i, stands, c.told)
		}
		injection, told := l.Inject(c.session, "/a", c.hash, say)
		if told != c.told || injection.Text != c.text {
			t.Errorf("step %d: told %d, %q; want %d, %q", i, told, injection.Text, c.told, c.text)
		}
	}
	if asked != 4 {
		t.Errorf("the text was made %d times, want 4", asked)
	}
	if got := paths(l, "s"); got != "m1:/a m1:/a m1:/a" {
		t.Errorf("injections %s", got)
	}
}

// TestAskingChangesNothing holds that a look at a session neither makes it nor
// tells it anything.
func TestAskingChangesNothing(t *testing.T) {
	l := NewLedger()
	if l.Stands("s", "/a", one) != NeverTold || l.Started("s") || l.Injections("s") != nil || l.Len() != 0 {
		t.Error("an unknown session was told something")
	}
	if _, _, err := l.Messages("s", -1); err != nil || l.Len() != 0 {
		t.Errorf("%v, %d sessions", err, l.Len())
	}
}

// TestParallelReadsShareAFile holds that of many reads at one moment just one
// gets each file.
func TestParallelReadsShareAFile(t *testing.T) {
	l := NewLedger()
	var mu sync.Mutex
	got := map[string]int{}
	var wait sync.WaitGroup
	for i := range 32 {
		wait.Go(func() {
			for j := range 50 {
				path := fmt.Sprint("/", j)
				if inject(l, "s", path, one, fmt.Sprint("m", i)) == NeverTold {
					mu.Lock()
					got[path]++
					mu.Unlock()
				}
				l.Injections("s")
				l.Stands("s", path, one)
				l.Begin(fmt.Sprint("other", i), Turn{Messages: messages("x")}, nil)
			}
		})
	}
	wait.Wait()
	for path, n := range got {
		if n != 1 {
			t.Errorf("%s was told %d times", path, n)
		}
	}
	if len(got) != 50 || len(l.Injections("s")) != 50 || l.Len() != 33 {
		t.Errorf("%d files, %d injections, %d sessions", len(got), len(l.Injections("s")), l.Len())
	}
}

func TestTurnsCountAndContinue(t *testing.T) {
	l := NewLedger()
	if l.Started("s") {
		t.Error("a session starts with its first turn")
	}
	if n := l.Begin("s", Turn{Messages: messages("u1")}, nil); n != 1 || !l.Started("s") {
		t.Errorf("turn %d", n)
	}
	if n := l.Begin("s", Turn{Parent: 1, Messages: messages("u1", "u2")}, nil); n != 2 {
		t.Errorf("turn %d", n)
	}
	// Edit and resend: the second turn continues the first once more.
	if n := l.Begin("s", Turn{Parent: 1, Messages: messages("u1", "u2b")}, nil); n != 3 {
		t.Errorf("turn %d, a number is never used twice", n)
	}
	for parent, want := range map[int]string{0: "", 1: "u1", 2: "u1 u2", 3: "u1 u2b", -1: "u1 u2b"} {
		got, turn, err := l.Messages("s", parent)
		if err != nil || ids(got) != want {
			t.Errorf("parent %d: %q, %v; want %q", parent, ids(got), err, want)
		}
		if want := map[int]int{0: 0, -1: 3}[parent]; parent <= 0 && turn != want {
			t.Errorf("parent %d is turn %d, want %d", parent, turn, want)
		}
	}
}

// TestMessagesAreACopy holds that what a caller appends is in no other turn.
func TestMessagesAreACopy(t *testing.T) {
	l := NewLedger()
	l.Begin("s", Turn{Messages: messages("u1", "a1")}, nil)
	first, _, _ := l.Messages("s", 1)
	first[0].ID = "changed"
	_ = append(first[:1], messages("other")...)
	if again, _, _ := l.Messages("s", 1); ids(again) != "u1 a1" {
		t.Errorf("got %q", ids(again))
	}
}

func TestUnknownSessionsAndTurns(t *testing.T) {
	l := NewLedger()
	l.Begin("s", Turn{Messages: messages("u1")}, nil)
	inject(l, "touched", "/a", one, "m1")
	for name, c := range map[string]struct {
		session string
		parent  int
		want    error
		part    string
	}{
		"never seen":            {"nobody", 1, ErrUnknownSession, "send all messages"},
		"touched, without turn": {"touched", 1, ErrUnknownSession, `"touched"`},
		"turn to come":          {"s", 2, ErrUnknownTurn, "has 1"},
	} {
		if _, _, err := l.Messages(c.session, c.parent); !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, session := range []string{"nobody", "touched", "s"} {
		for _, parent := range []int{0, -1} {
			if _, _, err := l.Messages(session, parent); err != nil {
				t.Errorf("%s from %d: %v", session, parent, err)
			}
		}
	}
	for name, c := range map[string]struct {
		session string
		turn    int
		want    error
	}{
		"never seen": {"nobody", 1, ErrUnknownSession}, "no turn": {"s", 0, ErrUnknownTurn}, "negative": {"s", -1, ErrUnknownTurn}, "turn to come": {"s", 2, ErrUnknownTurn},
	} {
		if _, _, err := l.Finish(c.session, c.turn, Usage{}, ""); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAClaimEndsWithItsMessage holds the protocol's rule for what only a
// message said that is gone: it may be told again.
func TestAClaimEndsWithItsMessage(t *testing.T) {
	l := NewLedger()
	l.Begin("s", Turn{Messages: messages("u1")}, nil)
	inject(l, "s", "/kept", one, "t1")
	inject(l, "s", "/lost", one, "t2")
	inject(l, "s", "/panel", one, "") // the panel did not say which message carries it
	l.Begin("s", Turn{Parent: 1, Messages: messages("u1", "t1", "t2", "u2")}, nil)
	if got := paths(l, "s"); got != "t1:/kept t2:/lost" {
		t.Errorf("injections %s", got)
	}
	// Edit and resend: the message t2 is not in the conversation any more.
	l.Begin("s", Turn{Parent: 1, Messages: messages("u1", "t1", "u2b")}, nil)
	for path, want := range map[string]Told{"/kept": AlreadyTold, "/lost": NeverTold, "/panel": AlreadyTold} {
		if got := l.Stands("s", path, one); got != want {
			t.Errorf("%s stands as %d, want %d", path, got, want)
		}
	}
}

// TestGoingBackToATurnBringsItsClaimsBack holds that a branch that the user
// left has been told what it was told.
func TestGoingBackToATurnBringsItsClaimsBack(t *testing.T) {
	l := NewLedger()
	l.Begin("s", Turn{Messages: messages("u1")}, nil)
	inject(l, "s", "/a", one, "u2")
	l.Begin("s", Turn{Parent: 1, Messages: messages("u1", "u2")}, nil)
	l.Begin("s", Turn{Parent: 1, Messages: messages("u1", "u2b")}, nil)
	if inject(l, "s", "/a", two, "t2b") != NeverTold {
		t.Error("the edited branch was not told /a")
	}
	l.Begin("s", Turn{Parent: 2, Messages: messages("u1", "u2", "u3")}, nil)
	if got := l.Stands("s", "/a", one); got != AlreadyTold {
		t.Errorf("/a stands as %d", got)
	}
	if got := paths(l, "s"); got != "u2:/a t2b:/a" {
		t.Errorf("injections %s", got)
	}
}

// TestAClaimEndsWhenItsMessageDoesNotFit holds that only what is sent counts.
func TestAClaimEndsWhenItsMessageDoesNotFit(t *testing.T) {
	l := NewLedger()
	inject(l, "s", "/old", one, "t1")
	inject(l, "s", "/new", one, "t2")
	l.Begin("s", Turn{Messages: messages("u1", "t1", "u2", "t2"), Sent: messages("u2", "t2")}, nil)
	for path, want := range map[string]Told{"/old": NeverTold, "/new": AlreadyTold} {
		if got := l.Stands("s", path, one); got != want {
			t.Errorf("%s stands as %d, want %d", path, got, want)
		}
	}
	if got, _, _ := l.Messages("s", 1); ids(got) != "u1 t1 u2 t2" {
		t.Errorf("the session holds %q", ids(got))
	}
}

// TestMessagesWithoutAnIDCarryNothing holds that an empty id is no anchor that
// every such message would have.
func TestMessagesWithoutAnIDCarryNothing(t *testing.T) {
	l := NewLedger()
	l.Begin("s", Turn{Messages: messages("u1")}, []Section{{RealPath: "/a", Hash: one}})
	l.Begin("s", Turn{Messages: messages("", "")}, nil)
	if got := l.Stands("s", "/a", one); got != NeverTold {
		t.Errorf("the file stands as %d: the system text does not say it any more", got)
	}
}

// TestSystemTextIsTold holds that what the system text says is claimed, for as
// long as it says it.
func TestSystemTextIsTold(t *testing.T) {
	l := NewLedger()
	l.Begin("s", Turn{Messages: messages("u1")}, []Section{{"/a", one}, {"/b", one}})
	if inject(l, "s", "/a", one, "t1") != AlreadyTold || inject(l, "s", "/a", two, "t1") != ToldOtherwise {
		t.Error("the system text said /a with the content one")
	}
	l.Begin("s", Turn{Messages: messages("u1", "t1", "u2")}, []Section{{"/b", two}})
	for path, want := range map[string]Told{"/a": AlreadyTold, "/b": AlreadyTold} {
		if got := l.Stands("s", path, two); got != want {
			t.Errorf("%s stands as %d, want %d", path, got, want)
		}
	}
	l.Begin("s", Turn{Messages: messages("u1", "t1", "u2", "u3")}, nil)
	if got := l.Stands("s", "/b", two); got != NeverTold {
		t.Errorf("/b stands as %d, and nothing says it", got)
	}
}

func TestFinishKeepsPredictionAndReport(t *testing.T) {
	l := NewLedger()
	l.Begin("s", Turn{Prefix: "p1", PrefixTokens: 10, InputTokens: 20}, nil)
	l.Begin("s", Turn{Parent: 1, Prefix: "p2", PrefixTokens: 11, InputTokens: 21}, nil)
	usage := Usage{Input: 22, Output: 5, CacheRead: 9}
	turn, parent, err := l.Finish("s", 2, usage, "overloaded")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Turn{Number: 2, Parent: 1, Prefix: "p2", PrefixTokens: 11, InputTokens: 21, Finished: true, Usage: usage, Error: "overloaded"}, turn, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("turn (-want +got):\n%s", diff)
	}
	if parent.Number != 1 || parent.Prefix != "p1" || parent.Finished {
		t.Errorf("parent %+v", parent)
	}
	if _, parent, err = l.Finish("s", 1, usage, ""); err != nil || parent.Number != 0 {
		t.Errorf("the first turn has the parent %+v, %v", parent, err)
	}
}

// TestTheSessionUsedLongestAgoIsForgotten holds the bound and who goes.
func TestTheSessionUsedLongestAgoIsForgotten(t *testing.T) {
	l := NewLedger()
	for i := range maxSessions {
		l.Begin(fmt.Sprint(i), Turn{Messages: messages("u1")}, nil)
	}
	inject(l, "0", "/a", one, "u1") // used again
	l.Begin("new", Turn{}, nil)
	if l.Len() != maxSessions {
		t.Errorf("%d sessions, want %d", l.Len(), maxSessions)
	}
	for session, want := range map[string]bool{"0": true, "1": false, "2": true, "new": true} {
		if l.Started(session) != want {
			t.Errorf("session %s is remembered: %v, want %v", session, !want, want)
		}
	}
	if _, _, err := l.Messages("1", 1); !errors.Is(err, ErrUnknownSession) {
		t.Errorf("a forgotten session: %v", err)
	}
	if len(l.order) != len(l.sessions) {
		t.Errorf("%d sessions in the order, %d in all", len(l.order), len(l.sessions))
	}
}

// TestLedgerAgainstAModel holds that after any events a file counts as told
// just where the system text or a message of the newest turn says it.
func TestLedgerAgainstAModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		l := NewLedger()
		type said struct {
			path   string
			hash   fsys.Hash
			anchor string
		}
		var all []said // at the end of messages
		claims := map[string]fsys.Hash{}
		path := rapid.SampledFrom([]string{"/a", "/b", "/c"})
		hash := rapid.SampledFrom([]fsys.Hash{one, two})
		id := rapid.SampledFrom([]string{"m1", "m2", "m3"})
		turns := 0
		for range rapid.IntRange(1, 20).Draw(rt, "steps") {
			if rapid.Bool().Draw(rt, "touch") {
				p, h, anchor := path.Draw(rt, "path"), hash.Draw(rt, "hash"), id.Draw(rt, "anchor")
				want := NeverTold
				if told, ok := claims[p]; ok && told == h {
					want = AlreadyTold
				} else if ok {
					want = ToldOtherwise
				}
				if got := inject(l, "s", p, h, anchor); got != want {
					rt.Fatalf("%s: told %d, want %d", p, got, want)
				}
				if want != AlreadyTold {
					claims[p] = h
					all = append(all, said{p, h, anchor})
				}
				continue
			}
			kept := rapid.SliceOfDistinct(id, rapid.ID).Draw(rt, "messages")
			clear(claims)
			for _, s := range all {
				if slices.Contains(kept, s.anchor) {
					claims[s.path] = s.hash
				}
			}
			var system []Section
			if rapid.Bool().Draw(rt, "said") {
				system = []Section{{path.Draw(rt, "said path"), hash.Draw(rt, "said hash")}}
				claims[system[0].RealPath] = system[0].Hash
			}
			turns++
			if n := l.Begin("s", Turn{Messages: messages(kept...)}, system); n != turns {
				rt.Fatalf("turn %d, want %d", n, turns)
			}
		}
	})
}
