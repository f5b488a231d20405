package instructions

import "strings"

// Text is all that the model is sent of instruction files, framed as the tool
// frames them.
func (p *Profile) Text(d *Discovery, home string) string {
	frame := p.frame(d.Version)
	var out strings.Builder
	personal, reading := false, false
	for i, e := range d.Sent() {
		if e.Inline {
			continue
		}
		late := frame.Read != nil && e.State == OnRead
		switch {
		case late && !reading:
			out.WriteString(frame.Read.Before)
			reading = true
		case late:
			out.WriteString(frame.Read.Join)
		case out.Len() > 0 && personal && !e.Personal && frame.Between != "":
			out.WriteString(frame.Between)
		case out.Len() > 0:
			out.WriteString(frame.Join)
		}
		personal = e.Personal
		names := strings.NewReplacer("{path}", Display(d.Root, home, e.Path), "{absolute}", e.Path, "{scope}", Display(d.Root, home, e.Scope))
		out.WriteString(names.Replace(frame.Before))
		out.WriteString(d.Entries[i].Body)
		out.WriteString(names.Replace(frame.After))
	}
	if reading {
		out.WriteString(frame.Read.After)
	}
	return out.String()
}

// frame is the one that holds for a version.
func (p *Profile) frame(version string) *Frame {
	for i := range p.Frames {
		if inVersions(version, p.Frames[i].Versions) {
			return &p.Frames[i]
		}
	}
	return &p.Frame
}
