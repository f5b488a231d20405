// Package promptbuilder builds a prompt from its sources.
//
// A prompt is an ordered set of sources. [Build] observes all of them at once,
// each with a deadline, puts what they say in the order of their layers and
// keeps account of where every line came from. The cache boundary stands
// between the cacheable and the dynamic layer: whatever changes behind it, the
// bytes before it stay the same.
package promptbuilder
