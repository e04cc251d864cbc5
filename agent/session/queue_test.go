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
	e, err := s.Edit(By{}, path, "stage", "", func(p Place) editing.Op {
		return editing.Replace(editing.Replacement{Meta: p.Meta, Path: p.Path, Old: old, New: now, Hints: p.Hints})
	})
	if err != nil || e.Status != editing.StatusEditing {
		t.Fatalf("stage %q: %+v, %v", old, e, err)
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
	d, err := s.Look("b.txt", true)
	if err != nil {
		t.Fatal(err)
	}
	searching, decided, answered := make(chan struct{}), make(chan struct{}), make(chan struct{})
	searches := 0
	op := editing.Replace(editing.Replacement{Meta: s.meta(""), Path: d.Path, Old: "three", New: "3"})
	var res editing.Result
	go func() {
		defer close(answered)
		res, err = s.stage(By{}, "stage", "", between(func() {
			if searches++; searches == 1 {
				close(searching)
				<-decided
			}
		}, op, func() {}), d.Document)
	}()
	came(t, "the search", searching)
	began := time.Now()
	decision, refused := s.Decide(Reject(editing.Letters("A"), "no"))
	took := time.Since(began)
	close(decided)
	came(t, "the answer", answered)
	if !decision.OK() || refused != nil || took > 50*time.Millisecond {
		t.Errorf("the decision took %v: %+v, %v", took, decision, refused)
	}
	if err != nil || res.Status != editing.StatusEditing || searches != 2 {
		t.Errorf("after %d searches: %+v, %v", searches, res, err)
	}
	if c, ok := s.Snapshot().Change("B"); !ok || c.Name != "b.txt" {
		t.Errorf("B is %+v", c)
	}
}

// A search whose text moves each time ends within the queue.
func TestSearchThatNeverCatchesUp(t *testing.T) {
	s := opened(t, map[string]string{"a.txt": "one\n"})
	d, _ := s.Look("a.txt", true)
	s.ws.OpenDocument(d.Path, d.Name, d.Base, 1, 1)
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
	res, err := s.stage(By{}, "stage", "", between(held, op, typing), d.Document)
	if err != nil || res.Status != editing.StatusEditing || fmt.Sprint(within) != "[false false false true]" {
		t.Errorf("%+v, %v; the searches were within the queue: %v", res, err, within)
	}
}

// Whatever only reads needs no place in the queue.
func TestReadsStandInNoQueue(t *testing.T) {
	s := opened(t, map[string]string{"a.txt": "one\ntwo\n", "b.txt": "three\n"})
	staged(t, s, "a.txt", "one", "1")
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, read := range map[string]func() error{
		"a file with letters": func() error { _, err := s.Look("a.txt", false); return err },
		"a file without":      func() error { _, err := s.Look("b.txt", false); return err },
		"of the memory":       func() error { _, _, err := s.Memory().Read(overview); return err },
		"the files again":     func() error { return s.Refresh(context.Background()) },
		"a name":              func() error { _, err := s.Named("a.txt"); return err },
		"a reading":           func() error { s.Saw(By{Call: "c"}, Reading{Named: "a.txt"}); return nil },
		"views": func() error {
			_ = s.PromptPage() + s.History() + s.Log(1) + s.TaskTree() + s.TaskStack() + s.Mask("x")
			_ = fmt.Sprint(s.Context(), s.Settings().MayRun(), s.CurrentEdit())
			return nil
		},
	} {
		done := make(chan struct{})
		go func() {
			defer close(done)
			if err := read(); err != nil {
				t.Errorf("%s: %v", name, err)
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
			d, err := s.Look(strings.TrimPrefix(c.ID, "call-"), false)
			if err != nil {
				t.Error(err)
				return
			}
			s.Saw(By{Call: c.ID}, Reading{Named: d.Name, Name: d.Name, Hash: d.Base.Hash().String()})
		})
	}
	wait.Wait()
	if path, err := s.Named(""); err == nil {
		t.Errorf("before its answer, %s was read", path)
	}
	for _, c := range calls {
		if err := s.Answer(c, "read"); err != nil {
			t.Fatal(err)
		}
		if path, _ := s.Named(""); "call-"+path != c.ID {
			t.Errorf("after %s the last file is %s", c.ID, path)
		}
	}
	if n := len(s.Snapshot().Documents()); n != 0 {
		t.Errorf("the table has %d documents", n)
	}
	left := 0
	s.saw.Range(func(any, any) bool { left++; return true })
	if n := len(s.read); n != len(files) || left != 0 {
		t.Errorf("%d readings noted, %d left", n, left)
	}
	staged(t, s, "a.txt", "one", "1")
	if res, err := s.Decide(Commit(1, "s", nil)); err != nil || res.Status != editing.StatusCommitted || len(s.Snapshot().Documents()) != 0 {
		t.Errorf("%+v, %v, with %d documents", res, err, len(s.Snapshot().Documents()))
	}
	if res, err := s.Decide(UndoClosed(1)); err != nil || res.Status != editing.StatusReverted {
		t.Errorf("a closed edit whose file the table does not know: %+v, %v", res, err)
	}
	if got, _ := os.ReadFile(filepath.Join(s.Workspace(), "a.txt")); string(got) != "one\n" {
		t.Errorf("taken back, the file reads %q", got)
	}
}
