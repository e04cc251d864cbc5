package host

import (
	"context"
	"errors"
	"fmt"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/memory"
)

// Info is one agent session of the workspace.
type Info struct {
	memory.Info
	Pending int
}

// Sessions lists the workspace's agent sessions, newest first.
func (h *Host) Sessions(context.Context) ([]Info, error) {
	infos, err := memory.List(h.home, h.settings().Workspace)
	if err != nil {
		return nil, err
	}
	pending, err := session.Pending(h.home, h.settings().Workspace)
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
		h.mu.Lock()
		if h.sessions[in.ID] != nil {
			out[i].LockedBy = 0
		}
		h.mu.Unlock()
	}
	return out, nil
}

// NewSession makes a session, which is current for whoever has not chosen one.
func (h *Host) NewSession(_ context.Context, title string) (string, error) {
	id, err := h.open("")
	if err != nil {
		return "", err
	}
	s, err := h.session(id)
	if err != nil {
		return "", err
	}
	if title != "" {
		err = s.SetTitle(title)
	}
	return s.ID(), err
}

// OpenSession makes a session current for whoever has not chosen one, opened if needed. Read only, it can be
// looked at while another process holds it.
func (h *Host) OpenSession(_ context.Context, id string, readOnly bool) error {
	h.mu.Lock()
	_, known := h.sessions[id]
	h.mu.Unlock()
	if !known {
		if readOnly {
			return fmt.Errorf("session %s can only be exported here; its journal is in its directory", id)
		}
		if _, err := h.open(id); err != nil {
			return err
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.current = id
	h.bump()
	return nil
}

// Title is what a session that is open here is called, else "".
func (h *Host) Title(id string) string {
	h.mu.Lock()
	s := h.sessions[id]
	h.mu.Unlock()
	if s == nil {
		return ""
	}
	return s.Title()
}

// RenameSession gives a session another title, whether it is open here or not.
func (h *Host) RenameSession(_ context.Context, id, title string) error {
	defer h.moved()
	if s, err := h.session(id); err == nil {
		return s.SetTitle(title)
	}
	cfg := h.settings()
	store, err := memory.Open(h.home, cfg.Workspace, id)
	if err != nil {
		return err
	}
	store.Hide(memory.NewSecrets(cfg.Secrets))
	return errors.Join(store.SetTitle(title), store.Close())
}

// DeleteSession moves a session to the trash, and answers where it lies. One that works stays, and one that has something to
// decide: with force, that is thrown away before.
func (h *Host) DeleteSession(ctx context.Context, id string, force bool) (string, error) {
	all, err := h.Sessions(ctx)
	if err != nil {
		return "", err
	}
	for _, i := range all {
		switch {
		case i.ID != id || i.Pending == 0:
		case force:
			if err := h.throwAway(id); err != nil {
				return "", err
			}
		default:
			return "", fmt.Errorf("session %s has %s that wait for you: decide them first", id, text.Plural(i.Pending, "change"))
		}
	}
	if err := h.leave(id); err != nil {
		return "", err
	}
	defer h.moved()
	return memory.Trash(h.home, h.settings().Workspace, id)
}

// throwAway reverts what is open in a session that does nothing.
func (h *Host) throwAway(id string) error {
	s, err := h.named(id)
	if err != nil {
		return err
	}
	if err := h.idle(id); err != nil {
		return err
	}
	for _, e := range s.OpenEdits() {
		r, err := h.on(editing.Disk, id, session.Revert(e.N, "the session was removed"))
		if err == nil && !r.OK() {
			err = fmt.Errorf("revert editing session #%d of session %s: %s", e.N, id, r.Hint)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// idle refuses a session in which the agent works.
func (h *Host) idle(id string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.going(id) != nil {
		return fmt.Errorf("the agent works in session %s: cancel its run first", id)
	}
	return nil
}

// leave closes a session that is open here and does nothing.
func (h *Host) leave(id string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.sessions[id]
	switch {
	case s == nil:
		return nil
	case h.going(id) != nil:
		return fmt.Errorf("the agent works in session %s: cancel its run first", id)
	case len(s.OpenEdits()) > 0:
		return fmt.Errorf("editing session #%d of session %s is open: commit or revert it first", s.OpenEdits()[0].N, id)
	}
	delete(h.sessions, id)
	if h.current == id {
		h.current = ""
	}
	return s.Close()
}

// Rewind takes the conversation of a session back to an entry of its journal. Nothing else moves with it.
func (h *Host) Rewind(_ context.Context, id string, to int64) (memory.Rewound, error) {
	s, err := h.named(id)
	if err == nil {
		err = h.idle(s.ID())
	}
	if err != nil {
		return memory.Rewound{}, err
	}
	defer h.moved()
	return s.Rewind(to)
}

// Restored is what came back into the requests.
type Restored = session.Restored

// Restore brings back what left the requests of a session.
func (h *Host) Restore(_ context.Context, id string, compactions ...int64) (session.Restored, error) {
	s, err := h.named(id)
	if err != nil {
		return session.Restored{}, err
	}
	defer h.moved()
	return s.Restore(compactions...)
}

// Compaction says what is to leave the requests, and Compacted what came of it.
type (
	Compaction = session.Compaction
	Compacted  = session.Compacted
)

// DefaultKeep is how many turns, or results of tools, stay where nothing is said.
const DefaultKeep = session.DefaultKeep

// Compact takes older parts of a session's conversation out of its requests.
func (h *Host) Compact(ctx context.Context, id string, c session.Compaction) (session.Compacted, error) {
	defer h.moved()
	return of(h, id, func(s *session.Session) (session.Compacted, error) { return s.Compact(ctx, c) })
}

// Serves tells whether a session is open here.
func (h *Host) Serves(id string) bool {
	_, err := h.session(id)
	return err == nil
}

// MemoryFiles lists the working memory of a session.
func (h *Host) MemoryFiles(id string) ([]memory.MemoryFile, error) {
	return of(h, id, (*session.Session).MemoryFiles)
}

// MemoryPath is where a file of a session's working memory lies.
func (h *Host) MemoryPath(id, name string) (string, error) {
	return of(h, id, func(s *session.Session) (string, error) { return s.MemoryPath(name) })
}
