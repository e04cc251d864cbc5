package lsp

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/galley-ls/galley/agent/host"
)

const asking = "window/showMessageRequest"

// wants lays commands open for the user's word.
func (w *wire) wants(questions ...host.Question) {
	w.host.bump(func() { w.host.questions = questions })
}

// answered waits until the host has heard an answer that begins so.
func (w *wire) answered(want string) {
	w.t.Helper()
	limit := time.After(generous)
	for {
		w.host.mu.Lock()
		wake, log := w.host.wake, slices.Clone(w.host.log)
		w.host.mu.Unlock()
		if slices.ContainsFunc(log, func(line string) bool { return strings.HasPrefix(line, want) }) {
			return
		}
		select {
		case <-wake:
		case <-limit:
			w.t.Fatalf("waited too long for %q, the host heard %q; the wire says:\n%s", want, log, w.dump())
		}
	}
}

var goTest = host.Question{ID: "q1", Run: "run-1", Session: agentSession, Command: "go test ./...", Dir: "/ws/sub"}

func TestConsent(t *testing.T) {
	title := func(s string) any { return map[string]string{"title": s} }
	for _, row := range []struct {
		name   string
		answer any
		want   string
	}{
		{"run", title("Run"), "answer q1 true"},
		{"do not run", title("Don't run"), "answer q1 false"},
		{"dismissed", json.RawMessage("null"), "answer q1 false"},
		{"an error", errors.New("no"), "answer q1 false"},
		{"another word", title("run"), "answer q1 false"},
		{"no title", json.RawMessage(`"Run"`), "answer q1 false"},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := dial(t, dialOptions{caps: literals})
			w.on(asking, func(json.RawMessage) any { return row.answer })
			w.wants(goTest)
			w.answered(row.want)
			q := string(w.awaitMessage(asking, has("go test")))
			for _, part := range []string{`in /ws/sub?\n\ngo test ./...`, `"actions":[{"title":"Don't run"},{"title":"Run"}]`} {
				if !strings.Contains(q, part) {
					t.Errorf("the question lacks %s: %s", part, q)
				}
			}
		})
	}
}

// A client that asks by itself gets the command apart from the question.
func TestConsentByQuestion(t *testing.T) {
	for answer, want := range map[string]string{
		`{"answer":"Run"}`: "answer q1 true", `{"answer":"Don't run"}`: "answer q1 false", `{"answer":""}`: "answer q1 false",
		`null`: "answer q1 false", `"Run"`: "answer q1 false", `{"title":"Run"}`: "answer q1 false",
	} {
		w := dial(t, dialOptions{caps: `{"experimental":{"galley":{"questions":true}}}`})
		w.on(methodQuestion, func(json.RawMessage) any { return json.RawMessage(answer) })
		w.wants(goTest)
		w.answered(want)
		q := string(w.awaitMessage(methodQuestion, has("go test")))
		if !strings.Contains(q, `"run":"run-1","text":"galley: may the agent run this command in /ws/sub?","command":"go test ./...","options":["Don't run","Run"]`) {
			t.Errorf("the question is %s", q)
		}
	}
}

func TestConsentOfNobody(t *testing.T) {
	never := func(json.RawMessage) any { return nil }
	t.Run("an editor that cannot ask", func(t *testing.T) {
		w := dial(t, dialOptions{caps: applies})
		w.wants(goTest)
		w.answered("answer q1 false their editor cannot ask them")
		w.awaitMessage("window/showMessage", has("this editor cannot ask you; set tools.run_command to allow or off. It was, in /ws/sub: go test ./..."))
		if w.count(asking) != 0 {
			t.Error(w.dump())
		}
	})
	t.Run("no answer", func(t *testing.T) {
		w := dial(t, dialOptions{caps: literals, cfg: Config{Consent: time.Millisecond}})
		w.on(asking, never)
		w.wants(goTest)
		w.answered("answer q1 false nobody answered for 1ms")
		w.awaitMessage("window/showMessage", has("since nobody answered for 1ms: go test ./..."))
		w.awaitMessage("$/cancelRequest", has("id"))
	})
	t.Run("withdrawn, and the next one", func(t *testing.T) {
		w := dial(t, dialOptions{caps: literals})
		w.on(asking, never)
		w.wants(goTest)
		w.awaitMessage(asking, has("go test"))
		w.on(asking, func(json.RawMessage) any { return map[string]string{"title": "Run"} })
		w.wants(host.Question{ID: "q2", Command: "make", Dir: "/ws"})
		w.awaitMessage("$/cancelRequest", has("id"))
		w.answered("answer q2 true")
		if w.count("window/showMessage") != 0 {
			t.Error(w.dump())
		}
	})
	t.Run("the connection ends", func(t *testing.T) {
		w := dial(t, dialOptions{caps: literals})
		w.on(asking, never)
		w.wants(goTest, host.Question{ID: "q2", Command: "make", Dir: "/ws"})
		w.awaitMessage(asking, has("go test"))
		_ = w.conn.Close()
		w.answered("answer q1 false")
		w.answered("answer q2 false")
	})
}

func TestConsentQueues(t *testing.T) {
	w := dial(t, dialOptions{caps: literals})
	let := make(chan bool)
	w.on(asking, func(json.RawMessage) any {
		<-let
		return map[string]string{"title": "Run"}
	})
	w.wants(goTest, host.Question{ID: "q2", Command: "make", Dir: "/ws"})
	w.awaitMessage(asking, has("go test"))
	w.host.bump(func() {
		w.host.questions = append(slices.Clone(w.host.questions), host.Question{ID: "q3", Command: "ls", Dir: "/ws"})
	})
	w.sync()
	if n := w.count(asking); n != 1 {
		t.Errorf("%d questions at a time", n)
	}
	for _, want := range []string{"answer q1 true", "answer q2 true", "answer q3 true"} {
		let <- true
		w.answered(want)
	}
}

func TestShown(t *testing.T) {
	for text, want := range map[string]string{
		"echo hi":                            "echo hi",
		"a\nb":                               "a↵\nb",
		"a\x1b[2K\rb\tc":                     "a<U+001B>[2K<U+000D>b<U+0009>c",
		"rm \u202e x\u200b":                  "rm <U+202E> x<U+200B>",
		"grün 日本 \xff":                       "grün 日本 \uFFFD",
		strings.Repeat("\x00", 1) + "\u00a0": "<U+0000><U+00A0>",
	} {
		if got := shown(text); got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
	}
}

func TestWaitingRunsAreShown(t *testing.T) {
	caps := strings.Replace(literals, `"general"`, `"experimental":{"galley":{"notifications":true}},"general"`, 1)
	w := dial(t, dialOptions{caps: caps})
	run := func(r host.Run) { w.host.bump(func() { w.host.runs = []host.Run{r} }) }
	run(host.Run{ID: "r", Session: agentSession, By: 1, State: host.RunThinking, Step: 1})
	w.awaitMessage("$/progress", has(`"kind":"begin"`))
	run(host.Run{ID: "r", Session: agentSession, By: 1, State: host.RunWaiting, Step: 2, Text: "said", Waiting: "429 from localhost, again in 4 s"})
	w.awaitMessage("$/progress", has(`step 2: waiting: 429 from localhost, again in 4 s`))
	w.awaitMessage(methodRun, has(`"state":"waiting","step":2,"text":"429 from localhost, again in 4 s"`))
	run(host.Run{ID: "r", Session: agentSession, By: 1, State: host.RunCancelled, Step: 2, Left: []string{"and then", "and last"}})
	w.awaitMessage("window/showMessage", has("over before the agent heard “and then”; ask again"))
	w.awaitMessage("window/showMessage", has("“and last”"))
}

func TestAskQueues(t *testing.T) {
	w := dial(t, dialOptions{})
	w.command(cmdAsk, `{"prompt":"later","queue":true}`)
	w.command(cmdAsk, `{"prompt":"soon"}`)
	if got := w.host.noted(); !slices.Contains(got, "queue later . -1--1") || !slices.Contains(got, "ask soon . -1--1") {
		t.Errorf("the host heard %q", got)
	}
	if m := w.command(cmdContext, `{}`); !strings.Contains(string(m.Result), `"cachedPercent":40`) {
		t.Errorf("%s", m.Result)
	}
}
