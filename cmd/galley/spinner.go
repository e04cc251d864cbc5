package main

import "time"

const (
	spinnerEvery = 100 * time.Millisecond // between two pictures; nothing is drawn before the first has passed
	spinnerQuiet = 2 * time.Second        // how long a text must have stopped before its line gets a picture
)

var spinnerFrames = []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")

// activity is what goes on, and since when.
type activity struct {
	what  string
	since time.Time
	note  string // what more is known, "": nothing
}

// since is an activity that begins now.
func since(what string) activity { return activity{what: what, since: time.Now()} }

// text is the activity in one line: "qwen3 thinking 12 s · reasoning".
func (a activity) text(now time.Time) string {
	text := a.what + " " + took(now.Sub(a.since).Truncate(time.Second))
	if a.note != "" {
		text += " · " + a.note
	}
	return text
}

// spinner is the line at the bottom of a terminal that says what goes on. One goroutine draws it, which is over before
// hide returns, and nothing of the line is left then: whoever prints hides it first. Where no cursor can be moved it
// does nothing. It is not for several goroutines at a time.
type spinner struct {
	s    screen
	stop chan struct{} // nil: nothing is shown
	done chan struct{}
}

// show says what goes on from now on. Column is where an unfinished line of text ends on the same terminal, 0: nowhere.
func (p *spinner) show(doing activity, column int) {
	p.hide()
	if !p.s.moves {
		return
	}
	p.stop, p.done = make(chan struct{}), make(chan struct{})
	d := drawing{s: p.s, doing: doing, column: column}
	if column > 0 {
		d.quiet = spinnerQuiet
	}
	go d.run(p.stop, p.done)
}

// hide ends it and wipes it off.
func (p *spinner) hide() {
	if p.stop == nil {
		return
	}
	close(p.stop)
	<-p.done
	p.stop, p.done = nil, nil
}

// drawing is one spinner from show to hide. It belongs to its goroutine.
type drawing struct {
	s      screen
	doing  activity
	column int
	quiet  time.Duration
	drawn  bool
}

func (d *drawing) run(stop <-chan struct{}, done chan<- struct{}) {
	defer close(done)
	began := time.Now()
	tick := time.NewTicker(spinnerEvery)
	defer tick.Stop()
	for frame := 0; ; frame++ {
		select {
		case <-stop:
			d.wipe()
			return
		case now := <-tick.C:
			if now.Sub(began) >= d.quiet {
				d.draw(spinnerFrames[frame%len(spinnerFrames)], now)
			}
		}
	}
}

// draw leaves the cursor where it was: at the beginning of its line, so that a terminal that becomes narrower and
// breaks the line anew still has all of it behind the cursor, or at the end of the text.
func (d *drawing) draw(frame rune, now time.Time) {
	const narrowest = 8
	width := d.s.now().width
	if width < narrowest {
		d.wipe()
		return
	}
	if d.column == 0 {
		d.s.print("\r" + d.s.paint(styleFaint, cut(string(frame)+" "+d.doing.text(now), width-1)) + "\x1b[K\r")
		d.drawn = true
		return
	}
	text := " " + string(frame) + " " + took(now.Sub(d.doing.since).Truncate(time.Second))
	if at := d.column % width; at == 0 || at+columnsOf(text)+4 > width { // the column is not that certain
		d.wipe()
		return
	}
	d.s.print("\x1b7" + d.s.paint(styleFaint, text) + "\x1b[K\x1b8")
	d.drawn = true
}

func (d *drawing) wipe() {
	if !d.drawn {
		return
	}
	back := "\r"
	if d.column > 0 {
		back = ""
	}
	d.s.print(back + "\x1b[J")
	d.drawn = false
}
