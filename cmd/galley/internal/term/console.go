package term

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/fatih/color"
	"golang.org/x/term"
)

// Console is where a command talks.
type Console struct {
	In       io.Reader
	InIsTerm bool
	Out      Screen // results
	Err      Screen // progress
}

// Screen is one stream of output. Only a terminal has a width, and only there is anything coloured or cut.
type Screen struct {
	W     io.Writer
	Width int // columns, 0: no terminal
	Rows  int // 0: not known
	Color bool
	Moves bool                       // the cursor can be moved
	Size  func() (columns, rows int) // as they are now, nil: they do not change
	Name  func(file string) string   // a file of the workspace as the person names it where they stand, nil: as it is
}

// Path is a file of the workspace, from where the person stands.
func (s Screen) Path(file string) string {
	if s.Name != nil {
		file = s.Name(file)
	}
	return Clean(file)
}

// Now is the screen with the size that it has now: a person may have changed it.
func (s Screen) Now() Screen {
	if s.Size == nil {
		return s
	}
	if width, rows := s.Size(); width > 0 {
		s.Width, s.Rows = width, rows
	}
	return s
}

// Interactive reports whether a person can be asked.
func (c Console) Interactive() bool { return c.InIsTerm && c.Out.Width > 0 }

// NewConsole is the console with these streams. A plain one has no colours.
func NewConsole(in io.Reader, out, err io.Writer, plain bool) Console {
	_, inIsTerm := terminal(in)
	return Console{
		In: in, InIsTerm: inIsTerm, Out: ScreenOf(out, plain, os.Getenv), Err: ScreenOf(err, plain, os.Getenv),
	}
}

// ScreenOf decides about colours: https://no-color.org, and terminals that know none.
func ScreenOf(w io.Writer, plain bool, env func(string) string) Screen {
	const usual = 80
	fd, ok := terminal(w)
	if !ok {
		return Screen{W: w}
	}
	able := env("TERM") != "dumb"
	s := Screen{W: w, Width: usual, Color: !plain && env("NO_COLOR") == "" && able, Moves: able}
	s.Size = func() (int, int) {
		width, rows, err := term.GetSize(fd)
		if err != nil {
			return 0, 0
		}
		return width, rows
	}
	return s.Now()
}

func terminal(stream any) (fd int, ok bool) {
	f, isFile := stream.(interface{ Fd() uintptr })
	if !isFile || !term.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	return int(f.Fd()), true
}

// Output is a file for results that remembers whether all of them could be written.
type Output struct {
	File *os.File

	mu  sync.Mutex // guards what follows
	err error      // the first one
}

// Write implements io.Writer.
func (o *Output) Write(text []byte) (int, error) {
	n, err := o.File.Write(text)
	if err != nil {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.err = cmp.Or(o.err, err)
	}
	return n, err
}

// Fd is the file's: it may be a terminal.
func (o *Output) Fd() uintptr { return o.File.Fd() }

// Lost is why something could not be written, nil if all was.
func (o *Output) Lost() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

func (s Screen) Print(text string)   { _, _ = io.WriteString(s.W, text) } // Output remembers what could not be written
func (s Screen) Println(line string) { s.Print(line + "\n") }

func (s Screen) Printf(format string, args ...any) { s.Print(fmt.Sprintf(format, args...)) }

// Style is how something looks where there are colours.
type Style int

const (
	Plain Style = iota
	Strong
	Faint
	Good
	Bad
	Ask
	Old
	New
	OldMark
	NewMark
)

var attributes = map[Style][]color.Attribute{
	Strong:  {color.Bold},
	Faint:   {color.Faint},
	Good:    {color.FgGreen},
	Bad:     {color.FgRed, color.Bold},
	Ask:     {color.FgYellow},
	Old:     {color.FgRed},
	New:     {color.FgGreen},
	OldMark: {color.FgRed, color.ReverseVideo},
	NewMark: {color.FgGreen, color.ReverseVideo},
}

// Paint gives text a look.
func (s Screen) Paint(as Style, text string) string {
	if !s.Color || as == Plain || text == "" {
		return text
	}
	c := color.New(attributes[as]...)
	c.EnableColor() // whatever the library thinks of stdout
	return c.Sprint(text)
}

// Lines prints a text that must be read to its end: as many lines as it takes.
func (s Screen) Lines(as Style, text string) {
	s.Println(s.Paint(as, Indented(text, s.Now().Width, 2)))
}

// Line prints one line, cut to the terminal.
func (s Screen) Line(as Style, text string) { s.Println(s.Paint(as, Cut(text, s.Now().Width))) }

// Columns is how wide a page is: what can be read with ease, or what the terminal has.
func (s Screen) Columns() int {
	const widest = 100
	if s.Width > 0 {
		return min(widest, s.Width)
	}
	return widest
}

// Line is a line with its look.
type Line struct {
	As   Style
	Text string
}
