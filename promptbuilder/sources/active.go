package sources

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"foreword/workspace/fsys"
	"foreword/workspace/vcs"
)

// activeFiles bounds the files that are chosen for a message; gptme takes ten,
// too (gptme/gptme gptme/hooks/active_context.py, d27f98d3).
const activeFiles = 10

// activeCandidates bounds the files that are read to be chosen from.
const activeCandidates = 50

const activeHeading = "# Files at hand\n\n" +
	"These files were chosen for the newest message: the user names them, or they are being worked on. They are as they are now."

// active says the files that the newest message is about. A file is a candidate
// when the message names it, when git says that it is changed, or when the
// editor shows it; the score of each is told.
func active(in *Input) []Source {
	return []Source{{
		Key: "core/active", Group: "active", Layer: Dynamic, Title: "Files at hand",
		Observe: in.observeActive,
		Update:  updateActive,
		Removal: func(string) string {
			return "No file is at hand for the newest message. What was said of files before may be out of date."
		},
	}}
}

// candidate is a file that may be told, and what speaks for it.
type candidate struct {
	path    string
	score   float64
	reasons []string
}

// weight multiplies the score for a reason.
func (c *candidate) weight(by float64, reason string) {
	c.score = float64(c.score * by) // rounded, so that every processor gets the same
	c.reasons = append(c.reasons, reason)
}

func (in *Input) observeActive(ctx context.Context) Observation {
	if in.ActiveTokens <= 0 {
		return none("the setting active.tokens is 0")
	}
	chosen, skipped, err := in.rankActive(ctx)
	if err != nil {
		return Observation{Status: Unavailable, Why: err.Error()}
	}
	o := Observation{Status: Present, Skipped: skipped}
	lines := strings.Split(activeHeading, "\n")
	o.Origins = []Origin{{Name: "active", ToLine: len(lines)}}
	left := in.ActiveTokens - in.Count(activeHeading)
	var told []string
	for _, c := range chosen {
		reason := fmt.Sprintf("%s (score %.2f: %s)", in.display(c.path), c.score, strings.Join(c.reasons, ", "))
		skip := func(why string) { o.Skipped = append(o.Skipped, Skipped{Path: c.path, Why: why + "; " + reason}) }
		if len(told) == activeFiles {
			skip(fmt.Sprintf("%d files are told already", activeFiles))
			continue
		}
		file, err := in.Chosen.Texts.ReadFile(c.path)
		switch {
		case err != nil:
			skip(err.Error())
			continue
		case strings.TrimSpace(file.Text) == "":
			skip("blank")
			continue
		}
		body := strings.TrimRight(strings.ReplaceAll(file.Text, "\r\n", "\n"), "\n")
		body = strings.ReplaceAll(body, activeStart, "&lt;"+activeStart[1:]) // so that updateActive finds the files
		block := "\n<file" + attribute("path", in.location(c.path)) + ">\n" + neutralise(body, "file") + "\n</file>"
		cost := in.Count(block)
		if cost > left { // a smaller one may still fit
			skip(fmt.Sprintf("%s leaves no room for its %d tokens", in.bound("active.tokens", in.ActiveTokens), cost))
			continue
		}
		left -= cost
		from := len(lines)
		lines = append(lines, strings.Split(block, "\n")...)
		end := len(lines)
		o.Origins = append(o.Origins,
			Origin{Name: "active", FromLine: from, ToLine: from + 2},
			Origin{Path: c.path, Hash: file.Hash, Dirty: file.Dirty, FromLine: from + 2, ToLine: end - 1, FileTo: end - 3 - from},
			Origin{Name: "active", FromLine: end - 1, ToLine: end})
		told = append(told, reason)
	}
	if len(told) == 0 {
		o = none("the newest message names no file that can be told, and none is being worked on")
		o.Skipped = append(skipped, o.Skipped...)
		return o
	}
	o.Text = strings.Join(lines, "\n")
	o.Why = "chosen for the newest message: " + strings.Join(told, "; ")
	return o
}

// rankActive scores the candidates: each reason multiplies the score, so that a
// file for which two things speak comes before one for which one does. What is
// told elsewhere in the prompt is no candidate.
func (in *Input) rankActive(ctx context.Context) (chosen []candidate, skipped []Skipped, err error) {
	changed, err := in.changedFiles(ctx)
	if err != nil {
		return nil, nil, err
	}
	mentioned := in.mentions(changed)
	seen := map[string]bool{}
	var paths []string
	add := func(path string) {
		if path != "" && !seen[path] && fsys.Within(in.Root, path) && path != in.Root {
			seen[path] = true
			paths = append(paths, path)
		}
	}
	for _, path := range sortedKeys(mentioned) {
		add(path)
	}
	add(in.Focus.Path)
	for _, path := range slices.Sorted(slices.Values(in.Focus.Visible)) {
		add(path)
	}
	for _, path := range sortedKeys(changed) {
		add(path)
	}
	told := in.toldElsewhere(ctx)
	if len(paths) == 0 {
		return nil, nil, nil
	}
	out := in.Ignored(ctx, paths)
	for _, path := range paths {
		why, left := out[path]
		if said := told[path]; said != "" {
			why, left = said, true
		}
		if left || isBookkeeping(path) {
			if mentioned[path] > 0 { // what nobody asked for need not be explained
				skipped = append(skipped, Skipped{Path: path, Why: cmp.Or(why, "written by a program")})
			}
			continue
		}
		c := candidate{path: path, score: 1}
		if n := mentioned[path]; n > 0 {
			c.weight(4+0.5*float64(min(n, 5)-1), fmt.Sprintf("named %d× in the message", n))
		}
		if code := changed[path]; code != "" {
			by, how := changeWeight(code)
			c.weight(by, how)
		}
		switch {
		case path == in.Focus.Path:
			c.weight(1.5, "in focus")
		case slices.Contains(in.Focus.Visible, path):
			c.weight(1.3, "visible")
		}
		by, kind := kindWeight(path)
		c.weight(by, kind)
		chosen = append(chosen, c)
	}
	slices.SortFunc(chosen, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(a.path, b.path))
	})
	return chosen[:min(len(chosen), activeCandidates)], skipped, nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// changeWeight is gptme's: what is staged is nearest to being said.
func changeWeight(code string) (by float64, how string) {
	switch {
	case code == "??":
		return 1.8, "untracked"
	case strings.HasPrefix(code, "U") || strings.HasSuffix(code, "U"):
		return 3, "in conflict"
	case !strings.HasPrefix(code, "."):
		return 3, "staged"
	}
	return 2.5, "modified"
}

// kindWeight prefers sources over texts over settings over the rest, as gptme
// does.
func kindWeight(path string) (by float64, kind string) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".c", ".cc", ".cpp", ".cs", ".css", ".dart", ".ex", ".go", ".h", ".hs", ".html", ".java", ".jl", ".js", ".jsx", ".kt", ".lua", ".m", ".ml",
		".php", ".pl", ".py", ".r", ".rb", ".rs", ".scala", ".sh", ".sql", ".svelte", ".swift", ".ts", ".tsx", ".vue", ".zig":
		return 1.3, "source"
	case ".adoc", ".md", ".rst", ".txt":
		return 1.2, "text"
	case ".ini", ".json", ".toml", ".yaml", ".yml":
		return 1.1, "settings"
	}
	return 1, "other"
}

// isBookkeeping tells whether a program writes a file for itself or for others
// to run.
func isBookkeeping(path string) bool {
	base := strings.ToLower(filepath.Base(path))
	if slices.ContainsFunc(bookkeeping, func(name string) bool { return strings.EqualFold(name, base) }) {
		return true
	}
	for _, suffix := range []string{".min.js", ".min.css", ".map", ".pyc", ".pyo", ".whl", ".snap"} {
		if strings.HasSuffix(base, suffix) {
			return true
		}
	}
	return false
}

// changedFiles are the files that git says differ, by absolute path, with
// git's letters. An untracked folder is none.
func (in *Input) changedFiles(ctx context.Context) (map[string]string, error) {
	changed := map[string]string{}
	if in.Git == nil {
		return changed, nil
	}
	status, err := in.Git(ctx)
	if err != nil {
		return changed, ctx.Err() // without git's facts the others count
	}
	for _, c := range status.Changed {
		if !strings.HasSuffix(c.Path, "/") && !gone(c) {
			changed[filepath.Join(in.Root, filepath.FromSlash(c.Path))] = c.Code
		}
	}
	return changed, nil
}

func gone(c vcs.Change) bool { return strings.Contains(c.Code, "D") }

// toldElsewhere are the files that other sources of the prompt say.
func (in *Input) toldElsewhere(ctx context.Context) map[string]string {
	told := map[string]string{}
	if in.BufferTokens > 0 {
		send, _ := in.openFiles(ctx)
		for _, b := range send {
			told[b.Path] = "it is told among the open files"
		}
	}
	for _, path := range in.Attachments {
		told[path] = "it is attached"
	}
	for i := range in.Chosen.files {
		if f := &in.Chosen.files[i]; f.file != nil && f.cut == "" {
			told[f.path], told[f.real] = "it is told among the files to know", "it is told among the files to know"
		}
	}
	if in.Instructions != nil {
		for _, e := range in.Instructions.Sent() {
			told[e.Path], told[e.RealPath] = "it is told as an instruction file", "it is told as an instruction file"
		}
	}
	return told
}

// mentions counts how often the newest message names each file: by its path
// from the root or from the folder of the file in focus, or by its bare name
// where a file in that folder, an open one or a changed one is called so. No
// folder is searched for it.
func (in *Input) mentions(changed map[string]string) map[string]int {
	found := map[string]int{}
	if in.Root == "" || in.Message == "" {
		return found
	}
	byName := map[string][]string{}
	know := func(path string) {
		if path != "" && fsys.Within(in.Root, path) {
			base := filepath.Base(path)
			if !slices.Contains(byName[base], path) {
				byName[base] = append(byName[base], path)
			}
		}
	}
	for path := range changed {
		know(path)
	}
	for _, b := range in.Buffers {
		know(b.Path)
	}
	bases := []string{in.Root}
	if dir := filepath.Dir(in.Target); in.Target != "" && fsys.Within(in.Root, dir) && dir != in.Root {
		bases = append(bases, dir)
	}
	looked := map[string][]string{}
	for _, word := range pathWords(in.Message) {
		paths, known := looked[word]
		if !known {
			paths = in.filesNamed(word, bases, byName)
			looked[word] = paths
			if len(looked) > maxWords {
				break
			}
		}
		for _, path := range paths {
			found[path]++
		}
	}
	return found
}

// maxWords bounds how many different words of a message are looked up as files.
const maxWords = 200

func (in *Input) filesNamed(word string, bases []string, byName map[string][]string) []string {
	var paths []string
	for _, base := range bases {
		path := filepath.Join(base, filepath.FromSlash(word))
		if filepath.IsAbs(word) {
			path = filepath.Clean(word)
		}
		if !fsys.Within(in.Root, path) || slices.Contains(paths, path) {
			continue
		}
		if info, err := in.Files.Stat(path); err == nil && info.Kind == fsys.KindFile {
			paths = append(paths, path)
		}
	}
	if len(paths) == 0 && !strings.ContainsAny(word, `/\`) {
		paths = slices.Sorted(slices.Values(byName[word]))
	}
	return paths
}

// pathWords are the words of a text that may name a file: those with a dot or a
// slash inside, without what stands around them and without a line number
// behind.
func pathWords(text string) []string {
	var words []string
	for _, word := range strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("`\"'<>()[]{},;|*", r)
	}) {
		word = strings.TrimRight(strings.TrimLeft(word, "@#"), ".:!?")
		for strings.HasPrefix(word, "./") {
			word = word[len("./"):]
		}
		if head, tail, ok := strings.Cut(word, ":"); ok && strings.Trim(tail, "0123456789:-") == "" {
			word = head // main.go:12, main.go:12-20
		}
		if len(word) > 1 && strings.ContainsAny(word[1:], "./") && !strings.Contains(word, "://") || strings.EqualFold(word, "Makefile") || strings.EqualFold(word, "Dockerfile") {
			words = append(words, word)
		}
	}
	return words
}

// activeStart begins each file.
const activeStart = `<file path="`

// activeBlocks cuts the files out of what was said of them, by path.
func activeBlocks(text string) (paths []string, blocks map[string]string) {
	blocks = map[string]string{}
	for _, part := range strings.Split(text, "\n\n"+activeStart)[1:] {
		path, _, ok := strings.Cut(part, `"`)
		if !ok {
			continue
		}
		paths = append(paths, path)
		blocks[path] = activeStart + part
	}
	return paths, blocks
}

// updateActive says the files that are new or changed, and names those that are
// not at hand any more: their text stands in the conversation already.
func updateActive(before, after string) string {
	had, old := activeBlocks(before)
	have, now := activeBlocks(after)
	var said, gone, same []string
	for _, path := range have {
		if old[path] == now[path] {
			same = append(same, path)
			continue
		}
		said = append(said, now[path])
	}
	for _, path := range had {
		if _, still := now[path]; !still {
			gone = append(gone, path)
		}
	}
	var b strings.Builder
	b.WriteString("The files at hand for the newest message changed.")
	if len(same) > 0 {
		fmt.Fprintf(&b, " As they were said before: %s.", strings.Join(same, ", "))
	}
	if len(gone) > 0 {
		fmt.Fprintf(&b, " No longer kept up to date: %s.", strings.Join(gone, ", "))
	}
	for _, block := range said {
		b.WriteString("\n\n" + block)
	}
	return b.String()
}
