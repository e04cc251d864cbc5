package main_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/galley-ls/galley/lsp/lsptest"
)

// sitting is a person at an editor, with the real galley behind it. What it expects on disk is what the person saved.
type sitting struct {
	*testing.T
	e         *lsptest.Editor
	profile   lsptest.Profile
	dir, home string
	uri       string            // of the file that most stories are about
	disk      map[string]string // name → what must be in the file
}

const storyFile = "f.txt"

// everyEditor runs a story under each of the measured editors, and looks for goroutines left behind. With -short, which
// goes with the race detector, it is a sixth of them, others for each story.
func everyEditor(t *testing.T, name string, story func(t *testing.T, p lsptest.Profile)) {
	t.Helper()
	before := goleak.IgnoreCurrent()
	t.Run(name, func(t *testing.T) {
		for i, p := range lsptest.All() {
			if testing.Short() && (i+len(name))%6 != 0 {
				continue
			}
			t.Run(strings.ReplaceAll(p.Name+" "+strings.Fields(p.Version)[0], " ", "_"), func(t *testing.T) {
				t.Parallel()
				story(t, p)
			})
		}
	})
	goleak.VerifyNone(t, before)
}

// sit starts galley over a folder with files, and opens the story's file if there is one. Of galley's own protocol the
// editor takes the notifications, and nothing else.
func sit(t *testing.T, p lsptest.Profile, files map[string]string) *sitting {
	t.Helper()
	p = p.With("experimental.galley.notifications", true)
	s := &sitting{T: t, profile: p, dir: t.TempDir(), home: t.TempDir(), disk: maps.Clone(files)}
	for name, content := range files {
		s.write(name, content)
	}
	s.start()
	if _, ok := files[storyFile]; ok {
		s.uri = s.open(storyFile)
	}
	return s
}

// start runs the binary. The test binary is galley when it is called so, see TestMain.
func (s *sitting) start() {
	s.Helper()
	log := filepath.Join(s.home, "galley.log")
	cmd := exec.Command("galley", "serve", "--workspace", s.dir, "--log-file", log)
	cmd.Env = append(os.Environ(), "GALLEY_HOST=off", "GALLEY_HOME="+s.home, "HOME="+s.home, "XDG_CONFIG_HOME=", "XDG_CACHE_HOME=",
		"GORACE=atexit_sleep_ms=0") // a race ends it with an exit code, which Exit sees
	e, err := lsptest.Start(cmd, s.profile)
	s.ok(err)
	s.e = e
	s.Cleanup(func() {
		if s.Failed() {
			written, _ := os.ReadFile(log)
			s.Logf("galley's log:\n%s\nat the end:\n%s", written, e.Dump())
		}
		var gone bool
		e.Look(func(sc *lsptest.Screen) { gone = sc.Ended != nil })
		if !gone {
			_ = e.Kill() // the story failed
		}
	})
	s.ok(e.Initialize(s.Context(), lsptest.Init{Root: s.dir}))
}

func (s *sitting) ok(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

func (s *sitting) path(name string) string { return filepath.Join(s.dir, filepath.FromSlash(name)) }

// write is another program's doing.
func (s *sitting) write(name, content string) {
	s.Helper()
	s.ok(os.MkdirAll(filepath.Dir(s.path(name)), 0o700))
	s.ok(os.WriteFile(s.path(name), []byte(content), 0o600))
	s.disk[name] = content
}

func (s *sitting) open(name string) (uri string) {
	s.Helper()
	uri, err := s.e.Open(s.path(name))
	s.ok(err)
	return uri
}

// save saves the story's file, which must then hold these bytes.
func (s *sitting) save(want string) {
	s.Helper()
	s.ok(s.e.Save(s.uri))
	s.disk[storyFile] = want
}

// command runs one and must get an answer that is no error.
func (s *sitting) command(name string, args ...any) json.RawMessage {
	s.Helper()
	answer, err := s.e.Execute(s.Context(), name, args...)
	if err != nil {
		s.Fatalf("%s %v: %v", name, args, err)
	}
	return answer
}

// refused runs a command that must be refused for this reason: the code that programs read.
func (s *sitting) refused(code, name string, args ...any) {
	s.Helper()
	_, err := s.e.Execute(s.Context(), name, args...)
	answer := &lsptest.ResponseError{}
	const requestFailed = -32803
	if !errors.As(err, &answer) || answer.Code != requestFailed || !strings.Contains(string(answer.Data), `"`+code+`"`) {
		s.Fatalf("%s %v: got %v %s, want a refusal with the code %s", name, args, err, answer.Data, code)
	}
}

// ask gives the offline model an instruction and waits until its run is over. Only the notification always tells: a run
// may be over before there was anything to show a progress of.
func (s *sitting) ask(prompt string) {
	s.Helper()
	var run struct{ Run, State string }
	s.ok(json.Unmarshal(s.command("galley.ask", map[string]any{"prompt": prompt}), &run))
	s.e.Await(s, "the end of "+run.Run, func(sc *lsptest.Screen) bool {
		return json.Unmarshal(sc.Runs[run.Run], &run) == nil && run.State == "done"
	})
}

// leave checks what must hold at the end of every story: the buffer is as wanted, the server believes the same, on disk
// is what was saved and nothing else, and every message was within the protocol.
func (s *sitting) leave(want string) {
	s.Helper()
	s.e.Await(s, "nothing is under way", (*lsptest.Screen).Settled)
	if got := s.e.Text(s.uri); got != want {
		s.Errorf("the buffer holds\n%q, want\n%q", got, want)
	}
	s.believes()
	s.onDisk()
	lsptest.Conform(s, s.e)
	s.ok(s.e.Exit(s.Context()))
}

// onDisk compares the folder with what it must hold.
func (s *sitting) onDisk() {
	s.Helper()
	got := map[string]string{}
	s.ok(filepath.WalkDir(s.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		name, _ := filepath.Rel(s.dir, path)
		got[filepath.ToSlash(name)] = string(content)
		return err
	}))
	if !maps.Equal(got, s.disk) {
		s.Errorf("on disk is\n%q, want\n%q", got, s.disk)
	}
}

// stamp is what a file must keep where nothing may touch it.
func (s *sitting) stamp(name string) time.Time {
	s.Helper()
	info, err := os.Stat(s.path(name))
	s.ok(err)
	return info.ModTime()
}

// lines are numbered lines: "line 01\n" and on.
func lines(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("line " + two(i+1) + "\n")
	}
	return b.String()
}

func two(n int) string { return string([]byte{byte('0' + n/10), byte('0' + n%10)}) }

// with is a text with pairs of old and new replaced, the first occurrence of each.
func with(text string, oldNew ...string) string {
	for pair := range slices.Chunk(oldNew, 2) {
		text = strings.Replace(text, pair[0], pair[1], 1)
	}
	return text
}
