package editing

import (
	"context"
	"maps"
	"sync"
)

// Workspace owns the documents, the staged changes and the letters of one
// process. Its zero value is not usable; see New.
type Workspace struct {
	// Disk is held from the writing of closed files to the acceptance of their plan,
	// and from the reading of a closed file to OpenDocument: else a text that is just
	// being written would be taken for the user's.
	Disk sync.Mutex

	mu      sync.Mutex // guards what follows; nothing slow runs under it
	cur     *Snapshot
	wake    chan struct{} // closed when cur is replaced
	readers []*Reader
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

// Until waits for a snapshot that is as wanted, and answers it; with an error the last one.
func (w *Workspace) Until(ctx context.Context, wanted func(*Snapshot) bool) (*Snapshot, error) {
	for seq := int64(-1); ; {
		snap, err := w.Wait(ctx, seq)
		if err != nil || wanted(snap) {
			return snap, err
		}
		seq = snap.Seq
	}
}

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

	from, to *Snapshot
	touched  []string // paths whose text or changes the plan rests on
	notes    []Transition
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

// To is the state that the plan makes.
func (p *Plan) To() *Snapshot {
	if p.to == nil {
		return p.from
	}
	return p.to
}

// Changes reports whether accepting the plan changes anything.
func (p *Plan) Changes() bool { return p.to != nil }

// Plan computes op on the present snapshot, outside the lock. Nothing changes.
// read are closed files that the table does not know: op finds them as if it did,
// and they stay in it if letters or candidates come to rest on them.
func (w *Workspace) Plan(op Op, read ...*Document) *Plan {
	from := w.Snapshot()
	t := begin(from.with(read))
	for _, d := range read {
		t.read[d.Path] = true
	}
	res := op(t)
	p := &Plan{Result: res, from: from, touched: t.touched()}
	if to := t.done(); to != nil {
		p.to, p.Record, p.Targets, p.notes = to, t.record(), ordered(t.fates), t.notes
	}
	return p
}

// Accept makes the plan's state the present one. It answers false, and changes
// nothing, if the state has moved since the plan was made: plan again.
func (w *Workspace) Accept(p *Plan) bool { return w.accept(p, nil) }

func (w *Workspace) accept(p *Plan, by *Reader) bool {
	if p.to == nil {
		return true
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if !p.fits(w.cur) {
		return false
	}
	w.swap(p.merged(w.cur), p.notes, by)
	return true
}

// Fresh reports whether Accept would take the plan now.
func (w *Workspace) Fresh(p *Plan) bool { return p.to == nil || p.fits(w.Snapshot()) }

func (p *Plan) fits(cur *Snapshot) bool { return cur == p.from || p.mergeable(cur) }

// mergeable reports whether cur differs from the plan's start only in documents
// that the plan neither read nor wrote.
func (p *Plan) mergeable(cur *Snapshot) bool {
	if cur.moves != p.from.moves || len(cur.sessions) != len(p.from.sessions) {
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
	to.docs = maps.Clone(cur.docs)
	to.Seq = cur.Seq + 1
	for _, path := range p.touched {
		d, ok := p.to.docs[path]
		if !ok {
			delete(to.docs, path)
			continue
		}
		for _, c := range d.changes { // nobody has seen the plan's numbers yet
			if c.Since == p.to.Seq {
				c.Since = to.Seq
			}
		}
		to.docs[path] = d
	}
	for i := range p.notes {
		p.notes[i].Seq = to.Seq
	}
	return &to
}

// Do plans and accepts op at once, for callers that journal nothing.
func (w *Workspace) Do(op Op, read ...*Document) Result {
	for {
		if p := w.Plan(op, read...); w.Accept(p) {
			return p.Result
		}
	}
}

// swap is called with the lock held. All readers hear of it but by.
func (w *Workspace) swap(next *Snapshot, notes []Transition, by *Reader) {
	w.cur = next
	for _, r := range w.readers {
		if r != by {
			r.take(notes)
		}
	}
	close(w.wake)
	w.wake = make(chan struct{})
}

// now runs a cheap operation under the lock: the user's text cannot wait, and
// cannot be refused.
func (w *Workspace) now(op Op) *tx {
	w.mu.Lock()
	defer w.mu.Unlock()
	t := begin(w.cur)
	t.typed = true
	op(t)
	if next := t.done(); next != nil {
		w.swap(next, t.notes, nil)
	}
	return t
}
