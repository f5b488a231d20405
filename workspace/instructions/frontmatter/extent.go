package frontmatter

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// The library says where a node begins, never where it ends. What follows finds
// the end in the text of the header, which the library took for YAML before.

// start is the offset of a node, after its anchor and tag.
func (s *source) start(node *yaml.Node) int {
	i := s.offset(node.Line, node.Column)
	for i < len(s.text) && (s.text[i] == '&' || s.text[i] == '!') {
		word := strings.IndexAny(s.text[i:], " \t\r\n")
		if word < 0 {
			return len(s.text)
		}
		after := s.skipBlank(i + word)
		if isTag(node) || (node.Kind == yaml.ScalarNode && node.Value == "" && node.Style&^yaml.TaggedStyle == 0) {
			return i + word // nothing comes after it
		}
		i = after
	}
	return i
}

// end is the offset at which a node that begins at start ends. indent is the
// column of what the node belongs to: its key, or the dashes of its list.
func (s *source) end(node *yaml.Node, start, indent int) int {
	switch node.Kind {
	case yaml.AliasNode:
		return min(start+1+len(node.Value), len(s.text))
	case yaml.SequenceNode, yaml.MappingNode:
		return s.endOfCollection(node, start)
	}
	switch {
	case node.Style&yaml.DoubleQuotedStyle != 0:
		end, _ := s.endOfQuoted(start)
		return end
	case node.Style&yaml.SingleQuotedStyle != 0:
		end, _ := s.endOfQuoted(start)
		return end
	case node.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return s.endOfBlock(start, indent)
	}
	return s.endOfPlain(start, node.Value)
}

// endOfCollection goes by the last child, which is all that has to be looked
// at.
func (s *source) endOfCollection(node *yaml.Node, start int) int {
	end, indent := start, node.Column-1
	flow := node.Style&yaml.FlowStyle != 0
	if flow {
		end = min(start+1, len(s.text))
	}
	if n := len(node.Content); n > 0 {
		last := node.Content[n-1]
		if node.Kind == yaml.MappingNode {
			key := node.Content[n-2]
			keyStart := s.start(key)
			indent = keyStart - s.lineStart(keyStart)
			end = max(end, s.end(key, keyStart, indent))
			if isEmpty(last) {
				end = s.afterColon(end)
			}
		}
		if !isEmpty(last) {
			end = max(end, s.end(last, s.start(last), indent))
		} else if node.Kind == yaml.SequenceNode {
			end = max(end, s.start(last))
		}
	}
	if !flow {
		return end
	}
	for end < len(s.text) {
		if end = s.skipBlank(end); end < len(s.text) {
			end++
			if c := s.text[end-1]; c == ']' || c == '}' {
				return end
			}
		}
	}
	return end
}

// afterColon is the place of a value that is not there: after the colon that
// follows a key, or right after the key.
func (s *source) afterColon(keyEnd int) int {
	i := keyEnd
	for i < len(s.text) && (s.text[i] == ' ' || s.text[i] == '\t') {
		i++
	}
	if i < len(s.text) && s.text[i] == ':' {
		return i + 1
	}
	return keyEnd
}

// skipBlank skips blanks, line ends and comments.
func (s *source) skipBlank(i int) int {
	for i < len(s.text) {
		switch c := s.text[i]; {
		case c == ' ' || c == '\t':
			i++
		case yamlBreakLen(s.text, i) > 0:
			i += yamlBreakLen(s.text, i)
		case c == '#':
			i = s.lineEnd(i)
		default:
			return i
		}
	}
	return i
}

// endOfQuoted finds the end of a quoted string; closed is false where there is
// none, and the string is all that follows.
func (s *source) endOfQuoted(start int) (end int, closed bool) {
	if start >= len(s.text) {
		return start, false
	}
	quote := s.text[start]
	for i := start + 1; i < len(s.text); i++ {
		switch {
		case quote == '"' && s.text[i] == '\\':
			i++
		case s.text[i] != quote:
		case quote == '\'' && i+1 < len(s.text) && s.text[i+1] == quote:
			i++
		default:
			return i + 1, true
		}
	}
	return len(s.text), false
}

// endOfBlock is the end of the last line of a block that begins with | or >:
// of those that are indented deeper than its parent the last that is not blank.
func (s *source) endOfBlock(start, indent int) int {
	head := start
	for head < len(s.text) && strings.IndexByte("|>+-0123456789", s.text[head]) >= 0 {
		head++
	}
	end := head
	for i := s.lineEnd(start); i < len(s.text); {
		begin := i + breakLen(s.text, i)
		i = s.lineEnd(begin)
		line := s.text[begin:i]
		if strings.Trim(line, " \t") == "" {
			continue
		}
		if len(line)-len(strings.TrimLeft(line, " ")) <= indent {
			break
		}
		end = i
	}
	return end
}

// endOfPlain walks along a string without quotes and its value, in which line
// ends and the blanks around them have become a space or fewer line ends.
func (s *source) endOfPlain(start int, value string) int {
	i := start
	for value != "" && i < len(s.text) {
		blank := i
		for blank < len(s.text) && (s.text[blank] == ' ' || s.text[blank] == '\t') {
			blank++
		}
		if yamlBreakLen(s.text, blank) > 0 {
			i = s.skipBlank(blank)
			value = strings.TrimLeft(value, " \n\u2028\u2029")
			continue
		}
		if s.text[i] != value[0] && s.text[i] != '*' { // an x stands for an asterisk
			break
		}
		i, value = i+1, value[1:]
	}
	return i
}
