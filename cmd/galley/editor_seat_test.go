package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/galley-ls/galley/lsp/lsptest"
)

// seat is a workspace, with an editor at galley. Its methods panic with a failed where something is wrong, as many of
// them are at work in one test.
type seat struct {
	ctx       context.Context
	profile   lsptest.Profile
	dir, home string
	e         *lsptest.Editor
	session   string
	disk      map[string]string // what the user saved
}

// failed is what its methods panic with.
type failed struct{ error }

func (d *seat) ok(err error) {
	if err != nil {
		panic(failed{err})
	}
}

func (d *seat) path(name string) string { return filepath.Join(d.dir, filepath.FromSlash(name)) }
func (d *seat) uri(name string) string  { return d.e.URI(d.path(name)) }

// newSeat stages all letters.
func newSeat(ctx context.Context, root string, p lsptest.Profile) *seat {
	d := &seat{ctx: ctx, profile: p, dir: filepath.Join(root, "w"), home: filepath.Join(root, "home"), disk: map[string]string{}}
	var prompt []string
	for _, f := range pointFiles {
		prompt = append(prompt, f.prompt())
		if f.op == created {
			continue
		}
		d.ok(os.MkdirAll(filepath.Dir(d.path(f.name)), 0o700))
		d.ok(os.WriteFile(d.path(f.name), []byte(f.before()), 0o600))
	}
	d.ok(os.Link(d.path("hard.txt"), filepath.Join(root, "second name")))
	d.galley("run", "--review", "keep", strings.Join(prompt, " then "))
	return d
}

// galley runs a command in the terminal.
func (d *seat) galley(args ...string) []byte {
	cmd := exec.CommandContext(d.ctx, "galley", args...)
	cmd.Dir, cmd.Env = d.dir, d.env()
	var out, noise bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &noise
	exit := &exec.ExitError{}
	if err := cmd.Run(); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 3) { // 3: letters wait
		panic(failed{fmt.Errorf("galley %q: %w\n%s%s", args, err, &out, &noise)})
	}
	return out.Bytes()
}

func (d *seat) env(more ...string) []string {
	return append(append(os.Environ(), "GALLEY_HOST=off", "GALLEY_HOME="+d.home, "HOME="+d.home, "XDG_CONFIG_HOME=", "XDG_CACHE_HOME=", "GORACE=atexit_sleep_ms=0"), more...)
}

// serve starts galley for an editor, and opens the documents: with the texts of buffers, else with those of the disk.
func (d *seat) serve(buffers map[string]string, more ...string) {
	cmd := exec.Command("galley", "serve", "--workspace", d.dir)
	cmd.Env = d.env(more...)
	e, err := lsptest.Start(cmd, d.profile)
	d.ok(err)
	d.e = e
	d.ok(e.Initialize(d.ctx, lsptest.Init{Root: d.dir}))
	if buffers == nil {
		buffers = d.opened()
	}
	for _, name := range slices.Sorted(maps.Keys(buffers)) {
		e.OpenText(d.uri(name), buffers[name])
	}
}

// opened are the texts that a person opens: a new file is an empty one.
func (d *seat) opened() map[string]string {
	out, files := map[string]string{}, d.files()
	for _, f := range pointFiles {
		if !f.open || f.op == renamed && !d.profile.Renames() {
			continue
		}
		for _, name := range []string{f.name, f.to} {
			if text, there := files[name]; there || f.op == created && name != "" {
				out[name] = text
			}
		}
	}
	return out
}

// keeps reports whether an editor brings a letter in.
func (d *seat) keeps(f pointFile) bool {
	return f.open && f.op != deleted && (f.op != renamed || d.profile.Renames())
}

// command runs one, and waits until what it began is over.
func (d *seat) command(name string, args map[string]any) json.RawMessage {
	answer, err := d.e.Execute(d.ctx, name, args)
	d.ok(err)
	d.settled()
	return answer
}

func (d *seat) settled() {
	d.until("nothing is applying", func() error {
		for l, state := range d.letters() {
			if state == "applying" {
				return fmt.Errorf("%s is", l)
			}
		}
		return nil
	})
	d.ok(d.e.Wait(d.ctx, "nothing is under way", (*lsptest.Screen).Settled))
}

// until looks again after every message, and for some time.
func (d *seat) until(name string, check func() error) {
	for late := time.Now().Add(lsptest.Patience); ; {
		err := check()
		if err == nil {
			return
		}
		if time.Now().After(late) {
			panic(failed{fmt.Errorf("await %s: %w\n%s", name, err, d.e.Dump())})
		}
		seen := d.messages()
		ctx, cancel := context.WithTimeout(d.ctx, 100*time.Millisecond)
		_ = d.e.Wait(ctx, "a message", func(sc *lsptest.Screen) bool { return sc.Ended != nil })
		cancel()
		if d.messages() == seen && d.dead() {
			d.ok(errors.New("ended"))
		}
	}
}

func (d *seat) messages() int { return len(d.e.Log()) }

func (d *seat) dead() (dead bool) {
	d.e.Look(func(sc *lsptest.Screen) { dead = sc.Ended != nil })
	return dead
}

func (d *seat) is(letter, want string) error {
	if got := d.letters()[letter]; got != want {
		return fmt.Errorf("%s is %q, not %s", letter, got, want)
	}
	return nil
}

// letters are those of open editing sessions, as the editor is told.
func (d *seat) letters() map[string]string {
	answer, err := d.e.Execute(d.ctx, "galley.changes", map[string]any{})
	d.ok(err)
	var all struct {
		Files []struct {
			Changes []struct{ Change, State string }
		}
	}
	d.ok(json.Unmarshal(answer, &all))
	out := map[string]string{}
	for _, f := range all.Files {
		for _, c := range f.Changes {
			out[c.Change] = c.State
		}
	}
	return out
}

// review is the same in the terminal.
func (d *seat) review() map[string]string {
	var all struct {
		Edits []struct {
			Changes []struct {
				Letter string `json:"change_id"`
				State  string
			}
		}
	}
	d.ok(json.Unmarshal(d.galley("review", "--json", "--session", d.session), &all))
	out := map[string]string{}
	for _, e := range all.Edits {
		for _, c := range e.Changes {
			out[c.Letter] = c.State
		}
	}
	return out
}

// save saves the documents, but one whose file may be deleted, and one in which there is nothing yet.
func (d *seat) save() {
	for _, f := range pointFiles {
		for name, text := range d.buffers() {
			if f.op != deleted && text != "" && (name == f.name || name == f.to) {
				d.disk[name] = text
				d.ok(d.e.Save(d.uri(name)))
			}
		}
	}
}

// buffers are the texts of the open documents.
func (d *seat) buffers() map[string]string {
	out := map[string]string{}
	d.e.Look(func(sc *lsptest.Screen) {
		for _, f := range pointFiles {
			for _, name := range []string{f.name, f.to} {
				if b, open := sc.Buffer(d.uri(name)); open && name != "" {
					out[name] = b.Text
				}
			}
		}
	})
	return out
}

// texts are those of the disk, and over them the editor's; which files there are, the disk says.
func (d *seat) texts() map[string]string {
	out, buffers := d.files(), d.buffers()
	for _, f := range pointFiles {
		if text, open := buffers[f.name]; open && (f.op == edited || f.op == created) {
			out[f.name] = text
		}
	}
	return out
}

func (d *seat) files() map[string]string {
	out := map[string]string{}
	d.ok(filepath.WalkDir(d.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		name, _ := filepath.Rel(d.dir, path)
		out[filepath.ToSlash(name)] = string(b)
		return err
	}))
	return out
}

// tidy checks that there is no other file, and no empty folder.
func (d *seat) tidy() error {
	return filepath.WalkDir(d.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(d.dir, path)
		name = filepath.ToSlash(name)
		if e.IsDir() {
			if inside, err := os.ReadDir(path); err != nil || len(inside) == 0 {
				return fmt.Errorf("the folder %s is empty (%v)", name, err)
			}
			return nil
		}
		if !slices.ContainsFunc(pointFiles, func(f pointFile) bool { return name == f.name || name == f.to }) && !strings.HasPrefix(e.Name(), ".galley-tmp-") {
			return fmt.Errorf("%s was left behind", name)
		}
		return nil
	})
}

// journal is what the session's journal says: the state of its editing session, and what the agent hears.
func (d *seat) journal() (state string, news []string) {
	found, err := filepath.Glob(filepath.Join(d.home, "sessions", "*", "*", "messages.jsonl"))
	d.ok(err)
	if len(found) != 1 {
		panic(failed{fmt.Errorf("the journals are %q", found)})
	}
	d.session = filepath.Base(filepath.Dir(found[0]))
	b, err := os.ReadFile(found[0])
	d.ok(err)
	for line := range bytes.Lines(b) {
		var e struct {
			Payload struct {
				News   []string
				Record struct{ Sessions []struct{ State string } }
			}
		}
		if json.Unmarshal(line, &e) != nil {
			continue // the torn last line
		}
		news = append(news, e.Payload.News...)
		for _, s := range e.Payload.Record.Sessions {
			state = s.State
		}
	}
	return state, news
}

// panics lets Conform be called where no test's goroutine is.
type panics struct{ testing.TB }

func (panics) Helper()                        {}
func (panics) Errorf(format string, a ...any) { panic(failed{fmt.Errorf(format, a...)}) }
func (panics) Fatalf(format string, a ...any) { panic(failed{fmt.Errorf(format, a...)}) }
func (panics) Error(a ...any)                 { panic(failed{errors.New(fmt.Sprint(a...))}) }
func (panics) Fatal(a ...any)                 { panic(failed{errors.New(fmt.Sprint(a...))}) }
