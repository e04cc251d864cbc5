package term

import "time"

const (
	spinnerEvery = 100 * time.Millisecond // between two pictures; nothing is drawn before the first has passed
	spinnerQuiet = 2 * time.Second        // how long a text must have stopped before its line gets a picture
)

var spinnerFrames = []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")

// Activity is what goes on, and since when.
type Activity struct {
	What  string
	since time.Time
	Note  string // what more is known, "": nothing
}

// Begin is an activity that begins now.
func Begin(what string) Activity { return Activity{What: what, since: time.Now()} }

// text is the activity in one line: "qwen3 thinking 12 s · reasoning".
func (a Activity) text(now time.Time) string {
	text := a.What + " " + Took(now.Sub(a.since).Truncate(time.Second))
	if a.Note != "" {
		text += " · " + a.Note
	}
	return text
}

// Spinner is the line at the bottom of a terminal that says what goes on. One goroutine draws it, which is over before
// hide returns, and nothing of the line is left then: whoever prints hides it first. Where no cursor can be moved it
// does nothing. It is not for several goroutines at a time.
type Spinner struct {
	S    Screen
	stop chan struct{} // nil: nothing is shown
	done chan struct{}
}

// Show says what goes on from now on. Column is where an unfinished line of text ends on the same terminal, 0: nowhere.
func (p *Spinner) Show(doing Activity, column int) {
	p.Hide()
	if !p.S.Moves {
		return
	}
	p.stop, p.done = make(chan struct{}), make(chan struct{})
	d := drawing{s: p.S, doing: doing, column: column}
	if column > 0 {
		d.quiet = spinnerQuiet
	}
	go d.run(p.stop, p.done)
}

// Hide ends it and wipes it off.
func (p *Spinner) Hide() {
	if p.stop == nil {
		return
	}
	close(p.stop)
	<-p.done
	p.stop, p.done = nil, nil
}

// drawing is one spinner from show to hide. It belongs to its goroutine.
type drawing struct {
	s      Screen
	doing  Activity
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
	width := d.s.Now().Width
	if width < narrowest {
		d.wipe()
		return
	}
	if d.column == 0 {
		d.s.Print("\r" + d.s.Paint(Faint, Cut(string(frame)+" "+d.doing.text(now), width-1)) + "\x1b[K\r")
		d.drawn = true
		return
	}
	text := " " + string(frame) + " " + Took(now.Sub(d.doing.since).Truncate(time.Second))
	if at := d.column % width; at == 0 || at+ColumnsOf(text)+4 > width { // the column is not that certain
		d.wipe()
		return
	}
	d.s.Print("\x1b7" + d.s.Paint(Faint, text) + "\x1b[K\x1b8")
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
	d.s.Print(back + "\x1b[J")
	d.drawn = false
}
