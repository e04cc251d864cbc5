package lsp

import (
	"context"
	"slices"
	"sync"

	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/editing"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"
)

// keeper brings decisions into the documents that the editor has open, one edit
// at a time on each. What the editor answers decides nothing but whether waiting
// is worth it: the text that comes afterwards decides.
type keeper struct {
	s     *server
	wake  chan struct{} // size 1
	begun map[int]bool  // decisions that are taken care of; owned by run

	mu   sync.Mutex // guards busy
	busy map[string]bool
}

func newKeeper(s *server) *keeper {
	return &keeper{s: s, wake: make(chan struct{}, 1), begun: map[int]bool{}, busy: map[string]bool{}}
}

// poke makes the keeper look again.
func (k *keeper) poke() {
	select {
	case k.wake <- struct{}{}:
	default:
	}
}

func (k *keeper) run(ctx context.Context) {
	for {
		all, moved := k.s.host.Decisions()
		begun := map[int]bool{}
		for i, d := range all {
			begun[d.ID] = k.begun[d.ID] || k.begin(d, all[:i])
		}
		k.begun = begun
		select {
		case <-moved:
		case <-k.wake:
		case <-ctx.Done():
			return
		}
	}
}

// begin takes care of a decision, unless another edit is on its way to one of its
// documents: it waits for the text of that one, which some editors do not send
// while a command is open. Editors that hold typing back get no second one
// meanwhile: by its turn the edit could land beside.
func (k *keeper) begin(d host.Decision, before []host.Decision) (begun bool) {
	begun = true // a fault is not met twice
	defer k.s.caught("keeper")
	snap, c := k.s.ws.Snapshot(), k.s.client.Load()
	paths := pathsOf(d.Edits(snap))
	if d.Unasked && (!c.public().Exact || k.s.sound(snap, snap.Undecided(d.Session, d.Edit)) != nil) {
		k.refuse(d, "it is left for you to commit")
		return true
	}
	if k.take(paths) {
		k.s.spawn(func(ctx context.Context) { k.bring(ctx, d, paths) })
		return true
	}
	k.s.host.Answered(d.ID)
	if c.profile.holdsTyping && anyApplying(snap, before, paths) {
		k.refuse(d, "the change before is not in the text yet; try again")
		return true
	}
	return false
}

// anyApplying reports whether letters of decisions are still on their way into
// documents; else the edit that is on its way there is about to end.
func anyApplying(snap *editing.Snapshot, ds []host.Decision, paths []string) bool {
	return slices.ContainsFunc(ds, func(d host.Decision) bool {
		return slices.ContainsFunc(d.Letters, func(l string) bool {
			c, ok := snap.Change(l)
			return ok && c.State == editing.Applying && slices.Contains(paths, c.Path)
		})
	})
}

func pathsOf(edits []editing.DocumentEdit) []string {
	var out []string
	for _, e := range edits {
		out = append(out, e.Path)
	}
	return out
}

// take reserves documents, all or none.
func (k *keeper) take(paths []string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if slices.ContainsFunc(paths, func(p string) bool { return k.busy[p] }) {
		return false
	}
	for _, p := range paths {
		k.busy[p] = true
	}
	return true
}

func (k *keeper) give(paths []string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, p := range paths {
		delete(k.busy, p)
	}
	k.poke()
}

func (k *keeper) refuse(d host.Decision, reason string) {
	k.s.spawn(func(ctx context.Context) { k.end(ctx, d, host.Ending{Refused: true, Reason: reason}, cleanliness{}) })
}

// bring is the life of one edit.
func (k *keeper) bring(ctx context.Context, d host.Decision, paths []string) {
	defer k.s.host.Answered(d.ID)
	var clean cleanliness
	if d.Way == host.Commits {
		snap := k.s.ws.Snapshot()
		clean = k.s.cleanDocuments(snap, d.Edits(snap))
	}
	how := k.try(ctx, d, clean.all, paths)
	if ctx.Err() == nil { // else a restart reads from the text what became of it
		k.end(ctx, d, how, clean)
	}
}

// end tells the host how it ended, and the user what came of it.
func (k *keeper) end(ctx context.Context, d host.Decision, how host.Ending, clean cleanliness) {
	say, err := k.s.host.Decided(ctx, d.ID, how)
	if err != nil {
		k.s.log.Error("a decision could not be ended", zap.String("decision", d.Label), zap.Error(err))
		k.s.tell(protocol.MessageTypeError, err.Error())
	}
	for _, sentence := range say {
		k.s.complain(sentence)
	}
	if d.Way == host.Commits && err == nil && len(say) == 0 {
		k.s.save(ctx, clean)
	}
}

// try sends the edits as they are now and waits for the text. It gives the
// documents back.
func (k *keeper) try(ctx context.Context, d host.Decision, clean bool, paths []string) host.Ending {
	s := k.s
	home := sync.OnceFunc(func() { k.give(paths) })
	defer home()
	edit, some := s.prepare(d)
	if !some { // the text was right already
		return host.Ending{Waited: s.cfg.Patience}
	}
	wait, stop := context.WithTimeout(ctx, s.cfg.Patience)
	defer stop()
	no, replied := make(chan string, 1), make(chan struct{})
	s.spawn(func(ctx context.Context) {
		defer close(replied)
		defer s.host.Answered(d.ID)
		if wait.Err() != nil { // too late to begin with
			return
		}
		reason, ok := s.sendEdit(ctx, edit, d.Label, clean)
		if renames(edit) { // the disk tells
			s.host.FilesChanged(ctx, nil)
		}
		if !ok {
			no <- reason
			stop()
		}
	})
	how := s.untilDecided(wait, d, no)
	home()   // the text is in, or given up; only the answer may be missing
	select { // the text may come before the answer: the command answers first
	case <-replied:
	case <-wait.Done():
	}
	return how
}

// untilDecided waits until the text has decided, or waiting is over.
func (s *server) untilDecided(ctx context.Context, d host.Decision, no <-chan string) host.Ending {
	seq := int64(-1)
	for {
		snap, err := s.ws.Wait(ctx, seq)
		if err == nil && !d.Decided(snap) {
			seq = snap.Seq
			continue
		}
		how := host.Ending{Waited: s.cfg.Patience}
		select {
		case how.Reason = <-no:
			how.Refused = !d.Decided(snap)
		default:
		}
		return how
	}
}

// sendEdit sends one workspace/applyEdit. With clean, every document is as its
// file is: it may be saved by the edit.
func (s *server) sendEdit(ctx context.Context, edit protocol.WorkspaceEdit, label string, clean bool) (reason string, ok bool) {
	p := &protocol.ApplyWorkspaceEditParams{Label: &label, Edit: edit}
	if clean && s.client.Load().caps.refactoringMetadata {
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

// sound refuses to touch documents whose text is in doubt, or that the client
// has no way to change.
func (s *server) sound(snap *editing.Snapshot, changes []*editing.Change) error {
	var paths []string
	open, renamed := false, ""
	for _, ch := range changes {
		d, ok := snap.Document(ch.Path)
		open = open || ok && d.Open && ch.Kind != editing.KindDeleteFile
		if ok && d.Open && ch.Kind == editing.KindRename {
			renamed = d.Name
		}
		paths = append(paths, ch.Path)
	}
	if b, bad := s.docs.doubted(paths); bad {
		return refused(codeUnsound, "galley lost track of the text of %s (%s); save it or open it again, then repeat the command", b.name, b.doubt)
	}
	if open && !s.client.Load().caps.applyEdit {
		return refused(codeNoApplyEdit, "your editor offers no workspace/applyEdit, so galley cannot change an open document; close the file and repeat the command")
	}
	if renamed != "" && !s.client.Load().caps.renames {
		return refused(codeNoApplyEdit, "your editor offers no renaming of open files; close %s and repeat the command", renamed)
	}
	return nil
}
