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

// Number is what a line is called where lines are numbered: an old one as in the file, any
// other as it will be.
func (l Line) Number() int {
	if l.Sign == Old || l.New == 0 {
		return l.Old
	}
	return l.New
}

// last is the number of the last line that it stands for.
func (l Line) last() int { return l.Number() + max(1, l.folds) - 1 }

// Numbered is the part of the lines with the numbers from to to. twice is one of them that
// lines in two places have, 0: none.
func (ls Lines) Numbered(from, to int) (part func(*editing.Document, *editing.Change) editing.Part, twice int) {
	places, place := map[int]int{}, 0
	for _, l := range ls {
		if !l.moves() {
			place++
			continue
		}
		for n := max(from, l.Number()); n <= min(to, l.last()); n++ {
			if at, ok := places[n]; ok && at != place {
				twice = n
			}
			places[n] = place
		}
	}
	return ls.Part(func(_ int, l Line) bool { return l.Number() <= to && from <= l.last() }), twice
}

// On is the part that stands on the lines from to to of the file as it is: what goes there,
// with what comes for it, and what comes behind one of them.
func (ls Lines) On(from, to int) func(*editing.Document, *editing.Change) editing.Part {
	named := make([]bool, len(ls))
	before, gone, comes, last := 1, 0, 0, false // the line before; of this run: lines that go and come; the last that goes is named
	for i, l := range ls {
		switch {
		case l.Sign == New && comes < gone: // it goes along
			comes++
		case l.Sign == New && gone > 0:
			named[i] = last
		case l.Sign == New:
			named[i] = from <= before && before <= to
		case l.moves():
			last = from <= l.last() && l.Old <= to
			named[i], gone = last, gone+max(1, l.folds)
		case l.Sign == Context:
			before, gone, comes = l.Old, 0, 0
		}
	}
	return ls.Part(func(i int, _ Line) bool { return named[i] })
}

// moves reports whether a line goes or comes, or stands for some that go.
func (l Line) moves() bool { return l.Sign == Old || l.Sign == New || l.folds > 0 }
