package frontmatter

import (
	"errors"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// readYAML reads a header as YAML, strictly, with the place of each value.
// firstLine is the 0-based line of the file at which the header begins.
func readYAML(header string, firstLine int) ([]Field, []Problem) {
	var root yaml.Node
	if err := yaml.Unmarshal([]byte(header), &root); err != nil {
		return nil, []Problem{syntaxProblem(header, err, firstLine)}
	}
	if len(root.Content) == 0 {
		return nil, nil
	}
	mapping := root.Content[0]
	if mapping.Kind != yaml.MappingNode {
		return nil, []Problem{{Code: "yaml-no-mapping", Message: "the header must be lines of key: value", Line: firstLine}}
	}
	var fields []Field
	var problems []Problem
	lines := strings.Split(header, "\n")
	seen := map[string]bool{}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		key, value := mapping.Content[i], mapping.Content[i+1]
		f := Field{Key: key.Value, KeyLine: firstLine + key.Line - 1, KeyColumn: key.Column - 1}
		if seen[f.Key] {
			problems = append(problems, Problem{Code: "yaml-duplicate-key", Message: "the key " + f.Key + " stands twice; the last one counts", Line: f.KeyLine, Column: f.KeyColumn, EndColumn: f.KeyColumn + len(f.Key)})
		}
		seen[f.Key] = true
		f.fill(value, lines, firstLine)
		fields = append(fields, f)
	}
	return fields, problems
}

func (f *Field) fill(node *yaml.Node, lines []string, firstLine int) {
	f.Line, f.Column = firstLine+node.Line-1, node.Column-1
	f.EndLine, f.EndColumn = f.Line, endOfLine(lines, node.Line-1)
	f.Text = node.Value
	f.Kind = kindOf(node)
	switch node.Kind {
	case yaml.AliasNode:
		f.Kind, f.Text = String, "*"+node.Value
	case yaml.SequenceNode:
		for _, item := range node.Content {
			f.Items = append(f.Items, Item{
				Text: item.Value, Kind: kindOf(item), Line: firstLine + item.Line - 1, Column: item.Column - 1, EndColumn: endOfLine(lines, item.Line-1),
			})
			f.EndLine, f.EndColumn = firstLine+item.Line-1, endOfLine(lines, item.Line-1)
		}
	case yaml.ScalarNode:
		f.Bool = f.Kind == Bool && (node.Value == "true" || node.Value == "True" || node.Value == "TRUE")
	}
}

func kindOf(node *yaml.Node) Kind {
	switch node.Kind {
	case yaml.SequenceNode:
		return List
	case yaml.MappingNode:
		return Map
	case yaml.AliasNode:
		return String
	}
	switch node.Tag {
	case "!!bool":
		return Bool
	case "!!int", "!!float":
		return Number
	case "!!null":
		return Null
	}
	return String
}

func endOfLine(lines []string, line int) int {
	if line < 0 || line >= len(lines) {
		return 0
	}
	return len(strings.TrimRight(lines[line], "\r"))
}

var (
	yamlLine   = regexp.MustCompile(`line (\d+)`)
	plainStar  = regexp.MustCompile(`^\s*[\w-]+:\s*\*|^\s*-\s+\*`)
	twoColons  = regexp.MustCompile(`^\s*[\w-]+:\s+[^'"\[{|>#&*!\s].*:(\s|$)`)
	leadingTab = regexp.MustCompile(`^\t`)
)

// syntaxProblem turns a parser's error into one that names the line and what
// to do.
func syntaxProblem(header string, err error, firstLine int) Problem {
	line := 0
	if m := yamlLine.FindStringSubmatch(err.Error()); m != nil {
		if n, convErr := strconv.Atoi(m[1]); convErr == nil {
			line = max(0, n-1)
		}
	}
	lines := strings.Split(header, "\n")
	for i, text := range lines {
		text = strings.TrimRight(text, "\r")
		p := Problem{Line: firstLine + i, EndColumn: len(text)}
		switch {
		case plainStar.MatchString(text):
			p.Code, p.Message = "yaml-alias", "a value that begins with * is an alias in YAML; put it in quotes"
		case leadingTab.MatchString(text):
			p.Code, p.Message = "yaml-tab", "YAML allows no tab at the beginning of a line; use spaces"
		case twoColons.MatchString(text):
			p.Code, p.Message = "yaml-unquoted-colon", "a colon followed by a blank ends the key in YAML; put the value in quotes"
		default:
			continue
		}
		return p
	}
	p := Problem{Code: "yaml-syntax", Line: firstLine + min(line, len(lines)-1), Message: "not valid YAML: " + strings.TrimPrefix(err.Error(), "yaml: ")}
	p.EndColumn = endOfLine(lines, p.Line-firstLine)
	var typed *yaml.TypeError
	if errors.As(err, &typed) {
		p.Message = "not valid YAML: " + strings.Join(typed.Errors, "; ")
	}
	return p
}
