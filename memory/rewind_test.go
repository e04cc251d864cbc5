package memory

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// requestBytes is a request as bytes.
func requestBytes(t testing.TB, s *Store) string {
	t.Helper()
	req, _ := s.Request(RequestInput{System: "you are an agent", History: HistoryAlways})
	req.Messages = req.Messages[:len(req.Messages)-1] // the last block says how full it is, as counted now
	out, err := json.Marshal(req)
	ok(t, err)
	return string(out)
}

func lastSeq(s *Store) int64 {
	all := s.Entries()
	return all[len(all)-1].Seq
}

func TestRewindTakesTheConversationBack(t *testing.T) {
	for _, c := range []struct{ name, before, after, want string }{
		{"to the end of a turn", "U A{c1} Tc1 A", "U:more A{c2} Tc2 A", "U A{c1} Tc1 A"},
		{"to a prompt", "U A U:again", "A U:more A", "U A U:again"},
		{"within a reply: to before it", "U A{c1,c2} Tc1", "Tc2 A", "U"},
		{"to nothing", "", "U A", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPlace(t)
			s := p.create(t)
			play(t, s, c.before)
			to := lastSeq(s)
			play(t, s, c.after)
			r, err := s.Rewind(to)
			ok(t, err)
			if got := written(s.Messages()); got != c.want {
				t.Errorf("now it is %q, want %q", got, c.want)
			}
			if r.To > to || r.Messages == 0 || r.Reopened != 0 {
				t.Errorf("it tells %+v", r)
			}
			live := requestBytes(t, s)
			if s = p.reopen(t, s); requestBytes(t, s) != live {
				t.Error("opened again it is another request")
			}
			play(t, s, "U:instead A{c1} Tc1 A")
			if got, want := written(s.Messages()), or(c.want+" ", "")+"U:instead A{c1} Tc1 A"; got != want && got != want[1:] {
				t.Errorf("it goes on as %q, want %q", got, want)
			}
		})
	}
}

// R32: rewind to before a fold re-opens the originals.
func TestR32RewindReopensFolds(t *testing.T) {
	s := newStore(t)
	play(t, s, "U A{c1} Tc1 A{c2} Tc2 A{c3} Tc3 A{close} Tclose")
	whole, to := requestBytes(t, s), lastSeq(s)
	d, err := s.Fold(FoldEdit{Edit: 1, CloseCall: "close", Touched: []string{"c1"}, Block: "<editing_session>done</editing_session>"})
	ok(t, err)
	if d.MessagesRemoved == 0 {
		t.Fatal("nothing was folded")
	}
	play(t, s, "U:next A")
	r, err := s.Rewind(to)
	ok(t, err)
	if got := requestBytes(t, s); got != whole {
		t.Errorf("the originals are not there again:\n%s\nwant\n%s", got, whole)
	}
	if r.Messages != 2 || r.Reopened != d.MessagesRemoved {
		t.Errorf("it tells %+v of %+v", r, d)
	}
	to = lastSeq(s)
	play(t, s, "U:else A")
	if _, err := s.Rewind(to); err != nil || requestBytes(t, s) != whole {
		t.Errorf("a rewind to a rewind is another request: %v", err)
	}
}

func TestRewindToNoEntryChangesNothing(t *testing.T) {
	s := newStore(t)
	play(t, s, "U A")
	was, n := requestBytes(t, s), lastSeq(s)
	for _, to := range []int64{0, -1, n + 1} {
		if _, err := s.Rewind(to); err == nil {
			t.Errorf("rewinding to %d is no error", to)
		}
	}
	if requestBytes(t, s) != was || lastSeq(s) != n {
		t.Error("something changed")
	}
}

// Whatever was said and rewound, a rewind gives the request of then, live and replayed.
func TestRewindRandom(t *testing.T) {
	s := newStore(t)
	begin := lastSeq(s)
	rapid.Check(t, func(rt *rapid.T) {
		if _, err := s.Rewind(begin); err != nil {
			rt.Fatal(err)
		}
		then := map[int64]string{lastSeq(s): requestBytes(t, s)}
		for i := range rapid.IntRange(3, 7).Draw(rt, "steps") {
			switch rapid.IntRange(0, 4).Draw(rt, "step") {
			case 0, 1:
				play(t, s, fmt.Sprintf("U:%d A{c%d} Tc%d", i, i%3, i%3))
			case 2:
				play(t, s, "A")
			case 3:
				_, err := s.ArchiveResults(ReasonAsked, 0, 0)
				ok(t, err)
			default:
				to := rapid.SampledFrom(slices.Sorted(maps.Keys(then))).Draw(rt, "to")
				r, err := s.Rewind(to)
				ok(t, err)
				if got := requestBytes(t, s); r.To != to || got != then[to] {
					rt.Fatalf("rewound to %d (of %d):\n%s\nwant\n%s", r.To, to, got, then[to])
				}
			}
			then[lastSeq(s)] = requestBytes(t, s)
		}
		again := newConversation()
		for i := range s.entries {
			again.apply(s.entries, i)
		}
		if !reflect.DeepEqual(again.messages(), s.conv.messages()) {
			rt.Fatal("read again it is another conversation")
		}
	})
}

func TestSeenTellsWhatLeftTheRequests(t *testing.T) {
	s := newStore(t)
	long := ""
	for range 300 {
		long += "word_"
	}
	play(t, s, "U A{c1} Tc1:"+long+" A{c2} Tc2 A{c3} Tc3 U:next A{c4} Tc4:"+long+" A")
	_, err := s.Fold(FoldEdit{Edit: 1, Touched: []string{"c1", "c3"}, Block: "done"})
	ok(t, err)
	_, err = s.ArchiveResults(ReasonAsked, 0, 0)
	ok(t, err)
	to := lastSeq(s)
	play(t, s, "U:off A")
	_, err = s.Rewind(to)
	ok(t, err)
	got := map[string]int{}
	for _, how := range s.Seen() {
		got[how]++
	}
	for how, n := range map[string]int{"": 4, SeenFolded: 6, SeenArchived: 1, SeenRewound: 2} {
		if got[how] != n {
			t.Errorf("%d entries are %q, want %d: %v", got[how], how, n, got)
		}
	}
}

// What was spent was spent.
func TestRewindKeepsTheCost(t *testing.T) {
	p := newPlace(t)
	s := p.create(t)
	play(t, s, "U")
	to := lastSeq(s)
	s.Request(RequestInput{Price: Price{Input: 5}})
	ok(t, s.AddAssistant(Message{Content: "answer"}, Usage{Input: 1_000_000}))
	_, err := s.Rewind(to)
	ok(t, err)
	if c := s.Cost(); c.Session != 5 {
		t.Errorf("it has cost %v", c)
	}
	if c := p.reopen(t, s).Cost(); c.Session != 5 {
		t.Errorf("opened again it has cost %v", c)
	}
}
