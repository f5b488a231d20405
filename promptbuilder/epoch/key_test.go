package epoch_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"foreword/promptbuilder/epoch"
)

func TestKeyGrammar(t *testing.T) {
	for key, want := range map[string]string{
		"core/date":                          "",
		"0/0":                                "",
		"a.b_c-d/e":                          "",
		"core/a/b/c":                         "",
		"instructions/svc/pay/AGENTS.md":     "",
		"instructions/~/.config/My Rules.md": "",
		"instructions/ключ.md":               "",
		"instructions//net/share":            "",
		"":                                   "no namespace",
		"date":                               "no namespace",
		"/date":                              "namespace is empty",
		"core/":                              "name is empty",
		"Core/date":                          "namespace has 'C'",
		"-core/date":                         "namespace has '-'",
		".core/date":                         "namespace has '.'",
		"co re/date":                         "namespace has ' '",
		"cörë/date":                          "namespace has 'ö'",
		"core/a\nb":                          "control character U+000A",
		"core/a\x7fb":                        "control character U+007F",
		"core/\u0085":                        "control character U+0085",
		"core/\xff":                          "not valid UTF-8",
		"core/\uFFFD":                        "",
		"\xff/date":                          "not valid UTF-8",
		"core/" + strings.Repeat("x", epoch.MaxKey): "and may have",
	} {
		err := epoch.CheckKey(key)
		if want == "" {
			if err != nil {
				t.Errorf("%q: %v", key, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "like core/date") {
			t.Errorf("%q: %v; want %s", key, err, want)
		}
		if err != nil && len(err.Error()) > 400 {
			t.Errorf("%q: a message of %d bytes", key[:20], len(err.Error()))
		}
	}
}

// TestEveryKeyOfOpencodeIsAKey draws from its grammar (opencode, the reference
// of its system context, July 2026).
func TestEveryKeyOfOpencodeIsAKey(t *testing.T) {
	const grammar = `[a-z0-9][a-z0-9._-]*/[a-z0-9][a-z0-9._/-]*`
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.StringMatching(grammar).Draw(t, "key")
		if err := epoch.CheckKey(key); err != nil {
			t.Error(err)
		}
	})
	// The namespaces are the same.
	whole := regexp.MustCompile(`^` + grammar + `$`)
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.StringMatching(`[a-zA-Z0-9._ -]{0,4}/?x`).Draw(t, "key")
		if ours, theirs := epoch.CheckKey(key) == nil, whole.MatchString(key); ours != theirs {
			t.Errorf("%q: ours %v, theirs %v", key, ours, theirs)
		}
	})
}

// TestABadCompositionIsRefused holds that each operation of both rules names the
// key.
func TestABadCompositionIsRefused(t *testing.T) {
	told := generation(t, value("core/a", "A"), value("core/b", "B")).Snapshot
	for name, c := range map[string]struct {
		observed []epoch.Observed
		want     string
	}{
		"twice, never said":        {[]epoch.Observed{value("core/c", "1"), value("core/d", ""), value("core/c", "2")}, `"core/c" is there twice`},
		"twice, said":              {[]epoch.Observed{value("core/a", "A"), value("core/a", "A")}, `"core/a" is there twice`},
		"twice, once absent":       {[]epoch.Observed{value("core/a", "A"), absent("core/a")}, `"core/a" is there twice`},
		"twice, both unavailable":  {[]epoch.Observed{unavailable("core/z", ""), unavailable("core/z", "")}, `"core/z" is there twice`},
		"bad key":                  {[]epoch.Observed{value("Core/a", "A")}, `"Core/a"`},
		"bad key without a value":  {[]epoch.Observed{absent("a")}, `"a"`},
		"bad layer":                {[]epoch.Observed{{Key: "core/x", Layer: "deep", Status: epoch.Value, Text: "x"}}, `source core/x: layer "deep"`},
		"bad layer of a said one":  {[]epoch.Observed{{Key: "core/a", Status: epoch.Value, Text: "x"}}, `source core/a: layer ""`},
		"far more than fit a turn": {append(many(500), value("n/0250", "x")), `"n/0250" is there twice`},
	} {
		for _, compat := range []string{"", "opencode"} {
			rules := epoch.AlgebraOf(compat)
			_, inTheBeginning := rules.Initialize(c.observed)
			_, later := rules.Reconcile(c.observed, told)
			_, onPurpose := rules.Replace(c.observed, told)
			for when, err := range map[string]error{"initialize": inTheBeginning, "reconcile": later, "replace": onPurpose} {
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%s, rules %q, %s: %v", name, compat, when, err)
				}
			}
		}
	}
}

func many(n int) []epoch.Observed {
	all := make([]epoch.Observed, n)
	for i := range all {
		all[i] = value(fmt.Sprintf("n/%04d", i), fmt.Sprint("text ", i))
	}
	return all
}
