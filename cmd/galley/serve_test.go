package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/zap"

	"github.com/galley-ls/galley/agent/openai"
	"github.com/galley-ls/galley/cmd/galley/internal/settings"
	"github.com/galley-ls/galley/cmd/galley/internal/setup"
	"github.com/galley-ls/galley/lsp/lsptest"
	"github.com/galley-ls/galley/memory"
)

// served is an editor, and the server that serves it in this process as galley serve does, with settings from everywhere.
type served struct {
	*lsptest.Editor
	t    *testing.T
	h    *settingsHome
	root string
	init lsptest.Init
	env  []string
}

func newServed(t *testing.T) *served {
	t.Helper()
	h := newSettingsHome(t)
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return &served{t: t, h: h, root: root, init: lsptest.Init{Root: root}}
}

// own writes a file of the workspace's settings.
func (s *served) own(name, content string) {
	s.t.Helper()
	writeAll(s.t, filepath.Join(settings.WorkspaceDir(s.root), name), content)
}

// start serves until the test is over.
func (s *served) start() {
	s.t.Helper()
	s.t.Setenv(settings.HostVariable, "off")
	p := setup.Place{Home: s.t.TempDir(), Workspace: "/nowhere"}
	client := setup.Client{Kind: memory.ClientEditor, Sources: settings.Sources{Config: s.h.config, Env: s.env}, Log: zap.NewNop()}
	mine, its := net.Pipe()
	done := make(chan error, 1)
	go func() { done <- client.Serve(context.Background(), its, p) }()
	s.Editor = lsptest.Dial(mine, lsptest.VSCode().With("experimental.galley.notifications", true))
	s.t.Cleanup(func() {
		if err := errors.Join(s.Exit(context.Background()), <-done); err != nil {
			s.t.Errorf("%v\n%s", err, s.Dump())
		}
	})
	if err := s.Initialize(context.Background(), s.init); err != nil {
		s.t.Fatal(err)
	}
}

func (s *served) awaitMessage(words ...string) {
	s.t.Helper()
	s.Await(s.t, "the message "+strings.Join(words, " "), func(sc *lsptest.Screen) bool { return sc.Message(words...) })
}

// answer asks something and waits for the end of the run.
func (s *served) answer() (text string) {
	s.t.Helper()
	raw, err := s.Execute(context.Background(), "galley.ask", map[string]any{"prompt": "who are you?"})
	var run struct{ Run string }
	if err = errors.Join(err, json.Unmarshal(raw, &run)); err != nil {
		s.t.Fatal(err)
	}
	s.Await(s.t, run.Run+" is over", func(sc *lsptest.Screen) bool {
		var r shownRun
		_ = json.Unmarshal(sc.Runs[run.Run], &r)
		text = r.Text + r.Error
		return r.State == "done" || r.State == "failed"
	})
	return text
}

// awaitAnswer asks until the answer is this: settings take effect with the next run.
func (s *served) awaitAnswer(want string) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), lsptest.Patience)
	defer cancel()
	for {
		got := s.answer()
		if strings.Contains(got, want) {
			return
		}
		if ctx.Err() != nil {
			s.t.Fatalf("the answer is %q, want %q\n%s", got, want, s.Dump())
		}
	}
}

// speaker is a model server that says which model it was asked for, and with which key.
func speaker(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct{ Model string }
		_ = json.NewDecoder(r.Body).Decode(&asked)
		w.Header().Set("Content-Type", "text/event-stream")
		text, _ := json.Marshal("I am " + asked.Model + ", " + strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
		fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%s},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n", text)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/v1"
}

// Settings that change are in force with the next run, and what is wrong with them is said once.
func TestServeReadsSettingsAgain(t *testing.T) {
	s := newServed(t)
	url := speaker(t)
	file := "model:\n  base_url: " + url + "\n  model: %s\nui:\n  icon: false\n"
	s.start() // nothing is there yet, not even the folder
	if got := s.answer(); !strings.Contains(got, "offline") {
		t.Errorf("without settings the answer is %q", got)
	}
	s.h.user("config.yaml", fmt.Sprintf(file, "first"))
	s.awaitMessage("config.yaml:5", "ui.icon", "did you mean ui.icons?")
	s.awaitAnswer("I am first")
	s.h.user("config.yaml", fmt.Sprintf(file, "second"))
	s.awaitAnswer("I am second")
	s.own("config.yaml", "model.model: third\n")
	s.awaitMessage("this workspace is not trusted: model.model is not taken over")
	s.h.user("config.yaml", "model:\n  provider: openai\n")
	s.awaitAnswer("model.model is not set")
	s.Look(func(sc *lsptest.Screen) {
		if n := strings.Count(sc.String(), "did you mean ui.icons?"); n > 1 {
			t.Errorf("it was said %d times", n)
		}
	})
}

// A model that the settings do not allow to be made is told when they are read, before anybody asks it, each fault once.
func TestServeTellsAWrongModel(t *testing.T) {
	s := newServed(t)
	t.Setenv("KEY_WITH_A_BLANK", "a b")
	s.h.user("config.yaml", "model: {base_url: http://localhost:1/v1}\n")
	s.start()
	s.awaitMessage("model.model is not set")
	s.h.user("config.yaml", "model: {base_url: http://localhost:1/v1, model: m, api_key_env: KEY_WITH_A_BLANK}\n")
	s.awaitMessage("the key in KEY_WITH_A_BLANK holds a character that no key has")
	s.Configure(map[string]any{"galley": map[string]any{"model.model": "", "model.api_key_env": ""}})
	s.h.user("config.yaml", "model: {base_url: http://localhost:1/v1}\n")
	s.answer() // by which time all has been read
	s.Look(func(sc *lsptest.Screen) {
		said := 0
		for _, m := range sc.Messages {
			if strings.HasPrefix(m.Text, "model.model is not set") {
				said++
			}
		}
		if said != 1 {
			t.Errorf("it was said %d times\n%s", said, sc)
		}
	})
}

// What was learnt of a model's window before is known before its next run, and stays known when settings are read again.
func TestServeKnowsALearntWindow(t *testing.T) {
	s := newServed(t)
	const url = "http://localhost:1/v1"
	cache, err := settings.CacheDir()
	if err == nil {
		err = settings.WriteLearnt(cache, settings.LearntKey(url, "m"), openai.Profile{ContextWindow: 8192})
	}
	if err != nil {
		t.Fatal(err)
	}
	s.h.user("config.yaml", "model: {base_url: "+url+", model: m}\n")
	s.start()
	if _, err := s.Execute(t.Context(), "galley.newSession"); err != nil {
		t.Fatal(err)
	}
	for _, more := range []string{"", "ui.icons: false\nui.icon: true\n"} {
		if more != "" {
			s.h.user("config.yaml", "model: {base_url: "+url+", model: m}\n"+more)
			s.awaitMessage("ui.icon", "did you mean ui.icons?")
		}
		raw, err := s.Execute(t.Context(), "galley.context")
		var now struct{ TokensMax int }
		if err = errors.Join(err, json.Unmarshal(raw, &now)); err != nil || now.TokensMax != 8192 {
			t.Errorf("%v, the window is %d", err, now.TokensMax)
		}
	}
}

// The editor's settings go over the files, and the environment over the editor's.
func TestServeKnowsWhoComesFirst(t *testing.T) {
	s := newServed(t)
	url := speaker(t)
	t.Setenv("KEY_OF_FILE", "file")
	t.Setenv("KEY_OF_EDITOR", "editor")
	s.h.user("config.yaml", "model: {base_url: "+url+", model: file, api_key_env: KEY_OF_FILE}\n")
	s.init.Options = map[string]any{"model": map[string]any{"model": "options"}}
	s.init.Settings = map[string]any{"galley": map[string]any{"model.api_key_env": "KEY_OF_EDITOR"}}
	s.start()
	s.awaitAnswer("I am options, editor")
	s.Configure(map[string]any{"galley": map[string]any{"model": map[string]any{"model": "editor"}}})
	s.awaitAnswer("I am editor, file")

	again := newServed(t)
	again.h.user("config.yaml", "model: {base_url: "+url+"}\n")
	again.init.Options = map[string]any{"model.model": "options"}
	again.env = []string{"GALLEY_MODEL_MODEL=variable"}
	again.start()
	again.awaitAnswer("I am variable")
}

// An editor may say that its user trusts the workspace.
func TestServeTrusts(t *testing.T) {
	s := newServed(t)
	s.own("config.yaml", "model: {base_url: "+speaker(t)+", model: own}\n")
	s.init.Options = map[string]any{"trusted": true}
	s.start()
	if got := s.answer(); !strings.Contains(got, "I am own") {
		t.Errorf("the answer is %q", got)
	}
	s.Look(func(sc *lsptest.Screen) {
		if sc.Message("trust") {
			t.Error(sc)
		}
	})
}
