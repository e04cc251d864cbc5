package main

// stopping implements teller. While somebody else has the terminal, a question, that one ends by itself.
func (t *storyteller) stopping() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.away {
		return
	}
	t.spin.hide()
	t.wipe()
	t.lines(styledLine{styleAsk, "! stopping at the next safe point; again to leave at once"})
	t.doing = since("stopping")
	t.busy()
}

// leaving implements teller. It does not wait for somebody who prints and cannot get on.
func (t *storyteller) leaving() {
	if t.mu.TryLock() {
		defer t.mu.Unlock()
		t.spin.hide()
		t.wipe()
		t.hush()
	}
	t.c.err.line(styleAsk, "! left at once; what is staged stays staged")
	t.goOn()
}

func (t *storyteller) goOn() {
	t.c.err.println("  go on: " + t.galley(goOn(t.session.ID(), t.again)...))
}

// goOn are the words of the command that goes on in a session.
func goOn(id string, again []string) []string {
	return append([]string{"run", "--session", id}, again...)
}

// wipe removes the ^C that a terminal shows, unless it stands behind something else.
func (t *storyteller) wipe() {
	if t.c.err.moves && t.column() == 0 && !t.away {
		t.c.err.print("\r\x1b[J")
	}
}
