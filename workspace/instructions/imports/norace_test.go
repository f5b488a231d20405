//go:build !race

package imports

// hostileSize is the size of hostile texts, in bytes: that of the largest file
// that is read.
const hostileSize = 1 << 20
