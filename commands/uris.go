package commands

import (
	"fmt"
	"strings"

	"go.lsp.dev/uri"

	"foreword/workspace"
)

// parseURI reads a URI that must say its scheme: a path that was given in its
// place would silently become another file.
func parseURI(raw string) (uri.URI, error) {
	if scheme, _, ok := strings.Cut(raw, ":"); !ok || scheme == "" || strings.ContainsAny(scheme, `/\. `) {
		return "", fmt.Errorf("%q is not a URI; want for instance file:///home/me/project/main.go", raw)
	}
	u, err := uri.Parse(raw)
	if err != nil {
		return "", fmt.Errorf("%q is not a URI: %w", raw, err)
	}
	return u, nil
}

// filePath is the path that a file URI names, absolute and clean.
func filePath(raw string) (string, error) {
	u, err := parseURI(raw)
	if err != nil {
		return "", err
	}
	path := workspace.PathOf(u)
	if path == "" {
		return "", fmt.Errorf("%q is not the URI of a file on this machine", raw)
	}
	return path, nil
}

// fileURI is the URI of a file; the address of an instruction that has one is
// its own.
func fileURI(path string) string {
	if strings.HasPrefix(path, "https://") || strings.HasPrefix(path, "http://") {
		return path
	}
	return string(uri.File(path))
}

func optionalURI(path string) string {
	if path == "" {
		return ""
	}
	return fileURI(path)
}

// uriPath is the path of a file URI that foreword made, or empty.
func uriPath(document string) string {
	path, err := filePath(document)
	if err != nil {
		return ""
	}
	return path
}
