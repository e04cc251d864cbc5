package memory

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTrashKeepsASessionWhole(t *testing.T) {
	p := newPlace(t)
	s := p.create(t)
	play(t, s, "U A")
	if _, err := Trash(p.home, p.workspace, s.ID()); !errors.As(err, new(*LockedError)) {
		t.Fatalf("one that is open: %v", err)
	}
	ok(t, s.Close())
	to, err := Trash(p.home, p.workspace, s.ID())
	ok(t, err)
	if list, err := List(p.home, p.workspace); err != nil || len(list) != 0 {
		t.Errorf("it is still listed: %v %v", list, err)
	}
	if _, err := Open(p.home, p.workspace, s.ID()); !errors.Is(err, ErrNoSession) {
		t.Errorf("it can still be opened: %v", err)
	}
	// moved back it is there again
	ok(t, os.Rename(to, filepath.Join(filepath.Dir(filepath.Dir(to)), s.ID())))
	again, err := Open(p.home, p.workspace, s.ID())
	ok(t, err)
	t.Cleanup(func() { again.Close() })
	if written(again.Messages()) != "U A" {
		t.Error("it lost something")
	}
}

func TestTrashTakesNoOtherSession(t *testing.T) {
	p, other := newPlace(t), newPlace(t)
	s := p.create(t)
	ok(t, s.Close())
	for _, id := range []string{"", "..", "../" + s.ID(), "01ARZ3NDEKTSV4RRFFQ69G5FAV"} {
		if _, err := Trash(p.home, p.workspace, id); !errors.Is(err, ErrNoSession) {
			t.Errorf("%q: %v", id, err)
		}
	}
	if _, err := Trash(p.home, other.workspace, s.ID()); !errors.Is(err, ErrNoSession) {
		t.Errorf("another workspace's: %v", err)
	}
	writeFile(t, "{}\n", filepath.Dir(s.Dir()), "old.jsonl")
	if to, err := Trash(p.home, p.workspace, "old"); err != nil || filepath.Base(to) != "old.jsonl" {
		t.Errorf("an old single file: %s, %v", to, err)
	}
}

func TestFindBySessionNames(t *testing.T) {
	p := newPlace(t)
	if _, err := Find(p.home, p.workspace, ""); !errors.Is(err, ErrNoSession) {
		t.Errorf("in an empty workspace: %v", err)
	}
	first, last := p.create(t), p.create(t)
	play(t, last, "U")
	for _, c := range []struct{ name, want string }{
		{"", last.ID()},
		{Last, last.ID()},
		{first.ID(), first.ID()},
		{strings.ToLower(last.ID()), last.ID()},
		{"01", ""},
		{"zz", ""},
	} {
		got, err := Find(p.home, p.workspace, c.name)
		if got.ID != c.want || (c.want == "") != errors.Is(err, ErrNoSession) {
			t.Errorf("%q is %s, %v; want %s", c.name, got.ID, err, c.want)
		}
	}
}
