package lsp

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"foreword/workspace"
)

// do runs a mark.
//
//	open(path[, text])            didOpen, with the text on disk or another
//	openURI(uri, text)            didOpen of what is no file of the workspace
//	change(path, old, new)        the first old becomes new, as one edit
//	edits(path, old, new, …)      several such edits in one didChange
//	whole(path, text)             didChange with the whole text
//	nullRange(path, text)         didChange with the whole text and "range": null
//	rawEdit(path, "l:c-l:c", text[, version])
//	                              an edit that the buffer does not follow
//	save(path) close(path)
//	write(path, text)             the file changes on disk; the client says so
//	disk(path, text)              the file changes on disk; nobody says so
//	remove(path)                  the file goes from disk; the client says so
//	hover(want) hoverAt(path, want)
//	codeAction(want[, only…])     "auto" as the first only: triggered by the editor itself
//	codeLens(want)
//	command(name, arguments, want[, field…])
//	                              fields: dotted paths, [] for all elements; none for the whole answer
//	told(path, want)              the text of instruction files that holds for a file
//	content(uri, want[, lines])   workspace/textDocumentContent
//	shown(want[, lines])          the document that the server asked to show
//	notified(method, want)        a notification of the server
//	logged(text)                  a window/logMessage with this text in it
//	cancel(method, params)        a request that is cancelled at once
//	folders(added, removed)       paths with commas; may be empty
//	trust(path, decision)         "" for all folders
//	focus(path)
//	problems(path, json)          the editor shows these diagnostics in a file
//	settings(json)                the editor's settings become these
//	fails(method, params, want)   a request that is answered with an error
//	watched(directory)            waits until the server watches it itself
//	sums(arguments) impossible(arguments)
//	absent(arguments, text) present(arguments, text)
//	                              see the methods
func (r *run) do(m mark) error {
	actions := map[string]func(args) error{
		"open": r.didOpen, "change": r.edits, "edits": r.edits, "whole": r.whole, "nullRange": r.nullRange, "rawEdit": r.rawEdit,
		"save": r.save, "close": r.didClose, "write": r.writeFile, "disk": r.disk, "remove": r.removeFile,
		"hover": r.hover, "hoverAt": r.hoverAt, "codeAction": r.codeAction, "codeLens": r.codeLens,
		"command": r.command, "content": r.content, "shown": r.shown, "notified": r.notified, "logged": r.logged,
		"cancel": r.cancel, "folders": r.folders, "trust": r.trust, "focus": r.focus, "problems": r.problems, "settings": r.changeSettings,
		"fails": r.fails, "watched": r.watched, "told": r.told, "sums": r.sums, "impossible": r.impossible, "absent": r.absent, "present": r.present, "openURI": r.openURI,
	}
	action, ok := actions[m.name]
	if !ok {
		return errors.New("no such action")
	}
	return action(args{r, m.args})
}

// args are the arguments of a mark.
type args struct {
	r    *run
	list []any
}

func (a args) text(i int) string {
	if i >= len(a.list) {
		return ""
	}
	switch v := a.list[i].(type) {
	case string:
		return v
	case golden:
		return string(v)
	}
	a.r.t.Fatalf("%s: argument %d is %T", a.r.mark, i, a.list[i])
	return ""
}

func (a args) number(i, otherwise int) int {
	if i >= len(a.list) {
		return otherwise
	}
	n, ok := a.list[i].(int64)
	if !ok {
		a.r.t.Fatalf("%s: argument %d is no number", a.r.mark, i)
	}
	return int(n)
}

func (r *run) encoding() workspace.Encoding {
	if enc := r.a.flags.encoding; enc != "" {
		return enc
	}
	return workspace.UTF16
}

func (r *run) hover(a args) error { return r.hoverOn(r.mark.file, a.text(0)) }

func (r *run) hoverAt(a args) error { return r.hoverOn(a.text(0), a.text(1)) }

func (r *run) hoverOn(name, want string) error {
	var place position
	if p := r.mark.place; p != nil {
		place = position{p.Line, p.Character}
	}
	// Editors ask for the lenses of a file before anybody hovers over it. Those
	// wait until the files that it applies to are counted, which a hover does not.
	if _, err := r.editor.call("textDocument/codeLens", object{"textDocument": object{"uri": r.uri(name)}}); err != nil {
		return err
	}
	raw, err := r.editor.call("textDocument/hover", object{"textDocument": object{"uri": r.uri(name)}, "position": place})
	if err != nil {
		return r.compare(want, r.failure(err))
	}
	var hover *struct {
		Contents struct{ Kind, Value string }
		Range    *span
	}
	if err := json.Unmarshal(raw, &hover); err != nil {
		return err
	}
	if hover == nil {
		return r.compare(want, "nothing")
	}
	out := hover.Contents.Kind
	if hover.Range != nil {
		out += fmt.Sprintf(" %d:%d-%d:%d", hover.Range.Start.Line, hover.Range.Start.Character, hover.Range.End.Line, hover.Range.End.Character)
	}
	return r.compare(want, out+"\n"+hover.Contents.Value)
}

func (r *run) codeAction(a args) error {
	context := object{"diagnostics": []any{}, "triggerKind": 1}
	var only []string
	for i := 1; i < len(a.list); i++ {
		if i == 1 && a.text(i) == "auto" {
			context["triggerKind"] = 2
			continue
		}
		only = append(only, a.text(i))
	}
	if only != nil {
		context["only"] = only
	}
	raw := r.editor.must("textDocument/codeAction", object{
		"textDocument": object{"uri": r.uri(r.mark.file)}, "range": span{}, "context": context,
	})
	var actions []json.RawMessage
	if err := json.Unmarshal(raw, &actions); err != nil {
		return err
	}
	return r.compare(a.text(0), lines(actions))
}

func (r *run) codeLens(a args) error {
	raw := r.editor.must("textDocument/codeLens", object{"textDocument": object{"uri": r.uri(r.mark.file)}})
	var lenses []json.RawMessage
	if err := json.Unmarshal(raw, &lenses); err != nil {
		return err
	}
	return r.compare(a.text(0), lines(lenses))
}

func lines(list []json.RawMessage) string {
	var out strings.Builder
	for _, item := range list {
		out.Write(item)
		out.WriteString("\n")
	}
	if len(list) == 0 {
		return "nothing"
	}
	return out.String()
}

func (r *run) execute(name, argument string) (json.RawMessage, error) {
	return r.editor.call("workspace/executeCommand", object{
		"command": name, "arguments": []json.RawMessage{json.RawMessage(r.expand(argument))},
	})
}

func (r *run) command(a args) error {
	raw, err := r.execute(a.text(0), a.text(1))
	if err != nil {
		return r.compare(a.text(2), r.failure(err))
	}
	if len(a.list) == 3 {
		var out bytes.Buffer
		if err := json.Indent(&out, raw, "", "  "); err != nil {
			return err
		}
		return r.compare(a.text(2), out.String())
	}
	var result any
	if err := json.Unmarshal(raw, &result); err != nil {
		return err
	}
	var out strings.Builder
	for i := 3; i < len(a.list); i++ {
		for _, value := range pick(result, strings.Split(a.text(i), ".")) {
			text, isText := value.(string)
			if !isText {
				encoded, err := json.Marshal(value)
				if err != nil {
					return err
				}
				text = string(encoded)
			}
			fmt.Fprintf(&out, "%s: %s\n", a.text(i), strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n\t"))
		}
	}
	return r.compare(a.text(2), out.String())
}

// pick finds the values at a path.
func pick(value any, path []string) []any {
	if len(path) == 0 {
		return []any{value}
	}
	name, each := strings.CutSuffix(path[0], "[]")
	fields, ok := value.(map[string]any)
	if !ok {
		return nil
	}
	inner, ok := fields[name]
	if !ok {
		return nil
	}
	if !each {
		return pick(inner, path[1:])
	}
	var out []any
	list, _ := inner.([]any)
	for _, element := range list {
		out = append(out, pick(element, path[1:])...)
	}
	return out
}

func (r *run) fails(a args) error {
	raw, err := r.editor.call(a.text(0), r.expand(a.text(1)))
	if err == nil {
		return fmt.Errorf("the answer is %s, not an error", raw)
	}
	return r.compare(a.text(2), r.failure(err))
}

func (r *run) failure(err error) string {
	var wire *jsonrpc2.Error
	if !errors.As(err, &wire) {
		return "error without a code: " + err.Error()
	}
	return fmt.Sprintf("error %d: %s\ndata: %s", wire.Code, wire.Message, wire.Data)
}

func (r *run) content(a args) error {
	return r.contentOf(r.expand(a.text(0)), a.text(1), a.number(2, 0))
}

func (r *run) contentOf(u, want string, limit int) error {
	raw, err := r.editor.call("workspace/textDocumentContent", object{"uri": u})
	if err != nil {
		return r.compare(want, r.failure(err))
	}
	var result protocol.TextDocumentContentResult
	if err := json.Unmarshal(raw, &result); err != nil {
		return err
	}
	return r.compare(want, head(result.Text, limit))
}

// head is the first lines of a text; 0 for all.
func head(text string, limit int) string {
	parts := strings.SplitAfter(text, "\n")
	if limit > 0 && len(parts) > limit {
		parts = parts[:limit]
	}
	return strings.Join(parts, "")
}

func (r *run) shown(a args) error {
	var params protocol.ShowDocumentParams
	if err := json.Unmarshal(r.editor.await("window/showDocument", nil), &params); err != nil {
		return err
	}
	limit := a.number(1, 0)
	if !params.URI.IsFile() {
		raw := r.editor.must("workspace/textDocumentContent", object{"uri": params.URI})
		var result protocol.TextDocumentContentResult
		if err := json.Unmarshal(raw, &result); err != nil {
			return err
		}
		return r.compare(a.text(0), params.URI.Scheme()+"\n"+head(result.Text, limit))
	}
	path := params.URI.FsPath()
	for place, mode := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		info, err := os.Stat(place)
		if err != nil {
			return err
		}
		if info.Mode().Perm() != mode {
			return fmt.Errorf("%s has mode %v, want %v", place, info.Mode().Perm(), mode)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return r.compare(a.text(0), filepath.Base(path)+"\n"+head(string(data), limit))
}

func (r *run) notified(a args) error {
	return r.compare(a.text(1), string(r.editor.await(a.text(0), nil)))
}

func (r *run) logged(a args) error {
	r.editor.await("window/logMessage", func(raw json.RawMessage) bool {
		var params protocol.LogMessageParams
		return json.Unmarshal(raw, &params) == nil && strings.Contains(params.Message, a.text(0))
	})
	return nil
}

func (r *run) watched(a args) error {
	want := "debug: watching " + r.path(a.text(0)) + "\n"
	for range 30_000 {
		if strings.Contains(r.editor.log.String(), want) {
			return nil
		}
		time.Sleep(time.Millisecond)
	}
	return errors.New("the server does not watch it")
}

// cancel sends a request and its cancellation at once; either may win.
func (r *run) cancel(a args) error {
	ctx, stop := contextForCancel()
	answered := make(chan error, 1)
	go func() {
		var result json.RawMessage
		answered <- protocol.Call(ctx, r.editor.conn, a.text(0), json.RawMessage(r.expand(a.text(1))), &result)
	}()
	stop()
	<-answered
	// What counts is that the server answers the next one.
	_, err := r.execute("foreword.status", "{}")
	return err
}

func (r *run) folders(a args) error {
	event := object{}
	for i, name := range []string{"added", "removed"} {
		list := []object{}
		for _, folder := range strings.Split(a.text(i), ",") {
			if folder != "" {
				list = append(list, object{"uri": r.uri(folder), "name": filepath.Base(folder)})
			}
		}
		event[name] = list
	}
	r.editor.notify("workspace/didChangeWorkspaceFolders", object{"event": event})
	return nil
}

func (r *run) trust(a args) error {
	params := object{"trusted": a.list[1]}
	if a.text(0) != "" {
		params["folder"] = r.uri(a.text(0))
	}
	r.editor.notify("foreword/didChangeTrust", params)
	return nil
}

func (r *run) focus(a args) error {
	r.editor.notify("foreword/didFocus", object{"uri": r.uri(a.text(0))})
	return nil
}

func (r *run) problems(a args) error {
	r.editor.notify("foreword/didChangeDiagnostics", object{"uri": r.uri(a.text(0)), "diagnostics": json.RawMessage(a.text(1))})
	return nil
}

func (r *run) changeSettings(a args) error {
	r.editor.mu.Lock()
	r.editor.settings = json.RawMessage(a.text(0))
	r.editor.mu.Unlock()
	pushed := object{"settings": object{"foreword": json.RawMessage(a.text(0))}}
	r.editor.notify("workspace/didChangeConfiguration", pushed)
	r.settled()
	return nil
}

var virtualQuery = regexp.MustCompile(`(foreword-(?:preview|explain):[^?"\s)]*\?)([A-Za-z0-9_-]+)`)

// tools are those whose rules are known, which become more.
var tools = regexp.MustCompile(`sent by [^"\n]*`)

var temporary = regexp.MustCompile(`/foreword-[0-9]+/`)

// normal replaces what differs between two runs.
func (r *run) normal(text string) string {
	text = virtualQuery.ReplaceAllStringFunc(text, func(found string) string {
		parts := virtualQuery.FindStringSubmatch(found)
		question, err := base64.RawURLEncoding.DecodeString(parts[2])
		if err != nil {
			return found
		}
		return parts[1] + string(question)
	})
	text = tools.ReplaceAllString(text, "sent by TOOLS")
	text = temporary.ReplaceAllString(text, "/foreword-N/")
	for _, place := range [][2]string{{r.root, "$ROOT"}, {r.home, "$HOME"}, {filepath.Dir(r.root), "$TEMP"}} {
		text = strings.ReplaceAll(text, string(uri.File(place[0])), "file://"+place[1])
		text = strings.ReplaceAll(text, place[0], place[1])
	}
	return text
}
