//go:build race

package imports

// hostileSize is smaller with the race detector, which makes all slower.
const hostileSize = 1 << 17
