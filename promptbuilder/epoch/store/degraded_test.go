package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/ncruces/go-sqlite3"
)

// degraded sees to it that an error is of a kind, and says something.
func degraded(t *testing.T, err error, kind Kind) *Degraded {
	t.Helper()
	var d *Degraded
	if !errors.As(err, &d) || d.Kind != kind {
		t.Fatalf("%v, want a store that is %s", err, kind)
	}
	if d.Path == "" || !strings.Contains(d.Error(), d.Path) {
		t.Errorf("%q does not say where", d.Error())
	}
	return d
}

// TestANewerFileIsNotTouched holds that a file of a later version is left byte
// for byte, whether its version stands in the file or still in its log.
func TestANewerFileIsNotTouched(t *testing.T) {
	for _, inLog := range []bool{false, true} {
		s := fresh(t)
		written(t, s, full("s"))
		execute(t, s, "PRAGMA user_version = 99")
		if inLog {
			copyFiles(t, s.path, filepath.Join(filepath.Dir(s.path), "copy.db"))
			s = &Store{path: filepath.Join(filepath.Dir(s.path), "copy.db"), gate: make(chan struct{}, 1)}
		} else {
			execute(t, s, "PRAGMA wal_checkpoint(TRUNCATE)")
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
		before := contents(t, s.path)
		_, err := Open(t.Context(), s.path, clock)
		d := degraded(t, err, Newer)
		if d.Found != 99 || d.Known != len(migrations) {
			t.Errorf("%+v", d)
		}
		after := contents(t, s.path)
		delete(before, "-shm") // an index of the log, made anew by whoever reads
		delete(after, "-shm")
		if diff := cmp.Diff(before, after); diff != "" {
			t.Errorf("in the log %v: the file was changed", inLog)
		}
	}
}

// TestAFileThatBecomesNewer holds that a store that is open writes no more once
// a newer foreword has changed the tables.
func TestAFileThatBecomesNewer(t *testing.T) {
	s := fresh(t)
	written(t, s, full("s"))
	other := opened(t, s.path)
	execute(t, other, fmt.Sprintf("ALTER TABLE turns ADD COLUMN more TEXT; PRAGMA user_version = %d", len(migrations)+1))
	_, load := s.Load(t.Context(), "s")
	_, write := s.Write(t.Context(), next("s", 1, 2, 1))
	_, revision := s.Revision(t.Context(), "s")
	s.conn.logged = worthwhileLog
	for _, err := range []error{load, write, revision, s.Forget(t.Context(), "s"), s.Tidy(t.Context())} {
		degraded(t, err, Newer)
	}
}

func copyFiles(t *testing.T, from, to string) {
	t.Helper()
	for suffix, content := range contents(t, from) {
		if err := os.WriteFile(to+suffix, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func contents(t *testing.T, path string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if content, err := os.ReadFile(path + suffix); err == nil {
			all[suffix] = string(content)
		}
	}
	return all
}

// TestAnotherProgramsDatabase holds that only a file of ours is used.
func TestAnotherProgramsDatabase(t *testing.T) {
	for _, sql := range []string{
		"PRAGMA application_id = 5",
		"PRAGMA application_id = 0",
		"PRAGMA application_id = 0; PRAGMA user_version = 0",
	} {
		for _, end := range []string{"", "; PRAGMA wal_checkpoint(TRUNCATE)"} {
			s := fresh(t)
			execute(t, s, sql+end)
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			before := contents(t, s.path)
			_, err := Open(t.Context(), s.path, clock)
			degraded(t, err, Unavailable)
			after := contents(t, s.path)
			if after[""] != before[""] || after["-wal"] != before["-wal"] {
				t.Errorf("%s: the file was changed", sql)
			}
		}
	}
}

// closedFile is a closed file with a session of some size.
func closedFile(t *testing.T) string {
	t.Helper()
	s := fresh(t)
	change := full("s")
	change.Messages[0].Body = strings.Repeat("text ", 10_000)
	written(t, s, change)
	execute(t, s, "PRAGMA wal_checkpoint(TRUNCATE)")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(s.path + "-wal"); err != nil { // empty, but kept
		t.Fatal(err)
	}
	return s.path
}

// TestABrokenFileIsMovedAside holds that what cannot be read stays for somebody
// who can, and that the store goes on empty.
func TestABrokenFileIsMovedAside(t *testing.T) {
	for name, spoil := range map[string]func([]byte) []byte{
		"text":             func([]byte) []byte { return []byte(strings.Repeat("no database ", 100)) },
		"a broken header":  func(b []byte) []byte { copy(b[16:], "xxxxxxxx"); return b },
		"cut in a page":    func(b []byte) []byte { return b[:len(b)/2-1000] },
		"cut between":      func(b []byte) []byte { return b[:4096*3] },
		"a page of header": func(b []byte) []byte { return b[:4096] },
	} {
		path := closedFile(t)
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		content = spoil(content)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		s := opened(t, path)
		d := s.Warning()
		if d == nil || d.Kind != Corrupt {
			t.Fatalf("%s: %v", name, d)
		}
		if want := fmt.Sprintf("%s.corrupt-%d", path, at.Unix()); d.Aside != want || !strings.Contains(d.Error(), want) {
			t.Errorf("%s: %v", name, d)
		}
		if aside, err := os.ReadFile(d.Aside); err != nil || !bytes.Equal(aside, content) {
			t.Errorf("%s: what was moved aside is not what was there: %v", name, err)
		}
		if _, err := s.Load(t.Context(), "s"); !errors.Is(err, ErrUnknown) {
			t.Errorf("%s: %v", name, err)
		}
		written(t, s, full("s"))
	}
}

// TestAShortHeadIsNoPanic cuts a file at every length of its header.
func TestAShortHeadIsNoPanic(t *testing.T) {
	path := closedFile(t)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for n := range 110 {
		if err := os.WriteFile(path, content[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Open(t.Context(), path, clock)
		if err != nil {
			t.Fatalf("%d bytes: %v", n, err)
		}
		if d := s.Warning(); n > 0 && d == nil {
			t.Errorf("%d bytes: no warning", n)
		}
		written(t, s, full("s"))
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if err := os.Remove(path + "-wal"); err != nil { // all of the next file is there
			t.Fatal(err)
		}
	}
}

// TestAFaultFoundLater holds that a page that turns out to be broken when it is
// read costs one call, not the process: the store begins anew.
func TestAFaultFoundLater(t *testing.T) {
	path := closedFile(t)
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	garbage := bytes.Repeat([]byte{0x5a}, int(info.Size())-2*4096)
	if _, err := file.WriteAt(garbage, 2*4096); err != nil {
		t.Fatal(err)
	}
	file.Close()
	s := opened(t, path)
	if s.Warning() != nil {
		t.Fatal("the fault was found too early for this test")
	}
	_, err = s.Load(t.Context(), "s")
	if d := degraded(t, err, Corrupt); d.Aside == "" || s.Warning() != d {
		t.Errorf("%v, warning %v", d, s.Warning())
	}
	written(t, s, full("s"))
	if rows := loaded(t, s, "s"); len(rows.Turns) != 1 {
		t.Errorf("%+v", rows)
	}
}

// TestABrokenFileIsMovedOnce holds that of many that find a file broken one
// moves it, and none moves the new one.
func TestABrokenFileIsMovedOnce(t *testing.T) {
	path := closedFile(t)
	if err := os.WriteFile(path, []byte(strings.Repeat("no database ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range 6 {
		all.Go(func() {
			s, err := Open(t.Context(), path, clock)
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			if _, err := s.Write(t.Context(), full(fmt.Sprint("s", i))); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	aside, err := filepath.Glob(path + ".corrupt-*")
	if err != nil {
		t.Fatal(err)
	}
	sessions, err := opened(t, path).Sessions(t.Context())
	if err != nil || len(sessions) != 6 {
		t.Errorf("%d sessions, %v", len(sessions), err)
	}
	var files []string
	for _, name := range aside {
		if !strings.HasSuffix(name, "-wal") && !strings.HasSuffix(name, "-shm") {
			files = append(files, name)
		}
	}
	if len(files) != 1 {
		t.Errorf("moved aside: %v", files)
	}
}

// TestAFileThatIsDeleted holds that a store whose file is deleted or replaced
// under it uses what is there now, and leaves the other's log alone.
func TestAFileThatIsDeleted(t *testing.T) {
	s := fresh(t)
	written(t, s, full("s"))
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(s.path + suffix); err != nil {
			t.Fatal(err)
		}
	}
	other := opened(t, s.path)
	written(t, other, full("t"))
	_, err := s.Write(t.Context(), next("s", 1, 2, 1))
	var conflict *Conflict
	if !errors.As(err, &conflict) || conflict.Have != 0 {
		t.Errorf("%v", err)
	}
	written(t, s, full("s"))
	if rows := loaded(t, other, "s"); len(rows.Turns) != 1 {
		t.Errorf("%+v", rows)
	}
	if rows := loaded(t, opened(t, s.path), "t"); len(rows.Turns) != 1 {
		t.Errorf("%+v", rows)
	}
}

func TestAFullDisk(t *testing.T) {
	s := fresh(t)
	written(t, s, full("s"))
	execute(t, s, "PRAGMA max_page_count = 1") // no more than there are
	change := next("s", 1, 2, 1)
	change.Messages[0].Body = strings.Repeat("x", 1<<20)
	_, err := s.Write(t.Context(), change)
	degraded(t, err, Full)
	if rows := loaded(t, s, "s"); rows.Session.Revision != 1 || len(rows.Turns) != 1 || len(rows.Messages) != 2 {
		t.Errorf("a part was written: %+v", rows)
	}
	execute(t, s, "PRAGMA max_page_count = 100000")
	written(t, s, change)
}

// TestALockedFile holds that a call waits, says who is in its way, and works
// again when they are done.
func TestALockedFile(t *testing.T) {
	path := closedFile(t)
	other := started(t, "lock", path)
	if line, ok := other.line(); !ok || line != "locked" {
		t.Fatalf("%q", line)
	}
	const busy = 20 * time.Millisecond
	s, err := open(t.Context(), path, clock, busy)
	if err != nil {
		t.Fatal(err) // readers and those who open are not locked out
	}
	defer s.Close()
	if rows := loaded(t, s, "s"); len(rows.Turns) != 1 {
		t.Errorf("%+v", rows)
	}
	began := time.Now()
	_, err = s.Write(t.Context(), next("s", 1, 2, 1))
	d := degraded(t, err, Locked)
	if waited := time.Since(began); waited < busy {
		t.Errorf("waited only %v", waited)
	}
	if runtime.GOOS == "linux" {
		want := fmt.Sprintf("(process %d)", other.Process.Pid)
		if len(d.Holders) != 1 || !strings.HasSuffix(d.Holders[0], want) || !strings.Contains(d.Error(), want) {
			t.Errorf("%v, want one with %s", d.Holders, want)
		}
	}
	// A caller that does not want to wait need not.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Write(ctx, next("s", 1, 2, 1)); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	other.in.Close()
	if err := other.Wait(); err != nil {
		t.Fatal(err)
	}
	written(t, s, next("s", 1, 2, 1))
}

func init() {
	// lock holds a file until its standard input ends.
	children["lock"] = func(arguments []string) {
		s, err := Open(context.Background(), arguments[0], time.Now)
		if err == nil {
			err = s.use(context.Background(), func(c *connection) error {
				return c.writing(func() error {
					fmt.Println("locked")
					_, err := os.Stdin.Read(make([]byte, 1))
					_ = err // its end
					return nil
				})
			})
		}
		if err != nil {
			fmt.Println(err)
		}
	}
}

func TestAPathThatCannotBe(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(file, "sessions.db"), folder} {
		_, err := Open(t.Context(), path, clock)
		degraded(t, err, Unavailable)
	}
}

// TestMemory holds that a store without a file does the same as long as it
// lasts.
func TestMemory(t *testing.T) {
	s, err := Memory(t.Context(), clock)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	written(t, s, full("s"))
	if rows := loaded(t, s, "s"); len(rows.Turns) != 1 {
		t.Errorf("%+v", rows)
	}
	if err := s.Forget(t.Context(), "s"); err != nil {
		t.Error(err)
	}
	if sizes, err := s.Sizes(t.Context()); err != nil || sizes.Bytes != 0 {
		t.Errorf("%+v, %v", sizes, err)
	}
}

// TestAPanicOfTheDriver holds that a fault in the engine costs the call only.
func TestAPanicOfTheDriver(t *testing.T) {
	s := fresh(t)
	written(t, s, full("s"))
	err := s.use(t.Context(), func(c *connection) error {
		return c.writing(func() error { panic("out of memory") })
	})
	degraded(t, err, Unavailable)
	written(t, s, next("s", 1, 2, 1))
}

// TestMakingAFileWaits holds that who finds a new file locked by another maker
// tries again, for as long as it may.
func TestMakingAFileWaits(t *testing.T) {
	busy := func(times int) (tried int, err error) {
		err = retryBusy(t.Context(), time.Minute, func() error {
			if tried++; tried <= times {
				return fmt.Errorf("wrapped: %w", sqlite3.BUSY)
			}
			return nil
		})
		return tried, err
	}
	if tried, err := busy(3); err != nil || tried != 4 {
		t.Errorf("%d times, %v", tried, err)
	}
	tried := 0
	err := retryBusy(t.Context(), -1, func() error { tried++; return sqlite3.BUSY })
	if !errors.Is(err, sqlite3.BUSY) || tried != 1 {
		t.Errorf("%d times, %v", tried, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err = retryBusy(ctx, time.Minute, func() error { cancel(); return sqlite3.BUSY })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}

	path := filepath.Join(t.TempDir(), "sessions.db")
	db, err := sqlite3.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Exec("BEGIN EXCLUSIVE"); err != nil {
		t.Fatal(err)
	}
	_, err = open(t.Context(), path, clock, 20*time.Millisecond)
	degraded(t, err, Locked)
	if err := db.Exec("COMMIT"); err != nil {
		t.Fatal(err)
	}
	opened(t, path)
}
