package memory

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const toolSessionFile = "tool-session"

// ToolSession is the ID of the session that single tool calls of this
// workspace use, "" if there is none yet.
func ToolSession(home, workspace string) (string, error) {
	dirs := homes(home, workspace)
	slices.Reverse(dirs) // the first may be another's, or have been shared
	for _, dir := range dirs {
		data, err := os.ReadFile(filepath.Join(dir, toolSessionFile))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return "", fmt.Errorf("read which session tool calls use: %w", err)
		}
		id := strings.TrimSpace(string(data))
		m, err := readMeta(filepath.Join(dir, id))
		if id != "" && (err != nil || m.Workspace == canonical(workspace)) {
			return id, nil
		}
	}
	return "", nil
}

// OpenToolSession opens the session of single tool calls, made by the first of them
// with what m says. Two first calls at once go on in the session of one.
func OpenToolSession(ctx context.Context, home, workspace string, m Meta) (*Store, error) {
	saw, err := ToolSession(home, workspace)
	if err != nil {
		return nil, err
	}
	if saw != "" {
		s, err := OpenWait(ctx, home, workspace, saw)
		if !errors.Is(err, ErrNoSession) {
			return s, err
		}
	}
	s, err := Create(home, workspace, m)
	if err != nil {
		return nil, err
	}
	won, err := claimToolSession(ctx, home, workspace, saw, s.ID())
	if err == nil && won == s.ID() {
		return s, nil
	}
	if err := errors.Join(err, s.Close()); err != nil {
		return nil, err
	}
	return OpenWait(ctx, home, workspace, won)
}

// NameToolSession is the ID of the session of single tool calls, which is made with what
// m says if there is none.
func NameToolSession(ctx context.Context, home, workspace string, m Meta) (string, error) {
	id, err := ToolSession(home, workspace)
	if err != nil {
		return "", err
	}
	if id != "" {
		if _, err = sessionDir(home, workspace, id); !errors.Is(err, ErrNoSession) {
			return id, err
		}
	}
	s, err := OpenToolSession(ctx, home, workspace, m)
	if err != nil {
		return "", err
	}
	return s.ID(), s.Close()
}

// claimToolSession makes id the session of single tool calls, unless it is no
// longer the one that the caller saw. It returns the one that it is now: of two
// first calls at once, both go on in the session of one.
func claimToolSession(ctx context.Context, home, workspace, saw, id string) (string, error) {
	if _, err := sessionDir(home, workspace, id); err != nil {
		return "", err
	}
	dir, err := WorkspaceDir(ctx, home, workspace)
	if err != nil {
		return "", err
	}
	now := ""
	err = Rewrite(ctx, filepath.Join(dir, toolSessionFile), func() (_ []byte, err error) {
		if now, err = ToolSession(home, workspace); err != nil || now != saw {
			return nil, err
		}
		now = id
		return []byte(id + "\n"), nil
	})
	if err != nil {
		return "", fmt.Errorf("note which session tool calls use: %w", err)
	}
	return now, nil
}
