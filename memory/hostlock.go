package memory

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// The lock of a workspace's host, and what its holder says of itself to newcomers.
const (
	hostLockFile = "host.lock"
	hostFile     = "host.json"
)

// Hosting is what the host of a workspace says of itself.
type Hosting struct {
	PID      int    `json:"pid"`
	Machine  string `json:"host,omitempty"` // its name
	Command  string `json:"command"`        // as people type it
	Address  string `json:"address,omitempty"`
	Protocol int    `json:"protocol,omitempty"`
	Build    string `json:"build,omitempty"`
	Epoch    int64  `json:"epoch"`           // counts the hosts of the workspace
	Ended    bool   `json:"ended,omitempty"` // in order

	Open    []string  `json:"open,omitempty"`    // the files that editors have open; a cache
	Awaited []string  `json:"awaited,omitempty"` // those of a host that was killed, till their editors are back
	Till    time.Time `json:"till,omitzero"`     // or that time
}

// returnPatience is how long editors are awaited whose host was killed.
const returnPatience = 5 * time.Second

// HostLock is the one lock of a workspace: its holder is the workspace's host, and no
// other process opens its sessions for writing. The system frees it with the process.
type HostLock struct {
	lock *flock.Flock
	dir  string

	mu   sync.Mutex // guards says, and the file
	says Hosting
}

// HostedError says that another process, or another Host of this one, is the host of
// the workspace.
type HostedError struct {
	Workspace string
	Hosting   // what is known of it
}

func (e *HostedError) Error() string {
	by := holderName(e.PID)
	if e.Command != "" {
		by = e.Command + " (" + by
		if here, _ := os.Hostname(); e.Machine != "" && e.Machine != here {
			by += " on " + e.Machine
		}
		by += ")"
	}
	return fmt.Sprintf("%s is open in %s", e.Workspace, by)
}

// LockHost makes the process the host of a workspace. Another one is waited for until ctx
// is done; the error then is a *HostedError.
func LockHost(ctx context.Context, home, workspace string, as Hosting) (*HostLock, error) {
	claiming, cancel := context.WithTimeout(context.WithoutCancel(ctx), claimPatience)
	defer cancel()
	dir, err := WorkspaceDir(claiming, home, workspace)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, hostLockFile)
	lock, ok, err := takeLock(ctx, path, lockRetry)
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", workspace, err)
	}
	was, known := readHosting(dir)
	if !ok {
		was.PID = lockHolder(path) // it may not have said anything yet
		return nil, &HostedError{canonical(workspace), was}
	}
	as.PID, as.Epoch = os.Getpid(), was.Epoch+1
	as.Machine, _ = os.Hostname()
	if time.Now().Before(was.Till) {
		as.Awaited, as.Till = was.Awaited, was.Till
	}
	if known && !was.Ended && len(was.Open) > 0 {
		as.Awaited, as.Till = append(as.Awaited, was.Open...), time.Now().Add(returnPatience)
	}
	l := &HostLock{lock: lock, dir: dir, says: as}
	if err := l.write(); err != nil {
		return nil, errors.Join(fmt.Errorf("say who is the host of %s: %w", workspace, err), lock.Unlock())
	}
	return l, nil
}

// HostOf is what the host of a workspace says of itself, if there is one.
func HostOf(home, workspace string) (Hosting, bool) {
	for _, dir := range homes(home, workspace) {
		if ownerOf(dir) != canonical(workspace) {
			continue
		}
		path := filepath.Join(dir, hostLockFile)
		if _, err := os.Stat(path); err != nil || !isHeld(path) {
			continue
		}
		h, _ := readHosting(dir)
		h.PID = lockHolder(path)
		return h, true
	}
	return Hosting{}, false
}

func readHosting(dir string) (h Hosting, known bool) {
	data, err := os.ReadFile(filepath.Join(dir, hostFile))
	return h, err == nil && json.Unmarshal(data, &h) == nil
}

// Dir is the directory of the workspace's sessions.
func (l *HostLock) Dir() string { return l.dir }

// Epoch is the number of this host.
func (l *HostLock) Epoch() int64 { return l.says.Epoch }

// Listens says at which address the host can be reached, and by which protocol.
func (l *HostLock) Listens(address string, protocol int) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.says.Address, l.says.Protocol = address, protocol
	return l.write()
}

// Opens says which files editors have open, for the host that follows.
func (l *HostLock) Opens(files []string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.says.Ended || slices.Equal(files, l.says.Open) {
		return nil
	}
	l.says.Open = files
	l.says.Awaited = slices.DeleteFunc(l.says.Awaited, func(name string) bool { return slices.Contains(files, name) })
	return l.write()
}

// Awaits reports whether an editor had a file open when its host was killed, and may come back with text of its own.
func (l *HostLock) Awaits(file string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Contains(l.says.Awaited, file) && time.Now().Before(l.says.Till)
}

// write is without fsync: what a crash of the machine takes away nobody asks for.
func (l *HostLock) write() error {
	data, err := json.MarshalIndent(l.says, "", "  ")
	if err != nil {
		return err
	}
	file := filepath.Join(l.dir, hostFile)
	if err := os.WriteFile(file+".new", append(data, '\n'), fileMode); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}

// Close gives the workspace back.
func (l *HostLock) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.says.Ended = true
	return errors.Join(l.write(), l.lock.Unlock())
}
