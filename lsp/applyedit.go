package lsp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/galley-ls/galley/editing"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"
)

// attempt is one try to bring changes into documents that the editor has open.
// What the editor answers decides nothing but whether waiting is worth it: the
// text that comes afterwards decides.
type attempt struct {
	letters []string
	label   string
	clean   bool // every document was as its file is: it may be saved by the edit
	// edits are made when it is their turn; nil: those of the applying letters.
	edits func(*editing.Snapshot) []editing.DocumentEdit
	// settled says that the text has decided; nil: no letter is applying.
	settled func(*editing.Snapshot) bool
	// over is called once, when the letters are decided, or will not be.
	over func(ctx context.Context, how ending)
}

// ending is how an attempt ended.
type ending struct {
	refused bool   // the editor said no
	reason  string // its words
	late    bool   // the text did not come in time
}

// sound refuses to touch documents whose text is in doubt, or that the client
// has no way to change.
func (s *server) sound(snap *editing.Snapshot, changes []*editing.Change) error {
	var paths []string
	open := false
	for _, ch := range changes {
		d, ok := snap.Document(ch.Path)
		open = open || ok && d.Open
		paths = append(paths, ch.Path)
	}
	if b, bad := s.docs.doubted(paths); bad {
		return refused(codeUnsound, "galley lost track of the text of %s (%s); save it or open it again, then repeat the command", b.name, b.doubt)
	}
	if open && !s.client.Load().caps.applyEdit {
		return refused(codeNoApplyEdit, "your editor offers no workspace/applyEdit, so galley cannot change an open document; close the file and repeat the command")
	}
	return nil
}

// bringIn sends the edits of applying letters. The channel is closed when the
// editor has answered, or when it is not waited for: a second attempt on one
// document waits for the text of the first, which some editors do not send while
// a command is open. Editors that hold typing back get no second one meanwhile.
func (s *server) bringIn(a attempt) <-chan struct{} {
	answered := make(chan struct{})
	tell := sync.OnceFunc(func() { close(answered) })
	s.spawn(func(ctx context.Context) {
		defer tell()
		for {
			paths := a.paths(s.ws.Snapshot())
			free := s.flight.take(paths)
			if free == nil {
				how := s.try(ctx, a, tell, paths)
				if ctx.Err() == nil { // else a restart reads from the text what became of it
					a.over(ctx, how)
				}
				return
			}
			tell()
			if s.client.Load().profile.holdsTyping && othersApplying(s.ws.Snapshot(), paths, a.letters) { // by its turn the edit could land beside
				a.over(ctx, ending{refused: true, reason: "the change before is not in the text yet; try again"})
				return
			}
			select {
			case <-free:
			case <-ctx.Done():
				return
			}
		}
	})
	return answered
}

// othersApplying reports whether other letters than these are still on their way
// into the documents; else an attempt on them is about to end.
func othersApplying(snap *editing.Snapshot, paths, letters []string) bool {
	return slices.ContainsFunc(snap.Changes(), func(c *editing.Change) bool {
		return c.State == editing.Applying && slices.Contains(paths, c.Path) && !slices.Contains(letters, c.Letter)
	})
}

// flight are the documents that edits are on their way to: one edit each.
type flight struct {
	mu    sync.Mutex // guards what follows
	paths map[string]bool
	free  chan struct{} // closed when some have come home
}

// take reserves the documents, or answers what to wait for.
func (f *flight) take(paths []string) <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.paths == nil {
		f.paths, f.free = map[string]bool{}, make(chan struct{})
	}
	if slices.ContainsFunc(paths, func(p string) bool { return f.paths[p] }) {
		return f.free
	}
	for _, p := range paths {
		f.paths[p] = true
	}
	return nil
}

func (f *flight) give(paths []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, p := range paths {
		delete(f.paths, p)
	}
	close(f.free)
	f.free = make(chan struct{})
}

// try sends the edits as they are now and waits for the text. It gives the
// documents back.
func (s *server) try(ctx context.Context, a attempt, tell func(), paths []string) ending {
	home := sync.OnceFunc(func() { s.flight.give(paths) })
	defer home()
	edit, some := s.prepare(a)
	if !some { // the text was right already
		return ending{}
	}
	wait, stop := context.WithTimeout(ctx, s.cfg.Patience)
	defer stop()
	no, replied := make(chan string, 1), make(chan struct{})
	s.spawn(func(ctx context.Context) {
		defer close(replied)
		defer tell()
		if wait.Err() != nil { // too late to begin with
			return
		}
		if reason, ok := s.sendEdit(ctx, edit, a); !ok {
			no <- reason
			stop()
		}
	})
	how := s.untilDecided(wait, a.isSettled, no)
	home()   // the text is in, or given up; only the answer may be missing
	select { // the text may come before the answer: the command answers first
	case <-replied:
	case <-wait.Done():
	}
	return how
}

// paths are the documents that the attempt would change now.
func (a attempt) paths(snap *editing.Snapshot) []string {
	var out []string
	for _, e := range a.toSend(snap) {
		out = append(out, e.Path)
	}
	return out
}

func (a attempt) toSend(snap *editing.Snapshot) []editing.DocumentEdit {
	if a.edits != nil {
		return a.edits(snap)
	}
	return snap.Applying(a.letters...)
}

func (a attempt) isSettled(snap *editing.Snapshot) bool {
	if a.settled != nil {
		return a.settled(snap)
	}
	return !anyApplying(snap, a.letters)
}

// untilDecided waits until the text has decided, or waiting is over.
func (s *server) untilDecided(ctx context.Context, settled func(*editing.Snapshot) bool, no <-chan string) ending {
	seq := int64(-1)
	for {
		snap, err := s.ws.Wait(ctx, seq)
		if settled(snap) {
			return ending{}
		}
		if err == nil {
			seq = snap.Seq
			continue
		}
		select {
		case reason := <-no:
			return ending{refused: true, reason: reason}
		default:
			return ending{late: true}
		}
	}
}

func anyApplying(snap *editing.Snapshot, letters []string) bool {
	return slices.ContainsFunc(letters, func(l string) bool {
		c, ok := snap.Change(l)
		return ok && c.State == editing.Applying
	})
}

// sendEdit sends one workspace/applyEdit.
func (s *server) sendEdit(ctx context.Context, edit protocol.WorkspaceEdit, a attempt) (reason string, ok bool) {
	p := &protocol.ApplyWorkspaceEditParams{Label: &a.label, Edit: edit}
	if a.clean && s.client.Load().caps.refactoringMetadata {
		yes := true
		p.Metadata = &protocol.WorkspaceEditMetadata{IsRefactoring: &yes}
	}
	var got protocol.ApplyWorkspaceEditResult
	if _, err := s.conn.Call(ctx, protocol.MethodWorkspaceApplyEdit, p, &got); err != nil {
		s.log.Info("an edit was answered with an error", zap.Error(err))
		return err.Error(), false
	}
	if !got.Applied {
		if got.FailureReason != nil {
			reason = *got.FailureReason
		}
		return reason, false
	}
	return "", true
}

// applied ends an attempt to apply: what is still applying is expired, and the
// user is told what did not work.
func (s *server) applied(ctx context.Context, letters []string, how ending) {
	var still []string
	for _, l := range letters {
		if anyApplying(s.ws.Snapshot(), []string{l}) {
			still = append(still, l)
		}
	}
	if len(still) > 0 {
		if r, err := s.host.Expire(ctx, still); err != nil || !r.OK() {
			s.log.Error("letters could not be expired", zap.Strings("letters", still), zap.String("hint", r.Hint), zap.Error(err))
		}
	}
	snap := s.ws.Snapshot()
	if back := inState(snap, still, editing.Staged); len(back) > 0 {
		s.complain(how.sentence(strings.Join(back, ", "), s.cfg.Patience.String()))
	}
	if bad := inState(snap, letters, editing.Conflict); len(bad) > 0 {
		s.complain(fmt.Sprintf("%s met other text than expected and is in conflict now; one undo in the editor takes back what it changed",
			strings.Join(bad, ", ")))
	}
}

// sentence says why letters wait again.
func (e ending) sentence(letters, waited string) string {
	switch {
	case e.refused && e.reason != "":
		return fmt.Sprintf("the editor did not apply %s: %s", letters, e.reason)
	case e.refused:
		return fmt.Sprintf("the editor did not apply %s", letters)
	}
	return fmt.Sprintf("the text of the editor did not change within %s: %s waits for a decision again", waited, letters)
}

func inState(snap *editing.Snapshot, letters []string, state editing.ChangeState) []string {
	return slices.DeleteFunc(slices.Clone(letters), func(l string) bool {
		c, ok := snap.Change(l)
		return !ok || c.State != state
	})
}
