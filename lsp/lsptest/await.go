package lsptest

import (
	"context"
	"fmt"
	"testing"
	"time"
)

// glance is how often a condition is looked at while no message comes: it may be about files, or about the server's state.
const glance = 20 * time.Millisecond

// Await waits until a condition holds. It is looked at now and again after every message; the screen must not be kept.
// While nothing happens the editor's clock runs, unless it is frozen. If the condition does not come, the test fails
// with the screen and the wire log.
func (e *Editor) Await(t testing.TB, name string, condition func(*Screen) bool) {
	t.Helper()
	if err := e.Wait(t.Context(), name, condition); err != nil {
		t.Fatal(err)
	}
}

// Look gives the screen as it is now.
func (e *Editor) Look(look func(*Screen)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	look(&e.screen)
}

// Dump is the screen and the wire log, for people.
func (e *Editor) Dump() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.dumpLocked()
}

// Wait is Await without a test: its error holds the screen and the wire log.
func (e *Editor) Wait(ctx context.Context, name string, condition func(*Screen) bool) error {
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	for {
		e.mu.Lock()
		if condition(&e.screen) {
			e.mu.Unlock()
			return nil
		}
		if e.idleLocked() {
			e.mu.Unlock()
			continue
		}
		changed, ended := e.changed, e.ended
		if ended != nil {
			defer e.mu.Unlock()
			return fmt.Errorf("await %q: connection ended: %w\n%s", name, ended, e.dumpLocked())
		}
		e.mu.Unlock()
		select {
		case <-changed:
		case <-time.After(glance):
		case <-ctx.Done():
			return fmt.Errorf("await %q: %w\n%s", name, ctx.Err(), e.Dump())
		}
	}
}
