package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3"
)

// scripted is the change that follows a revision; it is the same in every
// process. It adds a turn, ends the one before it, and replaces the epoch.
func scripted(id string, revision int64) Change {
	n := int(revision) + 1
	text := strings.Repeat(fmt.Sprint("text of ", n, " "), n%7*300)
	c := Change{
		Session:  Session{ID: id, Title: fmt.Sprint("title ", n)},
		Revision: revision,
		Epochs:   []Epoch{{Session: id, Number: 1 + n/10, Snapshot: strconv.Quote(text)}},
		Turns:    []Turn{{Session: id, Number: n, Parent: n - 1, State: Prepared, Full: text}},
		Told:     []Told{{Session: id, Turn: n, Text: text}},
		Touched:  []Touched{{Session: id, Turn: n, RealPath: text}, {Session: id, Turn: n}},
	}
	if n > 1 {
		c.Turns = append(c.Turns, Turn{Session: id, Number: n - 1, Parent: n - 2, State: Finished, Error: text})
	}
	for i := range n % 5 {
		c.Messages = append(c.Messages, Message{Session: id, Turn: n, Position: i, Body: text})
	}
	return c
}

// sound sees to it that a file is whole and that each session is what its
// changes up to its revision make, and gives the revision of one.
func sound(t *testing.T, path, id string) int64 {
	t.Helper()
	s, err := Open(t.Context(), path, clock)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if d := s.Warning(); d != nil {
		t.Fatal(d)
	}
	err = s.use(t.Context(), func(c *connection) error {
		return c.each("PRAGMA integrity_check", nil, func(stmt *sqlite3.Stmt) error {
			if said := stmt.ColumnText(0); said != "ok" {
				return errors.New(said)
			}
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	sessions, err := s.Sessions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	m := newModel()
	for _, session := range sessions {
		for m.revision(session.ID) < session.Revision {
			m.write(scripted(session.ID, m.revision(session.ID)))
		}
	}
	if err := m.same(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	for _, table := range ofSession {
		err = s.use(t.Context(), func(c *connection) error {
			n, _, err := c.number("SELECT count(*) FROM " + table + " WHERE session NOT IN (SELECT key FROM sessions)")
			if err == nil && n > 0 {
				err = fmt.Errorf("%d rows of %s are of no session", n, table)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return m.revision(id)
}

func init() {
	// write writes the script of a session to a file until it is killed, and says
	// each revision that it was told is stored.
	children["write"] = func(arguments []string) {
		path, id := arguments[0], arguments[1]
		fmt.Println("begun")
		s, err := Open(context.Background(), path, clock)
		var revision int64
		if err == nil {
			revision, err = s.Revision(context.Background(), id)
		}
		for err == nil {
			if revision, err = s.Write(context.Background(), scripted(id, revision)); err == nil {
				fmt.Println(revision)
			}
		}
		fmt.Fprintln(os.Stderr, err)
	}
	// die opens a file, writes the change of a session's script that is due, and
	// kills itself when the statement of a given number begins.
	children["die"] = func(arguments []string) {
		path, id := arguments[0], arguments[1]
		left, _ := strconv.Atoi(arguments[2])
		s, err := Open(context.Background(), path, clock)
		if err == nil {
			err = s.conn.db.Trace(sqlite3.TRACE_STMT, func(sqlite3.TraceEvent, any, any) error {
				if left--; left == 0 {
					self, _ := os.FindProcess(os.Getpid())
					self.Kill()
					select {} // the signal is on its way
				}
				return nil
			})
		}
		var revision int64
		if err == nil {
			revision, err = s.Revision(context.Background(), id)
		}
		if err == nil {
			_, err = s.Write(context.Background(), scripted(id, revision))
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		fmt.Println("done")
	}
}

// TestAKilledProcessLeavesOldOrNew kills a process that writes without pause,
// 120 times, the first time on each file while it is made: nothing that was said
// to be stored is lost, and nothing is there in part.
func TestAKilledProcessLeavesOldOrNew(t *testing.T) {
	folder := t.TempDir()
	stored := map[string]int64{}
	for round := range 120 {
		id := fmt.Sprint("session ", round/5)
		path := filepath.Join(folder, id+".db")
		c := started(t, "write", path, id)
		for range 1 + round%5*(1+round/5%4) {
			line, ok := c.line()
			if !ok {
				t.Fatal("the child ended by itself")
			}
			if revision, err := strconv.ParseInt(line, 10, 64); err == nil {
				stored[id] = revision
			}
		}
		if err := c.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for line, ok := c.line(); ok; line, ok = c.line() {
			if revision, err := strconv.ParseInt(line, 10, 64); err == nil {
				stored[id] = revision
			}
		}
		_ = c.Wait() // it was killed
		revision := sound(t, path, id)
		if revision != stored[id] && revision != stored[id]+1 {
			t.Fatalf("round %d: revision %d is stored, %d was said", round, revision, stored[id])
		}
		stored[id] = revision
	}
}

// TestAProcessKilledAtEachStep kills a write before each of its statements.
func TestAProcessKilledAtEachStep(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sessions.db")
	const id = "s"
	s := opened(t, path)
	for n := range int64(3) {
		written(t, s, scripted(id, n))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	const revision = 3
	for step := 1; ; step++ {
		c := started(t, "die", path, id, strconv.Itoa(step))
		line, done := c.line()
		_ = c.Wait() // it was killed, or not
		if after := sound(t, path, id); done && after != revision+1 || !done && after != revision {
			t.Fatalf("killed at statement %d: revision %d, before it %d, %s", step, after, revision, line)
		}
		if done {
			if step < 10 {
				t.Errorf("the change has only %d statements", step)
			}
			return
		}
	}
}

// TestACancelledWriteLeavesOld cancels a write before each of its statements.
func TestACancelledWriteLeavesOld(t *testing.T) {
	s := fresh(t)
	m := newModel()
	for n := range 3 {
		m.write(scripted("s", int64(n)))
		written(t, s, scripted("s", int64(n)))
	}
	for step := 1; ; step++ {
		ctx, cancel := context.WithCancel(t.Context())
		left := step
		err := s.conn.db.Trace(sqlite3.TRACE_STMT, func(sqlite3.TraceEvent, any, any) error {
			if left--; left == 0 {
				cancel()
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Write(ctx, scripted("s", 3))
		cancel()
		if err == nil {
			m.write(scripted("s", 3))
		} else if !errors.Is(err, context.Canceled) {
			t.Fatalf("cancelled at statement %d: %v", step, err)
		}
		if err := m.same(t.Context(), s); err != nil {
			t.Fatalf("cancelled at statement %d: %v", step, err)
		}
		if err == nil {
			return
		}
	}
}

func init() {
	// race writes to a session until it has a number of revisions, always from the
	// newest that it knows, and says which it won.
	children["race"] = func(arguments []string) {
		path, id := arguments[0], arguments[1]
		until, _ := strconv.ParseInt(arguments[2], 10, 64)
		ctx := context.Background()
		s, err := Open(ctx, path, time.Now)
		revision := int64(0)
		for err == nil && revision < until {
			change := next(id, revision, int(revision)+1, int(revision))
			change.Turns[0].Full = fmt.Sprint(os.Getpid())
			var won int64
			var conflict *Conflict
			switch won, err = s.Write(ctx, change); {
			case err == nil:
				fmt.Println(won)
				revision = won
			case errors.As(err, &conflict):
				revision, err = conflict.Have, nil
			}
		}
		if err != nil {
			fmt.Println("failed:", err)
		}
	}
}

// TestTwoProcessesNeverBothWin lets processes write to one session of one file,
// which they also make, at the same time.
func TestTwoProcessesNeverBothWin(t *testing.T) {
	path := filepath.Join(t.TempDir(), "foreword", "sessions.db")
	const until = 300
	var racers []*child
	for range 2 {
		racers = append(racers, started(t, "race", path, "s", fmt.Sprint(until)))
	}
	winner := map[int64]string{}
	for _, c := range racers {
		for line, ok := c.line(); ok; line, ok = c.line() {
			revision, err := strconv.ParseInt(line, 10, 64)
			if err != nil {
				t.Fatal(line)
			}
			if other, taken := winner[revision]; taken {
				t.Errorf("revision %d was won by %s, too", revision, other)
			}
			winner[revision] = fmt.Sprint(c.Process.Pid)
		}
		if err := c.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	s := opened(t, path)
	rows := loaded(t, s, "s")
	if len(winner) != until || rows.Session.Revision != until || len(rows.Turns) != until {
		t.Errorf("%d won, revision %d, %d turns", len(winner), rows.Session.Revision, len(rows.Turns))
	}
	for _, turn := range rows.Turns {
		if turn.Full != winner[int64(turn.Number)] {
			t.Errorf("turn %d is of %s; %s was told that it won", turn.Number, turn.Full, winner[int64(turn.Number)])
		}
	}
}

// TestManyMakeTheFileAtOnce holds the first opening of a file by processes that
// start together.
func TestManyMakeTheFileAtOnce(t *testing.T) {
	for range 5 {
		path := filepath.Join(t.TempDir(), "foreword", "sessions.db")
		var all []*child
		for i := range 6 {
			all = append(all, started(t, "race", path, fmt.Sprint("s", i), "3"))
		}
		for _, c := range all {
			for line, ok := c.line(); ok; line, ok = c.line() {
				if strings.HasPrefix(line, "failed") {
					t.Error(line)
				}
			}
			if err := c.Wait(); err != nil {
				t.Error(err)
			}
		}
		sessions, err := opened(t, path).Sessions(t.Context())
		if err != nil || len(sessions) != 6 {
			t.Errorf("%d sessions, %v", len(sessions), err)
		}
	}
}
