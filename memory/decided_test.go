package memory

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

func decide(t testing.TB, w *Workspace, what string, letters ...string) string {
	t.Helper()
	d := Decision{What: what, Session: "s", Edit: 1, By: Client{ClientTerminal, ""}}
	for i, l := range letters {
		d.Letters = append(d.Letters, DecidedLetter{Letter: l, Order: int64(i + 1), Revision: 1, File: "a.txt", To: "applied"})
	}
	id, err := w.Decided(t.Context(), d)
	ok(t, err)
	return id
}

func decisionIDs(t testing.TB, w *Workspace) []string {
	t.Helper()
	ok(t, w.Read())
	ids := []string{}
	for _, d := range w.Decisions() {
		ids = append(ids, d.ID)
	}
	return ids
}

// Decisions of all processes stand in one order, beside the intents, and lines of a later
// galley are left alone.
func TestDecisions(t *testing.T) {
	p := newPlace(t)
	one, two := p.openJournal(t), p.openJournal(t)
	first := decide(t, one, "apply", "A", "B")
	in := begin(t, one, someIntent("s"))
	second := decide(t, two, "reject", "C")
	ok(t, one.End(t.Context(), in, Outcome{State: "done"}))
	for _, e := range []struct{ typ, payload string }{
		{"decision", `{"id":"later","what":"apply","session":"s","v":2}`}, {"epoch", `{"id":"later","n":3}`}, {"decision", `[1]`},
	} {
		line, err := encodeLine(Entry{Seq: one.seq + 100, Time: time.Now(), Type: e.typ, Payload: json.RawMessage(e.payload)})
		ok(t, err)
		writeFile(t, readFile(t, p.decisions(t))+string(line)+"\n", p.decisions(t))
		ok(t, one.Read())
	}
	third := decide(t, two, "undo", "C")
	for name, w := range map[string]*Workspace{"one": one, "two": two, "new": p.openJournal(t)} {
		same(t, name, decisionIDs(t, w), []string{first, second, third})
		same(t, name+" intents", openIDs(t, w, ""), []string{})
		same(t, name+" warnings", w.Warnings(), []string(nil))
	}
	got := one.Decisions()[0]
	want := Decision{
		ID: first, What: "apply", Session: "s", Edit: 1, By: Client{Kind: "terminal"}, Time: got.Time,
		Letters: []DecidedLetter{{"A", 1, 1, "a.txt", "applied"}, {"B", 2, 1, "a.txt", "applied"}},
	}
	same(t, "the first", got, want)
	if _, err := one.Decided(t.Context(), Decision{What: "apply"}); err == nil {
		t.Error("a decision of no session is journaled")
	}
}

// TestDecisionsWithinReach: the last ones of the last days are known, and what is beyond
// goes with the next compaction.
func TestDecisionsWithinReach(t *testing.T) {
	p := newPlace(t)
	w := p.openJournal(t)
	var all []string
	for range ReachDecisions + 3 {
		all = append(all, decide(t, w, "apply", "A"))
	}
	same(t, "the last", decisionIDs(t, w), all[3:])
	same(t, "read again", decisionIDs(t, p.openJournal(t)), all[3:])
	manyOver(t, p, w, 600, 8<<10)
	now := readFile(t, p.decisions(t))
	if n := strings.Count(now, `"type":"decision"`); n != ReachDecisions || strings.Contains(now, all[2]) {
		t.Errorf("%d decisions are kept", n)
	}
	same(t, "after the compaction", decisionIDs(t, w), all[3:])
	w.now = func() time.Time { return time.Now().Add(reachTime + time.Hour) }
	if got := w.Decisions(); len(got) > 0 {
		t.Errorf("after a week there are %s", fmt.Sprint(got))
	}
}
