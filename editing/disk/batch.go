package disk

import (
	"context"
	"errors"
	"slices"

	"github.com/galley-ls/galley/editing/text"
)

// Op is what becomes of one file.
type Op string

// The ways a file changes.
const (
	Replace Op = "replace"
	Create  Op = "create" // with the folders that are missing
	Delete  Op = "delete"
	Rename  Op = "rename"
)

// Step is what one file is to become.
type Step struct {
	Op     Op
	Path   string
	To     string    // of a Rename
	Before text.Hash // the bytes that the file must hold now; of all but a Create
	After  text.Text // of a Replace, a Create, and a Rename that is Edited
	Edited bool      // a Rename also changes the text

	// Folders are removed with a Delete or a Rename where they are empty then, innermost first: those that were made
	// for the file when it was created.
	Folders []string
}

// leaves are the folders that the file leaves.
func (s Step) leaves() []string {
	if s.Op == Delete || s.Op == Rename {
		return s.Folders
	}
	return nil
}

// Part is what a batch does with one file, for the record that its caller keeps.
type Part struct {
	Step
	InPlace bool      // it is written in place: a kill can tear it, and only the record mends that (Recover)
	Old     []byte    // to be kept before Commit: what is deleted, or written in place
	Made    []string  // folders that will be made, innermost first
	Hash    text.Hash // of After, for a record that keeps no texts
}

// Batch is steps that happen all or none. It is made by Prepare, and ends with Commit or Discard.
type Batch struct {
	roots *Roots
	id    string
	parts []*part // in the order of the steps
	order []*part // in the order that works

	freed   map[string]bool // files whose names become free
	folders map[string]*folder
	undo    []undo
	touched []*folder // where names changed
}

// undo takes one thing back that was done.
type undo struct {
	part *part
	do   func() error
}

// Point is called before each thing that a batch does to the disk, and once at the end. Where it returns an error, that
// thing fails with it. It is for tests, which stop or disturb a batch there.
var Point = func(string) error { return nil }

// Prepare checks all steps, and writes what is new down to the disk, beside the files that will hold it. Nothing that
// anybody looks at has changed then. id, of letters and digits, names the batch in its leftovers, should the process be
// killed; it may be empty. The error is a *BatchError.
func (r *Roots) Prepare(id string, steps []Step) (*Batch, error) {
	if id == "" {
		id = newID()
	}
	b, e := r.look(id, steps)
	if len(e.Files) == 0 {
		b.write(e)
	}
	if len(e.Files) > 0 {
		b.Discard()
		return nil, e
	}
	return b, nil
}

// Check says what stands in the way of steps, and touches nothing.
func (r *Roots) Check(steps []Step) error {
	b, e := r.look("", steps)
	b.Discard()
	if len(e.Files) > 0 {
		return e
	}
	return nil
}

// look finds and checks what steps are about.
func (r *Roots) look(id string, steps []Step) (*Batch, *BatchError) {
	b := &Batch{roots: r, id: id, freed: map[string]bool{}, folders: map[string]*folder{}}
	e := &BatchError{}
	for i, s := range steps {
		b.parts = append(b.parts, &part{Step: s, batch: b, n: i})
	}
	for _, stage := range []func(*part) error{(*part).find, (*part).aim} {
		for _, p := range b.parts {
			if err := stage(p); err != nil {
				e.add(p.Path, "look at the file", err)
			}
		}
	}
	if len(e.Files) == 0 {
		e.Files = b.sort()
	}
	return b, e
}

// write makes all new files, after the leftovers of others are away.
func (b *Batch) write(e *BatchError) {
	for _, d := range b.folders {
		d.sweep()
	}
	for _, p := range b.parts {
		if err := p.prepare(); err != nil {
			e.add(p.Path, "write the new text", err)
		}
	}
}

// Parts says what the batch will do, in the order of the steps.
func (b *Batch) Parts() []Part {
	out := make([]Part, len(b.parts))
	for i, p := range b.parts {
		out[i] = p.part()
	}
	return out
}

// Discard gives a batch up that was not committed.
func (b *Batch) Discard() {
	for _, p := range b.parts {
		p.drop()
	}
	b.close()
}

func (b *Batch) close() {
	for _, p := range b.parts {
		if p.src != nil {
			p.src.close()
		}
	}
	for _, d := range b.folders {
		d.close()
	}
}

// Commit does what was prepared: all of it, or nothing. lock is the file that every galley process locks for that; empty
// where there is no other. Should it turn out halfway that a file is not what it was, aborting is called (which journals
// it, so that a crash from there on is not taken for one that has to be finished), and what was done is taken back where
// it still stands. The error is a *BatchError.
func (b *Batch) Commit(ctx context.Context, lock string, aborting func() error) error {
	defer b.close()
	err := b.exchange(ctx, lock, aborting)
	if err == nil {
		b.lasting()
		err = b.lookAgain(ctx, lock, aborting)
	}
	for _, p := range b.parts {
		p.drop()
	}
	if err == nil {
		for _, p := range b.parts {
			b.roots.RemoveFolders(p.leaves())
		}
		_ = Point("done")
	}
	return err
}

// exchange is what happens under the lock.
func (b *Batch) exchange(ctx context.Context, lock string, aborting func() error) error {
	e := &BatchError{}
	release, err := acquire(ctx, lock)
	if err != nil {
		for _, p := range b.parts {
			e.add(p.Path, "wait for other galley processes", err)
		}
		return e
	}
	defer release()
	for _, p := range b.parts {
		if err := p.compare(); err != nil {
			e.add(p.Path, "compare the file", err)
		}
	}
	if len(e.Files) > 0 {
		return e
	}
	for _, p := range b.order {
		if err := p.act(); err != nil {
			e.add(p.Path, "change the file", err)
			b.takeBack(e, aborting)
			return e
		}
	}
	return nil
}

// lookAgain looks at the old files once more before they go: a program that had one of them open may have written into it
// since. Its text is put back then.
func (b *Batch) lookAgain(ctx context.Context, lock string, aborting func() error) error {
	e := &BatchError{}
	for _, p := range b.parts {
		if err := p.look(); err != nil {
			e.add(p.Path, "look at the old file", err)
		}
	}
	if len(e.Files) == 0 {
		return nil
	}
	if release, err := acquire(ctx, lock); err == nil { // without it, too: what comes out is looked at
		defer release()
	}
	b.takeBack(e, aborting)
	return e
}

// takeBack undoes what was done, the last thing first.
func (b *Batch) takeBack(e *BatchError, aborting func() error) {
	if len(b.undo) > 0 && aborting != nil {
		e.Err = aborting()
	}
	for _, u := range slices.Backward(b.undo) {
		if err := u.do(); err != nil {
			lost := *failure(u.part.Path, "put the file back", err)
			if errors.Is(err, ErrChanged) {
				lost.Hint = "another file of the same write failed, and this one could not be put back: somebody has saved it since. Look at it, it may hold both texts"
			} else {
				lost.Hint = "it could not be put back after the write failed: " + lost.Hint
			}
			if u.part.gone != "" && !errors.Is(err, ErrChanged) && !errors.Is(err, ErrExists) { // nobody has saved over it
				lost.Hint += "; the old text lies in " + u.part.gone
				u.part.gone = ""
			}
			e.Lost = append(e.Lost, &lost)
		}
	}
	b.lasting()
}

func (b *Batch) did(p *part, do func() error) { b.undo = append(b.undo, undo{p, do}) }

// lasting makes names last. It is no error if that fails: they are changed, and to say otherwise would lie.
func (b *Batch) lasting() {
	for _, d := range b.touched {
		if Point("sync folder") == nil {
			d.sync()
		}
	}
	b.touched = nil
}

func (b *Batch) touch(ds ...*folder) {
	for _, d := range ds {
		if !slices.Contains(b.touched, d) {
			b.touched = append(b.touched, d)
		}
	}
}

// sort finds the order that works: what frees a name comes before what takes it; else what is new first, deletes last.
func (b *Batch) sort() []*Error {
	waiting := slices.Clone(b.parts)
	slices.SortStableFunc(waiting, func(p, q *part) int { return p.rank() - q.rank() })
	for len(waiting) > 0 {
		next := slices.IndexFunc(waiting, func(p *part) bool {
			return !slices.ContainsFunc(waiting, func(q *part) bool { return q.frees(p) })
		})
		if next < 0 {
			var out []*Error
			for _, p := range waiting {
				out = append(out, refuse(CodeBadArguments, p.Path, "the names that are given up and taken here wait for each other; rename one of the files to another name first"))
			}
			return out
		}
		b.order = append(b.order, waiting[next])
		waiting = slices.Delete(waiting, next, next+1)
	}
	return nil
}

// Write puts t in the place of the bytes with the hash want. With an error that wraps ErrChanged, or any other, the
// file is what it was, unless the error says that this could not be kept.
func (r *Roots) Write(path string, want text.Hash, t text.Text) error {
	b, err := r.Prepare("", []Step{{Op: Replace, Path: path, Before: want, After: t}})
	if err == nil {
		err = b.Commit(context.Background(), "", nil)
	}
	var e *BatchError
	if errors.As(err, &e) && len(e.Lost) == 0 && len(e.Files) == 1 {
		return e.Files[0]
	}
	return err
}
