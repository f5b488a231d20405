package earlier

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// GptmeLogs is where gptme keeps its conversations (gptme/gptme, gptme/dirs.py,
// 01607bbb): in GPTME_LOGS_HOME, else in logs of its folder of data.
func GptmeLogs(home string, env func(string) string) string {
	if dir := strings.TrimSpace(env("GPTME_LOGS_HOME")); filepath.IsAbs(dir) {
		return dir
	}
	if dir := dataDir(home, env, "gptme"); dir != "" {
		return filepath.Join(dir, "logs")
	}
	return ""
}

// Gptme reads the newest conversations in a folder of gptme's: each a folder with
// conversation.jsonl, one message in a line, and config.toml
// (gptme/gptme, gptme/logmanager/conversations.py, 5d3c8686). Those of gptme's
// own tests and evaluations are none.
func (l *Logs) Gptme(ctx context.Context, dir string) []Conversation {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil
	}
	defer root.Close()
	var all []Conversation
	for _, log := range newestOf(root, gptmeNames(root), newest) {
		if ctx.Err() != nil {
			return nil
		}
		c, ok := l.once(filepath.Join(dir, log.name), log.info, func() (Conversation, bool) {
			c := Conversation{Tool: "gptme", ID: filepath.Dir(log.name), At: log.info.ModTime().UnixMilli()}
			c.Title, c.Root = gptmeConfig(root, c.ID)
			first, last, whole := ends(root, log.name)
			messages := gptmeMessages(first, whole)
			if cut := bytes.IndexByte(last, '\n'); cut >= 0 {
				last = last[cut:]
				messages = append(messages, gptmeMessages(last, true)...)
			}
			return c, c.take(messages, whole)
		})
		if ok {
			all = append(all, c)
		}
	}
	return all
}

// gptmeNames are the logs in a folder of gptme's.
func gptmeNames(root *os.Root) []string {
	var logs []string
	for _, e := range entries(root, ".") {
		name := e.Name()
		if e.IsDir() && !strings.HasPrefix(name, "tmp") && !strings.HasPrefix(name, "test-") && !strings.Contains(name, "gptme-evals-") {
			logs = append(logs, name+"/conversation.jsonl")
		}
	}
	return logs
}

// gptmeMessages reads what user and assistant said. A line that is no message is
// left out; so is the last one where the log goes on after it.
func gptmeMessages(log []byte, ends bool) []said {
	var all []said
	lines := bytes.Split(log, []byte("\n"))
	if !ends {
		lines = lines[:len(lines)-1]
	}
	for _, line := range lines {
		var m struct {
			Role, Content string
			Hide          bool
		}
		if json.Unmarshal(line, &m) != nil || m.Hide || m.Role != "user" && m.Role != "assistant" {
			continue
		}
		all = append(all, said{m.Role == "user", withoutThinking(m.Content)})
	}
	return all
}

// withoutThinking cuts out what a model wrote for itself; gptme keeps it in the
// message, in tags.
func withoutThinking(text string) string {
	for _, tag := range []string{"think", "thinking"} {
		for {
			from := strings.Index(text, "<"+tag+">")
			if from < 0 {
				break
			}
			rest := text[from:]
			to := strings.Index(rest, "</"+tag+">")
			if to < 0 {
				text = text[:from]
				break
			}
			text = text[:from] + rest[to+len("</>")+len(tag):]
		}
	}
	return text
}

// gptmeConfig reads the name of a conversation and its workspace, which older
// ones have as a link.
func gptmeConfig(root *os.Root, id string) (title, workspace string) {
	var config struct {
		Chat struct{ Name, Workspace string }
	}
	if text, _, whole := ends(root, id+"/config.toml"); whole {
		_ = toml.Unmarshal(text, &config) // what cannot be read is left empty
	}
	workspace = config.Chat.Workspace
	if workspace == "" {
		workspace, _ = root.Readlink(id + "/workspace")
	}
	if !filepath.IsAbs(workspace) {
		return config.Chat.Name, "" // @log, its own folder, is none
	}
	return config.Chat.Name, filepath.Clean(workspace)
}
