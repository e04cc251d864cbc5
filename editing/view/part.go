package view

import "github.com/galley-ls/galley/editing"

// Part is what some of the lines of a change name, for editing.Split: those that go and
// come, wherever they stand by then.
func (ls Lines) Part(names func(i int, l Line) bool) func(*editing.Document, *editing.Change) editing.Part {
	named := map[int]bool{} // which of those that go and come
	n := 0
	for i, l := range ls {
		if l.moves() {
			named[n] = names(i, l)
			n++
		}
	}
	return func(d *editing.Document, c *editing.Change) (p editing.Part) {
		n := 0
		for _, l := range shownOn(d, c).Lines {
			if !l.moves() {
				continue
			}
			switch {
			case !named[n]:
			case l.Sign == New:
				p.New = append(p.New, [2]int{l.New - 1, l.New})
			default:
				p.Old = append(p.Old, [2]int{l.Old - 1, l.Old - 1 + max(1, l.folds)})
			}
			n++
		}
		return p
	}
}

// moves reports whether a line goes or comes, or stands for some that go.
func (l Line) moves() bool { return l.Sign == Old || l.Sign == New || l.folds > 0 }
