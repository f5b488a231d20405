package frontmatter

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"
)

// maxItems bounds the entries of all lists of one header. Aliases repeat whole
// lists, so that a small header can mean a large one.
const maxItems = 10_000

// readYAML reads a header as YAML, strictly, with the place of each value;
// broken tells that the reader gets nothing out of it.
func readYAML(r Reader, s *source) (fields []Field, problems []Problem, broken bool) {
	root, err := parse(s.text)
	if err == nil {
		y := &yamlReader{source: s, left: maxItems}
		return y.read(r, root)
	}
	problems = faults(s, err)
	if r != VSCode || len(problems) == 0 {
		return nil, problems, true
	}
	// VS Code takes an asterisk for what it is. The library reads the header when
	// another character stands there, and nothing moves.
	y := &yamlReader{source: s, left: maxItems, stars: map[int]bool{}}
	plain := []byte(s.text)
	for i, p := range problems {
		if p.Code != "yaml-alias" {
			return nil, problems, true
		}
		at := s.lines[p.Line-s.first] + p.Column
		plain[at], y.stars[at] = 'x', true
		problems[i].Message = "Visual Studio Code reads this value, but in YAML, as other tools read it, one that begins with * is an alias: put it in quotes"
	}
	if root, err = parse(string(plain)); err != nil {
		return nil, append(problems, faults(newSource(string(plain), s.first), err)...), true
	}
	fields, more, broken := y.read(r, root)
	return fields, append(problems, more...), broken
}

// parse gives the root of the one document of a header, nil where it is empty.
// Nodes are never decoded, so aliases are not expanded; the library bounds
// nesting at 10,000.
func parse(text string) (root *yaml.Node, err error) {
	// The library signals what it does not expect by a panic, and hostile headers
	// have found some that it does not catch.
	defer func() {
		if fault := recover(); fault != nil {
			root, err = nil, fmt.Errorf("yaml: %v", fault)
		}
	}()
	decoder := yaml.NewDecoder(strings.NewReader(text))
	var document, second yaml.Node
	switch err := decoder.Decode(&document); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, err
	}
	if err := decoder.Decode(&second); !errors.Is(err, io.EOF) {
		if err == nil {
			err = fmt.Errorf("yaml: line %d: a second document begins", second.Line)
		}
		return nil, err
	}
	if len(document.Content) == 0 {
		return nil, nil
	}
	return document.Content[0], nil
}

// yamlReader turns nodes into fields.
type yamlReader struct {
	*source
	left  int          // entries of lists that may still be read
	stars map[int]bool // offsets at which an x stands for an asterisk
}

func (y *yamlReader) read(r Reader, root *yaml.Node) (fields []Field, problems []Problem, broken bool) {
	if root == nil {
		return nil, nil, false
	}
	if root.Kind != yaml.MappingNode {
		start := y.start(root)
		return nil, []Problem{y.problem("yaml-no-mapping", "the header must consist of lines of key: value", start, y.lineEnd(start))}, true
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		start := y.start(key)
		end := y.end(key, start, -1)
		if key.Kind != yaml.ScalarNode {
			problems = append(problems, y.problem("key-not-plain", "the key must be a word", start, end))
			continue
		}
		f := Field{Key: y.text(key)}
		if seen[f.Key] {
			message := fmt.Sprintf("the key %s stands twice, which YAML forbids: remove one", f.Key)
			if r == VSCode {
				message = fmt.Sprintf("the key %s stands twice; Visual Studio Code takes the first: remove one", f.Key)
			}
			problems, broken = append(problems, y.problem("yaml-duplicate-key", message, start, end)), broken || r != VSCode
		}
		seen[f.Key] = true
		f.KeyLine, f.KeyColumn = y.at(start)
		f.KeyEndColumn = f.KeyColumn + min(end, y.lineEnd(start)) - start
		if p, ok := y.fill(&f, value, end, start-y.lineStart(start)); !ok {
			problems = append(problems, p)
			broken = broken || p.Code == "yaml-too-large"
		}
		fields = append(fields, f)
	}
	return fields, problems, broken
}

// fill sets the value of a field; keyEnd is where its key ends, indent the
// column of the key.
func (y *yamlReader) fill(f *Field, node *yaml.Node, keyEnd, indent int) (Problem, bool) {
	start := y.start(node)
	if isEmpty(node) {
		start = y.afterColon(keyEnd)
	}
	end := y.end(node, start, indent)
	f.Line, f.Column = y.at(start)
	f.EndLine, f.EndColumn = y.at(end)
	if isTag(node) {
		return y.problem("yaml-tag", "a value that begins with ! is a tag in YAML and says nothing: put it in quotes", y.offset(node.Line, node.Column), y.lineEnd(start)), false
	}
	value := target(node)
	f.Kind, f.Text = kindOf(value), y.text(value)
	f.Bool = f.Kind == Bool && strings.EqualFold(value.Value, "true")
	if f.Kind != List {
		return Problem{}, true
	}
	for _, item := range value.Content {
		if y.left--; y.left < 0 {
			return y.problem("yaml-too-large", fmt.Sprintf("the header means more than %d entries of lists: aliases repeat them", maxItems), start, end), false
		}
		from := y.start(item)
		i := Item{Text: y.text(target(item)), Kind: kindOf(target(item))}
		i.Line, i.Column = y.at(from)
		i.EndColumn = i.Column + min(y.end(item, from, value.Column-1), y.lineEnd(from)) - from
		f.Items = append(f.Items, i)
	}
	return Problem{}, true
}

// text of a scalar, with an asterisk put back.
func (y *yamlReader) text(node *yaml.Node) string {
	if node.Kind != yaml.ScalarNode {
		return ""
	}
	if len(y.stars) > 0 && y.stars[y.start(node)] {
		return "*" + node.Value[1:]
	}
	return node.Value
}

// target is what a node stands for: itself, or what an alias names.
func target(node *yaml.Node) *yaml.Node {
	if node.Kind == yaml.AliasNode && node.Alias != nil {
		return node.Alias
	}
	return node
}

func isEmpty(node *yaml.Node) bool {
	return node.Kind == yaml.ScalarNode && node.Value == "" && node.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle|yaml.TaggedStyle) == 0 && node.Anchor == ""
}

// isTag tells of a negated glob that was not quoted: a tag of its own, and no
// value after it.
func isTag(node *yaml.Node) bool {
	return node.Kind == yaml.ScalarNode && node.Value == "" && node.Style&yaml.TaggedStyle != 0 && !strings.HasPrefix(node.Tag, "!!")
}

// kindOf types a value by the core schema of YAML 1.2, as the readers in
// JavaScript do: yes and on are strings, and so is 1_000.
func kindOf(node *yaml.Node) Kind {
	switch node.Kind {
	case yaml.SequenceNode:
		return List
	case yaml.MappingNode:
		return Map
	}
	switch node.Tag {
	case "!!bool":
		return Bool
	case "!!int", "!!float":
		if strings.Contains(node.Value, "_") {
			return String
		}
		return Number
	case "!!null":
		return Null
	}
	return String
}
