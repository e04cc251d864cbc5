package host

import (
	"slices"

	"github.com/galley-ls/galley/agent/session"
)

// SetSession changes the settings of sessions: open ones take what can change while they are open, from their next
// step on, and the rest is for those that open later. Where the sessions are, what they share and how they ask is the
// host's. change must not call the host.
func (h *Host) SetSession(change func(cfg *session.Config)) {
	h.reload.Lock()
	defer h.reload.Unlock()
	h.mu.Lock()
	cfg := h.cfg.Session
	change(&cfg)
	h.cfg.Session = h.own(cfg)
	h.mu.Unlock()
	for _, s := range h.all() {
		h.renewed(s)
	}
}

// own gives back to settings what is the host's.
func (h *Host) own(cfg session.Config) session.Config {
	was := h.cfg.Session
	cfg.Workspace, cfg.Home, cfg.Table, cfg.Confirm = was.Workspace, was.Home, h.table, was.Confirm
	cfg.Journal = h.journal
	cfg.Patience, cfg.MayCome, cfg.Unasked = was.Patience, was.MayCome, was.Unasked
	return cfg
}

// renewed is renew, which a person is told about if it fails.
func (h *Host) renewed(s *session.Session) {
	if err := h.renew(s); err != nil {
		h.cfg.Warn("session %s keeps its settings: %v", s.ID(), err)
	}
}

// renew gives an open session the settings as they are now, and as its run wants them. A session may be busy: mu is not held.
func (h *Host) renew(s *session.Session) (err error) {
	now := h.settings()
	if a := h.away(s.ID()); a != nil {
		if now, err = a.settings(now); err != nil {
			return err
		}
	}
	return s.Renew(func(cfg *session.Config) { *cfg = now })
}

// rule is renew for a run that begins or ends.
func (h *Host) rule(s *session.Session) error {
	h.reload.Lock()
	defer h.reload.Unlock()
	return h.renew(s)
}

// settings are those of the sessions that open from now on.
func (h *Host) settings() session.Config {
	h.mu.Lock()
	defer h.mu.Unlock()
	cfg := h.cfg.Session
	cfg.Secrets = slices.Concat(cfg.Secrets, h.hidden)
	return cfg
}
