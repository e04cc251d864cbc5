package host

import "github.com/galley-ls/galley/agent/session"

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
		h.renew(s)
	}
}

// own gives back to settings what is the host's.
func (h *Host) own(cfg session.Config) session.Config {
	was := h.cfg.Session
	cfg.Workspace, cfg.Home, cfg.Table, cfg.Confirm = was.Workspace, was.Home, h.table, was.Confirm
	cfg.Patience = was.Patience
	return cfg
}

// renew gives an open session the settings as they are now. A session may be busy: mu is not held.
func (h *Host) renew(s *session.Session) {
	now := h.settings()
	if err := s.Renew(func(cfg *session.Config) { *cfg = now }); err != nil {
		h.cfg.Warn("session %s keeps its settings: %v", s.ID(), err)
	}
}

// settings are those of the sessions that open from now on.
func (h *Host) settings() session.Config {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.cfg.Session
}
