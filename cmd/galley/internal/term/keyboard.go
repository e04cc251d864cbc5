package term

import (
	"bufio"
	"context"
	"io"
	"strings"

	"golang.org/x/term"
)

// Keyboard reads what a person types, line by line. At a terminal that can move its cursor a line can be edited, and earlier
// ones come back with the arrow keys.
type Keyboard struct {
	from    io.Reader
	r       *bufio.Reader
	editor  *term.Terminal // nil: no line was edited yet
	history history

	moved <-chan struct{} // while a line is awaited
	says  func() string   // of that
}

func NewKeyboard(r io.Reader) *Keyboard { return &Keyboard{from: r, r: bufio.NewReader(r)} }

// Forget throws away what was typed before a question was there to be read, where somebody types: a yes must be one to
// what is asked.
func (t *Keyboard) Forget() {
	if fd, ok := terminal(t.from); ok {
		_, _ = t.r.Discard(t.r.Buffered())
		t.editor = nil
		flushTyped(fd)
	}
}

// prompt stands before what is typed.
const prompt = "> "

// Ask puts a question and waits for a line. There is none when the input ends, or when the person interrupts.
func (t *Keyboard) Ask(ctx context.Context, s Screen, question string) (line string, ok bool) {
	return t.AskWhile(ctx, s, question, nil, nil)
}

// AskWhile is Ask while something may move: what is to be said of it, if anything, comes above the line that is being typed.
func (t *Keyboard) AskWhile(ctx context.Context, s Screen, question string, moved <-chan struct{}, says func() string) (line string, ok bool) {
	s.Print(s.Paint(Ask, Wrap(question, s.Now().Width)) + "\n")
	t.moved, t.says = moved, says
	fd, typed := terminal(t.from)
	if typed && s.Moves {
		return t.edited(ctx, s, fd)
	}
	s.Print(prompt)
	if line, ok = t.read(ctx, t.plain, func(above string) { s.Print("\n" + above + prompt) }); !typed || !ok {
		s.Println(Clean(line)) // what a terminal has echoed
	}
	return line, ok
}

// plain is a line as it comes.
func (t *Keyboard) plain() (string, error) {
	line, err := t.r.ReadString('\n')
	if line != "" {
		err = nil
	}
	return strings.TrimRight(line, "\r\n"), err
}

// edited is a line of a person who sees what they type, and can mend it.
func (t *Keyboard) edited(ctx context.Context, s Screen, fd int) (string, bool) {
	was, err := term.MakeRaw(fd)
	if err != nil {
		s.Print(prompt)
		return t.read(ctx, t.plain, func(above string) { s.Print("\n" + above + prompt) })
	}
	defer func() { _ = term.Restore(fd, was) }() // what is gone cannot be restored
	keepSignals(fd)
	if t.editor == nil {
		t.editor = term.NewTerminal(struct {
			io.Reader
			io.Writer
		}{t.r, s.W}, prompt)
		t.editor.History = &t.history
	}
	if s = s.Now(); s.Rows > 0 {
		_ = t.editor.SetSize(s.Width, s.Rows) // it cannot fail between two lines
	}
	line, ok := t.read(ctx, t.editor.ReadLine, func(above string) { _, _ = t.editor.Write([]byte(above)) })
	if !ok {
		s.Print("\r\n")
	}
	return line, ok
}

// read waits for a line. Reading cannot be interrupted: after a cancel the reader is left behind, and nothing may be
// read any more.
func (t *Keyboard) read(ctx context.Context, line func() (string, error), show func(above string)) (string, bool) {
	type read struct {
		line string
		err  error
	}
	got := make(chan read, 1)
	go func() {
		line, err := line()
		got <- read{line, err}
	}()
	for {
		select {
		case <-ctx.Done():
			return "", false
		case l := <-got:
			return l.line, l.err == nil
		case <-t.moved:
			if above := t.says(); above != "" {
				show(above)
			}
		}
	}
}

// history is what was typed, the newest last.
type history []string

// Add implements term.History: what says nothing new is not kept.
func (h *history) Add(line string) {
	if strings.TrimSpace(line) != "" && (len(*h) == 0 || h.At(0) != line) {
		*h = append(*h, line)
	}
}

// Len implements term.History.
func (h *history) Len() int { return len(*h) }

// At implements term.History; 0 is the newest.
func (h *history) At(i int) string { return (*h)[len(*h)-1-i] }
