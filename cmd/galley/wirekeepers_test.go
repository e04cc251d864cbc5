package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/lsp"
	"github.com/galley-ls/galley/lsp/lsptest"
)

// Several editors at one host: one keeps a document, the others have it open beside.

// plugin is Neovim with ours, which refuses every stale edit.
func plugin() lsptest.Profile {
	p := lsptest.Neovim012().Galley(false).With("experimental.galley.exact", true)
	p.ZeroPasses, p.Stale = false, lsptest.SayTruth
	return p
}

// document is a document as the table has it.
func (w *wire) document(t testing.TB, name string) *editing.Document {
	t.Helper()
	d, ok := w.host.Workspace().Snapshot().Document(w.path(name))
	if !ok {
		t.Fatalf("the table does not know %s", name)
	}
	return d
}

// awaitTable waits for a snapshot.
func (w *wire) awaitTable(t testing.TB, what string, is func(*editing.Snapshot) bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), lsptest.Patience)
	defer cancel()
	for seq := int64(-1); ; {
		snap, err := w.host.Workspace().Wait(ctx, seq)
		if is(snap) {
			return
		}
		if err != nil {
			t.Fatalf("waited in vain until %s\n%s", what, w.Dump())
		}
		seq = snap.Seq
	}
}

func (w *wire) awaitLetter(t testing.TB, letter string, state editing.ChangeState) {
	t.Helper()
	w.awaitTable(t, letter+" is "+string(state), func(s *editing.Snapshot) bool {
		c, ok := s.Change(letter)
		return ok && c.State == state
	})
}

func (w *wire) awaitText(t testing.TB, name, text string) {
	t.Helper()
	w.awaitTable(t, fmt.Sprintf("%s is %q", name, text), func(s *editing.Snapshot) bool {
		d, ok := s.Document(w.path(name))
		return ok && d.Base.String() == text
	})
}

func (w *wire) awaitSaid(t testing.TB, words ...string) {
	t.Helper()
	w.Await(t, "the message "+strings.Join(words, " "), func(s *lsptest.Screen) bool { return s.Message(words...) })
}

// heard makes sure that all that was sent has been handled.
func (w *wire) heard(t testing.TB) {
	t.Helper()
	w.Flush()
	w.command(t, "galley.changes")
}

// With the keeper's text a second editor shows the same letters, at its own positions; with another one it is told who
// has the file open, and nobody else hears of its typing.
func TestTwoEditorsOfOneFile(t *testing.T) {
	const was = "é one\ntwo\n"
	first := newWire(t, lsptest.VSCode(), wireOptions{files: map[string]string{"a.txt": was}})
	defer first.close(t)
	second := first.beside(t, lsptest.Helix())
	defer second.close(t)
	first.open(t, "a.txt")
	first.heard(t)
	second.open(t, "a.txt")
	second.heard(t)
	first.ask(t, replace("a.txt", "one", "ONE"))
	for _, w := range []*wire{first, second} {
		w.awaitCodes(t, "a.txt", "A")
	}
	uri := second.uri("a.txt")
	at := func(w *wire) (column int) {
		w.Look(func(s *lsptest.Screen) { column = s.Diagnostic(uri, "A").Range.Start.Character })
		return column
	}
	if u16, u8 := at(first), at(second); u16 != 2 || u8 != 3 {
		t.Errorf("A is at column %d in UTF-16 and %d in UTF-8", u16, u8)
	}
	seq := first.host.Workspace().Snapshot().Seq
	second.Type(uri, lsptest.End(), "mine\n")
	second.awaitCodes(t, "a.txt")
	second.awaitSaid(t, "a.txt is open in Visual Studio Code")
	for range 3 {
		second.Type(uri, lsptest.End(), "more\n")
	}
	second.heard(t)
	if now := first.host.Workspace().Snapshot(); now.Seq != seq || first.document(t, "a.txt").Base.String() != was {
		t.Errorf("typing beside moved the table from %d to %d", seq, now.Seq)
	}
	actions, err := second.Actions(context.Background(), uri, lsptest.Before("one"), lsptest.After("one"))
	if err != nil {
		t.Error(err)
	}
	for _, a := range actions {
		if strings.HasPrefix(a.Title, "Apply A") {
			t.Error("of another text it offers to apply A")
		}
	}
	n := 0
	second.Look(func(s *lsptest.Screen) {
		for _, m := range s.Messages {
			if strings.Contains(m.Text, "is open in") {
				n++
			}
		}
	})
	if n != 1 {
		t.Errorf("it was told %d times", n)
	}
	second.ReplaceAll(uri, was)
	second.awaitCodes(t, "a.txt", "A")
	second.command(t, "galley.apply", "A") // the keeper takes it in
	first.awaitLetter(t, "A", editing.Applied)
	if got := first.Text(first.uri("a.txt")); got != "é ONE\ntwo\n" {
		t.Errorf("the keeper has %q", got)
	}
}

// When the keeper goes, an editor with its text or the disk's takes over; another is told to load the file.
func TestTheKeeperGoes(t *testing.T) {
	const was, typed = "one\ntwo\n", "mine\none\ntwo\n"
	for name, c := range map[string]struct {
		second string                  // its text
		goes   func(*testing.T, *wire) // the first
		takes  bool                    // the second takes over
		text   string                  // of the table, then
		after  func(*testing.T, *wire) // in the second
		then   string                  // and of the table
	}{
		"closed, and the other has its text":            {second: typed, goes: closes, takes: true, text: typed},
		"closed, and the other has the disk's":          {second: was, goes: closes, takes: true, text: was},
		"closed, and the other has a text of its own":   {second: "x\n", goes: closes, text: was, after: loads, then: was},
		"crashed, and the other has its text":           {second: typed, goes: func(t *testing.T, w *wire) { w.crash(t) }, takes: true, text: typed},
		"crashed, and the other has a text of its own":  {second: "x\n", goes: func(t *testing.T, w *wire) { w.crash(t) }, text: was, after: saves, then: "x\n"},
		"left, and the other has the disk's text":       {second: was, goes: func(t *testing.T, w *wire) { w.close(t) }, takes: true, text: was},
		"closed, and the other is in doubt of its text": {second: "doubt", goes: closes, text: was, after: opensAgain, then: was},
	} {
		t.Run(name, func(t *testing.T) {
			house := newWire(t, lsptest.Plain(), wireOptions{files: map[string]string{"a.txt": was}})
			defer house.close(t)
			first := house.beside(t, lsptest.VSCode())
			defer func() {
				if !first.over {
					first.close(t)
				}
			}()
			first.open(t, "a.txt")
			first.heard(t)
			second := house.beside(t, lsptest.Helix())
			defer second.close(t)
			if c.second == "doubt" {
				second.OpenText(second.uri("a.txt"), typed)
				second.Notify("textDocument/didChange", map[string]any{
					"textDocument":   map[string]any{"uri": second.uri("a.txt"), "version": 1},
					"contentChanges": []any{map[string]any{"range": "nonsense", "text": ""}},
				})
				second.awaitSaid(t, "lost track")
			} else {
				second.OpenText(second.uri("a.txt"), c.second)
			}
			second.heard(t)
			first.Type(first.uri("a.txt"), lsptest.Offset(0), "mine\n")
			first.heard(t)
			keeper := house.document(t, "a.txt").Keeper
			c.goes(t, first)
			house.awaitTable(t, "it is clear who keeps the text", func(s *editing.Snapshot) bool {
				d, ok := s.Document(second.path("a.txt"))
				return ok && d.Keeper != keeper && len(d.Heirs) == 0 && d.Base.String() == c.text && d.Open() == c.takes
			})
			if !c.takes {
				second.awaitSaid(t, "load the file again")
				c.after(t, second)
				house.awaitTable(t, "the second keeps it", func(s *editing.Snapshot) bool {
					d, ok := s.Document(second.path("a.txt"))
					return ok && d.Open() && d.Base.String() == c.then
				})
			}
			second.Type(second.uri("a.txt"), lsptest.End(), "end\n")
			second.heard(t)
			house.awaitText(t, "a.txt", second.Text(second.uri("a.txt")))
		})
	}
}

func closes(_ *testing.T, w *wire) { w.CloseBuffer(w.uri("a.txt")) }

func loads(t *testing.T, w *wire) {
	if err := w.Reload(w.uri("a.txt")); err != nil {
		t.Error(err)
	}
}

func opensAgain(t *testing.T, w *wire) {
	w.CloseBuffer(w.uri("a.txt"))
	w.open(t, "a.txt")
}

func saves(t *testing.T, w *wire) {
	if err := w.Save(w.uri("a.txt")); err != nil {
		t.Error(err)
	}
}

// What is decided elsewhere is sent to a keeper that refuses every stale edit, once more if the user typed meanwhile; in
// any other it could land beside.
func TestDecidedElsewhere(t *testing.T) {
	const was, typed = "one\ntwo\nthree\n", "typed here\n"
	for _, c := range []struct {
		keeper lsptest.Profile
		held   bool
	}{
		{lsptest.VSCode(), false},
		{lsptest.Helix(), false},
		{plugin(), false},
		{lsptest.Neovim010(), true},
		{lsptest.Neovim012(), true},
		{lsptest.Emacs(), true},
		{lsptest.Plain(), true},
	} {
		t.Run(c.keeper.Name+c.keeper.Version, func(t *testing.T) {
			elsewhere := newWire(t, lsptest.Plain(), wireOptions{files: map[string]string{"a.txt": was}})
			defer elsewhere.close(t)
			keeper := elsewhere.beside(t, c.keeper)
			defer keeper.close(t)
			keeper.open(t, "a.txt")
			uri := keeper.uri("a.txt")
			elsewhere.ask(t, replace("a.txt", "two", "TWO"))
			keeper.awaitCodes(t, "a.txt", "A")
			keeper.Freeze() // what is typed stays in the editor
			keeper.Type(uri, lsptest.Before("one"), typed)
			call := elsewhere.BeginCommand("galley.apply", "A")
			if c.held {
				_, err := call.Result(context.Background())
				var refused *lsptest.ResponseError
				if !errors.As(err, &refused) || !strings.Contains(refused.Message, "decide A in "+c.keeper.Name+", or close the file there") ||
					!strings.Contains(string(refused.Data), "held_by_editor") {
					t.Errorf("it answers %v", err)
				}
				keeper.Thaw()
				keeper.heard(t)
				keeper.command(t, "galley.apply", "A") // there it can be decided
				keeper.heard(t)
			} else {
				for n := 1; n < 3 && keeper.Profile().Hold.After > 0; n++ { // the first is refused
					keeper.Await(t, "the edit has come", func(s *lsptest.Screen) bool { return len(s.Edits) >= n })
					keeper.heard(t)
				}
				keeper.Thaw()
				if _, err := call.Result(context.Background()); err != nil {
					t.Error(err)
				}
			}
			elsewhere.awaitLetter(t, "A", editing.Applied)
			if got, want := keeper.Text(uri), typed+"one\nTWO\nthree\n"; got != want {
				t.Errorf("the keeper has %q, want %q", got, want)
			}
			keeper.heard(t)
			elsewhere.awaitText(t, "a.txt", keeper.Text(uri))
		})
	}
}

// Who applies a letter and types on need not do it again, where the editor refuses an edit that comes between.
func TestTypedBehindTheCommand(t *testing.T) {
	const was, typed = "one\ntwo\nthree\n", "typed here\n"
	for _, p := range []lsptest.Profile{lsptest.VSCode(), lsptest.Helix(), plugin()} {
		t.Run(p.Name, func(t *testing.T) {
			w := newWire(t, p, wireOptions{files: map[string]string{"a.txt": was}, patience: 5 * time.Minute})
			defer w.close(t)
			w.open(t, "a.txt")
			w.ask(t, replace("a.txt", "two", "TWO"))
			w.awaitCodes(t, "a.txt", "A")
			w.Answers(lsptest.Answer{Do: lsptest.DoRefuse}, lsptest.Answer{Do: lsptest.DoRefuse}, lsptest.Answer{Do: lsptest.DoRefuse})
			call, want := w.BeginCommand("galley.apply", "A"), "one\nTWO\nthree\n"
			for n := 1; n <= 3; n++ {
				w.Await(t, "the edit has come", func(s *lsptest.Screen) bool { return len(s.Edits) == n })
				w.Type(w.uri("a.txt"), lsptest.Before("one"), typed)
				want = typed + want
			}
			if _, err := call.Result(context.Background()); err != nil {
				t.Error(err)
			}
			w.awaitLetter(t, "A", editing.Applied)
			if got := w.Text(w.uri("a.txt")); got != want {
				t.Errorf("the editor has %q, want %q", got, want)
			}
			w.heard(t)
			w.Look(func(s *lsptest.Screen) {
				if s.Message("did not apply") {
					t.Errorf("the user is told %v", s.Messages)
				}
			})
		})
	}
}

// An editor that does not answer, as one whose window is gone and whose programs run on, holds nobody up for more than one
// decision: an editor with the very text keeps the file from then on, and no other.
func TestAKeeperThatDoesNotAnswer(t *testing.T) {
	const was = "one\ntwo\n"
	for name, c := range map[string]struct {
		second string
		takes  bool
	}{
		"another has its text":            {was, true},
		"another has a text of its own":   {"x\n", false},
		"nobody else has the file at all": {"", false},
	} {
		t.Run(name, func(t *testing.T) {
			first := newWire(t, lsptest.VSCode(), wireOptions{files: map[string]string{"a.txt": was}, patience: 100 * time.Millisecond})
			defer first.close(t)
			second := first.beside(t, lsptest.VSCode())
			defer second.close(t)
			first.open(t, "a.txt")
			first.heard(t)
			if c.second != "" {
				second.OpenText(second.uri("a.txt"), c.second)
				second.heard(t)
			}
			first.ask(t, replace("a.txt", "one", "ONE"))
			first.awaitCodes(t, "a.txt", "A")
			keeper := first.document(t, "a.txt").Keeper
			first.Answers(lsptest.Answer{Do: lsptest.DoLater, When: lsptest.ReplyHeld})
			second.command(t, "galley.apply", "A")
			second.awaitSaid(t, "did not change within", "A waits for a decision again")
			first.awaitTable(t, "it is clear who keeps the text", func(s *editing.Snapshot) bool {
				d, ok := s.Document(first.path("a.txt"))
				return ok && d.Open() && len(d.Heirs) == 0 && (d.Keeper != keeper) == c.takes
			})
			if c.takes {
				second.command(t, "galley.apply", "A")
				first.awaitLetter(t, "A", editing.Applied)
				if got := second.Text(second.uri("a.txt")); got != "ONE\ntwo\n" {
					t.Errorf("it has %q", got)
				}
			}
			first.ReleaseReplies()
			first.Finish()
			first.Type(first.uri("a.txt"), lsptest.End(), "mine\n")
			first.heard(t)
			of := first
			if c.takes {
				of = second
			}
			first.awaitText(t, "a.txt", of.Text(of.uri("a.txt")))
		})
	}
}

// A commit over documents of two keepers waits for both; the disk comes last. Who did not bring its part in is told, and
// who decided; nobody else.
func TestCommitOverTwoKeepers(t *testing.T) {
	for _, refuses := range []bool{false, true} {
		t.Run(fmt.Sprintf("one refuses: %v", refuses), func(t *testing.T) {
			first := newWire(t, lsptest.VSCode(), wireOptions{files: map[string]string{"a.txt": "one\n", "b.txt": "two\n", "c.txt": "three\n"}})
			defer first.close(t)
			second, third := first.beside(t, lsptest.Helix()), first.beside(t, lsptest.Plain())
			defer second.close(t)
			defer third.close(t)
			first.open(t, "a.txt")
			second.open(t, "b.txt")
			first.ask(t, replace("a.txt", "one", "ONE"), replace("b.txt", "two", "TWO"), replace("c.txt", "three", "THREE"))
			for _, w := range []*wire{first, second, third} {
				w.awaitCodes(t, "c.txt", "C")
			}
			if refuses {
				second.Answers(lsptest.Answer{Do: lsptest.DoRefuse}, lsptest.Answer{Do: lsptest.DoRefuse})
			} else {
				second.Answers(lsptest.Answer{Do: lsptest.DoLater, Say: lsptest.SayApplied})
			}
			first.command(t, "galley.commit") // its own editor has answered
			first.awaitLetter(t, "A", editing.Applied)
			second.Await(t, "the edit has come", func(s *lsptest.Screen) bool { return len(s.Edits) > 0 })
			if refuses {
				second.Type(second.uri("b.txt"), lsptest.End(), "typed\n") // it is sent once more, and refused again
				for _, w := range []*wire{first, second} {
					w.awaitSaid(t, "#1 was not committed, no closed file was written", "changed already: a.txt")
				}
				first.awaitLetter(t, "B", editing.Staged)
				if got := first.read(t, "c.txt"); got != "three\n" {
					t.Errorf("the closed file is %q", got)
				}
				third.heard(t)
				third.Look(func(s *lsptest.Screen) {
					if len(s.Messages) > 0 {
						t.Errorf("who had no part in it hears %v", s.Messages)
					}
				})
				return
			}
			if got := first.read(t, "c.txt"); got != "three\n" {
				t.Errorf("before all texts confirmed the closed file is %q", got)
			}
			second.Finish()
			first.awaitTable(t, "it is committed", func(s *editing.Snapshot) bool { return len(s.Changes()) == 0 })
			if got := first.read(t, "c.txt"); got != "THREE\n" {
				t.Errorf("the closed file is %q", got)
			}
		})
	}
}

// Questions and proposals are for who asked, a connection has a current session of its own, and a client that leaves takes
// its runs with it.
func TestWhoIsTold(t *testing.T) {
	first := newWire(t, lsptest.VSCode().Galley(false), wireOptions{files: map[string]string{"a.txt": "one\n"}, commands: "ask"})
	defer first.close(t)
	second := first.beside(t, lsptest.VSCode().Galley(false))
	first.ask(t, replace("a.txt", "one", "ONE"), toolCall("memo_commit", map[string]any{"summary": "done"}))
	proposed := func(s *lsptest.Screen) bool {
		for _, q := range s.Questions {
			if strings.Contains(q.Text, "proposes #1") {
				return true
			}
		}
		return false
	}
	first.Await(t, "the proposal", proposed)
	second.awaitCodes(t, "a.txt", "A")
	second.tell(t, toolCall("run_command", map[string]any{"command": "echo hi"}))
	second.Await(t, "the question", func(s *lsptest.Screen) bool { return asksFor(s, "echo hi") })
	first.heard(t)
	first.Look(func(s *lsptest.Screen) {
		if asksFor(s, "echo hi") {
			t.Error("a command of another's run is asked about")
		}
	})
	second.Look(func(s *lsptest.Screen) {
		if proposed(s) {
			t.Error("a commit that another's run proposes is asked about")
		}
	})
	current := func(w *wire) string {
		var m struct{ Session string }
		if err := json.Unmarshal(w.command(t, "galley.changes"), &m); err != nil {
			t.Fatal(err)
		}
		return m.Session
	}
	if one, two := current(first), current(second); one == "" || two == "" || one == two {
		t.Errorf("the current sessions are %q and %q", one, two)
	}
	one := current(first)
	second.command(t, "galley.newSession", "elsewhere")
	if current(first) != one {
		t.Error("another connection's new session is current")
	}
	second.crash(t)
	first.Await(t, "the run of who has gone ends", func(s *lsptest.Screen) bool {
		for _, raw := range s.Runs {
			var r shownRun
			if _ = json.Unmarshal(raw, &r); r.State != "cancelled" && r.State != "done" { // it may have been quicker
				return false
			}
		}
		return true
	})
}

// A client that reads nothing does not slow the others.
func TestSlowClient(t *testing.T) {
	w := newWire(t, lsptest.VSCode().Galley(false), wireOptions{files: map[string]string{"a.txt": "0\n1\n2\n3\n4\n"}})
	defer w.close(t)
	mine, its := net.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- lsp.Serve(context.Background(), its, lsp.Config{Host: w.host, Version: "test", Patience: w.patience})
	}()
	send := func(body string) {
		if _, err := fmt.Fprintf(mine, "Content-Length: %d\r\n\r\n%s", len(body), body); err != nil {
			t.Error(err)
		}
	}
	send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"experimental":{"galley":{"notifications":true}}}}}`)
	answer := make([]byte, 1)
	if _, err := mine.Read(answer); err != nil { // and then no more
		t.Fatal(err)
	}
	w.open(t, "a.txt")
	began := time.Now()
	for i := range 5 {
		letter := string(rune('A' + i))
		w.ask(t, replace("a.txt", fmt.Sprint(i), fmt.Sprintf("%d!", i)))
		w.Type(w.uri("a.txt"), lsptest.Offset(0), "typed\n")
		w.command(t, "galley.apply", letter)
		w.awaitLetter(t, letter, editing.Applied)
	}
	if took := time.Since(began); took > lsptest.Patience/2 {
		t.Errorf("it took %s", took)
	}
	_ = mine.Close()
	<-done
}

// asksFor reports whether a question is about something.
func asksFor(s *lsptest.Screen, part string) bool {
	for _, q := range s.Questions {
		if strings.Contains(q.Text, part) {
			return true
		}
	}
	return false
}
