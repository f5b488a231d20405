//go:build race

package frontmatter

// hostileSize and hostileHeader are smaller with the race detector, which makes all slower.
const (
	hostileSize   = 1 << 17
	hostileHeader = maxHeader / 4
)
