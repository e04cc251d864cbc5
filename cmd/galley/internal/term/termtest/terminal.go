// Package termtest is a terminal for tests.
package termtest

import (
	"strings"
	"sync"
	"testing/synctest"
	"time"

	"github.com/galley-ls/galley/cmd/galley/internal/term"
)

// Terminal is a terminal for tests: it breaks lines at its width, and knows as many control sequences as galley uses.
type Terminal struct {
	mu     sync.Mutex // guards what follows
	width  int
	Height int // rows, 0: nobody asks
	rows   [][]rune
	x, y   int
	saved  [2]int
	broken string // what it was sent and does not know
}

// New is an empty terminal of this width.
func New(width int) *Terminal { return &Terminal{width: width, rows: [][]rune{nil}} }

// Columns is how wide it is.
func (t *Terminal) Columns() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.width
}

// Size is how large it is.
func (t *Terminal) Size() (columns, rows int) { return t.Columns(), t.Height }

// Resize makes it wider or narrower.
func (t *Terminal) Resize(columns int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.width = columns
}

// Write implements io.Writer.
func (t *Terminal) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for text := string(b); text != ""; {
		n := t.control(text)
		if n == 0 {
			r := []rune(text)[0]
			t.put(r)
			n = len(string(r))
		}
		text = text[n:]
	}
	return len(b), nil
}

// control carries out the control sequence that a text begins with, and answers its length.
func (t *Terminal) control(text string) int {
	switch {
	case text[0] == '\r':
		t.x = 0
		return 1
	case text[0] == '\n':
		t.feed()
		return 1
	case text[0] != '\x1b':
		return 0
	}
	for sequence, do := range map[string]func(){
		"\x1b[K": func() { t.clear(t.y) },
		"\x1b[J": func() { t.clear(t.y); t.rows = t.rows[:t.y+1] },
		"\x1b7":  func() { t.saved = [2]int{t.x, t.y} },
		"\x1b8":  func() { t.x, t.y = t.saved[0], t.saved[1] },
	} {
		if strings.HasPrefix(text, sequence) {
			do()
			return len(sequence)
		}
	}
	t.broken += text
	return len(text)
}

func (t *Terminal) feed() {
	t.x, t.y = 0, t.y+1
	if t.y == len(t.rows) {
		t.rows = append(t.rows, nil)
	}
}

func (t *Terminal) clear(row int) { t.rows[row] = t.rows[row][:min(t.x, len(t.rows[row]))] }

func (t *Terminal) put(r rune) {
	if t.x+term.Columns(r) > t.width {
		t.feed()
	}
	for len(t.rows[t.y]) <= t.x {
		t.rows[t.y] = append(t.rows[t.y], ' ')
	}
	t.rows[t.y][t.x] = r
	t.x++
}

// String is what a person sees.
func (t *Terminal) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var rows []string
	for _, r := range t.rows {
		rows = append(rows, string(r))
	}
	return strings.Join(rows, "\n") + t.broken
}

// Bottom is the line that the cursor is in.
func (t *Terminal) Bottom() string {
	all := t.String()
	return all[strings.LastIndexByte(all, '\n')+1:]
}

// Watch is an output that calls when a text is printed.
type Watch struct {
	For  string
	Call func()
}

// Write implements io.Writer.
func (w Watch) Write(b []byte) (int, error) {
	if strings.Contains(string(b), w.For) {
		w.Call()
	}
	return len(b), nil
}

// Pass goes to a later moment of a synctest bubble, where all that was to happen until then has happened. Its time is its
// own: nobody waits.
func Pass(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}
