package desk

import (
	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
)

// SetModel says which model answers, and the limits of a run, from the next run on; 0 is as in Config. A run that goes
// on keeps what it was started with: its conversation is in the words of one model.
func (d *Desk) SetModel(m model.Model, maxIterations, maxTokens int) {
	d.mu.Lock()
	d.cfg.Model, d.cfg.MaxIterations, d.cfg.MaxTokens = m, maxIterations, maxTokens
	d.mu.Unlock()
	d.SetSession(func(*session.Config) {})
}

// SetReview says who may commit, from now on, in all sessions. wait acts as ask: an editor's user decides when he
// likes.
func (d *Desk) SetReview(p editing.Policy) {
	d.SetSession(func(cfg *session.Config) { cfg.Review = p })
}

// SetSession changes the settings of sessions: open ones take what can change while they are open, from their next
// step on, and the rest is for those that open later. Where the sessions are, what they share and how they ask is the
// desk's. change must not call the desk.
func (d *Desk) SetSession(change func(cfg *session.Config)) {
	d.reload.Lock()
	defer d.reload.Unlock()
	d.mu.Lock()
	cfg := d.cfg.Session
	change(&cfg)
	d.cfg.Session = d.own(cfg)
	d.mu.Unlock()
	for _, s := range d.all() {
		d.renew(s)
	}
}

// own gives back to settings what is the desk's.
func (d *Desk) own(cfg session.Config) session.Config {
	was := d.cfg.Session
	cfg.Workspace, cfg.Home, cfg.Table, cfg.Confirm = was.Workspace, was.Home, d.table, was.Confirm
	cfg.Model = d.cfg.Model.Name()
	return cfg
}

// renew gives an open session the settings as they are now. A session may be busy: mu is not held.
func (d *Desk) renew(s *session.Session) {
	now := d.settings()
	if err := s.Renew(func(cfg *session.Config) { *cfg = now }); err != nil {
		d.cfg.Warn("session %s keeps its settings: %v", s.ID(), err)
	}
}

// settings are those of the sessions that open from now on.
func (d *Desk) settings() session.Config {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.cfg.Session
}
