package agent_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/agent/openai/openaitest"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/lsp"
	"github.com/galley-ls/galley/lsp/dial"
	"github.com/galley-ls/galley/memory"
)

// whose is what two sessions differ in.
var whose = regexp.MustCompile(`session_id: \w+\\nlast_updated: \\"[^"]*"\\nproject:\\n  name: \\"\d+\\"|\\"tokens_used\\": \d+`)

// The model is asked the same near and far, byte for byte, and the person is told the same.
func TestFarAsNear(t *testing.T) {
	var bodies, events [2][]string
	for i, far := range []bool{false, true} {
		l := newLab(t, openaitest.Script{Replies: longWalk()})
		l.far = far
		if out, err := l.run(context.Background(), "edit f.txt"); err != nil || out.Reason != agent.Done {
			t.Fatalf("%+v %v\n%s", out, err, l.told())
		}
		address := strings.TrimSuffix(strings.TrimPrefix(l.server.URL(), "http://"), "/v1")
		for _, r := range l.server.Requests() {
			bodies[i] = append(bodies[i], whose.ReplaceAllString(string(r.Body), "…"))
		}
		for _, e := range l.events {
			events[i] = append(events[i], strings.ReplaceAll(fmt.Sprintf("%s %+v", e.Kind(), e), address, "the server"))
		}
		l.hangUp()
	}
	if len(bodies[0]) < 4 || len(bodies[0]) != len(bodies[1]) || len(events[0]) != len(events[1]) {
		t.Fatalf("%d requests and %d events near, far %d and %d", len(bodies[0]), len(events[0]), len(bodies[1]), len(events[1]))
	}
	for i, near := range slices.Concat(bodies[0], events[0]) {
		if far := slices.Concat(bodies[1], events[1])[i]; near != far {
			at := 0
			for at < min(len(near), len(far)) && near[at] == far[at] {
				at++
			}
			t.Errorf("near\n…%.200s\nfar\n…%.200s", near[max(0, at-50):], far[max(0, at-50):])
		}
	}
}

// The connection ends at every event of a run: its asker says why it failed, and the session goes on with another.
func TestConnectionEndsAtEveryEvent(t *testing.T) {
	l := newLab(t, openaitest.Script{Replies: longWalk()})
	l.far = true
	if out, err := l.run(context.Background(), "edit f.txt"); err != nil || out.Reason != agent.Done {
		t.Fatalf("%+v %v\n%s", out, err, l.told())
	}
	l.hangUp()
	for n, e := range l.events[:len(l.events)-1] {
		t.Run(fmt.Sprintf("%d %s", n, e.Kind()), func(t *testing.T) {
			t.Parallel()
			l := newLab(t, openaitest.Script{Replies: longWalk()})
			l.far = true
			seen := 0
			l.during = func(agent.Event) {
				if seen++; seen == n+1 {
					l.cut()
				}
			}
			if _, err := l.run(context.Background(), "edit f.txt"); err == nil || !strings.Contains(err.Error(), "the process that holds the workspace is gone; what is staged stays staged") {
				t.Errorf("it ended with %v\n%s", err, l.told())
			}
			l.during = nil
			l.resume(longWalk())
		})
	}
}

// Another process takes over the workspace at every event of a run, which goes on and misses nothing.
func TestHostIsReplacedAtEveryEvent(t *testing.T) {
	l := newLab(t, openaitest.Script{Replies: longWalk()})
	l.far, l.again = true, true
	if out, err := l.run(context.Background(), "edit f.txt"); err != nil || out.Reason != agent.Done {
		t.Fatalf("%+v %v\n%s", out, err, l.told())
	}
	l.hangUp()
	for n, e := range l.events[:len(l.events)-1] {
		t.Run(fmt.Sprintf("%d %s", n, e.Kind()), func(t *testing.T) {
			t.Parallel()
			l := newLab(t, openaitest.Script{Replies: longWalk()})
			l.far, l.again = true, true
			seen := 0
			l.during = func(agent.Event) {
				if seen++; seen == n+1 {
					l.replace()
				}
			}
			out, err := l.run(context.Background(), "edit f.txt")
			if err != nil || out.Reason != agent.Done {
				t.Fatalf("%+v %v\n%s", out, err, l.told())
			}
			for _, r := range l.server.Requests() {
				if strings.Contains(string(r.Body), "no result: this call was cut off") {
					t.Errorf("an answer was lost\n%s", r.Body)
				}
			}
			if got, want := l.proposed(), edited(longWalk()); got != want {
				t.Errorf("staged is\n%swant\n%s", got, want)
			}
			l.hangUp()
		})
	}
}

// What a host has done that ended before it said so is not done again by the next one.
func TestRequestsAreRepeated(t *testing.T) {
	a := newAway(t, map[string]string{"a.txt": "one\ntwo\n"}, nil)
	d := dial.Config{Config: a.cfg, Ask: map[string]string{"prompt": "go"}, Again: func(context.Context) (*dial.Conn, error) {
		c, _ := a.client(lsp.Attach{Kind: "terminal"})
		return c, nil
	}}
	c, _ := a.client(lsp.Attach{Kind: "terminal"})
	run, _, err := c.Open(context.Background(), d)
	must(t, err)
	defer func() {
		_, err := run.End(func(r *host.Run) bool { r.State = host.RunDone; return false }, nil)
		must(t, err)
	}()
	twice := func(do func() error) {
		t.Helper()
		must(t, do())
		a.replace(a.own)
		must(t, do())
	}
	stage := farCall("c1", "memory_notebook_replace", `{"path":"a.txt","old_text":"one","new_text":"1"}`)
	note := farCall("c2", "write", `{"path":"working-memory/detail/n.md","content":"a note\n"}`)
	read := farCall("c3", "memo_read", `{"path":"a.txt"}`)
	twice(func() error { return run.Prompt("please") })
	twice(func() error { return run.Reply(farCalls(stage, note, read), memory.Usage{Output: 5}) })
	var answers []string
	for _, call := range []memory.ToolCall{stage, note, read} {
		twice(func() error {
			got, err := run.Call(context.Background(), call)
			answers = append(answers, got.Content)
			return err
		})
		twice(func() error { return run.Answer(call, "answer of "+call.ID) })
	}
	if !strings.Contains(answers[1], "its answer was lost") || !strings.Contains(answers[3], "its answer was lost") || answers[4] != answers[5] {
		t.Errorf("answered: %q", answers)
	}
	if got := len(a.Workspace().Snapshot().Changes()); got != 1 {
		t.Errorf("there are %d letters", got)
	}
	body, _, err := run.Request()
	must(t, err)
	said := fmt.Sprint(body.Messages)
	wantIn(t, said, "answer of c1", "answer of c2", "answer of c3")
	wantNot(t, said, "no result")
	if strings.Count(said, "please") != 1 {
		t.Errorf("the prompt is there twice: %s", said)
	}
	if note, err := a.Document(context.Background(), run.ID(), "detail/n.md"); err != nil || strings.Count(note, "a note") != 1 {
		t.Errorf("the note is %q: %v", note, err)
	}
}

// away is a host with files in its workspace.
type away struct {
	*holder
	home, dir string
	own, cfg  session.Config // the host's, and those of its askers
}

func newAway(t testing.TB, files map[string]string, change func(*session.Config)) *away {
	t.Helper()
	a := &away{home: t.TempDir(), dir: t.TempDir()}
	for name, content := range files {
		must(t, os.WriteFile(filepath.Join(a.dir, name), []byte(content), 0o600))
	}
	a.cfg = session.Config{Home: a.home, Workspace: a.dir, Specs: tools.Specs(tools.Options{}), Model: "far"}
	a.own = a.cfg
	if change != nil {
		change(&a.cfg)
	}
	a.holder = holds(t, a.own)
	t.Cleanup(a.close)
	return a
}

// ask has a client work on a prompt, or anything else that galley.ask takes.
func (a *away) ask(ctx context.Context, c *dial.Conn, m model.Model, ask any) (agent.Outcome, error) {
	prompt, _ := ask.(string)
	if prompt != "" {
		ask = map[string]string{"prompt": prompt}
	}
	return asked(ctx, c, dial.Config{Config: a.cfg, Ask: ask}, agent.RunConfig{Model: m, Prompt: prompt}, nil)
}

// until waits for the only run to be as is asked.
func (a *away) until(what string, cond func(host.Run) bool) host.Run {
	a.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), hang)
	defer cancel()
	for seq := int64(-1); ; {
		runs, now, err := a.WaitRuns(ctx, seq)
		if err != nil {
			a.t.Fatalf("%s: %v", what, err)
		}
		for _, r := range runs {
			if cond(r) {
				return r
			}
		}
		seq = now
	}
}

// farCalls is a reply with calls.
func farCalls(calls ...memory.ToolCall) memory.Message {
	return memory.Message{Role: memory.RoleAssistant, ToolCalls: calls}
}

func farCall(id, name, arguments string) memory.ToolCall {
	return memory.ToolCall{ID: id, Name: name, Arguments: arguments}
}

// A command runs at the asker, with its consent and in its environment; what it did to the files is known to the session.
func TestFarCommand(t *testing.T) {
	var askedFor []session.Command
	var a *away
	a = newAway(t, map[string]string{"a.txt": "one\ntwo\nthree\n"}, func(cfg *session.Config) {
		cfg.Specs = tools.Specs(tools.Options{Commands: true})
		cfg.Commands = session.CommandsAsk
		cfg.Confirm = func(_ context.Context, c session.Command) (bool, error) {
			askedFor = append(askedFor, c)
			a.until("the question", func(r host.Run) bool {
				return r.State == host.RunWaiting && r.Waiting == fmt.Sprintf("your word about a command: %s (in %s)", c.Text, a.dir)
			})
			return len(askedFor) == 1, nil
		}
	})
	c, _ := a.client(lsp.Attach{Kind: "terminal"})
	m := &scripted{replies: []memory.Message{
		farCalls(farCall("c1", "memory_notebook_replace", `{"path":"a.txt","old_text":"two","new_text":"2"}`)),
		farCalls(farCall("c2", "run_command", `{"command":"echo hello; sed -i s/one/ONE/ a.txt"}`)),
		farCalls(farCall("c3", "run_command", `{"command":"touch ran"}`)),
		{Content: "done"},
	}}
	out, err := a.ask(context.Background(), c, m, "go")
	must(t, err)
	if out.Reason != agent.Done || len(askedFor) != 2 || askedFor[0].Text != "echo hello; sed -i s/one/ONE/ a.txt" || askedFor[0].Session == "" {
		t.Fatalf("%+v, asked %+v", out, askedFor)
	}
	if _, err := os.Stat(filepath.Join(a.dir, "ran")); err == nil {
		t.Error("the command ran that the user said no to")
	}
	last := fmt.Sprint(m.asked[len(m.asked)-1].Messages)
	wantIn(t, last, `"output":"hello\n"`, `"changed_files":[{"path":"a.txt","change":"changed"}]`, "A is staged, not on disk", "your command changed a.txt at line 1", "the user did not let this command run")
	if _, ok := a.Workspace().Snapshot().Change("A"); !ok {
		t.Error("the letter is lost")
	}
	history, err := a.Document(context.Background(), "", "history.md")
	must(t, err)
	wantIn(t, history, "echo hello; sed -i s/one/ONE/ a.txt")
}

// A run waits for as long as its user is asked, whatever its asker had told before and is heard of late.
func TestToldWhileAsked(t *testing.T) {
	a := newAway(t, nil, nil)
	c, _ := a.client(lsp.Attach{Kind: "terminal"})
	run, _, err := c.Open(context.Background(), dial.Config{Config: a.cfg, Ask: map[string]string{"prompt": "go"}})
	must(t, err)
	confirmed := make(chan bool)
	go func() {
		yes, _ := run.Confirm(context.Background(), session.Command{Text: "make", Dir: "."})
		confirmed <- yes
	}()
	a.until("the question", func(r host.Run) bool { return r.State == host.RunWaiting })
	run.Tell(func(r *host.Run) bool {
		r.Goes(host.RunTool, "run_command")
		r.Step = 7
		return true
	})
	if r := a.until("what was told", func(r host.Run) bool { return r.Step == 7 }); r.State != host.RunWaiting || !strings.Contains(r.Waiting, "make") {
		t.Errorf("%+v", r)
	}
	must(t, a.Answer(context.Background(), "question-1", true, ""))
	if !<-confirmed {
		t.Error("the answer was lost")
	}
	a.until("the command", func(r host.Run) bool { return r.State == host.RunTool && r.Tool == "run_command" })
	_, err = run.End(func(r *host.Run) bool { r.State = host.RunDone; return false }, nil)
	must(t, err)
}

// The host runs no command, whoever asks it to.
func TestHostRunsNoCommand(t *testing.T) {
	a := newAway(t, nil, func(cfg *session.Config) { cfg.Commands = session.CommandsAllow })
	c, _ := a.client(lsp.Attach{Kind: "terminal"})
	run, _, err := c.Open(context.Background(), dial.Config{Config: a.cfg, Ask: map[string]string{"prompt": "go"}})
	must(t, err)
	call := farCall("c1", "run_command", `{"command":"touch ran"}`)
	must(t, run.Reply(farCalls(call), memory.Usage{}))
	if got, err := run.Call(context.Background(), call); err != nil || got.Status != "refused" {
		t.Errorf("%+v %v", got, err)
	}
	if _, err := os.Stat(filepath.Join(a.dir, "ran")); err == nil {
		t.Error("it ran")
	}
}

// The same call again is answered, and made once, also while it is made; the next reply has ids of its own.
func TestRepeatedCall(t *testing.T) {
	a := newAway(t, map[string]string{"a.txt": "line 1\nfar\nline 2\n"}, nil)
	c, _ := a.client(lsp.Attach{Kind: "terminal"})
	run, _, err := c.Open(context.Background(), dial.Config{Config: a.cfg, Ask: map[string]string{"prompt": "go"}})
	must(t, err)
	for letters := 1; letters <= 2; letters++ {
		stage := farCall("c1", "memory_notebook_replace", fmt.Sprintf(`{"path":"a.txt","old_text":"line %d","new_text":"LINE"}`, letters))
		must(t, run.Reply(farCalls(stage), memory.Usage{}))
		answers := make(chan host.Answer, 3)
		for range cap(answers) {
			go func() {
				got, err := run.Call(context.Background(), stage)
				if err != nil {
					t.Error(err)
				}
				answers <- got
			}()
		}
		first := <-answers
		for range cap(answers) - 1 {
			if again := <-answers; again.Content != first.Content || again.Status != "editing" {
				t.Errorf("%+v, and again %+v", first, again)
			}
		}
		must(t, run.Answer(stage, first.Content))
		if got := len(a.Workspace().Snapshot().Changes()); got != letters {
			t.Errorf("%d letters after %d replies", got, letters)
		}
	}
}

// Two prompts at one session: the run that goes on hears both, whoever says them.
func TestTwoAskersOfOneSession(t *testing.T) {
	a := newAway(t, nil, nil)
	first, _ := a.client(lsp.Attach{Kind: "terminal"})
	second, _ := a.client(lsp.Attach{Kind: "terminal"})
	m, entered, let := waiting()
	over := make(chan error, 1)
	go func() {
		out, err := a.ask(context.Background(), first, m, "the first")
		if err == nil && (out.Reason != agent.Done || out.Iterations != 3 || len(out.Left) > 0) {
			err = fmt.Errorf("it ended as %+v", out)
		}
		over <- err
	}()
	<-entered
	for _, ask := range []map[string]any{{"prompt": "the last", "queue": true, "session": a.Current()}, {"prompt": "the second", "session": a.Current()}} {
		_, joined, err := second.Open(context.Background(), dial.Config{Config: a.cfg, Ask: ask})
		if err != nil || !joined {
			t.Fatalf("joined %v, %v", joined, err)
		}
	}
	if _, _, err := second.Open(context.Background(), dial.Config{Config: a.cfg, Ask: map[string]any{"session": a.Current()}}); err == nil || !strings.Contains(err.Error(), "works in session") {
		t.Errorf("going on where a run goes on: %v", err)
	}
	close(let)
	must(t, <-over)
	history, err := a.Document(context.Background(), "", "history.md")
	must(t, err)
	one, two, three := strings.Index(history, "the first"), strings.Index(history, "the second"), strings.Index(history, "the last")
	if one < 0 || two < one || three < two {
		t.Errorf("the run heard\n%s", history)
	}
}

// Anybody may call a run off, and everybody sees how it stands.
func TestFarRunIsSeenAndCancelled(t *testing.T) {
	a := newAway(t, nil, nil)
	c, _ := a.client(lsp.Attach{Kind: "terminal"})
	entered := make(chan struct{})
	m := acting{"far", func(ctx context.Context, _ memory.Request, show func(model.Delta)) (model.Reply, error) {
		show(model.Delta{Text: "I think about "})
		close(entered)
		<-ctx.Done()
		return model.Reply{}, ctx.Err()
	}}
	over := make(chan error, 1)
	go func() {
		out, err := a.ask(context.Background(), c, m, "go")
		switch {
		case err != nil && strings.Contains(err.Error(), "run-1 is over"): // it was so when the reply came
			err = nil
		case err == nil && out.Reason != agent.Cancelled:
			err = fmt.Errorf("it ended as %+v", out)
		}
		over <- err
	}()
	<-entered
	r := a.until("its words", func(r host.Run) bool { return r.Text == "I think about " })
	if r.State != host.RunThinking || r.Step != 1 || r.Percent == 0 && r.Session == "" {
		t.Errorf("%+v", r)
	}
	must(t, a.Cancel(context.Background(), r.ID))
	must(t, <-over)
	if r = a.until("its end", func(r host.Run) bool { return r.State.Over() }); r.State != host.RunCancelled {
		t.Errorf("%+v", r)
	}
}

// An asker that goes ends its run as by a cancel, and the session is another's at once.
func TestAskerGoes(t *testing.T) {
	a := newAway(t, map[string]string{"a.txt": "one\n"}, nil)
	c, cut := a.client(lsp.Attach{Kind: "terminal"})
	m, entered, let := waiting()
	over := make(chan error, 1)
	go func() {
		_, err := a.ask(context.Background(), c, m, "the first")
		over <- err
	}()
	<-entered
	cut()
	if r := a.until("its end", func(r host.Run) bool { return r.State.Over() }); r.State != host.RunCancelled {
		t.Errorf("%+v", r)
	}
	close(let)
	if err := <-over; err == nil {
		t.Error("the asker heard nothing of it")
	}
	other, _ := a.client(lsp.Attach{Kind: "terminal"})
	out, err := a.ask(context.Background(), other, &scripted{replies: []memory.Message{{Content: "here"}}}, "go on")
	if err != nil || out.Reason != agent.Done {
		t.Errorf("%+v %v", out, err)
	}
}

// A host that ends does not wait for askers, whatever they do; the session is sound.
func TestHostEndsAmongRuns(t *testing.T) {
	a := newAway(t, map[string]string{"a.txt": "one\n"}, nil)
	c, _ := a.client(lsp.Attach{Kind: "terminal"})
	m, entered, let := waiting()
	over := make(chan error, 1)
	go func() {
		out, err := a.ask(context.Background(), c, m, "the first")
		switch {
		case err != nil && strings.Contains(err.Error(), "run-1 is over"): // it was so when the reply came
			err = nil
		case err == nil && out.Reason != agent.Cancelled:
			err = fmt.Errorf("it ended as %+v", out)
		}
		over <- err
	}()
	<-entered
	must(t, a.Host.Close())
	close(let)
	must(t, <-over)
	again := holds(t, session.Config{Home: a.home, Workspace: a.dir})
	defer again.close()
	all, err := again.Sessions(context.Background())
	must(t, err)
	if len(all) != 1 {
		t.Fatalf("there are %d sessions", len(all))
	}
	must(t, again.OpenSession(context.Background(), all[0].ID, false))
}

// What a client wants to be hidden is in no file of the host's, in no request and in nothing that others are told, though
// another client's run brings it in.
func TestAnnouncedKeyIsNowhere(t *testing.T) {
	const key = "sk-proj-Zq7distinctive0815keyOfAnother"
	a := newAway(t, map[string]string{"key.txt": "key = " + key + "\nrest\n"}, func(cfg *session.Config) {
		cfg.Commands = session.CommandsAllow
	})
	works, _ := a.client(lsp.Attach{Kind: "terminal"})
	m := &scripted{replies: []memory.Message{
		{Content: "I use " + key + " now.", Reasoning: key, ToolCalls: []memory.ToolCall{
			farCall("c1", "memo_read", `{"path":"key.txt"}`),
			farCall("c2", "run_command", `{"command":"cat key.txt"}`),
			farCall("c3", "write", `{"path":"working-memory/detail/n.md","content":"`+key+`"}`),
			farCall("c4", "memory_notebook_replace", `{"path":"key.txt","old_text":"rest","new_text":"`+key+`"}`),
		}},
		{Content: "It is " + key},
	}}
	_, err := a.ask(context.Background(), works, &scripted{replies: []memory.Message{{Content: "ready"}}}, "begin") // the session is open already
	must(t, err)
	a.client(lsp.Attach{Kind: "editor", Mask: []string{key}})
	_, err = a.ask(context.Background(), works, m, "please use "+key)
	must(t, err)
	for _, req := range m.asked {
		if strings.Contains(fmt.Sprint(req), key) {
			t.Errorf("the model is asked %v", req)
		}
	}
	runs, _, err := a.WaitRuns(context.Background(), -1)
	must(t, err)
	if told := fmt.Sprint(runs); strings.Contains(told, key) || !strings.Contains(told, "It is [secret]") {
		t.Errorf("others are told %s", told)
	}
	must(t, filepath.WalkDir(a.home, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if strings.Contains(string(content), key) {
			t.Errorf("the key is in %s", path)
		}
		return err
	}))
}

// Summaries, key decisions and reviews are the asker's.
func TestAskerIsAsked(t *testing.T) {
	var summed, decided string
	a := newAway(t, map[string]string{"a.txt": "one\n"}, func(cfg *session.Config) {
		cfg.Review = editing.Wait
		cfg.Summarize = func(_ context.Context, text string) (string, memory.Usage, error) {
			summed = text
			return "", memory.Usage{Input: 7}, errors.New("the server is away")
		}
		cfg.Decisions = func(_ context.Context, text string) ([]string, memory.Usage, error) {
			decided = text
			return []string{"always count from one"}, memory.Usage{}, nil
		}
	})
	c, _ := a.client(lsp.Attach{Kind: "terminal"})
	var replies []memory.Message
	for i := range 8 {
		replies = append(replies, memory.Message{Content: strings.Repeat(fmt.Sprintf("words %d ", i), 60)})
	}
	for i := range replies {
		_, err := a.ask(context.Background(), c, &scripted{replies: replies[i : i+1]}, fmt.Sprintf("wish %d: always count from one", i))
		must(t, err)
	}
	m := &scripted{replies: []memory.Message{
		farCalls(farCall("c1", "compact_history", `{"target":"conversation","strategy":"summarize","keep_recent":1}`)),
		farCalls(farCall("c2", "memory_notebook_replace", `{"path":"a.txt","old_text":"one","new_text":"1"}`)),
		farCalls(farCall("c3", "memo_commit", `{"summary":"digits"}`)),
		{Content: "done"},
	}}
	reviewed := 0
	d := dial.Config{Config: a.cfg, Ask: map[string]string{"prompt": "always count from one"}, Review: func(ctx context.Context, id string, edit int) error {
		reviewed = edit
		_, err := a.Apply(ctx, 0, editing.Letters("A"))
		return err
	}}
	said := ""
	out, err := asked(context.Background(), c, d, agent.RunConfig{Model: m, Prompt: "always count from one", Events: func(e agent.Event) {
		if e, ok := e.(agent.ToolFinished); ok {
			said += e.Answer + "\n"
		}
	}}, nil)
	must(t, err)
	if out.Reason != agent.Done || !strings.Contains(summed, "words 3") || !strings.Contains(decided, "count from one") || reviewed != 1 {
		t.Errorf("%+v, summed up %.80q, decided %.80q, reviewed #%d", out, summed, decided, reviewed)
	}
	wantIn(t, said, "the server is away", `"status":"committed"`)
	raw, err := os.ReadFile(filepath.Join(a.dir, "a.txt"))
	must(t, err)
	wantFile(t, string(raw), "1\n")
}

// The settings of a run hold while it goes on, whatever else changes; about files they are the stricter ones.
func TestSettingsOfAFarRun(t *testing.T) {
	a := newAway(t, map[string]string{"a.txt": "one\n", ".env": "PORT=1\n", "b.txt": "b\n"}, func(cfg *session.Config) {
		cfg.System, cfg.Window = "You are far.", 50_000
		cfg.Specs = []memory.ToolSpec{{Name: "write", Parameters: json.RawMessage(`{"x":"far"}`)}}
		cfg.Deny, cfg.AllowRead = []string{"b.txt", "!c.txt"}, []string{".env"}
	})
	a.SetSession(func(cfg *session.Config) { cfg.Deny = []string{"c.txt"} })
	c, _ := a.client(lsp.Attach{Kind: "terminal"})
	asks := func(m model.Model) {
		_, err := a.ask(context.Background(), c, m, "go")
		must(t, err)
	}
	stage := func(id, path string) memory.ToolCall {
		return farCall(id, "write", `{"path":"`+path+`","content":"x\n"}`)
	}
	m := &scripted{replies: []memory.Message{
		farCalls(stage("c1", "b.txt"), stage("c2", "c.txt"), stage("c3", "d.txt"), farCall("c4", "memo_read", `{"path":".env"}`)),
		{Content: "done"},
	}}
	first := true
	asks(acting{"far", func(ctx context.Context, req memory.Request, show func(model.Delta)) (model.Reply, error) {
		if first {
			first = false
			a.SetSession(func(cfg *session.Config) { cfg.System = "You are near." })
		}
		return m.Stream(ctx, req, show)
	}})
	last := fmt.Sprint(m.asked[len(m.asked)-1].Messages)
	wantIn(t, last, "You are far.")
	if offered := m.asked[0].Tools; len(offered) != 1 || string(offered[0].Parameters) != `{"x":"far"}` {
		t.Errorf("the model is offered %v", offered)
	}
	wantNot(t, last, "You are near.", "PORT=1")
	var staged []string
	for _, change := range a.Workspace().Snapshot().Changes() {
		staged = append(staged, change.Name)
	}
	if !slices.Equal(staged, []string{"d.txt"}) {
		t.Errorf("staged: %q", staged)
	}
	page, err := a.Document(context.Background(), "", "prompt.md")
	must(t, err)
	wantIn(t, page, "You are near.")
	for i, spec := range tools.Specs(tools.Options{}) {
		if own := a.own.Specs[i]; own.Name != spec.Name || !bytes.Equal(own.Parameters, spec.Parameters) {
			t.Errorf("the host's own tool is %s %s now", own.Name, own.Parameters)
		}
	}
}

// BenchmarkStep is what a step costs, with a call, near and over the wire, behind a long conversation.
func BenchmarkStep(b *testing.B) {
	for _, far := range []bool{false, true} {
		name := map[bool]string{false: "near", true: "over-the-wire"}[far]
		b.Run(name, func(b *testing.B) {
			dir := b.TempDir()
			must(b, os.WriteFile(filepath.Join(dir, "f.txt"), []byte(strings.Repeat("a line\n", 2000)), 0o600))
			cfg := session.Config{Home: b.TempDir(), Workspace: dir, Specs: tools.Specs(tools.Options{}), Model: "caller", History: memory.HistoryAlways, Window: 1_000_000}
			step := 0
			m := acting{"caller", func(context.Context, memory.Request, func(model.Delta)) (model.Reply, error) {
				step++
				r := model.Reply{Message: memory.Message{Content: "done"}, Finish: model.FinishStop}
				if step <= 40+b.N {
					if step == 40 {
						b.ResetTimer()
					}
					r.Message = farCalls(farCall(fmt.Sprint("c", step), "memo_read", fmt.Sprintf(`{"path":"f.txt","start_line":%d,"end_line":%d}`, step, step+20)))
				}
				return r, nil
			}}
			run := agent.RunConfig{Model: m, Prompt: "go", MaxIterations: 100 + b.N}
			if far {
				h := holds(b, cfg)
				defer h.close()
				c, _ := h.client(lsp.Attach{Kind: "terminal"})
				_, err := asked(context.Background(), c, dial.Config{Config: cfg, Ask: map[string]string{"prompt": "go"}}, run, nil)
				must(b, err)
				return
			}
			s, err := session.Open(cfg)
			must(b, err)
			defer s.Close()
			run.Session = agent.Local{Session: s}
			_, err = agent.Run(context.Background(), run)
			must(b, err)
		})
	}
}
