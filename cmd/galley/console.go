package main

import (
	"fmt"
	"io"
	"os"

	"github.com/fatih/color"
	"golang.org/x/term"
)

// console is where a command talks.
type console struct {
	in       io.Reader
	inIsTerm bool
	out      screen // results
	err      screen // progress
}

// screen is one stream of output. Only a terminal has a width, and only there is anything coloured or cut.
type screen struct {
	w     io.Writer
	width int // columns, 0: no terminal
	color bool
	moves bool       // the cursor can be moved
	size  func() int // columns as they are now, nil: they do not change
}

// now is the screen with the width that it has now: a person may have changed it.
func (s screen) now() screen {
	if s.size == nil {
		return s
	}
	if width := s.size(); width > 0 {
		s.width = width
	}
	return s
}

// interactive reports whether a person can be asked.
func (c console) interactive() bool { return c.inIsTerm && c.out.width > 0 }

// newConsole is the console with these streams. A plain one has no colours.
func newConsole(in io.Reader, out, err io.Writer, plain bool) console {
	_, inIsTerm := terminal(in)
	return console{
		in: in, inIsTerm: inIsTerm, out: screenOf(out, plain, os.Getenv), err: screenOf(err, plain, os.Getenv),
	}
}

// screenOf decides about colours: https://no-color.org, and terminals that know none.
func screenOf(w io.Writer, plain bool, env func(string) string) screen {
	const usual = 80
	fd, ok := terminal(w)
	if !ok {
		return screen{w: w}
	}
	able := env("TERM") != "dumb"
	s := screen{w: w, width: usual, color: !plain && env("NO_COLOR") == "" && able, moves: able}
	s.size = func() int {
		width, _, err := term.GetSize(fd)
		if err != nil {
			return 0
		}
		return width
	}
	return s.now()
}

func terminal(stream any) (fd int, ok bool) {
	f, isFile := stream.(*os.File)
	if !isFile || !term.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	return int(f.Fd()), true
}

func (s screen) print(text string)   { _, _ = io.WriteString(s.w, text) } // who does not listen need not be told
func (s screen) println(line string) { s.print(line + "\n") }

func (s screen) printf(format string, args ...any) { s.print(fmt.Sprintf(format, args...)) }

// style is how something looks where there are colours.
type style int

const (
	stylePlain style = iota
	styleStrong
	styleFaint
	styleGood
	styleBad
	styleAsk
	styleOld
	styleNew
	styleOldMark
	styleNewMark
)

var attributes = map[style][]color.Attribute{
	styleStrong:  {color.Bold},
	styleFaint:   {color.Faint},
	styleGood:    {color.FgGreen},
	styleBad:     {color.FgRed, color.Bold},
	styleAsk:     {color.FgYellow},
	styleOld:     {color.FgRed},
	styleNew:     {color.FgGreen},
	styleOldMark: {color.FgRed, color.ReverseVideo},
	styleNewMark: {color.FgGreen, color.ReverseVideo},
}

// paint gives text a look.
func (s screen) paint(as style, text string) string {
	if !s.color || as == stylePlain || text == "" {
		return text
	}
	c := color.New(attributes[as]...)
	c.EnableColor() // whatever the library thinks of stdout
	return c.Sprint(text)
}

// lines prints a text that must be read to its end: as many lines as it takes.
func (s screen) lines(as style, text string) {
	s.println(s.paint(as, indented(text, s.now().width, 2)))
}

// line prints one line, cut to the terminal.
func (s screen) line(as style, text string) { s.println(s.paint(as, cut(text, s.now().width))) }

// columns is how wide a page is: what can be read with ease, or what the terminal has.
func (s screen) columns() int {
	const widest = 100
	if s.width > 0 {
		return min(widest, s.width)
	}
	return widest
}

// styledLine is a line with its look.
type styledLine struct {
	as   style
	text string
}
