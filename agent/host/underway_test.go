package host

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
)

// The ways in which an editor takes an edit.
const (
	takes   = "takes it"
	refuses = "refuses it"
	lies    = "does not change its text"
	elses   = "changes its text otherwise"
	half    = "changes one of its texts"
)

// keeps is a keeper's part in the one decision that is under way, and what is said at its end.
func keeps(t *testing.T, h *Host, how string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var d Decision
	for d.ID == 0 {
		all, moved := h.Decisions(1)
		if len(all) > 0 {
			d = all[0]
			break
		}
		select {
		case <-moved:
		case <-ctx.Done():
			t.Fatal("no decision is under way")
		}
	}
	for i, e := range d.Edits(h.Workspace().Snapshot()) {
		edits := e.Edits
		switch {
		case how == refuses || how == lies || how == half && i > 0:
			continue
		case how == elses:
			edits = text.Edits{{Start: 0, End: 2, New: "#"}}
		}
		if _, err := h.Workspace().Update(e.Path, e.Version+1, edits); err != nil {
			t.Fatal(err)
		}
	}
	h.Answered(1, d.ID)
	end := Ending{Waited: 5 * time.Second}
	if how == refuses {
		end = Ending{Refused: true, Reason: "not today"}
	}
	done, err := h.Decided(ctx, 1, d.ID, end)
	if err != nil {
		t.Error(err)
	}
	said := strings.Join(h.heard(1), "\n")
	if done != (said == "") {
		t.Errorf("done: %v, and said is %q", done, said)
	}
	return said
}

// heard is what a client is told by now; of 0, what nobody has heard yet.
func (u *Underway) heard(id editing.Keeper) []string {
	u.mu.Lock()
	defer u.mu.Unlock()
	if c := u.clients[id]; c != nil {
		defer func() { c.unheard = nil }()
		return c.unheard
	}
	return u.unheard
}

func TestDecisionsOfOpenDocuments(t *testing.T) {
	apply := func(h *Host) (editing.Result, error) {
		return h.Apply(context.Background(), 1, editing.Letters("A", "B"))
	}
	commit := func(h *Host) (editing.Result, error) {
		return h.Commit(context.Background(), 1, h.Current(), 1, "all", nil)
	}
	revert := func(h *Host) (editing.Result, error) {
		if r, err := apply(h); err != nil || !r.OK() {
			return r, err
		}
		return h.Revert(context.Background(), 1, h.Current(), 1, "no", true)
	}
	for _, row := range []struct {
		name   string
		decide func(*Host) (editing.Result, error)
		how    []string // of each decision
		says   string   // at the end of the last
		states string   // of A, B and C, and of the edit
		disk   string
	}{
		{"apply", apply, []string{takes}, "", "applied applied staged editing", "three\n"},
		{"apply", apply, []string{refuses}, "the editor did not apply A, B: not today", "staged staged staged editing", "three\n"},
		{"apply", apply, []string{lies}, "did not change within 5s: A, B waits for a decision again", "staged staged staged editing", "three\n"},
		{"apply", apply, []string{elses}, "A, B met other text", "conflict conflict staged editing", "three\n"},
		{"apply", apply, []string{half}, "did not change within 5s: B waits", "applied staged staged editing", "three\n"},
		{"commit", commit, []string{takes}, "", "applied applied applied committed", "THREE\n"},
		{"commit", commit, []string{refuses}, "#1 was not committed, no closed file was written; the editor did not apply A, B: not today", "staged staged staged editing", "three\n"},
		{"commit", commit, []string{half}, "B waits for a decision again; changed already: a.txt (one undo in the editor takes it back)", "applied staged staged editing", "three\n"},
		{"commit", commit, []string{elses}, "changed already: a.txt, b.txt", "conflict conflict staged editing", "three\n"},
		{"revert", revert, []string{takes, takes}, "", "staged staged staged reverted", "three\n"},
		{"revert", revert, []string{takes, refuses}, "#1 in 2 open documents could not be taken back: the editor did not apply", "applied applied staged reverted", "three\n"},
	} {
		t.Run(row.name+", and the editor "+strings.Join(row.how, ", "), func(t *testing.T) {
			p := newPlace(t, map[string]string{"a.txt": "one\n", "b.txt": "two\n", "c.txt": "three\n"})
			h := p.open()
			for _, name := range []string{"a.txt: one → ONE", "b.txt: two → TWO", "c.txt: three → THREE"} {
				p.ask(h, name)
			}
			for name, content := range map[string]string{"a.txt": "one\n", "b.txt": "two\n"} {
				h.Workspace().OpenDocument(p.path(name), name, text.New(content), 1, 1)
			}
			h.Join(Client{Edits: true})
			decided := make(chan error, 1)
			go func() {
				r, err := row.decide(h)
				if err == nil && !r.OK() && r.Status != "committing" && r.Status != StatusReverting {
					t.Errorf("%+v", r)
				}
				decided <- err
			}()
			said := ""
			for _, how := range row.how {
				said = keeps(t, h, how)
			}
			if err := <-decided; err != nil {
				t.Fatal(err)
			}
			if row.says == "" && said != "" || !strings.Contains(said, row.says) {
				t.Errorf("it says %q, want %q", said, row.says)
			}
			if got := lettersOf(h.Workspace().Snapshot(), h.Current()); got != row.states {
				t.Errorf("they are %s, want %s", got, row.states)
			}
			if got, err := os.ReadFile(p.path("c.txt")); err != nil || string(got) != row.disk {
				t.Errorf("the closed file is %q, want %q: %v", got, row.disk, err)
			}
			if all, _ := h.Decisions(1); len(all) > 0 {
				t.Errorf("still under way: %+v", all)
			}
		})
	}
}

// lettersOf are the states of the letters of the first edit, and its own. What is closed is as it was.
func lettersOf(snap *editing.Snapshot, owner string) string {
	var out []string
	for _, c := range snap.Of(owner, 1) {
		if c.State == editing.Closed {
			out = append(out, string(c.Was))
			continue
		}
		out = append(out, string(c.State))
	}
	ses, _ := snap.Session(owner, 1)
	return strings.Join(append(out, string(ses.State)), " ")
}

func TestDecisionsWaitForTheKeepersAnswer(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "one\ntwo\n"})
	h := p.open()
	p.ask(h, "a.txt: one → ONE")
	p.ask(h, "a.txt: two → TWO")
	h.Workspace().OpenDocument(p.path("a.txt"), "a.txt", text.New("one\ntwo\n"), 1, 1)
	if r, err := h.Apply(context.Background(), 1, editing.Letters("A")); err != nil || !r.OK() { // nobody keeps it
		t.Fatal(r, err)
	}
	h.Join(Client{Edits: true})
	decided := make(chan struct{})
	go func() {
		defer close(decided)
		if r, err := h.Apply(context.Background(), 1, editing.Letters("B")); err != nil || !r.OK() {
			t.Error(r, err)
		}
	}()
	p.until(h, "B is applying", func(s *editing.Snapshot) bool { return state(s, "B") == editing.Applying })
	if r, err := h.Apply(context.Background(), 1, editing.Letters("B")); err != nil || r.Code != "applying" {
		t.Errorf("applied twice: %+v %v", r, err)
	}
	select {
	case <-decided:
		t.Error("it did not wait")
	default:
	}
	h.Leave(1)
	<-decided // with nobody left to answer
	if all, _ := h.Decisions(1); len(all) != 2 || all[0].Label != "Apply A" || all[1].Label != "Apply B" {
		t.Errorf("%+v", all)
	}
	if got := lettersOf(h.Workspace().Snapshot(), h.Current()); got != "applying applying editing" {
		t.Errorf("with nobody there they are %s", got)
	}
	h.Join(Client{})
	p.until(h, "what it did not bring in waits again", func(s *editing.Snapshot) bool {
		return state(s, "A") == editing.Staged && state(s, "B") == editing.Staged
	})
	if all, _ := h.Decisions(1); len(all) != 0 {
		t.Errorf("%+v", all)
	}
}

// A commit that no person asked for is under way as others are, once, and until its end.
func TestAgentsCommitIsUnderWay(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "one\n"})
	h := p.open()
	p.ask(h, "a.txt: one → ONE")
	h.Workspace().OpenDocument(p.path("a.txt"), "a.txt", text.New("one\n"), 1, 1)
	h.Workspace().Do(editing.Commit(h.Current(), 1, "auto", nil))
	first, _ := h.Decisions(1)
	again, _ := h.Decisions(1)
	if len(first) != 1 || len(again) != 1 || first[0].ID != again[0].ID || first[0].Barred == "" || first[0].Label != "Commit #1" {
		t.Fatalf("%+v, then %+v", first, again)
	}
	if said := keeps(t, h, takes); said != "" {
		t.Error(said)
	}
	if got := lettersOf(h.Workspace().Snapshot(), h.Current()); got != "applied committed" {
		t.Error(got)
	}
}

// A terminal keeps no text: what it decided is known when the editors' texts have decided, not when an editor has answered.
func TestADecisionFromElsewhereWaitsForTheTexts(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "one\n"})
	h := p.open()
	p.ask(h, "a.txt: one → ONE")
	h.Join(Client{Edits: true, Exact: true})
	h.Workspace().OpenDocument(p.path("a.txt"), "a.txt", text.New("one\n"), 1, 1)
	terminal := h.Join(Client{})
	decided := make(chan struct{})
	go func() {
		defer close(decided)
		if r, err := h.Apply(context.Background(), terminal, editing.Letters("A")); err != nil || !r.OK() {
			t.Error(r, err)
		}
		if got := state(h.Workspace().Snapshot(), "A"); got != editing.Applied {
			t.Errorf("A is %s when the decision has come back", got)
		}
	}()
	var d []Decision
	p.until(h, "the editor's part", func(*editing.Snapshot) bool {
		d, _ = h.Decisions(1)
		return len(d) > 0
	})
	h.Answered(1, d[0].ID) // before its text came
	h.mu.Lock()
	if h.answered(h.list[0]) {
		t.Error("the terminal need not wait any more, and the text is still to come")
	}
	h.mu.Unlock()
	if said := keeps(t, h, takes); said != "" {
		t.Errorf("it says %q", said)
	}
	<-decided
}
