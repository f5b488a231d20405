package lsp

import (
	"context"
	"encoding/json"

	"go.lsp.dev/protocol"
)

// section is the name under which editors keep our settings.
const section = "foreword"

// DidChangeConfiguration is a writer. A client that can be asked is asked: many
// send nothing useful here. The others send their settings, with or without
// the name of the section.
func (s *server) DidChangeConfiguration(_ context.Context, params *protocol.DidChangeConfigurationParams) error {
	if s.can.pullsConfiguration {
		s.start(s.pullConfiguration)
		return nil
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(params.Settings, &all); err != nil {
		if string(params.Settings) == "null" || len(params.Settings) == 0 {
			return nil
		}
		return invalidParams("settings: %v", err)
	}
	raw, ok := all[section]
	if !ok {
		if len(all) == 0 {
			return nil
		}
		raw = json.RawMessage(params.Settings)
	}
	s.takeSettings(raw)
	return nil
}

// registerConfiguration asks to be told when the settings change, where the
// client wants to be asked for that.
func (s *server) registerConfiguration(ctx context.Context) {
	if !s.can.registersSettings {
		return
	}
	s.register(ctx, "foreword-configuration", protocol.MethodWorkspaceDidChangeConfiguration,
		&protocol.DidChangeConfigurationRegistrationOptions{Section: protocol.String(section)})
}

// pullConfiguration asks the client for its settings. It runs beside the
// queue, since it waits for an answer.
func (s *server) pullConfiguration(ctx context.Context) {
	if !s.can.pullsConfiguration {
		return
	}
	// Asked twice, the later answer must be the later taken.
	s.pulling.Lock()
	defer s.pulling.Unlock()
	answers, err := s.client.Configuration(ctx, &protocol.ConfigurationParams{
		Items: []protocol.ConfigurationItem{{Section: new(section)}},
	})
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		s.log.warnf("workspace/configuration: %v; the settings of foreword.toml are used", err)
		return
	}
	if len(answers) > 0 {
		s.takeSettings(json.RawMessage(answers[0]))
	}
}

// takeSettings makes the editor's settings those that hold.
func (s *server) takeSettings(raw json.RawMessage) {
	var settings map[string]any
	if err := json.Unmarshal(raw, &settings); err != nil {
		s.log.errorf("the editor's setting %q must be an object: %v", section, err)
		return
	}
	if settings == nil {
		// No settings: what initialize said still holds.
		settings = s.can.settings
	}
	s.workspace.ConfigChanged(settings)
	s.notices.changed("the settings changed")
	s.trace.logf("settings taken from the editor")
}

// register asks the client for a dynamic registration and tells whether it
// agreed.
func (s *server) register(ctx context.Context, id, method string, options any) bool {
	raw, err := protocol.Marshal(options)
	if err == nil {
		err = s.client.RegisterCapability(ctx, &protocol.RegistrationParams{
			Registrations: []protocol.Registration{{ID: id, Method: method, RegisterOptions: raw}},
		})
	}
	if err != nil && ctx.Err() == nil {
		s.log.warnf("registering %s: %v", method, err)
	}
	return err == nil
}
