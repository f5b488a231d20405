package commands

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"foreword/promptbuilder"
	"foreword/promptbuilder/epoch"
	"foreword/promptbuilder/history"
	"foreword/promptbuilder/sources"
	"foreword/promptbuilder/wire"
	"foreword/workspace"
	"foreword/workspace/instructions"
)

// compatOpencode names the rules of opencode.
const compatOpencode = "opencode"

// preparing is a request while it is prepared.
type preparing struct {
	service  *Service
	params   PrepareTurnParams
	standing *epoch.Standing
	built    *built

	// began is the epoch that the turn begins, nil where it goes on with one.
	began *epoch.Epoch
	// status and because are what became of the epoch.
	status, because string
	// stands is what was told before and still stands; told is what this turn tells.
	// passing is said in this request only.
	stands, told, passing []epoch.Told
	// placed are the messages with all that is told in them, prepared those that
	// are sent, report what was done to them, lost what trimming took with it.
	placed, prepared []history.Message
	report           history.Report
	lost             []int64
	attached         []Warning // of files that could not be read

	toolTokens int
	rendered   wire.Result
	brokeWhy   string
}

// tell looks at what there is to say and works out what of it the session was
// not told yet. A turn that names no file is about the one before.
func (s *Service) tell(ctx context.Context, snap *workspace.Snapshot, params PrepareTurnParams, standing *epoch.Standing) (*preparing, error) {
	if params.URI == "" && standing.Parent.Request.Target != "" {
		params.URI = fileURI(standing.Parent.Request.Target)
	}
	b, err := s.look(ctx, snap, params.BuildPromptParams, standing)
	if err != nil {
		return nil, err
	}
	t := &preparing{service: s, params: params, standing: standing, built: b}
	return t, t.say()
}

// foresee works out what the next turn of a session would say, were the user to
// write now. It is nil where the session has no turn yet.
func (s *Service) foresee(ctx context.Context, snap *workspace.Snapshot, params BuildPromptParams) (*preparing, error) {
	next := history.Message{ID: "#next", Role: history.RoleUser, Content: history.Text("…")}
	standing, err := s.ledger.Stand(ctx, params.Session, epoch.Continuation{Append: []history.Message{next}, Ahead: true})
	if err != nil {
		return nil, ledgerError(err)
	}
	if standing.Epoch == nil {
		return nil, nil
	}
	return s.tell(ctx, snap, PrepareTurnParams{BuildPromptParams: params}, standing)
}

// foreseen is the prompt with what would be said after the history.
func (t *preparing) foreseen() *built {
	t.built.updates = updatesIn(t.told)
	for i := range t.built.updates {
		t.built.updates[i].Message = "" // it is not written yet
	}
	return t.built
}

// say works out what the model is told that it was not told before.
func (t *preparing) say() error {
	if reason, first := t.newEpoch(); reason != "" {
		if err := t.beginOrHold(reason, first); err != nil {
			return err
		}
	} else {
		t.status = "unchanged"
		if err := t.hold(); err != nil {
			return err
		}
		if err := t.reconcile(); err != nil {
			return err
		}
	}
	t.remind()
	return nil
}

// beginOrHold begins an epoch where one is due. By opencode's rules a source
// that cannot be looked at may keep it from beginning: then the old one holds.
func (t *preparing) beginOrHold(reason string, first bool) error {
	b, st := t.built, t.standing
	if t.params.Compat != compatOpencode {
		t.restate()
	}
	observed := b.observations(nil)
	if st.Epoch == nil || st.Epoch.Baseline == nil {
		generation, err := t.algebra().Initialize(observed)
		if err != nil {
			return t.contradiction(err)
		}
		t.begin(reason, first, generation)
		return nil
	}
	outcome, err := t.algebra().Replace(observed, st.Snapshot)
	if err != nil {
		return t.contradiction(err)
	}
	if outcome.Kind == epoch.Blocked {
		t.status, t.because = "blocked", outcome.Because
		return t.hold()
	}
	t.begin(reason, first, *outcome.Generation)
	return nil
}

// restate says what cannot be had now, but was said before, as it was; and so
// what was not looked at, since the old epoch seemed to go on.
func (t *preparing) restate() {
	for i := range t.built.observed {
		seen := &t.built.observed[i]
		before, told := t.standing.Snapshot.Get(seen.Key)
		if seen.Status == sources.Unasked && seen.Once && told && t.built.input.Continues && t.built.input.Omit(seen.Source) == "" {
			seen.Status, seen.Text, seen.Origins = sources.Present, before.Text, nil
		}
		if seen.Status == sources.Unavailable && told && !seen.Permanent {
			seen.Warnings = append(seen.Warnings, sources.Warning{Code: "source-unavailable", Message: fmt.Sprintf("%s is said as it was before: %s", seen.Key, seen.Why)})
			seen.Status, seen.Text, seen.Origins = sources.Present, before.Text, nil
			seen.Why = "it could not be looked at now, so it is said as it was before: " + seen.Why
		}
	}
}

// begin begins an epoch: all is said in full, as it is now.
func (t *preparing) begin(reason string, first bool, generation epoch.Generation) {
	b := t.built
	t.status, t.because = "replaced", reason
	if first {
		t.status = "begun"
	}
	t.stands, t.told, t.passing = nil, nil, nil
	b.say(t.params.BuildPromptParams, promptbuilder.Assemble(b.observed, b.count).CountedBy(counterName(b.counter), b.count))
	t.began = &epoch.Epoch{
		Reason: reason, Agent: t.params.Agent, Model: b.input.Model.ID, Root: b.place.root, Target: b.place.target,
		Baseline: b.prompt, Snapshot: generation.Snapshot, Files: b.saidFiles(), Capabilities: b.capabilities(),
	}
}

// hold goes on with the system text of the epoch, byte for byte.
func (t *preparing) hold() error {
	b, st := t.built, t.standing
	baseline, ok := st.Epoch.Baseline.(*promptbuilder.Prompt)
	if !ok {
		return failf(CodeFailed, "session %q: the system text of epoch %d is of an unknown kind (%T)", st.Session, st.Epoch.Number, st.Epoch.Baseline)
	}
	b.say(t.params.BuildPromptParams, baseline.CountedBy(counterName(b.counter), b.count).Now(b.observed))
	t.stands = st.Told
	return nil
}

// algebra are the rules of epochs that the request asks for.
func (t *preparing) algebra() epoch.Algebra { return epoch.AlgebraOf(t.params.Compat) }

// contradiction tells why the rules of epochs refuse what the sources say.
func (t *preparing) contradiction(err error) error {
	var blocked *epoch.BlockedError
	if errors.As(err, &blocked) || errors.Is(err, epoch.ErrSnapshotDecode) {
		return &Error{Code: CodeBlocked, Message: err.Error(), Err: err}
	}
	return failf(CodeFailed, "the sources of the prompt contradict each other: %w", err)
}

// reconcile says what changed since the session was last told. Where the user
// says nothing new there is no place for it that is not sent already, so it
// waits; only instructions that trimming took away go to the end of the newest
// message, because the work goes on under them.
func (t *preparing) reconcile() error {
	b, st := t.built, t.standing
	outcome, err := t.algebra().Reconcile(b.observations(&st.Snapshot), st.Snapshot)
	if err != nil {
		return t.contradiction(err)
	}
	for _, fault := range outcome.Faults {
		b.warnings = append(b.warnings, Warning{Code: "internal", Message: fmt.Sprintf("source %s: %s", fault.Key, fault.Why)})
	}
	switch outcome.Kind {
	case epoch.Rebase:
		t.begin(outcome.Because, false, *outcome.Generation)
		return nil
	case epoch.Blocked:
		t.status, t.because = "blocked", outcome.Because
		return nil
	case epoch.Unchanged, epoch.Updated:
	}
	if len(outcome.Said) == 0 {
		return nil
	}
	if reason := t.worthless(outcome); reason != "" {
		return t.beginOrHold(reason, false)
	}
	at, how := st.Anchor(), epoch.AsUpdate
	if at < 0 {
		if len(t.lost) == 0 || len(st.Messages) == 0 {
			t.status, t.because = "deferred", "what changed is said with the next message of the user"
			return nil
		}
		at, how = len(st.Messages)-1, epoch.AsInjection
	}
	for _, said := range outcome.Said {
		if how == epoch.AsInjection && said.Kind != epoch.SaidNew {
			continue
		}
		t.tell(outcome, said, how, st.Messages[at].ID)
	}
	t.status = "updated"
	return nil
}

// tell notes one thing that the turn says.
func (t *preparing) tell(outcome epoch.Outcome, said epoch.Said, how epoch.How, anchor string) {
	b := t.built
	told := epoch.Told{
		Key: said.Key, Kind: said.Kind, How: how, Anchor: anchor, Text: said.Text, Tokens: b.count(said.Text),
		After: t.params.Compat == compatOpencode, // it reconciles once the message is in the history
	}
	if admitted, ok := outcome.Snapshot.Get(said.Key); ok && said.Kind != epoch.SaidRemoval {
		told.Layer, told.Value, told.Removal = admitted.Layer, admitted.Text, admitted.Removal
	}
	if e, ok := b.entry(said.Key); ok {
		told.File, told.Path = &epoch.File{Key: said.Key, RealPath: e.RealPath, Hash: e.File.Hash}, e.Path
	}
	if i := slices.IndexFunc(b.observed, func(o sources.Observed) bool { return o.Key == said.Key }); i >= 0 {
		told.Why = b.observed[i].Why
	}
	t.told = append(t.told, told)
}

// newEpoch says why the turn must begin an epoch, or nothing where it need not.
func (t *preparing) newEpoch() (reason string, first bool) {
	b, st := t.built, t.standing
	switch {
	case st.Epoch == nil && st.Revision() == 0:
		return "the conversation begins", true
	case st.Epoch == nil:
		return "the conversation begins anew", false
	case st.Due != "":
		return st.Due, false
	case st.Rewritten:
		return fmt.Sprintf("the conversation was rewritten before the end of turn %d, as a compaction does", st.Parent.Number), false
	case st.Epoch.Root != b.place.root:
		return fmt.Sprintf("the conversation moved to %s", b.place.root), false
	case t.params.Compat == compatOpencode:
		return "", false // nothing else begins one there
	}
	if lone := t.alone(); lone != "" {
		return lone, false
	}
	if gone := t.shrunk(); gone != "" {
		return fmt.Sprintf("the agent %q has no %s, of which the prompt tells", cmp.Or(t.params.Agent, "build"), gone), false
	}
	if limit := b.place.config.Updates.Tokens; limit > 0 && st.Parent.UpdateTokens > limit {
		if cold := t.cold(); cold != "" {
			return fmt.Sprintf("the changes said so far cost %d tokens, more than the setting updates.tokens (%d), and the provider's cache is cold: %s", st.Parent.UpdateTokens, limit, cold), false
		}
	}
	return "", false
}

// cold says why the provider's cache cannot hold the turn before, or nothing
// where it may.
func (t *preparing) cold() string { return t.coldAfter(t.standing.Parent) }

// coldAfter says it of the time since another turn.
func (t *preparing) coldAfter(parent epoch.Turn) string {
	if parent.Number == 0 {
		return "nothing was sent before"
	}
	if model := t.built.input.Model.ID; parent.Request.Model != model {
		return fmt.Sprintf("the model is %s now, and was %s", model, parent.Request.Model)
	}
	if provider := t.built.input.Provider; parent.Request.Provider != provider {
		return fmt.Sprintf("the provider is %s now, and was %s", cmp.Or(provider, "not named"), cmp.Or(parent.Request.Provider, "not named"))
	}
	if t.params.Wire != "" && parent.Request.Wire != "" && parent.Request.Wire != t.params.Wire {
		return fmt.Sprintf("the request is one of %s now, and was one of %s", t.params.Wire, parent.Request.Wire)
	}
	life := time.Duration(t.built.place.config.Cache.Minutes) * time.Minute
	age := t.service.now().Sub(time.UnixMilli(parent.At))
	if age > life {
		return fmt.Sprintf("the turn before was sent %s ago, and a cache lives for %s (setting cache.minutes)", age.Round(time.Second), life)
	}
	return ""
}

// worthless says why the system text is not worth keeping: what stands first in
// it, who the assistant is, is another now, and the provider's cache is lost
// anyway.
func (t *preparing) worthless(outcome epoch.Outcome) string {
	if t.params.Compat == compatOpencode {
		return ""
	}
	why := t.cold()
	if why == "" && hashTools(t.nativeTools()) != t.standing.Parent.ToolsHash {
		why = "the tools of the request, which stand before it, are others"
	}
	if why == "" {
		return ""
	}
	for _, said := range outcome.Said {
		if admitted, ok := outcome.Snapshot.Get(said.Key); ok && admitted.Layer == string(sources.Core) && said.Kind == epoch.SaidUpdate {
			return fmt.Sprintf("what stands first is another (%s), and the provider's cache is lost anyway: %s", said.Key, why)
		}
	}
	return ""
}

// alone says that one of two agents is told its own prompt and nothing else, and
// the other is not.
func (t *preparing) alone() string {
	before, now := t.standing.Epoch.Agent, t.params.Agent
	if before == now {
		return ""
	}
	was, _ := t.service.agent(t.built.snapshot, t.built.place, before)
	is, _ := t.service.agent(t.built.snapshot, t.built.place, now)
	if was.Hidden == is.Hidden {
		return ""
	}
	return fmt.Sprintf("the agent is %s now, and was %s, and one of them is told its own prompt alone", is.Name, was.Name)
}

// shrunk names something that the prompt tells of and an agent that was
// switched to does not have.
func (t *preparing) shrunk() string {
	if t.standing.Epoch.Agent == t.params.Agent {
		return ""
	}
	has := t.built.capabilities()
	for _, told := range t.standing.Epoch.Capabilities {
		if !slices.Contains(has, told) {
			return told
		}
	}
	return ""
}

// remind puts a reminder at the end of the newest user message where the mode
// or the agent turned.
func (t *preparing) remind() {
	st := t.standing
	at := st.Anchor()
	if at < 0 {
		return
	}
	now := t.reminderState()
	before := sources.ReminderState{Agent: st.Parent.Request.Agent, Mode: st.Parent.Request.Mode, PlanFile: now.PlanFile}
	before.Lost = !slices.ContainsFunc(t.stands, func(told epoch.Told) bool { return told.How == epoch.AsReminder })
	now.Planned = slices.Contains(st.Agents, "plan")
	text, key := sources.Reminder(before, now, t.params.Compat)
	if text == "" {
		return
	}
	reminder := epoch.Told{
		Key: "core/mode", Kind: key, How: epoch.AsReminder, Anchor: st.Messages[at].ID, Text: text, Tokens: t.built.count(text),
		Why: fmt.Sprintf("the mode is %s", cmp.Or(t.params.Mode, "build")),
	}
	if now.Kept(t.params.Compat) {
		t.told = append(t.told, reminder)
	} else {
		t.passing = []epoch.Told{reminder}
	}
}

// elsewhere finds the instruction files of the other files that a session has
// to do with: those that were in focus before in this epoch, and those that
// were touched by messages that are still there.
func (s *Service) elsewhere(ctx context.Context, snap *workspace.Snapshot, here *place, profile *instructions.Profile, standing *epoch.Standing) ([]*instructions.Discovery, error) {
	if standing == nil {
		return nil, nil
	}
	var found []*instructions.Discovery
	seen := map[string]bool{here.target: true}
	look := func(path string, event instructions.Event) error {
		if seen[path] {
			return nil
		}
		seen[path] = true
		p, err := s.locate(snap, fileURI(path), "")
		if err != nil || p.root != here.root {
			return ctx.Err() // it left the workspace, or is of another repository
		}
		d, err := s.resolve(ctx, snap, p, question{profile: profile, event: event})
		if err == nil {
			found = append(found, d)
		}
		return err
	}
	for _, path := range standing.Targets {
		if err := look(path, instructions.Event{}); err != nil {
			return nil, err
		}
	}
	for _, touched := range standing.Touched {
		if err := look(touched.Path, instructions.Event{Kind: touched.Kind, Path: touched.Path}); err != nil {
			return nil, err
		}
	}
	return found, nil
}
