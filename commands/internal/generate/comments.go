package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"foreword/commands/internal/shape"
)

// comments holds the doc comments of the packages that the contract is made
// of: "<import path>.<Type>" and "<import path>.<Type>.<Field>" to one line of
// text; and their string constants by type.
type comments struct {
	text      map[string]string
	constants map[string][]string // "<import path>.<Type>" to values, in order
}

// documented are the packages whose types the contract uses, below the module's root.
var documented = []string{"commands", "commands/internal/generate/messages", "promptbuilder/history"}

// readComments parses the packages below the root of the module.
func readComments(root string) (comments, error) {
	c := comments{text: map[string]string{}, constants: map[string][]string{}}
	for _, dir := range documented {
		entries, err := os.ReadDir(filepath.Join(root, dir))
		if err != nil {
			return c, err
		}
		for _, entry := range entries {
			if !isSource(entry) {
				continue
			}
			name := filepath.Join(root, dir, entry.Name())
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
			if err != nil {
				return c, err
			}
			c.readFile(path.Join(module, dir), file)
		}
	}
	return c, nil
}

func isSource(entry fs.DirEntry) bool {
	return !entry.IsDir() && strings.HasSuffix(entry.Name(), ".go") && !strings.HasSuffix(entry.Name(), "_test.go")
}

func (c *comments) readFile(pkg string, file *ast.File) {
	for _, decl := range file.Decls {
		general, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range general.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				doc := spec.Doc
				if doc == nil && len(general.Specs) == 1 {
					doc = general.Doc
				}
				c.readType(pkg+"."+spec.Name.Name, spec, doc)
			case *ast.ValueSpec:
				c.readConstants(pkg, spec)
			}
		}
	}
}

func (c *comments) readType(key string, spec *ast.TypeSpec, doc *ast.CommentGroup) {
	c.text[key] = oneLine(doc)
	fields, ok := spec.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, field := range fields.Fields.List {
		text := oneLine(field.Doc)
		if text == "" {
			text = oneLine(field.Comment)
		}
		for _, name := range field.Names {
			c.text[key+"."+name.Name] = text
		}
	}
}

func (c *comments) readConstants(pkg string, spec *ast.ValueSpec) {
	typ, ok := spec.Type.(*ast.Ident)
	if !ok {
		return
	}
	for _, value := range spec.Values {
		literal, ok := value.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			continue
		}
		if text, err := strconv.Unquote(literal.Value); err == nil {
			c.constants[pkg+"."+typ.Name] = append(c.constants[pkg+"."+typ.Name], text)
		}
	}
}

// docLink is a link of a Go doc comment; elsewhere its brackets mean nothing.
var docLink = regexp.MustCompile(`\[(\*?[A-Za-z_][\w.]*)\]`)

func oneLine(group *ast.CommentGroup) string {
	return docLink.ReplaceAllString(strings.Join(strings.Fields(group.Text()), " "), "$1")
}

func (c comments) ofType(t reflect.Type) string {
	return c.text[t.PkgPath()+"."+t.Name()]
}

func (c comments) ofField(f shape.Field) string {
	return c.text[f.Owner.PkgPath()+"."+f.Owner.Name()+"."+f.GoName]
}

// code is an error code of the contract.
type code struct{ name, doc string }

// codeDocs says what each error code means to a client.
var codeDocs = map[string]string{
	"invalid_params":    "The parameters are not what the command takes; the message begins with the path of the offending value.",
	"cancelled":         "The request was cancelled.",
	"not_in_workspace":  "The URI is outside of the workspace's folders and of their repositories.",
	"unreadable":        "The file cannot be read, or is no text.",
	"needs_trust":       "The folder is not trusted, and the command would do what only a trusted folder allows.",
	"unknown_session":   "The session is not known; it was never begun, or was forgotten.",
	"unknown_turn":      "The session has no turn of that number, or what was stored of it cannot be read.",
	"conflict":          "The session went on in the meantime; ask again.",
	"blocked":           "An epoch must begin and cannot, by the rules of opencode: a source is unavailable. Try again.",
	"budget_impossible": "What must be sent costs more than the budget allows; `detail` has the largest parts.",
	"unknown_profile":   "There is no profile of that name.",
	"failed":            "Anything else; the message says what.",
}

func readCodes(c comments) ([]code, error) {
	var codes []code
	for _, name := range c.constants[module+"/commands.Code"] {
		doc, ok := codeDocs[name]
		if !ok {
			return nil, fmt.Errorf("generate: codeDocs in comments.go does not say what the error code %q means", name)
		}
		codes = append(codes, code{name, doc})
	}
	if len(codes) != len(codeDocs) {
		return nil, fmt.Errorf("generate: codeDocs in comments.go has %d error codes, commands has %d", len(codeDocs), len(codes))
	}
	return codes, nil
}
