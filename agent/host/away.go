package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/memory"
)

// Answer is the answer to a call of the model's.
type Answer struct {
	Content string               `json:"content"`          // what the model reads
	Status  string               `json:"status,omitempty"` // "": it is not known what came of the call
	Code    string               `json:"code,omitempty"`
	Letters []string             `json:"letters,omitempty"` // that the call staged or amended
	Wrote   *session.MemoryWrite `json:"wrote,omitempty"`
}

// CommandRun is what the journal keeps of a command.
type CommandRun = session.CommandRun

// Asker is the process that runs were asked from, as the host reaches it: their loops work there, with its model and its
// commands.
type Asker interface {
	// Cancel tells that somebody calls a run off.
	Cancel(run string)
	// Summarize and Decisions ask its model, as session.Config has them, and Review its user.
	Summarize(ctx context.Context, run, text string) (string, memory.Usage, error)
	Decisions(ctx context.Context, run, text string) ([]string, memory.Usage, error)
	Review(ctx context.Context, run, session string, edit int) error
}

// Terms are what an asker says of its run. Settings are those of a session.Config that are fixed when a run is asked for,
// all of them; without any they are the host's. The others say what can be asked of the asker.
type Terms struct {
	Settings   json.RawMessage `json:"settings,omitempty"`
	Deny       []string        `json:"deny,omitempty"`      // besides the host's
	AllowRead  []string        `json:"allowRead,omitempty"` // of the host's
	Summarizes bool            `json:"summarizes,omitempty"`
	Decides    bool            `json:"decides,omitempty"`
	Reviews    bool            `json:"reviews,omitempty"`
	Stands     string          `json:"stands,omitempty"` // the folder of the workspace in which its user works
	GoesOn     bool            `json:"goesOn,omitempty"` // it is a run of a host that has ended, and no new one
}

// Away is a run whose loop works in its asker's process. What its asker has done to the session is a Use of it.
type Away struct {
	*session.Session // the asker's part of its methods

	h      *Host
	run    *Run
	inbox  Inbox
	asker  Asker
	gone   <-chan struct{} // closed when the asker is
	terms  Terms
	rules  atomic.Bool   // the settings of the run hold
	window atomic.Int64  // of its model in tokens; 0: as the host's settings say
	begun  chan struct{} // closed when that is clear
	fault  error         // why they do not
	last   chan Move     // takes one: the asker's last word
	life   context.Context
	use    sync.RWMutex // held for reading by each Use
	closed bool         // guarded by use

	mu       sync.Mutex // guards the rest
	made     map[string]*made
	commands []CommandRun // that go on
}

// made is a call that was made, or is.
type made struct {
	done   chan struct{}
	answer Answer
	err    error
}

// AskFrom starts a run whose loop works at its asker, until gone; or it hands the prompt to the run that goes on, and answers
// no run of the asker's.
func (h *Host) AskFrom(gone context.Context, from Asker, p Prompt, t Terms) (a *Away, run, id string, err error) {
	if h.cfg.Call == nil {
		return nil, "", "", errors.New("no runs can be asked from elsewhere here")
	}
	if _, err := h.session(p.Session); err != nil && p.Session != "" {
		if _, err := h.open(p.Session); err != nil {
			return nil, "", "", err
		}
	}
	a = &Away{h: h, asker: from, gone: gone.Done(), terms: t, begun: make(chan struct{}), last: make(chan Move, 1), made: map[string]*made{}}
	r, err := h.ask(gone, p, func(s *session.Session, r *Run) Work {
		if t.GoesOn {
			s.GoesOn()
		}
		s.StandsIn(t.Stands)
		a.Session, a.run = s, r
		return a
	})
	if err != nil {
		return nil, "", "", err
	}
	if r != a.run {
		return nil, r.ID, r.Session, nil
	}
	<-a.begun
	if a.fault != nil { // and is over then: what is asked next begins another one
		_ = h.mu.until(gone, func() bool { return r.State.Over() })
	}
	return a, r.ID, r.Session, a.fault
}

// Push implements Work.
func (a *Away) Push(text string) bool { return a.inbox.Push(text) }

// Queue implements Work.
func (a *Away) Queue(text string) bool { return a.inbox.Queue(text) }

// Inbox has the prompts for the run.
func (a *Away) Inbox() *Inbox { return &a.inbox }

// ID is the run's.
func (a *Away) ID() string { return a.run.ID }

// Run implements Work. It ends with the asker's last word, or with the asker.
func (a *Away) Run(ctx context.Context, _ func(Move)) (last Move, err error) {
	life, stop := context.WithCancel(ctx)
	defer stop()
	a.life = life
	last = func(r *Run) bool {
		r.State, r.Left = RunCancelled, a.inbox.Close()
		return false
	}
	a.rules.Store(true)
	a.fault = a.h.rule(a.Session)
	close(a.begun)
	if a.fault == nil {
		defer context.AfterFunc(ctx, func() {
			select {
			case <-a.gone:
			case <-a.h.ctx.Done(): // it goes on at the next host
			default:
				a.asker.Cancel(a.run.ID)
			}
		})()
		select {
		case last = <-a.last:
		case <-a.gone:
		case <-a.h.ctx.Done():
		}
	}
	stop()
	return last, errors.Join(a.fault, a.close())
}

// close ends what goes on of the run, and its settings.
func (a *Away) close() error {
	a.use.Lock()
	a.closed = true
	a.use.Unlock()
	a.rules.Store(false)
	errs := []error{a.h.rule(a.Session)}
	a.Session.Window(int(a.window.Load())) // its model is still the one that is asked next, as far as anybody knows
	for _, c := range a.commands {         // nobody knows what became of them
		_, err := a.CommandEnds(c)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// Use does something for the asker. The run is not over before it returns.
func (a *Away) Use(f func() error) error {
	a.use.RLock()
	defer a.use.RUnlock()
	if a.closed {
		return fmt.Errorf("%s is over", a.run.ID)
	}
	return f()
}

// Told takes in how the run stands; with keep nobody shall miss it.
func (a *Away) Told(now Run, keep bool) {
	if !now.State.Over() {
		a.h.move(a.run, func(r *Run) bool {
			if r.State.Over() {
				return false
			}
			r.stands(now)
			for _, q := range a.h.asked {
				if q.Run == r.ID { // its asker may have said so before it asked
					r.AsksAbout(q.Command, q.Dir)
				}
			}
			return keep
		})
	}
}

// End is the asker's last word: how the run ended. It waits until the session has closed what is decided, and answers what
// the model will hear of that.
func (a *Away) End(ctx context.Context, now Run) (closed string, err error) {
	if !now.State.Over() {
		return "", fmt.Errorf("%s ends as %q, which is no end", a.run.ID, now.State)
	}
	select {
	case a.last <- func(r *Run) bool {
		r.stands(now)
		return false
	}:
	default: // it was said before
	}
	err = a.h.mu.until(ctx, func() bool {
		closed = a.run.closed
		return a.run.State.Over()
	})
	return closed, err
}

// stands makes a run stand as its asker says.
func (r *Run) stands(now Run) {
	r.State, r.Step, r.Tool, r.Calls = now.State, now.Step, now.Tool, now.Calls
	r.Text, r.Waiting, r.Error, r.Percent, r.Left = now.Text, now.Waiting, now.Error, now.Percent, now.Left
}

// Prompt journals what the person says; again: unless that was done.
func (a *Away) Prompt(text string, again bool) error {
	if again && a.Has(memory.Message{Role: memory.RoleUser, Content: text}) {
		return nil
	}
	return a.Session.Prompt(text)
}

// Reply journals a reply of the model; again: unless that was done. The ids of its calls are its own.
func (a *Away) Reply(m memory.Message, u memory.Usage, again bool) error {
	a.mu.Lock()
	a.made = map[string]*made{}
	a.mu.Unlock()
	if again && a.Has(m) {
		return nil
	}
	return a.Session.Reply(m, u)
}

// lost answers a call that a host made that has ended.
const lost = "The call was made, and its answer was lost: the process that held the session ended. What it did stands, and it was not made again; look at memo_preview, or read."

// Call makes a call of the last reply, once: the same id again gets the same answer. Again: unless the journal has something
// of it.
func (a *Away) Call(c memory.ToolCall, again bool) (Answer, error) {
	if again && a.Acted(c.ID) {
		return Answer{Content: lost}, nil
	}
	a.mu.Lock()
	m := a.made[c.ID]
	first := m == nil
	if first {
		m = &made{done: make(chan struct{})}
		a.made[c.ID] = m
	}
	a.mu.Unlock()
	if first {
		a.make(m, c)
	}
	<-m.done
	return m.answer, m.err
}

// make makes a call. A tool that panics ends the run, but not the process.
func (a *Away) make(m *made, c memory.ToolCall) {
	defer close(m.done)
	defer func() {
		if p := recover(); p != nil {
			m.err = fmt.Errorf("the tool %s broke: %v\n%s", c.Name, p, debug.Stack())
		}
	}()
	m.answer = a.h.cfg.Call(a.life, a.Session, c)
}

// Confirm asks the user of the asker about a command; why is the reason of a no.
func (a *Away) Confirm(c CommandRun) (ok bool, why string) {
	ok, err := a.h.confirmCommand(a.life, session.Command{Session: a.Session.ID(), Text: c.Command, Dir: c.Dir})
	if err != nil {
		why = err.Error()
	}
	return ok, why
}

// Command takes in that a command of the asker's begins, or what it did. It answers the letters that wait then.
func (a *Away) Command(c CommandRun) (CommandRun, []string, error) {
	a.mu.Lock()
	defer a.mu.Unlock() // of one run, which does one after the other
	at := slices.IndexFunc(a.commands, func(has CommandRun) bool {
		return c.Began == 0 && has.Call == c.Call || c.Began != 0 && has.Began == c.Began
	})
	switch {
	case c.Began == 0 && at >= 0:
		return a.commands[at], nil, nil
	case c.Began == 0:
		c, err := a.CommandBegins(c)
		if err == nil {
			a.commands = append(a.commands, c)
		}
		return c, nil, err
	case at < 0 && !a.terms.GoesOn:
		return c, nil, errors.New("no such command goes on")
	}
	if at >= 0 {
		a.commands = slices.Delete(a.commands, at, at+1)
	}
	letters, err := a.CommandEnds(c)
	return c, letters, err
}

// Window says how many tokens the run's model takes, as it knows by now: when the run is over, too.
func (a *Away) Window(tokens int) {
	if tokens > 0 {
		a.window.Store(int64(tokens))
	}
	a.Session.Window(tokens)
}

// settings are the host's with those of the run over them. An asker's can be stricter about files, and the host runs no
// commands for it.
func (a *Away) settings(cfg session.Config) (session.Config, error) {
	deny, allow := cfg.Deny, cfg.AllowRead
	if len(a.terms.Settings) > 0 {
		cfg.Specs, cfg.SmallSpecs, cfg.Skills, cfg.Price = nil, nil, nil, memory.Price{} // decoding writes into what is there
		if err := json.Unmarshal(a.terms.Settings, &cfg); err != nil {
			return cfg, fmt.Errorf("the settings of the run cannot be read: %w", err)
		}
		cfg.AllowRead = slices.DeleteFunc(slices.Clone(allow), func(p string) bool { return !slices.Contains(a.terms.AllowRead, p) })
	}
	a.window.CompareAndSwap(0, int64(cfg.Window))
	cfg.Deny = slices.Clone(deny)
	for _, p := range a.terms.Deny {
		if !strings.HasPrefix(p, "!") { // which allows again
			cfg.Deny = append(cfg.Deny, p)
		}
	}
	cfg.Commands = session.CommandsOff
	cfg.Summarize, cfg.Decisions, cfg.Decide = nil, nil, nil
	run := a.run.ID
	if a.terms.Summarizes {
		cfg.Summarize = func(ctx context.Context, text string) (string, memory.Usage, error) {
			return a.asker.Summarize(ctx, run, text)
		}
	}
	if a.terms.Decides {
		cfg.Decisions = func(ctx context.Context, text string) ([]string, memory.Usage, error) {
			return a.asker.Decisions(ctx, run, text)
		}
	}
	if a.terms.Reviews {
		cfg.Decide = func(ctx context.Context, s *session.Session, edit int) error {
			err := a.asker.Review(ctx, run, s.ID(), edit)
			select {
			case <-a.gone: // what is undecided waits for whoever comes
				return nil
			default:
				return err
			}
		}
	}
	return cfg, nil
}

// away is the run of an asker whose settings hold in a session, nil if there is none.
func (h *Host) away(id string) *Away {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, r := range h.runs {
		if a, ok := r.work.(*Away); ok && r.Session == id && a.rules.Load() {
			return a
		}
	}
	return nil
}

// Hide has the host keep texts out of everything that it writes or shows. It holds them in memory only.
func (h *Host) Hide(texts []string) {
	h.reload.Lock()
	defer h.reload.Unlock()
	h.mu.Lock()
	for _, t := range texts {
		if !slices.Contains(h.hidden, t) {
			h.hidden = append(slices.Clip(h.hidden), t)
		}
	}
	h.mu.Unlock()
	for _, s := range h.all() {
		h.renewed(s)
	}
}
