//go:build unix

package agent_test

import (
	"context"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/memory"
)

// fence is a workspace with everything around it and in it that must not be reached.
type fence struct {
	*bench
	outside string
	secret  string // a text that stands in all of it
}

func newFence(t *testing.T) *fence {
	b := newBench(t, map[string]string{
		"a.txt": "one\n", "sub/x.txt": "x\n", ".env": "KEY=top-secret\n", ".git/config": "top-secret\n", "id_rsa": "top-secret\n",
		".ssh/known": "top-secret\n", "deploy.pem": "top-secret\n",
	}, editing.Ask)
	f := &fence{bench: b, outside: t.TempDir(), secret: "top-secret"}
	for name, content := range map[string]string{"file.txt": "one top-secret\n", "dir/file.txt": "one top-secret\n"} {
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(f.outside, name)), 0o755))
		must(t, os.WriteFile(filepath.Join(f.outside, name), []byte(content), 0o644))
	}
	for link, target := range map[string]string{
		"link.txt": filepath.Join(f.outside, "file.txt"), "linkdir": filepath.Join(f.outside, "dir"),
		"chain1": "chain2", "chain2": "sub/../chain3", "chain3": f.outside, "loop1": "loop2", "loop2": "loop1",
		"dangling.txt": filepath.Join(f.outside, "not-there.txt"), "relative.txt": "../" + filepath.Base(f.outside) + "/file.txt",
		"to-env": ".env", "to-git": ".git", "proc": "/proc/self", "root": "/",
	} {
		must(t, os.Symlink(target, filepath.Join(b.dir, link)))
	}
	must(t, syscall.Mkfifo(filepath.Join(b.dir, "fifo"), 0o644))
	socket, err := net.Listen("unix", filepath.Join(b.dir, "sock"))
	if err == nil { // a temporary folder with a long name has no room for one
		t.Cleanup(func() { _ = socket.Close() })
	}
	return f
}

// TestEscapes tries every way out of the workspace with every tool that takes a path. All are refused with a word and a
// hint, nothing is shown, and nothing is staged or written.
func TestEscapes(t *testing.T) {
	f := newFence(t)
	before := f.everything()
	up := strings.Repeat("../", 30)
	escapes := []struct{ name, path, code string }{
		{"parent", "../" + filepath.Base(f.outside) + "/file.txt", "outside_roots"},
		{"parent behind a folder", "sub/../../x", "outside_roots"},
		{"parent behind nothing", "none/../../x", "outside_roots"},
		{"up to the root", up + "etc/passwd", "outside_roots"},
		{"absolute", f.outside + "/file.txt", "outside_roots"},
		{"absolute, twice the slash", "/" + f.outside + "//file.txt", "outside_roots"},
		{"a sibling with the same beginning", f.dir + "-evil/x", "outside_roots"},
		{"link to a file", "link.txt", "outside_roots"},
		{"link to a folder", "linkdir/file.txt", "outside_roots"},
		{"relative link", "relative.txt", "outside_roots"},
		{"chain of links", "chain1/file.txt", "outside_roots"},
		{"loop of links", "loop1", "file_not_found"},
		{"dangling link", "dangling.txt", "outside_roots"},
		{"link to the root", "root/etc/passwd", "outside_roots"},
		{"the environment", "/proc/self/environ", "outside_roots"},
		{"the environment behind a link", "proc/environ", "outside_roots"},
		{"the workspace by the process", "/proc/self/cwd/../../etc/passwd", "outside_roots"},
		{"a device", "/dev/zero", "outside_roots"},
		{"home", "~/.ssh/id_rsa", "outside_roots"},
		{"just home", "~", "outside_roots"},
		{"somebody's home", "~root/x", "file_not_found"},
		{"a URI", "file:///etc/passwd", "outside_roots"},
		{"a URI of another folder", "file://" + f.outside + "/file.txt", "outside_roots"},
		{"a URI with dots", "file://" + f.dir + "/%2e%2e/x", "outside_roots"},
		{"a URI of a secret", "file://" + f.dir + "/.env", "denied"},
		{"a URI of the net", "https://example.com/file.txt", "file_not_found"},
		{"a drive", `C:\Windows\win.ini`, "outside_roots"},
		{"a drive with slashes", "c:/Windows/win.ini", "outside_roots"},
		{"a share", `\\host\share\x`, "outside_roots"},
		{"backslashes", `..\..\etc\passwd`, "bad_arguments"},
		{"NUL", "a.txt\x00.md", "bad_arguments"},
		{"slashes that only look like it", "..\u2215..\u2215etc\u2215passwd", "file_not_found"},
		{"fraction slashes", "..\u2044file.txt", "file_not_found"},
		{"wide dots", "\uff0e\uff0e/file.txt", "file_not_found"},
		{"per cent", "%2e%2e/file.txt", "file_not_found"},
		{"a very long name", strings.Repeat("x", 5000), "file_not_found"},
		{"a very deep name", strings.Repeat("d/", 2100) + "x", "file_not_found"},
		{"a variable", "$HOME/x", "file_not_found"},
		{"working memory, out of it", "working-memory/../../x", "outside_roots"},
		{"working memory, to the journal", "working-memory/../messages.jsonl", "outside_roots"},
		{"working memory, absolute", "working-memory//etc/passwd", "outside_roots"},
		{"blank", " ", "bad_arguments"},
		{"a pipe", "fifo", "not_text"},
		{"a folder", "sub", "not_text"},
		{"secrets", ".env", "denied"},
		{"secrets in capitals", ".ENV", "denied"},
		{"secrets of some kind", "config/.env.local", "denied"},
		{"secrets behind a link", "to-env", "denied"},
		{"secrets, spelled unseen", ".e\u200bnv", "denied"},
		{"a private key", "id_rsa", "denied"},
		{"a certificate", "deploy.pem", "denied"},
		{"keys", ".ssh/known", "denied"},
		{"a file as a folder", "a.txt/x", "file_not_found"},
	}
	writesOnly := []struct{ name, path, code string }{
		{"git", ".git/config", "denied"},
		{"git in capitals", ".GIT/config", "denied"},
		{"git, spelled unseen", ".g\u200cit/config", "denied"},
		{"git with a dot", ".git./config", "denied"},
		{"git by its short name", "git~1/config", "denied"},
		{"git below", "sub/.git/hooks/x", "denied"},
		{"git behind a link", "to-git/config", "denied"},
	}
	for _, e := range escapes {
		t.Run(e.name, func(t *testing.T) {
			f.refused(t, e.code, readings(e.path))
			f.refused(t, e.code, writings(e.path))
			f.shown(t, e.path)
		})
	}
	for _, e := range writesOnly {
		t.Run(e.name, func(t *testing.T) {
			f.refused(t, e.code, writings(e.path))
			f.shown(t, e.path)
		})
	}
	if got := f.states(); got != "" || len(f.s.Snapshot().Sessions(f.s.ID())) != 0 {
		t.Errorf("staged: %q", got)
	}
	if after := f.everything(); after != before {
		t.Errorf("files before\n%s\nand after\n%s", before, after)
	}
}

type toolCall struct {
	tool string
	args args
}

func readings(path string) []toolCall {
	return []toolCall{
		{"memo_read", args{"path": path}},
		{"memo_read", args{"path": path, "start_line": 1, "end_line": 1, "line_numbers": false}},
		{"read", args{"path": path}},
	}
}

func writings(path string) []toolCall {
	return []toolCall{
		{"memory_notebook_replace", args{"path": path, "old_text": "one", "new_text": "evil"}},
		{"memory_notebook_replace", args{"path": path, "old_text": "one", "new_text": "evil", "preview_only": true}},
		{"memory_notebook_replace_span", args{"path": path, "old_span_start": "one", "old_span_end": "secret", "new_text": "evil"}},
		{"memo_append", args{"path": path, "text": "evil"}},
		{"write", args{"path": path, "content": "evil\n"}},
		{"delete_file", args{"path": path}},
		{"rename_file", args{"path": path, "to": "moved.txt"}},
		{"rename_file", args{"path": "sub/x.txt", "to": path}},
	}
}

// ask makes a call that is not journaled: there are many.
func (f *fence) ask(tool string, a args) tools.Outcome {
	f.t.Helper()
	return tools.Run(context.Background(), f.s.Session, memory.ToolCall{Name: tool, Arguments: mustJSON(f.t, a)})
}

// refused checks that calls are refused with a code. A name with NUL is refused before the path is looked at.
func (f *fence) refused(t *testing.T, code string, calls []toolCall) {
	t.Helper()
	f.t = t
	for _, c := range calls {
		o := f.ask(c.tool, c.args)
		if o.Code != code || o.Hint == "" || o.Text != nil {
			t.Errorf("%s %v: code %q, want %q: %.300s", c.tool, c.args, o.Code, code, o.JSON())
		}
		wantNot(t, o.JSON(), f.secret, "root:")
	}
}

// shown checks that a listing and a search show nothing of it, and that exports do not go there.
func (f *fence) shown(t *testing.T, path string) {
	t.Helper()
	for _, glob := range []string{path, path + "/*", path + "/**", "**/" + path} {
		o := f.ask("list_files", args{"glob": glob})
		for _, file := range o.Files {
			if file.Path != "sub/x.txt" && file.Path != "a.txt" {
				t.Errorf("list_files %q names %s", glob, file.Path)
			}
		}
		o = f.ask("search_text", args{"pattern": "secret", "path": glob})
		if len(o.Matches) > 0 {
			t.Errorf("search_text %q finds %v", glob, o.Matches)
		}
	}
	o := f.ask("memo_export_diff", args{"to": path})
	if o.Status != "refused" {
		t.Errorf("an export to %q: %s", path, o.JSON())
	}
}

// everything is all files of the workspace and beside it, with their contents.
func (f *fence) everything() string {
	var sb strings.Builder
	for _, root := range []string{f.dir, f.outside} {
		must(f.t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			fmt.Fprintf(&sb, "%s %s", path, d.Type())
			if d.Type().IsRegular() {
				raw, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				fmt.Fprintf(&sb, " %q", raw)
			}
			sb.WriteByte('\n')
			return nil
		}))
	}
	return sb.String()
}

// A link that takes a file's place between the check and the use leads nowhere.
func TestSwappedLink(t *testing.T) {
	f := newFence(t)
	file, aside, link := filepath.Join(f.dir, "sub"), filepath.Join(f.dir, "aside"), filepath.Join(f.dir, "swap")
	must(t, os.WriteFile(filepath.Join(file, "file.txt"), []byte("one\n"), 0o644))
	must(t, os.Symlink(filepath.Join(f.outside, "dir"), link))
	stop := make(chan struct{})
	var wait sync.WaitGroup
	wait.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			// The folder goes aside, the link takes its place, and back.
			_ = os.Rename(file, aside)
			_ = os.Rename(link, file)
			_ = os.Rename(file, link)
			_ = os.Rename(aside, file)
		}
	})
	for range 300 {
		o := f.s.run(context.Background(), "memo_read", tools.ReadArgs{Path: "sub/file.txt"})
		wantNot(t, o.JSON(), f.secret)
		o = f.s.run(context.Background(), "search_text", tools.SearchArgs{Pattern: "one", Path: "sub"})
		wantNot(t, o.JSON(), f.secret)
		o = f.s.run(context.Background(), "memo_append", tools.AppendArgs{Path: "sub/file.txt", Text: "more"})
		wantNot(t, o.JSON(), f.secret)
		if o.Status == "editing" {
			f.s.CommitEdit(context.Background(), 0, "more")
			f.s.RevertEdit(context.Background(), 0, "")
		}
	}
	close(stop)
	wait.Wait()
	raw, err := os.ReadFile(filepath.Join(f.outside, "dir", "file.txt"))
	must(t, err)
	wantFile(t, string(raw), "one top-secret\n")
}

// What .gitignore closes is not listed and not searched, but may be read and edited by its name, unless it is secret.
func TestIgnoredFiles(t *testing.T) {
	b := newBench(t, map[string]string{
		".gitignore": "*.log\n/out/\n", "a.txt": "needle\n", "b.log": "needle\n", "out/c.txt": "needle\n", "out/.env": "needle\n", ".git/config": "needle\n",
	}, editing.Ask)
	if o := b.call("list_files", args{}); mustJSON(t, o.Files) != `[".gitignore","a.txt"]` {
		t.Errorf("%s", o.JSON())
	}
	if o := b.call("search_text", args{"pattern": "needle"}); len(o.Matches) != 1 || o.Matches[0].Path != "a.txt" {
		t.Errorf("%s", o.JSON())
	}
	for _, path := range []string{"b.log", "out/c.txt"} {
		for _, tool := range []string{"read", "memo_read"} {
			if o := b.call(tool, args{"path": path}); o.Status != "ok" {
				t.Errorf("%s %s: %s", tool, path, o.JSON())
			}
		}
		if o := b.call("search_text", args{"pattern": "needle", "path": path}); len(o.Matches) != 1 {
			t.Errorf("search in %s: %s", path, o.JSON())
		}
	}
	b.replace("b.log", "needle", "pin")
	for _, path := range []string{"out/.env"} {
		if o := b.call("read", args{"path": path}); o.Code != "denied" {
			t.Errorf("%s: %s", path, o.JSON())
		}
	}
	if o := b.call("search_text", args{"pattern": "needle", "path": "out"}); len(o.Matches) != 1 || o.Matches[0].Path != "out/c.txt" {
		t.Errorf("search below an ignored folder: %s", o.JSON())
	}
}

// tools.deny closes files to edits and hides them from listings; tools.allow_read opens secrets to reading alone.
func TestDenyAndAllowRead(t *testing.T) {
	b := newBench(t, map[string]string{
		"go.sum": "sum\n", "vendor/v.go": "v\n", "a.go": "a\n", "test/.env": "FAKE=1\n", "test/key.pem": "pem\n", ".env": "REAL=1\n",
	}, editing.Ask).with(func(cfg *session.Config) {
		cfg.Deny, cfg.AllowRead = []string{"go.SUM", "vendor/"}, []string{"/test/.env", "test/*.pem"}
	})
	edit := func(path, old string) tools.Outcome {
		return b.call("memory_notebook_replace", args{"path": path, "old_text": old, "new_text": "changed"})
	}
	for _, c := range []struct {
		path, text  string
		read, write string // codes
	}{
		{"a.go", "a", "", ""},
		{"go.sum", "sum", "", "denied"},
		{"vendor/v.go", "v", "", "denied"},
		{"test/.env", "FAKE=1", "", "denied"},
		{"test/key.pem", "pem", "", "denied"},
		{".env", "REAL=1", "denied", "denied"},
	} {
		if o := b.call("read", args{"path": c.path}); o.Code != c.read {
			t.Errorf("read %s: %s", c.path, o.JSON())
		}
		if o := edit(c.path, c.text); o.Code != c.write {
			t.Errorf("edit %s: %s", c.path, o.JSON())
		}
	}
	if o := b.call("list_files", args{}); mustJSON(t, o.Files) != `["a.go","test/.env","test/key.pem"]` {
		t.Errorf("%s", o.JSON())
	}
	if got := b.states(); got != "A staged" {
		t.Errorf("states %s", got)
	}
}
