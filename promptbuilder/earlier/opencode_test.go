package earlier

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/ncruces/go-sqlite3"
)

// opencodeTables are those columns of opencode's tables that matter here, by
// packages/opencode/src/storage/json-migration.ts of anomalyco/opencode at
// 062aa8c0.
const opencodeTables = `
CREATE TABLE session (id TEXT PRIMARY KEY, project_id TEXT NOT NULL, parent_id TEXT, slug TEXT NOT NULL, directory TEXT NOT NULL, title TEXT NOT NULL,
	version TEXT NOT NULL, time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL, time_compacting INTEGER, time_archived INTEGER);
CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL, data TEXT NOT NULL);
CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT NOT NULL, session_id TEXT NOT NULL, time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL, data TEXT NOT NULL);
`

// opencodeDB makes a database of opencode's; with log it stays open, so that what
// was written stands in its log.
func opencodeDB(t *testing.T, dir string, log bool, statements ...string) {
	t.Helper()
	db, err := sqlite3.Open("file:" + filepath.Join(dir, "opencode.db"))
	if err != nil {
		t.Fatal(err)
	}
	if log {
		t.Cleanup(func() { db.Close() })
	} else {
		defer db.Close()
	}
	for _, sql := range append([]string{"PRAGMA journal_mode = WAL"}, statements...) {
		if err := db.Exec(sql); err != nil {
			t.Fatalf("%v: %s", err, sql)
		}
	}
}

func session(id, parent, directory string, updated int) string {
	return fmt.Sprintf("INSERT INTO session VALUES ('%s', 'p', %s, 'slug', '%s', 'title of %s', '1', 1, %d, NULL, NULL)", id, parent, directory, id, updated)
}

func spoken(session, id, role string, parts ...string) string {
	sql := fmt.Sprintf("INSERT INTO message VALUES ('%s', '%s', 1, 1, '{\"role\":\"%s\"}');", id, session, role)
	for i, part := range parts {
		sql += fmt.Sprintf("INSERT INTO part VALUES ('%s.%d', '%s', '%s', 1, 1, '%s');", id, i, id, session, part)
	}
	return sql
}

func TestOpencodeDatabase(t *testing.T) {
	want := []Conversation{
		{Tool: "opencode", ID: "s2", Title: "title of s2", At: 9, Turns: 0, First: "question 0", Last: "question 49", Answer: "answer 49"},
		{Tool: "opencode", ID: "s1", Title: "title of s1", Root: "/w/shop", At: 7, Turns: 2, First: "Why is it flaky?\nsecond part", Last: "Mend it.", Answer: "It reads the clock."},
	}
	for _, log := range []bool{false, true} {
		dir := t.TempDir()
		statements := []string{
			opencodeTables, session("s1", "NULL", "/w/shop", 7), session("s2", "NULL", "relative", 9), session("sub", "'s1'", "/w/shop", 10), session("empty", "NULL", "/w/shop", 11),
			spoken("s1", "m1", "user", `{"type":"text","text":"Why is it flaky?"}`, `{"type":"text","text":"made up","synthetic":true}`, `{"type":"text","text":"second part"}`, `not json`),
			spoken("s1", "m2", "assistant", `{"type":"reasoning","text":"hm"}`, `{"type":"text","text":"It reads the clock."}`, `{"type":"tool"}`),
			spoken("s1", "m3", "user", `{"type":"text","text":"Mend it."}`),
			spoken("sub", "m4", "user", `{"type":"text","text":"of a subagent"}`),
		}
		for i := range 50 {
			statements = append(statements,
				spoken("s2", fmt.Sprintf("n%02d.0", i), "user", fmt.Sprintf(`{"type":"text","text":"question %d"}`, i)),
				spoken("s2", fmt.Sprintf("n%02d.1", i), "assistant", fmt.Sprintf(`{"type":"text","text":"answer %d"}`, i)))
		}
		opencodeDB(t, dir, log, statements...)
		before := files(t, dir)
		var logs Logs
		for range 2 {
			if diff := cmp.Diff(want, logs.Opencode(t.Context(), dir)); diff != "" {
				t.Errorf("with a log %v: %s", log, diff)
			}
		}
		if diff := cmp.Diff(before, files(t, dir)); diff != "" {
			t.Errorf("with a log %v the folder changed: %s", log, diff)
		}
		opencodeDB(t, dir, log, "UPDATE session SET title = 'renamed', time_updated = 20 WHERE id = 's1'")
		if got := logs.Opencode(t.Context(), dir); len(got) != 2 || got[0].Title != "renamed" {
			t.Errorf("with a log %v, after a change: %+v", log, got)
		}
	}
}

// files are the names and texts of the files in a folder, but for the index of
// the log, which its readers share.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if all[e.Name()] = string(text); filepath.Ext(e.Name()) == ".db-shm" {
			all[e.Name()] = ""
		}
	}
	return all
}

// A database of another shape, and a file that is none, say nothing.
func TestOpencodeOfAnotherKind(t *testing.T) {
	dir := t.TempDir()
	opencodeDB(t, dir, false, "CREATE TABLE session (id TEXT)")
	var logs Logs
	if got := logs.Opencode(t.Context(), dir); len(got) != 0 {
		t.Errorf("of another shape: %+v", got)
	}
	put(t, 1, dir, "opencode.db", "no database at all")
	if got := logs.Opencode(t.Context(), dir); len(got) != 0 {
		t.Errorf("of no database: %+v", got)
	}
	if got := logs.Opencode(t.Context(), filepath.Join(dir, "nowhere")); len(got) != 0 {
		t.Errorf("of no folder: %+v", got)
	}
}

func TestOpencodeFiles(t *testing.T) {
	dir := t.TempDir()
	file := func(minutes int64, name, text string) {
		put(t, minutes, filepath.Join(dir, "storage", filepath.FromSlash(name)), text)
	}
	file(1, "session/p/ses_1.json", `{"title":"flaky","directory":"/w/shop","time":{"updated":7}}`)
	file(1, "message/ses_1/msg_1.json", `{"role":"user"}`)
	file(1, "part/msg_1/prt_1.json", `{"type":"text","text":"Why is it flaky?"}`)
	file(1, "part/msg_1/prt_2.json", `{"type":"file","url":"x"}`)
	file(1, "message/ses_1/msg_2.json", `{"role":"assistant"}`)
	file(1, "part/msg_2/prt_3.json", `{"type":"text","text":"It reads the clock."}`)
	file(1, "part/msg_2/prt_4.json", `{`)
	file(1, "message/ses_1/msg_3.json", `broken`)
	file(2, "session/q/ses_2.json", `{"title":"of a subagent","directory":"/w/shop","parentID":"ses_1"}`)
	file(3, "session/q/ses_3.json", `[]`)
	file(4, "session/q/ses_4.json", `{"title":"without a message"}`)
	file(5, "session/q/ses_5.json", `{"title":"without a time"}`)
	file(5, "message/ses_5/msg_5.json", `{"role":"user"}`)
	file(5, "part/msg_5/prt_5.json", `{"type":"text","text":"a question"}`)
	want := []Conversation{
		{Tool: "opencode", ID: "ses_5", Title: "without a time", At: 300_000, Turns: 1, First: "a question"},
		{Tool: "opencode", ID: "ses_1", Title: "flaky", Root: "/w/shop", At: 7, Turns: 1, First: "Why is it flaky?", Answer: "It reads the clock."},
	}
	var logs Logs
	if diff := cmp.Diff(want, logs.Opencode(t.Context(), dir)); diff != "" {
		t.Error(diff)
	}
	// What the database has counts.
	opencodeDB(t, dir, false, opencodeTables, session("ses_1", "NULL", "/w/shop", 8), spoken("ses_1", "m1", "user", `{"type":"text","text":"from the database"}`))
	env := func(name string) string {
		if name == "XDG_DATA_HOME" {
			return filepath.Dir(dir)
		}
		return ""
	}
	if err := os.Rename(dir, filepath.Join(filepath.Dir(dir), "opencode")); err != nil {
		t.Fatal(err)
	}
	got, err := logs.Read(t.Context(), "/nowhere", env)
	if err != nil || len(got) != 2 || got[0].ID != "ses_5" || got[1].First != "from the database" {
		t.Errorf("got %+v, %v", got, err)
	}
}
