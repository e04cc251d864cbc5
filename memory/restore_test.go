package memory

import (
	"slices"
	"strings"
	"testing"
)

// What leaves the requests comes back as it was, byte for byte, with one entry more in the
// journal, and the same again from there; R29: nothing was deleted.
func TestRestore(t *testing.T) {
	p := newPlace(t)
	s := p.create(t)
	play(t, s, bulky("U:one A{a} Ta:bulk A{b} Tb:bulk A U:two A{c} Tc:bulk A U:three A{d} Td:bulk A"))
	was := s.Messages()
	_, err := s.ArchiveResults(ReasonLastResort, 1, 0)
	ok(t, err)
	l, leaves := s.Leaves(1)
	if !leaves {
		t.Fatal("nothing leaves")
	}
	_, err = s.Replace(l, ReasonLastResort, Block{Text: "what was said before"})
	ok(t, err)
	if slices.Equal(textsOf(was), textsOf(s.Messages())) {
		t.Fatal("nothing left")
	}
	ids := Latest(s.Compactions(), s.Entries())
	if len(ids) != 2 {
		t.Fatalf("%d compactions are the latest: %+v", len(ids), s.Compactions())
	}
	if err := s.Restore(ids[1:]); err != nil { // the results come back below the block, which stands
		t.Error(err)
	}
	if err := s.Restore(ids); err == nil || !strings.Contains(err.Error(), "there is no compaction") {
		t.Errorf("taken back twice: %v", err)
	}
	entries := len(s.Entries())
	ok(t, s.Restore(ids[:1]))
	if n := len(s.Entries()) - entries; n != 1 {
		t.Errorf("%d entries", n)
	}
	sameMessages(t, was, s.Messages())
	sameMessages(t, was, p.reopen(t, s).Messages())
	if ids := Latest(s.Compactions(), s.Entries()); len(ids) != 0 {
		t.Errorf("%v could be taken back again", ids)
	}
}

// A compaction that a later one holds is taken back with that only.
func TestRestoreInOrder(t *testing.T) {
	s := newStore(t)
	play(t, s, bulky("U:one A{a} Ta:bulk A U:two A{c} Tc:bulk A U:three A{d} Td:bulk A"))
	for range 2 {
		turns := 3 - len(s.Compactions())
		l, _ := s.Leaves(turns - 1)
		_, err := s.Replace(l, ReasonAsked, Block{Text: "before"})
		ok(t, err)
		play(t, s, bulky("U:more A{e} Te:bulk A"))
	}
	all := s.Compactions()
	if err := s.Restore([]int64{all[0].ID}); err == nil || !strings.Contains(err.Error(), "take that back first") {
		t.Errorf("%v of %+v", err, all)
	}
	ok(t, s.Restore([]int64{all[1].ID, all[0].ID}))
	if text := strings.Join(textsOf(s.Messages()), "\n"); strings.Contains(text, "before") || !strings.Contains(text, "one") {
		t.Error(text)
	}
}

func textsOf(msgs []Message) []string {
	var out []string
	for _, m := range msgs {
		out = append(out, m.Content)
	}
	return out
}

// R32: a rewind to before a fold re-opens the original messages, whatever came later.
func TestR32BeforeAFold(t *testing.T) {
	p := newPlace(t)
	s := p.create(t)
	play(t, s, bulky("U A{begin} Tbegin A{read} Tread:bulk A{replace} Treplace:bulk A{commit}"))
	was := s.Messages()
	delta, err := s.Fold(FoldEdit{Edit: 1, BeginCall: "begin", CloseCall: "commit", Block: Element("editing_session", "b", "id", "sess-1")})
	if err != nil || delta.MessagesRemoved == 0 {
		t.Fatal(delta, err)
	}
	fold := s.Compactions()[0]
	if fold.Edit != 1 || !fold.Covers(s.Entries()[4].Seq) || fold.Covers(fold.ID) {
		t.Errorf("%+v", fold)
	}
	play(t, s, bulky("Tcommit A U:more A{x} Tx:bulk A"))
	ok(t, s.Amend(Element("editing_session", "taken back", "id", "sess-1")))
	_, err = s.ArchiveResults(ReasonAsked, 0, 0)
	ok(t, err)
	r, err := s.Rewind(fold.ID - 1)
	ok(t, err)
	was = was[:len(was)-2] // a rewind stops before a reply whose calls were not answered
	sameMessages(t, was, s.Messages())
	if r.Reopened == 0 || len(s.Compactions()) != 0 {
		t.Errorf("%+v; %+v", r, s.Compactions())
	}
	sameMessages(t, was, p.reopen(t, s).Messages())
}
