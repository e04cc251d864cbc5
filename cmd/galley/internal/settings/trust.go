package settings

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"time"
)

// Covered is a file that trust is about, as it is now.
type Covered struct {
	Name   string `json:"name"` // in the workspace
	Path   string `json:"path"` // real
	SHA256 string `json:"sha256"`
}

func covered(name, path string, data []byte) Covered {
	sum := sha256.Sum256(data)
	return Covered{Name: name, Path: RealPath(path), SHA256: hex.EncodeToString(sum[:])}
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
	f, err := readKept[trustFile](TrustPath(config), trustVersion, mostTrust)
	if err != nil {
		return nil, fmt.Errorf("%w; nothing is trusted: put it right, or remove it and trust again", err)
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
	return !slices.ContainsFunc(files, func(f Covered) bool { return !slices.Contains(w.Files, f) })
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
	workspace = RealPath(workspace)
	err = changeTrust(config, func(all []TrustedWorkspace) []TrustedWorkspace {
		left := without(all, workspace)
		known = len(left) < len(all)
		return left
	})
	return known, err
}

// without are other workspaces than one.
func without(all []TrustedWorkspace, path string) []TrustedWorkspace {
	return slices.DeleteFunc(all, func(w TrustedWorkspace) bool { return w.Path == path })
}

// changeTrust rewrites trusted.json, one process at a time and at once.
func changeTrust(config string, change func([]TrustedWorkspace) []TrustedWorkspace) error {
	return rewrite(TrustPath(config), func() (any, error) {
		all, err := ReadTrust(config)
		return trustFile{trustVersion, append([]TrustedWorkspace{}, change(all)...)}, err
	})
}
