package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/agent/openai"
	"github.com/galley-ls/galley/agent/openai/openaitest"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/lsp"
	"github.com/galley-ls/galley/lsp/dial"
	"github.com/galley-ls/galley/memory"
)

// hang is when a run that does not end is called one that hangs. Nothing waits for so long but a failure.
const hang = 2 * time.Minute

// silent are the faults that only the time of day can find out about: they are the only ones that take any.
var silent = []string{"idle_start", "idle_header", "idle", "done_open"}

// silence is for how long a server may be silent in a script with one of them.
const silence = openai.Duration(2 * time.Second)

// lab is a session that works against a scripted server: the loop, the tools, the journal and the client as they are,
// with nothing between them but a clock that does not wait.
type lab struct {
	t    testing.TB
	home string
	dir  string
	id   string // of the session, from the first run on
	far  bool   // another process holds the session, and the loop reaches it over the wire

	want string // f.txt as it must be with all that is staged, whenever the session is opened; "": not looked at

	script  openaitest.Script
	server  *openaitest.Server
	model   model.Model
	profile openai.Profile
	clock   openai.Clock
	events  []agent.Event
	most    int                                                        // iterations of a run; 0: the default
	key     string                                                     // of the server
	during  func(e agent.Event)                                        // hears of every event; may be nil
	around  func(agent.Session) agent.Session                          // of a run; may be nil
	cut     func()                                                     // ends the connection of a run over the wire
	replace func()                                                     // ends the host of a run over the wire, and has another one take over
	again   bool                                                       // such a run goes on where its host is replaced
	confirm func(ctx context.Context, c session.Command) (bool, error) // before commands run; nil: there are none
}

// labLines is how many lines the file f.txt of a lab has; each may be edited once.
const labLines = 24

func labFile() string {
	var b strings.Builder
	for n := range labLines {
		fmt.Fprintf(&b, "line %02d\n", n)
	}
	return b.String()
}

func newLab(t testing.TB, script openaitest.Script) *lab {
	t.Helper()
	l := &lab{t: t, home: t.TempDir(), dir: t.TempDir(), clock: stopwatch{}}
	must(t, os.WriteFile(filepath.Join(l.dir, "f.txt"), []byte(labFile()), 0o600))
	l.serve(script)
	return l
}

// labTools are the tools that scripts call: few, because every request lists them.
func labTools() []memory.ToolSpec {
	return slices.DeleteFunc(tools.Specs(tools.Options{}), func(t memory.ToolSpec) bool {
		return !slices.Contains([]string{"memory_notebook_replace", "memo_preview", "list_files"}, t.Name)
	})
}

// serve has another server take over.
func (l *lab) serve(script openaitest.Script) {
	l.t.Helper()
	l.hangUp()
	script.Fields = []string{"extra_content"} // which an earlier server may have sent
	server, err := openaitest.Start(script)
	must(l.t, err)
	l.script, l.server = script, server
	l.t.Cleanup(server.Close)
	profile := l.profile
	if slices.ContainsFunc(script.Replies, func(r openaitest.Reply) bool { return slices.Contains(silent, r.Fault) }) {
		profile.FirstByteTimeout, profile.IdleTimeout = silence, silence
	}
	l.model, err = openai.New(openai.Config{
		BaseURL: server.URL(), Model: "scripted", Key: l.key, Profile: profile, Clock: l.clock, Random: func() float64 { return 0.5 },
	})
	must(l.t, err)
}

// hangUp ends the server, which must have had nothing to object to.
func (l *lab) hangUp() {
	l.t.Helper()
	if l.server == nil {
		return
	}
	if problems := l.server.Problems(); len(problems) > 0 {
		l.t.Errorf("the server objects: %s\n%s", strings.Join(problems, "\n"), l.told())
	}
	l.server.Close()
}

// run opens the session, lets the model work, and frees the session, as one process would.
func (l *lab) run(ctx context.Context, prompt string) (agent.Outcome, error) {
	l.t.Helper()
	ctx, cancel := context.WithTimeout(ctx, hang)
	defer cancel()
	l.events = nil
	cfg := agent.RunConfig{Model: l.model, Prompt: prompt, MaxIterations: l.most, Events: func(e agent.Event) {
		l.events = append(l.events, e)
		if l.during != nil {
			l.during(e)
		}
	}}
	work := l.near
	if l.far {
		work = l.away
	}
	out, err := work(ctx, cfg)
	if context.Cause(ctx) == context.DeadlineExceeded {
		l.t.Fatalf("the run hangs\n%s", l.told())
	}
	return out, err
}

// near works on a session of this process.
func (l *lab) near(ctx context.Context, cfg agent.RunConfig) (agent.Outcome, error) {
	l.t.Helper()
	s := l.open()
	defer func() { must(l.t, s.Close()) }()
	cfg.Session = agent.Local{Session: s}
	if l.around != nil {
		cfg.Session = l.around(cfg.Session)
	}
	return agent.Run(ctx, cfg)
}

// away works on a session of another process.
func (l *lab) away(ctx context.Context, cfg agent.RunConfig) (agent.Outcome, error) {
	l.t.Helper()
	must(l.t, l.open().Close()) // it is sound, and there
	h := holds(l.t, l.config())
	defer h.close()
	who := lsp.Attach{Kind: "terminal", Mask: []string{l.key}}
	c, cut := h.client(who)
	l.cut, l.replace = cut, func() { h.replace(l.config()) }
	d := dial.Config{Config: l.config(), Ask: map[string]string{"prompt": cfg.Prompt, "session": l.id}}
	if l.again {
		d.Again = func(context.Context) (*dial.Conn, error) {
			c, _ := h.client(who)
			return c, nil
		}
	}
	return asked(ctx, c, d, cfg, l.around)
}

// ways plays a test with a session of this process, and over the wire.
func ways(t *testing.T, play func(t *testing.T, far bool)) {
	t.Run("near", func(t *testing.T) { play(t, false) })
	t.Run("far", func(t *testing.T) { play(t, true) })
}

// open opens the session, whose journal must be sound, with all that was staged.
func (l *lab) open() *session.Session {
	l.t.Helper()
	s, err := session.Open(l.config())
	must(l.t, err)
	l.id = s.ID()
	if w := s.Warnings(); len(w) > 0 {
		l.t.Fatalf("the session is opened with warnings: %q\n%s", w, l.told())
	}
	if l.want == "" {
		return s
	}
	if got := l.staged(s); got != l.want {
		l.t.Fatalf("staged is\n%swant\n%s%s", got, l.want, l.told())
	}
	return s
}

// config are the settings of the session.
func (l *lab) config() session.Config {
	cfg := session.Config{Home: l.home, Workspace: l.dir, ID: l.id, System: "You edit f.txt.", Specs: labTools(), Model: "scripted"}
	cfg.Secrets = []string{l.key}
	if l.confirm != nil {
		cfg.Commands, cfg.Confirm = session.CommandsAsk, l.confirm
	}
	return cfg
}

// proposed is f.txt with all that is staged in it, in a session that is opened for this.
func (l *lab) proposed() string {
	l.t.Helper()
	s := l.open()
	defer func() { must(l.t, s.Close()) }()
	return l.staged(s)
}

func (l *lab) staged(s *session.Session) string {
	l.t.Helper()
	o := tools.Run(context.Background(), s, memory.ToolCall{Name: "memo_read", Arguments: `{"path":"f.txt","line_numbers":false}`})
	if o.Text == nil {
		l.t.Fatalf("f.txt cannot be read: %s", o.JSON())
	}
	return *o.Text
}

// told is what a person needs who reads a failure.
func (l *lab) told() string {
	var b strings.Builder
	b.WriteString("script:\n" + scriptText(l.script))
	b.WriteString("events:\n")
	for _, e := range l.events {
		fields, _ := json.Marshal(e)
		b.WriteString("  " + e.Kind() + " " + string(fields) + "\n")
	}
	return b.String() + "server:\n" + l.server.Dump()
}

func scriptText(script openaitest.Script) string {
	var b strings.Builder
	for _, r := range script.Replies {
		line, _ := json.Marshal(struct {
			Text, Reasoning, Fault string
			Calls                  []openaitest.Call
		}{r.Text, r.Reasoning, r.Fault, r.Calls})
		b.WriteString("  " + string(line) + "\n")
	}
	return b.String()
}

// edit is a call that stages another text for a line, one that no other call has.
func edit(line int) openaitest.Call {
	arguments, _ := json.Marshal(tools.ReplaceArgs{Path: "f.txt", OldText: fmt.Sprintf("line %02d", line), NewText: fmt.Sprintf("LINE %02d", line)})
	return openaitest.Call{Name: "memory_notebook_replace", Arguments: arguments}
}

// look is a call without arguments, which changes nothing.
func look() openaitest.Call { return openaitest.Call{Name: "memo_preview"} }

// peek is a call that changes nothing, with an argument of its own: no two calls of a script are alike.
func peek(n int) openaitest.Call {
	return openaitest.Call{Name: "memo_preview", Arguments: fmt.Appendf(nil, `{"max_length":%d}`, 100+n)}
}

// edited is f.txt with the edits of all calls of some replies.
func edited(replies []openaitest.Reply) string {
	text := labFile()
	for _, r := range replies {
		for _, c := range r.Calls {
			var a tools.ReplaceArgs
			if json.Unmarshal(c.Arguments, &a) == nil && a.OldText != "" {
				text = strings.Replace(text, a.OldText, a.NewText, 1)
			}
		}
	}
	return text
}

// stopwatch is a clock on which nobody waits.
type stopwatch struct{}

func (stopwatch) Now() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }

func (stopwatch) Sleep(ctx context.Context, _ time.Duration) error { return ctx.Err() }

// clearWords reports whether a person can make something of an error.
func clearWords(err error) bool {
	if err == nil {
		return false
	}
	text := err.Error()
	for _, odd := range []string{"%!", "goroutine ", "nil pointer", "runtime error", "<nil>", "EOF", "unexpected end of JSON", "bug in galley"} {
		if strings.Contains(text, odd) {
			return false
		}
	}
	return len(text) > 40 && strings.Contains(text, ";")
}

// fits reports whether a fault shows in a reply.
func fits(f openaitest.Fault, r openaitest.Reply) bool {
	switch f.Needs {
	case "text":
		return r.Text != ""
	case "reasoning":
		return r.Reasoning != ""
	case "calls":
		return len(r.Calls) > 0
	case "several calls":
		return len(r.Calls) > 1
	case "no arguments":
		return slices.ContainsFunc(r.Calls, func(c openaitest.Call) bool { return len(c.Arguments) == 0 })
	}
	return true
}

// faulty picks a fault for a reply, one that takes no time.
func faulty(random *rand.Rand, r openaitest.Reply) openaitest.Reply {
	all := openaitest.Faults()
	for range 20 {
		if f := all[random.IntN(len(all))]; fits(f, r) && !slices.Contains(silent, f.Name) {
			r.Fault = f.Name
			return r
		}
	}
	return r
}
