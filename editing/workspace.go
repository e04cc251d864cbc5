package editing

import (
	"context"
	"sync"
)

// Workspace owns the documents, the staged changes and the letters of one
// process. Its zero value is not usable; see New.
type Workspace struct {
	mu   sync.Mutex // guards cur and wake; nothing slow runs under it
	cur  *Snapshot
	wake chan struct{} // closed when cur is replaced
}

// MaxLetters is the size of the one pool of letters.
const MaxLetters = 26

// New makes an empty workspace that allows at most maxPending undecided letters
// (0 or more than 26: 26).
func New(maxPending int) *Workspace {
	if maxPending <= 0 || maxPending > MaxLetters {
		maxPending = MaxLetters
	}
	return &Workspace{
		cur: &Snapshot{
			docs:     map[string]*Document{},
			sessions: map[sessionKey]*Session{},
			next:     map[string]int{},
			limit:    maxPending,
		},
		wake: make(chan struct{}),
	}
}

// Snapshot returns the present state.
func (w *Workspace) Snapshot() *Snapshot {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.cur
}

// Wait returns the first snapshot seen that is newer than seq.
func (w *Workspace) Wait(ctx context.Context, seq int64) (*Snapshot, error) {
	for {
		w.mu.Lock()
		cur, wake := w.cur, w.wake
		w.mu.Unlock()
		if cur.Seq > seq {
			return cur, nil
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return cur, ctx.Err()
		}
	}
}

// Since returns every transition after sequence number seq, oldest first.
func (w *Workspace) Since(seq int64) []Transition { return w.Snapshot().Since(seq) }

// Op is one operation on the state: stage, reject, commit, …. It is a pure
// function of the snapshot; the constructors are in this package.
type Op func(*tx) Result

// Plan is the outcome of an operation that has not happened yet.
type Plan struct {
	Result Result
	// Record is what a journal must hold so that a restart can restore the
	// result. It is empty when the operation changes nothing.
	Record Record
	// Targets are the closed files that must be written before Accept, for
	// operations that take changes into files that no editor has open.
	Targets []Target

	seq      int64 // what it was accepted as
	from, to *Snapshot
	touched  []string // paths whose text or changes the plan rests on
}

// State is the state that the plan gives a letter, "" if there is none.
func (p *Plan) State(letter string) ChangeState {
	if p.to == nil {
		return ""
	}
	c, ok := p.to.Change(letter)
	if !ok {
		return ""
	}
	return c.State
}

// Changes reports whether accepting the plan changes anything.
func (p *Plan) Changes() bool { return p.to != nil }

// Plan computes op on the present snapshot, outside the lock. Nothing changes.
func (w *Workspace) Plan(op Op) *Plan {
	from := w.Snapshot()
	t := begin(from)
	res := op(t)
	p := &Plan{Result: res, from: from, touched: t.touched()}
	if to := t.done(); to != nil {
		p.to, p.Record, p.Targets = to, t.record(), ordered(t.targets)
	}
	return p
}

// Accept makes the plan's state the present one. It answers false, and changes
// nothing, if the state has moved since the plan was made: plan again.
func (w *Workspace) Accept(p *Plan) bool {
	if p.to == nil {
		return true
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.cur != p.from && !p.mergeable(w.cur) {
		return false
	}
	next := p.merged(w.cur)
	p.seq = next.Seq
	w.swap(next)
	return true
}

// Seq is the sequence number of the state that an accepted plan made, 0 if it
// changed nothing.
func (p *Plan) Seq() int64 { return p.seq }

// mergeable reports whether cur differs from the plan's start only in documents
// that the plan neither read nor wrote.
func (p *Plan) mergeable(cur *Snapshot) bool {
	if cur.log != p.from.log || len(cur.sessions) != len(p.from.sessions) {
		return false
	}
	for k, s := range cur.sessions {
		if p.from.sessions[k] != s {
			return false
		}
	}
	for _, path := range p.touched {
		if cur.docs[path] != p.from.docs[path] {
			return false
		}
	}
	return true
}

// merged is the plan's state with cur's documents where the plan did not look.
func (p *Plan) merged(cur *Snapshot) *Snapshot {
	if cur == p.from {
		return p.to
	}
	to := *p.to
	to.docs = map[string]*Document{}
	for path, d := range cur.docs {
		to.docs[path] = d
	}
	for _, path := range p.touched {
		if d := p.to.docs[path]; d != nil {
			to.docs[path] = d
		}
	}
	to.Seq = cur.Seq + 1
	to.log = restamped(p.to.log, p.from.log, to.Seq)
	return &to
}

// restamped gives the transitions behind old the number that they happened at:
// whoever has read up to another one must not miss them.
func restamped(log, old *logNode, seq int64) *logNode {
	if log == old {
		return old
	}
	n := &logNode{prev: restamped(log.prev, old, seq), t: log.t}
	n.t.Seq = seq
	return n
}

// Do plans and accepts op at once, for callers that journal nothing.
func (w *Workspace) Do(op Op) Result {
	for {
		if p := w.Plan(op); w.Accept(p) {
			return p.Result
		}
	}
}

// swap is called with the lock held.
func (w *Workspace) swap(next *Snapshot) {
	w.cur = next
	close(w.wake)
	w.wake = make(chan struct{})
}

// now runs a cheap operation under the lock: the user's text cannot wait, and
// cannot be refused.
func (w *Workspace) now(op Op) *tx {
	w.mu.Lock()
	defer w.mu.Unlock()
	t := begin(w.cur)
	op(t)
	if next := t.done(); next != nil {
		w.swap(next)
	}
	return t
}
