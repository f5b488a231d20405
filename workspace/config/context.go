package config

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Keys of what is told beside instruction files.
const (
	contextFilesKey = "context.files"
	referencesKey   = "references"
)

// Context says which files are told in every prompt.
type Context struct {
	// Files are those that the settings name: the user's, then the workspace's,
	// then the editor's, each as it was written.
	Files []Named
	// Tokens bounds their texts.
	Tokens int
}

// Reference is one table of [[references]]: another folder that the model may look into.
type Reference struct {
	// Name is unique among the references.
	Name string
	// Path is absolute.
	Path string
	// Description is one line; the model is told of described references only.
	Description string
	Declared
}

// referenceName is what a reference may be called: it is named on command lines and in messages.
var referenceName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

func (c *Config) addReference(t *entry, report *reporter) {
	r := Reference{Name: t.text("name"), Path: t.path("path"), Description: strings.Join(strings.Fields(t.text("description")), " "), Declared: t.Declared}
	t.end(referencesKey)
	switch {
	case t.fault != "":
	case r.Name == "":
		t.fault = "has no name"
	case len(r.Name) > 60 || !referenceName.MatchString(r.Name):
		t.fault = fmt.Sprintf("has the name %.60q; want letters, digits and ._-", r.Name)
	case r.Path == "":
		t.fault = fmt.Sprintf("(%s) has no path", r.Name)
	}
	if i := slices.IndexFunc(c.References, func(other Reference) bool { return other.Name == r.Name }); i >= 0 && t.fault == "" {
		t.fault = fmt.Sprintf("(%s) is left out: that name is declared before, by %s", r.Name, c.References[i].Origin)
	}
	if t.fault != "" {
		report.add(t.Line, "a table of [[references]] "+t.fault)
		return
	}
	if !filepath.IsAbs(r.Path) {
		r.Path = filepath.Join(filepath.Dir(r.Declared.Path), filepath.FromSlash(r.Path))
	}
	r.Path = filepath.Clean(r.Path)
	c.References = append(c.References, r)
}

// referenceNames is the value that references is shown as.
func (c *Config) referenceNames() Value {
	v := Value{Key: referencesKey, Value: []string{}, Origin: "default"}
	var names, origins []string
	for _, r := range c.References {
		names, origins = append(names, r.Name), append(origins, r.Origin)
	}
	if len(names) > 0 {
		v.Value, v.Origin = names, cmp.Or(strings.Join(origins, ", "), v.Origin)
	}
	return v
}

// contextFile refuses what can be no file.
func contextFile(item string) error {
	if strings.TrimSpace(item) == "" || strings.ContainsRune(item, 0) || strings.Contains(item, "://") {
		return fmt.Errorf("must hold paths and patterns, not %q", item)
	}
	return nil
}
