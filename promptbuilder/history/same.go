package history

import (
	"bytes"
	"slices"
)

// Same tells whether two messages are alike in all that they hold and in the shape that they came in, so that the one
// can stand for the other. It costs little where they share their parts, as copies of one message do.
func (m *Message) Same(other *Message) bool {
	if m.ID != other.ID || m.Role != other.Role || m.Pinned != other.Pinned || m.Hide != other.Hide || m.InPlace != other.InPlace ||
		m.ToolCallID != other.ToolCallID || m.Model != other.Model || m.Time != other.Time || m.cameAs() != other.cameAs() {
		return false
	}
	if (m.EphemeralTTL == nil) != (other.EphemeralTTL == nil) || m.EphemeralTTL != nil && *m.EphemeralTTL != *other.EphemeralTTL {
		return false
	}
	return slices.Equal(m.Files, other.Files) && slices.Equal(m.ToolCalls, other.ToolCalls) && m.Content.same(&other.Content)
}

// cameAs is the format that the message was parsed as, which those that are made up beside it follow.
func (m *Message) cameAs() shape {
	if m.source == nil {
		return shapeOwn
	}
	return m.source.shape
}

func (c *Content) same(other *Content) bool {
	if c.Text != other.Text || len(c.Parts) != len(other.Parts) || (c.Parts == nil) != (other.Parts == nil) {
		return false
	}
	if len(c.Parts) == 0 || &c.Parts[0] == &other.Parts[0] {
		return true
	}
	for i := range c.Parts {
		if !c.Parts[i].same(&other.Parts[i]) {
			return false
		}
	}
	return true
}

func (p *Part) same(other *Part) bool {
	if p.Type != other.Type || p.Text != other.Text || p.ID != other.ID || p.Name != other.Name || p.Arguments != other.Arguments ||
		p.IsError != other.IsError || p.Signature != other.Signature || p.Model != other.Model {
		return false
	}
	if (p.Media == nil) != (other.Media == nil) || p.Media != nil && *p.Media != *other.Media {
		return false
	}
	return sameRaw(p.CacheControl, other.CacheControl) && sameRaw(p.raw, other.raw) && p.Output.same(&other.Output)
}

// sameRaw tells no bytes from none at all.
func sameRaw(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }
