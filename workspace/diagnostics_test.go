package workspace

import (
	"fmt"
	"strings"
	"testing"

	"go.lsp.dev/uri"
)

func problemAt(line int, severity Severity) Diagnostic {
	return Diagnostic{Range: Range{Start: Position{Line: line}, End: Position{Line: line, Character: 1}}, Severity: severity, Message: fmt.Sprintf("problem %d", line)}
}

func TestDiagnosticsOfAFileReplaceThoseBefore(t *testing.T) {
	w := New(Options{})
	a, b := uri.File("/w/a.go"), uri.File("/w/b.go")
	list := []Diagnostic{problemAt(9, SeverityWarning), problemAt(5, SeverityError), problemAt(3, SeverityWarning), problemAt(2, SeverityError)}
	if !w.DidChangeDiagnostics(b, new(int32(4)), list) || !w.DidChangeDiagnostics(a, nil, list[:1]) {
		t.Error("what is new is no news")
	}
	before := w.Snapshot()
	if w.DidChangeDiagnostics(b, new(int32(4)), list) || w.Snapshot() != before {
		t.Error("the same again is news")
	}
	if w.DidChangeDiagnostics(uri.File("/w/c.go"), new(int32(1)), nil) {
		t.Error("no problem where there was none is news")
	}
	all := before.Diagnostics()
	if len(all) != 2 || all[0].Path != "/w/a.go" || all[1].Path != "/w/b.go" || *all[1].Version != 4 || all[1].Total != 4 {
		t.Fatalf("got %+v", all)
	}
	order := ""
	for _, d := range all[1].List {
		order += d.Message + " "
	}
	if order != "problem 2 problem 5 problem 3 problem 9 " {
		t.Errorf("order %s", order)
	}
	list[0].Message = "changed by the caller"
	if !w.DidChangeDiagnostics(b, new(int32(5)), nil) || len(w.Snapshot().Diagnostics()) != 1 {
		t.Error("a file without problems is kept")
	}
	if got := before.Diagnostics()[1].List[3].Message; got != "problem 9" {
		t.Errorf("a snapshot changed: %s", got)
	}
	w.DidOpen(a, "go", 1, "package a\n")
	w.DidClose(a)
	if len(w.Snapshot().Diagnostics()) != 0 {
		t.Error("the problems of a closed file are kept")
	}
}

func TestDiagnosticsAreBounded(t *testing.T) {
	w := New(Options{})
	var list []Diagnostic
	for i := range maxDiagnostics + 50 {
		list = append(list, problemAt(i, SeverityInfo))
	}
	list = append(list, problemAt(7, SeverityError))
	list[0].Message = strings.Repeat("ü", maxDiagnosticMessage)
	w.DidChangeDiagnostics(uri.File("/w/a.go"), new(int32(1)), list)
	got := w.Snapshot().Diagnostics()[0]
	if len(got.List) != maxDiagnostics || got.Total != maxDiagnostics+51 || got.List[0].Severity != SeverityError {
		t.Errorf("%d of %d are kept, the first of severity %d", len(got.List), got.Total, got.List[0].Severity)
	}
	if n := len(got.List[1].Message); n > maxDiagnosticMessage {
		t.Errorf("a message of %d bytes is kept", n)
	}
	for i := range maxDiagnosedFiles + 5 {
		w.DidChangeDiagnostics(uri.File(fmt.Sprintf("/w/%d.go", i)), new(int32(1)), list[:1])
	}
	if n := len(w.Snapshot().Diagnostics()); n != maxDiagnosedFiles {
		t.Errorf("%d files are kept", n)
	}
}
