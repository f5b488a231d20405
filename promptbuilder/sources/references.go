package sources

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"foreword/workspace/config"
	"foreword/workspace/fsys"
)

const referencesHeading = "# Other folders\n\n" +
	"Beside the workspace you may look into these folders when a task concerns them."

// references names the folders of [[references]] that have a description, by
// name.
func references(in *Input) []Source {
	list := lineList{tag: "reference", of: "other folders", all: "The list of other folders"}
	return []Source{{
		Key: "core/references", Group: "references", Layer: Cacheable, Title: "Other folders",
		Observe: func(context.Context) Observation { return in.observeReferences() },
		Update:  list.update, Removal: list.removal,
	}}
}

func (in *Input) observeReferences() Observation {
	if len(in.Chosen.References) == 0 {
		return none("no other folder is configured")
	}
	all := slices.Clone(in.Chosen.References)
	slices.SortFunc(all, func(a, b config.Reference) int { return strings.Compare(a.Name, b.Name) })
	o := Observation{Status: Present, Why: "[[references]] in the settings name them"}
	lines := strings.Split(referencesHeading+"\n\n<references>", "\n")
	told := 0
	for _, r := range all {
		if why := in.withholds(r); why != "" {
			o.Skipped = append(o.Skipped, Skipped{Path: r.Path, Why: why})
			continue
		}
		told++
		lines = append(lines, "<reference"+attribute("name", r.Name)+attribute("path", in.location(r.Path))+">"+neutralise(oneLine(r.Description), "reference")+"</reference>")
	}
	if told == 0 {
		o.Status, o.Why = Absent, "none of the configured folders can be told of"
		return o
	}
	lines = append(lines, "</references>")
	o.Text = strings.Join(lines, "\n")
	o.Origins = own("references", o.Text)
	return o
}

// withholds says why the model is not told of a folder.
func (in *Input) withholds(r config.Reference) string {
	if r.Description == "" {
		return fmt.Sprintf("the reference %s has no description, and the model is told of described ones only", r.Name)
	}
	files := in.Own.UserFiles
	if r.Workspace {
		files = in.Files
	}
	_, err := files.ReadDir(r.Path)
	switch {
	case err == nil:
		return ""
	case fsys.ReasonOf(err) == fsys.ReasonOutside:
		return fmt.Sprintf("the reference %s lies outside the workspace, whose settings name it (%s); trust the folder to allow it", r.Name, r.Origin)
	}
	return fmt.Sprintf("the reference %s cannot be listed: %v", r.Name, err)
}
