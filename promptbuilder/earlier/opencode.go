package earlier

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"foreword/promptbuilder/epoch/store"
)

// OpencodeData is where opencode keeps its data.
func OpencodeData(home string, env func(string) string) string {
	return dataDir(home, env, "opencode")
}

// maxParts bounds how many messages at each end of a conversation are looked at
// for one that says something.
const maxParts = 20

// Opencode reads the newest conversations in opencode's folder of data: of its
// database, and of the JSON files that it kept before, as far as the database
// does not have them (anomalyco/opencode, packages/opencode/src/storage/
// json-migration.ts, 062aa8c0). Those of subagents are none of the user's.
func (l *Logs) Opencode(ctx context.Context, dir string) []Conversation {
	all := l.opencodeDatabase(ctx, filepath.Join(dir, "opencode.db"))
	known := map[string]bool{}
	for _, c := range all {
		known[c.ID] = true
	}
	root, err := os.OpenRoot(filepath.Join(dir, "storage"))
	if err != nil {
		return all
	}
	defer root.Close()
	var sessions []string
	for _, project := range entries(root, "session") {
		for _, e := range entries(root, "session/"+project.Name()) {
			if id, ok := strings.CutSuffix(e.Name(), ".json"); ok && !known[id] {
				sessions = append(sessions, "session/"+project.Name()+"/"+e.Name())
			}
		}
	}
	for _, file := range newestOf(root, sessions, newest) {
		if ctx.Err() != nil {
			return nil
		}
		c, ok := l.once(filepath.Join(dir, file.name), file.info, func() (Conversation, bool) { return opencodeFiles(root, file) })
		if ok {
			all = append(all, c)
		}
	}
	return all
}

// opencodeFiles reads a conversation of the files session/<project>/<id>.json,
// message/<id>/<message>.json and part/<message>/<part>.json. The names of
// messages and parts stand in the order of time.
func opencodeFiles(root *os.Root, file dated) (Conversation, bool) {
	var session struct {
		Title, Directory, ParentID string
		Time                       struct{ Updated int64 }
	}
	if !readJSON(root, file.name, &session) || session.ParentID != "" {
		return Conversation{}, false
	}
	c := Conversation{Tool: "opencode", ID: strings.TrimSuffix(filepath.Base(file.name), ".json"), Title: session.Title, Root: absolute(session.Directory), At: session.Time.Updated}
	if c.At == 0 {
		c.At = file.info.ModTime().UnixMilli()
	}
	ids := namesIn(root, "message/"+c.ID)
	whole := len(ids) <= 2*maxParts
	if !whole {
		ids = slices.Concat(ids[:maxParts], ids[len(ids)-maxParts:])
	}
	var messages []said
	for _, id := range ids {
		var message struct{ Role string }
		if !readJSON(root, "message/"+c.ID+"/"+id+".json", &message) {
			continue
		}
		var text strings.Builder
		for _, name := range namesIn(root, "part/"+id) {
			if text.Len() > textLength {
				break
			}
			var part opencodePart
			if readJSON(root, "part/"+id+"/"+name+".json", &part) {
				text.WriteString(part.said())
			}
		}
		messages = append(messages, said{message.Role == "user", text.String()})
	}
	return c, c.take(messages, whole)
}

// opencodePart is a part of a message. A synthetic one is opencode's own, not the
// user's.
type opencodePart struct {
	Type, Text         string
	Synthetic, Ignored bool
}

func (p opencodePart) said() string {
	if p.Type != "text" || p.Synthetic || p.Ignored {
		return ""
	}
	return p.Text + "\n"
}

// opencodeDatabase reads the newest conversations of the database that opencode
// has had since February 2026. It is only read.
func (l *Logs) opencodeDatabase(ctx context.Context, path string) []Conversation {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	state := fmt.Sprint(path, info.Size(), info.ModTime().UnixNano())
	if log, err := os.Stat(path + "-wal"); err == nil {
		state += fmt.Sprint(" ", log.Size(), log.ModTime().UnixNano())
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.database.state == state {
		return slices.Clone(l.database.found)
	}
	var all []Conversation
	err = store.Inspect(ctx, path, func(query store.Query) error {
		err := query(`SELECT id, title, directory, time_updated FROM session
			WHERE parent_id IS NULL AND time_archived IS NULL ORDER BY time_updated DESC, id LIMIT ?`, []any{newest}, func(row []string) error {
			at := json.Number(row[3])
			updated, err := at.Int64()
			if err == nil {
				all = append(all, Conversation{Tool: "opencode", ID: row[0], Title: row[1], Root: absolute(row[2]), At: updated})
			}
			return nil
		})
		if err != nil {
			return err
		}
		for i := range all {
			messages, whole, err := opencodeRows(query, all[i].ID)
			if err != nil {
				return err
			}
			if !all[i].take(messages, whole) {
				all[i].ID = ""
			}
		}
		return nil
	})
	if err != nil {
		return nil // it is not ours to mend, nor to complain about
	}
	all = slices.DeleteFunc(all, func(c Conversation) bool { return c.ID == "" })
	l.database.state, l.database.found = state, all
	return slices.Clone(all)
}

// opencodeRows reads the messages at both ends of a conversation.
func opencodeRows(query store.Query, session string) (messages []said, whole bool, err error) {
	const ofMessage = `SELECT m.id, CASE WHEN json_valid(m.data) THEN json_extract(m.data, '$.role') END, substr(json_extract(p.data, '$.text'), 1, 2000)
		FROM (SELECT id, data FROM message WHERE session_id = ? ORDER BY id %s LIMIT ?) m
		JOIN (SELECT id, message_id, CASE WHEN json_valid(data) THEN data ELSE '{}' END data FROM part WHERE session_id = ?) p ON p.message_id = m.id
		WHERE json_extract(p.data, '$.type') = 'text' AND NOT ifnull(json_extract(p.data, '$.synthetic'), 0) AND NOT ifnull(json_extract(p.data, '$.ignored'), 0)
		ORDER BY m.id, p.id`
	type message struct {
		id   string
		said said
	}
	read := func(order string) (all []message, err error) {
		err = query(strings.Replace(ofMessage, "%s", order, 1), []any{session, maxParts, session}, func(row []string) error {
			if len(all) == 0 || all[len(all)-1].id != row[0] {
				all = append(all, message{id: row[0], said: said{user: row[1] == "user"}})
			}
			if m := &all[len(all)-1].said; len(m.text) <= textLength {
				m.text += row[2] + "\n"
			}
			return nil
		})
		return all, err
	}
	first, err := read("ASC")
	if err != nil {
		return nil, false, err
	}
	last, err := read("DESC")
	if err != nil {
		return nil, false, err
	}
	seen := map[string]bool{}
	for _, m := range slices.Concat(first, last) {
		whole = whole || seen[m.id] // both ends meet
		if !seen[m.id] {
			messages = append(messages, m.said)
		}
		seen[m.id] = true
	}
	return messages, whole, nil
}

// readJSON reads a small file.
func readJSON(root *os.Root, name string, into any) bool {
	text, _, whole := ends(root, name)
	return whole && json.Unmarshal(text, into) == nil
}

// namesIn are the names of a folder's JSON files without their ending, sorted.
func namesIn(root *os.Root, dir string) []string {
	var names []string
	for _, e := range entries(root, dir) {
		if name, ok := strings.CutSuffix(e.Name(), ".json"); ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func absolute(path string) string {
	if !filepath.IsAbs(path) {
		return ""
	}
	return filepath.Clean(path)
}
