package memory

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
)

const toolSessionFile = "tool-session"

// ToolSession is the ID of the session that single tool calls of this
// workspace use, "" if there is none yet.
func ToolSession(home, workspace string) (string, error) {
	data, err := os.ReadFile(filepath.Join(WorkspaceDir(home, workspace), toolSessionFile))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("read which session tool calls use: %w", err)
	}
	return strings.TrimSpace(string(data)), nil
}

// ClaimToolSession makes id the session of single tool calls, unless it is no
// longer the one that the caller saw. It returns the one that it is now: of two
// first calls at once, both go on in the session of one.
func ClaimToolSession(ctx context.Context, home, workspace, saw, id string) (string, error) {
	if _, err := sessionDir(home, workspace, id); err != nil {
		return "", err
	}
	path := filepath.Join(WorkspaceDir(home, workspace), toolSessionFile)
	l := flock.New(path+".lock", flock.SetPermissions(fileMode))
	if _, err := l.TryLockContext(ctx, lockRetry); err != nil {
		return "", fmt.Errorf("note which session tool calls use: %w", err)
	}
	now, err := ToolSession(home, workspace)
	if err == nil && now == saw {
		now, err = id, replaceFile(path, []byte(id+"\n"))
	}
	if err := errors.Join(err, l.Unlock()); err != nil {
		return "", fmt.Errorf("note which session tool calls use: %w", err)
	}
	return now, nil
}
