package dial

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"

	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/lsp"
	"github.com/galley-ls/galley/memory"
)

// Run is a run whose loop is in this process, and its session, which is not.
type Run struct {
	cfg     Config
	hide    memory.Secrets
	session string

	life   context.Context // ends when the run is called off
	cancel context.CancelFunc

	window int // of the model; the loop's own

	told *telling

	mu sync.Mutex // guards the rest: they are others when its host has ended and it goes on
	c  *Conn
	id string
}

// Config is what a run works with: the settings of its session, of which the functions are called here. Ask is the argument of
// galley.ask.
type Config struct {
	session.Config
	Ask    any
	Stands string                                                    // the folder of the workspace in which the user works
	Review func(ctx context.Context, session string, edit int) error // asks the user, for the policy wait; may be nil
	// Again attaches to the host of the workspace once more, when the one of the run has ended. The run goes on there. nil: it
	// fails.
	Again func(ctx context.Context) (*Conn, error)
}

func newRun(c *Conn, id string) *Run {
	r := &Run{c: c, id: id}
	r.life, r.cancel = context.WithCancel(context.Background())
	return r
}

// Open opens a run. Where one goes on in the session, that has the prompt then, and joined is true: there is nothing to do here.
// A cancel does not stop it halfway: the loop hears of it.
func (c *Conn) Open(ctx context.Context, cfg Config) (r *Run, joined bool, err error) {
	at, err := c.open(context.WithoutCancel(ctx), cfg.Ask, cfg, false)
	if err != nil {
		return nil, false, err
	}
	if at.Joined {
		return &Run{c: c, id: at.Run, session: at.Session}, true, nil
	}
	r = c.run(at.Run)
	r.cfg, r.session, r.hide = cfg, at.Session, memory.NewSecrets(cfg.Secrets)
	r.told = newTelling(r)
	return r, false, nil
}

// where is the connection of the run, and what it is called there.
func (r *Run) where() (c *Conn, id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.c, r.id
}

// again has the run go on at another host than the one at the end of a connection.
func (r *Run) again(gone *Conn) error {
	r.mu.Lock()
	defer r.mu.Unlock() // whoever else has met that it is gone waits for the other one
	if r.c != gone {
		return nil
	}
	c, err := r.cfg.Again(context.Background())
	if err != nil {
		return fmt.Errorf("%w (%w)", errGone, err)
	}
	at, err := c.open(context.Background(), map[string]string{"session": r.session}, r.cfg, true)
	if err != nil {
		return fmt.Errorf("the run cannot go on at another process: %w", err)
	}
	gone.forget(r.id)
	r.c, r.id = c, at.Run
	c.adopt(at.Run, r)
	return nil
}

// ID is the session's.
func (r *Run) ID() string { return r.session }

// Run is what the host calls the run.
func (r *Run) Run() string {
	_, id := r.where()
	return id
}

// Until is a context for the loop: it ends with ctx, which calls the run off, or when somebody else does.
func (r *Run) Until(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := context.WithCancel(ctx)
	off := context.AfterFunc(r.life, stop)
	calls := context.AfterFunc(ctx, func() {
		c, id := r.where()
		p := map[string]any{"command": lsp.CommandCancel, "arguments": []any{map[string]string{"run": id}}}
		_ = c.call(context.Background(), "workspace/executeCommand", p, nil) // it may be over
	})
	return ctx, func() {
		off()
		calls()
		stop()
	}
}

// Settings are those that the run was opened with, for what is done here. Everybody sees it wait while the user is asked about a
// command.
func (r *Run) Settings() session.Config {
	cfg := r.cfg.Config
	confirm := cfg.Confirm
	if confirm == nil {
		return cfg
	}
	cfg.Confirm = func(ctx context.Context, c session.Command) (bool, error) {
		r.Tell(func(now *host.Run) bool { now.AsksAbout(c.Text, filepath.Join(cfg.Workspace, c.Dir)); return false })
		defer r.Tell(func(now *host.Run) bool { now.Goes(host.RunTool, now.Tool); return false })
		return confirm(ctx, c)
	}
	return cfg
}

// End says how the run ended: with its last move, or an error. What was decided is closed then: closed is what the model will
// hear of that.
func (r *Run) End(last host.Move, broken error) (closed string, err error) {
	defer r.cancel()
	now := r.told.end(last, broken)
	defer func() {
		c, id := r.where()
		c.forget(id)
	}()
	got, err := r.ask(lsp.MethodRunEnd, func(id string, _ bool) any {
		now.ID = id
		return lsp.RunTold{Run: now}
	})
	return string(got.Text), err
}

// do makes a request about the run.
func (r *Run) do(method string, p lsp.RunParams) (result lsp.RunResult, err error) {
	return r.ask(method, func(id string, again bool) any {
		p.Run, p.Again = id, again
		return p
	})
}

// ask makes it once more at the next host, where the one of the run has ended.
func (r *Run) ask(method string, params func(id string, again bool) any) (result lsp.RunResult, err error) {
	for again := false; ; again = true {
		c, id := r.where()
		if err = c.call(context.Background(), method, params(id, again), &result); !errors.Is(err, errGone) || r.cfg.Again == nil || again {
			return result, err
		}
		if err = r.again(c); err != nil {
			return result, err
		}
	}
}

// Prompt journals what the person says.
func (r *Run) Prompt(text string) error {
	_, err := r.do(lsp.MethodRunPrompt, lsp.RunParams{Text: memory.Raw(text)})
	return err
}

// Window says how many tokens the model takes. It goes with the next request.
func (r *Run) Window(tokens int) { r.window = tokens }

// Request builds what the model is asked next.
func (r *Run) Request() (memory.Request, memory.ContextMeta, error) {
	var body memory.Request
	var tokens memory.ContextMeta
	got, err := r.do(lsp.MethodRunRequest, lsp.RunParams{Window: r.window})
	if got.Body != nil {
		body = *got.Body
	}
	if got.Tokens != nil {
		tokens = *got.Tokens
	}
	return body, tokens, err
}

// TooLong makes room after the server has refused a request.
func (r *Run) TooLong(limit int) (string, error) {
	got, err := r.do(lsp.MethodRunTooLong, lsp.RunParams{Limit: limit})
	return string(got.Text), err
}

// Reply journals a reply of the model.
func (r *Run) Reply(m memory.Message, u memory.Usage) error {
	_, err := r.do(lsp.MethodRunReply, lsp.RunParams{Reply: &m, Usage: u})
	return err
}

// Spent journals what a reply cost that counts for nothing.
func (r *Run) Spent(u memory.Usage) error {
	_, err := r.do(lsp.MethodRunReply, lsp.RunParams{Usage: u})
	return err
}

// Cost is what the session has cost by now; of a host that is gone, nothing.
func (r *Run) Cost() memory.Cost {
	got, _ := r.do(lsp.MethodRunCost, lsp.RunParams{}) // whatever comes next fails, too
	return got.Cost
}

// Call has the host make a call. A cancel reaches it by the run's.
func (r *Run) Call(_ context.Context, c memory.ToolCall) (host.Answer, error) {
	got, err := r.do(lsp.MethodRunCall, lsp.RunParams{Call: c})
	if err != nil || got.Answer == nil {
		return host.Answer{}, err
	}
	return *got.Answer, nil
}

// Answer journals what the model is answered.
func (r *Run) Answer(c memory.ToolCall, content string) error {
	_, err := r.do(lsp.MethodRunAnswer, lsp.RunParams{Call: c, Text: memory.Raw(content)})
	return err
}

// Notice journals what galley tells the model.
func (r *Run) Notice(text string) error {
	_, err := r.do(lsp.MethodRunNotice, lsp.RunParams{Text: memory.Raw(text)})
	return err
}

// Notices journals what the model has not heard yet.
func (r *Run) Notices() (string, bool, error) {
	got, err := r.do(lsp.MethodRunNotice, lsp.RunParams{})
	return string(got.Text), got.OK, err
}

// Mask is a text without the secrets that are known here.
func (r *Run) Mask(text string) string { return r.hide.Mask(text) }

// CommandBegins journals that a command starts in this process.
func (r *Run) CommandBegins(c host.CommandRun) (host.CommandRun, error) {
	got, err := r.do(lsp.MethodRunCommand, lsp.RunParams{Command: &c})
	if err != nil || got.Command == nil {
		return c, err
	}
	return *got.Command, nil
}

// CommandEnds has the session take in what it did, and answers the letters that wait.
func (r *Run) CommandEnds(c host.CommandRun) ([]string, error) {
	got, err := r.do(lsp.MethodRunCommand, lsp.RunParams{Command: &c})
	return got.Letters, err
}

// Confirm asks the user of the client about a command, by way of the host.
func (r *Run) Confirm(_ context.Context, c session.Command) (bool, error) {
	got, err := r.do(lsp.MethodRunConfirm, lsp.RunParams{Command: &host.CommandRun{Command: c.Text, Dir: c.Dir}})
	if err == nil && got.Text != "" {
		err = errors.New(string(got.Text))
	}
	return got.OK, err
}

// Take are the prompts for the next step.
func (r *Run) Take() []string { return r.prompts(lsp.InboxStep) }

// Next is what to go on with at the end of the run.
func (r *Run) Next() (string, bool) {
	got := r.prompts(lsp.InboxEnd)
	if len(got) == 0 {
		return "", false
	}
	return got[0], true
}

// Close takes no more prompts, and returns those that nobody took.
func (r *Run) Close() []string { return r.prompts(lsp.InboxClose) }

// prompts asks the inbox of the run, which is with its session. A host that is gone has none; what comes next fails.
func (r *Run) prompts(which string) (texts []string) {
	got, _ := r.do(lsp.MethodRunInbox, lsp.RunParams{Inbox: which})
	for _, t := range got.Texts {
		texts = append(texts, string(t))
	}
	return texts
}

// summarize, decide and review are what the host asks for.
func (r *Run) summarize(ctx context.Context, p lsp.RunParams) lsp.RunResult {
	text, usage, err := r.cfg.Summarize(ctx, string(p.Text))
	return failing(lsp.RunResult{Text: memory.Raw(text), Usage: usage}, err)
}

func (r *Run) decide(ctx context.Context, p lsp.RunParams) lsp.RunResult {
	named, usage, err := r.cfg.Decisions(ctx, string(p.Text))
	result := lsp.RunResult{Usage: usage}
	for _, d := range named {
		result.Texts = append(result.Texts, memory.Raw(d))
	}
	return failing(result, err)
}

func (r *Run) review(ctx context.Context, p lsp.RunParams) lsp.RunResult {
	return failing(lsp.RunResult{}, r.cfg.Review(ctx, p.Session, p.Edit))
}

func failing(result lsp.RunResult, err error) lsp.RunResult {
	if err != nil {
		result.Error = err.Error()
	}
	return result
}

// telling tells the host how a run stands: what nobody shall miss, and the newest.
type telling struct {
	r    *Run
	over chan struct{}
	wake chan struct{} // holds a token while there is something to tell
	work sync.WaitGroup

	mu      sync.Mutex // guards the rest
	now     host.Run
	moments []host.Run
	fresh   bool // now was not told
}

func newTelling(r *Run) *telling {
	t := &telling{r: r, over: make(chan struct{}), wake: make(chan struct{}, 1), now: host.Run{Session: r.session, State: host.RunThinking}}
	t.work.Go(t.tell)
	return t
}

// Tell makes a move of the run known.
func (r *Run) Tell(m host.Move) {
	t := r.told
	t.mu.Lock()
	t.fresh = true
	if m(&t.now) {
		t.moments, t.fresh = append(t.moments, t.now), false
	}
	t.mu.Unlock()
	select {
	case t.wake <- struct{}{}:
	default: // it is awake
	}
}

// tell tells until the run is over, and then what nobody shall miss.
func (t *telling) tell() {
	first, _ := t.r.where()
	gone := first.conn.Done()
	for over := false; !over; {
		select {
		case <-t.wake:
		case <-t.over:
			over = true
		case <-gone:
			if gone = nil; t.r.cfg.Again == nil { // nobody is left to tell
				return
			}
		}
		t.mu.Lock()
		moments, now, fresh := t.moments, t.now, t.fresh && !over
		t.moments, t.fresh = nil, false
		t.mu.Unlock()
		c, id := t.r.where()
		now.ID = id
		for _, m := range moments {
			m.ID = id
			_ = c.notify(lsp.MethodRun, lsp.RunTold{Run: m, Keep: true}) // a host that is gone is told nothing
		}
		if fresh {
			_ = c.notify(lsp.MethodRun, lsp.RunTold{Run: now})
		}
	}
}

// end is how the run stands at its end, when all before is told.
func (t *telling) end(last host.Move, broken error) host.Run {
	close(t.over)
	t.work.Wait()
	t.now.Ends(last, broken)
	return t.now
}
