package run

import "github.com/galley-ls/galley/cmd/galley/internal/term"

// stopping implements renderer. While somebody else has the terminal, a question, that one ends by itself.
func (t *Storyteller) stopping() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.away {
		return
	}
	t.spin.Hide()
	t.wipe()
	t.lines(term.Line{As: term.Ask, Text: "! stopping at the next safe point; again to leave at once"})
	t.doing = term.Begin("stopping")
	t.busy()
}

// leaving implements renderer. It does not wait for somebody who prints and cannot get on.
func (t *Storyteller) leaving() {
	if t.mu.TryLock() {
		defer t.mu.Unlock()
		t.spin.Hide()
		t.wipe()
		t.hush()
	}
	t.c.Err.Line(term.Ask, "! left at once; what is staged stays staged")
	t.goOn()
}

func (t *Storyteller) goOn() {
	t.c.Err.Println("  go on: " + t.galley(goOn(t.Session.ID(), t.again)...))
}

// goOn are the words of the command that goes on in a session.
func goOn(id string, again []string) []string {
	return append([]string{"run", "--session", id}, again...)
}

// wipe removes the ^C that a terminal shows, unless it stands behind something else.
func (t *Storyteller) wipe() {
	if t.c.Err.Moves && t.column() == 0 && !t.away {
		t.c.Err.Print("\r\x1b[J")
	}
}
