package lsp

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/editing"
)

const saves = `{"workspace":{"applyEdit":true,"workspaceEdit":{"documentChanges":true,"metadataSupport":true}},
	"general":{"positionEncodings":["utf-8"]},"experimental":{"galley":{"notifications":true,"save":true}}}`

// review is a session with two open files and a closed one.
func review(t *testing.T, caps string, patience time.Duration) (*wire, *pad) {
	host := newFakeHost()
	host.file("c.txt", "three\nc\n")
	w := dial(t, dialOptions{host: host, caps: caps, patience: patience})
	p := newPad(w)
	p.open("a.txt", "one\na\n", 0)
	p.open("b.txt", "two\nb\n", 5)
	for _, r := range []editing.Result{host.stage("a.txt", "one", "ONE"), host.stage("b.txt", "two", "TWO"), host.stage("c.txt", "three", "THREE")} {
		if !r.OK() {
			t.Fatal(r)
		}
	}
	return w, p
}

func (w *wire) awaitChange(letter string, state editing.ChangeState) *editing.Snapshot {
	w.t.Helper()
	return w.awaitState(letter+" "+string(state), func(s *editing.Snapshot) bool {
		c, ok := s.Change(letter)
		return ok && c.State == state
	})
}

func TestApply(t *testing.T) {
	for _, manner := range []string{"", "first"} {
		w, p := review(t, applies, 0)
		p.manner = manner
		m := w.command(cmdApply, `"a"`)
		if m.Error != nil || !strings.Contains(string(m.Result), `"change":"A"`) {
			t.Fatalf("%+v", m)
		}
		w.awaitChange("A", editing.Applied)
		if got := p.text("a.txt"); got != "ONE\na\n" {
			t.Errorf("%q", got)
		}
		if got := w.base("a.txt"); got != "ONE\na\n" {
			t.Errorf("%q", got)
		}
		p.set("a.txt", "one\na\n") // undo
		w.awaitChange("A", editing.Staged)
		p.set("a.txt", "ONE\na\n") // redo
		w.awaitChange("A", editing.Applied)
	}
}

func TestApplyWithoutVersions(t *testing.T) {
	w, p := review(t, `{"workspace":{"applyEdit":true},"general":{"positionEncodings":["utf-8"]}}`, 0)
	w.command(cmdApply, `"B"`)
	w.awaitChange("B", editing.Applied)
	if strings.Contains(string(p.edits[0]), "documentChanges") {
		t.Errorf("%s", p.edits[0])
	}
}

func TestApplyThatTheEditorDoesNotDo(t *testing.T) {
	for _, c := range []struct {
		manner, said string
		patience     time.Duration
	}{
		{"refuse", "not today", 0},
		{"error", "stale", 0},
		{"lie", "did not change within", 50 * time.Millisecond},
		{"silent", "did not change within", 50 * time.Millisecond},
	} {
		t.Run(c.manner, func(t *testing.T) {
			w, p := review(t, applies, c.patience)
			p.manner = c.manner
			id := w.send("workspace/executeCommand", `{"command":"galley.apply","arguments":["A"]}`)
			w.awaitMessage("window/showMessage", has(c.said))
			if c.manner != "silent" {
				w.reply2(id)
			}
			w.awaitChange("A", editing.Staged)
			p.set("a.txt", "ONE\na\n") // later text still decides
			w.awaitChange("A", editing.Applied)
		})
	}
}

func TestApplyThatMeetsOtherText(t *testing.T) {
	w, p := review(t, applies, time.Second)
	p.manner = "other"
	w.command(cmdApply, `"B"`)
	w.awaitChange("B", editing.Conflict)
	w.awaitMessage("window/showMessage", has("one undo"))
	if m := w.command(cmdResolve, `{"change":"B","take":"agent","hash":"0000000000000000"}`); m.Error == nil || !strings.Contains(string(m.Error.Data), "stale") {
		t.Errorf("%+v", m)
	}
	p.manner = ""
	if m := w.command(cmdResolve, `{"change":"B","take":"agent"}`); m.Error != nil {
		t.Errorf("%+v", m.Error)
	}
	w.awaitChange("B", editing.Applied)
}

func TestApplyNeedsAClientThatCan(t *testing.T) {
	w, _ := review(t, utf8caps, 0)
	if m := w.command(cmdApply, `"A"`); m.Error == nil || m.Error.Code != -32803 || !strings.Contains(string(m.Error.Data), host.CodeNoApplyEdit) {
		t.Errorf("%+v", m)
	}
	if m := w.command(cmdApply, `"C"`); m.Error != nil { // closed: on disk
		t.Errorf("%+v", m.Error)
	}
	if got := w.host.onDisk("/ws/c.txt"); got != "THREE\nc\n" {
		t.Errorf("%q", got)
	}
}

func TestStaleChoices(t *testing.T) {
	w, _ := review(t, applies, 0)
	seq := w.host.ws.Snapshot().Seq
	w.change("a.txt", 1, at(1, 0, 1, 0), "shift") // moves do not count
	w.sync()
	w.host.stage("a.txt", "ONE", "1")
	for _, arg := range []string{`{"change":"A","revision":1}`, `{"uri":"file:///ws/a.txt","seq":` + itoa(seq) + `}`} {
		m := w.command(cmdApply, arg)
		if m.Error == nil || !strings.Contains(string(m.Error.Data), `"stale"`) || !strings.Contains(string(m.Error.Data), "+1") {
			t.Errorf("%s: %+v %s", arg, m.Error, m.Error.Data)
		}
	}
	if m := w.command(cmdCommit, `{"seq":`+itoa(seq)+`}`); m.Error == nil {
		t.Error("a stale commit was done")
	}
	if m := w.command(cmdReject, `{"uri":"file:///ws/b.txt","seq":`+itoa(seq)+`}`); m.Error != nil {
		t.Errorf("another letter's amendment counted: %+v", m.Error)
	}
}

// Letters that are named together are one decision: all of them or none.
func TestSeveralLetters(t *testing.T) {
	w, _ := review(t, applies, 0)
	seq := w.host.ws.Snapshot().Seq
	if m := w.command(cmdReject, `{"changes":["A","Z"]}`); m.Error == nil || !strings.Contains(m.Error.Message, "there is no change Z") {
		t.Fatalf("%+v", m)
	}
	if c, _ := w.host.ws.Snapshot().Change("A"); c.State != editing.Staged {
		t.Fatalf("A is %s", c.State)
	}
	m := w.command(cmdReject, `{"changes":["a","B"],"seq":`+itoa(seq)+`,"reason":"no"}`)
	if m.Error != nil || !strings.Contains(string(m.Result), `"change":"A"`) || !strings.Contains(string(m.Result), `"change":"B"`) {
		t.Fatalf("%+v %s", m.Error, m.Result)
	}
	if c, _ := w.host.ws.Snapshot().Change("C"); c.State != editing.Staged {
		t.Errorf("C is %s", c.State)
	}
	w.host.stage("a.txt", "ONE", "1")
	if m := w.command(cmdUnreject, `{"changes":["A","B"],"seq":`+itoa(seq)+`}`); m.Error != nil {
		t.Errorf("another letter counted: %+v", m.Error)
	}
}

func itoa(n int64) string { return string(own(n)) }

func TestRejectAndBack(t *testing.T) {
	w, _ := review(t, applies, 0)
	if m := w.command(cmdReject, `{"change":"A","reason":"no"}`); m.Error != nil {
		t.Fatal(m.Error)
	}
	c, _ := w.host.ws.Snapshot().Change("A")
	if c.State != editing.Rejected || c.Verdict != "no" {
		t.Errorf("%+v", c)
	}
	if m := w.command(cmdApply, `"A"`); m.Error == nil {
		t.Error("a rejected change was applied")
	}
	if m := w.command(cmdUnreject, ``); m.Error != nil {
		t.Fatal(m.Error)
	}
	w.awaitChange("A", editing.Staged)
	m := w.command(cmdReject, ``)
	if m.Error == nil || !strings.Contains(m.Error.Message, "A (a.txt") {
		t.Errorf("%+v", m.Error)
	}
}

func TestCommit(t *testing.T) {
	w, p := review(t, saves, 0)
	p.manner = "first"
	w.host.mu.Lock()
	w.host.files["/ws/a.txt"] = "one\na\n" // clean
	w.host.mu.Unlock()
	m := w.command(cmdCommit, `{"summary":"capitals"}`)
	if m.Error != nil || !strings.Contains(string(m.Result), `"status":"committing"`) {
		t.Fatalf("%+v", m)
	}
	snap := w.awaitState("the commit", func(s *editing.Snapshot) bool {
		ses, _ := s.Session(agentSession, 1)
		return ses.State == editing.Committed
	})
	if len(snap.Changes()) != 0 || p.text("a.txt") != "ONE\na\n" || p.text("b.txt") != "TWO\nb\n" {
		t.Errorf("%q %q", p.text("a.txt"), p.text("b.txt"))
	}
	save := w.awaitMessage(methodSave, has("a.txt"))
	if strings.Contains(string(save), "b.txt") {
		t.Errorf("a document that was not clean is saved: %s", save)
	}
	if log := w.host.noted(); !slices.Equal(log, []string{"finished 1", "wrote c.txt"}) {
		t.Errorf("%v", log)
	}
	if len(p.edits) != 1 || strings.Contains(string(p.edits[0]), "isRefactoring") {
		t.Errorf("%s", p.edits)
	}
	w.awaitMessage(methodChanges, has(`"edits":[]`))
}

func TestCommitThatFails(t *testing.T) {
	for _, c := range []struct {
		manner, said string
		patience     time.Duration
	}{
		{"refuse", "not today", 0},
		{"lie", "did not change within", 50 * time.Millisecond},
		{"other", "changed already: a.txt, b.txt", time.Second},
	} {
		t.Run(c.manner, func(t *testing.T) {
			w, p := review(t, applies, c.patience)
			p.manner = c.manner
			w.command(cmdCommit, ``)
			w.awaitMessage("window/showMessage", has(c.said))
			snap := w.host.ws.Snapshot()
			ses, _ := snap.Session(agentSession, 1)
			if ses.State != editing.Editing {
				t.Errorf("the edit is %s", ses.State)
			}
			if log := w.host.noted(); slices.Contains(log, "wrote c.txt") {
				t.Errorf("%v", log)
			}
		})
	}
}

func TestRevert(t *testing.T) {
	w, _ := review(t, applies, 0)
	m := w.command(cmdRevert, `{"edit":1,"reason":"no"}`)
	if m.Error != nil || !strings.Contains(string(m.Result), `"status":"reverted"`) || !strings.Contains(string(m.Result), `"state":"closed"`) {
		t.Errorf("%+v", m)
	}
	if m := w.command(cmdRevert, `1`); m.Error == nil || m.Error.Code != -32803 {
		t.Errorf("%+v", m)
	}
	if m := w.command(cmdRevert, ``); m.Error == nil || !strings.Contains(m.Error.Message, "no edit is open") {
		t.Errorf("%+v", m)
	}
}

func TestRevertIncludingWhatWasApplied(t *testing.T) {
	w, p := review(t, applies, 0)
	w.command(cmdApply, `"A"`)
	w.awaitChange("A", editing.Applied)
	m := w.command(cmdRevert, `{"includeApplied":true}`)
	if m.Error != nil || !strings.Contains(string(m.Result), `"status":"reverting"`) {
		t.Fatalf("%+v", m)
	}
	w.awaitState("the revert", func(s *editing.Snapshot) bool {
		ses, _ := s.Session(agentSession, 1)
		return ses.State == editing.Reverted
	})
	if got := p.text("a.txt"); got != "one\na\n" {
		t.Errorf("%q", got)
	}
}

// A command that is the first message waits for its edit as any other.
func TestFirstCommandFindsAKeeper(t *testing.T) {
	h, asked := newFakeHost(), make(chan struct{})
	h.file("a.txt", "one\n")
	h.stage("a.txt", "one", "ONE")
	h.onJoin = func() {
		select {
		case <-asked:
			t.Error("a command was done before there was a keeper")
		case <-time.After(50 * time.Millisecond): // as long as the first message takes
		}
	}
	w := dial(t, dialOptions{host: h, noHello: true})
	w.call("initialize", `{"processId":null,"rootUri":null,"capabilities":{}}`)
	if m := w.command(cmdPreview, `"A"`); m.Error != nil {
		t.Errorf("%+v", m.Error)
	}
	close(asked)
}

// Two commands in a row: the edit of the second rests on the text of the first.
func TestTwoApplies(t *testing.T) {
	w, p := review(t, applies, 0)
	w.host.stage("a.txt", "a", "A")
	one := w.send("workspace/executeCommand", `{"command":"galley.apply","arguments":["A"]}`)
	two := w.send("workspace/executeCommand", `{"command":"galley.apply","arguments":["D"]}`)
	for _, id := range []string{one, two} {
		if m := w.reply2(id); m.Error != nil {
			t.Errorf("%+v", m.Error)
		}
	}
	w.awaitChange("A", editing.Applied)
	w.awaitChange("D", editing.Applied)
	if got := p.text("a.txt"); got != "ONE\nA\n" {
		t.Errorf("%q", got)
	}
}

// A commit that the agent began: only clients with an exact version check get it.
func TestUnattendedCommit(t *testing.T) {
	for name, exact := range map[string]bool{"helix": true, "Neovim": false} {
		host := newFakeHost()
		host.asker = 1
		w := dial(t, dialOptions{host: host, caps: applies, name: name})
		p := newPad(w)
		p.open("a.txt", "one\n", 1)
		host.stage("a.txt", "one", "ONE")
		host.ws.Do(editing.Commit(agentSession, 1, "auto", nil))
		want := editing.Editing
		if exact {
			want = editing.Committed
		}
		w.awaitState("the end of the commit", func(s *editing.Snapshot) bool {
			ses, _ := s.Session(agentSession, 1)
			return ses.State == want
		})
		if got := p.text("a.txt") == "ONE\n"; got != exact {
			t.Errorf("%s: %q", name, p.text("a.txt"))
		}
	}
}

// All of a session is taken in by one command, whatever file it is in, and nothing of another one.
func TestApplyAllOfASession(t *testing.T) {
	w, p := review(t, strings.Replace(applies, `{"workspace"`, `{"experimental":{"galley":{"notifications":true,"draws":true}},"workspace"`, 1), 0)
	if r := w.host.stageOf("01OTHER", "b.txt", "b", "B"); !r.OK() {
		t.Fatal(r)
	}
	w.awaitMessage(methodChanges, has(`"session":"01OTHER"`))
	titled := w.awaitMessage(methodChanges, has(`"session":"01SESSION","title":"one","edit":1`))
	if strings.Contains(string(titled), `"session":"01OTHER","title":"one"`) {
		t.Errorf("%s", titled)
	}
	if got := w.actions("a.txt", at(1, 0, 1, 0), ""); !slices.Contains(got, "Commit #1 of “one” (3 changes in 3 files)") || !slices.Contains(got, "Commit #1 (1 change in 1 file)") {
		t.Errorf("%q", got)
	}
	for _, none := range []string{`{"session":"01NONE"}`, `{"session":"01SESSION","edit":2}`} {
		if m := w.command(cmdApply, none); m.Error == nil || !strings.Contains(m.Error.Message, "there is nothing of that session to decide") {
			t.Errorf("%s: %s %+v", none, m.Result, m.Error)
		}
	}
	if m := w.command(cmdApply, `{"session":"current","edit":1}`); m.Error != nil {
		t.Fatalf("%+v", m.Error)
	}
	for _, letter := range []string{"A", "B", "C"} {
		w.awaitChange(letter, editing.Applied)
	}
	if got := p.text("b.txt"); got != "TWO\nb\n" {
		t.Errorf("%q", got)
	}
}

// Letters are given anew: a choice that comes late must not meet another change of the same name.
func TestLateChoiceOfALetterGivenAnew(t *testing.T) {
	w, _ := review(t, applies, 0)
	for _, late := range []string{`{"change":"A","revision":1,"session":"01GONE","edit":1}`, `{"change":"A","revision":1,"session":"01SESSION","edit":2}`} {
		for _, cmd := range []string{cmdApply, cmdReject, cmdEdit} {
			if m := w.command(cmd, late); m.Error == nil || !strings.Contains(string(m.Error.Data), `"stale"`) || !strings.Contains(m.Error.Message, "A is another one now") {
				t.Errorf("%s %s: %s %+v", cmd, late, m.Result, m.Error)
			}
		}
	}
	w.awaitChange("A", editing.Staged)
	if m := w.command(cmdApply, `{"change":"A","revision":1,"session":"01SESSION","edit":1}`); m.Error != nil {
		t.Errorf("%+v", m.Error)
	}
}
