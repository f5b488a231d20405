package earlier

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"time"
)

// What gptme itself tells of earlier conversations, for comparison with it: gptme/gptme, gptme/prompts/chat_history.py and
// gptme/util/content.py, 8a4f75b4. Its rules hold here with their faults; the words around them are ours.

const (
	// gptmeDigests is how many conversations it tells of, gptmeLeast how many lines a log must have to be one of them.
	gptmeDigests, gptmeLeast = 5, 4
	// gptmeLog bounds what is read of a log, in bytes. A longer one is left out.
	gptmeLog = 16 << 20
)

// GptmeAsks tells whether the user told gptme to say what earlier conversations were about.
func GptmeAsks(env func(string) string) bool {
	switch strings.ToLower(env("GPTME_CHAT_HISTORY")) {
	case "1", "true", "yes":
		return true
	}
	return false
}

// GptmeDigest is what gptme would tell of the newest conversations in its folder, the newest first. What cannot be
// read is left out; the error is that of ctx.
func GptmeDigest(ctx context.Context, dir string) ([]string, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, ctx.Err()
	}
	defer root.Close()
	var told []string
	taken := 0
	replied := false // to the first question; gptme's variable lives from one conversation to the next
	for _, log := range newestOf(root, gptmeNames(root), newest) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if taken == gptmeDigests {
			break
		}
		text, ok := wholeLog(root, log.name)
		if !ok || gptmeLines(text) < gptmeLeast {
			continue
		}
		id := strings.TrimSuffix(log.name, "/conversation.jsonl")
		name, _ := gptmeConfig(root, id)
		if name == "" {
			name = id
		}
		var digest string
		digest, replied = gptmeDigest(name, log.info.ModTime(), gptmeLogOf(text), replied)
		taken++
		if digest != "" {
			told = append(told, digest)
		}
	}
	return told, nil
}

// logged is a message of a log with its role.
type logged struct{ role, text string }

// gptmeDigest is what is told of one conversation. Replied is whether the conversation before had an answer to its
// first question; that of this one is given back.
func gptmeDigest(name string, at time.Time, messages []logged, replied bool) (string, bool) {
	first, best := -1, -1
	for i, m := range messages {
		if m.role == "user" && first < 0 {
			first = i
		}
		if m.role == "assistant" && len(strings.Fields(gptmeSummary(m.text, 100))) >= 10 {
			best = i
		}
	}
	if first < 0 {
		return "", replied
	}
	lines := []string{"## " + name, "Modified: " + at.UTC().Format("2006-01-02 15:04")}
	answer := -1
	if asked := gptmeSummary(messages[first].text, 100); asked != "" {
		lines = append(lines, "User: "+asked)
		for i := first + 1; i < len(messages) && answer < 0; i++ {
			if messages[i].role == "assistant" {
				answer = i
			}
		}
		if replied = answer >= 0; replied {
			if text := gptmeSummary(messages[answer].text, 30); text != "" {
				lines = append(lines, "Assistant: "+text)
			}
		}
	}
	other := best >= 0 && (answer < 0 || messages[best] != messages[answer])
	omitted := len(messages) - 1
	if replied {
		omitted--
	}
	if other {
		omitted--
	}
	if omitted > 0 {
		lines = append(lines, fmt.Sprintf("... (%d messages omitted) ...", omitted))
	}
	if other {
		if text := gptmeSummary(messages[best].text, 60); text != "" {
			lines = append(lines, "Assistant: "+text)
		}
	}
	if len(lines) == 2 {
		return "", replied
	}
	return strings.Join(lines, "\n"), replied
}

// What a summary leaves out, in this order.
var (
	gptmeNoise = regexp.MustCompile("(?s)````.*?````|```.*?```|` ` `.*?` ` `")
	gptmeCode  = regexp.MustCompile("`[^`]*`")
	gptmePair  = regexp.MustCompile(`(?s)<[^>]+>.*?</[^>]+>`)
	gptmeTag   = regexp.MustCompile(`<[^>]+>`)
	gptmeShell = regexp.MustCompile(`(?s)\$\(.*?\)|EOF'"\)`)
	gptmeStop  = regexp.MustCompile(`(?i)(\.\.\. \^C interrupted|\b(interrupted|aborted|cancelled))\s*$`)
	gptmeCurly = regexp.MustCompile(`(?s)\{.*?\}`)
	gptmeBold  = regexp.MustCompile(`\*\*(.*?)\*\*|__(.*?)__`)
)

// gptmeSummary is the beginning of a message, of at most so many words, without code and markup.
func gptmeSummary(text string, most int) string {
	for _, noise := range []*regexp.Regexp{gptmeNoise, gptmeCode, gptmePair, gptmeTag, gptmeShell, gptmeStop} {
		text = noise.ReplaceAllString(text, "")
	}
	text = gptmeCurly.ReplaceAllString(strings.Join(strings.Fields(text), " "), "")
	text = strings.NewReplacer("[", " ", "]", " ", "(", " ", ")", " ").Replace(text)
	words := strings.Fields(gptmeBold.ReplaceAllString(text, "$1$2"))
	if len(words) > most {
		return strings.Join(words[:most], " ") + "..."
	}
	return strings.Join(words, " ")
}

// gptmeLines counts the lines of a log that are not blank, as gptme counts messages before it reads them.
func gptmeLines(log []byte) int {
	n := 0
	for line := range bytes.Lines(log) {
		if len(bytes.TrimSpace(line)) > 0 {
			n++
		}
	}
	return n
}

// gptmeLogOf reads all messages of a log. A line that is none is left out.
func gptmeLogOf(log []byte) []logged {
	var all []logged
	for line := range bytes.Lines(log) {
		var m struct{ Role, Content string }
		if json.Unmarshal(line, &m) == nil && m.Role != "" {
			all = append(all, logged{m.Role, m.Content})
		}
	}
	return all
}

// wholeLog reads a file that is not too long.
func wholeLog(root *os.Root, name string) ([]byte, bool) {
	file, err := root.Open(name)
	if err != nil {
		return nil, false
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, gptmeLog+1))
	return text, err == nil && len(text) <= gptmeLog
}
