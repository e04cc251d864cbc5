package lsptest

import "time"

// clock is the editor's own time. Nothing but Advance and an idle wait moves it.
type clock struct {
	now    time.Duration
	frozen bool
	timers map[string]timer
}

type timer struct {
	at   time.Duration
	fire func()
}

// set starts a timer; an existing one is moved only by again.
func (c *clock) set(key string, after time.Duration, again bool, fire func()) {
	if _, ok := c.timers[key]; ok && !again {
		return
	}
	if c.timers == nil {
		c.timers = map[string]timer{}
	}
	c.timers[key] = timer{c.now + after, fire}
}

func (c *clock) stop(key string) { delete(c.timers, key) }

// fireNext runs the earliest timer that is due by a time; equal ones run in the order of their keys.
func (c *clock) fireNext(by time.Duration) bool {
	first := ""
	for key, t := range c.timers {
		if t.at <= by && (first == "" || t.at < c.timers[first].at || t.at == c.timers[first].at && key < first) {
			first = key
		}
	}
	if first == "" {
		return false
	}
	t := c.timers[first]
	delete(c.timers, first)
	c.now = max(c.now, t.at)
	t.fire()
	return true
}

// Advance lets time pass. What is held back is sent when its time has come, unless a command blocks the editor.
func (e *Editor) Advance(d time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	end := e.clock.now + d
	for !e.blockedLocked() && e.clock.fireNext(end) {
	}
	e.clock.now = end
}

// Freeze stops the clock in waits: held typing and late didChange then come only by Advance, a request or Thaw.
func (e *Editor) Freeze() { e.setFrozen(true) }

// Thaw lets the clock run again while the editor waits.
func (e *Editor) Thaw() { e.setFrozen(false) }

func (e *Editor) setFrozen(frozen bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.clock.frozen = frozen
	e.wakeLocked()
}

// blockedLocked: an editor that blocks does nothing by itself while its own command is open.
func (e *Editor) blockedLocked() bool { return e.profile.Blocks && e.commands > 0 }

// idleLocked lets time run to the next timer, if there is one and nothing hinders it.
func (e *Editor) idleLocked() bool {
	const ever = time.Duration(1<<63 - 1)
	return !e.clock.frozen && !e.blockedLocked() && e.clock.fireNext(ever)
}
