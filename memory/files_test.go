package memory

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

func TestMemoryFiles(t *testing.T) {
	s := newStore(t)
	if _, hash, err := s.ReadMemory("detail/notes.md"); !errors.Is(err, fs.ErrNotExist) || hash != "" {
		t.Fatalf("a file that is not there: %q, %v", hash, err)
	}
	one, err := s.WriteMemory("working-memory/detail/notes.md", "one\n", "")
	ok(t, err)
	content, hash, err := s.ReadMemory("detail/notes.md")
	if content != "one\n" || hash != one || err != nil {
		t.Fatalf("read back %q %v", content, err)
	}
	var stale *StaleError
	if _, err := s.WriteMemory("detail/notes.md", "two\n", ""); !errors.As(err, &stale) || stale.Present != "one\n" || stale.Hash != one {
		t.Fatalf("a write over what was not seen: %v", err)
	}
	two, err := s.WriteMemory("detail/notes.md", "two\n", one)
	ok(t, err)
	if _, err := s.WriteMemory("detail/notes.md", "three\n", one); !errors.As(err, &stale) || stale.Hash != two {
		t.Fatalf("a write over an older text: %v", err)
	}
	if _, err := s.WriteMemory("detail/gone.md", "x", two); !errors.As(err, &stale) || stale.Hash != "" {
		t.Fatalf("a write over a file that is gone: %v", err)
	}
	ok(t, os.MkdirAll(filepath.Join(s.Dir(), memoryDir, "deep"), 0o700))
	if _, err := s.WriteMemory("deep/er/x.md", "x", ""); err != nil {
		t.Errorf("folders are made: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(s.Dir(), memoryDir, ".*")); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestR35MemoryIsConfined(t *testing.T) {
	s := newStore(t)
	memory := filepath.Join(s.Dir(), memoryDir)
	outside := filepath.Join(t.TempDir(), "secret.md")
	writeFile(t, "secret", outside)
	ok(t, os.Symlink(outside, filepath.Join(memory, "link.md")))
	ok(t, os.Symlink(filepath.Dir(outside), filepath.Join(memory, "linked")))
	ok(t, os.Symlink("overview.md", filepath.Join(memory, "inside.md")))
	for _, path := range []string{
		"", ".", "/", "..", "../meta.json", "../messages.jsonl", "detail/../../meta.json", "working-memory/../meta.json",
		outside, "/etc/passwd", "link.md", "linked/secret.md", "linked/new.md", "inside.md", "detail", "detail/", `a\..\..\b`, "a\x00b",
		"working-memory/working-memory/../../meta.json",
	} {
		var confined *ConfinedError
		if _, _, err := s.ReadMemory(path); !errors.As(err, &confined) {
			t.Errorf("read %q: %v", path, err)
		}
		if _, err := s.WriteMemory(path, "x", ""); !errors.As(err, &confined) {
			t.Errorf("write %q: %v", path, err)
		}
	}
	if readFile(t, outside) != "secret" || strings.HasPrefix(readFile(t, s.Dir(), metaFile), "x") {
		t.Error("something outside was written")
	}
}

// TestR35TwoWritersOnTheOverview is case 17: whoever writes over a text that it has
// not seen is told, so that no line is lost, and the file is always whole.
func TestR35TwoWritersOnTheOverview(t *testing.T) {
	s := newStore(t)
	const lines = 15
	var writers sync.WaitGroup
	errs := make(chan error, 3)
	for w := range 2 {
		writers.Go(func() {
			for n := range lines {
				if err := addByHand(s, fmt.Sprintf("writer %d line %d", w, n)); err != nil {
					errs <- err
				}
			}
		})
	}
	writers.Go(func() {
		for n := range lines {
			if err := s.Event(Event{Type: EventDecision, Text: fmt.Sprintf("decision %d", n)}); err != nil {
				errs <- err
			}
		}
	})
	writers.Wait()
	close(errs)
	for err := range errs {
		t.Error(err)
	}
	text := readFile(t, s.Dir(), memoryDir, overviewFile)
	for n := range lines {
		for _, want := range []string{fmt.Sprintf("writer 0 line %d\n", n), fmt.Sprintf("writer 1 line %d\n", n), fmt.Sprintf("- decision %d <!-- galley -->\n", n)} {
			if strings.Count(text, want) != 1 {
				t.Errorf("%q stands there %d times", want, strings.Count(text, want))
			}
		}
	}
}

// childMemory adds to the overview by turns as a model, by an event, and for files that
// are there, and says what it has done.
func childMemory(home, workspace, id string, n int) error {
	s, err := Open(home, workspace, id)
	if err != nil {
		return err
	}
	for i := range n {
		if err := errors.Join(
			addByHand(s, fmt.Sprintf("model's %d", i)), s.Event(Event{Type: EventFact, Text: fmt.Sprint("event's ", i)}), s.Tend(true),
		); err != nil {
			return err
		}
		fmt.Println("ended", i)
	}
	return s.Close()
}

// TestR35KilledAtEveryWrite: a process that dies at any point of a write leaves the old
// text or the new one, and nothing that it said it had written is missing. Case 17.
func TestR35KilledAtEveryWrite(t *testing.T) {
	if testing.Short() {
		t.Skip("make test plays it: each point is a process, in which one goroutine does it all")
	}
	for at := 0; ; at++ {
		p := newPlace(t)
		s := p.create(t)
		id := s.ID()
		path := filepath.Join(s.Dir(), memoryDir, overviewFile)
		writeFile(t, "# A note\n", s.Dir(), memoryDir, detailDir, "note.md")
		ok(t, s.Close())
		c := p.child(t, id, 1, fmt.Sprint(at))
		died := c.Run()
		_, ended := said(t, c)
		text := readFile(t, path)
		if _, healed, err := s.inOrder(nil, text); err != nil || healed != "" || blank(text) || !strings.Contains(text, "## Detail index\n") {
			t.Fatalf("point %d: half a text\n%s", at, text)
		}
		for _, i := range ended {
			for _, want := range []string{"model's " + i + "\n", "- event's " + i + codeMark, "- detail/note.md — A note"} {
				if strings.Count(text, want) != 1 {
					t.Errorf("point %d: %q is not there once in\n%s", at, want, text)
				}
			}
		}
		again, err := Open(p.home, p.workspace, id)
		ok(t, err)
		ok(t, again.Event(Event{Type: EventFact, Text: "afterwards"}))
		if got := readFile(t, path); !strings.Contains(got, "- afterwards") {
			t.Errorf("point %d: afterwards\n%s", at, got)
		}
		ok(t, again.Close())
		if died == nil {
			if at < 15 {
				t.Errorf("only %d points", at)
			}
			return
		}
	}
}

// addByHand is how a careful writer adds a line: read, change, write, and again
// if the file was changed meanwhile.
func addByHand(s *Store, line string) error {
	for {
		text, hash, err := s.ReadMemory(overviewFile)
		if err != nil {
			return err
		}
		_, err = s.WriteMemory(overviewFile, text+line+"\n", hash)
		if stale := (*StaleError)(nil); !errors.As(err, &stale) {
			return err
		}
	}
}

// TestEventsDoNotMakeAWriteStale: the model wrote on the text it was shown;
// what code added to it since is added to what the model wrote.
func TestEventsDoNotMakeAWriteStale(t *testing.T) {
	s := newStore(t)
	shown, seen, err := s.ReadMemory(overviewFile)
	ok(t, err)
	ok(t, s.Event(Event{Type: EventTaskStarted, Task: 1, Text: "enable X"}))
	ok(t, s.Event(Event{Type: EventDecision, Text: "keep Y"}))
	hash, err := s.WriteMemory(overviewFile, strings.Replace(shown, "## Known facts\n", "## Known facts\n- a fact\n", 1), seen)
	ok(t, err)
	text, present, err := s.ReadMemory(overviewFile)
	ok(t, err)
	if hash != present {
		t.Error("the hash is not the file's")
	}
	for _, want := range []string{"- a fact\n", "- keep Y <!-- galley -->\n", "- started #1: enable X <!-- galley -->\n", "task: \"#1 enable X\"\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	// Somebody else's change is not an event's.
	writeFile(t, text+"by hand\n", s.Dir(), memoryDir, overviewFile)
	var stale *StaleError
	if _, err := s.WriteMemory(overviewFile, "mine", hash); !errors.As(err, &stale) || !strings.HasSuffix(stale.Present, "by hand\n") {
		t.Errorf("a write over a hand-written line: %v", err)
	}
}

func TestNothingIsWrittenReadOnly(t *testing.T) {
	p := newPlace(t)
	s := p.create(t)
	ok(t, s.Close())
	before := readFile(t, s.Dir(), memoryDir, overviewFile)
	reader, err := OpenReadOnly(p.home, p.workspace, s.ID())
	ok(t, err)
	_, seen, err := reader.ReadMemory(overviewFile)
	ok(t, err)
	if _, err := reader.WriteMemory(overviewFile, "x", seen); !errors.Is(err, ErrReadOnly) {
		t.Errorf("write: %v", err)
	}
	if err := reader.Event(Event{Type: EventFact, Text: "x"}); !errors.Is(err, ErrReadOnly) {
		t.Errorf("event: %v", err)
	}
	if _, err := reader.Fold(FoldEdit{Block: "x"}); !errors.Is(err, ErrReadOnly) {
		t.Errorf("fold: %v", err)
	}
	if readFile(t, s.Dir(), memoryDir, overviewFile) != before {
		t.Error("the overview was changed")
	}
}

func TestMemoryFilesListsWhatIsThere(t *testing.T) {
	s := newStore(t)
	dir := filepath.Join(s.Dir(), memoryDir)
	writeFile(t, "# Cache keys\nlong\n", dir, "detail", "b.md")
	writeFile(t, "\n\nA first line", dir, "detail", "a.md")
	ok(t, os.Mkdir(filepath.Join(dir, "archive", "deep"), 0o700))
	writeFile(t, "", dir, "archive", "deep", "c.md")
	writeFile(t, "x", dir, "detail", ".a.md.tmp")
	writeFile(t, "secret", s.Dir(), "outside.md")
	ok(t, os.Symlink(filepath.Join(s.Dir(), "outside.md"), filepath.Join(dir, "detail", "link.md")))
	ok(t, os.Symlink(s.Dir(), filepath.Join(dir, "archive", "up")))
	files, err := s.MemoryFiles()
	ok(t, err)
	var got []string
	for _, f := range files[1:] {
		got = append(got, fmt.Sprintf("%s %d %s", f.Path, f.Size, f.Title))
	}
	want := []string{"detail/a.md 14 A first line", "detail/b.md 18 Cache keys", "archive/deep/c.md 0 (empty)"}
	if files[0].Path != overviewFile || !slices.Equal(got, want) {
		t.Errorf("%s, %q; want %q", files[0].Path, got, want)
	}
	for _, name := range []string{"detail/link.md", "../outside.md", "detail/../../outside.md", "archive/up/outside.md", "", "detail/"} {
		if _, err := s.MemoryPath(name); err == nil {
			t.Errorf("%q has a path", name)
		}
	}
}
