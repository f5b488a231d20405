package instructions

import (
	"strconv"
	"strings"
)

// inVersions says whether a version satisfies a constraint such as ">=2.1.277"
// or ">=1,<2". An empty constraint holds for every version, and an empty
// version satisfies every constraint that has no upper bound.
func inVersions(version, constraint string) bool {
	for part := range strings.SplitSeq(constraint, ",") {
		part = strings.TrimSpace(part)
		if part == "" || part == "*" {
			continue
		}
		op := strings.TrimRight(part, "0123456789. ")
		bound := strings.TrimSpace(part[len(op):])
		if version == "" {
			if strings.HasPrefix(op, "<") {
				return false
			}
			continue
		}
		order := compareVersions(version, bound)
		ok := false
		switch strings.TrimSpace(op) {
		case ">=":
			ok = order >= 0
		case ">":
			ok = order > 0
		case "<=":
			ok = order <= 0
		case "<":
			ok = order < 0
		case "=", "":
			ok = order == 0
		}
		if !ok {
			return false
		}
	}
	return true
}

// compareVersions orders dotted numbers; what follows a dash is left aside, and
// a missing number counts as 0.
func compareVersions(a, b string) int {
	as, bs := versionParts(a), versionParts(b)
	for i := range max(len(as), len(bs)) {
		var x, y int
		if i < len(as) {
			x = as[i]
		}
		if i < len(bs) {
			y = bs[i]
		}
		if x != y {
			return x - y
		}
	}
	return 0
}

func versionParts(version string) []int {
	version, _, _ = strings.Cut(strings.TrimPrefix(strings.TrimSpace(version), "v"), "-")
	var parts []int
	for part := range strings.SplitSeq(version, ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			break
		}
		parts = append(parts, n)
	}
	return parts
}
