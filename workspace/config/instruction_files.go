package config

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
)

// filesKey is the setting whose lists name more instruction files.
const filesKey = "instructions.files"

// The values of instructions.order.
const (
	outermostFirst = "outermost-first"
	nearestFirst   = "nearest-first"
)

// named joins the lists of a setting that names files in the order of the sources, and remembers of each item who names
// it: relative paths begin at the file that does.
func named(key string, layers []layer, root string) (files []Named, value Value) {
	var list, origins []string
	for _, l := range layers {
		base := root
		if l.path != "" {
			base = filepath.Dir(l.path)
		}
		for _, item := range l.list {
			files = append(files, Named{
				Item: item, Base: base, Origin: l.origin, Path: l.path, Line: l.line, User: l.name == "user",
			})
		}
		list, origins = append(list, l.list...), append(origins, l.origin)
	}
	return files, Value{Key: key, Value: list, Origin: strings.Join(origins, ", ")}
}

// namedFile refuses what can be no file and no address.
func namedFile(item string) error {
	switch scheme, _, address := strings.Cut(item, "://"); {
	case strings.TrimSpace(item) == "" || strings.ContainsRune(item, 0):
		return fmt.Errorf("must hold paths, patterns and addresses, not %q", item)
	case address && scheme != "https":
		return fmt.Errorf("may hold https addresses alone, not %q", item)
	case address:
		// The address is told to the model and stands in logs: it must hold no password.
		if u, err := url.Parse(item); err != nil || u.Host == "" || u.User != nil {
			return fmt.Errorf("must hold addresses like https://example.com/rules.md, without a name or password before the host")
		}
	}
	return nil
}
