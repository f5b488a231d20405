package frontmatter

// Reader is one tool's way to read a header.
type Reader string

// The readers. To add one, add a constant and a case to Read.
const (
	// None takes the whole file for text.
	None Reader = "none"
	// YAML is strict: the header begins on line 1, is closed, and a fault in it
	// leaves nothing of it.
	YAML Reader = "yaml"
	// VSCode is YAML as Visual Studio Code reads it: a header that is not closed
	// is the whole file, which then has no text, of two keys with one name the
	// first counts, and a plain value may begin with an asterisk, since its
	// parser knows no aliases (microsoft/vscode promptFileParser.ts at 01a59900,
	// base/common/yaml.ts at 025b30c6).
	VSCode Reader = "vscode"
	// Cursor takes each line as key and raw text; it never was YAML
	// (https://forum.cursor.com/t/rule-frontmatter-format/146274).
	Cursor Reader = "cursor"
	// Continue takes what stands between any two rules for the header, and
	// drops what stands above. Where that is no YAML the whole file is text
	// (continuedev/continue packages/config-yaml/src/markdown/markdownToRule.ts,
	// d0a3c0b6).
	Continue Reader = "continue"
)

// Kind is the type of a value.
type Kind uint8

// The kinds.
const (
	Null Kind = iota
	String
	Bool
	Number
	List
	Map
)

// String names a kind as a message does.
func (k Kind) String() string {
	switch k {
	case String:
		return "string"
	case Bool:
		return "boolean"
	case Number:
		return "number"
	case List:
		return "list"
	case Map:
		return "map"
	}
	return "null"
}

// Field is one key of a header. Lines count from 0 in the file, columns in
// bytes from 0. The place of a value holds its quotes, brackets and dashes, but
// neither its anchor nor a comment after it; that of an empty one is right
// after the colon.
type Field struct {
	Key  string
	Kind Kind
	// Text of a string, without quotes; of a number, a boolean or null what
	// stands there; empty for lists and maps.
	Text  string
	Bool  bool
	Items []Item
	// The place of the key, with its quotes.
	KeyLine, KeyColumn, KeyEndColumn int
	// The place of the value.
	Line, Column, EndLine, EndColumn int
}

// Item is one entry of a list, at the line on which it begins. One that goes on
// over more lines ends, for its place, with the first of them.
type Item struct {
	Text                    string
	Kind                    Kind
	Line, Column, EndColumn int
}

// Problem is something in a header that its tool, or another one, does not
// read as meant. Codes that begin with "yaml-" say that it is no YAML.
type Problem struct {
	Code, Message           string
	Line, Column, EndColumn int
}

// Document is a file as a reader sees it.
type Document struct {
	Fields   []Field
	Problems []Problem
	// Header is the text between the rules, Body what is left for the model.
	// Both are parts of the text.
	Header, Body string
	// BodyLine is the 0-based line of the file at which Body begins.
	BodyLine int
	// Found tells that there is a header, Closed that a rule ends it, Broken
	// that the reader's tool gets nothing out of it.
	Found, Closed, Broken bool

	firstCounts bool // of two keys with one name, as VS Code has it
}

// Field finds a key, compared exactly. Of two with one name the last counts,
// save for VS Code.
func (d Document) Field(key string) (Field, bool) {
	found, ok := Field{}, false
	for _, f := range d.Fields {
		if f.Key != key {
			continue
		}
		if found, ok = f, true; d.firstCounts {
			break
		}
	}
	return found, ok
}
