package session

import (
	"context"
	"errors"
	"slices"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/disk"
	"github.com/galley-ls/galley/memory"
)

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

// backwards take targets back, which parts did.
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
	slices.Reverse(out)
	return out
}

// prepare makes all that a plan writes ready, and tells it which folders will be made.
func (set *settings) prepare(p *editing.Plan) (*disk.Batch, error) {
	b, err := set.roots.Prepare("", steps(p.Targets))
	if err != nil {
		return nil, set.writeError(err)
	}
	for i, part := range b.Parts() {
		p.Made(p.Targets[i].At(), part.Made)
	}
	return b, nil
}

func (set *settings) exchange(b *disk.Batch) error {
	return set.writeError(b.Commit(context.Background(), memory.NewWriteLock(set.Home).Path(), nil))
}

// takeBack puts files back that were written for a plan which is stale.
func (set *settings) takeBack(targets []editing.Target, parts []disk.Part) error {
	b, err := set.roots.Prepare("", steps(backwards(targets, parts)))
	if err != nil {
		return set.writeError(err)
	}
	return set.exchange(b)
}

// writeError names the files as people know them.
func (set *settings) writeError(err error) error {
	var b *disk.BatchError
	if !errors.As(err, &b) {
		return err
	}
	e := &editing.WriteError{}
	for _, f := range slices.Concat(b.Files, b.Lost) {
		p := editing.FileProblem{Path: set.shown(f.Path), Code: f.Code, Message: f.Error()}
		e.Files = append(e.Files, p)
		if slices.Contains(b.Lost, f) {
			e.Lost = append(e.Lost, p.Path)
		}
	}
	return errors.Join(e, b.Err)
}

func (set *settings) shown(path string) string {
	if p, err := set.roots.Resolve(path, false); err == nil {
		return p.Rel
	}
	return path
}
