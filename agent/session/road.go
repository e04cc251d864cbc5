package session

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/disk"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/memory"
)

// This file is the one road on which closed files change: prepare, journal the
// intent, exchange, journal the outcome. recover.go goes on where a process died on
// it.

// road is what a session needs for that.
type road struct {
	*base
	lock      *memory.WriteLock // of all galley processes
	path      string            // its file
	decisions *memory.Workspace // the workspace's journal
}

func openRoad(b *base, home string) (*road, error) {
	lock := memory.NewWriteLock(home)
	take := memory.Locker(lock.Lock)
	if b.store.ReadOnly() {
		take = onlyLooking
	}
	w := b.set.Load().Journal
	if w == nil || b.store.ReadOnly() {
		var err error
		if w, err = memory.OpenWorkspace(context.Background(), home, b.folder, take); err != nil {
			return nil, fmt.Errorf("open the journal of the workspace: %w", err)
		}
	}
	w.Hide(b.set.Load().secrets)
	return &road{b, lock, lock.Path(), w}, nil
}

// How an intent ends.
const (
	intentDone       = "done"
	intentNotDone    = "not done"
	intentAborted    = "aborted"
	intentUnfinished = "unfinished" // the rest waits for a person
)

// over journals how an intent ended. Should that fail, the next start looks at the
// files again and finds the same.
func (s *road) over(id, state string, cause error, missing ...string) {
	o := memory.Outcome{State: state, Missing: missing}
	if cause != nil {
		o.Reason = cause.Error()
	}
	_ = s.decisions.End(context.Background(), id, o)
}

// refusal says to people why a batch was given up. It answers the files that could not be
// put back.
func (s *road) refusal(err error) (lost []string, _ error) {
	var b *disk.BatchError
	if !errors.As(err, &b) {
		return nil, err
	}
	r := &Refusal{Code: "commit_failed", Hint: "nothing was written"}
	var why []string
	for _, f := range slices.Concat(b.Files, b.Lost) {
		hint := s.hint(f)
		r.Files = append(r.Files, editing.FileProblem{Path: s.relative(f.Path), Code: f.Code, Message: hint})
		why = append(why, s.relative(f.Path)+": "+hint)
	}
	rest := "nothing was applied, all letters still wait"
	for _, f := range b.Lost {
		lost = append(lost, s.relative(f.Path))
	}
	if len(lost) > 0 {
		r.Hint = strings.Join(lost, ", ") + " could not be put back after a failed write, look at it"
		rest = "each letter is what its file says"
	}
	r.Hint += "; " + strings.Join(append(why, rest), "; ")
	return lost, errors.Join(r, b.Err)
}

// hint says what to do about one file. What is not as it was read may be an editor's text,
// which nobody but the user may throw away.
func (s *road) hint(f *disk.Error) string {
	if d, ok := s.Snapshot().Document(f.Path); ok && d.Open() && f.Code == disk.CodeChanged {
		return "it has text in an editor that is not saved: save or discard it there, then decide again"
	}
	return f.Hint
}

// relative is the name of a file of the workspace in journals, with slashes.
func (s *road) relative(path string) string {
	rel, err := filepath.Rel(s.folder, path)
	if err != nil || !filepath.IsAbs(path) {
		return path
	}
	return filepath.ToSlash(rel)
}

func (s *road) absolute(rel string) string {
	if rel == "" {
		return ""
	}
	return filepath.Join(s.folder, filepath.FromSlash(rel))
}

// steps are what targets want of the disk.
func steps(targets []editing.Target) []disk.Step {
	out := make([]disk.Step, len(targets))
	for i, g := range targets {
		out[i] = disk.Step{
			Op: disk.Op(g.Action), Path: g.Path, To: g.To, Before: g.Before.Hash(), After: g.After, Folders: g.Folders,
			Edited: g.Action == editing.ActRename && !g.Before.Equal(g.After),
		}
	}
	return out
}

// backwards take targets back, of which parts tell what was made for them.
func backwards(targets []editing.Target, parts []disk.Part) []editing.Target {
	out := make([]editing.Target, len(targets))
	for i, g := range targets {
		b := editing.Target{Action: g.Action, Path: g.Path, Name: g.Name, Before: g.After, After: g.Before, Folders: parts[i].Made}
		switch g.Action {
		case editing.ActCreate:
			b.Action = editing.ActDelete
		case editing.ActDelete:
			b.Action = editing.ActCreate
		case editing.ActRename:
			b.Path, b.Name, b.To, b.ToName = g.To, g.ToName, g.Path, g.Name
		}
		out[i] = b
	}
	return out
}

// trip is what a plan did to closed files, on its way into the session's journal.
type trip struct {
	memory.Intent
	targets []editing.Target
	parts   []disk.Part
}

// write brings the closed files of a plan to the disk, all or none. open are changes
// that an editor has in its text, and has not saved.
func (s *road) write(typ string, e *editEntry, p *editing.Plan, open []*editing.Change) (*trip, error) {
	if s.store.ReadOnly() {
		return nil, fmt.Errorf("the session is open for reading only; nothing was changed: %w", memory.ErrReadOnly)
	}
	e.Intent = rand.Text()
	b, err := s.Files().Prepare(e.Intent, steps(p.Targets))
	if err != nil {
		_, err = s.refusal(err)
		return nil, err
	}
	for i, part := range b.Parts() {
		p.Made(p.Targets[i].At(), part.Made)
	}
	e.Record = s.kept(e.Record)
	in, err := s.intend(typ, *e, p.Result, b.Parts(), open)
	if err != nil {
		b.Discard()
		return nil, fmt.Errorf("%w; nothing was changed", err)
	}
	return &trip{in, p.Targets, b.Parts()}, s.exchange(e.Intent, b)
}

// unhindered says what stands in the way of the closed files of a commit, before editors are asked to change theirs.
func (s *road) unhindered(commit editing.Result) error {
	var left []string
	for _, c := range s.Snapshot().Undecided(commit.Owner, commit.Session) {
		left = append(left, c.Letter)
	}
	_, err := s.refusal(s.Files().Check(steps(s.ws.Plan(editing.Apply(editing.Letters(left...))).Targets)))
	return err
}

// exchange commits a batch whose intent is journaled. With an error the files are
// as before, or are named, and the intent is over.
func (s *road) exchange(id string, b *disk.Batch) error {
	ctx := context.Background()
	err := b.Commit(ctx, s.path, func() error { return s.decisions.Aborting(s.lock.Held(ctx), id) })
	if err == nil {
		return nil
	}
	lost, err := s.refusal(err)
	s.over(id, intentAborted, err, lost...)
	return err
}

// takeBack ends an intent whose plan was stale when its files were written.
func (s *road) takeBack(t *trip) error {
	if t == nil {
		return nil
	}
	if err := s.decisions.Aborting(context.Background(), t.ID); err != nil {
		return err
	}
	b, err := s.Files().Prepare("", steps(backwards(t.targets, t.parts)))
	if err == nil {
		err = b.Commit(context.Background(), s.path, nil)
	}
	lost, err := s.refusal(err)
	s.over(t.ID, intentAborted, err, lost...)
	return err
}

// intentEntry is what the session's journal gets when an intent is done.
type intentEntry struct {
	Type  string    `json:"type"`
	Entry editEntry `json:"entry"`
}

// intend journals an intent, after the bytes that a kill could cost. open are changes
// that an editor has in its text, and has not saved.
func (s *road) intend(typ string, e editEntry, res editing.Result, parts []disk.Part, open []*editing.Change) (in memory.Intent, err error) {
	in = memory.Intent{ID: e.Intent, Session: s.me, Op: e.Op, Edit: res.Session, Reason: e.Reason, Letters: res.Touched}
	if in.Entry, err = json.Marshal(intentEntry{typ, e}); err != nil {
		return in, err
	}
	for _, p := range parts {
		f, err := s.intentFile(p)
		if err != nil {
			return in, err
		}
		in.Files = append(in.Files, f)
	}
	in.Files = append(in.Files, s.openFiles(open)...)
	for _, c := range open {
		if !slices.Contains(in.Letters, c.Letter) {
			in.Letters = append(slices.Clip(in.Letters), c.Letter)
		}
	}
	_, err = s.decisions.Begin(context.Background(), in)
	return in, err
}

func (s *road) intentFile(p disk.Part) (memory.IntentFile, error) {
	f := memory.IntentFile{Path: s.relative(p.Path), Op: string(p.Op), InPlace: p.InPlace, Made: p.Made, Folders: p.Folders}
	if p.To != "" {
		f.To = s.relative(p.To)
	}
	if p.Op != disk.Create {
		f.Before = p.Before.String()
	}
	if p.Op != disk.Delete && (p.Op != disk.Rename || p.Edited) {
		f.After = p.Hash.String()
	}
	var err error
	if p.Old != nil {
		f.Blob, err = s.decisions.KeepBlob(p.Old)
	}
	if p.InPlace && err == nil {
		f.BlobAfter, err = s.decisions.KeepBlob(p.After.Bytes())
	}
	return f, err
}

// part is what intentFile made a record of.
func (s *road) part(f memory.IntentFile) (disk.Part, error) {
	p := disk.Part{InPlace: f.InPlace, Made: f.Made}
	p.Op, p.Path, p.To = disk.Op(f.Op), s.absolute(f.Path), s.absolute(f.To)
	p.Before, p.Hash, p.Edited = hashOf(f.Before), hashOf(f.After), f.After != ""
	p.Folders = f.Folders
	var err error
	if f.Blob != "" {
		p.Old, err = s.decisions.Blob(f.Blob)
	}
	if !f.InPlace { // of a delete, they are a help only
		return p, nil
	}
	now, afterErr := s.decisions.Blob(f.BlobAfter)
	if err = errors.Join(err, afterErr); err == nil {
		p.After, err = text.FromBytes(now)
	}
	return p, err
}

func hashOf(s string) (h text.Hash) {
	b, _ := hex.DecodeString(s) // "" is no hash
	copy(h[:], b)
	return h
}
