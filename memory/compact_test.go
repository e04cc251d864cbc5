package memory

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// bulkyTurns is a conversation of some turns, each with a call and a long result.
func bulkyTurns(t *testing.T, s *Store, turns int) {
	t.Helper()
	for i := range turns {
		play(t, s, bulky(fmt.Sprintf("U:prompt_%d A{c%d} Tc%d:bulk A:answer_%d", i, i, i, i)))
	}
}

func TestArchiveResults(t *testing.T) {
	p := newPlace(t)
	s := p.create(t)
	bulkyTurns(t, s, 6)
	play(t, s, "A{running,other} Trunning:short")
	before, _ := s.Request(RequestInput{})
	done, err := s.ArchiveResults(ReasonAsked, 2, 0)
	ok(t, err)
	after, _ := s.Request(RequestInput{})
	if done.Results != 4 || done.Saved < 1000 || len(before.Messages) != len(after.Messages) {
		t.Errorf("%+v, %d messages", done, len(after.Messages))
	}
	checkRules(t, after.Messages)
	archived := 0
	for i, m := range after.Messages[:len(after.Messages)-1] {
		if strings.HasPrefix(m.Content, "(archived: ") {
			archived++
		} else if m.Content != before.Messages[i].Content {
			t.Errorf("message %d is %q", i, m.Content)
		}
	}
	if archived != 4 {
		t.Errorf("%d are archived", archived)
	}
	if again, err := s.ArchiveResults(ReasonAsked, 2, 0); err != nil || !reflect.DeepEqual(again, Compacted{}) {
		t.Errorf("once more: %+v %v", again, err)
	}
	s = p.reopen(t, s)
	reopened, _ := s.Request(RequestInput{})
	sameMessages(t, after.Messages[:len(after.Messages)-2], reopened.Messages[:len(after.Messages)-2])
	if got := s.Query(JournalQuery{Text: "a line of a file", Types: Talk}); len(got) != 6 {
		t.Errorf("the journal has %d of them", len(got))
	}
}

// The largest go first, and no more than are needed.
func TestArchiveOnlyWhatIsNeeded(t *testing.T) {
	s := newStore(t)
	play(t, s, bulky("U A{a,b,c} Ta:bulk Tb:"+strings.Repeat("bulk", 3)+" Tc:bulk"))
	done, err := s.ArchiveResults(ReasonLastResort, 0, 100)
	ok(t, err)
	if got := s.Messages(); done.Results != 1 || !strings.HasPrefix(got[3].Content, "(archived: ") {
		t.Errorf("%+v: %s", done, written(got))
	}
}

// Case 1: whatever stays, units are whole; case 2: what runs is not touched.
func TestCase1R7UnitsStayWhole(t *testing.T) {
	for keep := range 7 {
		p := newPlace(t)
		s := p.create(t)
		bulkyTurns(t, s, 3)
		play(t, s, bulky("U:now A{c1,c2,c3,c4,c5,c6} Tc1:bulk Tc2:bulk Tc3:bulk Tc4:bulk Tc5:bulk Tc6:bulk A{compact,read} Tread:x"))
		l, leaves := s.Leaves(keep)
		if leaves != (keep < 4) {
			t.Fatalf("keep %d: %v", keep, leaves)
		}
		if !leaves {
			continue
		}
		done, err := s.Replace(l, ReasonAsked, Block{Text: "block"})
		ok(t, err)
		msgs := s.Messages()
		checkRules(t, msgs)
		got := written(msgs)
		if done.Saved == 0 || !strings.HasPrefix(got, "U:block ") || !strings.HasSuffix(got, "A{compact,read} T?compact Tread") {
			t.Errorf("keep %d: %+v %s", keep, done, got)
		}
		if n := strings.Count(got, "U:prompt"); n != max(0, keep-1) {
			t.Errorf("keep %d: %s", keep, got)
		}
		s = p.reopen(t, s)
		if again := written(s.Messages()); again != got {
			t.Errorf("reopened %s, was %s", again, got)
		}
	}
}

// What is gone already is not what was read before: nothing is replaced.
func TestReplaceOfWhatMoved(t *testing.T) {
	s := newStore(t)
	bulkyTurns(t, s, 4)
	l, _ := s.Leaves(1)
	if _, err := s.Replace(l, ReasonAsked, Block{Text: "block"}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Replace(l, ReasonAsked, Block{Text: "again"}); err != ErrMoved {
		t.Error(err)
	}
	if _, more := s.Leaves(1); more {
		t.Error("a block alone leaves once more")
	}
}

// Case 8: a text that is longer than what it stands for changes nothing, and the journal says so.
func TestCase8R23ReplaceMustGain(t *testing.T) {
	s := newStore(t)
	play(t, s, "U A U A U")
	was := written(s.Messages())
	l, _ := s.Leaves(1)
	done, err := s.Replace(l, ReasonAsked, Block{Text: strings.Repeat("much longer ", 50)})
	if err != nil || !reflect.DeepEqual(done, Compacted{}) || written(s.Messages()) != was {
		t.Errorf("%+v %v: %s", done, err, written(s.Messages()))
	}
	if got := s.Query(JournalQuery{Types: []string{TypeCompact}, Text: stateDiscarded}); len(got) != 1 {
		t.Errorf("%d entries say so", len(got))
	}
}

func TestInjectHistory(t *testing.T) {
	const notice = "earlier_messages_are_not_shown"
	turns := func(t *testing.T, mode string, write string) (p place, s *Store, in RequestInput) {
		p = newPlace(t)
		s = p.create(t)
		in = RequestInput{History: mode}
		for i := range 6 {
			play(t, s, fmt.Sprintf("U:p%d", i))
			if i == 4 && write != "" {
				overview := strings.Replace(readFile(t, s.Dir(), memoryDir, overviewFile), "## Known facts\n", "## Known facts\n"+write+"\n", 1)
				writeFile(t, overview, s.Dir(), memoryDir, overviewFile)
			}
			_, err := s.NoteView(in)
			ok(t, err)
			if i < 5 {
				play(t, s, "A")
			}
		}
		return p, s, in
	}
	for _, test := range []struct {
		mode, write string
		shown       []string
	}{
		{"", "", []string{"p0", "p1", "p2", "p3", "p4", "p5"}},
		{"auto", "- found by code" + codeMark, []string{"p0", "p1", "p2", "p3", "p4", "p5"}},
		{"auto", "<!-- a hint -->", []string{"p0", "p1", "p2", "p3", "p4", "p5"}},
		{"auto", "- the port is 8080", []string{"p2", "p3", "p4", "p5"}},
		{"always", "- the port is 8080", []string{"p0", "p1", "p2", "p3", "p4", "p5"}},
		{"never", "", []string{"p5"}},
		{"recent:2", "", []string{"p3", "p4", "p5"}},
		{"recent:20", "", []string{"p0", "p1", "p2", "p3", "p4", "p5"}},
	} {
		t.Run(test.mode+" "+test.write, func(t *testing.T) {
			p, s, _ := turns(t, test.mode, test.write)
			got := written(s.Messages())
			for i := range 6 {
				name := fmt.Sprintf("p%d", i)
				if want := strings.Contains(strings.Join(test.shown, " "), name); strings.Contains(got, "U:"+name) != want {
					t.Errorf("%s is shown: %v, in %s", name, !want, got)
				}
			}
			if hides := strings.Contains(got, notice); hides != (len(test.shown) < 6) {
				t.Errorf("says that it hides: %v, in %s", hides, got)
			}
			checkRules(t, s.Messages())
			s = p.reopen(t, s)
			if again := written(s.Messages()); again != got {
				t.Errorf("reopened: %s, was %s", again, got)
			}
		})
	}
	t.Run("emptied again", func(t *testing.T) {
		_, s, in := turns(t, "auto", "- the port is 8080")
		overview := strings.Replace(readFile(t, s.Dir(), memoryDir, overviewFile), "- the port is 8080\n", "", 1)
		writeFile(t, overview, s.Dir(), memoryDir, overviewFile)
		play(t, s, "A U:p6")
		_, err := s.NoteView(in)
		ok(t, err)
		if got := written(s.Messages()); !strings.Contains(got, "U:p2 ") || strings.Contains(got, "U:p1 ") {
			t.Errorf("the last ten messages come back: %s", got)
		}
	})
	t.Run("said anew", func(t *testing.T) {
		_, s, in := turns(t, "never", "")
		in.History = HistoryAlways
		play(t, s, "A U:p6")
		_, err := s.NoteView(in)
		ok(t, err)
		if got := written(s.Messages()); !strings.Contains(got, "U:p0 ") || strings.Contains(got, notice) {
			t.Error(got)
		}
	})
}

// The tail grows to one and a half of the window, and is cut to the window then; blocks of folded work stay, and the
// user's words when the running turn is cut.
func TestSlidingWindow(t *testing.T) {
	s := newStore(t)
	in := RequestInput{Messages: 10}
	most, least := 0, 100
	note := func() {
		t.Helper()
		_, err := s.NoteView(in)
		ok(t, err)
		msgs := s.Messages()
		checkRules(t, msgs)
		if n := len(msgs); n > 12 || strings.Contains(msgs[0].Content, "not shown") {
			most, least = max(most, n), min(least, n)
		}
	}
	for i := range 40 {
		play(t, s, fmt.Sprintf("U:p%d", i))
		note()
		play(t, s, "A")
	}
	if most > 16 || least > 11 {
		t.Errorf("%d to %d messages", least, most)
	}
	play(t, s, "U:the_order")
	for i := range 12 {
		play(t, s, fmt.Sprintf("A{x%d} Tx%d", i, i))
		note()
	}
	if first := s.Messages()[0].Content; !strings.Contains(first, "The user asked:\n> the order") {
		t.Errorf("the running turn is cut: %q", first)
	}
	play(t, s, bulky("U A{begin} Tbegin:bulk A{edit} Tedit:bulk A{commit} Tcommit"))
	if d, err := s.Fold(FoldEdit{BeginCall: "begin", CloseCall: "commit", Block: "the folded work", Threshold: 2}); err != nil || d.MessagesRemoved == 0 {
		t.Fatal(d, err)
	}
	for i := range 40 {
		play(t, s, fmt.Sprintf("U:p%d", i))
		note()
		play(t, s, "A")
	}
	if first := s.Messages()[0].Content; !strings.Contains(first, "the folded work") {
		t.Errorf("a block went: %q", first)
	}
}
