package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/memory"
)

// Config says what the host works with. Session is the configuration of every
// agent session on it; its ID and Table are the host's, and Confirm, if it is not
// set: see WaitQuestions.
type Config struct {
	Session session.Config
	Hosting memory.Hosting                                                          // what to say to others who come to the workspace
	Start   func(s *session.Session, prompt string) Work                            // makes a run, which begins with Work.Run; nil: runs are asked from elsewhere
	Call    func(ctx context.Context, s *session.Session, c memory.ToolCall) Answer // for runs that are asked from elsewhere; may be nil
	Outcome func(s *session.Session, r editing.Result, err error) any               // what became of a decision, for terminals; may be nil
	Earlier func(s *session.Session, said []memory.Message) []Run                   // the runs that a conversation tells of; may be nil
	Warn    func(format string, args ...any)                                        // what a person should know; may be nil
	Wait    time.Duration                                                           // for another host of the workspace; 0: 2 s, since most are there for a moment, and as long for each that follows it
}

// Host holds the agent sessions of one workspace.
type Host struct {
	*Underway

	cfg     Config
	lock    *memory.HostLock
	table   *editing.Workspace
	journal *memory.Workspace // of the workspace: its one writer is the host
	home    string

	ctx  context.Context // the host's life; runs end with it
	stop context.CancelFunc
	work sync.WaitGroup

	texts chan struct{} // holds a token while texts may have decided what is not journaled

	reload sync.Mutex // held while settings reach the sessions, so that the last ones win; taken before mu

	watching sync.Mutex // held while it is said what to watch; taken before mu
	watcher  *session.Watcher

	drafts drafts

	mu       level // guards what follows, and what may change of cfg
	sessions map[string]*session.Session
	current  string
	runs     map[string]*Run           // by ID
	askers   map[string]editing.Keeper // who asked last, by session
	asked    []*asked                  // commands that wait for the person's word, oldest first
	askedAt  int64                     // seq of the last move of asked
	nextAsk  int
	seq      int64
	nextRun  int
	hidden   []string // texts that clients want kept out of everything
}

// textPatience is how long a text may be on its way from an editor.
const textPatience = 5 * time.Second

// Open makes the process the host of a workspace, and opens the sessions that have
// undecided letters or were cut off, the oldest first: it keeps its letters. The one that
// was worked in last is current. Where another process is the host, the error is a
// *memory.HostedError.
func Open(ctx context.Context, cfg Config) (*Host, error) {
	if cfg.Warn == nil {
		cfg.Warn = func(string, ...any) {}
	}
	home := cfg.Session.Home
	if home == "" {
		own, err := memory.Home()
		if err != nil {
			return nil, err
		}
		home = own
	}
	h := &Host{
		cfg: cfg, table: editing.New(cfg.Session.MaxPending), home: home,
		sessions: map[string]*session.Session{}, runs: map[string]*Run{},
		askers: map[string]editing.Keeper{}, texts: make(chan struct{}, 1),
	}
	h.Underway = NewUnderway(h)
	h.cfg.Session.Home = home
	if cfg.Session.Patience == 0 {
		h.cfg.Session.Patience = textPatience
	}
	h.cfg.Session.MayCome = h.mayCome
	h.cfg.Session.Unasked = func(id string, edit int) bool { return h.unasked(Committing(h.Asker(id), id, edit)) == "" }
	if cfg.Session.Confirm == nil {
		h.cfg.Session.Confirm = h.confirmCommand
	}
	if err := h.lockWorkspace(ctx); err != nil {
		return nil, err
	}
	h.ctx, h.stop = context.WithCancel(ctx)
	journal, err := memory.OpenWorkspace(ctx, home, cfg.Session.Workspace, memory.NewWriteLock(home).Lock)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the journal of the workspace: %w", err), h.Close())
	}
	h.journal, h.cfg.Session.Journal = journal, journal
	if err := h.openPending(); err != nil {
		return nil, errors.Join(err, h.Close())
	}
	h.sayWarnings()
	h.work.Go(h.journalTexts)
	h.watch()
	return h, nil
}

const (
	// hostPatience is how long another host of the workspace is waited for at least, by default.
	hostPatience = 2 * time.Second
	// hostsMost is how many are waited for that follow each other.
	hostsMost = 15
)

// lockWorkspace makes the process the host. Commands are the host for a moment, and those of a script come one after the other:
// while it is another one each time, that is no reason to give up.
func (h *Host) lockWorkspace(ctx context.Context) (err error) {
	for n, was := 0, int64(0); n < hostsMost; n++ {
		wait, cancel := context.WithTimeout(ctx, cmp.Or(h.cfg.Wait, hostPatience))
		h.lock, err = memory.LockHost(wait, h.home, h.cfg.Session.Workspace, h.cfg.Hosting)
		cancel()
		var held *memory.HostedError
		if !errors.As(err, &held) || held.Address != "" || held.Epoch == was || h.cfg.Wait != 0 {
			break
		}
		was = held.Epoch
	}
	if err == nil {
		h.awaits = h.lock.Awaits
	}
	return err
}

func (h *Host) openPending() error {
	pending, err := session.Pending(h.home, h.cfg.Session.Workspace)
	if err != nil {
		return err
	}
	tool, err := memory.ToolSession(h.home, h.cfg.Session.Workspace)
	if err != nil {
		h.cfg.Warn("tool session: %v", err)
	}
	current := slices.IndexFunc(pending, func(p session.PendingSession) bool { return p.ID != tool })
	byAge := slices.SortedFunc(slices.Values(pending), func(a, b session.PendingSession) int { return strings.Compare(a.ID, b.ID) })
	for _, p := range byAge {
		if _, err := h.open(p.ID); err != nil {
			h.cfg.Warn("session %s: %v", p.ID, err)
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.current = ""
	if current >= 0 && h.sessions[pending[current].ID] != nil {
		h.current = pending[current].ID
	}
	return nil
}

// open opens a session; the first one opened is current.
func (h *Host) open(id string) (opened string, err error) {
	defer h.rewatch()
	h.reload.Lock()
	defer h.reload.Unlock()
	cfg := h.settings()
	cfg.ID, cfg.Table = id, h.table
	s, err := session.Open(cfg)
	if err != nil {
		return "", err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sessions[s.ID()] = s
	if h.current == "" || id == "" {
		h.current = s.ID()
	}
	h.bump()
	return s.ID(), nil
}

// sayWarnings tells everybody what sessions find out that a person should know.
func (h *Host) sayWarnings() {
	all := h.all()
	for _, s := range all {
		for _, w := range s.Warnings() {
			if len(all) > 1 {
				w = fmt.Sprintf("session %s: %s", s.ID(), w)
			}
			h.Say(w)
		}
	}
}

// bump wakes whoever waits. It is called with the lock held.
func (h *Host) bump() {
	h.seq++
	h.mu.bump()
}

// Close ends all runs and frees the sessions. What is staged stays staged.
func (h *Host) Close() error {
	h.stop()
	h.work.Wait()
	var errs []error
	for _, s := range h.all() {
		errs = append(errs, s.Close())
	}
	h.sayWarnings()
	return errors.Join(append(errs, h.lock.Close())...)
}

// Lock is the host's hold on the workspace, which it gives back at its end.
func (h *Host) Lock() *memory.HostLock { return h.lock }

// Workspace takes the user's text directly.
func (h *Host) Workspace() *editing.Workspace { return h.table }

// Current is the active agent session, "" if there is none.
func (h *Host) Current() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.current
}

// session finds an open session; "" means the current one.
func (h *Host) session(id string) (*session.Session, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if id == "" || id == "current" {
		id = h.current
	}
	if id == "" {
		return nil, errors.New("no agent session is open; ask galley something first")
	}
	s, ok := h.sessions[id]
	if !ok {
		return nil, fmt.Errorf("agent session %s is not open here", id)
	}
	return s, nil
}

// of asks an open session something.
func of[T any](h *Host, id string, ask func(*session.Session) (T, error)) (answer T, err error) {
	s, err := h.session(id)
	if err == nil {
		answer, err = ask(s)
	}
	return answer, err
}

// all are the open sessions, in the order of their IDs.
func (h *Host) all() []*session.Session {
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []*session.Session
	for _, s := range h.sessions {
		out = append(out, s)
	}
	slices.SortFunc(out, byAge)
	return out
}

// byAge is the order of the IDs of sessions.
func byAge(a, b *session.Session) int { return strings.Compare(a.ID(), b.ID()) }

// Wait returns when anything but texts and changes is newer than seq.
func (h *Host) Wait(ctx context.Context, seq int64) (now int64, err error) {
	err = h.mu.until(ctx, func() bool {
		now = h.seq
		return now > seq
	})
	return now, err
}
