package memory

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/oklog/ulid/v2"
)

const claimFile = "workspace.json"

// claim says whose a directory of sessions is. The path decides; device and inode
// are there for who looks for a folder that was moved.
type claim struct {
	Version int    `json:"version"`
	Path    string `json:"path"`
	Device  uint64 `json:"device"`
	Inode   uint64 `json:"inode"`
}

// maxDirName leaves room below the 255 bytes that a file name may have.
const maxDirName = 200

// homes are the directories in which a workspace's sessions can be: the one named
// after its path, and the one that it has if the first is another's. Before there
// were claims, workspaces whose paths read alike shared the first.
func homes(home, workspace string) []string { return homesOf(home, canonical(workspace)) }

func homesOf(home, path string) []string {
	path = filepath.ToSlash(path)
	sum := sha256.Sum256([]byte(path))
	name := strings.NewReplacer("/", "-", ":", "-", "\x00", "-").Replace(strings.TrimPrefix(path, "/"))
	if len(name) > maxDirName {
		name = strings.ToValidUTF8(name[:maxDirName], "") + "-" + hex.EncodeToString(sum[:4])
	}
	first := filepath.Join(home, "sessions", "--"+name+"--")
	return []string{first, first + hex.EncodeToString(sum[:8])}
}

// WorkspaceDir is the directory of a workspace's new sessions and of its journal.
// It is made, and claimed for the workspace, when it is first asked for.
func WorkspaceDir(ctx context.Context, home, workspace string) (string, error) {
	path := canonical(workspace)
	for _, dir := range homes(home, workspace) {
		owner, err := claimed(ctx, dir, path)
		if err != nil {
			return "", fmt.Errorf("find the directory of %s's sessions: %w", workspace, err)
		}
		if owner == path {
			return dir, nil
		}
	}
	return "", fmt.Errorf("all directories for the sessions of %s belong to other folders: look into their %s below %s",
		workspace, claimFile, filepath.Join(home, "sessions"))
}

// claimed is whose a directory is, after claiming it for path if it is nobody's.
func claimed(ctx context.Context, dir, path string) (owner string, err error) {
	if owner := ownerOf(dir); owner != "" {
		return owner, nil
	}
	if err := os.MkdirAll(dir, dirMode); err != nil {
		return "", err
	}
	file := filepath.Join(dir, claimFile)
	err = Rewrite(ctx, file, func() ([]byte, error) {
		if owner = ownerOf(dir); owner != "" || !claimable(dir, path) {
			return nil, nil
		}
		c := claim{Version: 1, Path: path}
		c.Device, c.Inode = identity(path)
		data, err := json.MarshalIndent(c, "", "  ")
		if err != nil {
			return nil, err
		}
		owner = path
		point(claimFile, "write")
		return append(data, '\n'), nil
	})
	return owner, err
}

// ownerOf is who claimed a directory, "" if nobody did or it cannot be read.
func ownerOf(dir string) string {
	var c claim
	data, err := os.ReadFile(filepath.Join(dir, claimFile))
	if err != nil || json.Unmarshal(data, &c) != nil {
		return ""
	}
	return c.Path
}

// claimable tells whether a directory without a claim can be a workspace's: it
// holds sessions of it, or none at all.
func claimable(dir, path string) bool {
	found, _ := os.ReadDir(dir) // what cannot be read holds nothing
	others := false
	for _, f := range found {
		var of string
		if f.IsDir() {
			m, err := readMeta(filepath.Join(dir, f.Name()))
			if err != nil {
				continue
			}
			of = m.Workspace
		} else if head, err := readHead(filepath.Join(dir, f.Name())); err == nil && strings.HasSuffix(f.Name(), legacySuffix) && head.Cwd != "" {
			of = canonical(head.Cwd)
		}
		if of == path {
			return true
		}
		others = others || of != ""
	}
	return !others
}

// sessionDir is where the session of this ID is, whosever it is.
func sessionDir(home, workspace, id string) (string, error) {
	if _, err := ulid.ParseStrict(id); err != nil {
		return "", fmt.Errorf("%w: %q is no session id: they are 26 letters and digits", ErrNoSession, id)
	}
	for _, dir := range homes(home, workspace) {
		dir = filepath.Join(dir, id)
		_, err := os.Stat(filepath.Join(dir, journalFile))
		if err == nil {
			return dir, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("look for session %s: %w", id, err)
		}
	}
	return "", fmt.Errorf("%w: %s in %s", ErrNoSession, id, workspace)
}
