package lsp

import (
	"context"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/view"
)

// cmdSplit cuts a change in two: some of its display lines get a letter of their own.
func (s *server) cmdSplit(a args) (rest, error) {
	c, part, err := s.partOf(a)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) (any, error) {
		r, err := s.host.Split(ctx, choicesOf([]*editing.Change{c})[0], part)
		if err := s.did(r, err, []string{c.Letter}); err != nil {
			return nil, err
		}
		return map[string]string{"change": c.Letter, "new": r.Touched[1]}, nil
	}, nil
}

// decidePart cuts lines off a change and decides about them; where they are all of it,
// about it.
func (s *server) decidePart(a args, f func(context.Context, []editing.Choice) (editing.Result, error)) (rest, error) {
	c, part, err := s.partOf(a)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) (any, error) {
		choice, letters := choicesOf([]*editing.Change{c})[0], []string{c.Letter}
		r, err := s.host.Split(ctx, choice, part)
		if err != nil || r.Code != codeWhole {
			if err := s.did(r, err, letters); err != nil {
				return nil, err
			}
			choice, letters = editing.Choice{Letter: r.Touched[1]}, r.Touched
		}
		r, err = f(ctx, []editing.Choice{choice})
		err = s.did(r, err, letters)
		return s.decision(letters), err
	}, nil
}

// isPart reports whether a decision is about a part of a change.
func (a args) isPart() bool { return a.Lines != nil || a.Change != "" && a.Range != nil }

// partOf is the change that the arguments mean, and the part of it.
func (s *server) partOf(a args) (*editing.Change, func(*editing.Document, *editing.Change) editing.Part, error) {
	c, err := s.theOne(a)
	if err != nil {
		return nil, nil, err
	}
	lines := view.Of(s.ws.Snapshot(), c).Lines
	if r := a.Range; r != nil && a.Lines == nil {
		return c, lines.On(int(r.Start.Line)+1, int(r.End.Line)+1), nil
	}
	if len(a.Lines) != 2 || a.Lines[0] < 1 || a.Lines[0] > a.Lines[1] || a.Lines[1] > len(lines) {
		return nil, nil, badArguments("lines is %v; it is the first and the last of the display lines of change %s, which has %d", a.Lines, c.Letter, len(lines))
	}
	return c, lines.Part(func(i int, _ view.Line) bool { return a.Lines[0] <= i+1 && i+1 <= a.Lines[1] }), nil
}
