package commands

import (
	"context"
	"errors"
	"io/fs"

	"foreword/promptbuilder/earlier"
	"foreword/promptbuilder/epoch/store"
	"foreword/promptbuilder/sources"
	"foreword/workspace"
	"foreword/workspace/vcs"
)

// earlierConversations lists what is known of other conversations than the
// present session; nil where the settings want none. Where nothing was stored
// yet, nothing is made to look.
func (s *Service) earlierConversations(snap *workspace.Snapshot, p *place, session string) func(context.Context) ([]sources.Conversation, error) {
	if p.config.History.Tokens <= 0 {
		return nil
	}
	return func(ctx context.Context) ([]sources.Conversation, error) {
		var all []sources.Conversation
		if s.mayHaveSessions(snap) {
			digests, err := s.ledger.Earlier(ctx, session)
			if err != nil {
				return nil, err
			}
			for _, d := range digests {
				all = append(all, sources.Conversation{
					ID: d.Session, Title: d.Title, Root: d.Root, At: d.At, Turns: d.Turns, First: d.First, Last: d.Last, Answer: d.Answer, Files: d.Files,
				})
			}
		}
		if !p.config.History.OtherTools {
			return all, nil
		}
		logs, err := s.logs.Read(ctx, snap.Home(), snap.Env)
		if err != nil {
			return nil, err
		}
		for _, c := range logs {
			all = append(all, sources.Conversation{
				ID: c.ID, Tool: c.Tool, Title: c.Title, Root: s.rootOf(snap, c.Root), At: c.At, Turns: c.Turns, First: c.First, Last: c.Last, Answer: c.Answer,
			})
		}
		return all, nil
	}
}

// earlierAsGptme lists what gptme would say of its conversations; nil where the
// user did not ask it to.
func earlierAsGptme(snap *workspace.Snapshot) func(context.Context) ([]string, error) {
	if !earlier.GptmeAsks(snap.Env) {
		return nil
	}
	return func(ctx context.Context) ([]string, error) {
		return earlier.GptmeDigest(ctx, earlier.GptmeLogs(snap.Home(), snap.Env))
	}
}

// mayHaveSessions tells whether there can be anything to read: a session of
// this process, or the file of sessions.
func (s *Service) mayHaveSessions(snap *workspace.Snapshot) bool {
	if s.ledger.Len() > 0 {
		return true
	}
	path := store.Path(snap.Home(), snap.Env)
	if path == "" {
		return false
	}
	_, err := snap.FS().Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// rootOf is the repository of the folder that another tool was started in, else
// the folder itself.
func (s *Service) rootOf(snap *workspace.Snapshot, dir string) string {
	if dir == "" {
		return ""
	}
	if root, ok := vcs.Root(snap.FS(), dir, snap.Home()); ok {
		return root
	}
	return dir
}
