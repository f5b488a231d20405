package skills

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"foreword/workspace/instructions"
	"foreword/workspace/instructions/frontmatter"
)

// Source is where the limits below stand.
const Source = "https://agentskills.io/specification; agentskills/agentskills docs/specification.mdx"

// The limits of the specification, in characters.
const (
	MaxName          = 64
	MaxDescription   = 1024
	MaxCompatibility = 500
)

// The codes of what the specification has against a header; the same as those
// of the lint rules that report them.
const (
	NameInvalid          = "skill-name-invalid"
	NameMismatch         = "skill-name-mismatch"
	DescriptionMissing   = "skill-description-missing"
	DescriptionTooLong   = "skill-description-too-long"
	CompatibilityTooLong = "skill-compatibility-too-long"
	KeyType              = "skill-key-type"
)

// Fault is something that is wrong with a skill's header.
type Fault struct {
	// Code is the stable name of the fault; Message says what to mend.
	Code, Message string
	// Place in the file, never nil.
	Place *instructions.Place
}

// nameForm is what the specification allows: words of a-z and 0-9 with single
// hyphens between them.
var nameForm = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// Check holds the header of a SKILL.md, as YAML reads it, against the
// specification. Folder is the name of the folder that holds the file. Of a
// header that is no YAML nothing is said: it has problems of its own.
func Check(whole string, header frontmatter.Document, folder string) []Fault {
	if header.Broken || header.Found && !header.Closed {
		return nil
	}
	c := &checker{whole: whole, header: header}
	c.name(folder)
	c.description()
	c.compatibility()
	c.types()
	return c.faults
}

type checker struct {
	whole  string
	header frontmatter.Document
	faults []Fault
}

func (c *checker) add(code string, place *instructions.Place, format string, args ...any) {
	c.faults = append(c.faults, Fault{Code: code, Message: fmt.Sprintf(format, args...), Place: place})
}

func (c *checker) name(folder string) {
	field, ok := c.header.Field("name")
	if ok && field.Kind != frontmatter.String && field.Kind != frontmatter.Null {
		return // the lint rule frontmatter-type says so
	}
	if !ok || strings.TrimSpace(field.Text) == "" || field.Kind == frontmatter.Null {
		c.add(NameInvalid, c.firstLine(), "the skill has no name; the specification wants one, equal to the folder's")
		return
	}
	if !nameForm.MatchString(field.Text) || len(field.Text) > MaxName {
		c.add(NameInvalid, c.ofValue(field), "the name %q is not allowed: 1 to %d of a-z, 0-9 and single hyphens between them", field.Text, MaxName)
	}
	if field.Text != folder {
		c.add(NameMismatch, c.ofValue(field), "the skill is named %q and its folder %q; they must be equal", field.Text, folder)
	}
}

func (c *checker) description() {
	field, ok := c.header.Field("description")
	switch n := utf8.RuneCountInString(field.Text); {
	case ok && (field.Kind == frontmatter.List || field.Kind == frontmatter.Map):
		// the lint rule frontmatter-type says so
	case !ok:
		c.add(DescriptionMissing, c.firstLine(), "the skill has no description, and clients skip a skill without one")
	case field.Kind == frontmatter.Null || strings.TrimSpace(field.Text) == "":
		c.add(DescriptionMissing, ofKey(field), "the skill has no description, and clients skip a skill without one")
	case n > MaxDescription:
		c.add(DescriptionTooLong, c.ofValue(field), "the description has %d characters; the limit is %d", n, MaxDescription)
	}
}

func (c *checker) compatibility() {
	field, ok := c.header.Field("compatibility")
	if n := utf8.RuneCountInString(field.Text); ok && n > MaxCompatibility {
		c.add(CompatibilityTooLong, c.ofValue(field), "the text of compatibility has %d characters; the limit is %d", n, MaxCompatibility)
	}
}

// keyTypes are the types of the optional keys.
var keyTypes = []struct {
	key, want string
	kinds     []frontmatter.Kind
}{
	{"license", "a text", []frontmatter.Kind{frontmatter.String, frontmatter.Number}},
	{"compatibility", "a text", []frontmatter.Kind{frontmatter.String}},
	{"metadata", "a map of texts", []frontmatter.Kind{frontmatter.Map}},
	{"allowed-tools", "a text with blanks between the tools, or a list", []frontmatter.Kind{frontmatter.String, frontmatter.List}},
}

func (c *checker) types() {
	for _, t := range keyTypes {
		field, ok := c.header.Field(t.key)
		if !ok || field.Kind == frontmatter.Null {
			continue
		}
		known := false
		for _, kind := range t.kinds {
			known = known || field.Kind == kind
		}
		if !known {
			c.add(KeyType, c.ofValue(field), "%s must be %s, and is a %s", t.key, t.want, field.Kind)
		}
	}
}

func (c *checker) firstLine() *instructions.Place {
	return &instructions.Place{EndColumn: c.lineEnd(0)}
}

// lineEnd is the length of a line without its line end.
func (c *checker) lineEnd(n int) int {
	lines := strings.SplitN(c.whole, "\n", n+2)
	if n >= len(lines) {
		return 0
	}
	return len(strings.TrimRight(lines[n], "\r"))
}

// ofValue is the place of a value on the line where it begins.
func (c *checker) ofValue(v frontmatter.Field) *instructions.Place {
	p := &instructions.Place{Line: v.Line, Column: v.Column, EndColumn: v.EndColumn}
	if v.EndLine != v.Line {
		p.EndColumn = max(c.lineEnd(v.Line), v.Column)
	}
	return p
}

func ofKey(f frontmatter.Field) *instructions.Place {
	return &instructions.Place{Line: f.KeyLine, Column: f.KeyColumn, EndColumn: max(f.KeyEndColumn, f.KeyColumn+len(f.Key))}
}
