package desk

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/memory"
)

// Config says what the desk works with. Session is the configuration of every
// agent session on it; its ID, Table and Model are the desk's, and Confirm, if it
// is not set: see WaitQuestions.
type Config struct {
	Session       session.Config
	Model         model.Model
	MaxIterations int                              // replies of a run, 0: the default
	MaxTokens     int                              // of a run, 0: no limit
	Warn          func(format string, args ...any) // what a person should know; may be nil
}

// Desk holds the agent sessions of one process.
type Desk struct {
	cfg   Config
	table *editing.Workspace
	home  string

	ctx  context.Context // the desk's life; runs end with it
	stop context.CancelFunc
	work sync.WaitGroup

	reload sync.Mutex // held while settings reach the sessions, so that the last ones win; taken before mu

	mu       sync.Mutex // guards what follows, and what may change of cfg
	sessions map[string]*session.Session
	current  string
	runs     map[string]*Run         // by ID
	usage    map[string]memory.Usage // of the last reply, by session
	asked    []*asked                // commands that wait for the person's word, oldest first
	askedAt  int64                   // seq of the last move of asked
	nextAsk  int
	seq      int64
	wake     chan struct{}
	nextRun  int
}

// Open makes a desk and opens, newest first, the sessions of the workspace that
// have undecided letters, are not open elsewhere and do not clash.
func Open(ctx context.Context, cfg Config) (*Desk, error) {
	if cfg.Warn == nil {
		cfg.Warn = func(string, ...any) {}
	}
	home := cfg.Session.Home
	if home == "" {
		h, err := memory.Home()
		if err != nil {
			return nil, err
		}
		home = h
	}
	d := &Desk{
		cfg: cfg, table: editing.New(cfg.Session.MaxPending), home: home,
		sessions: map[string]*session.Session{}, runs: map[string]*Run{}, usage: map[string]memory.Usage{}, wake: make(chan struct{}),
	}
	d.cfg.Session.Home, d.cfg.Session.Model = home, cfg.Model.Name()
	if cfg.Session.Confirm == nil {
		d.cfg.Session.Confirm = d.confirmCommand
	}
	d.ctx, d.stop = context.WithCancel(ctx)
	pending, err := session.Pending(home, cfg.Session.Workspace)
	if err != nil {
		return nil, err
	}
	tool, err := memory.ToolSession(home, cfg.Session.Workspace)
	if err != nil {
		cfg.Warn("tool session: %v", err)
	}
	for _, p := range pending {
		if p.LockedBy != 0 || p.ID == tool {
			continue
		}
		if err := d.open(p.ID); err != nil {
			cfg.Warn("session %s: %v", p.ID, err)
		}
	}
	d.watch()
	return d, nil
}

// open opens a session; the first one opened is current.
func (d *Desk) open(id string) error {
	d.reload.Lock()
	defer d.reload.Unlock()
	cfg := d.settings()
	cfg.ID, cfg.Table = id, d.table
	s, err := session.Open(cfg)
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.sessions[s.ID()] = s
	if d.current == "" || id == "" {
		d.current = s.ID()
	}
	d.bump()
	return nil
}

// bump wakes whoever waits. It is called with the lock held.
func (d *Desk) bump() {
	d.seq++
	close(d.wake)
	d.wake = make(chan struct{})
}

// Close ends all runs and frees the sessions. What is staged stays staged.
func (d *Desk) Close() error {
	d.stop()
	d.work.Wait()
	d.mu.Lock()
	defer d.mu.Unlock()
	var errs []error
	for _, s := range d.sessions {
		errs = append(errs, s.Close())
	}
	return errors.Join(errs...)
}

// Workspace takes the user's text directly.
func (d *Desk) Workspace() *editing.Workspace { return d.table }

// Current is the active agent session, "" if there is none.
func (d *Desk) Current() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.current
}

// session finds an open session; "" means the current one.
func (d *Desk) session(id string) (*session.Session, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if id == "" || id == "current" {
		id = d.current
	}
	if id == "" {
		return nil, errors.New("no agent session is open; ask galley something first")
	}
	s, ok := d.sessions[id]
	if !ok {
		return nil, fmt.Errorf("agent session %s is not open here", id)
	}
	return s, nil
}

// all are the open sessions, in the order of their IDs.
func (d *Desk) all() []*session.Session {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []*session.Session
	for _, s := range d.sessions {
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b *session.Session) int {
		if a.ID() < b.ID() {
			return -1
		}
		return 1
	})
	return out
}

// Info is one agent session of the workspace.
type Info struct {
	memory.Info
	Pending int
}

// Sessions lists the workspace's agent sessions, newest first.
func (d *Desk) Sessions(context.Context) ([]Info, error) {
	infos, err := memory.List(d.home, d.settings().Workspace)
	if err != nil {
		return nil, err
	}
	pending, err := session.Pending(d.home, d.settings().Workspace)
	if err != nil {
		return nil, err
	}
	out := make([]Info, len(infos))
	for i, in := range infos {
		out[i].Info = in
		for _, p := range pending {
			if p.ID == in.ID {
				out[i].Pending = len(p.Letters)
			}
		}
		d.mu.Lock()
		if d.sessions[in.ID] != nil {
			out[i].LockedBy = 0
		}
		d.mu.Unlock()
	}
	return out, nil
}

// NewSession makes a session and makes it current.
func (d *Desk) NewSession(_ context.Context, title string) (string, error) {
	if err := d.open(""); err != nil {
		return "", err
	}
	s, err := d.session("")
	if err != nil {
		return "", err
	}
	if title != "" {
		err = s.SetTitle(title)
	}
	return s.ID(), err
}

// OpenSession makes a session current, opened if needed. Read only, it can be
// looked at while another process holds it.
func (d *Desk) OpenSession(_ context.Context, id string, readOnly bool) error {
	d.mu.Lock()
	_, known := d.sessions[id]
	d.mu.Unlock()
	if !known {
		if readOnly {
			return fmt.Errorf("session %s can only be exported here; its journal is in its directory", id)
		}
		if err := d.open(id); err != nil {
			return err
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.current = id
	d.bump()
	return nil
}

// Wait returns when anything but texts and changes is newer than seq.
func (d *Desk) Wait(ctx context.Context, seq int64) (int64, error) {
	for {
		d.mu.Lock()
		now, wake := d.seq, d.wake
		d.mu.Unlock()
		if now > seq {
			return now, nil
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return now, ctx.Err()
		}
	}
}
