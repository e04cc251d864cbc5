package session

import (
	"github.com/galley-ls/galley/editing/disk"
	"github.com/galley-ls/galley/memory"
)

// Renew changes the settings of an open session, from its next step on. Where the
// session is, what it shares with others, and how deep and how many its tasks and
// letters are, stays as it was opened. An error means that nothing changed.
func (s *Session) Renew(change func(cfg *Config)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	was := s.set.Load()
	cfg := was.Config
	change(&cfg)
	cfg.Home, cfg.Workspace, cfg.ID, cfg.Tool, cfg.Wait, cfg.Table = was.Home, was.Workspace, was.ID, was.Tool, was.Wait, was.Table
	cfg.MaxPending, cfg.MaxDepth = was.MaxPending, was.MaxDepth
	cfg.defaults()
	roots, err := disk.Open([]string{cfg.Workspace}, cfg.Deny, cfg.AllowRead)
	if err != nil {
		return err
	}
	secrets := memory.NewSecrets(cfg.Secrets)
	cfg.Model = secrets.Mask(cfg.Model)
	s.set.Store(&settings{cfg, roots, secrets})
	s.store.Hide(secrets)
	s.road.decisions.Hide(secrets)
	return nil
}
