package workspace

import (
	"fmt"
	"strings"

	"foreword/workspace/fsys"

	"go.lsp.dev/uri"
)

// Document is one open buffer at one version. It is immutable: an edit makes
// another Document.
type Document struct {
	URI        uri.URI // as the client spelled it when it opened the buffer
	Path       string  // cleaned and absolute; "" when the buffer is not a file of this machine
	LanguageID string
	Version    int32
	Text       string
	Dirty      bool // differs from what was last opened or saved
	OutOfSync  bool // an edit could not be applied; Text is from before it

	key    string
	saved  string // the text when it was last opened or saved
	mapper *Mapper
	buffer fsys.Buffer // how the file system shows it; zero when Path is ""
}

// Mapper maps the places of Text. All readers share it.
func (d *Document) Mapper() *Mapper { return d.mapper }

func openDocument(u uri.URI, languageID string, version int32, text string) *Document {
	// What is kept must not alias the message that it came in.
	u, text = uri.URI(strings.Clone(string(u))), strings.Clone(text)
	d := &Document{URI: u, Path: PathOf(u), LanguageID: strings.Clone(languageID), Version: version, key: keyOf(u), saved: text}
	return d.with(NewMapper(text))
}

// with is d, which nobody else has yet, with the text of m.
func (d *Document) with(m *Mapper) *Document {
	d.mapper = m
	d.Text = m.text
	d.Dirty = d.Text != d.saved
	if d.Path != "" {
		d.buffer = fsys.NewBuffer(d.Path, d.Text, d.Version, d.Dirty)
	}
	return d
}

// change is d after the changes. The returned Document is the one to keep in
// any case: with an error it has d's text and is out of sync, because the client
// now shows a text that is not known here. It stays so until a change brings a
// whole text.
func (d *Document) change(version int32, changes []Change, enc Encoding) (*Document, error) {
	// A whole text is the truth whatever came before it, also for clients that
	// do not count versions.
	whole := false
	for i := len(changes) - 1; i >= 0 && !whole; i-- {
		if changes[i].Range == nil {
			whole, changes = true, changes[i:]
		}
	}
	switch {
	case whole:
	case d.OutOfSync:
		return d, fmt.Errorf("change of %s to version %d: an earlier change could not be applied, so the buffer stays at version %d until the whole text is sent or it is opened again", d.URI, version, d.Version)
	case version <= d.Version:
		return d.outOfSync(), fmt.Errorf("change of %s to version %d: the buffer is at version %d already; it stays as it is until the whole text is sent or it is opened again", d.URI, version, d.Version)
	}
	m, err := applyChanges(d.mapper, changes, enc)
	if err != nil {
		return d.outOfSync(), fmt.Errorf("change of %s to version %d: %w; the buffer stays at version %d until the whole text is sent or it is opened again", d.URI, version, err, d.Version)
	}
	next := *d
	next.Version = version
	next.OutOfSync = false
	return next.with(m), nil
}

func (d *Document) outOfSync() *Document {
	next := *d
	next.OutOfSync = true
	return &next
}

// save is d after it was saved. text is what was saved, where the client says
// it; it is the truth when the buffer was out of sync.
func (d *Document) save(text *string) *Document {
	next := *d
	m := d.mapper
	if text != nil && *text != d.Text {
		m = NewMapper(strings.Clone(*text))
	}
	if text != nil {
		next.OutOfSync = false
	}
	next.saved = m.text
	return next.with(m)
}
