package lsp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/galley-ls/galley/editing"
	"go.lsp.dev/jsonrpc2"
	"go.uber.org/zap"
)

// Config is what a server needs besides its connection.
type Config struct {
	Host    Host
	Log     *zap.Logger // nil: nothing is logged
	Version string      // of galley, for the client

	// Configure reads all settings: those of files and the environment with those
	// of the client, its options and what it said last (JSON of any shape, nil if it
	// said nothing). It answers what the server needs of them, and sentences about
	// what is wrong, each of which is told once. It is called with initialize,
	// whenever the client speaks of settings, and with Changed; never twice at a
	// time. nil: the default settings.
	Configure func(c Client, sent any) (Settings, []string)
	// Changed tells that settings changed which are not the client's; may be nil.
	Changed <-chan struct{}

	// Alive tells whether the client's process lives; nil: ask the system.
	Alive func(pid int) bool
	// ParentPoll is how often; 0: three times a second.
	ParentPoll time.Duration
	// Patience is how long the text of an applied change is waited for; 0: 5 s.
	Patience time.Duration
	// Consent is how long a question about a command may stay unanswered before
	// the command is denied; 0: 5 minutes.
	Consent time.Duration
}

// Ends of a connection that are none a client should choose.
var (
	ErrNoShutdown = errors.New("the editor ended the connection without a shutdown request")
	ErrParentDead = errors.New("the editor's process is gone")
)

const (
	patience   = 5 * time.Second
	consent    = 5 * time.Minute
	parentPoll = 300 * time.Millisecond
	lastWords  = 500 * time.Millisecond // for goroutines and answers under way
)

// phase is where the conversation stands. It belongs to the read loop.
type phase int

const (
	phaseNew phase = iota
	phaseRunning
	phaseShut
)

// server is one connection: what its client can do and has been told, and the texts
// that it has open beside other editors. All else is the host's, where several meet.
// Its fields are set before the read loop starts, unless they say who owns them.
type server struct {
	cfg  Config
	host Host
	ws   *editing.Workspace // the host's
	me   editing.Keeper     // 0 before initialize
	log  *zap.Logger
	conn jsonrpc2.Conn

	ctx    context.Context // of the connection: ends with it
	cancel context.CancelFunc
	work   sync.WaitGroup // goroutines that end with ctx
	end    chan error     // holds why the connection ends; the first one counts

	phase  phase // owned by the read loop
	begun  bool  // owned by the read loop: the publisher runs
	client atomic.Pointer[client]

	following     sync.Mutex // held while a text follows its editor's: one step at a time; nothing is sent under it
	left          bool       // guarded by following: no text follows any more
	chosenSession currentBox

	keeper   *keeper
	docs     buffers
	settings settingsBox
	pub      *publisher
	pending  pendingCalls
	asked    askedRuns
	joined   int64     // the host's number when the client came
	kind     string    // of client, "": an editor that did not attach; owned by the read loop
	inside   string    // the run whose command the client is; owned by the read loop
	pid      int       // of its process, 0: not told; owned by the read loop
	odd      []string  // what is wrong with the first settings; owned by the read loop
	drafts   sync.Once // the first one was opened

	previewed previewed
}

// Serve speaks LSP over conn until the client says exit, the connection or the
// client's process ends, or ctx does. It closes conn. The answer is nil only
// after a shutdown, or when ctx asked for the end.
func Serve(ctx context.Context, conn io.ReadWriteCloser, cfg Config) error {
	s := newServer(ctx, cfg)
	s.conn = jsonrpc2.NewConn(newStream(conn, s.unreadable, s.readEnded), jsonrpc2.WithCodec(codec{}))
	s.conn.Go(s.ctx, s.handle)
	var why error
	select {
	case why = <-s.end:
	case <-ctx.Done():
	}
	if ctx.Err() != nil { // whatever it looked like from the connection
		why = nil
	}
	s.stop()
	return why
}

func newServer(ctx context.Context, cfg Config) *server {
	if cfg.Log == nil {
		cfg.Log = zap.NewNop()
	}
	if cfg.Patience == 0 {
		cfg.Patience = patience
	}
	if cfg.Consent == 0 {
		cfg.Consent = consent
	}
	if cfg.ParentPoll == 0 {
		cfg.ParentPoll = parentPoll
	}
	if cfg.Alive == nil {
		cfg.Alive = alive
	}
	s := &server{cfg: cfg, host: cfg.Host, ws: cfg.Host.Workspace(), log: cfg.Log, end: make(chan error, 1)}
	s.ctx, s.cancel = context.WithCancel(ctx)
	s.pending.requests, s.pending.notifications = requests(), notifications()
	s.client.Store(&client{encoding: utf16units})
	s.settings.now, s.settings.told = DefaultSettings(), map[string]bool{}
	s.pub, s.keeper = newPublisher(s), newKeeper(s)
	return s
}

// stop ends everything that the connection started. What hangs, because the
// client neither reads nor closes its end, is left to the end of the process.
func (s *server) stop() {
	s.cancel()
	s.leave()
	gone := make(chan struct{})
	go func() {
		_ = s.conn.Close()
		s.work.Wait()
		close(gone)
	}()
	select {
	case <-gone:
	case <-time.After(lastWords):
		s.log.Warn("the connection did not close in time")
	}
}

// leave lets go of all texts.
func (s *server) leave() {
	s.following.Lock()
	defer s.following.Unlock()
	s.left = true
	if s.me != editing.Disk {
		s.host.Leave(s.me)
	}
}

// finish says why the connection ends.
func (s *server) finish(why error) {
	select {
	case s.end <- why:
	default:
	}
}

// readEnded is told by the stream that nothing more comes.
func (s *server) readEnded(err error) {
	if s.phase == phaseShut {
		s.finish(nil)
		return
	}
	if !errors.Is(err, io.EOF) {
		s.log.Warn("the connection broke", zap.Error(err))
	}
	s.finish(ErrNoShutdown)
}

// spawn starts work that ends with the connection.
func (s *server) spawn(f func(ctx context.Context)) {
	s.work.Add(1)
	go func() {
		defer s.work.Done()
		defer s.caught("background work", nil)
		f(s.ctx)
	}()
}

// caught logs a panic and makes it an error, if anybody wants one. Deferred.
func (s *server) caught(where string, err *error) {
	if r := recover(); r != nil {
		s.log.Error("a fault in galley was caught", zap.String("where", where), zap.Any("panic", r), zap.Stack("stack"))
		if err != nil {
			*err = fmt.Errorf("a fault in galley: %v", r)
		}
	}
}
