package lsp

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"

	"foreword/workspace"
)

// archive is a scenario, read.
type archive struct {
	intent       string
	files        []archiveFile
	symlinks     [][2]string
	marks        []mark
	golden       map[string]string
	capabilities map[string]any
	init         string
	settings     json.RawMessage
	flags        flags
}

type archiveFile struct {
	name string
	data []byte
}

type flags struct {
	folders      []string
	noRepository bool
	encoding     workspace.Encoding
}

// mark is a call in the text of a file.
type mark struct {
	file string
	at   int // line in the archive's file, from 1
	// place is set by a line of carets; in characters of a line of ASCII.
	place *workspace.Position
	name  string
	args  []any // string, int64, bool, golden
}

// golden is the name of a golden answer.
type golden string

func (m mark) String() string { return fmt.Sprintf("%s:%d: %s", m.file, m.at, m.name) }

func readArchive(parsed *txtar.Archive) (*archive, error) {
	a := &archive{
		intent: strings.TrimSpace(string(parsed.Comment)), golden: map[string]string{},
		capabilities: map[string]any{}, flags: flags{folders: []string{""}},
	}
	if a.intent == "" {
		return nil, errors.New("the archive does not say what it shows")
	}
	for _, file := range parsed.Files {
		text := string(file.Data)
		var err error
		switch name, isGolden := strings.CutPrefix(file.Name, "@"); {
		case isGolden:
			a.golden[name] = text
		case file.Name == "capabilities.json":
			err = json.Unmarshal(file.Data, &a.capabilities)
		case file.Name == "init.json":
			a.init = text
		case file.Name == "settings.json":
			a.settings = json.RawMessage(strings.TrimSpace(text))
		case file.Name == "flags":
			err = a.readFlags(text)
		case file.Name == "symlinks":
			err = eachLine(text, " -> ", func(link, target string) error {
				a.symlinks = append(a.symlinks, [2]string{link, target})
				return nil
			})
		case file.Name == "bytes":
			err = eachLine(text, ": ", func(path, digits string) error {
				data, err := hex.DecodeString(strings.ReplaceAll(digits, " ", ""))
				a.files = append(a.files, archiveFile{path, data})
				return err
			})
		default:
			err = a.readFile(file.Name, text)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file.Name, err)
		}
	}
	return a, nil
}

func (a *archive) readFlags(text string) error {
	for _, field := range strings.Fields(text) {
		name, value, _ := strings.Cut(field, "=")
		switch name {
		case "-folders":
			a.flags.folders = nil
			if value != "" {
				a.flags.folders = strings.Split(value, ",")
			}
		case "-norepo":
			a.flags.noRepository = true
		case "-encoding":
			a.flags.encoding = workspace.Encoding(value)
		default:
			return fmt.Errorf("unknown flag %s", name)
		}
	}
	return nil
}

func eachLine(text, separator string, take func(left, right string) error) error {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		left, right, ok := strings.Cut(line, separator)
		if !ok {
			return fmt.Errorf("line %q has no %q", line, separator)
		}
		if err := take(left, right); err != nil {
			return err
		}
	}
	return nil
}

var (
	commentMark = regexp.MustCompile(`[ \t]*(?://@|#@)[ \t]*(.*)$`)
	htmlMark    = regexp.MustCompile(`[ \t]*<!--@[ \t]*(.*?)[ \t]*-->`)
	caretMark   = regexp.MustCompile(`^(\s*)\^+[ \t]+(\w+\(.*\))\s*$`)
)

// readFile takes the marks out of a file.
func (a *archive) readFile(name, text string) error {
	var kept strings.Builder
	line, lines := 0, 0
	for source := range strings.Lines(text) {
		line++
		body := strings.TrimRight(source, "\r\n")
		end := source[len(body):]
		var calls string
		var place *workspace.Position
		if m := caretMark.FindStringSubmatch(body); m != nil && lines > 0 {
			calls, body = m[2], ""
			place = &workspace.Position{Line: lines - 1, Character: len(m[1])}
		} else if m := htmlMark.FindStringSubmatchIndex(body); m != nil {
			calls, body = body[m[2]:m[3]], body[:m[0]]+body[m[1]:]
		} else if m := commentMark.FindStringSubmatchIndex(body); m != nil {
			calls, body = body[m[2]:m[3]], body[:m[0]]
		}
		if calls == "" {
			kept.WriteString(source)
			lines++
			continue
		}
		marks, err := parseMarks(calls)
		if err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
		for _, m := range marks {
			m.file, m.at, m.place = name, line, place
			a.marks = append(a.marks, m)
		}
		if body != "" {
			kept.WriteString(body + end)
			lines++
		}
	}
	a.files = append(a.files, archiveFile{name, []byte(kept.String())})
	return nil
}

// parseMarks reads one call, or several with commas between them.
func parseMarks(calls string) ([]mark, error) {
	expression, err := parser.ParseExpr("_(" + calls + ")")
	if err != nil {
		return nil, fmt.Errorf("marks %q: %w", calls, err)
	}
	var marks []mark
	for _, e := range expression.(*ast.CallExpr).Args {
		call, ok := e.(*ast.CallExpr)
		if !ok {
			return nil, fmt.Errorf("marks %q: want calls", calls)
		}
		m := mark{name: call.Fun.(*ast.Ident).Name}
		for _, argument := range call.Args {
			value, err := literal(argument)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", m.name, err)
			}
			m.args = append(m.args, value)
		}
		marks = append(marks, m)
	}
	return marks, nil
}

func literal(e ast.Expr) (any, error) {
	switch e := e.(type) {
	case *ast.Ident:
		switch e.Name {
		case "true", "false":
			return e.Name == "true", nil
		}
		return golden(e.Name), nil
	case *ast.BasicLit:
		switch e.Kind {
		case token.STRING:
			return strconv.Unquote(e.Value)
		case token.INT:
			return strconv.ParseInt(e.Value, 0, 64)
		}
	}
	return nil, fmt.Errorf("argument %T is no string, number, boolean or name", e)
}
