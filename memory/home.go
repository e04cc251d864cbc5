package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/oklog/ulid/v2"
)

const (
	dirMode  = 0o700
	fileMode = 0o600
)

// maxDirName leaves room below the 255 bytes that a file name may have.
const maxDirName = 200

// Home is the directory of all sessions' data: GALLEY_HOME, or ~/.ai.
func Home() (string, error) {
	if home := os.Getenv("GALLEY_HOME"); home != "" {
		return filepath.Abs(home)
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find the home directory: %w: set GALLEY_HOME to a directory of your own", err)
	}
	return filepath.Join(home, ".ai"), nil
}

// WorkspaceDir is the directory of a workspace's sessions. Two paths can share
// it; each session's meta.json holds the true one.
func WorkspaceDir(home, workspace string) string {
	path := filepath.ToSlash(canonical(workspace))
	name := strings.NewReplacer("/", "-", ":", "-", "\x00", "-").Replace(strings.TrimPrefix(path, "/"))
	if len(name) > maxDirName {
		sum := sha256.Sum256([]byte(path))
		name = strings.ToValidUTF8(name[:maxDirName], "") + "-" + hex.EncodeToString(sum[:4])
	}
	return filepath.Join(home, "sessions", "--"+name+"--")
}

// canonical is the one name of a workspace, links resolved where it exists.
func canonical(workspace string) string {
	abs, err := filepath.Abs(workspace)
	if err != nil {
		return filepath.Clean(workspace)
	}
	if resolved, err := filepath.EvalSymlinks(abs); err == nil {
		return resolved
	}
	return abs
}

// sessionDir is where a session with this ID would be.
func sessionDir(home, workspace, id string) (string, error) {
	if _, err := ulid.ParseStrict(id); err != nil {
		return "", fmt.Errorf("%w: %q is no session id: they are 26 letters and digits", ErrNoSession, id)
	}
	return filepath.Join(WorkspaceDir(home, workspace), id), nil
}
