package sources

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestTreeSaysWhatCameAndWent(t *testing.T) {
	many := "\n- a/\n  - b/\n    - c.go\n    - d.go\n  - e.go\n- f/ (7)\n- g/ …\n- long_name_of_a_file_that_stays.go\n- another_long_name_of_a_file_that_stays.go\n- and_a_third_name_of_a_file_which_stays_as_well.go"
	change := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(many) }
	const begin = "The list of the workspace's files changed; what is not named here stays as it was."
	for _, c := range []struct{ name, before, after, want string }{
		{"a new file", many, change("\n  - e.go", "\n  - e.go\n  - new.go"), "\n\nNew:\n- a/new.go"},
		{"a file goes", many, change("\n    - d.go", ""), "\n\nGone, with all that was in them:\n- a/b/d.go"},
		{"a directory comes", many, change("\n  - e.go", "\n  - e.go\n  - n/\n    - o.go"), "\n\nNew:\n- a/n/\n- a/n/o.go"},
		{"a directory goes", many, change("\n  - b/\n    - c.go\n    - d.go", ""), "\n\nGone, with all that was in them:\n- a/b/"},
		{"a file becomes a directory", many, change("- e.go", "- e.go/"), "\n\nNew:\n- a/e.go/\n\nGone, with all that was in them:\n- a/e.go"},
		{"a count", many, change("(7)", "(8)"), "\n\nCounted anew:\n- f/ (8)"},
		{"a directory is opened", many, change(" (7)", "\n  - x.go"), "\n\nListed now, and left out before:\n- f/x.go\n\nCounted anew:\n- f/ (listed in full)"},
		{"no room any more", many, change("\n    - c.go\n    - d.go", " (2)"), "\n\nCounted anew:\n- a/b/ (2)\n\nNo longer listed, gone or left out for want of room:\n- a/b/c.go\n- a/b/d.go"},
		{"the top does not fit", many, change("\n- and_a_third_name_of_a_file_which_stays_as_well.go", "\n- … and 1 more"),
			"\n\nCounted anew:\n- at the top: … and 1 more\n\nNo longer listed, gone or left out for want of room:\n- and_a_third_name_of_a_file_which_stays_as_well.go"},
	} {
		if got := updateTree(treeHeading+c.before, treeHeading+c.after); got != begin+c.want {
			t.Errorf("%s: %q\nwant %q", c.name, got, begin+c.want)
		}
	}
	// The whole is said where it is shorter, or where the old text cannot be read.
	for name, before := range map[string]string{"all is new": treeHeading + "\n- an_old_name.go", "another's text": "x", "no tree": treeHeading + "\nx"} {
		after := treeHeading + "\n- x.go"
		if got := updateTree(before, after); !strings.HasSuffix(got, "told before:\n\n"+after) && name != "all is new" {
			t.Errorf("%s: %q", name, got)
		}
	}
	if s := tree(plain())[0]; s.SayUpdate(treeHeading+many, treeHeading+change("e.go", "e2.go")) != begin+"\n\nNew:\n- a/e2.go\n\nGone, with all that was in them:\n- a/e.go" {
		t.Error("the source does not use it")
	}
}

// TestTreeUpdatesAddUp holds that who knows the old list and the update knows
// which files there are.
func TestTreeUpdatesAddUp(t *testing.T) {
	draw := rapid.Custom(func(t *rapid.T) []string {
		return rapid.SliceOfNDistinct(rapid.StringMatching(`([ab ]x/){0,2}[a-d…]\.(go| \(3\))`), 1, 14, rapid.ID[string]).Draw(t, "files")
	})
	rapid.Check(t, func(t *rapid.T) {
		before, after := treeOfPaths(draw.Draw(t, "before")), treeOfPaths(draw.Draw(t, "after"))
		old, ok := readTree(before)
		now, ok2 := readTree(after)
		if !ok || !ok2 {
			t.Fatalf("cannot be read:\n%s\n%s", before, after)
		}
		said := updateTree(before, after)
		if strings.HasSuffix(said, after) && len(said) > len(after) {
			return
		}
		known := slices.Clone(old.order)
		title := ""
		for line := range strings.SplitSeq(said, "\n") {
			path, item := strings.CutPrefix(line, "- ")
			switch {
			case !item:
				title = line
			case title == "New:":
				known = append(known, path)
			default:
				known = slices.DeleteFunc(known, func(p string) bool { return p == path || strings.HasSuffix(path, "/") && strings.HasPrefix(p, path) })
			}
		}
		slices.Sort(known)
		want := slices.Sorted(slices.Values(now.order))
		if !slices.Equal(known, want) {
			t.Errorf("known %q, want %q, by\n%s", known, want, said)
		}
	})
}

// treeOfPaths writes the tree of these files, all of it.
func treeOfPaths(files []string) string {
	top := &branch{dir: true, listed: true}
	slices.Sort(files)
	for _, file := range files {
		at := top
		parts := strings.Split(file, "/")
		for i, part := range parts {
			j := slices.IndexFunc(at.children, func(b *branch) bool { return b.name == part })
			if j < 0 {
				j = len(at.children)
				at.children = append(at.children, &branch{name: part, dir: i < len(parts)-1, listed: true})
			}
			at = at.children[j]
		}
	}
	var b strings.Builder
	b.WriteString(treeHeading)
	top.write(&b, 0)
	return b.String()
}
