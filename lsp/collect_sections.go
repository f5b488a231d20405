package lsp

import (
	"context"
	"encoding/json"
	"fmt"

	"go.lsp.dev/jsonrpc2"

	"foreword/commands"
)

// collectSections asks the client what it adds to a prompt. The answer is read
// as strictly as parameters are: a misspelt field must not be missed.
func (s *server) collectSections(ctx context.Context, params commands.CollectSectionsParams) (*commands.CollectSectionsResult, error) {
	raw, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	var answer jsonrpc2.RawMessage
	if _, err := s.conn.Call(ctx, commands.CollectSectionsMethod, jsonrpc2.RawMessage(raw), &answer); err != nil {
		return nil, fmt.Errorf("the editor's answer to %s: %w", commands.CollectSectionsMethod, err)
	}
	var result commands.CollectSectionsResult
	if len(answer) == 0 || string(answer) == "null" {
		return &result, nil
	}
	if err := commands.Decode(json.RawMessage(answer), &result); err != nil {
		return nil, fmt.Errorf("the editor's answer to %s: %w", commands.CollectSectionsMethod, err)
	}
	return &result, nil
}
