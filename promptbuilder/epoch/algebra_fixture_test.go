package epoch_test

import (
	"strings"
	"testing"

	"foreword/promptbuilder/epoch"
)

// value is a source that says text, and whose changes and end are short.
func value(key, text string) epoch.Observed {
	return epoch.Observed{
		Key: key, Layer: "core", Title: "Source " + key, Status: epoch.Value, Text: text,
		Update:  func(before, after string) string { return before + " became " + after },
		Removal: func(before string) string { return "Removed " + before },
	}
}

// plain is a source without words of its own for its changes and its end.
func plain(key, text string) epoch.Observed {
	return epoch.Observed{Key: key, Layer: "core", Title: "Source " + key, Status: epoch.Value, Text: text}
}

func absent(key string) epoch.Observed {
	return epoch.Observed{Key: key, Layer: "core", Title: "Source " + key, Status: epoch.Absent, Why: "none here"}
}

func unavailable(key, why string) epoch.Observed {
	return epoch.Observed{Key: key, Layer: "core", Title: "Source " + key, Status: epoch.Unavailable, Why: why}
}

func broken(key, why string) epoch.Observed {
	o := unavailable(key, why)
	o.Permanent = true
	return o
}

func generation(t interface{ Fatal(...any) }, observed ...epoch.Observed) epoch.Generation {
	g, err := epoch.Initialize(observed)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func reconcile(t interface{ Fatal(...any) }, before epoch.Snapshot, observed ...epoch.Observed) epoch.Outcome {
	out, err := epoch.Reconcile(observed, before)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// rows writes a snapshot as "key=text" lines; a row that was lost has no text.
func rows(s epoch.Snapshot) string {
	var lines []string
	for a := range s.All() {
		lines = append(lines, a.Key+"="+a.Text)
	}
	for _, f := range s.Faults() {
		lines = append(lines, f.Key+" lost")
	}
	return strings.Join(lines, "\n")
}

// said writes what is said as "kind key: text" lines.
func said(all []epoch.Said) string {
	var lines []string
	for _, s := range all {
		lines = append(lines, s.Kind+" "+s.Key+": "+s.Text)
	}
	return strings.Join(lines, "\n")
}

func omitted(all []epoch.Omission) string {
	var lines []string
	for _, o := range all {
		line := o.Key + ": " + o.Why
		if o.Permanent {
			line += ", for good"
		}
		if o.Kept {
			line += ", kept"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func decode(t *testing.T, data string) epoch.Snapshot {
	t.Helper()
	var s epoch.Snapshot
	if err := s.UnmarshalJSON([]byte(data)); err != nil {
		t.Fatal(err)
	}
	return s
}
