package host

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
)

// Run is the state of one run of the agent, as a copy.
type Run struct {
	ID      string         `json:"run"`
	Session string         `json:"session"`
	By      editing.Keeper `json:"-"` // who asked
	State   RunState       `json:"state"`
	Step    int            `json:"step"`
	Tool    string         `json:"tool,omitempty"`    // the tool that runs
	Text    string         `json:"text,omitempty"`    // what the agent has said in this step
	Error   string         `json:"error,omitempty"`   // why it failed or stopped, or what to know of a run that is done
	Prompt  string         `json:"prompt,omitempty"`  // of an earlier run: what was asked
	Calls   []Call         `json:"calls,omitempty"`   // of this step; a new slice whenever one moves
	Waiting string         `json:"waiting,omitempty"` // in the state waiting: for what
	Percent int            `json:"percent,omitempty"` // of the context window
	Left    []string       `json:"left,omitempty"`    // at the end: prompts that it did not hear

	seq    int64 // when it moved last
	begun  int   // messages of the conversation before it
	work   Work
	cancel context.CancelFunc
	closed string // what the model will hear of what its end closed
	past   []Run  // moments that nobody shall miss, oldest first
}

// Call is a tool call of a run, as people are shown it. Without a status it goes on.
type Call struct {
	ID      string   `json:"-"` // the model's
	Tool    string   `json:"tool"`
	Path    string   `json:"path,omitempty"`
	Letters []string `json:"letters,omitempty"` // staged or amended
	Status  string   `json:"status,omitempty"`
	Code    string   `json:"code,omitempty"`
	Hint    string   `json:"hint,omitempty"`
	Exit    *int     `json:"exit,omitempty"`   // of a command
	Output  string   `json:"output,omitempty"` // of a command, its end
	Line    string   `json:"line"`             // all of it in a line
}

// RunState is where a run stands.
type RunState string

// The states of a run.
const (
	RunThinking  RunState = "thinking"
	RunTool      RunState = "tool"
	RunWaiting   RunState = "waiting"
	RunDone      RunState = "done"
	RunFailed    RunState = "failed"
	RunCancelled RunState = "cancelled"
)

// Over reports whether nothing more comes from the run.
func (s RunState) Over() bool { return s == RunDone || s == RunFailed || s == RunCancelled }

// Goes moves a run that goes on; what it waited for is over.
func (r *Run) Goes(state RunState, tool string) { r.State, r.Tool, r.Waiting = state, tool, "" }

// AsksAbout makes a run wait for the person's word about a command.
func (r *Run) AsksAbout(command, dir string) {
	r.State, r.Waiting = RunWaiting, fmt.Sprintf("your word about a command: %s (in %s)", beginning(command), dir)
}

// Work is one run of the agent's loop, as its host needs it.
type Work interface {
	// Run works until there is nothing more to do or ctx ends, and tells of each step. Its answer is the last move, made
	// when the session has closed what is decided.
	Run(ctx context.Context, tell func(Move)) (last Move, err error)
	// Push hands over a prompt for the next step. False: the run is over.
	Push(text string) bool
	// Queue hands over a prompt for when the run would otherwise be done. False: the run is over.
	Queue(text string) bool
}

// Move changes the state of a run, and reports whether nobody shall miss how it stands then. It is computing only.
type Move func(r *Run) (keep bool)

// Prompt is what the user asks, with the place they ask from.
type Prompt struct {
	Text    string
	Session string // "": the current one, made if there is none
	By      editing.Keeper
	Path    string // active document, "" if none
	Start   int    // bytes of its base, -1 unknown
	End     int
	Queue   bool // for when the run that goes on would otherwise be done, not for its next step
}

// takes reports whether the run will hear a prompt.
func (r *Run) takes(p Prompt) bool {
	if p.Queue {
		return r.work.Queue(p.Text)
	}
	return r.work.Push(p.Text)
}

// Ask starts a run on a session, or hands the prompt to the run that goes on.
func (h *Host) Ask(ctx context.Context, p Prompt) (run, id string, err error) {
	if h.cfg.Start == nil {
		return "", "", errors.New("the host works on no run itself: its client does; open one with galley/run/open")
	}
	r, err := h.ask(ctx, p, func(s *session.Session, _ *Run) Work { return h.cfg.Start(s, p.Text) })
	if err != nil {
		return "", "", err
	}
	return r.ID, r.Session, nil
}

// ask finds the run that hears a prompt, or starts the one that begin makes.
func (h *Host) ask(ctx context.Context, p Prompt, begin func(*session.Session, *Run) Work) (*Run, error) {
	s, err := h.session(p.Session)
	if err != nil && p.Session == "" {
		if _, err = h.NewSession(ctx, ""); err == nil {
			s, err = h.session("")
		}
	}
	if err != nil {
		return nil, err
	}
	s.LookAt(p.Path, p.Start, p.End)
	r := &Run{Session: s.ID(), State: RunThinking, begun: len(s.Said())}
	r.work = begin(s, r)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.askers[s.ID()] = p.By
	switch going := h.going(s.ID()); {
	case going == nil:
	case p.Text == "":
		return nil, fmt.Errorf("the agent works in session %s already: say what it shall do besides, or cancel its run first", s.ID())
	case going.takes(p):
		return going, nil
	}
	h.nextRun++
	r.By = p.By
	r.ID = fmt.Sprintf("run-%d", h.nextRun)
	life, cancel := context.WithCancel(h.ctx)
	r.cancel = cancel
	h.runs[r.ID] = r
	h.touch(r)
	h.work.Go(func() {
		defer cancel()
		h.run(life, r, s)
	})
	return r, nil
}

// Asker is the client that asked last in a session, 0 if it has gone or none has.
func (h *Host) Asker(id string) editing.Keeper {
	h.mu.Lock()
	by := h.askers[id]
	h.mu.Unlock()
	if _, there := h.Client(by); !there {
		return 0
	}
	return by
}

// Leave ends a client, with the runs that it asked for.
func (h *Host) Leave(id editing.Keeper) {
	h.Underway.Leave(id)
	h.mu.Lock()
	for _, r := range h.runs {
		if r.By == id && id != 0 && !r.State.Over() {
			r.cancel()
		}
	}
	h.mu.Unlock()
}

// Go does work for as long as the host lives.
func (h *Host) Go(work func(context.Context)) { h.work.Go(func() { work(h.ctx) }) }

// run is the life of a run.
func (h *Host) run(ctx context.Context, r *Run, s *session.Session) {
	last, err := r.work.Run(ctx, func(m Move) { h.move(r, m) })
	closed, ferr := s.End(context.WithoutCancel(ctx))
	h.move(r, func(r *Run) bool {
		r.closed = closed
		r.Ends(last, errors.Join(err, ferr))
		return false
	})
}

// Ends makes the last move of a run.
func (r *Run) Ends(last Move, err error) {
	said := r.Text
	r.Tool, r.Waiting = "", ""
	last(r)
	if err != nil {
		r.State, r.Text, r.Error = RunFailed, said, strings.TrimSpace(err.Error())
	}
}

// move changes the state of a run.
func (h *Host) move(r *Run, m Move) {
	h.mu.Lock()
	defer h.mu.Unlock()
	keep := m(r)
	h.touch(r)
	if keep {
		r.keep()
	}
}

// touch marks a run as moved. It is called with the lock held.
func (h *Host) touch(r *Run) {
	h.bump()
	r.seq = h.seq
}

// keptMost is how many moments of a run are kept for who looks seldom.
const keptMost = 200

// keep remembers how the run stands: the words of a step, and the tools that it calls, are told to everybody, however
// quickly the next ones come.
func (r *Run) keep() {
	now := *r
	now.past = nil
	r.past = append(r.past, now)
	if over := len(r.past) - keptMost; over > 0 {
		r.past = slices.Delete(r.past, 0, over)
	}
}

// since are the moments of the run after seq, the present one last.
func (r *Run) since(seq int64) []Run {
	var moments []Run
	for _, m := range append(slices.Clip(r.past), *r) {
		if m.seq > seq {
			m.past, seq = nil, m.seq
			moments = append(moments, m)
		}
	}
	return moments
}

// Earlier are the runs of a session that are over, oldest first, each as the moments of its steps: for a client that has
// not seen them go.
func (h *Host) Earlier(id string) ([]Run, error) {
	s, err := h.session(id)
	if err != nil || h.cfg.Earlier == nil {
		return nil, err
	}
	said := s.Said()
	h.mu.Lock()
	before := len(said)
	if r := h.going(s.ID()); r != nil {
		before = r.begun
	}
	h.mu.Unlock()
	runs := h.cfg.Earlier(s, said[:min(before, len(said))])
	for i := range runs {
		runs[i].Session = s.ID()
	}
	return runs, nil
}

// Cancel stops a run at its next safe point; "" means the only one that goes on.
func (h *Host) Cancel(_ context.Context, id string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	var going []*Run
	for _, r := range h.runs {
		if !r.State.Over() && (id == "" || r.ID == id) {
			going = append(going, r)
		}
	}
	switch len(going) {
	case 0:
		return errors.New("no such run goes on")
	case 1:
		going[0].cancel()
		return nil
	}
	return errors.New("several runs go on; name one")
}

// Going are the runs that go on, as people know them.
func (h *Host) Going() (all []string) {
	for _, s := range h.all() {
		h.mu.Lock()
		r := h.going(s.ID())
		h.mu.Unlock()
		if r != nil {
			all = append(all, fmt.Sprintf("%q in session %s, asked for in %s", s.Title(), s.ID(), h.who(r.By)))
		}
	}
	return all
}

// WaitRuns answers the runs that moved after seq, and the number they are at: each step's words and calls, and how they
// stand now.
func (h *Host) WaitRuns(ctx context.Context, seq int64) (moved []Run, now int64, err error) {
	err = h.mu.until(ctx, func() bool {
		for _, r := range h.runs {
			moved = append(moved, r.since(seq)...)
		}
		now = h.seq
		return len(moved) > 0
	})
	slices.SortFunc(moved, func(a, b Run) int { return int(a.seq - b.seq) })
	return moved, now, err
}
