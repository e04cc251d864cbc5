package dial

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"

	"github.com/galley-ls/galley/lsp"
	"github.com/galley-ls/galley/memory"
)

// maxAddress is how long the path of a socket may be: the shortest limit that there is
// (103 bytes, on macOS) without the end of the string.
const maxAddress = 103

const socketSuffix = ".sock"

// Listen opens the socket of a workspace's host, and has newcomers find it. Each host
// has a name of its own; what earlier ones left is removed.
func Listen(lock *memory.HostLock) (net.Listener, error) {
	dir := lock.Dir()
	old, _ := filepath.Glob(filepath.Join(globbed(dir), "host-*"+socketSuffix))
	for _, path := range old {
		_ = os.Remove(path) // only the lock's holder removes any
	}
	name := fmt.Sprintf("host-%d%s", lock.Epoch(), socketSuffix)
	l, err := listen(filepath.Join(dir, name))
	if err != nil { // too long, or a file system without sockets
		beside, fault := os.MkdirTemp("", "galley-")
		if fault != nil {
			return nil, fmt.Errorf("make the socket of the host: %w", errors.Join(err, fault))
		}
		if l, fault = listen(filepath.Join(beside, name)); fault != nil {
			_ = os.Remove(beside)
			return nil, fmt.Errorf("make the socket of the host: %w", errors.Join(err, fault))
		}
		l = &temporary{l, beside}
	}
	if err := lock.Listens(l.Addr().String(), lsp.Protocol); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

func listen(path string) (net.Listener, error) {
	if len(path) > maxAddress {
		return nil, fmt.Errorf("the path %s is too long for a socket", path)
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// temporary is a socket in a folder of its own, which goes with it.
type temporary struct {
	net.Listener
	dir string
}

func (t *temporary) Close() error {
	err := t.Listener.Close()
	_ = os.Remove(t.dir)
	return err
}

// globbed is a path for filepath.Glob.
func globbed(path string) string {
	var out []byte
	for _, c := range []byte(path) {
		if c == '*' || c == '?' || c == '[' || c == '\\' && filepath.Separator != '\\' {
			out = append(out, '\\')
		}
		out = append(out, c)
	}
	return string(out)
}

// connect dials a host. The wall is the folder that its socket lies in: it must be the
// user's, and nobody else may come in.
func connect(address string) (net.Conn, error) {
	if err := private(filepath.Dir(address)); err != nil {
		return nil, err
	}
	return net.Dial("unix", address)
}

// errForeign says that a folder is no wall.
var errForeign = errors.New("the folder of the host's socket is not yours alone")

func private(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if info.Mode()&fs.ModeSymlink != 0 || !info.IsDir() || !owned(info) {
		return fmt.Errorf("%w: %s; nothing was sent to it", errForeign, dir)
	}
	return nil
}
