package lsp

import (
	"context"
	"encoding/json"
	"fmt"

	"go.lsp.dev/jsonrpc2"

	"foreword/commands"
)

// The messages of foreword's own; package commands describes them.
const (
	methodDidFocus             = "foreword/didFocus"
	methodDidChangeDiagnostics = "foreword/didChangeDiagnostics"
	methodDidChangeTrust       = "foreword/didChangeTrust"
	methodStatus               = "foreword/status"
	methodPromptChanged        = "foreword/promptChanged"
)

// announce says in foreword/status how things stand.
func (s *server) announce() {
	if !s.can.wants(methodStatus) {
		return
	}
	snapshot := s.workspace.Snapshot()
	status := commands.StatusNotificationParams{Kind: "ok", Message: "ready"}
	restricted := 0
	for _, folder := range snapshot.Folders() {
		if !snapshot.Trusted(folder.Path) {
			restricted++
		}
	}
	switch {
	case restricted == 0:
	case restricted == len(snapshot.Folders()):
		status = commands.StatusNotificationParams{Kind: "info", Message: "restricted: the workspace is not trusted"}
	default:
		status = commands.StatusNotificationParams{Kind: "info", Message: fmt.Sprintf("restricted: %d of %d folders are not trusted", restricted, len(snapshot.Folders()))}
	}
	if job, busy := s.jobs.current(); busy {
		status.Message, status.Busy = job, true
	}
	s.notify(s.session, methodStatus, status)
}

// notify sends a message of our own; a client that is gone shows elsewhere.
func (s *server) notify(ctx context.Context, method string, params any) {
	raw, err := json.Marshal(params)
	if err != nil {
		s.log.errorf("%s: %v", method, err)
		return
	}
	_ = s.conn.Notify(ctx, method, jsonrpc2.RawMessage(raw))
}
