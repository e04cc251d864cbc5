//go:build linux

package disk

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/galley-ls/galley/editing/text"
)

// notHere begins why a test is skipped: `make test` prints these lines, which go test keeps to itself.
const notHere = "not tested on this machine: "

// skip ends a test of what the machine does not give. Where .ci/run has seen that it does, that is a failure.
func skip(t *testing.T, format string, args ...any) {
	t.Helper()
	if os.Getenv("NO_SKIP") != "" {
		t.Fatalf(format, args...)
	}
	t.Skipf(notHere+t.Name()+": "+format, args...)
}

func setAttribute(t *testing.T, at, name, value string) {
	t.Helper()
	if err := unix.Setxattr(at, name, []byte(value), 0); err != nil {
		skip(t, "this file system does not take %s: %v", name, err)
	}
}

func getAttribute(t *testing.T, at, name string) string {
	t.Helper()
	b := make([]byte, 1000)
	n, err := unix.Getxattr(at, name, b)
	if err == unix.ENODATA {
		return ""
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(b[:n])
}

// U15: so are ACLs, see below.
func TestU15AttributesAreKept(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, r *Roots) string{
		"replaced": func(t *testing.T, r *Roots) string { replaced(t, r, "f", "1", "2"); return "f" },
		"renamed with edits": func(t *testing.T, r *Roots) string {
			if err := commit(t, r, Step{Op: Rename, Path: "f", To: "d/n", Before: hashOf("1"), After: text.New("2"), Edited: true}); err != nil {
				t.Fatal(err)
			}
			return "d/n"
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := workspace(t, map[string]string{"f": "1"})
			setAttribute(t, filepath.Join(dir, "f"), "user.galley", "here")
			setAttribute(t, filepath.Join(dir, "f"), "user.empty", "")
			at := filepath.Join(dir, change(t, open(t, dir)))
			if got := getAttribute(t, at, "user.galley"); got != "here" {
				t.Errorf("the attribute holds %q", got)
			}
			names := make([]byte, 1000)
			if n, err := unix.Listxattr(at, names); err != nil || !strings.Contains(string(names[:n]), "user.empty") {
				t.Errorf("an empty attribute is gone: %q, %v", names[:n], err)
			}
		})
	}
}

// acl is what the system keeps an ACL as: its owner rw, one more user, the group, a mask, others.
func acl(user, group, mask uint16) string {
	const undefined = 0xffffffff
	b := binary.LittleEndian.AppendUint32(nil, 2)
	for _, e := range []struct {
		tag, perm uint16
		id        uint32
	}{{1, 6, undefined}, {2, user, 12345}, {4, group, undefined}, {0x10, mask, undefined}, {0x20, 0, undefined}} {
		b = binary.LittleEndian.AppendUint16(b, e.tag)
		b = binary.LittleEndian.AppendUint16(b, e.perm)
		b = binary.LittleEndian.AppendUint32(b, e.id)
	}
	return string(b)
}

// TestACLIsKept is about the rights of an ACL, whose mask is no right of the group: U15 and U67.
func TestACLIsKept(t *testing.T) {
	dir := workspace(t, map[string]string{"f": "1"})
	at := filepath.Join(dir, "f")
	want := acl(6, 0, 6) // the group has no right, though the mode shows the mask in its place
	setAttribute(t, at, accessACL, want)
	mode := modeOf(t, at)
	replaced(t, open(t, dir), "f", "1", "2")
	if got := getAttribute(t, at, accessACL); got != want {
		t.Errorf("the ACL is %x, want %x", got, want)
	}
	if got := modeOf(t, at); got != mode {
		t.Errorf("the mode is %v, want %v", got, mode)
	}
}

// TestDefaultACL is about a folder that gives every new file an ACL: an old file keeps what it has, a new one gets it.
func TestDefaultACL(t *testing.T) {
	dir := workspace(t, map[string]string{"f": "1"})
	at := filepath.Join(dir, "f")
	setAttribute(t, dir, "system.posix_acl_default", acl(6, 4, 6))
	mode := modeOf(t, at)
	r := open(t, dir)
	replaced(t, r, "f", "1", "2")
	if got := getAttribute(t, at, accessACL); got != "" || modeOf(t, at) != mode {
		t.Errorf("the file has got the ACL %x, mode %v", got, modeOf(t, at))
	}
	create(t, r, "n", "d/n")
	if err := os.WriteFile(filepath.Join(dir, "by"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	want := getAttribute(t, filepath.Join(dir, "by"), accessACL)
	for _, name := range []string{"n", "d/n"} {
		if got := getAttribute(t, filepath.Join(dir, name), accessACL); got != want {
			t.Errorf("%s has the ACL %x, want %x", name, got, want)
		}
	}
}

func create(t *testing.T, r *Roots, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := commit(t, r, Step{Op: Create, Path: name, After: text.New("new")}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestNewFileIsLikeOthers compares a new file, and its folders, with those that any other program makes.
func TestNewFileIsLikeOthers(t *testing.T) {
	for _, umask := range []int{0o022, 0o077, 0o002} {
		was := syscall.Umask(umask)
		dir := workspace(t, map[string]string{"f": "1"})
		if err := os.Chmod(dir, 0o775|os.ModeSetgid); err != nil {
			t.Fatal(err)
		}
		create(t, open(t, dir), "n", "d/e/n")
		if err := os.MkdirAll(filepath.Join(dir, "D/E"), 0o777); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"N", "D/E/n"} {
			if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		syscall.Umask(was)
		for ours, theirs := range map[string]string{"n": "N", "d": "D", "d/e": "D/E", "d/e/n": "D/E/n"} {
			if got, want := modeOf(t, filepath.Join(dir, ours)), modeOf(t, filepath.Join(dir, theirs)); got != want {
				t.Errorf("umask %o: %s has the mode %v, want %v", umask, ours, got, want)
			}
		}
	}
}

func modeOf(t *testing.T, at string) os.FileMode {
	t.Helper()
	info, err := os.Stat(at)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode()
}

// asRoot skips what only the superuser can set up.
func asRoot(t *testing.T) {
	t.Helper()
	if os.Getuid() != 0 {
		skip(t, "only the superuser can give files to others, mount them, or make them immutable")
	}
}

// TestSetgidFolder is about a folder that hands its group to new files: an old file keeps its own. U67.
func TestSetgidFolder(t *testing.T) {
	asRoot(t)
	dir := workspace(t, map[string]string{"f": "1"})
	if err := os.Chown(dir, 0, 12345); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o775|os.ModeSetgid); err != nil {
		t.Fatal(err)
	}
	r := open(t, dir)
	replaced(t, r, "f", "1", "2")
	create(t, r, "d/n")
	for name, want := range map[string]uint32{"f": 0, "d": 12345, "d/n": 12345} {
		if got := owner(t, filepath.Join(dir, name)).Gid; got != want {
			t.Errorf("%s is of group %d, want %d", name, got, want)
		}
	}
}

func owner(t *testing.T, at string) *syscall.Stat_t {
	t.Helper()
	info, err := os.Stat(at)
	if err != nil {
		t.Fatal(err)
	}
	return info.Sys().(*syscall.Stat_t)
}

// TestAsOther is a child that is an ordinary user, in a folder of somebody else's files.
func TestAsOther(t *testing.T) {
	dir := os.Getenv("GALLEY_TEST_OTHER")
	if dir == "" {
		return // started by hand, not by another test
	}
	for _, err := range []error{syscall.Setgroups(nil), syscall.Setgid(12345), syscall.Setuid(12345)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	b := prepared(t, open(t, dir), Step{Op: Replace, Path: "f", Before: hashOf("1"), After: text.New("2")})
	if p := b.Parts()[0]; !p.InPlace || string(p.Old) != "1" {
		t.Errorf("the record would be %+v", p)
	}
	if err := b.Commit(t.Context(), "", nil); err != nil {
		t.Error(err)
	}
	wantCode(t, open(t, dir).Write("shut", hashOf("1"), text.New("2")), CodeReadOnly)
}

// TestOwnerThatCannotBeKept is about a file that a replacement would take from its owner: it is written in place. U67.
func TestOwnerThatCannotBeKept(t *testing.T) {
	asRoot(t)
	dir := workspace(t, map[string]string{"f": "1", "shut": "1"})
	f := filepath.Join(dir, "f")
	for at := dir; at != os.TempDir() && at != "/"; at = filepath.Dir(at) {
		if err := os.Chmod(at, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(f, 0o666); err != nil {
		t.Fatal(err)
	}
	before := owner(t, f)
	if out, err := child(t, "TestAsOther", "GALLEY_TEST_OTHER="+dir); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if got := content(t, dir, "f"); got != "2" || owner(t, f).Uid != 0 || owner(t, f).Ino != before.Ino {
		t.Errorf("the file holds %q, %+v", got, owner(t, f))
	}
	noLeftovers(t, dir)
}

// TestMounting is a child with mounts of its own.
func TestMounting(t *testing.T) {
	dir := os.Getenv("GALLEY_TEST_MOUNT")
	if dir == "" {
		return // started by hand, not by another test
	}
	runtime.LockOSThread() // the mounts are this thread's
	if err := unix.Unshare(unix.CLONE_NEWNS | unix.CLONE_FS); err != nil {
		skip(t, "no mounts of its own: %v", err)
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		skip(t, "no mounts of its own: %v", err)
	}
	if err := unix.Mount(filepath.Join(dir, "other"), filepath.Join(dir, "f"), "", unix.MS_BIND, ""); err != nil {
		skip(t, "no mounts: %v", err)
	}
	r := open(t, dir)
	b := prepared(t, r, Step{Op: Replace, Path: "f", Before: hashOf("1"), After: text.New("2")})
	if !b.Parts()[0].InPlace {
		t.Error("a mounted file would be replaced")
	}
	if err := b.Commit(t.Context(), "", nil); err != nil {
		t.Error(err)
	}
	wantCode(t, commit(t, r, Step{Op: Delete, Path: "f", Before: hashOf("2")}), CodeReadOnly)
	wantCode(t, commit(t, r, Step{Op: Rename, Path: "f", To: "g", Before: hashOf("2")}), CodeReadOnly)
	if got := content(t, dir, "f"); got != "2" {
		t.Errorf("the file holds %q", got)
	}
}

// TestMountedFileIsWrittenInPlace is about a file that nothing can be exchanged with: U67.
func TestMountedFileIsWrittenInPlace(t *testing.T) {
	asRoot(t)
	dir := workspace(t, map[string]string{"f": "below", "other": "1"})
	out, err := child(t, "TestMounting", "GALLEY_TEST_MOUNT="+dir)
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if strings.Contains(out, notHere) {
		t.Skip(out)
	}
	if got := content(t, dir, "other"); got != "2" {
		t.Errorf("the mounted file holds %q", got)
	}
	if got := content(t, dir, "f"); got != "below" {
		t.Errorf("the file below the mount holds %q", got)
	}
}

// immutable is FS_IMMUTABLE_FL.
const immutable = 0x10

func TestImmutable(t *testing.T) {
	asRoot(t)
	dir := workspace(t, map[string]string{"f": "1", "sub/g": "1"})
	for _, name := range []string{"f", "sub"} {
		h, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		defer h.Close()
		if err := unix.IoctlSetPointerInt(int(h.Fd()), unix.FS_IOC_SETFLAGS, immutable); err != nil {
			skip(t, "nothing can be made immutable here: %v", err)
		}
		defer func() { _ = unix.IoctlSetPointerInt(int(h.Fd()), unix.FS_IOC_SETFLAGS, 0) }()
	}
	r := open(t, dir)
	for _, s := range []Step{
		{Op: Replace, Path: "f", Before: hashOf("1"), After: text.New("2")},
		{Op: Delete, Path: "f", Before: hashOf("1")},
		{Op: Rename, Path: "f", To: "n", Before: hashOf("1")},
		{Op: Replace, Path: "sub/g", Before: hashOf("1"), After: text.New("2")},
		{Op: Delete, Path: "sub/g", Before: hashOf("1")},
		{Op: Create, Path: "sub/n", After: text.New("2")},
	} {
		wantCode(t, commit(t, r, s), CodeReadOnly)
	}
	noTraces(t, dir)
}
