package commands

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// watchedSessions is how many sessions are looked after for their clients: more
// conversations than anybody has open in one editor.
const watchedSessions = 8

// recent are the sessions that a client prepared turns of, with what it asked
// for, the newest last.
type recent struct {
	mu       sync.Mutex // guards all below
	sessions []recentSession
}

type recentSession struct {
	params BuildPromptParams
	said   string // what the client was told last of it
}

// used notes that a turn was prepared. What the client knew of changes before
// is in that turn.
func (r *recent) used(params BuildPromptParams) {
	params.Attachments = nil // they belong to the turn
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sessions = slices.DeleteFunc(r.sessions, func(s recentSession) bool { return s.params.Session == params.Session })
	r.sessions = append(r.sessions, recentSession{params: params})
	if len(r.sessions) > watchedSessions {
		r.sessions = r.sessions[1:]
	}
}

func (r *recent) list() []recentSession {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.sessions)
}

// tells notes what the client is told, and whether it is news.
func (r *recent) tells(session, said string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range r.sessions {
		if r.sessions[i].params.Session == session && r.sessions[i].said != said {
			r.sessions[i].said = said
			return true
		}
	}
	return false
}

// ForeseeSessions says of the sessions that the client has used what their next
// turns would say that the last ones did not, where that is news. It runs no
// program.
func (s *Service) ForeseeSessions(ctx context.Context) []PromptChangedParams {
	var news []PromptChangedParams
	for _, known := range s.recent.list() {
		session := known.params.Session
		t, err := s.foresee(previewing(ctx), s.snapshot(ctx), known.params)
		if err != nil || t == nil {
			continue // the next turn itself tells what is wrong
		}
		n := PromptChangedParams{Session: session}
		var keys []string
		for _, u := range updatesIn(t.told) {
			keys = append(keys, u.Key)
		}
		said := ""
		switch {
		case t.began != nil:
			said = "the next turn says the whole prompt anew: " + t.because
		case len(keys) > 0:
			said = fmt.Sprintf("the next turn says what changed in %s", strings.Join(keys, ", "))
		}
		n.PrefixChanged, n.Because = t.began != nil, cmp.Or(said, "the next turn says nothing that was not said")
		if s.recent.tells(session, said) {
			news = append(news, n)
		}
	}
	return news
}
