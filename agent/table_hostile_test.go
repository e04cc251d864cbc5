//go:build unix

package agent_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
)

// Nobody is asked about a command that he could not read: what stands out of sight would run unseen.
func TestNoConsentToWhatIsTooLong(t *testing.T) {
	b := newBench(t, nil, editing.Ask)
	asked := 0
	b.with(func(cfg *session.Config) {
		cfg.Commands = session.CommandsAsk
		cfg.Confirm = func(context.Context, session.Command) (bool, error) { asked++; return true, nil }
	})
	for name, command := range map[string]string{
		"a long line":  "true " + strings.Repeat("ü", 2000) + "; touch ran",
		"many blanks":  "true" + strings.Repeat(" ", 2000) + "; touch ran",
		"many lines":   "touch ran" + strings.Repeat("\ntrue", 40),
		"empty lines":  "touch ran" + strings.Repeat("\n", 60) + "true",
		"line the end": strings.Repeat("\n", 60) + "touch ran",
	} {
		if o := b.call("run_command", args{"command": command}); o.Code != "bad_arguments" || !strings.Contains(o.Hint, "longer than a person can look over") {
			t.Errorf("%s: %s", name, o.JSON())
		}
	}
	if _, err := os.Stat(filepath.Join(b.dir, "ran")); err == nil || asked > 0 {
		t.Errorf("asked %d times, ran: %v", asked, err == nil)
	}
	b.call("run_command", args{"command": "true " + strings.Repeat("ü", 1700) + strings.Repeat("\ntrue", 39)})
	if asked != 1 {
		t.Errorf("asked %d times", asked)
	}
	b.with(allowCommands).sh("true " + strings.Repeat("x", 5000)) // he allows what he does not see
}

// What runs is what was agreed to, also where: a folder that is led elsewhere while the person thinks is another one.
func TestFolderMovesDuringConsent(t *testing.T) {
	outside := t.TempDir()
	for name, move := range map[string]func(dir string) error{
		"out of the workspace": func(dir string) error { return os.Symlink(outside, dir) },
		"to another folder":    func(dir string) error { return os.Symlink("other", dir) },
		"to a file":            func(dir string) error { return os.WriteFile(dir, nil, 0o600) },
		"to nothing":           func(string) error { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, map[string]string{"sub/a.txt": "a\n", "other/b.txt": "b\n"}, editing.Ask)
			b.with(func(cfg *session.Config) {
				cfg.Commands = session.CommandsAsk
				cfg.Confirm = func(context.Context, session.Command) (bool, error) {
					must(t, os.RemoveAll(filepath.Join(b.dir, "sub")))
					must(t, move(filepath.Join(b.dir, "sub")))
					return true, nil
				}
			})
			if o := b.call("run_command", args{"command": "touch ran", "dir": "sub"}); o.Status == "ok" || o.Hint == "" {
				t.Errorf("%s", o.JSON())
			}
			for _, dir := range []string{outside, filepath.Join(b.dir, "other"), b.dir} {
				if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
					t.Errorf("it ran in %s", dir)
				}
			}
		})
	}
}

// A command may do anything to a file with letters, and to the whole workspace: nothing hangs, and the session goes on.
func TestCommandTakesFilesAway(t *testing.T) {
	for name, command := range map[string]string{
		"gone":          "rm a.txt",
		"a pipe":        "rm a.txt; mkfifo a.txt",
		"a folder":      "rm a.txt; mkdir a.txt",
		"a link out":    "rm a.txt; ln -s /etc/passwd a.txt",
		"a loop":        "rm a.txt; ln -s a.txt a.txt",
		"no text":       `printf 'a\000b' >a.txt`,
		"unreadable":    "chmod 0 a.txt",
		"huge":          "truncate -s 70M a.txt",
		"no workspace":  `rm -rf "$PWD"`,
		"another place": `mv "$PWD" "$PWD.away"; mkdir "$PWD"`,
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, map[string]string{"a.txt": numbered(20), "b.txt": "b\n"}, editing.Ask).with(allowCommands)
			b.replace("a.txt", "line 3\n", "three\n")
			if o := b.call("run_command", args{"command": command}); o.ExitCode == nil || *o.ExitCode != 0 {
				t.Errorf("it does not say that it ran: %s", o.JSON())
			}
			for _, c := range []struct {
				tool string
				args args
				want string
			}{
				{"memo_read", args{"path": "a.txt"}, ""},
				{"memo_preview", args{}, "ok"},
				{"list_files", args{}, "ok"},
				{"search_text", args{"pattern": "line"}, "ok"},
				{"run_command", args{"command": "true"}, ""},
				{"memo_commit", args{"summary": "x"}, "proposed"},
			} {
				if o := b.call(c.tool, c.args); o.Status == "" || c.want != "" && o.Status != c.want {
					t.Errorf("%s: %s", c.tool, o.JSON())
				}
			}
			if _, _, err := b.s.Notices(); err != nil {
				t.Error(err)
			}
			must(t, os.RemoveAll(filepath.Join(b.dir, "a.txt")))
			b.write("a.txt", numbered(20))
			must(t, b.s.Refresh(t.Context()))
			if got := b.states(); got != "A staged" {
				t.Errorf("the file is back, and its letter is not: %s", got)
			}
		})
	}
}

// Output is bounded, whatever comes.
func TestOutputFloods(t *testing.T) {
	if testing.Short() {
		t.Skip("make test plays it: it is long under the race detector, and one goroutine does it all")
	}
	b := newBench(t, nil, editing.Ask).with(allowCommands)
	for _, command := range []string{
		"yes | head -c 300000000",
		"head -c 3000000 /dev/urandom",
		"head -c 3000000 /dev/zero",
		`yes '\033[31m' | tr -d '\n' | head -c 3000000`,
		`printf 'x%.0s' $(seq 100000)`,
		`yes "$(printf '\033]0;title\007\r\b\033[')" | head -c 2000000`,
	} {
		o := b.sh(command)
		if len(*o.Output) > 31<<10 || strings.ContainsAny(*o.Output, "\x1b\x00\x07\r") {
			t.Errorf("%s: %d bytes: %.200q", command, len(*o.Output), *o.Output)
		}
	}
}
