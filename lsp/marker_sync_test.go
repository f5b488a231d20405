package lsp

import (
	"fmt"
	"os"
)

type object map[string]any

func (r *run) didOpen(a args) error {
	text := a.text(1)
	if len(a.list) < 2 {
		data, err := os.ReadFile(r.path(a.text(0)))
		if err != nil {
			return err
		}
		text = string(data)
	}
	r.buffers[a.text(0)] = &buffer{text: text, version: 1}
	r.editor.notify("textDocument/didOpen", object{"textDocument": object{
		"uri": r.uri(a.text(0)), "languageId": "text", "version": 1, "text": text,
	}})
	return nil
}

func (r *run) openURI(a args) error {
	r.editor.notify("textDocument/didOpen", object{"textDocument": object{
		"uri": r.expand(a.text(0)), "languageId": "text", "version": 1, "text": a.text(1),
	}})
	return nil
}

func (r *run) buffer(name string) (*buffer, error) {
	if b := r.buffers[name]; b != nil {
		return b, nil
	}
	return nil, fmt.Errorf("%s is not open", name)
}

func (r *run) changed(name string, version int, changes any) {
	r.editor.notify("textDocument/didChange", object{
		"textDocument": object{"uri": r.uri(name), "version": version}, "contentChanges": changes,
	})
}

func (r *run) edits(a args) error {
	b, err := r.buffer(a.text(0))
	if err != nil {
		return err
	}
	version := b.version + 1
	var changes []change
	for i := 1; i+1 < len(a.list); i += 2 {
		c, err := b.replace(a.text(i), a.text(i+1), r.encoding())
		if err != nil {
			return err
		}
		changes = append(changes, c)
	}
	b.version = version
	r.changed(a.text(0), version, changes)
	return nil
}

func (r *run) whole(a args) error {
	b, err := r.buffer(a.text(0))
	if err != nil {
		return err
	}
	b.text, b.version = a.text(1), b.version+1
	r.changed(a.text(0), b.version, []change{{Text: b.text}})
	return nil
}

func (r *run) nullRange(a args) error {
	b, err := r.buffer(a.text(0))
	if err != nil {
		return err
	}
	b.text, b.version = a.text(1), b.version+1
	r.changed(a.text(0), b.version, []object{{"range": nil, "text": b.text}})
	return nil
}

func (r *run) rawEdit(a args) error {
	b, err := r.buffer(a.text(0))
	if err != nil {
		return err
	}
	var s span
	if _, err := fmt.Sscanf(a.text(1), "%d:%d-%d:%d", &s.Start.Line, &s.Start.Character, &s.End.Line, &s.End.Character); err != nil {
		return err
	}
	b.version++
	r.changed(a.text(0), a.number(3, b.version), []change{{Range: &s, Text: a.text(2)}})
	return nil
}

func (r *run) save(a args) error {
	b, err := r.buffer(a.text(0))
	if err != nil {
		return err
	}
	r.write(r.path(a.text(0)), []byte(b.text))
	r.editor.notify("textDocument/didSave", object{"textDocument": object{"uri": r.uri(a.text(0))}})
	return nil
}

func (r *run) didClose(a args) error {
	if _, err := r.buffer(a.text(0)); err != nil {
		return err
	}
	delete(r.buffers, a.text(0))
	r.editor.notify("textDocument/didClose", object{"textDocument": object{"uri": r.uri(a.text(0))}})
	return nil
}

func (r *run) reportFile(name string, kind int) {
	r.editor.notify("workspace/didChangeWatchedFiles", object{"changes": []object{{"uri": r.uri(name), "type": kind}}})
}

func (r *run) writeFile(a args) error {
	r.write(r.path(a.text(0)), []byte(a.text(1)))
	r.reportFile(a.text(0), 2)
	return nil
}

func (r *run) disk(a args) error {
	r.write(r.path(a.text(0)), []byte(a.text(1)))
	return nil
}

func (r *run) removeFile(a args) error {
	err := os.Remove(r.path(a.text(0)))
	r.reportFile(a.text(0), 3)
	return err
}
