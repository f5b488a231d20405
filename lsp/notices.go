package lsp

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"foreword/commands"
)

// noticeDelay is how long nothing must have changed before the client is told.
// A keystroke is followed by the next within a fifth of a second while somebody
// is typing; code lenses that blink in between help nobody.
const noticeDelay = 200 * time.Millisecond

// notices tells the client, in quiet moments, that answers it was given may
// have changed: foreword/promptChanged, and refreshes of code lenses and of
// virtual documents.
type notices struct {
	server *server
	delay  time.Duration
	wake   chan struct{}

	mu sync.Mutex // guards the rest
	// because is what concerns every file, the newest; empty for nothing.
	because string
	// branch tells that the state of a repository changed, which is no part of
	// a prompt's prefix.
	branch bool
	// problems tells that files have other problems, which documents and the next
	// turns of sessions say.
	problems bool
	// documents are those that changed, and how.
	documents map[uri.URI]string
	// served lists the virtual documents that the client has asked for, the
	// newest last.
	served []uri.URI
	// rounds counts how often documents were refreshed after a change.
	rounds int
	// published is what was last said of the problems of each document, as JSON;
	// only the goroutine that tells reads and writes it.
	published map[string]string
	// late are documents that were refreshed while their text was being made:
	// what the client got is older than the refresh.
	late map[uri.URI]bool
}

// servedDocuments is how many virtual documents are kept up to date: more than
// anybody has open side by side.
const servedDocuments = 32

func newNotices(s *server) *notices {
	return &notices{server: s, delay: noticeDelay, wake: make(chan struct{}, 1), documents: map[uri.URI]string{}, late: map[uri.URI]bool{}, published: map[string]string{}}
}

// changed notes something that concerns every file. It never waits.
func (n *notices) changed(because string) {
	n.mu.Lock()
	n.because = because
	n.mu.Unlock()
	n.rouse()
}

// document notes that a document has changed. Whether it matters is found out
// later: writers do not read the disk.
func (n *notices) document(u uri.URI, how string) {
	n.mu.Lock()
	n.documents[u] = how
	n.mu.Unlock()
	n.rouse()
}

// repository notes that a repository's branch or index changed.
func (n *notices) repository() {
	n.mu.Lock()
	n.branch = true
	n.mu.Unlock()
	n.rouse()
}

// diagnostics notes that a file has other problems.
func (n *notices) diagnostics() {
	n.mu.Lock()
	n.problems = true
	n.mu.Unlock()
	n.rouse()
}

func (n *notices) rouse() {
	select {
	case n.wake <- struct{}{}:
	default:
	}
}

// serves notes that the client asks for a virtual document, and returns what to
// call when its text is made. It is called before the snapshot is taken: a
// change that comes later than that is told, also when the text takes so long
// that the refresh is over before the client has anything to refresh.
func (n *notices) serves(u uri.URI) (made func()) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for i, known := range n.served {
		if known == u {
			n.served = append(n.served[:i], n.served[i+1:]...)
			break
		}
	}
	n.served = append(n.served, u)
	if len(n.served) > servedDocuments {
		n.served = n.served[1:]
	}
	began := n.rounds
	return func() {
		n.mu.Lock()
		late := n.rounds != began
		if late {
			n.late[u] = true
		}
		n.mu.Unlock()
		if late {
			n.rouse()
		}
	}
}

// run tells the client, until ctx ends.
func (n *notices) run(ctx context.Context) {
	quiet := time.NewTimer(n.delay)
	quiet.Stop()
	defer quiet.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-n.wake:
			quiet.Reset(n.delay)
		case <-quiet.C:
			n.server.protect(func() { n.tell(ctx) })
		}
	}
}

// take empties what was noted and says what of it matters, and which documents
// are to be refreshed.
func (n *notices) take() (params *commands.PromptChangedParams, refresh []uri.URI) {
	n.mu.Lock()
	because, branch, problems, documents := n.because, n.branch, n.problems, n.documents
	n.because, n.branch, n.problems, n.documents = "", false, false, map[uri.URI]string{}
	if because == "" && !branch && !problems && len(documents) == 0 {
		refresh = slices.Sorted(maps.Keys(n.late))
	} else {
		refresh = slices.Clone(n.served)
		n.rounds++
	}
	clear(n.late)
	n.mu.Unlock()

	var instructions []uri.URI
	for u := range documents {
		if n.server.service.IsInstructionFile(string(u)) {
			instructions = append(instructions, u)
		}
	}
	slices.Sort(instructions)
	switch {
	case because != "":
		params = &commands.PromptChangedParams{PrefixChanged: true, Because: because}
	case len(instructions) == 1:
		u := instructions[0]
		params = &commands.PromptChangedParams{URI: string(u), PrefixChanged: true, Because: baseName(u) + " " + documents[u]}
	case len(instructions) > 1:
		params = &commands.PromptChangedParams{PrefixChanged: true, Because: fmt.Sprintf("%d instruction files changed", len(instructions))}
	case branch:
		params = &commands.PromptChangedParams{Because: "the repository changed"}
	}
	return params, refresh
}

// tell sends what there is to say. Virtual documents are refreshed after every
// change, since a prompt holds open buffers too; the rest only when
// instructions changed.
func (n *notices) tell(ctx context.Context) {
	s := n.server
	params, refresh := n.take()
	if params != nil {
		n.publish(ctx)
	}
	if params != nil && s.can.wants(methodPromptChanged) {
		s.notify(ctx, methodPromptChanged, params)
	}
	if s.can.wants(methodPromptChanged) {
		for _, foreseen := range s.service.ForeseeSessions(ctx) {
			s.notify(ctx, methodPromptChanged, &foreseen)
		}
	}
	if params != nil && params.PrefixChanged && s.can.refreshesLenses {
		if err := s.client.CodeLensRefresh(ctx); err != nil && ctx.Err() == nil {
			s.log.log("debug", "workspace/codeLens/refresh: "+err.Error())
		}
	}
	if !s.can.documentContent {
		return
	}
	for _, u := range refresh {
		err := s.client.TextDocumentContentRefresh(ctx, &protocol.TextDocumentContentRefreshParams{URI: u})
		if err != nil && ctx.Err() == nil {
			s.log.log("debug", "workspace/textDocumentContent/refresh: "+err.Error())
		}
	}
}
