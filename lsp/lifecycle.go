package lsp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"foreword/commands"
	"foreword/workspace"
)

// phase is how far a connection has come.
type phase int

const (
	phaseNew phase = iota
	phaseInitializing
	phaseRunning
	phaseShutDown
)

// lifecycle lets through what the protocol allows at each moment. The library
// enforces nothing.
type lifecycle struct {
	mu    sync.Mutex // guards phase
	phase phase
	// exited receives the exit code, once.
	exited chan int
	// initialized is closed when the client said so; nothing is sent before.
	initialized chan struct{}
}

func newLifecycle() *lifecycle {
	return &lifecycle{exited: make(chan int, 1), initialized: make(chan struct{})}
}

// admit is asked for every message, on the read loop, in the order of the
// wire.
func (l *lifecycle) admit(method string, call bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case method == protocol.MethodExit:
		select {
		case l.exited <- l.code():
		default: // said before
		}
		return nil
	case l.phase == phaseShutDown:
		return errShutDown
	case method == protocol.MethodInitialize:
		if l.phase != phaseNew {
			return errInitialized
		}
		l.phase = phaseInitializing
		return nil
	case l.phase == phaseNew:
		return errNotInitialized
	case method == protocol.MethodShutdown && call:
		l.phase = phaseShutDown
	}
	return nil
}

// code is the exit code: 0 after shutdown, 1 without. Callers hold mu.
func (l *lifecycle) code() int {
	if l.phase == phaseShutDown {
		return 0
	}
	return 1
}

// codeAfterEnd is the code for a connection that has ended, with or without an
// exit.
func (l *lifecycle) codeAfterEnd() int {
	select {
	case code := <-l.exited:
		return code
	default:
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.code()
}

// answered notes how initialize went; after a failure it may be sent again.
func (l *lifecycle) answered(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.phase != phaseInitializing {
		return
	}
	l.phase = phaseRunning
	if err != nil {
		l.phase = phaseNew
	}
}

// Initialize is a writer: nothing else runs until the service is open.
func (s *server) Initialize(ctx context.Context, params *protocol.InitializeParams) (result *protocol.InitializeResult, err error) {
	defer func() { s.life.answered(err) }()

	can, err := clientFrom(params)
	if err != nil {
		s.log.warnf("%v", err)
	}
	folders := initialFolders(params)
	options := commands.Options{
		AddressChanged: func(address string) { s.notices.changed(address + " says something else") },
		Roots:          folders,
		Home:           s.options.Home,
		Env:            s.options.Env,
		Environ:        s.options.Environ,
		Now:            s.options.Now,
		Version:        s.options.Version,
		Log:            s.log.log,
	}
	if can.answers(commands.CollectSectionsMethod) {
		options.Collect = s.collectSections
	}
	service, err := s.options.Service(options)
	if err != nil {
		return nil, &jsonrpc2.Error{
			Code: requestFailed, Message: fmt.Sprintf("cannot open the workspace: %v", err),
			Data: errorData(commands.CodeFailed, nil),
		}
	}
	s.can = can
	s.service = service
	s.workspace = service.Workspace()
	s.workspace.SetEncoding(can.encoding)
	if can.settings != nil {
		s.workspace.ConfigChanged(can.settings)
	}
	s.startTrust(can.trusted)
	s.trace.set(params.Trace)
	if params.ProcessID != nil && *params.ProcessID > 0 {
		s.watchClient(int(*params.ProcessID))
	}
	return &protocol.InitializeResult{
		Capabilities: s.capabilities(),
		ServerInfo:   protocol.ServerInfo{Name: "foreword", Version: protocol.NewOptional(s.options.Version)},
	}, nil
}

// capabilities is what the server offers to this client.
func (s *server) capabilities() protocol.ServerCapabilities {
	var names []string
	for _, command := range commands.Table() {
		names = append(names, command.Name)
	}
	progress := protocol.WorkDoneProgressOptions{WorkDoneProgress: new(true)}
	offered := protocol.ServerCapabilities{
		PositionEncoding: protocol.PositionEncodingKind(s.can.encoding),
		TextDocumentSync: &protocol.TextDocumentSyncOptions{
			OpenClose: new(true),
			Change:    new(protocol.TextDocumentSyncKindIncremental),
			Save:      &protocol.SaveOptions{IncludeText: new(false)},
		},
		HoverProvider:          protocol.Boolean(true),
		CodeLensProvider:       &protocol.CodeLensOptions{WorkDoneProgressOptions: progress},
		ExecuteCommandProvider: protocol.ExecuteCommandOptions{WorkDoneProgressOptions: progress, Commands: names},
		CodeActionProvider:     protocol.Boolean(true),
		Workspace: &protocol.WorkspaceOptions{
			WorkspaceFolders: &protocol.WorkspaceFoldersServerCapabilities{
				Supported: new(true), ChangeNotifications: protocol.Boolean(true),
			},
		},
	}
	if s.can.codeActionLiterals {
		offered.CodeActionProvider = &protocol.CodeActionOptions{
			CodeActionKinds: []protocol.CodeActionKind{actionKind, sourceActionKind},
		}
	}
	if s.can.documentContent {
		offered.Workspace.TextDocumentContent = &protocol.TextDocumentContentOptions{Schemes: commands.Schemes()}
	}
	return offered
}

// Initialized starts what needs the client to answer: it may not happen in a
// handler that holds the queue.
func (s *server) Initialized(context.Context, *protocol.InitializedParams) error {
	select {
	case <-s.life.initialized:
		return errors.New("initialized was already sent")
	default:
	}
	close(s.life.initialized)
	s.start(func(ctx context.Context) { s.log.run(ctx, s.client) })
	s.start(s.notices.run)
	s.start(s.watchFiles)
	s.start(func(ctx context.Context) {
		s.registerConfiguration(ctx)
		s.pullConfiguration(ctx)
		s.announce()
	})
	return nil
}

// initialFolders finds what the client has open: its folders, else the root in
// one of the two forms of older clients.
func initialFolders(params *protocol.InitializeParams) []workspace.Folder {
	if folders, ok := params.WorkspaceFolders.Get(); ok {
		return foldersFrom(folders)
	}
	if params.RootURI != nil {
		// An empty rootUri decodes as file:///, which is no path.
		if path := workspace.PathOf(*params.RootURI); path != "" {
			return []workspace.Folder{folderAt(path)}
		}
		return nil
	}
	if path, ok := params.RootPath.Get(); ok && filepath.IsAbs(path) {
		return []workspace.Folder{folderAt(path)}
	}
	return nil
}

// processHome is the user's home folder, or empty where there is none.
func processHome() string {
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return home
}
