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

// NameToolSession is the ID of the session of single tool calls, which is made with what
// m says if there is none. Two first calls at once go on in the session of one.
func NameToolSession(ctx context.Context, home, workspace string, m Meta) (string, error) {
	saw, err := ToolSession(home, workspace)
	if err != nil {
		return "", err
	}
	if saw != "" {
		if _, err = sessionDir(home, workspace, saw); !errors.Is(err, ErrNoSession) {
			return saw, err
		}
	}
	s, err := Create(home, workspace, m)
	if err != nil {
		return "", err
	}
	id, err := claimToolSession(ctx, home, workspace, saw, s.ID())
	return id, errors.Join(err, s.Close())
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
