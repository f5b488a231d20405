package commands

import (
	"errors"
	"fmt"
	"strings"

	"foreword/workspace"
	"foreword/workspace/fsys"
	"foreword/workspace/ignore"
)

// attached reads a file that the user named in the request. Naming a file is the
// user's own decision, also of a secret one; where a link of that name leads is
// the repository's, so a link may neither leave an untrusted repository nor hide
// a secret under another name. The error is the reason alone.
func (p *place) attached(snap *workspace.Snapshot, path string) (*fsys.File, error) {
	file, err := p.readAttached(snap, path)
	if err != nil {
		return nil, errors.New(whyUnread(err))
	}
	return file, nil
}

// whyUnread is why a file cannot be read, for a sentence that names it already.
func whyUnread(err error) string {
	var fault *fsys.Error
	if errors.As(err, &fault) {
		return strings.TrimPrefix(fault.Error(), "cannot read "+fault.Path+": ")
	}
	return err.Error()
}

func (p *place) readAttached(snap *workspace.Snapshot, path string) (*fsys.File, error) {
	real, err := snap.FS().RealPath(path)
	if err != nil || real == path {
		return snap.FS().ReadFile(path)
	}
	if why, secret := ignore.Secret(real); secret {
		if _, named := ignore.Secret(path); !named {
			return nil, fmt.Errorf("it is a link to %s, which holds secrets (%s); attach that file itself if it is meant", real, why)
		}
	}
	if p.trusted || p.root == "" || !fsys.Within(p.root, path) {
		return snap.FS().ReadFile(path)
	}
	return p.files(snap).ReadFile(path)
}

// outOfStep warns of buffers whose text may not be what the editor shows: an
// edit was refused, and the whole text has not come since.
func outOfStep(snap *workspace.Snapshot) []Warning {
	var out []Warning
	for _, d := range snap.Documents() {
		if d.OutOfSync {
			out = append(out, Warning{Code: "out-of-step", URI: string(d.URI), Message: fmt.Sprintf(
				"%s is out of step with the editor: an edit of it could not be applied; reopen the file", d.URI)})
		}
	}
	return out
}
