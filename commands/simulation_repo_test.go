//go:build !race

package commands

import (
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// simulation is a repository that is made of a seed, and who works in it.
type simulation struct {
	t       *testing.T
	repo    *repo
	service *Service
	random  *rand.Rand
	now     time.Time

	disk    map[string]string // every file, by its path
	code    []string          // the paths of its source files
	ruled   []string          // the instruction files of folders
	revised map[string]int    // how often an instruction file was rewritten

	opened   map[string]bool
	focus    string
	typed    int
	version  int32
	plan     bool
	messages []message
	went     map[string]bool // instruction files of folders of which a file was read
}

// parts are folders of the generated repository.
var parts = []string{"internal/store", "internal/pay", "internal/web", "cmd/server", "internal/queue", "internal/auth"}

// foldersWithRules is how many folders have an instruction file of their own.
const foldersWithRules = 4

// makeUp writes the files of a small repository.
func (s *simulation) makeUp() map[string]string {
	files := map[string]string{"README.md": "# Shop\n\n" + s.prose(120) + "\n"}
	for _, part := range parts {
		for j := range 8 {
			files[path.Join(part, fmt.Sprintf("file%d.go", j))] = s.program(path.Base(part), j)
		}
	}
	return files
}

// ownFiles are the files of this project that are small enough to be read whole
// a hundred times within one window.
func ownFiles(t *testing.T) map[string]string {
	t.Helper()
	const most = 3000 // bytes
	files := map[string]string{}
	must(t, filepath.WalkDir("..", func(name string, entry fs.DirEntry, err error) error {
		switch base := filepath.Base(name); {
		case err != nil:
			return err
		case entry.IsDir() && (base == "editors" || base == "testdata" || strings.HasPrefix(base, ".") && base != ".."):
			return filepath.SkipDir
		case entry.IsDir() || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(name)
		if err == nil && len(text) <= most {
			rel, _ := filepath.Rel("..", name)
			files[filepath.ToSlash(rel)] = string(text)
		}
		return err
	}))
	return files
}

// newSimulation makes a repository of the files given, or makes them up.
func newSimulation(t *testing.T, files map[string]string) *simulation {
	t.Helper()
	s := &simulation{
		t: t, random: rand.New(rand.NewPCG(4, 2026)), now: noon,
		disk: map[string]string{}, revised: map[string]int{}, opened: map[string]bool{}, went: map[string]bool{},
	}
	if files == nil {
		files = s.makeUp()
	}
	maps.Copy(s.disk, files)
	s.disk["AGENTS.md"] = s.rules("AGENTS.md", 40)
	var folders []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if strings.HasSuffix(name, ".go") {
			s.code = append(s.code, name)
			folders = append(folders, path.Dir(name))
		}
	}
	for _, folder := range slices.Compact(folders)[:foldersWithRules] {
		name := path.Join(folder, "AGENTS.md")
		s.disk[name] = s.rules(name, 12)
		s.ruled = append(s.ruled, name)
	}
	s.repo = newRepo(t, s.disk)
	s.repo.git("add", "-A")
	s.repo.git("commit", "-q", "-m", "Begin")
	service, err := Open(Options{
		Home: s.repo.home, Version: "test", Now: func() time.Time { return s.now },
		Roots: []Folder{{Path: s.repo.root, Name: "repo"}},
	})
	must(t, err)
	t.Cleanup(func() { must(t, service.Close()) })
	s.service = service
	s.focus = s.code[0]
	s.open(s.focus)
	return s
}

var vocabulary = strings.Fields("the store keeps each order until its payment is settled then writes one line of the ledger and answers " +
	"the web with what was charged a queue retries what failed twice before it gives up and tells someone")

// prose makes a text of so many words.
func (s *simulation) prose(words int) string {
	var b strings.Builder
	for i := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(vocabulary[s.random.IntN(len(vocabulary))])
	}
	return b.String()
}

// rules makes an instruction file, with a marker that tells its revision.
func (s *simulation) rules(name string, lines int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Rules\n\n- %s\n", s.marker(name))
	for range lines {
		fmt.Fprintf(&b, "- %s.\n", s.prose(9))
	}
	return b.String()
}

// marker is a line that only the present revision of an instruction file has.
func (s *simulation) marker(name string) string {
	return fmt.Sprintf("Revision %d of the rules for %s.", s.revised[name], path.Base(path.Dir("root/"+name)))
}

func (s *simulation) program(pkg string, n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\n", pkg)
	for i := range 6 {
		fmt.Fprintf(&b, "// Step%d%d: %s.\nfunc Step%d%d(in []string) (out []string) {\n\tfor i, word := range in {\n\t\tif i%%%d == 0 {\n\t\t\tout = append(out, word)\n\t\t}\n\t}\n\treturn out\n}\n\n",
			n, i, s.prose(8), n, i, i+2)
	}
	return b.String()
}

// revise changes one line of an instruction file, as somebody does who learnt
// something.
func (s *simulation) revise(name string) {
	before := s.marker(name)
	s.revised[name]++
	s.save(name, strings.Replace(s.disk[name], before, s.marker(name), 1))
}

// save writes a file and tells the server, as an editor does.
func (s *simulation) save(name, text string) {
	s.disk[name] = text
	s.repo.write(name, text)
	s.service.Workspace().FilesChanged([]string{s.repo.path(name)})
}

// instructions are the instruction files as they are now.
func (s *simulation) instructions() map[string]string {
	now := map[string]string{}
	for name, text := range s.disk {
		if path.Base(name) == "AGENTS.md" {
			now[name] = text
		}
	}
	return now
}

// above lists the instruction files between a file and the root, the nearest
// first, without the root's.
func above(file string, files map[string]string) []string {
	var names []string
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		if name := path.Join(dir, "AGENTS.md"); files[name] != "" {
			names = append(names, name)
		}
	}
	return names
}

// present is the prompt as it would be built now, without a session, by section:
// the ingredients of the seeds' ways.
func (s *simulation) present() map[string]string {
	now := map[string]string{}
	for _, section := range build(s.t, s.service, BuildPromptParams{URI: s.repo.uri("."), Model: "gpt-5"}).Sections {
		now[section.Key] = section.Text
	}
	return now
}

// core is the text of the core layer.
func core(sections map[string]string) string {
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(sections)) {
		switch {
		case !strings.HasPrefix(key, "core/"), key == "core/date", key == "core/environment", key == "core/git", key == "core/tree",
			key == "core/focus", key == "core/buffers", key == "core/instructions":
		default:
			parts = append(parts, sections[key])
		}
	}
	return strings.Join(parts, "\n\n")
}
