package earlier

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// Bounds on what is read.
const (
	// newest is how many conversations of a tool are looked at; gptme's own digest
	// takes twenty (gptme/gptme, gptme/prompts/chat_history.py, 2026-08-22).
	newest = 20
	// listed is how many names of a folder are looked at to find them.
	listed = 5000
	// head and tail are how many bytes are read at both ends of a log.
	head, tail = 256 << 10, 256 << 10
	// textLength bounds what is kept of a message, in bytes.
	textLength = 2000
)

// Conversation is what is known of one.
type Conversation struct {
	// Tool is gptme or opencode, ID its own name for the conversation.
	Tool, ID string
	Title    string
	// Root is the folder in which it was held, absolute; empty for none.
	Root string
	// At is when it went on last, in milliseconds since 1970.
	At int64
	// Turns counts what the user said; 0 where not all of it was read.
	Turns int
	// First and Last are what the user said first and last, Answer the last answer.
	First, Last, Answer string
}

// Logs reads what other tools keep. What it read once it reads again only when
// it has changed. Its methods may be called at once from several goroutines.
type Logs struct {
	mu       sync.Mutex // guards what follows
	read     map[string]remembered
	database struct { // opencode's
		state string // of its files
		found []Conversation
	}
}

// remembered is a conversation as it was read from a file of that size and time.
type remembered struct {
	size  int64
	at    time.Time
	found Conversation
	known bool // it is one
}

// Read lists the conversations of all tools, the newest first. Home and env are
// those of the user. What cannot be read is left out; the error is that of ctx.
func (l *Logs) Read(ctx context.Context, home string, env func(string) string) ([]Conversation, error) {
	var all []Conversation
	if dir := GptmeLogs(home, env); dir != "" {
		all = append(all, l.Gptme(ctx, dir)...)
	}
	if dir := OpencodeData(home, env); dir != "" {
		all = append(all, l.Opencode(ctx, dir)...)
	}
	slices.SortFunc(all, func(a, b Conversation) int {
		return cmp.Or(cmp.Compare(b.At, a.At), strings.Compare(a.Tool, b.Tool), strings.Compare(a.ID, b.ID))
	})
	return all, ctx.Err()
}

// once is what make finds in a file, made again when the file has changed.
func (l *Logs) once(key string, info fs.FileInfo, read func() (Conversation, bool)) (Conversation, bool) {
	l.mu.Lock()
	was, ok := l.read[key]
	l.mu.Unlock()
	if ok && was.size == info.Size() && was.at.Equal(info.ModTime()) {
		return was.found, was.known
	}
	now := remembered{size: info.Size(), at: info.ModTime()}
	now.found, now.known = read()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.read == nil || len(l.read) > 50*newest {
		l.read = map[string]remembered{}
	}
	l.read[key] = now
	return now.found, now.known
}

// entries lists a folder of a root; none where it cannot be read.
func entries(root *os.Root, dir string) []fs.DirEntry {
	file, err := root.Open(dir)
	if err != nil {
		return nil
	}
	defer file.Close()
	list, err := file.ReadDir(listed)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil
	}
	return list
}

// dated is a file with its facts.
type dated struct {
	name string
	info fs.FileInfo
}

// newestOf are the newest regular files among the names, the newest first.
func newestOf(root *os.Root, names []string, most int) []dated {
	var all []dated
	for _, name := range names {
		if info, err := root.Stat(name); err == nil && info.Mode().IsRegular() {
			all = append(all, dated{name, info})
		}
	}
	slices.SortFunc(all, func(a, b dated) int {
		return cmp.Or(b.info.ModTime().Compare(a.info.ModTime()), strings.Compare(a.name, b.name))
	})
	return all[:min(len(all), most)]
}

// ends reads the first and the last bytes of a file; whole tells that they are
// all of it, in which case last is empty.
func ends(root *os.Root, name string) (first, last []byte, whole bool) {
	file, err := root.Open(name)
	if err != nil {
		return nil, nil, false
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil, nil, false
	}
	first, err = io.ReadAll(io.LimitReader(file, head))
	if err != nil {
		return nil, nil, false
	}
	size := info.Size()
	if size <= head {
		return first, nil, true
	}
	from := max(head, size-tail)
	last, err = io.ReadAll(io.NewSectionReader(file, from, size-from))
	if err != nil {
		return first, nil, false
	}
	if from == head {
		return append(first, last...), nil, true
	}
	return first, last, false
}

// said is one message of a log.
type said struct {
	user bool
	text string
}

// take makes a conversation of its messages in order. Last and Answer are of the
// end, Turns is 0 where messages between are missing.
func (c *Conversation) take(messages []said, whole bool) bool {
	for _, m := range messages {
		text := short(m.text)
		switch {
		case text == "":
		case m.user:
			if c.First == "" {
				c.First = text
			}
			c.Last = text
			c.Turns++
		default:
			c.Answer = text
		}
	}
	if c.Last == c.First {
		c.Last = ""
	}
	if !whole {
		c.Turns = 0
	}
	return c.First != ""
}

// short is the beginning of a text, without blanks around it.
func short(text string) string {
	text = strings.TrimSpace(text)
	if len(text) <= textLength {
		return text
	}
	cut := textLength
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return strings.TrimSpace(text[:cut])
}

// dataDir is the folder of a program's data by the rules of freedesktop.org,
// which both tools follow on every system.
func dataDir(home string, env func(string) string, program string) string {
	if dir := strings.TrimSpace(env("XDG_DATA_HOME")); filepath.IsAbs(dir) {
		return filepath.Join(dir, program)
	}
	if home == "" {
		return ""
	}
	return filepath.Join(home, ".local", "share", program)
}
