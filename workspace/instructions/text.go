package instructions

import "strings"

// Text is all that the model is sent of instruction files, framed as the tool
// frames them.
func (p *Profile) Text(d *Discovery, home string) string {
	var out strings.Builder
	personal := false
	for i, e := range d.Sent() {
		if e.Inline {
			continue
		}
		if out.Len() > 0 {
			join := p.Frame.Join
			if personal && !e.Personal && p.Frame.Between != "" {
				join = p.Frame.Between
			}
			out.WriteString(join)
		}
		personal = e.Personal
		names := strings.NewReplacer("{path}", Display(d.Root, home, e.Path), "{absolute}", e.Path, "{scope}", Display(d.Root, home, e.Scope))
		out.WriteString(names.Replace(p.Frame.Before))
		out.WriteString(d.Entries[i].Body)
		out.WriteString(names.Replace(p.Frame.After))
	}
	return out.String()
}
