package commands

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"foreword/promptbuilder"
	"foreword/promptbuilder/epoch"
	"foreword/promptbuilder/history"
	"foreword/promptbuilder/models"
	"foreword/promptbuilder/sources"
	"foreword/promptbuilder/tokens"
	"foreword/workspace"
	"foreword/workspace/fsys"
	"foreword/workspace/instructions"
	"foreword/workspace/skills"
	"foreword/workspace/vcs"
)

// BuildPromptParams is what a prompt depends on.
type BuildPromptParams struct {
	// URI of the file (or folder) that the conversation is about.
	URI string `json:"uri,omitempty"`
	// Session of the panel; without one nothing is remembered.
	Session string `json:"session,omitempty"`
	// Cwd is the URI of the directory in which the tool is started; the root by default.
	Cwd string `json:"cwd,omitempty"`
	// Profile is whose loading rules for instruction files are followed.
	Profile string `json:"profile,omitempty"`
	// Model is the model's identifier, as the provider spells it.
	Model string `json:"model,omitempty"`
	// Provider serves the model.
	Provider string `json:"provider,omitempty"`
	// Agent is build (the default) or another agent's name.
	Agent string `json:"agent,omitempty"`
	// Mode is build (the default) or plan.
	Mode string `json:"mode,omitempty" enum:"build,plan"`
	// Interactive tells that a person can answer questions; true by default.
	Interactive *bool `json:"interactive,omitempty"`
	// Compact asks for the short forms of the texts.
	Compact bool `json:"compact,omitempty"`
	// Tools that the panel offers to the model.
	Tools []Tool `json:"tools,omitempty"`
	// ToolFormat is how tools are described in the prompt; tool (the default) leaves the schema to the request.
	ToolFormat string `json:"toolFormat,omitempty" enum:"markdown,xml,tool"`
	// Context is full (the default) or selective: only what include names.
	Context string `json:"context,omitempty" enum:"full,selective"`
	// Include names source keys or groups for selective context; files brings the instructions with it, all everything.
	Include []string `json:"include,omitempty"`
	// Prompt takes the place of foreword's words on who the assistant is and how it works.
	Prompt string `json:"prompt,omitempty"`
	// Compat follows the assembly of another tool, its faults included, for comparison.
	Compat string `json:"compat,omitempty" enum:"gptme,opencode"`
	// OutputSchema is the JSON Schema that the answer must follow.
	OutputSchema RawObject `json:"outputSchema,omitempty"`
	// Attachments are URIs of files that the user added by name.
	Attachments []string `json:"attachments,omitempty"`
	// Message is the text that the user writes, for the files that are chosen by it; in a turn the newest message by default.
	Message string `json:"message,omitempty"`
	// Window is the context window in tokens, where the client knows it better.
	Window int `json:"window,omitempty" min:"0"`
	// Reserve is what is kept free for the answer, in tokens.
	Reserve int `json:"reserve,omitempty" min:"0"`
}

// BuildPromptResult is a prompt with the origin of every line.
type BuildPromptResult struct {
	Head
	// Sections in the order in which they are sent.
	Sections []Section `json:"sections"`
	// Boundary is where the cacheable part ends.
	Boundary Boundary `json:"boundary"`
	// Messages are the system messages, ready to be put before a history.
	Messages []SystemMessage `json:"messages"`
	// Tokens is the account.
	Tokens TokenTotals `json:"tokens"`
	// Fingerprint identifies the bytes.
	Fingerprint Fingerprint `json:"fingerprint"`
	// Updates are what the next turn of the session says of what changed, after the history.
	Updates []Update `json:"updates"`
	// NotApplied lists what was found and left out, with the reason.
	NotApplied []NotApplied `json:"notApplied"`
	// Hooks is what hooks did.
	Hooks []HookChange `json:"hooks"`
}

// SystemMessage is one block of the system text.
type SystemMessage struct {
	// Role is system.
	Role string `json:"role" enum:"system"`
	// Content is the text.
	Content string `json:"content"`
	// Layer is cacheable (core and cacheable sections) or dynamic.
	Layer string `json:"layer" enum:"cacheable,dynamic"`
}

// BuildPrompt assembles the prompt for a file.
func (s *Service) BuildPrompt(ctx context.Context, params BuildPromptParams) (*BuildPromptResult, error) {
	b, err := s.build(ctx, s.snapshot(ctx), params)
	if err != nil {
		return nil, err
	}
	return b.result(), nil
}

// built is a prompt and what it was built from.
type built struct {
	place     *place
	snapshot  *workspace.Snapshot
	input     *sources.Input
	discovery *instructions.Discovery
	sources   []sources.Source
	observed  []sources.Observed
	prompt    *promptbuilder.Prompt
	counter   tokens.Counter
	planning  tokens.Planning
	count     func(string) int
	updates   []Update // of a session's next turn
	window    int
	windowWhy string
	reserve   int
	warnings  []Warning
	// hookChanges is what hooks did.
	hookChanges []HookChange
}

// build makes the prompt of a request: of a session that has begun the system
// text of its epoch, with what its next turn would say of what changed since;
// else all of it as it is now. It writes nothing.
func (s *Service) build(ctx context.Context, snap *workspace.Snapshot, params BuildPromptParams) (*built, error) {
	if params.Session != "" {
		t, err := s.foresee(ctx, snap, params)
		if err != nil {
			return nil, err
		}
		if t != nil {
			return t.foreseen(), nil
		}
	}
	b, err := s.look(ctx, snap, params, nil)
	if err != nil {
		return nil, err
	}
	b.say(params, promptbuilder.Assemble(b.observed, b.count))
	return b, nil
}

// look is the one way to what a prompt may say: for build, preview and turns
// alike. Beside the target it looks at the instruction files of the other files
// that a session has to do with.
func (s *Service) look(ctx context.Context, snap *workspace.Snapshot, params BuildPromptParams, standing *epoch.Standing) (*built, error) {
	attachments, err := attachmentPaths(params.Attachments)
	if err != nil {
		return nil, err
	}
	p, profile, discovery, err := s.applying(ctx, snap, params)
	if err != nil {
		return nil, err
	}
	if s.lookAgain(snap, p, discovery, standing) {
		if p, profile, discovery, err = s.applying(ctx, snap, params); err != nil {
			return nil, err
		}
	}
	request, warnings := s.request(snap, p, params, attachments)
	b := &built{place: p, snapshot: snap, discovery: discovery, warnings: append(s.discoveryWarnings(discovery), warnings...)}
	b.counter, b.count = s.counter(request.Model.ID)
	b.planning = s.planning(ctx, snap, b.counter, "")
	b.setWindow(request.Model, params.Window, params.Reserve)
	request.Model.Window = b.window
	b.input = &sources.Input{
		Request: request,
		Place:   sources.Place{Target: p.target, Root: p.root, Repository: p.repository, HomeRepository: p.homeRepository(snap), Cwd: p.cwd, Home: snap.Home()},
		Facts:   s.facts(snap, p, discovery, counterName(b.counter), b.count),
	}
	b.warnings = append(b.warnings, configWarnings(p.problems)...)
	b.warnings = append(b.warnings, outOfStep(snap)...)
	if b.input.Elsewhere, err = s.elsewhere(ctx, snap, p, profile, standing); err != nil {
		return nil, err
	}
	for _, other := range b.input.Elsewhere {
		b.input.Skills = skills.Merge(b.input.Skills, skills.Of(other))
	}
	b.input.Earlier = s.earlierConversations(snap, p, params.Session)
	b.input.EarlierAsGptme = earlierAsGptme(snap)
	b.input.Continues = standing != nil && standing.Epoch != nil && standing.Due == "" && standing.Epoch.Root == p.root
	b.input.Own = s.own(ctx, p, snap.Home())
	b.input.Chosen = s.chosen(snap, p)
	b.share()
	if err := b.input.Find(ctx); err != nil {
		return nil, err
	}
	var messages []history.Message
	if standing != nil {
		messages = standing.Messages
	}
	if b.input.Message = params.Message; b.input.Message == "" {
		b.input.Message = newestUserText(messages)
	}
	b.sources = sources.All(b.input)
	b.observed, err = promptbuilder.Look(ctx, b.sources, promptbuilder.Options{
		Omit: b.input.Omit, Count: b.count,
		Amend: s.amend(b, params, messages, standing),
	})
	if err != nil {
		return nil, err
	}
	return b, nil
}

// applying finds the place of a request and the instruction files that apply
// there.
func (s *Service) applying(ctx context.Context, snap *workspace.Snapshot, params BuildPromptParams) (*place, *instructions.Profile, *instructions.Discovery, error) {
	p, err := s.locate(snap, params.URI, params.Cwd)
	if err != nil {
		return nil, nil, nil, err
	}
	profile, err := p.profileNamed(params.Profile)
	if err != nil {
		return nil, nil, nil, err
	}
	if profile.Name == instructions.Own {
		s.awaitAddresses(ctx, p)
	}
	discovery, err := s.discover(ctx, snap, p, profile)
	return p, profile, discovery, err
}

// share shares out what the window leaves among the sources that the settings
// bound.
func (b *built) share() {
	in := b.input
	asked := []sources.Allowance{
		{Setting: "tree.tokens", Asked: in.TreeTokens}, {Setting: "skills.tokens", Asked: in.SkillTokens}, {Setting: "buffers.tokens", Asked: in.BufferTokens},
		{Setting: "diagnostics.tokens", Asked: in.ProblemTokens}, {Setting: "active.tokens", Asked: in.ActiveTokens},
	}
	if len(in.Chosen.Files)+len(in.Chosen.AgentFiles) > 0 {
		asked = append(asked, sources.Allowance{Setting: "context.tokens", Asked: in.Chosen.Tokens})
	}
	budget := sources.NewBudget(b.window-b.reserve, asked...)
	in.Budget = budget
	in.TreeTokens, in.SkillTokens, in.BufferTokens = budget.Granted("tree.tokens"), budget.Granted("skills.tokens"), budget.Granted("buffers.tokens")
	in.ProblemTokens, in.ActiveTokens = budget.Granted("diagnostics.tokens"), budget.Granted("active.tokens")
	in.Chosen.Tokens = budget.Granted("context.tokens")
}

// say takes a prompt for what is sent, and tells what is odd about it.
func (b *built) say(params BuildPromptParams, prompt *promptbuilder.Prompt) {
	b.prompt = prompt
	b.warnings = append(b.warnings, b.oversights(params)...)
	for _, w := range b.prompt.Warnings {
		b.warnings = append(b.warnings, Warning{Code: w.Code, Message: w.Message, URI: optionalURI(w.Path)})
	}
}

// oversights tells about parameters that do not do what their sender meant.
func (b *built) oversights(params BuildPromptParams) []Warning {
	var out []Warning
	if need := b.prompt.Tokens() + b.reserve; need > b.window {
		out = append(out, Warning{Code: "window-too-small", Message: fmt.Sprintf(
			"the prompt costs %d tokens and %d are kept for the answer, more than the window of %d (%s)", b.prompt.Tokens(), b.reserve, b.window, b.windowWhy)})
	}
	for _, name := range params.Include {
		if name != "all" && name != hooksGroup && name != "cmd" && !slices.ContainsFunc(b.sources, func(s sources.Source) bool { return s.Key == name || s.Group == name }) {
			out = append(out, Warning{Code: "include-unknown", Message: fmt.Sprintf("include names %q, which is neither the key nor the group of a source", name)})
		}
	}
	if len(params.Include) > 0 && params.Context != "selective" {
		out = append(out, Warning{Code: "include-unused", Message: "include has a meaning with context selective only"})
	}
	return out
}

func attachmentPaths(uris []string) ([]string, error) {
	var paths []string
	for i, raw := range uris {
		path, err := filePath(raw)
		if err != nil {
			return nil, failf(CodeInvalidParams, "attachments[%d]: %w", i, err)
		}
		if !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths, nil
}

// setWindow decides how large the request may be, and says who decided.
func (b *built) setWindow(model models.Model, window, reserve int) {
	b.window, b.windowWhy = model.Window, model.Source
	if b.place.config.Window > 0 {
		b.window, b.windowWhy = b.place.config.Window, "setting window"
	}
	if window > 0 {
		b.window, b.windowWhy = window, "client"
	}
	switch {
	case reserve > 0:
		b.reserve = reserve
	case b.place.config.Reserve > 0:
		b.reserve = b.place.config.Reserve
	default:
		// A quarter at most: some models may answer with nearly all of their window.
		b.reserve = min(model.Output, b.window/4)
	}
}

func (s *Service) facts(snap *workspace.Snapshot, p *place, d *instructions.Discovery, counter string, count func(string) int) sources.Facts {
	f := sources.Facts{
		Files: p.saved(snap), Instructions: d,
		Attached: func(path string) (*fsys.File, error) { return p.attached(snap, path) },
		Ignored: func(ctx context.Context, paths []string) map[string]string {
			return s.keptBack(ctx, snap, p, paths)
		},
		Remember: s.rememberSource(snap, p, counter),
		Buffers:  openBuffers(snap), Now: s.now, Count: count,
		TreeTokens: p.config.Tree.Tokens, BufferTokens: p.config.Buffers.Tokens, Platform: platform(),
		Skills: skills.Of(d), SkillTokens: p.config.Skills.Tokens, ActiveTokens: p.config.Active.Tokens,
	}
	f.System = s.system
	f.User, f.ProjectName, f.ProjectAbout = s.aboutUser(snap, p), p.config.Project.Name, p.config.Project.About
	if p.repository {
		f.Git = func(ctx context.Context) (*vcs.Status, error) { return s.repos.gitStatus(ctx, p.root, p.trusted) }
	}
	f.Problems, f.ProblemTokens = problems(snap), p.config.Diagnostics.Tokens
	f.HistoryTokens, f.Everywhere = p.config.History.Tokens, p.config.History.Everywhere
	focus := snap.Focus()
	f.Focus.Path, f.Focus.Visible = focus.Path, focus.Visible
	if r := focus.Range; r != nil && r.Start != r.End {
		f.Focus.Selected, f.Focus.FromLine, f.Focus.ToLine = true, r.Start.Line, r.End.Line
		if r.End.Character == 0 && r.End.Line > r.Start.Line {
			f.Focus.ToLine-- // editors select whole lines up to the beginning of the next
		}
	}
	return f
}

func openBuffers(snap *workspace.Snapshot) []sources.Buffer {
	var buffers []sources.Buffer
	for _, d := range snap.Documents() {
		buffers = append(buffers, sources.Buffer{Path: d.Path, Label: string(d.URI), Language: d.LanguageID, Text: d.Text, Dirty: d.Dirty})
	}
	slices.SortStableFunc(buffers, func(a, b sources.Buffer) int {
		return strings.Compare(a.Path+"\x00"+a.Label, b.Path+"\x00"+b.Label)
	})
	return buffers
}

func (b *built) result() *BuildPromptResult {
	r := &BuildPromptResult{Head: head(), Sections: b.sections(), Messages: b.messages(), Tokens: b.totals(), NotApplied: b.notApplied(), Hooks: append([]HookChange{}, b.hookChanges...), Updates: append([]Update{}, b.updates...)}
	r.Warnings = append(r.Warnings, b.warnings...)
	r.Boundary = Boundary{Section: b.prompt.Boundary, Byte: b.prompt.BoundaryByte(), Tokens: b.prompt.StableTokens}
	r.Fingerprint.Prefix, r.Fingerprint.Full = b.prompt.Fingerprints()
	return r
}

func (b *built) sections() []Section {
	out := make([]Section, 0, len(b.prompt.Sections))
	for _, s := range b.prompt.Sections {
		section := Section{
			Key: s.Source.Key, Layer: string(s.Source.Layer), Title: s.Source.Title, Text: s.Text, Tokens: s.Tokens,
			Range: Span{s.From, s.To}, Origins: make([]Origin, 0, len(s.Origins)), Why: s.Why,
		}
		for _, o := range s.Origins {
			section.Origins = append(section.Origins, b.origin(o))
		}
		out = append(out, section)
	}
	return out
}

func (b *built) origin(o sources.Origin) Origin {
	out := Origin{Dirty: o.Dirty, Lines: Span{o.FromLine, o.ToLine}}
	if o.Path == "" {
		out.URI = ownURI(o.Name)
		return out
	}
	out.URI, out.Hash = fileURI(o.Path), o.Hash.String()
	out.Range = &Range{Start: Position{Line: o.FileFrom}, End: Position{Line: o.FileTo}}
	return out
}

// ownURI names what foreword itself wrote or observed, or a document that is
// no file.
func ownURI(name string) string {
	if strings.HasPrefix(name, "untitled:") {
		return name
	}
	return (&url.URL{Scheme: "foreword", Path: "/" + name}).String()
}

func (b *built) messages() []SystemMessage {
	messages := []SystemMessage{}
	if b.prompt.Stable != "" {
		messages = append(messages, SystemMessage{Role: "system", Content: b.prompt.Stable, Layer: string(sources.Cacheable)})
	}
	if b.prompt.Volatile != "" {
		messages = append(messages, SystemMessage{Role: "system", Content: b.prompt.Volatile, Layer: string(sources.Dynamic)})
	}
	return messages
}

func (b *built) totals() TokenTotals {
	totals := b.layers()
	totals.plan(b.planning)
	return totals
}

// plan says what the provider should count of the total, and what that leaves.
func (t *TokenTotals) plan(p tokens.Planning) {
	t.Expected, t.ErrorBound, t.Learned = p.Expected(t.Total), p.ErrorBound, p.Samples
	t.Free = max(0, t.Window-t.Reserve-t.Expected)
}

func (b *built) layers() TokenTotals {
	total := b.prompt.Tokens()
	allowances := []Allowance{}
	for _, a := range b.input.Budget.Allowances {
		allowances = append(allowances, Allowance(a))
	}
	return TokenTotals{
		Allowances: allowances,
		Total:      total, Window: b.window, WindowSource: b.windowWhy, Reserve: b.reserve,
		Counter: b.counter.Kind(), Encoding: string(b.counter.Encoding),
		Layers: LayerTokens{
			Core:      b.prompt.LayerTokens(sources.Core),
			Cacheable: b.prompt.LayerTokens(sources.Cacheable),
			Dynamic:   b.prompt.LayerTokens(sources.Dynamic),
		},
	}
}

// notApplied lists the instruction files that are not sent, then the sources
// that have nothing to say.
func (b *built) notApplied() []NotApplied {
	out := []NotApplied{}
	for _, e := range b.discovery.LeftOut() {
		if e.Kind == instructions.KindSkill && e.State == instructions.ModelDecides {
			continue // the source core/skills tells of it, or says why not
		}
		out = append(out, NotApplied{
			Key: b.place.key(b.snapshot, e.Path), URI: fileURI(e.Path), State: string(e.State), Why: e.Why,
		})
	}
	for _, s := range b.prompt.Skipped {
		n := NotApplied{Key: s.Source.Key, URI: optionalURI(s.Path), State: "excluded", Why: s.Why}
		if s.Path == "" {
			n.URI = s.Name
		}
		out = append(out, n)
	}
	for _, l := range b.prompt.LeftOut {
		state := "absent"
		if l.Status == sources.Unavailable {
			state = "unavailable"
		}
		if l.State != "" {
			state = l.State
		}
		out = append(out, NotApplied{Key: l.Source.Key, State: state, Why: l.Why})
	}
	return out
}
