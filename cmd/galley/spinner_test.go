package main

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// After a while it says what goes on, and then nothing of it is left.
func TestSpinner(t *testing.T) {
	for _, test := range []struct {
		name   string
		width  int
		doing  activity
		before string // stands in its line already
		after  time.Duration
		want   string
	}{
		{"at once nothing", 80, activity{what: "m thinking"}, "", 50 * time.Millisecond, ""},
		{"soon the name", 80, activity{what: "m thinking"}, "", 150 * time.Millisecond, "⠋ m thinking 0 s"},
		{"later the time", 80, activity{what: "m thinking"}, "", 12*time.Second + time.Millisecond, "⠏ m thinking 12 s"},
		{"minutes", 80, activity{what: "m thinking"}, "", 125*time.Second + time.Millisecond, "⠏ m thinking 2 min 5 s"},
		{"with a note", 80, activity{what: "m waiting", note: "429 from here"}, "", time.Second + time.Millisecond, "⠏ m waiting 1 s · 429 from here"},
		{"narrow", 12, activity{what: "m thinking"}, "", time.Second + time.Millisecond, "⠏ m thinki…"},
		{"too narrow", 1, activity{what: "m thinking"}, "", time.Second + time.Millisecond, ""},
		{"behind a text not yet", 80, activity{what: "m writing"}, "some words", time.Second, "some words"},
		{"behind a text", 80, activity{what: "m writing"}, "some words", 3*time.Second + time.Millisecond, "some words ⠏ 3 s"},
		{"behind a text without room", 16, activity{what: "m writing"}, "some words", 3*time.Second + time.Millisecond, "some words"},
		{"behind a text that fills its line", 10, activity{what: "m writing"}, "some words", 3*time.Second + time.Millisecond, "some words"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				term := newTestTerm(test.width)
				c := testScreens(term)
				c.out.print("before\n" + test.before)
				p := spinner{s: c.err}
				test.doing.since = time.Now()
				p.show(test.doing, columnsOf(test.before))
				time.Sleep(test.after)
				synctest.Wait()
				if got := term.bottom(); got != test.want {
					t.Errorf("it shows %q, want %q", got, test.want)
				}
				p.hide()
				c.out.print(" and on")
				if got := term.String(); strings.ReplaceAll(got, "\n", "") != strings.ReplaceAll("before"+test.before+" and on", "\n", "") {
					t.Errorf("it leaves %q", got)
				}
			})
		})
	}
}

func TestSpinnerFollowsTheWidth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		term := newTestTerm(40)
		p := spinner{s: testScreens(term).err}
		p.show(activity{what: "a model with a long name thinking", since: time.Now()}, 0)
		time.Sleep(time.Second)
		synctest.Wait()
		term.mu.Lock()
		term.width = 20
		term.mu.Unlock()
		time.Sleep(time.Second)
		synctest.Wait()
		if got := term.String(); got != "⠏ a model with a l…" {
			t.Errorf("it shows %q", got)
		}
		p.hide()
		if got := term.String(); got != "" {
			t.Errorf("it leaves %q", got)
		}
	})
}

func TestSpinnerIsSilentWhereNothingMoves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b strings.Builder
		p := spinner{s: screen{w: &b, width: 80}}
		p.show(activity{what: "m thinking", since: time.Now()}, 0)
		time.Sleep(time.Minute)
		p.hide()
		if b.Len() > 0 {
			t.Errorf("it wrote %q", b.String())
		}
	})
}

// testScreens are the two streams of a command on a terminal.
func testScreens(t *testTerm) console {
	s := screen{w: t, width: t.columns(), moves: true, size: t.columns}
	return console{inIsTerm: true, out: s, err: s}
}
