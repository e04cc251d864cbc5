package doctor

import (
	"context"
	"fmt"
	"strings"
)

// terminal tells what is known about the terminal, and so what is drawn on it.
func (d *doctor) terminal(context.Context) {
	out := d.Console.Out.Now()
	if out.Width == 0 {
		d.good("no terminal: plain lines, no colours, nobody is asked")
		return
	}
	d.good("%d columns, %s", out.Width, d.colours())
	if out.Width < 60 {
		d.look("make it wider", "previews are hard to read in so few columns")
	}
	if !d.Console.Err.Moves && d.env("TERM") == "dumb" {
		d.look("set TERM to what your terminal is, most often xterm-256color", "TERM is dumb: nothing shows that the model is at work")
	}
	if locale, ok := unicodeLocale(d.env); !ok {
		d.look("set LANG to a locale with UTF-8, like C.UTF-8", "the locale is %s: letters like ✓ and … may look wrong", locale)
	} else {
		d.good("Unicode (%s)", locale)
	}
}

// colours says whether there are any, and why not.
func (d *doctor) colours() string {
	switch {
	case d.Console.Out.Color:
		return "colours"
	case d.env("NO_COLOR") != "":
		return "no colours: NO_COLOR is set"
	case d.env("TERM") == "dumb":
		return "no colours: TERM is dumb"
	}
	return "no colours: --no-color"
}

// unicodeLocale is the locale for characters, and whether it has all of them. Without one nobody knows, and most
// terminals of today do.
func unicodeLocale(env func(string) string) (locale string, ok bool) {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if value := env(name); value != "" {
			plain := strings.ReplaceAll(strings.ToLower(value), "-", "")
			return fmt.Sprintf("%s=%s", name, value), strings.Contains(plain, "utf8")
		}
	}
	return "no locale is set", true
}
