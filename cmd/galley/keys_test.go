package main_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent/openai/openaitest"
)

// atHome is a person at a command line, with a home and a workspace of their own.
type atHome struct {
	t         *testing.T
	home, dir string
	env       []string
}

func newAtHome(t *testing.T, env ...string) *atHome {
	t.Helper()
	h := &atHome{t: t, home: t.TempDir(), dir: t.TempDir()}
	h.env = append(os.Environ(), "GALLEY_HOST=off", "HOME="+h.home, "GALLEY_HOME="+filepath.Join(h.home, ".ai"), "XDG_CONFIG_HOME=", "XDG_CACHE_HOME=", "XDG_STATE_HOME=",
		"NO_COLOR=1", "GORACE=atexit_sleep_ms=0")
	h.env = append(h.env, env...)
	return h
}

func (h *atHome) write(name, content string) {
	h.t.Helper()
	if err := os.WriteFile(filepath.Join(h.dir, name), []byte(content), 0o600); err != nil {
		h.t.Fatal(err)
	}
}

// serve plays a script and has galley know of it from now on.
func (h *atHome) serve(script openaitest.Script) *openaitest.Server {
	h.t.Helper()
	server, err := openaitest.Start(script)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(server.Close)
	h.env = append(h.env, "GALLEY_MODEL_PROVIDER=openai", "GALLEY_MODEL_MODEL=scripted", "GALLEY_MODEL_BASE_URL="+server.URL())
	return server
}

// command is galley, ready to start. All that it prints goes to out.
func (h *atHome) command(out *bytes.Buffer, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(h.t.Context(), "galley", args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = h.dir, h.env, out, out
	return cmd
}

// galley runs a command to its end.
func (h *atHome) galley(args ...string) (printed string, code int) {
	h.t.Helper()
	var out bytes.Buffer
	cmd := h.command(&out, args...)
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		h.t.Fatal(err)
	}
	return out.String(), cmd.ProcessState.ExitCode()
}

// distinctive is a key that nothing else looks like.
const distinctive = "sk-proj-Zq7distinctive0815keyNobodyElseHas"

// echoes are what servers say that tell the key back, in the places where galley could pass it on.
func echoes() []openaitest.Reply {
	call := func(name string, args any) openaitest.Call {
		raw, _ := json.Marshal(args)
		return openaitest.Call{Name: name, Arguments: raw}
	}
	header := map[string]string{"X-Echo": "Bearer " + distinctive, "X-Request-Id": distinctive}
	return []openaitest.Reply{
		{Status: 400, Body: `{"error":{"message":"upstream refused ` + distinctive + `"}}`, Header: header},
		{Text: "Your key is " + distinctive + ".", Reasoning: "I know " + distinctive, Calls: []openaitest.Call{
			call("memory_notebook_replace", map[string]string{"path": "a.txt", "old_text": "one", "new_text": "1 " + distinctive}),
			call("memo_read", map[string]string{"path": "with-key.txt"}),
			call("run_command", map[string]string{"command": "env; cat with-key.txt; echo " + distinctive}),
			call("search_text", map[string]string{"pattern": "sk-proj"}),
			call("write", map[string]string{"path": "working-memory/detail/note.md", "content": "the key: " + distinctive}),
			call("no_such_"+distinctive, map[string]string{"key": distinctive}),
			call("memo_begin_task", map[string]string{"goal": "use " + distinctive}),
			call("memo_export_session", map[string]string{"to": "x.md"}),
		}, Header: header},
		{Text: "It is, letter by letter, " + distinctive, Chunk: 3, Calls: []openaitest.Call{call("memo_export_diff", map[string]string{})}},
		{Frames: []string{"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"and now \"}}]}\n\n", "data: {\"error\":{\"message\":\"" + distinctive + " has no credit\"}}\n\n"}},
		{Status: 401, Body: `{"error":{"message":"Incorrect API key provided: ` + distinctive + `."}}`, Header: header},
		{Status: 400, Body: "<html><title>" + distinctive + "</title>" + distinctive + "</html>"},
		{Status: 302, Body: "moved", Header: map[string]string{"Location": "http://127.0.0.1:9/?key=" + distinctive}},
		{Status: 200, Body: `{"hello":"` + distinctive + `"}`},
		{Text: "All is well, " + distinctive},
		{Text: "The doctor has the key " + distinctive},
	}
}

// A key is in no file, no log, no error, no prompt and no output, however often its server tells it back. It is sent to the
// server as the key, and nothing else of a request holds it.
func TestKeyIsNowhere(t *testing.T) {
	h := newAtHome(t, "OPENAI_API_KEY="+distinctive, "GALLEY_MODEL_API_KEY_ENV=OPENAI_API_KEY", "GALLEY_LOG_LEVEL=debug", "GALLEY_TOOLS_RUN_COMMAND=allow")
	h.write("a.txt", "one\ntwo\n")
	h.write("with-key.txt", "key = "+distinctive+"\n")
	server := h.serve(openaitest.Script{
		Replies: echoes(), Forgive: []string{"content", "name", "no_such"}, // the conversation is odd, not the client
	})
	log := filepath.Join(h.home, "galley.log")
	var told strings.Builder
	tell := func(args ...string) {
		printed, code := h.galley(args...)
		fmt.Fprintf(&told, "$ galley %d\n%s\n", code, printed)
	}
	for i := 0; server.Left() > 1; i++ {
		if i > 20 {
			t.Fatalf("the script does not come to its end\n%s\n%s", told.String(), server.Dump())
		}
		args := []string{"run", "--log-file", log, "--record", filepath.Join(h.home, fmt.Sprintf("recording-%d.jsonl", i))}
		if i%2 == 0 {
			args = append(args, "--json")
		}
		tell(append(args, "my key is "+distinctive+", use it")...)
	}
	tell("config", "show")
	tell("doctor")
	tell("review", "--json")
	tell("tool", "memo_read", `{"path":"with-key.txt"}`)
	tell("tool", "memo_export_session", `{}`)
	h.isNowhere(told.String(), server)
}

// isNowhere looks for the key in all that was printed, written and sent.
func (h *atHome) isNowhere(printed string, server *openaitest.Server) {
	h.t.Helper()
	if at := strings.Index(printed, distinctive); at >= 0 {
		h.t.Errorf("the key was printed:\n%s", printed[max(0, at-600):min(len(printed), at+200)])
	}
	files := 0
	for _, root := range []string{h.home, h.dir} {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || entry.Name() == "with-key.txt" {
				return err
			}
			files++
			content, err := os.ReadFile(path)
			if at := bytes.Index(content, []byte(distinctive)); at >= 0 {
				h.t.Errorf("the key is in %s:\n%s", path, content[max(0, at-300):min(len(content), at+100)])
			}
			return err
		})
		if err != nil {
			h.t.Fatal(err)
		}
	}
	sent := 0
	for _, r := range server.Requests() {
		if strings.HasSuffix(r.Path, "/chat/completions") && r.Header.Get("Authorization") == "Bearer "+distinctive {
			sent++
		}
		if bytes.Contains(r.Body, []byte(distinctive)) || strings.Contains(r.Query, distinctive) {
			h.t.Errorf("the key was sent to the model: %s", r.Body)
		}
	}
	if files < 8 || sent < 5 {
		h.t.Errorf("this looked at %d files and %d requests only:\n%s", files, sent, printed)
	}
}
