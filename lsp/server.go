package lsp

import (
	"context"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"foreword/commands"
	"foreword/workspace"
)

// endGrace is how long the end of a connection waits for what still runs: a
// handler that was just cancelled needs far less, and one that hangs must not
// keep the process.
const endGrace = 2 * time.Second

// Options say how a server runs. Zero values stand for the process's own.
type Options struct {
	// Version of the program, as the client shows it.
	Version string
	// Log receives one line for each event; nil discards them. The client gets
	// all but the debug lines as well.
	Log io.Writer
	// Service opens what answers the commands; nil means [commands.Open].
	Service func(commands.Options) (*commands.Service, error)
	// Home is the user's home folder.
	Home string
	// Env looks up an environment variable.
	Env func(string) string
	// Environ lists the variables that programs of the configuration may be given.
	Environ func() []string
	// Now is the clock.
	Now func() time.Time
	// TempDir is where a document is written for a client that can show files
	// only; it is created on first use and removed at the end.
	TempDir string
	// ClientPoll is how often the client's process is looked for.
	ClientPoll time.Duration
	// ProgressDelay is how long work must last before it is shown.
	ProgressDelay time.Duration
}

func (o Options) withDefaults() Options {
	if o.Service == nil {
		o.Service = commands.Open
	}
	if o.Home == "" {
		o.Home = processHome()
	}
	if o.Env == nil {
		o.Env = os.Getenv
	}
	if o.Environ == nil {
		o.Environ = os.Environ
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.TempDir == "" {
		o.TempDir = os.TempDir()
	}
	if o.ClientPoll == 0 {
		o.ClientPoll = clientPoll
	}
	if o.ProgressDelay == 0 {
		o.ProgressDelay = progressDelay
	}
	return o
}

// server is one connection.
type server struct {
	protocol.UnimplementedServer
	peer
	opened

	options Options
	log     *logger
	life    *lifecycle
	frames  *frames

	// session ends with the connection, by end at the latest; every request
	// ends with it.
	session context.Context
	end     context.CancelFunc
	// tasks counts the goroutines that the connection owns.
	tasks sync.WaitGroup

	work   workers // places for expensive requests
	writes *lane   // commands that change what is remembered
	jobs   *jobs   // what is shown as progress

	trace   *tracing // $/setTrace
	notices *notices // what the client is told when answers may have changed
	shown   *shownDocuments
}

// peer is the other side.
type peer struct {
	conn   jsonrpc2.Conn
	client protocol.Client
	can    client // written by initialize, before any other handler runs
}

// opened is what initialize opens, before any other handler runs.
type opened struct {
	service   *commands.Service
	workspace *workspace.Workspace
	disk      *diskWatcher
	// clientWatches tells that the client reports changes inside the folders.
	clientWatches atomic.Bool
	pulling       sync.Mutex // one question for the settings at a time
}

// Run serves one client over rwc until it says exit, hangs up or dies, or ctx
// ends, and returns the code to exit with: 0 when the client asked for shutdown
// before, 1 otherwise. It closes rwc.
func Run(ctx context.Context, rwc io.ReadWriteCloser, options Options) int {
	s := newServer(ctx, options.withDefaults())
	defer s.end()
	s.frames = newFrames(rwc, s.log, s.end)
	s.conn = jsonrpc2.NewConn(jsonrpc2.NewStream(s.frames), jsonrpc2.WithCodec(codec{}))
	s.client = protocol.ClientDispatcher(s.conn)

	go s.write() // finish waits for it
	// The context of the connection must outlive the session: cancelling it
	// would drop the answers that are still to be written.
	s.conn.Go(context.WithoutCancel(ctx), s.handler())

	var code int
	select {
	case code = <-s.life.exited:
	case <-s.conn.Done():
		code = s.life.codeAfterEnd()
	case <-s.session.Done():
		code = s.life.codeAfterEnd()
	}
	s.end()
	s.frames.end()
	s.finish(rwc)
	return code
}

func newServer(ctx context.Context, options Options) *server {
	s := &server{
		options: options,
		log:     newLogger(options.Log),
		life:    newLifecycle(),
		// Expensive work is computing, mostly: twice the processors keeps them
		// busy while some of it waits for the disk.
		work:   make(workers, 2*runtime.GOMAXPROCS(0)),
		writes: newLane(),
		jobs:   newJobs(options.ProgressDelay),
		shown:  &shownDocuments{dir: options.TempDir},
	}
	s.session, s.end = context.WithCancel(ctx)
	s.trace = &tracing{server: s}
	s.notices = newNotices(s)
	s.disk = newDiskWatcher(s.log,
		func(path string) (dirs []string) {
			s.protect(func() { dirs = s.directoriesFor(path) })
			return dirs
		},
		func(paths []string) { s.protect(func() { s.filesChanged(paths) }) })
	return s
}

// start runs f in a goroutine that the connection waits for.
func (s *server) start(f func(context.Context)) {
	s.tasks.Go(func() { s.protect(func() { f(s.session) }) })
}

// protect runs a step of a goroutine of our own; a panic in it costs the step,
// not the server.
func (s *server) protect(step func()) {
	defer func() {
		if r := recover(); r != nil {
			s.log.errorf("panic beside the requests: %v\n%s", r, debug.Stack())
		}
	}()
	step()
}

// write sends what goes to the client. One that cannot be written to is gone,
// also when our input is still open.
func (s *server) write() {
	if err := s.frames.out.run(); err != nil {
		s.log.log("debug", "writing to the client: "+err.Error())
		s.end()
	}
}

// finish waits, within endGrace, for everything that the connection started,
// and closes what it opened.
func (s *server) finish(rwc io.Closer) {
	served := make(chan struct{})
	go func() {
		defer close(served)
		<-s.conn.Done()
		s.tasks.Wait()
	}()
	// First the handlers get a moment to end and the answers to go out; then
	// the connection is closed, which ends a read or write that is stuck in it.
	within(served, endGrace/4)
	s.frames.out.close()
	within(s.frames.out.done, endGrace/4)
	_ = rwc.Close()
	if !within(served, endGrace) || !within(s.frames.out.done, endGrace) {
		s.log.warnf("leaving with requests unfinished")
		return
	}
	s.shown.remove()
	if s.service != nil {
		if err := s.service.Close(); err != nil {
			s.log.errorf("closing the workspace: %v", err)
		}
	}
}

// within waits for done, but not longer than limit.
func within(done <-chan struct{}, limit time.Duration) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}

// read is the first call of a reader: it takes the newest snapshot and lets the
// next message start. Commands that are called with the context it returns
// answer for that snapshot.
func (s *server) read(ctx context.Context) (context.Context, *workspace.Snapshot) {
	snapshot := s.workspace.Snapshot()
	release(ctx)
	return commands.WithSnapshot(ctx, snapshot), snapshot
}
