//go:build !race

package frontmatter

// hostileSize and hostileHeader are the sizes of hostile texts, in bytes: those of the largest
// file and header that are read.
const (
	hostileSize   = 1 << 20
	hostileHeader = maxHeader - 100
)
