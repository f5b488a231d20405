package workspace

import (
	"path/filepath"
	"runtime"
	"strings"

	"go.lsp.dev/uri"
)

// PathOf is the cleaned absolute path of a file on this machine, "" for any
// other URI: another scheme, another host, the root of the disk (which is what
// an empty URI decodes to), a query or fragment (a view of a file, not the file).
func PathOf(u uri.URI) string {
	if u == "" || !u.IsFile() {
		return ""
	}
	c := u.Components()
	if c.Query != "" || c.Fragment != "" || c.Authority != "" && c.Authority != "localhost" {
		return ""
	}
	path := c.Path
	if runtime.GOOS == "windows" {
		path = u.FsPath()
	}
	path = filepath.Clean(path)
	if !filepath.IsAbs(path) || path == filepath.Dir(path) || strings.IndexByte(path, 0) >= 0 {
		return ""
	}
	return path
}

// keyOf is what a document is known by. Clients spell the URI of one file in
// several ways (%2B or +, C: or c%3A), so a file is known by its decoded path.
func keyOf(u uri.URI) string {
	if path := PathOf(u); path != "" {
		return path
	}
	return string(u)
}
