package frontmatter

// Reader is one tool's way to read a header.
type Reader string

// The readers. To add one, add a constant and a case to Read.
const (
	// None takes the whole file for text.
	None Reader = "none"
	// YAML is strict: the header begins on line 1 and is closed.
	YAML Reader = "yaml"
	// VSCode is YAML, but a header that is not closed is the whole file, which
	// then has no text (microsoft/vscode promptSyntax, 01a59900).
	VSCode Reader = "vscode"
	// Cursor takes each line as key and raw text; it never was YAML
	// (https://forum.cursor.com/t/rule-frontmatter-format/146274).
	Cursor Reader = "cursor"
	// Continue takes what stands between any two rules for the header, and
	// drops what stands above (continuedev/continue markdownToRule.ts, d0a3c0b6).
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

// Field is one key of a header. Lines count from 0 in the file, columns in
// bytes from 0.
type Field struct {
	Key  string
	Kind Kind
	// Text of a string or number, or what stands there raw.
	Text  string
	Bool  bool
	Items []Item
	// KeyLine and KeyColumn are where the key begins; the others are those of
	// the value.
	KeyLine, KeyColumn               int
	Line, Column, EndLine, EndColumn int
}

// Item is one entry of a list.
type Item struct {
	Text                    string
	Kind                    Kind
	Line, Column, EndColumn int
}

// Problem is something in a header that its tool does not read as meant.
type Problem struct {
	Code, Message           string
	Line, Column, EndColumn int
}

// Document is a file as a reader sees it.
type Document struct {
	Fields   []Field
	Problems []Problem
	// Header is the text between the rules, Body what is left for the model.
	Header, Body string
	// BodyLine is the 0-based line of the file at which Body begins.
	BodyLine int
	// Found tells that there is a header, Closed that a rule ends it.
	Found, Closed bool
}

// Field finds a key, compared exactly; of two with one name the last counts,
// as it does in YAML libraries that allow them.
func (d Document) Field(key string) (Field, bool) {
	for i := len(d.Fields) - 1; i >= 0; i-- {
		if d.Fields[i].Key == key {
			return d.Fields[i], true
		}
	}
	return Field{}, false
}
