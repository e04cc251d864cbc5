package memory

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// withFront is a session whose front matter says something worth keeping.
func withFront(t *testing.T) (place, *Store, string) {
	t.Helper()
	p := newPlace(t)
	s := p.create(t)
	path := filepath.Join(s.Dir(), memoryDir, overviewFile)
	writeFile(t, strings.Replace(readFile(t, path), `description: ""`, "description: a server", 1), path)
	ok(t, s.Tend(true))
	return p, s, path
}

// TestU62AWriteWithoutFrontMatterKeepsIt: a whole-file write is about the text.
func TestU62AWriteWithoutFrontMatterKeepsIt(t *testing.T) {
	_, s, path := withFront(t)
	_, seen, err := s.ReadMemory(overviewFile)
	ok(t, err)
	seen, err = s.WriteMemory(overviewFile, "## Key decisions\n- mine\n", seen)
	ok(t, err)
	if got := readFile(t, path); !strings.Contains(got, "description: a server\n") || !strings.HasSuffix(got, "---\n## Key decisions\n- mine\n") || hashOf(got) != seen {
		t.Errorf("written:\n%s", got)
	}
	if o := s.overview(0); len(o.warnings) != 0 {
		t.Errorf("warnings: %q", o.warnings)
	}
	ok(t, s.Event(Event{Type: EventDecision, Text: "code's"}))
	if got := readFile(t, path); !strings.HasSuffix(got, "- mine\n- code's <!-- galley -->\n") {
		t.Errorf("its upkeep has ended:\n%s", got)
	}
	writeFile(t, "only prose\n", path)
	ok(t, s.Tend(true))
	if got := readFile(t, path); !strings.Contains(got, "description: a server\n") || !strings.HasSuffix(got, "---\nonly prose\n") {
		t.Errorf("an editor took it out:\n%s", got)
	}
}

// TestU62BrokenFrontMatterIsHealed: the last good one comes back, what stood there is
// kept, it is said once, and no event is dropped, whoever broke it and whoever notices.
func TestU62BrokenFrontMatterIsHealed(t *testing.T) {
	const body = "\n## Key decisions\n- mine\n"
	for name, broken := range map[string]string{
		"no YAML":          "---\na: [\n---\n",
		"another kind":     "---\nversion: 1\nissues: none\n---\n",
		"no mapping":       "---\njust text\n---\n",
		"CRLF":             "---\r\na: [\r\n---\r\n",
		"behind a BOM":     "\ufeff---\na: [\n---\n",
		"not closed":       "---\na: [\n",
		"far too long":     "---\n" + strings.Repeat("a: 1 # x\n", 3000) + "---\n",
		"the library dies": "---\nissues:\n- 5: a key that the YAML library panics on\n---\n",
	} {
		for who, notice := range map[string]func(t *testing.T, p place, s *Store, path string) *Store{
			"editor, event": func(t *testing.T, _ place, s *Store, path string) *Store {
				writeFile(t, broken+body, path)
				return s
			},
			"editor, after a restart": func(t *testing.T, p place, s *Store, path string) *Store {
				writeFile(t, broken+body, path)
				return p.reopen(t, s)
			},
			"model": func(t *testing.T, _ place, s *Store, _ string) *Store {
				_, seen, err := s.ReadMemory(overviewFile)
				ok(t, err)
				_, err = s.WriteMemory(overviewFile, broken+body, seen)
				ok(t, err)
				return s
			},
		} {
			if who != "editor, event" && name != "no YAML" && name != "not closed" {
				continue
			}
			t.Run(name+", "+who, func(t *testing.T) {
				p, s, path := withFront(t)
				s = notice(t, p, s, path)
				ok(t, s.Event(Event{Type: EventTaskStarted, Task: 3, Text: "go on"}))
				ok(t, s.Event(Event{Type: EventDecision, Text: "code's"}))
				got := readFile(t, path)
				for _, want := range []string{"description: a server", `task: "#3 go on"`, "- mine\n- code's <!-- galley -->"} {
					if !strings.Contains(got, want) {
						t.Errorf("%q is missing in\n%s", want, got)
					}
				}
				kept, err := filepath.Glob(filepath.Join(s.Dir(), memoryDir, "archive", "front-matter-*.md"))
				if err != nil || len(kept) != 1 {
					t.Fatalf("kept: %v, %v", kept, err)
				}
				if was := readFile(t, kept[0]); !strings.Contains(broken, was) || was == "" {
					t.Errorf("kept: %q", was)
				}
				says := func() bool {
					req, meta := s.Request(RequestInput{})
					said := strings.Contains(req.Messages[len(req.Messages)-1].Content, "the last good one stands there again, and what stood there is in working-memory/archive/"+filepath.Base(kept[0]))
					if said != (len(meta.Warnings) == 1) {
						t.Errorf("warnings %q", meta.Warnings)
					}
					return said
				}
				if !says() {
					t.Error("nothing is said of it")
				}
				ok(t, s.AddAssistant(Message{Content: "Thanks."}, Usage{}))
				if says() {
					t.Error("it is said twice")
				}
			})
		}
	}
}

// TestEventsThatCannotBeWrittenAreOwed: where no text can take them in, they wait in the
// journal, over a restart too.
func TestEventsThatCannotBeWrittenAreOwed(t *testing.T) {
	const utf16 = "\xff\xfeh\x00i\x00"
	for name, spoil := range map[string]func(path string) error{
		"no text": func(path string) error { return os.WriteFile(path, []byte(utf16), 0o600) },
		"far too large": func(path string) error {
			return errors.Join(os.Remove(path), os.WriteFile(path, nil, 0o600), os.Truncate(path, maxMemoryFile+1))
		},
		"a directory": func(path string) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o700)) },
		"a link":      func(path string) error { return errors.Join(os.Remove(path), os.Symlink("/etc/hostname", path)) },
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			s := p.create(t)
			path := filepath.Join(s.Dir(), memoryDir, overviewFile)
			good := readFile(t, path)
			ok(t, spoil(path))
			ok(t, s.Event(Event{Type: EventDecision, Text: "one"}))
			s = p.reopen(t, s)
			ok(t, s.Event(Event{Type: EventDecision, Text: "two"}))
			if _, meta := s.Request(RequestInput{}); len(meta.Warnings) != 1 {
				t.Errorf("warnings %q", meta.Warnings)
			}
			if name == "no text" && readFile(t, path) != utf16 {
				t.Error("it was written")
			}
			ok(t, os.RemoveAll(path))
			writeFile(t, good, path)
			for range 2 {
				s = p.reopen(t, s)
				ok(t, s.Tend(true))
				if got := readFile(t, path); !strings.Contains(got, "-->\n- one <!-- galley -->\n- two <!-- galley -->\n") || strings.Count(got, "- one") != 1 {
					t.Errorf("afterwards:\n%s", got)
				}
				writeFile(t, strings.Replace(readFile(t, path), "- two", "- TWO", 1), path) // what is edited is not written again
				ok(t, s.Tend(true))
				writeFile(t, strings.Replace(readFile(t, path), "- TWO", "- two", 1), path)
			}
		})
	}
}

// TestOverviewsWithLists: lists in the place of maps with names are as good, and stay as they are.
func TestOverviewsWithLists(t *testing.T) {
	s := newStore(t)
	path := filepath.Join(s.Dir(), memoryDir, overviewFile)
	was := readFile(t, "testdata", "lists.md")
	writeFile(t, was, path)
	ok(t, s.Tend(true))
	if _, meta := s.Request(RequestInput{}); readFile(t, path) != was || len(meta.Warnings) != 0 {
		t.Errorf("warnings %q in\n%s", meta.Warnings, readFile(t, path))
	}
	ok(t, s.Event(Event{Type: EventFact, Text: "x"}))
	if want := strings.Replace(was, "look up again. -->\n", "look up again. -->\n- x <!-- galley -->\n", 1); readFile(t, path) != want {
		t.Errorf("with an event:\n%s", readFile(t, path))
	}
}

// TestU62TheIndexKnowsAllFiles: whoever makes, changes, renames or removes a file of
// detail/ or archive/, the index says so.
func TestU62TheIndexKnowsAllFiles(t *testing.T) {
	s := newStore(t)
	dir := filepath.Join(s.Dir(), memoryDir)
	index := func() string {
		ok(t, s.Tend(true))
		_, slot, _ := strings.Cut(readFile(t, dir, overviewFile), "## Detail index\n")
		_, lines, _ := strings.Cut(slot, "-->\n")
		return strings.ReplaceAll(lines, codeMark, "")
	}
	ok(t, os.MkdirAll(filepath.Join(dir, "detail", "deep"), 0o700))
	writeFile(t, "# The API\n", dir, "detail", "api.md")
	writeFile(t, "---\n---\n\n"+strings.Repeat("long ", 40), dir, "detail", "deep", "b --> c.md")
	writeFile(t, "\x00\x01", dir, "archive", "blob.bin")
	writeFile(t, "", dir, "archive", "empty.md")
	writeFile(t, "hidden", dir, "detail", ".swp")
	ok(t, os.Symlink("/etc/hostname", filepath.Join(dir, "detail", "link.md")))
	want := "- detail/api.md — The API\n- detail/deep/b -- > c.md — " + strings.TrimRight(string([]rune(strings.Repeat("long ", 40))[:79]), " ") + "…\n- archive/blob.bin — (no text)\n- archive/empty.md — (empty)\n"
	if got := index(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	ok(t, os.Rename(filepath.Join(dir, "detail", "api.md"), filepath.Join(dir, "archive", "api.md")))
	ok(t, os.RemoveAll(filepath.Join(dir, "detail", "deep")))
	writeFile(t, "no longer empty", dir, "archive", "empty.md")
	if got := index(); got != "- archive/api.md — The API\n- archive/blob.bin — (no text)\n- archive/empty.md — no longer empty\n" {
		t.Errorf("got\n%s", got)
	}
	writeFile(t, readFile(t, dir, overviewFile)+"- archive/api.md: mine, about endpoints\n", dir, overviewFile)
	if got := index(); got != "- archive/api.md: mine, about endpoints\n- archive/blob.bin — (no text)\n- archive/empty.md — no longer empty\n" {
		t.Errorf("beside the model's own line:\n%s", got)
	}
	for n := range 2 * mostDetail {
		writeFile(t, "x", dir, "detail", fmt.Sprintf("%03d.md", n))
		ok(t, os.Chtimes(filepath.Join(dir, "detail", fmt.Sprintf("%03d.md", n)), time.Time{}, time.Unix(int64(n)+1e9, 0)))
	}
	if got := index(); strings.Count(got, "- detail/") != mostDetail+1 || !strings.Contains(got, "- detail/079.md — x\n- detail/ — 40 older files are not listed\n") {
		t.Errorf("of many:\n%s", got)
	}
	ok(t, os.RemoveAll(filepath.Join(dir, "detail")))
	ok(t, os.RemoveAll(filepath.Join(dir, "archive")))
	if got := index(); got != "- archive/api.md: mine, about endpoints\n" {
		t.Errorf("of none:\n%s", got)
	}
	before := len(s.Entries())
	if index(); len(s.Entries()) != before {
		t.Error("nothing changed, and it is journaled")
	}
}

// TestR35WholeTexts: a program that empties the overview before it fills it is never
// read in between, and what it writes is not overwritten. Case 18.
func TestR35WholeTexts(t *testing.T) {
	s := newStore(t)
	path := filepath.Join(s.Dir(), memoryDir, overviewFile)
	front := "---\nversion: 1\n---\n"
	text := func(n int) string { return front + strings.Repeat(fmt.Sprintf("text %d\n", n), 400) }
	writeFile(t, text(0), path)
	ok(t, s.Tend(true))
	var user sync.WaitGroup
	stop := make(chan struct{})
	user.Go(func() {
		for n := 1; ; n++ {
			select {
			case <-stop:
				return
			default:
				_ = os.WriteFile(path, []byte(text(n)), 0o600)
			}
		}
	})
	for range 5 {
		o := s.overview(0)
		var n int
		_, err := fmt.Sscanf(strings.TrimPrefix(o.text, front), "text %d", &n)
		if err != nil || o.text != text(n) || len(o.warnings) != 0 {
			t.Errorf("half a text: %d bytes, %v, %q", len(o.text), err, o.warnings)
			break
		}
	}
	close(stop)
	user.Wait()
	writeFile(t, text(-1), path)
	if o := s.overview(0); o.text != text(-1) {
		t.Error("the last text is not the next request's")
	}
}

// TestProseStaysByteForByte: whatever stands around code's lines, a series of events,
// files and healings leaves it as it is.
func TestProseStaysByteForByte(t *testing.T) {
	s := newStore(t)
	root, _, err := s.memoryRoot(overviewFile)
	ok(t, err)
	defer root.Close()
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]string{
			"## Current task", "## Key decisions", "# Recent steps", "## Detail index", "```", "- mine", "prose é 漢", "  indented ", "<!-- a comment", "-->", "\ttab", "- detail/a.md mine", "---",
		})
		body := "prose\n" + strings.Join(rapid.SliceOfN(line, 1, 20).Draw(t, "body"), "\n") + "\nend\n"
		text := rapid.SampledFrom([]string{"", "---\nmood: good\n---\n", "---\na: [\n---\n"}).Draw(t, "front") + body
		now, _, err := s.inOrder(root, text)
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(1, 6).Draw(t, "events") {
			now = Event{
				Type: rapid.SampledFrom([]string{EventTaskStarted, EventTaskCompleted, EventDecision, EventFact, EventIssue, EventEditClosed, EventCompacted, eventIndexed}).Draw(t, "type"),
				Text: "t", Path: "archive/x.md", Next: []Next{{3, "later"}}, State: "committed", Decisions: []string{"d"},
				Index: rapid.SliceOfN(rapid.SampledFrom([]string{"detail/a.md — a", "detail/b.md — b", "archive/c.md — c"}), 0, 3).Draw(t, "index"),
			}.apply(now, time.Unix(0, 0))
		}
		_, got, err := splitFront(now)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := prose(got), prose(body); !strings.HasPrefix(got, want) {
			t.Fatalf("before\n%s\nafter\n%s", text, now)
		}
	})
}

func TestNextActions(t *testing.T) {
	s := newStore(t)
	path := filepath.Join(s.Dir(), memoryDir, overviewFile)
	writeFile(t, strings.Replace(readFile(t, path), "next_actions: []\n", "next_actions:\n  - call the user\n  - 5\n", 1), path)
	ok(t, s.Event(Event{Type: EventTaskStarted, Task: 1, Text: "a", Next: []Next{{2, "b: c"}, {3, "d"}}}))
	if got := readFile(t, path); !strings.Contains(got, "next_actions:\n  - call the user\n  - 5\n  - \"#2 b: c\"\n  - \"#3 d\"\n") {
		t.Errorf("started:\n%s", got)
	}
	ok(t, s.Event(Event{Type: EventTaskStarted, Task: 2, Text: "b: c", Next: []Next{{3, "d"}}}))
	ok(t, s.Event(Event{Type: EventTaskCompleted, Task: 2, Text: "b: c"}))
	if got := readFile(t, path); !strings.Contains(got, "next_actions:\n  - call the user\n  - 5\nissues") {
		t.Errorf("completed:\n%s", got)
	}
}
