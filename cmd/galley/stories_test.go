package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/galley-ls/galley/memory"
)

// The test binary is galley, when it is called by that name.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"galley": func() { killable(); main() }})
}

// The stories: the real binary in a folder of its own, one story a file.
// Under the race detector it is those of runs: of the other commands one goroutine does it all.
func TestStories(t *testing.T) {
	all := stories("../../testdata/stories")
	if testing.Short() {
		runs, err := filepath.Glob(all.Dir + "/run_*.txtar")
		if err != nil || len(runs) == 0 {
			t.Fatal("no story of a run", err)
		}
		all.Dir, all.Files = "", runs
	}
	testscript.Run(t, all)
}

// stories are those of a folder, with what they can do.
func stories(dir string) testscript.Params {
	return testscript.Params{
		Dir:           dir,
		UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("GALLEY_HOME", filepath.Join(env.WorkDir, ".home"))
			env.Setenv("GALLEY_HOST", "off")
			env.Setenv("HOME", filepath.Join(env.WorkDir, ".nobody"))
			env.Setenv("TERM", "xterm")
			setUpModelServers(env)
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": exits, "grab": grab, "hold": hold, "llama": llama,
			"modelserver": modelServer, "modelrequests": modelRequests, "person": person, "modelheld": modelHeld, "modelrelease": modelRelease,
		},
	}
}

// exits CODE COMMAND… runs a command that must end with this exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits code command [args...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// grab NAME FILE PATTERN puts what the pattern's group matches in a file (or stdout, stderr) into a variable.
func grab(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: grab name file pattern")
	}
	found := regexp.MustCompile(args[2]).FindStringSubmatch(ts.ReadFile(args[1]))
	if len(found) != 2 {
		ts.Fatalf("%s has nothing like %s", args[1], args[2])
	}
	ts.Setenv(args[0], found[1])
}

// hold SESSION opens a session in this process, until the story is over.
func hold(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: hold session")
	}
	store, err := memory.Open(ts.Getenv("GALLEY_HOME"), ts.MkAbs("."), args[0])
	ts.Check(err)
	ts.Defer(func() { _ = store.Close() })
	ts.Setenv("HOLDER", strconv.Itoa(os.Getpid()))
}
