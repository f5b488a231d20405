package instructions

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"foreword/workspace/fsys"
	"foreword/workspace/instructions/imports"
)

// follow is one chain of imports, from a file that a step found.
type follow struct {
	r     *resolver
	rule  ImportRule
	root  int      // index of the entry that the chain begins with
	trail []string // real paths from the root to the file at hand
	done  []string // real paths that were put in already
	bytes int
	count int // of files that were put in
	// waiting tells that the chain is not sent now, because the file that it
	// begins with is not.
	waiting bool
}

// stripComments takes out the HTML comments that stand as a block.
func (r *resolver) stripComments(at int) {
	e := &r.entries[at]
	body, _ := imports.StripBlockComments(e.Body)
	if body != e.Body {
		e.Body, e.Whole = body, false
	}
}

// followImports adds what a sent entry imports: as entries after it, or inside
// its text.
func (r *resolver) followImports(at int) {
	rule := r.profile.Imports
	if rule.Dialect == "" || rule.Dialect == "none" {
		return
	}
	e := r.entries[at]
	f := &follow{r: r, rule: rule, root: at, trail: []string{e.RealPath}}
	if !rule.RootAgain {
		f.done = append(f.done, e.RealPath)
	}
	body := f.file(e.Path, e.Body, e.BodyLine)
	if rule.Place == "inline" && body != e.Body {
		r.entries[at].Body, r.entries[at].Whole = body, false
	}
}

// followWaiting tells what files import that are not sent now, but will be once
// something happens that their tool waits for.
func (r *resolver) followWaiting() {
	rule := r.profile.Imports
	if rule.Dialect == "" || rule.Dialect == "none" {
		return
	}
	for at := range r.entries {
		if e := r.entries[at]; !e.Sent && e.File != nil && e.ImportedBy == "" && r.waits(&e) {
			f := &follow{r: r, rule: rule, root: at, trail: []string{e.RealPath}, done: []string{e.RealPath}, waiting: true}
			f.file(e.Path, e.Body, e.BodyLine)
		}
	}
}

// waits tells whether a file that is not sent now may be sent later: by a read,
// or where whoever asks wants to know of all files, for a file that its header
// names, by the model's choice or by the user's.
func (r *resolver) waits(e *Entry) bool {
	switch e.State {
	case OnRead:
		return true
	case OutOfScope:
		return r.req.AnyTarget && e.Kind == KindRule && e.Mode == "auto-attached"
	case ModelDecides, Manual:
		return r.req.AnyTarget && e.Kind == KindRule
	}
	return false
}

// file follows the imports of one file and gives its text with them put in,
// where the tool does that.
func (f *follow) file(path, text string, firstLine int) string {
	var out strings.Builder
	last := 0
	for _, token := range imports.Scan(imports.Dialect(f.rule.Dialect), text) {
		put, ok := f.token(path, token, firstLine)
		if !ok || f.rule.Place != "inline" {
			continue
		}
		out.WriteString(text[last:token.Start])
		out.WriteString(put)
		last = token.End
	}
	if last == 0 {
		return text
	}
	out.WriteString(text[last:])
	return out.String()
}

// token follows one import. What it gives stands in place of the token, unless
// it is not ok.
func (f *follow) token(importer string, token imports.Token, firstLine int) (string, bool) {
	r := f.r
	place := &Place{Line: firstLine + token.Line, Column: token.Column, EndColumn: token.Column + len(token.Text)}
	fail := func(code, reason, message string) (string, bool) {
		if code != "" && (code != "import-missing" || f.rule.Failure == "comment" || imports.LooksLikePath(token.Text)) {
			r.warnAt(code, importer, message, place)
		}
		if f.rule.Failure != "comment" {
			return "", false
		}
		return strings.NewReplacer("{path}", token.Path, "{reason}", reason).Replace(f.rule.Failed), true
	}
	path, problem := f.resolve(importer, token.Path)
	switch problem {
	case "absolute":
		return fail("import-absolute", "absolute path", fmt.Sprintf("%s: %s imports no absolute path; the text stays as it is", token.Text, r.profile.Title))
	case "home":
		return fail("import-home", "home path", fmt.Sprintf("%s: %s imports nothing from the home folder", token.Text, r.profile.Title))
	case "outside":
		code := "import-outside-root"
		if f.rule.Confine == "approval" {
			code = ""
		}
		f.refuse(importer, path, place, "")
		return fail(code, "Path traversal attempt", fmt.Sprintf("%s leads out of %s; %s does not follow it", token.Text, f.limit(), r.profile.Title))
	}
	if why, secret := f.secret(path); secret {
		f.refuse(importer, path, place, why)
		return fail("import-secret", "not allowed", fmt.Sprintf("%s holds secrets (%s), which are never read", token.Text, why))
	}
	info, err := r.files.Stat(path)
	switch {
	case err != nil:
		code := "import-missing"
		if f.rule.Failure == "comment" {
			code = "at-token-will-be-replaced"
		}
		return fail(code, "file not found", fmt.Sprintf("%s: no such file (%s)", token.Text, r.display(path)))
	case info.Kind == fsys.KindDir:
		return fail("import-is-directory", "is a directory", fmt.Sprintf("%s is a directory; import a file", token.Text))
	}
	real, err := r.files.RealPath(path)
	if err != nil {
		real = path
	}
	if slices.Contains(f.trail, real) && !(f.rule.RootAgain && real == f.trail[0] && len(f.trail) > 1 && !slices.Contains(f.trail[1:], real)) {
		r.warnAt("import-cycle", importer, fmt.Sprintf("%s imports a file that imports this one; the circle is cut here", token.Text), place)
		return f.repeated(token.Path)
	}
	if slices.Contains(f.done, real) {
		return f.repeated(token.Path)
	}
	if f.rule.RootAgain && real == f.trail[0] {
		r.warnAt("import-cycle", importer, fmt.Sprintf("%s leads back to the file that began; %s puts it in a second time", token.Text, r.profile.Title), place)
	}
	if len(f.trail) > f.rule.Hops {
		return fail("import-depth", "too deep", fmt.Sprintf("%s is more than %d imports deep; %s does not follow it", token.Text, f.rule.Hops, r.profile.Title))
	}
	return f.pull(importer, path, real, token, place, fail)
}

// pull reads an imported file, adds its entry, and follows its own imports.
func (f *follow) pull(importer, path, real string, token imports.Token, place *Place, fail func(code, reason, message string) (string, bool)) (string, bool) {
	r := f.r
	file, err := f.files(path).ReadFile(path)
	if err != nil {
		var fault *fsys.Error
		if errors.As(err, &fault) && fault.Reason == fsys.ReasonOutside {
			return fail("import-outside-root", "Path traversal attempt", fmt.Sprintf("%s leads out of %s by a link", token.Text, f.limit()))
		}
		return fail("import-unreadable", "unreadable", fmt.Sprintf("%s cannot be read: %s", token.Text, unreadable(err)))
	}
	f.count++
	if f.rule.Files > 0 && f.count > f.rule.Files {
		return fail("import-too-large", "too many", fmt.Sprintf("%s is more than the %d imports that %s follows", token.Text, f.rule.Files, r.profile.Title))
	}
	f.bytes += len(file.Text)
	if f.rule.Bytes > 0 && f.bytes > f.rule.Bytes {
		return fail("import-too-large", "too large", fmt.Sprintf("%s makes the imports of one file larger than %d bytes", token.Text, f.rule.Bytes))
	}
	root := r.entries[f.root]
	e := Entry{
		Path: path, RealPath: real, Kind: KindImport, State: Sent, Sent: true, Rule: r.rule(nil), Scope: root.Scope, Personal: root.Personal,
		Mode: root.Mode, File: file, Size: file.Size, Bytes: file.Size, Body: file.Text, Whole: true, ImportedBy: importer,
		Inline: f.rule.Place == "inline", Patterns: root.Patterns, PatternBase: root.PatternBase,
		Why: fmt.Sprintf("imported by %s in line %d", r.display(importer), place.Line+1),
	}
	if root.State == OnRead {
		e.State = OnRead
	}
	if f.waiting {
		e.State, e.Sent = root.State, false
		e.Why += ", which is not sent now itself"
	}
	index, seen := r.seenPath[r.identity(&e)]
	if seen && index != f.root && f.rule.Place != "inline" {
		return "", false // said already, by itself or by another import
	}
	if !seen {
		if strings.TrimSpace(file.Text) == "" {
			e.State, e.Sent, e.Why = Blank, false, "the imported file is empty or only white space"
		} else if !f.waiting {
			r.seenPath[r.identity(&e)] = len(r.entries)
		}
		r.entries = append(r.entries, e)
	}
	f.done = append(f.done, real)
	f.trail = append(f.trail, real)
	body := f.file(path, file.Text, 0)
	f.trail = f.trail[:len(f.trail)-1]
	names := strings.NewReplacer("{path}", token.Path)
	return names.Replace(f.rule.Before) + strings.TrimRight(body, "\n") + names.Replace(f.rule.After), true
}

func (f *follow) repeated(path string) (string, bool) {
	if f.rule.Repeated == "" {
		return "", false
	}
	return strings.ReplaceAll(f.rule.Repeated, "{path}", path), true
}

// resolve finds the file that an import names, relative to the importing file.
func (f *follow) resolve(importer, written string) (path, problem string) {
	r := f.r
	slashed := filepath.FromSlash(written)
	switch {
	case strings.HasPrefix(written, "~/"):
		if !f.rule.Home || r.req.Home == "" {
			return "", "home"
		}
		path = filepath.Join(r.req.Home, slashed[2:])
	case filepath.IsAbs(slashed):
		if !f.rule.Absolute {
			return "", "absolute"
		}
		path = filepath.Clean(slashed)
	default:
		path = filepath.Join(filepath.Dir(importer), slashed)
	}
	if f.rule.Confine == "" || f.inside(path) {
		return path, ""
	}
	return path, "outside"
}

// inside tells whether an import may be followed: it lies in the repository,
// or for the user's own file in the home folder, or the user trusts the folder
// and the tool asks for no more.
func (f *follow) inside(path string) bool {
	r := f.r
	root := r.entries[f.root]
	switch {
	case root.Personal:
		return r.profile.Name != Own || fsys.Within(r.req.Home, path)
	case fsys.Within(r.req.Root, path):
		return true
	}
	return f.rule.Confine == "approval" && r.req.Trusted
}

// files confines what is read of an import to where it may lie.
func (f *follow) files(path string) fsys.FS {
	if f.r.entries[f.root].Personal || f.r.req.Trusted {
		return f.r.files
	}
	return f.r.at(filepath.Dir(path))
}

// limit names for people what an import may not leave.
func (f *follow) limit() string {
	if f.r.entries[f.root].Personal {
		return "the home folder"
	}
	return f.r.rootName()
}

// secret tells whether an imported file holds secrets, by its own name or by
// that of the file that it leads to.
func (f *follow) secret(path string) (string, bool) {
	if why, secret := f.r.req.Secret(path); secret {
		return why, true
	}
	real, err := f.r.files.RealPath(path)
	if err != nil {
		return "", false
	}
	return f.r.req.Secret(real)
}

// refuse tells about a file that an import names and that is not read: it
// holds secrets, or it lies outside, which some tools ask about.
func (f *follow) refuse(importer, path string, place *Place, secret string) {
	r := f.r
	if _, err := r.files.Lstat(path); err != nil {
		return
	}
	e := Entry{
		Path: path, RealPath: path, Kind: KindImport, State: Excluded, Rule: r.rule(nil), ImportedBy: importer,
		Why: fmt.Sprintf("imported by %s in line %d, and outside %s", r.display(importer), place.Line+1, f.limit()),
	}
	switch {
	case secret != "":
		e.Why = fmt.Sprintf("imported by %s in line %d, but it holds secrets (%s)", r.display(importer), place.Line+1, secret)
	case f.rule.Confine == "approval":
		e.State = NeedsApproval
		e.Why += fmt.Sprintf("; %s asks before it follows that", r.profile.Title)
	}
	r.entries = append(r.entries, e)
}
