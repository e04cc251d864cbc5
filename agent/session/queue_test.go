package session

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/memory"
)

// patience is when something that does not come is called missing.
const patience = 10 * time.Second

// opened is a session in a workspace with some files.
func opened(t testing.TB, files map[string]string) *Session {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Open(Config{Home: t.TempDir(), Workspace: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func staged(t testing.TB, s *Session, path, old, now string) {
	t.Helper()
	if o := s.Replace(context.Background(), ReplaceArgs{Path: path, OldText: old, NewText: now}); o.Status != StatusEditing {
		t.Fatalf("stage %q: %s", old, o.JSON())
	}
}

// between runs functions before and after each search of an operation.
func between[T any](first func(), op func(T) editing.Result, then func()) func(T) editing.Result {
	return func(t T) editing.Result {
		first()
		defer then()
		return op(t)
	}
}

func came(t testing.TB, what string, done <-chan struct{}) {
	t.Helper()
	select {
	case <-done:
	case <-time.After(patience):
		t.Fatalf("%s does not come", what)
	}
}

// A decision waits for no search, however long that takes; the search is made again
// where the decision has moved what it rests on.
func TestDecisionBesideASearch(t *testing.T) {
	s := opened(t, map[string]string{"a.txt": "one\ntwo\n", "b.txt": "three\n"})
	staged(t, s, "a.txt", "one", "1")
	d, bad := s.look("b.txt", true)
	if bad != nil {
		t.Fatal(bad.Hint)
	}
	searching, decided, answered := make(chan struct{}), make(chan struct{}), make(chan struct{})
	searches := 0
	op := editing.Replace(editing.Replacement{Meta: s.meta(""), Path: d.Path, Old: "three", New: "3"})
	var res editing.Result
	var err error
	go func() {
		defer close(answered)
		res, err = s.stage("stage", "", between(func() {
			if searches++; searches == 1 {
				close(searching)
				<-decided
			}
		}, op, func() {}), d)
	}()
	came(t, "the search", searching)
	began := time.Now()
	o := s.Reject(context.Background(), editing.Letters("A"), "no")
	took := time.Since(began)
	close(decided)
	came(t, "the answer", answered)
	if o.Status != StatusOK || took > 50*time.Millisecond {
		t.Errorf("the decision took %v: %s", took, o.JSON())
	}
	if err != nil || res.Status != StatusEditing || searches != 2 {
		t.Errorf("after %d searches: %+v, %v", searches, res, err)
	}
	if c, ok := s.Snapshot().Change("B"); !ok || c.Name != "b.txt" {
		t.Errorf("B is %+v", c)
	}
}

// A search whose text moves each time ends within the queue.
func TestSearchThatNeverCatchesUp(t *testing.T) {
	s := opened(t, map[string]string{"a.txt": "one\n"})
	d, _ := s.look("a.txt", true)
	s.ws.OpenDocument(d.Path, d.Name, d.Base, 1, true)
	var within []bool
	held := func() {
		free := s.mu.TryLock()
		if free {
			s.mu.Unlock()
		}
		within = append(within, !free)
	}
	typing := func() {
		n := len(within)
		if n > searches {
			return
		}
		if _, err := s.ws.Update(d.Path, int32(n+1), []text.Edit{{Start: 4, End: 4, New: "x\n"}}); err != nil {
			t.Error(err)
		}
	}
	op := editing.Replace(editing.Replacement{Meta: s.meta(""), Path: d.Path, Old: "one", New: "1"})
	res, err := s.stage("stage", "", between(held, op, typing), d)
	if err != nil || res.Status != StatusEditing || fmt.Sprint(within) != "[false false false true]" {
		t.Errorf("%+v, %v; the searches were within the queue: %v", res, err, within)
	}
}

// Whatever only reads needs no place in the queue.
func TestReadsStandInNoQueue(t *testing.T) {
	s := opened(t, map[string]string{"a.txt": "one\ntwo\n", "b.txt": "three\n"})
	staged(t, s, "a.txt", "one", "1")
	ctx := context.Background()
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, read := range map[string]func() Outcome{
		"memo_read":   func() Outcome { return s.Read(ctx, ReadArgs{Path: "a.txt"}) },
		"read":        func() Outcome { return s.ReadFile(ctx, ReadFileArgs{Path: "b.txt"}) },
		"of memory":   func() Outcome { return s.Read(ctx, ReadArgs{Path: "working-memory/overview.md"}) },
		"list_files":  func() Outcome { return s.ListFiles(ctx, ListArgs{}) },
		"search_text": func() Outcome { return s.SearchText(ctx, SearchArgs{Pattern: "t"}) },
		"preview":     func() Outcome { return s.Preview(ctx, PreviewArgs{}) },
		"export":      func() Outcome { return s.ExportSession(ctx, ExportArgs{}) },
		"diff":        func() Outcome { return s.ExportDiff(ctx, ExportArgs{}) },
		"search": func() Outcome {
			d, _ := s.look("b.txt", true)
			return s.outcome(s.ws.Plan(editing.Replace(editing.Replacement{Path: d.Path, Old: "none", New: "x"}), d).Result)
		},
		"views": func() Outcome {
			_ = s.PromptPage() + s.History() + s.TaskTree() + fmt.Sprint(s.Context(), s.Commands())
			return Outcome{Status: StatusOK}
		},
	} {
		done := make(chan struct{})
		go func() {
			defer close(done)
			if o := read(); o.Status != StatusOK && o.Code != CodeNoMatch {
				t.Errorf("%s: %s", name, o.JSON())
			}
		}()
		came(t, name, done)
	}
}

// A file that was only read stays out of the table, and leaves behind what the
// answer said of it, in the order of the answers.
func TestReadingsAreNotedWithTheirAnswers(t *testing.T) {
	files := map[string]string{"a.txt": "one\n", "b.txt": "one\n"}
	for i := range 50 {
		files[fmt.Sprintf("f%d.txt", i)] = "text\n"
	}
	s := opened(t, files)
	var calls []memory.ToolCall
	for name := range files {
		calls = append(calls, memory.ToolCall{ID: "call-" + name, Name: "read", Arguments: "{}"})
	}
	if err := s.Reply(memory.Message{Role: memory.RoleAssistant, ToolCalls: calls}, memory.Usage{}); err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for _, c := range calls {
		wait.Go(func() {
			s.Saw(c.ID, s.ReadFile(context.Background(), ReadFileArgs{Path: strings.TrimPrefix(c.ID, "call-")}))
		})
	}
	wait.Wait()
	if path, bad := s.named(""); bad == nil {
		t.Errorf("before its answer, %s was read", path)
	}
	for _, c := range calls {
		if err := s.Result(c, "read"); err != nil {
			t.Fatal(err)
		}
		if path, _ := s.named(""); "call-"+path != c.ID {
			t.Errorf("after %s the last file is %s", c.ID, path)
		}
	}
	if n := len(s.Snapshot().Documents()); n != 0 {
		t.Errorf("the table has %d documents", n)
	}
	if n := len(s.read); n != len(files) || len(s.saw.byCall) != 0 {
		t.Errorf("%d readings noted, %d left", n, len(s.saw.byCall))
	}
	staged(t, s, "a.txt", "one", "1")
	if o := s.CommitEdit(context.Background(), 1, "s"); o.Status != StatusCommitted || len(s.Snapshot().Documents()) != 0 {
		t.Errorf("%s, with %d documents", o.JSON(), len(s.Snapshot().Documents()))
	}
	if o := s.RevertClosed(context.Background(), 1); o.Status != StatusReverted {
		t.Errorf("a closed edit whose file the table does not know: %s", o.JSON())
	}
	if got, _ := os.ReadFile(filepath.Join(s.Workspace(), "a.txt")); string(got) != "one\n" {
		t.Errorf("taken back, the file reads %q", got)
	}
}

// Four reads at once take little more than one would on a processor of its own:
// the aim is 2.2 times one on two processors.
func BenchmarkReadsSideBySide(b *testing.B) {
	s := opened(b, map[string]string{"a.txt": strings.Repeat("a line of the text that is read\n", 60_000)})
	for _, n := range []int{1, 4} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				var wait sync.WaitGroup
				for range n {
					wait.Go(func() { s.SearchText(context.Background(), SearchArgs{Pattern: "no such text"}) })
				}
				wait.Wait()
			}
			if n == 4 {
				b.ReportMetric(2.2, "aim-times-one")
			}
		})
	}
}
