package agents

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"foreword/promptbuilder/templates"
)

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		fits          bool
	}{
		{"*", "", true}, {"*", "a/b\nc", true}, {"", "", true}, {"", "a", false},
		{"a", "a", true}, {"a", "ab", false}, {"a", "ba", false},
		{"a*c", "abbc", true}, {"a*c", "ac", true}, {"a*c", "acb", false}, {"*a*b*", "xxaxxbxx", true}, {"*a*b*", "xxbxxaxx", false},
		{"?", "é", true}, {"?", "", false}, {"a?c", "a\nc", true},
		{"ls *", "ls", true}, {"ls *", "ls -l", true}, {"ls *", "lsof", false}, {"ls*", "lsof", true},
		{"a.b", "axb", false}, {"(a|b)", "(a|b)", true}, {"[a]", "a", false},
		{`src\*`, "src/a.go", true}, {"src/*", `src\a.go`, true},
		{"*.env", "a/.env", true}, {"*.env", ".env.example", false}, {"*.env.*", ".env.example", true},
		{"A", "a", false},
		{"a*b*b", "ab", false}, {"a*ab", "aaab", true},
	} {
		if got := match(c.pattern, c.text, false); got != c.fits {
			t.Errorf("match(%q, %q) = %v", c.pattern, c.text, got)
		}
	}
	if !match("SRC/*", "src/A.go", true) {
		t.Error("case does not count on Windows")
	}
}

// TestMatchIsTheRegularExpression compares with the expression by which the
// rule is defined.
func TestMatchIsTheRegularExpression(t *testing.T) {
	letters := rapid.StringOfN(rapid.RuneFrom([]rune(`ab*? /\.(`)), 0, 8, -1)
	rapid.Check(t, func(t *rapid.T) {
		pattern, text := letters.Draw(t, "pattern"), letters.Draw(t, "text")
		slashed := strings.ReplaceAll(pattern, `\`, "/")
		expression := regexp.QuoteMeta(slashed)
		expression = strings.ReplaceAll(strings.ReplaceAll(expression, `\*`, ".*"), `\?`, ".")
		if head, ok := strings.CutSuffix(expression, " .*"); ok {
			expression = head + "( .*)?"
		}
		want := regexp.MustCompile(`(?s)\A` + expression + `\z`).MatchString(strings.ReplaceAll(text, `\`, "/"))
		if got := match(pattern, text, false); got != want {
			t.Fatalf("match(%q, %q) = %v, the expression %s says %v", pattern, text, got, expression, want)
		}
	})
}

func drawRules(t *rapid.T, label string) Rules {
	words := rapid.SampledFrom([]string{"*", "read", "edit", "skill", "r*", "a/b", "a/*", "?dit"})
	var rules Rules
	for range rapid.IntRange(0, 6).Draw(t, label) {
		rules = append(rules, Rule{words.Draw(t, "permission"), words.Draw(t, "pattern"), rapid.SampledFrom([]Action{Allow, Ask, Deny}).Draw(t, "action")})
	}
	return rules
}

// TestTheLastRuleThatFitsDecides holds what evaluation means.
func TestTheLastRuleThatFitsDecides(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rules := drawRules(t, "rules")
		permission := rapid.SampledFrom([]string{"read", "edit", "skill", "bash"}).Draw(t, "of")
		pattern := rapid.SampledFrom([]string{"a/b", "a/c", "read", "x"}).Draw(t, "to")
		got := rules.Evaluate(permission, pattern)

		// A rule for everything at the end decides, whatever stands before it.
		for _, action := range []Action{Allow, Ask, Deny} {
			if e := append(rules[:len(rules):len(rules)], Rule{"*", "*", action}).Evaluate(permission, pattern); e.Action != action {
				t.Fatalf("%v, then * * %s: %s", rules, action, e.Action)
			}
		}
		// One that fits nothing here changes nothing.
		if e := append(rules[:len(rules):len(rules)], Rule{"other", "*", Deny}, Rule{permission, "elsewhere", Deny}).Evaluate(permission, pattern); e != got {
			t.Fatalf("%v: %v, with rules that do not fit %v", rules, got, e)
		}
		// What stands before a rule that fits does not count.
		if more := append(drawRules(t, "before"), rules...); len(rules) > 0 && Match(rules[0].Permission, permission) && Match(rules[0].Pattern, pattern) {
			if e := more.Evaluate(permission, pattern); e != got {
				t.Fatalf("%v gives %v, with others before it %v", rules, got, e)
			}
		}
		// What is closed is denied for every pattern.
		if rules.Closed(permission) && got.Action != Deny {
			t.Fatalf("%v: %s is closed, and %s of %s is %s", rules, permission, permission, pattern, got.Action)
		}
	})
}

func TestNothingSaidAsks(t *testing.T) {
	if got := Rules(nil).Evaluate("edit", "a"); got.Action != Ask {
		t.Errorf("got %v", got)
	}
	if !(Agent{}).Allowed("edit", "a") || (Rules)(nil).Closed("edit") {
		t.Error("what is asked for is offered")
	}
}

// TestBuiltInAgents holds what each may do, as opencode's agents of these names
// may (anomalyco/opencode, packages/opencode/src/agent/agent.ts, 2026-07-08).
func TestBuiltInAgents(t *testing.T) {
	set, problems := Merge(nil, "")
	if len(problems) > 0 {
		t.Error(problems)
	}
	if diff := cmp.Diff([]string{"build", "plan"}, set.Names()); diff != "" {
		t.Errorf("agents to choose:\n%s", diff)
	}
	for name, c := range map[string]struct {
		text                templates.Name
		uses, not           string
		allowed, disallowed []string
	}{
		"build":      {"", "read edit write bash skill task", "plan_exit", []string{"edit a.go", "read .env", "skill x", "question x"}, []string{"plan_exit x"}},
		"plan":       {"", "read edit bash skill plan_exit", "", []string{"edit .foreword/plans/a.md", "task explore"}, []string{"edit a.go", "edit .foreword/plans/a.go", "task general"}},
		"general":    {"", "read edit bash", "todowrite", nil, []string{"question x"}},
		"explore":    {templates.Explore, "read grep glob list bash", "edit write skill task todowrite", []string{"read .env"}, []string{"skill x", "edit a.go"}},
		"compaction": {templates.Compaction, "", "read edit skill", nil, []string{"read a"}},
		"title":      {templates.Title, "", "read edit skill", nil, []string{"read a"}},
		"summary":    {templates.Summary, "", "read edit skill", nil, []string{"read a"}},
	} {
		a, ok := set.Get(name)
		if !ok || a.Text != c.text {
			t.Errorf("%s: %v, text %q", name, ok, a.Text)
		}
		for _, tool := range strings.Fields(c.uses) {
			if !a.Uses(tool) {
				t.Errorf("%s: %s is not offered", name, tool)
			}
		}
		for _, tool := range strings.Fields(c.not) {
			if a.Uses(tool) {
				t.Errorf("%s: %s is offered", name, tool)
			}
		}
		for i, list := range [][]string{c.allowed, c.disallowed} {
			for _, what := range list {
				permission, pattern, _ := strings.Cut(what, " ")
				if a.Allowed(permission, pattern) != (i == 0) {
					t.Errorf("%s: %s is %s", name, what, a.Rules.Evaluate(permission, pattern).Action)
				}
			}
		}
	}
}

func TestMerge(t *testing.T) {
	set, problems := Merge([]Declaration{
		{Name: "plan", Steps: 7, Rules: Rules{{"bash", "*", Deny}}, Trusted: true},
		{Name: "zoe", Prompt: "You review.", Description: "Reviews.", Model: "gpt-5", Steps: -1, Mode: Subagent, File: "/f", PromptLine: 3, Trusted: true},
		{Name: "amy", Steps: 2, Trusted: true},
		{Name: "explore", Prompt: "Look.", Steps: -1, Trusted: true},
		{Name: "general", Disable: true, Steps: -1, Trusted: true},
		{Name: "zoe", Steps: 4, Trusted: true},
	}, "amy")
	if len(problems) > 0 {
		t.Error(problems)
	}
	var names []string
	for _, a := range set.All() {
		names = append(names, a.Name)
	}
	if diff := cmp.Diff(strings.Fields("build plan explore compaction title summary amy zoe"), names); diff != "" {
		t.Errorf("agents:\n%s", diff)
	}
	plan, _ := set.Get("plan")
	if plan.Steps != 7 || plan.Uses("bash") || !plan.Uses("read") {
		t.Errorf("plan: %+v", plan)
	}
	zoe, _ := set.Get("zoe")
	if zoe.Prompt != "You review." || zoe.File != "/f" || zoe.Line != 3 || zoe.Steps != 4 || zoe.Model != "gpt-5" || zoe.Mode != Subagent || !zoe.Allowed("edit", "a") {
		t.Errorf("zoe: %+v", zoe)
	}
	if explore, _ := set.Get("explore"); explore.Text != "" || explore.Prompt != "Look." || explore.Uses("edit") {
		t.Errorf("explore: %+v", explore)
	}
	if a, problem := set.Choose(""); a.Name != "amy" || problem != "" {
		t.Errorf("the default is %s (%s)", a.Name, problem)
	}
	if names := set.Names(); !cmp.Equal(names, []string{"build", "plan", "amy"}) {
		t.Errorf("to choose: %v", names)
	}
}

// TestAWorkspaceThatIsNotTrusted holds that it can add an agent and narrow it,
// and can change nothing that the user has.
func TestAWorkspaceThatIsNotTrusted(t *testing.T) {
	set, problems := Merge([]Declaration{
		{Name: "mine", Prompt: "Mine.", Steps: -1, Trusted: true},
		{Name: "gone", Disable: true, Steps: -1, Trusted: true},
		{Name: "plan", Steps: -1, Rules: Rules{{"edit", "*", Allow}}, Line: 1},
		{Name: "build", Disable: true, Steps: -1, Line: 2},
		{Name: "mine", Prompt: "Obey.", Steps: -1, Line: 3},
		{Name: "gone", Prompt: "Back.", Steps: -1, Line: 4},
		{Name: "new", Prompt: "New.", Steps: -1, Line: 5, Rules: Rules{{"question", "*", Allow}, {"read", "*.env", Ask}, {"bash", "*", Deny}}},
		{Name: "new", Steps: 3, Line: 6},
	}, "")
	var lines []int
	for _, p := range problems {
		lines = append(lines, p.Line)
		if !strings.Contains(p.Message, "foreword trust") {
			t.Errorf("line %d: %s", p.Line, p.Message)
		}
	}
	if !cmp.Equal(lines, []int{1, 2, 3, 4, 5}) {
		t.Errorf("problems at %v", lines)
	}
	plan, _ := set.Get("plan")
	_, build := set.Get("build")
	mine, _ := set.Get("mine")
	_, gone := set.Get("gone")
	if plan.Allowed("edit", "a.go") || !build || mine.Prompt != "Mine." || gone {
		t.Errorf("plan %+v, build %v, mine %+v, gone %v", plan, build, mine, gone)
	}
	fresh, _ := set.Get("new")
	if fresh.Uses("bash") || fresh.Allowed("question", "x") || fresh.Prompt != "New." || fresh.Steps != 3 {
		t.Errorf("new: %+v", fresh)
	}
}

func TestChoose(t *testing.T) {
	declared := []Declaration{{Name: "sub", Mode: Subagent, Steps: -1, Trusted: true}}
	for name, c := range map[string]struct {
		more             []Declaration
		byDefault, asked string
		want, problem    string
	}{
		"the usual":          {nil, "", "", "build", ""},
		"named":              {nil, "plan", "explore", "explore", ""},
		"unknown":            {nil, "", "x\n# Obey", "x\n# Obey", `no agent "x\n# Obey"`},
		"configured":         {nil, "plan", "", "plan", ""},
		"not there":          {nil, "x", "", "build", "not there"},
		"a subagent":         {nil, "sub", "", "build", "cannot choose"},
		"hidden":             {nil, "title", "", "build", "cannot choose"},
		"build is disabled":  {[]Declaration{{Name: "build", Disable: true, Trusted: true}}, "", "", "plan", ""},
		"both are disabled":  {[]Declaration{{Name: "build", Disable: true, Trusted: true}, {Name: "plan", Disable: true, Trusted: true}}, "", "", "build", "every agent"},
		"disabled and named": {[]Declaration{{Name: "build", Disable: true, Trusted: true}}, "", "build", "build", "no agent"},
	} {
		set, _ := Merge(append(declared, c.more...), c.byDefault)
		a, problem := set.Choose(c.asked)
		if a.Name != c.want || (c.problem == "") != (problem == "") || !strings.Contains(problem, c.problem) {
			t.Errorf("%s: %s, %q", name, a.Name, problem)
		}
	}
}
