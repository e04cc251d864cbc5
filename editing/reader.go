package editing

import "slices"

// Reader gives every transition of the table to somebody who must not miss any.
// What one has not read yet is kept for it alone, and without readers nothing is.
type Reader struct {
	w      *Workspace
	owner  string       // whose changes it reads about, "": everybody's
	unread []Transition // guarded by w.mu
}

// Reader begins to read the transitions of an owner's changes, "" of all, from the
// next one on.
func (w *Workspace) Reader(owner string) *Reader {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := &Reader{w: w, owner: owner}
	w.readers = append(w.readers, r)
	return r
}

// Next returns the transitions since the last call, oldest first.
func (r *Reader) Next() []Transition {
	r.w.mu.Lock()
	defer r.w.mu.Unlock()
	ts := r.unread
	r.unread = nil
	return ts
}

// Accept is Workspace.Accept for what the reader does itself, and so need not hear.
func (r *Reader) Accept(p *Plan) bool { return r.w.accept(p, r) }

// take is called with the lock held.
func (r *Reader) take(ts []Transition) {
	for _, t := range ts {
		if r.owner == "" || r.owner == t.Owner {
			r.unread = append(r.unread, t)
		}
	}
}

// Close ends the reading.
func (r *Reader) Close() {
	r.w.mu.Lock()
	defer r.w.mu.Unlock()
	r.unread = nil
	r.w.readers = slices.DeleteFunc(r.w.readers, func(o *Reader) bool { return o == r })
}
