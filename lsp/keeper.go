package lsp

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/editing"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"
)

// keeper brings decisions into the documents that the editor keeps, one edit at a time
// on each. What the editor answers decides nothing but whether waiting
// is worth it: the text that comes afterwards decides.
type keeper struct {
	s *server
	bell
	begun map[int]bool // decisions that are taken care of; owned by run

	mu   sync.Mutex // guards busy
	busy map[string]bool
}

func newKeeper(s *server) *keeper {
	return &keeper{s: s, bell: newBell(), begun: map[int]bool{}, busy: map[string]bool{}}
}

func (k *keeper) run(ctx context.Context) {
	for {
		all, moved := k.s.host.Decisions(k.s.me)
		begun := map[int]bool{}
		for i, d := range all {
			begun[d.ID] = k.begun[d.ID] || k.begin(d, all[:i])
		}
		k.begun = begun
		select {
		case <-moved:
		case <-k.bell:
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
	defer k.s.caught("keeper", nil)
	snap, c := k.s.ws.Snapshot(), k.s.client.Load()
	paths := pathsOf(d.Part(snap, k.s.me))
	switch {
	case d.Barred != "":
		k.refuse(d, d.Barred)
		return true
	case d.By != k.s.me && !c.refusesStale(): // it became the keeper meanwhile
		k.refuse(d, "what is decided elsewhere could land beside what was typed here")
		return true
	}
	if k.take(paths) {
		k.s.spawn(func(ctx context.Context) { k.bring(ctx, d, paths) })
		return true
	}
	k.s.host.Answered(k.s.me, d.ID)
	if c.profile.holdsTyping && !c.exact && anyApplying(snap, before, paths) {
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

// bring is the life of a part.
func (k *keeper) bring(ctx context.Context, d host.Decision, paths []string) {
	defer k.s.host.Answered(k.s.me, d.ID)
	var clean cleanliness
	if d.Way == host.Commits {
		snap := k.s.ws.Snapshot()
		clean = k.s.cleanDocuments(snap, d.Part(snap, k.s.me))
	}
	how := k.try(ctx, d, clean.all, paths)
	if ctx.Err() == nil { // else the part ends with the connection
		k.end(ctx, d, how, clean)
		if how.Silent {
			k.s.offer(paths)
		}
	}
}

// end tells the host how it ended. After a commit the user's files are saved.
func (k *keeper) end(ctx context.Context, d host.Decision, how host.Ending, clean cleanliness) {
	done, err := k.s.host.Decided(ctx, k.s.me, d.ID, how)
	if err != nil && ctx.Err() == nil {
		k.s.log.Error("a decision could not be ended", zap.String("decision", d.Label), zap.Error(err))
	}
	if done && d.Way == host.Commits {
		k.s.save(ctx, clean)
	}
}

// try sends the edits as they are now and waits for the text. It gives the
// documents back. An edit can come between what the user types: one that was refused
// for that is sent again, with the newer text.
func (k *keeper) try(ctx context.Context, d host.Decision, clean bool, paths []string) host.Ending {
	home := sync.OnceFunc(func() { k.give(paths) })
	defer home()
	wait, stop := context.WithTimeout(ctx, k.s.cfg.Patience)
	defer stop()
	sent, late := k.s.ws.Snapshot(), k.s.cfg.Patience
	if d.By == k.s.me {
		late /= 10 // who gave the command waits; half a second, and Neovim holds back for 150 ms what is typed
	}
	how := k.once(wait, d, clean, home)
	for how.Refused && k.s.client.Load().refusesStale() && k.s.typedSince(wait, late, sent, paths) {
		now := k.s.ws.Snapshot()
		if !slices.Equal(k.lacking(sent, d), k.lacking(now, d)) {
			break // what came is no typing beside: it may be the half of the edit
		}
		sent, late = now, k.s.cfg.Patience/10
		how = k.once(wait, d, clean, home)
	}
	if now := k.s.ws.Snapshot(); !how.Refused && anyApplying(now, []host.Decision{d}, paths) && d.Decided(now, k.s.me) {
		return host.Ending{Refused: true, Reason: "the file was closed"}
	}
	return how
}

// lacking is what the texts still lack, wherever that stands in them.
func (k *keeper) lacking(snap *editing.Snapshot, d host.Decision) (out []string) {
	for _, e := range d.Part(snap, k.s.me) {
		out = append(out, e.Path, e.Rename)
		if doc, ok := snap.Document(e.Path); ok {
			for _, edit := range e.Edits {
				out = append(out, doc.Base.Slice(edit.Start, edit.End), edit.New)
			}
		}
	}
	return out
}

// typedSince waits for a text that is newer than those of a snapshot.
func (s *server) typedSince(ctx context.Context, late time.Duration, sent *editing.Snapshot, paths []string) bool {
	ctx, stop := context.WithTimeout(ctx, late)
	defer stop()
	_, err := s.ws.Until(ctx, func(snap *editing.Snapshot) bool {
		return slices.ContainsFunc(paths, func(p string) bool {
			was, _ := sent.Document(p)
			d, ok := snap.Document(p)
			return ok && was != nil && d.Keeper == s.me && d.Version != was.Version
		})
	})
	return err == nil
}

// once sends the edits one time. home gives the documents back as soon as the text is in.
func (k *keeper) once(ctx context.Context, d host.Decision, clean bool, home func()) host.Ending {
	s := k.s
	edit, some := s.prepare(d)
	if !some { // the text was right already
		return host.Ending{Waited: s.cfg.Patience}
	}
	wait, stop := context.WithCancel(ctx)
	defer stop()
	no, replied := make(chan string, 1), make(chan struct{})
	s.spawn(func(ctx context.Context) {
		defer close(replied)
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
		if ok { // else it may be sent again
			s.host.Answered(s.me, d.ID)
		}
	})
	how := s.untilDecided(wait, d, no)
	if how.Refused {
		return how
	}
	home()   // the text is in, or given up; only the answer may be missing
	select { // the text may come before the answer: the command answers first
	case <-replied:
	case <-wait.Done():
	}
	select {
	case <-replied:
	default:
		how.Silent = !d.Decided(s.ws.Snapshot(), s.me)
	}
	return how
}

// untilDecided waits until the text has decided, or waiting is over.
func (s *server) untilDecided(ctx context.Context, d host.Decision, no <-chan string) host.Ending {
	snap, _ := s.ws.Until(ctx, func(snap *editing.Snapshot) bool { return d.Decided(snap, s.me) }) // the end of waiting is one, too
	how := host.Ending{Waited: s.cfg.Patience}
	select {
	case how.Reason = <-no:
		how.Refused = !d.Decided(snap, s.me)
	default:
	}
	return how
}

// sendEdit sends one workspace/applyEdit. With clean, every document is as its
// file is: it may be saved by the edit.
func (s *server) sendEdit(ctx context.Context, edit protocol.WorkspaceEdit, label string, clean bool) (reason string, ok bool) {
	p := &protocol.ApplyWorkspaceEditParams{Label: &label, Edit: edit}
	if clean && s.client.Load().caps.refactoringMetadata {
		p.Metadata = &protocol.WorkspaceEditMetadata{IsRefactoring: new(true)}
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
