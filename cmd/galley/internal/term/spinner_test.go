package term_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/cmd/galley/internal/term/termtest"
)

// After a while it says what goes on, and then nothing of it is left.
func TestSpinner(t *testing.T) {
	for _, test := range []struct {
		name   string
		width  int
		doing  term.Activity
		before string // stands in its line already
		after  time.Duration
		want   string
	}{
		{"at once nothing", 80, term.Activity{What: "m thinking"}, "", 50 * time.Millisecond, ""},
		{"soon the name", 80, term.Activity{What: "m thinking"}, "", 150 * time.Millisecond, "⠋ m thinking 0 s"},
		{"later the time", 80, term.Activity{What: "m thinking"}, "", 12*time.Second + time.Millisecond, "⠏ m thinking 12 s"},
		{"minutes", 80, term.Activity{What: "m thinking"}, "", 125*time.Second + time.Millisecond, "⠏ m thinking 2 min 5 s"},
		{"with a note", 80, term.Activity{What: "m waiting", Note: "429 from here"}, "", time.Second + time.Millisecond, "⠏ m waiting 1 s · 429 from here"},
		{"narrow", 12, term.Activity{What: "m thinking"}, "", time.Second + time.Millisecond, "⠏ m thinki…"},
		{"too narrow", 1, term.Activity{What: "m thinking"}, "", time.Second + time.Millisecond, ""},
		{"behind a text not yet", 80, term.Activity{What: "m writing"}, "some words", time.Second, "some words"},
		{"behind a text", 80, term.Activity{What: "m writing"}, "some words", 3*time.Second + time.Millisecond, "some words ⠏ 3 s"},
		{"behind a text without room", 16, term.Activity{What: "m writing"}, "some words", 3*time.Second + time.Millisecond, "some words"},
		{"behind a text that fills its line", 10, term.Activity{What: "m writing"}, "some words", 3*time.Second + time.Millisecond, "some words"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tt := termtest.New(test.width)
				c := testScreens(tt)
				c.Out.Print("before\n" + test.before)
				p := term.Spinner{S: c.Err}
				doing := term.Begin(test.doing.What)
				doing.Note = test.doing.Note
				p.Show(doing, term.ColumnsOf(test.before))
				termtest.Pass(test.after)
				if got := tt.Bottom(); got != test.want {
					t.Errorf("it shows %q, want %q", got, test.want)
				}
				p.Hide()
				c.Out.Print(" and on")
				if got := tt.String(); strings.ReplaceAll(got, "\n", "") != strings.ReplaceAll("before"+test.before+" and on", "\n", "") {
					t.Errorf("it leaves %q", got)
				}
			})
		})
	}
}

func TestSpinnerFollowsTheWidth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tt := termtest.New(40)
		p := term.Spinner{S: testScreens(tt).Err}
		p.Show(term.Begin("a model with a long name thinking"), 0)
		termtest.Pass(time.Second)
		tt.Resize(20)
		termtest.Pass(time.Second)
		if got := tt.String(); got != "⠏ a model with a l…" {
			t.Errorf("it shows %q", got)
		}
		p.Hide()
		if got := tt.String(); got != "" {
			t.Errorf("it leaves %q", got)
		}
	})
}

func TestSpinnerIsSilentWhereNothingMoves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b strings.Builder
		p := term.Spinner{S: term.Screen{W: &b, Width: 80}}
		p.Show(term.Begin("m thinking"), 0)
		termtest.Pass(time.Minute)
		p.Hide()
		if b.Len() > 0 {
			t.Errorf("it wrote %q", b.String())
		}
	})
}

// testScreens are the two streams of a command on a terminal.
func testScreens(t *termtest.Terminal) term.Console {
	s := term.Screen{W: t, Width: t.Columns(), Moves: true, Size: t.Size}
	return term.Console{InIsTerm: true, Out: s, Err: s}
}
