package sources

import "foreword/promptbuilder/templates"

// sayTemplate makes the observation of one of foreword's texts, or of the
// user's own in its place.
func (in *Input) sayTemplate(name templates.Name, why string) Observation {
	text := in.Texts.Get(name)
	if text.Text == "" {
		return none("the file that takes the place of " + text.Origin() + " is blank")
	}
	o := Observation{Status: Present, Text: text.Text, Why: why}
	o.Origins = []Origin{templateOrigin(text, 0)}
	return o
}

// templateOrigin says where the lines of a text came from that begins in the
// line at of a section.
func templateOrigin(text templates.Text, at int) Origin {
	lines := lineCount(text.Text)
	if text.Path == "" {
		return Origin{Name: text.Origin(), FromLine: at, ToLine: at + lines}
	}
	return Origin{
		Path: text.Path, Hash: text.Hash, Dirty: text.Dirty, FromLine: at, ToLine: at + lines,
		FileFrom: text.Line, FileTo: text.Line + lines,
	}
}
