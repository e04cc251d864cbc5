package agent_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/view"
	"github.com/galley-ls/galley/memory"
)

func numbered(n int) string {
	var sb strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&sb, "line %d\n", i)
	}
	return sb.String()
}

func (b *bench) replace(path, old, new string) {
	b.t.Helper()
	if o := b.call("memory_notebook_replace", args{"path": path, "old_text": old, "new_text": new, "reason": "because " + new}); o.Status != "editing" {
		b.t.Fatalf("%s → %s: %s", old, new, o.JSON())
	}
}

// After a restart the same letters with the same states, reasons and turns are
// there, rebased on the text as it is now.
func TestRestart(t *testing.T) {
	ctx := context.Background()
	b := newBench(t, map[string]string{"a.txt": numbered(30)}, editing.Ask)
	b.replace("a.txt", "line 3\n", "line three\n")
	b.replace("a.txt", "line 10\n", "line ten\n")
	b.replace("a.txt", "line 20\n", "line twenty\nand more\n")
	b.replace("a.txt", "line 25\n", "")
	b.s.Reject(ctx, editing.Letters("B"), "no")
	b.s.Apply(ctx, editing.Letters("A"))
	turn := func(l string) (int, string) {
		c, _ := b.s.Snapshot().Change(l)
		return c.Turn, c.Reason
	}
	wantTurn, wantReason := turn("C")
	id := b.s.ID()
	must(t, b.s.Close())
	b.write("a.txt", "above\n\n"+strings.Replace(b.file("a.txt"), "line 25\n", "line 25 by the user\n", 1))
	b.open(id)
	if got := b.states(); got != "A applied, B rejected, C staged, D conflict" {
		t.Fatal(got)
	}
	if n, r := turn("C"); n != wantTurn || r != wantReason {
		t.Errorf("turn %d, reason %q; were %d, %q", n, r, wantTurn, wantReason)
	}
	if o := b.s.Apply(ctx, editing.Letters("C")); o.Status != "ok" {
		t.Fatalf("%s", o.JSON())
	}
	b.restart()
	if got := b.states(); got != "A applied, B rejected, C applied, D conflict" {
		t.Fatal(got)
	}
	wantIn(t, b.file("a.txt"), "above\n\nline 1\n", "line three\n", "line 10\n", "line twenty\nand more\n", "line 25 by the user\n")
	if o := b.s.CommitEdit(ctx, 0, ""); o.Code != "commit_failed" || len(o.Files) != 1 {
		t.Errorf("a conflict does not stop the commit: %s", o.JSON())
	}
	if o := b.s.Resolve(ctx, editing.Letters("D")[0], "agent"); o.Status != "ok" {
		t.Fatalf("%s", o.JSON())
	}
	wantNot(t, b.file("a.txt"), "line 25")
}

// The user undoes the conflicting line on disk: the conflict heals.
func TestConflictHeals(t *testing.T) {
	b := newBench(t, map[string]string{"a.txt": numbered(10)}, editing.Ask)
	b.replace("a.txt", "line 5\n", "line five\n")
	b.write("a.txt", strings.Replace(numbered(10), "line 5", "line 5!", 1))
	must(t, b.s.Refresh(context.Background()))
	if got := b.states(); got != "A conflict" {
		t.Fatal(got)
	}
	o := b.call("memo_read", args{"path": "a.txt", "start_line": 5, "end_line": 5})
	wantIn(t, *o.Text, "A!│line 5!")
	b.write("a.txt", numbered(10))
	b.restart()
	if got := b.states(); got != "A staged" {
		t.Fatal(got)
	}
	b.write("a.txt", strings.Replace(numbered(10), "line 5", "line five", 1))
	must(t, b.s.Refresh(context.Background()))
	c, _ := b.s.Snapshot().Change("A")
	if c.State != editing.Applied || c.By != "you" {
		t.Errorf("the user wrote it themself: %s by %q", c.State, c.By)
	}
}

// A file that is gone holds its letters as conflicts, and they heal when it is back.
func TestFileGoneAndBack(t *testing.T) {
	ctx := context.Background()
	b := newBench(t, map[string]string{"a.txt": numbered(10)}, editing.Ask)
	b.replace("a.txt", "line 5\n", "line five\n")
	must(t, os.Remove(filepath.Join(b.dir, "a.txt")))
	must(t, b.s.Refresh(ctx))
	if got := b.states(); got != "A conflict" {
		t.Fatal(got)
	}
	b.write("a.txt", "another beginning\n"+numbered(10))
	must(t, b.s.Refresh(ctx))
	if got := b.states(); got != "A staged" {
		t.Fatal(got)
	}
	b.s.Apply(ctx, editing.Letters("A"))
	wantFile(t, b.file("a.txt"), "another beginning\n"+strings.Replace(numbered(10), "line 5\n", "line five\n", 1))
}

// One file of three cannot be written: nothing is, and all letters still wait.
func TestCommitIsAllOrNothing(t *testing.T) {
	b := newBench(t, map[string]string{"a.txt": "one\n", "b.txt": "one\n", "c.txt": "one\n"}, editing.Ask)
	for _, f := range []string{"a.txt", "b.txt", "c.txt"} {
		b.replace(f, "one", "1")
	}
	must(t, os.Chmod(filepath.Join(b.dir, "c.txt"), 0o444))
	o := b.s.CommitEdit(context.Background(), 0, "numbers")
	if o.Code != "commit_failed" || len(o.Files) != 1 || o.Files[0].Path != "c.txt" {
		t.Fatalf("%s", o.JSON())
	}
	for _, f := range []string{"a.txt", "b.txt", "c.txt"} {
		wantFile(t, b.file(f), "one\n")
	}
	b.restart()
	if got := b.states(); got != "A staged, B staged, C staged" {
		t.Fatal(got)
	}
	must(t, os.Chmod(filepath.Join(b.dir, "c.txt"), 0o644))
	if o := b.s.CommitEdit(context.Background(), 0, "numbers"); o.Status != "committed" || *o.AppliedChanges != 3 {
		t.Fatalf("%s", o.JSON())
	}
}

// Applied on disk and undone on disk: the letter waits again.
func TestUndoOnDisk(t *testing.T) {
	ctx := context.Background()
	b := newBench(t, map[string]string{"a.txt": numbered(5)}, editing.Ask)
	b.replace("a.txt", "line 2", "line two")
	b.s.Apply(ctx, editing.Letters("A"))
	b.write("a.txt", numbered(5))
	must(t, b.s.Refresh(ctx))
	if got := b.states(); got != "A staged" {
		t.Fatal(got)
	}
	b.run(`read a.txt`)
	wantIn(t, b.request(), "A was undone by the user")
}

func TestUnreject(t *testing.T) {
	ctx := context.Background()
	b := newBench(t, map[string]string{"a.txt": numbered(5)}, editing.Ask)
	b.replace("a.txt", "line 2", "line two")
	b.s.Reject(ctx, editing.Letters("A"), "no")
	b.restart()
	if o := b.s.Unreject(ctx, editing.Letters("A")); o.Status != "ok" {
		t.Fatalf("%s", o.JSON())
	}
	if o := b.s.Apply(ctx, editing.Letters("A")); o.Status != "ok" {
		t.Fatalf("%s", o.JSON())
	}
	wantFile(t, b.file("a.txt"), strings.Replace(numbered(5), "line 2", "line two", 1))
}

// Two processes, the file edited in between, conflicts near each other and at the
// end of the file: the user's text stays, and taking the agent's side puts it
// exactly there.
func TestConflictsFoundAfterRestart(t *testing.T) {
	ctx := context.Background()
	b := newBench(t, map[string]string{"a.txt": "1\n2\n3\n4\n5\n6\n7\n"}, editing.Ask)
	b.replace("a.txt", "3\n", "THREE\n")
	b.replace("a.txt", "5\n", "FIVE\n")
	b.replace("a.txt", "7\n", "SEVEN\n")
	id := b.s.ID()
	must(t, b.s.Close())
	b.write("a.txt", "1\n2\n3!\n4\n5!\n6\n7!\n")
	b.open(id)
	if got := b.states(); got != "A conflict, B conflict, C conflict" {
		t.Fatal(got)
	}
	b.restart()
	for _, l := range []string{"A", "C", "B"} {
		if o := b.s.Resolve(ctx, editing.Letters(l)[0], "agent"); o.Status != "ok" {
			t.Fatalf("%s: %s", l, o.JSON())
		}
	}
	wantFile(t, b.file("a.txt"), "1\n2\nTHREE\n4\nFIVE\n6\nSEVEN\n")
}

// A conflict heals at the next start when its old text is back.
func TestConflictHealsAtTheNextStart(t *testing.T) {
	b := newBench(t, map[string]string{"a.txt": numbered(10)}, editing.Ask)
	b.replace("a.txt", "line 5\n", "line five\n")
	b.write("a.txt", strings.Replace(numbered(10), "line 5", "line 5!", 1))
	b.restart()
	if got := b.states(); got != "A conflict" {
		t.Fatal(got)
	}
	b.write("a.txt", "new\n"+numbered(10))
	b.restart()
	if got := b.states(); got != "A staged" {
		t.Fatal(got)
	}
}

// What is decided during a run can be taken back by an editor's undo until the end of the next one, whether the agent has
// heard of it or not.
func TestWhatIsDecidedCanBeTakenBackAfterTheRun(t *testing.T) {
	for _, heard := range []bool{true, false} {
		b := newBench(t, map[string]string{"a.txt": numbered(10)}, editing.Ask)
		step := func() {
			_, _, err := b.s.Notices()
			must(t, err)
		}
		end := func(want string) {
			t.Helper()
			_, err := b.s.End(context.Background())
			must(t, err)
			if got := b.states(); got != want {
				t.Errorf("heard: %t: after the run it is %q, want %q", heard, got, want)
			}
		}
		step()
		b.replace("a.txt", "line 5\n", "line five\n")
		b.s.Apply(context.Background(), editing.Letters("A"))
		if heard {
			step()
		}
		end("A applied")
		five := b.file("a.txt")
		b.write("a.txt", numbered(10))
		b.restart()
		if got := b.states(); got != "A staged" {
			t.Errorf("heard: %t: with the old text it is %q", heard, got)
		}
		b.write("a.txt", five)
		b.restart()
		step() // of the next run
		step()
		end("")
	}
}

// A list of candidates that nobody has picked from outlives the run.
func TestListOutlivesTheRun(t *testing.T) {
	b := newBench(t, map[string]string{"services.yaml": services}, editing.Ask)
	b.run(`replace "timeout: 30" with "timeout: 60" in services.yaml`)
	_, err := b.s.End(context.Background())
	must(t, err)
	b.restart()
	b.run(`pick C`)
	c, ok := b.s.Snapshot().Change("A")
	if !ok || view.WhereIs(b.s.Snapshot(), c).Line != 11 || c.Session != 1 {
		t.Errorf("%+v", c)
	}
}

// Several letters of one call and those of the next one, in another file.
func TestRestartOverTwoFiles(t *testing.T) {
	b := newBench(t, map[string]string{"a.txt": numbered(50), "b.txt": numbered(5)}, editing.Ask)
	b.call("write", args{"path": "a.txt", "content": strings.NewReplacer("line 10\n", "ten\n", "line 20\n", "twenty\n", "line 30\n", "thirty\n").Replace(numbered(50))})
	b.replace("b.txt", "line 2\n", "two\n")
	b.replace("b.txt", "line 4\n", "four\n")
	b.restart()
	if got := b.states(); got != "A staged, B staged, C staged, D staged, E staged" {
		t.Fatal(got)
	}
}

// A closed editing session can be taken back, where its text is intact, also in
// another process and after the user typed around it.
func TestRevertClosed(t *testing.T) {
	ctx := context.Background()
	b := newBench(t, map[string]string{"a.txt": numbered(20), "b.txt": numbered(5)}, editing.Auto)
	b.replace("a.txt", "line 5\n", "five\nand a half\n")
	b.replace("a.txt", "line 12\n", "twelve\n")
	b.replace("b.txt", "line 2\n", "two\n")
	b.call("memo_commit", args{"summary": "numbers"})
	b.write("a.txt", "above\n"+strings.Replace(b.file("a.txt"), "twelve", "twelve by the user", 1))
	b.restart()
	o := b.s.RevertClosed(ctx, 1)
	if o.Status != "reverted" || !strings.Contains(o.Hint, "B") {
		t.Fatalf("%s", o.JSON())
	}
	wantFile(t, b.file("a.txt"), "above\n"+strings.Replace(numbered(20), "line 12\n", "twelve by the user\n", 1))
	wantFile(t, b.file("b.txt"), numbered(5))
	if o := b.s.RevertClosed(ctx, 1); o.Code != "state" {
		t.Errorf("twice: %s", o.JSON())
	}
	b.run(`read b.txt`)
	wantIn(t, b.request(), "the user took #1 back")
}

// crash is what is on the disk at this moment, as another process finds it when this one is killed now.
func (b *bench) crash() *bench {
	b.t.Helper()
	c := *b
	c.home = b.t.TempDir()
	if err := os.CopyFS(c.home, os.DirFS(b.home)); err != nil {
		b.t.Fatal(err)
	}
	c.cfg.Home = c.home
	return &c
}

// A session that is killed in the middle of a batch of calls goes on with exactly one answer for each of them: those that
// came, and one fixed text for the others. What comes late changes nothing.
func TestKilledInABatch(t *testing.T) {
	const fixed = "(no result: this call was cut off before it was answered; it is not known whether it ran, nor what it changed)"
	calls := []memory.ToolCall{
		{ID: "c1", Name: "memo_read", Arguments: `{"path":"a.txt"}`},
		{ID: "c2", Name: "memory_notebook_replace", Arguments: `{"path":"a.txt","old_text":"line 3","new_text":"three"}`},
		{ID: "c3", Name: "run_command", Arguments: `{"command":"touch ran"}`},
		{ID: "c4", Name: "memo_preview", Arguments: `{}`},
	}
	for answered := range len(calls) + 1 {
		for _, began := range []bool{false, true} {
			t.Run(fmt.Sprintf("after %d, the next began %v", answered, began), func(t *testing.T) {
				b := newBench(t, map[string]string{"a.txt": numbered(10)}, editing.Ask)
				b.cfg.Commands = session.CommandsAllow
				b.restart()
				must(t, b.s.Prompt("go"))
				must(t, b.s.Reply(memory.Message{Role: "assistant", ToolCalls: calls}, memory.Usage{}))
				for _, c := range calls[:answered] {
					must(t, b.s.Answer(c, tools.Run(context.Background(), b.s.Session, c).JSON()))
				}
				if began && answered < len(calls) {
					tools.Run(context.Background(), b.s.Session, calls[answered]) // done, and not answered
				}
				killed := b.crash()
				killed.open(b.s.ID())
				must(t, killed.s.Answer(calls[3], "late"))
				must(t, killed.s.Prompt("go on"))
				killed.restart()
				wantAnswers(t, killed, calls, answered, fixed)
				if staged := answered > 1 || answered == 1 && began; staged != (killed.states() == "A staged") {
					t.Errorf("states %q", killed.states())
				}
			})
		}
	}
}

// wantAnswers checks that each call has one answer in the next request, in its order: real ones first, then the fixed one.
func wantAnswers(t *testing.T, b *bench, calls []memory.ToolCall, real int, fixed string) {
	t.Helper()
	req, _, err := b.s.Request()
	must(t, err)
	var got []string
	waiting := map[string]bool{}
	for _, m := range req.Messages {
		for _, c := range m.ToolCalls {
			waiting[c.ID] = true
		}
		if m.Role != memory.RoleTool {
			continue
		}
		if !waiting[m.ToolCallID] {
			t.Errorf("an answer to %q, which nobody waits for", m.ToolCallID)
		}
		delete(waiting, m.ToolCallID)
		got = append(got, m.Content)
	}
	if len(got) != len(calls) || len(waiting) != 0 {
		t.Fatalf("%d answers to %d calls, %v wait", len(got), len(calls), waiting)
	}
	for i, content := range got {
		if (content == fixed) != (i >= real) {
			t.Errorf("answer %d: %s", i, content)
		}
	}
	if last := req.Messages[len(req.Messages)-2]; last.Content != "go on" {
		t.Errorf("behind them stands %q", last.Content)
	}
}

// A command that runs when the process is killed is remembered as one of which nobody knows the end.
func TestKilledInACommand(t *testing.T) {
	b := newBench(t, map[string]string{"a.txt": numbered(100)}, editing.Auto)
	var killed *bench
	b.cfg.Commands = session.CommandsAllow
	b.cfg.Saw = func(session.Command) { killed = b.crash() }
	b.restart()
	b.call("memo_begin_task", args{"goal": "g"})
	b.call("memo_read", args{"path": "a.txt"})
	b.call("run_command", args{"command": "touch ran"})
	killed.cfg.Saw = nil
	killed.open(b.s.ID())
	must(t, killed.s.Prompt("go on"))
	wantIn(t, killed.request(), "it is not known whether it ran")
	killed.n = 100
	killed.replace("a.txt", "line 3\n", "three\n")
	if o := killed.call("memo_commit", args{"summary": "s"}); o.HistoryDelta.MessagesRemoved == 0 {
		t.Fatalf("%s", o.JSON())
	}
	killed.restart()
	wantIn(t, killed.request(), "- `touch ran`: it is not known whether it ran to its end")
	b.call("memo_commit", args{"summary": "s"})
	wantIn(t, b.request(), "- `touch ran`: exit 0; created ran")
}
