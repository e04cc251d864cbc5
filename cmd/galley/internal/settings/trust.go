package settings

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// Covered is a file that trust is about, as it is now.
type Covered struct {
	Name   string `json:"name"` // in the workspace
	Path   string `json:"path"` // real
	SHA256 string `json:"sha256"`
}

func covered(name, path string, data []byte) Covered {
	sum := sha256.Sum256(data)
	return Covered{Name: name, Path: realPath(path), SHA256: hex.EncodeToString(sum[:])}
}

// realPath is a path without symbolic links.
func realPath(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// TrustedWorkspace is one that a person trusts, with the files as they were then.
type TrustedWorkspace struct {
	Path  string    `json:"path"`
	Since time.Time `json:"since"`
	Files []Covered `json:"files"`
}

// trustFile is trusted.json.
type trustFile struct {
	Version    int                `json:"version"`
	Workspaces []TrustedWorkspace `json:"workspaces"`
}

const (
	trustVersion = 1
	trustName    = "trusted.json"
	mostTrust    = 4 << 20
)

// TrustPath is the file that remembers what is trusted.
func TrustPath(config string) string { return filepath.Join(config, trustName) }

// ReadTrust lists the workspaces that are trusted.
func ReadTrust(config string) ([]TrustedWorkspace, error) {
	path := TrustPath(config)
	data, err := readSmall(path, mostTrust)
	if notThere(err) {
		return nil, nil
	}
	var f trustFile
	if err == nil {
		err = json.Unmarshal(data, &f)
	}
	if err == nil && f.Version != trustVersion {
		err = fmt.Errorf("it is of version %d, which this galley does not know", f.Version)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w; nothing is trusted: put it right, or remove it and trust again", homely(path), err)
	}
	return f.Workspaces, nil
}

// trustState compares the workspace with what was trusted. A file that is gone since asks for nothing.
func (l *loader) trustState() TrustState {
	if l.src.Trusted {
		return ByEditor
	}
	if l.src.Config == "" || len(l.out.Trust.Files) == 0 {
		return Untrusted
	}
	known, err := ReadTrust(l.src.Config)
	if err != nil {
		l.warn(Problem{What: err.Error()})
		return Untrusted
	}
	for _, w := range known {
		if w.Path != l.out.Trust.Workspace {
			continue
		}
		if w.covers(l.out.Trust.Files) {
			return Trusted
		}
		return Changed
	}
	return Untrusted
}

func (w TrustedWorkspace) covers(files []Covered) bool {
	known := map[Covered]bool{}
	for _, f := range w.Files {
		known[f] = true
	}
	for _, f := range files {
		if !known[f] {
			return false
		}
	}
	return true
}

// AddTrust remembers a workspace as it was loaded.
func AddTrust(config string, t Trust, now time.Time) error {
	return changeTrust(config, func(all []TrustedWorkspace) []TrustedWorkspace {
		w := TrustedWorkspace{Path: t.Workspace, Since: now.UTC().Truncate(time.Second), Files: t.Files}
		return append(without(all, t.Workspace), w)
	})
}

// RevokeTrust forgets a workspace, and answers whether it was known.
func RevokeTrust(config, workspace string) (known bool, err error) {
	workspace = realPath(workspace)
	err = changeTrust(config, func(all []TrustedWorkspace) []TrustedWorkspace {
		left := without(all, workspace)
		known = len(left) < len(all)
		return left
	})
	return known, err
}

func without(all []TrustedWorkspace, path string) []TrustedWorkspace {
	left := []TrustedWorkspace{}
	for _, w := range all {
		if w.Path != path {
			left = append(left, w)
		}
	}
	return left
}

// changeTrust rewrites trusted.json, one process at a time and at once.
func changeTrust(config string, change func([]TrustedWorkspace) []TrustedWorkspace) error {
	return locked(TrustPath(config), func() error {
		all, err := ReadTrust(config)
		if err != nil {
			return err
		}
		data, err := json.MarshalIndent(trustFile{trustVersion, change(all)}, "", "  ")
		if err != nil {
			return err
		}
		return replace(TrustPath(config), append(data, '\n'))
	})
}

// lockPatience is how long another process may be busy with a file.
const lockPatience = 5 * time.Second

// locked does something with a file while no other process does.
func locked(path string, do func() error) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("make the folder: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), lockPatience)
	defer cancel()
	l := flock.New(path+".lock", flock.SetPermissions(0o600))
	if _, err := l.TryLockContext(ctx, 10*time.Millisecond); err != nil {
		return fmt.Errorf("lock %s: %w; another galley holds it", homely(path), err)
	}
	return errors.Join(do(), l.Unlock())
}

// replace writes a file for its owner's eyes, whole or not at all.
func replace(path string, data []byte) error {
	if real, err := filepath.EvalSymlinks(path); err == nil { // of dot files that are kept elsewhere
		path = real
	}
	if err := replaceIn(filepath.Dir(path), path, data); err != nil {
		return fmt.Errorf("write %s: %w", homely(path), err)
	}
	return nil
}

func replaceIn(folder, path string, data []byte) error {
	f, err := os.CreateTemp(folder, ".galley-") // only its owner may read it
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
