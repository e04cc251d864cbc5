package host

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/memory"
)

// undoes takes the latest decision back and answers it as "what letters: files".
func (p *place) undoes(h *Host) string {
	p.t.Helper()
	u, err := h.Undo(context.Background(), 0, "")
	if err != nil {
		p.t.Fatal(err)
	}
	if !u.OK() {
		return u.Code
	}
	return u.Of.What + " " + strings.Join(u.Touched, ",") + ": " + strings.Join(u.Files, ",")
}

func (p *place) disk(name string) string {
	b, err := os.ReadFile(p.path(name))
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// decides makes a decision and wants it done.
func (p *place) decides(r editing.Result, err error) {
	p.t.Helper()
	if err != nil || !r.OK() && r.Status != editing.StatusCommitting {
		p.t.Fatalf("%+v, %v", r, err)
	}
}

// TestUndoGoesBackThroughAllDecisions: each undo takes the latest decision back that stands,
// also after a restart, over all sessions; in the end nothing is left of any.
func TestUndoGoesBackThroughAllDecisions(t *testing.T) {
	for _, anew := range []bool{false, true} {
		p := newPlace(t, map[string]string{"a.txt": "one\ntwo\nthree\n", "b.txt": "four\n"})
		h := p.open()
		ctx := context.Background()
		for _, does := range []string{"a.txt: one → ONE", "a.txt: three → THREE", "b.txt: four → FOUR"} {
			p.ask(h, does)
		}
		first := h.Current()
		p.decides(h.Apply(ctx, 0, editing.Letters("A")))
		p.decides(h.Reject(ctx, editing.Disk, editing.Letters("B"), "no"))
		p.decides(h.Unreject(ctx, editing.Disk, editing.Letters("B")))
		p.decides(h.Commit(ctx, 0, first, 1, "all of it", nil))
		if _, err := h.NewSession(ctx, "second"); err != nil {
			t.Fatal(err)
		}
		p.ask(h, "a.txt: two → TWO")
		p.decides(h.Revert(ctx, 0, h.Current(), 1, "not that", false))
		for _, want := range []struct{ undone, states string }{
			{"revert A: a.txt", "A staged"},
			{"commit B,C: a.txt,b.txt", "A staged, B staged, C staged"}, // who is decided has given A up
			{"apply D: a.txt", "A staged, B staged, C staged, D staged"},
			{editing.CodeTakenBack, "A staged, B staged, C staged, D staged"},
		} {
			if anew {
				if err := h.Close(); err != nil {
					t.Fatal(err)
				}
				h = p.open()
			}
			if got := p.undoes(h); got != want.undone {
				t.Errorf("anew %v: undone %q, want %q", anew, got, want.undone)
			}
			if got := letters(h); got != want.states {
				t.Errorf("anew %v: after %s the letters are %s, want %s", anew, want.undone, got, want.states)
			}
		}
		if a, b := p.disk("a.txt"), p.disk("b.txt"); a != "one\ntwo\nthree\n" || b != "four\n" {
			t.Errorf("anew %v: %q, %q", anew, a, b)
		}
		if d, ok := h.Latest(); ok {
			t.Errorf("anew %v: the latest is %+v", anew, d)
		}
		all, err := h.History()
		if err != nil || len(all) != 8 || all[0].What != session.WhatUndo || all[0].Stands || all[0].Of != all[7].ID {
			t.Errorf("anew %v: %+v, %v", anew, all, err)
		}
	}
}

func letters(h *Host) string {
	var out []string
	for _, c := range h.Workspace().Snapshot().Changes() {
		out = append(out, c.Letter+" "+string(c.State))
	}
	return strings.Join(out, ", ")
}

// TestUndoOfOne: a decision is taken back by its name, once, and no undo is.
func TestUndoOfOne(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "one\ntwo\nthree\n"})
	h := p.open()
	ctx := context.Background()
	p.ask(h, "a.txt: one → ONE")
	p.ask(h, "a.txt: three → THREE")
	p.decides(h.Apply(ctx, 0, editing.Letters("A")))
	first, ok := h.Latest()
	if !ok || first.What != session.WhatApply || first.Letters[0].Letter != "A" || first.Time.IsZero() {
		t.Fatalf("the latest is %+v", first)
	}
	p.decides(h.Apply(ctx, 0, editing.Letters("B")))
	for _, row := range []struct{ which, code string }{
		{first.ID[len(first.ID)-6:], ""}, {first.ID, editing.CodeTakenBack}, {"nobody", "unknown_decision"}, {"", ""}, {"", editing.CodeTakenBack},
	} {
		u, err := h.Undo(ctx, 0, row.which)
		if err != nil || u.Code != row.code || u.OK() != (row.code == "") {
			t.Errorf("undo %q: %+v, %v", row.which, u, err)
		}
	}
	all, err := h.History()
	if err != nil {
		t.Fatal(err)
	}
	if u, err := h.Undo(ctx, 0, all[0].ID); err != nil || u.Code != "state" || !strings.Contains(u.Hint, "undo is no decision that can be taken back") {
		t.Errorf("undo of an undo: %+v, %v", u, err)
	}
	if got := p.disk("a.txt"); got != "one\ntwo\nthree\n" {
		t.Errorf("a.txt holds %q", got)
	}
}

// TestLettersBelongToTheLastDecision: a commit that was taken back does not stand again as
// soon as one of its letters is applied.
func TestLettersBelongToTheLastDecision(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "one\n"})
	h := p.open()
	ctx := context.Background()
	p.ask(h, "a.txt: one → ONE")
	p.decides(h.Commit(ctx, 0, h.Current(), 1, "all", nil))
	commit, _ := h.Latest()
	p.undoes(h)
	p.decides(h.Apply(ctx, 0, editing.Letters("A")))
	all, err := h.History()
	if err != nil || !all[0].Stands || all[2].ID != commit.ID || all[2].Stands {
		t.Errorf("%+v, %v", all, err)
	}
	if u, err := h.Undo(ctx, 0, commit.ID); err != nil || u.Code != editing.CodeTakenBack {
		t.Errorf("%+v, %v", u, err)
	}
}

// TestUndoSkipsWhatTheEditorTookBack: an editor's own undo has taken A out.
func TestUndoSkipsWhatTheEditorTookBack(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "one\n", "b.txt": "two\n"})
	h := p.open()
	p.ask(h, "b.txt: two → TWO")
	p.ask(h, "a.txt: one → ONE")
	p.decides(h.Apply(context.Background(), 0, editing.Letters("A")))
	p.decides(h.Apply(context.Background(), 0, editing.Letters("B")))
	h.Workspace().OpenDocument(p.path("a.txt"), "a.txt", text.New("ONE\n"), 1, 1)
	if _, err := h.Workspace().Update(p.path("a.txt"), 2, []text.Edit{{Start: 0, End: 3, New: "one"}}); err != nil {
		t.Fatal(err)
	}
	if got := p.undoes(h); got != "apply A: b.txt" {
		t.Errorf("undone is %q", got)
	}
}

// TestUndoInOpenDocuments: what editors have open they take out, or it stays applied, which
// is said.
func TestUndoInOpenDocuments(t *testing.T) {
	for _, row := range []struct{ how, says, states, disk string }{
		{takes, "", "A staged, B staged, C staged", "three\n"},
		{refuses, "A, B was not taken out, the editor did not do it: not today", "A applied, B applied, C staged", "three\n"},
		{lies, "A, B was not taken out: the text of the editor did not change so within 5s", "A applied, B applied, C staged", "three\n"},
		{half, "B was not taken out", "A staged, B applied, C staged", "three\n"},
	} {
		t.Run(row.how, func(t *testing.T) {
			p := newPlace(t, map[string]string{"a.txt": "one\n", "b.txt": "two\n", "c.txt": "three\n"})
			h := p.open()
			for _, does := range []string{"a.txt: one → ONE", "b.txt: two → TWO", "c.txt: three → THREE"} {
				p.ask(h, does)
			}
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			p.decides(h.Commit(ctx, 0, h.Current(), 1, "all", nil))
			for name, content := range map[string]string{"a.txt": "ONE\n", "b.txt": "TWO\n"} {
				h.Workspace().OpenDocument(p.path(name), name, text.New(content), 1, 1)
			}
			h.Join(Client{Edits: true, Exact: true})
			undone := make(chan Undone, 1)
			go func() {
				u, err := h.Undo(ctx, 1, "")
				if err != nil {
					t.Error(err)
				}
				undone <- u
			}()
			say := keeps(t, h, row.how)
			if u := <-undone; !u.OK() || strings.Join(u.Touched, "") != "ABC" || strings.Join(u.Files, " ") != "a.txt b.txt c.txt" {
				t.Errorf("%+v", u)
			}
			if !strings.Contains(say, row.says) || row.says == "" && say != "" {
				t.Errorf("said is %q", say)
			}
			if got := letters(h); got != row.states {
				t.Errorf("the letters are %s", got)
			}
			if got := p.disk("c.txt"); got != row.disk {
				t.Errorf("c.txt holds %q", got)
			}
			if d, ok := h.Latest(); ok != strings.Contains(row.states, "applied") || ok && d.What != session.WhatCommit {
				t.Errorf("the latest that stands is %+v", d)
			}
		})
	}
}

// TestUndoOfADeletedSession: what is gone is skipped.
func TestUndoOfADeletedSession(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "one\n"})
	h := p.open()
	ctx := context.Background()
	p.ask(h, "a.txt: one → ONE")
	id := h.Current()
	p.decides(h.Commit(ctx, 0, id, 1, "all", nil))
	if _, err := h.DeleteSession(ctx, id, false); err != nil {
		t.Fatal(err)
	}
	if got := p.undoes(h); got != editing.CodeTakenBack {
		t.Errorf("undone is %q", got)
	}
	if p.disk("a.txt") != "ONE\n" {
		t.Error("its file has changed")
	}
}

// TestADecisionNamesWhoMadeIt: of two clients of a host each is named for what it decides, whoever else is there, and after
// a run has brought its own settings.
func TestADecisionNamesWhoMadeIt(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "one\ntwo\nthree\n"})
	h := p.open()
	ctx := context.Background()
	for _, does := range []string{"a.txt: one → ONE", "a.txt: two → TWO", "a.txt: three → THREE"} {
		p.ask(h, does)
	}
	editor := h.Join(Client{Kind: memory.ClientEditor, Name: "Ed"})
	terminal := h.Join(Client{Kind: memory.ClientTerminal, Name: "terminal"})
	for _, d := range []struct {
		does func() (editing.Result, error)
		want memory.Client
	}{
		{func() (editing.Result, error) { return h.Apply(ctx, editor, editing.Letters("A")) }, memory.Client{Kind: memory.ClientEditor, Name: "Ed"}},
		{func() (editing.Result, error) { return h.Reject(ctx, terminal, editing.Letters("B"), "no") }, memory.Client{Kind: memory.ClientTerminal, Name: "terminal"}},
		{func() (editing.Result, error) { return h.Commit(ctx, editor, h.Current(), 1, "", nil) }, memory.Client{Kind: memory.ClientEditor, Name: "Ed"}},
		{func() (editing.Result, error) {
			u, err := h.Undo(ctx, editing.Disk, "")
			return u.Result, err
		}, memory.Client{Kind: memory.ClientTerminal}},
	} {
		p.decides(d.does())
		all := h.journal.Decisions()
		if got := all[len(all)-1].By; got != d.want {
			t.Errorf("%s was by %+v, want %+v", all[len(all)-1].What, got, d.want)
		}
	}
}

// TestWhatIsAskedBeforeAnUndo: what was decided elsewhere, or long ago, may not be meant.
func TestWhatIsAskedBeforeAnUndo(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "one\n"})
	h := p.open()
	p.ask(h, "a.txt: one → ONE")
	editor, terminal := h.Join(Client{Kind: memory.ClientEditor, Name: "Ed"}), h.Join(Client{Kind: memory.ClientTerminal})
	if got := h.Question(editor, ""); got != "" {
		t.Errorf("without a decision it asks %q", got)
	}
	p.decides(h.Apply(context.Background(), editor, editing.Letters("A")))
	d, _ := h.Latest()
	asks := "Take back: A applied (by Ed, " + d.Time.Local().Format("2006-01-02 15:04") + ")?"
	for who, want := range map[editing.Keeper]string{editor: "", terminal: asks} {
		if got := h.Question(who, ""); got != want {
			t.Errorf("%d is asked %q, want %q", who, got, want)
		}
		if got := h.Question(who, d.ID); got != want {
			t.Errorf("%d is asked %q by name, want %q", who, got, want)
		}
	}
	for age, want := range map[time.Duration]string{59 * time.Minute: "", time.Hour: asks} {
		if got := question(d, d.By, d.Time.Add(age)); got != want {
			t.Errorf("after %s it asks %q, want %q", age, got, want)
		}
	}
	d.By = memory.Client{}
	if got := question(d, memory.Client{Name: "Ed"}, d.Time); !strings.Contains(got, "by somebody") {
		t.Errorf("about one of nobody it asks %q", got)
	}
}
