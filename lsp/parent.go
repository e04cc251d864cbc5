package lsp

import (
	"context"
	"errors"
	"os"
	"syscall"
	"time"
)

// watchParent ends the connection when the client's process is gone: a killed
// editor may leave its end of the pipe open in another process.
func (s *server) watchParent(pid int) {
	if pid <= 0 {
		return
	}
	s.spawn(func(ctx context.Context) {
		tick := time.NewTicker(s.cfg.ParentPoll)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			if !s.cfg.Alive(pid) {
				s.finish(ErrParentDead)
				return
			}
		}
	})
}

// alive asks the system for a process. In doubt it lives.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer func() { _ = p.Release() }()
	err = p.Signal(syscall.Signal(0))
	return !errors.Is(err, os.ErrProcessDone) && !errors.Is(err, syscall.ESRCH)
}
