package host

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing"
)

// save writes a file as an editor does.
func save(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (p *place) drafted(h *Host, letter string) string {
	p.t.Helper()
	path, r, err := h.Draft(context.Background(), editing.Letters(letter)[0])
	if err != nil || !r.OK() {
		p.t.Fatalf("edit %s: %+v, %v", letter, r, err)
	}
	return path
}

// What is saved in a draft is the next revision of its change, as often as it is saved.
func TestDraftIsSaved(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "one\ntwo\nthree\n"})
	h := p.open()
	p.ask(h, "a.txt: two → 2")
	path := p.drafted(h, "A")
	if b, err := os.ReadFile(path); err != nil || string(b) != "2\n" || !strings.HasSuffix(path, "/a.txt") {
		t.Fatalf("%s holds %q, %v", path, b, err)
	}
	if again := p.drafted(h, "A"); again != path {
		t.Errorf("it is opened again as %s", again)
	}
	for i, wrote := range []string{"zwei\n", "zwei\nund mehr\n"} {
		save(t, path, wrote)
		p.until(h, wrote, func(s *editing.Snapshot) bool {
			c, _ := s.Change("A")
			return c.Revision == i+2 && c.Yours
		})
	}
	if r, err := h.Apply(context.Background(), 0, editing.Letters("A")); err != nil || !r.OK() {
		t.Fatalf("%+v, %v", r, err)
	}
	if b, _ := os.ReadFile(p.path("a.txt")); string(b) != "one\nzwei\nund mehr\nthree\n" {
		t.Errorf("the file is %q", b)
	}
}

// What cannot be taken in is told, and stays where it was written.
func TestDraftIsNotTaken(t *testing.T) {
	for _, test := range []struct {
		name, wrote, why string
		meanwhile        func(p *place, h *Host)
	}{
		{"the agent amended it", "mine\n", "was amended since you saw it (now revision 2)", func(p *place, h *Host) { p.ask(h, "a.txt: 2 → TWO") }},
		{"it was decided", "mine\n", "it cannot be edited", func(_ *place, h *Host) { _, _ = h.Reject(context.Background(), editing.Disk, editing.Letters("A"), "") }},
		{"its edit is closed", "mine\n", "is not open any more", func(_ *place, h *Host) { _, _ = h.Revert(context.Background(), 0, "", 1, "no", false) }},
		{"it is as the file", "two\n", "would change nothing", func(*place, *Host) {}},
		{"it is no text", "a\x00b", "not a text file", func(*place, *Host) {}},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newPlace(t, map[string]string{"a.txt": "one\ntwo\nthree\n"})
			h := p.open()
			p.ask(h, "a.txt: two → 2")
			path := p.drafted(h, "A")
			test.meanwhile(p, h)
			save(t, path, test.wrote)
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			say, err := h.WaitDrafts(ctx)
			if all := strings.Join(say, "\n"); err != nil || !strings.Contains(all, test.why) || !strings.Contains(all, path) {
				t.Errorf("it is said %q, %v; want %q and the path", all, err, test.why)
			}
			if b, _ := os.ReadFile(path); string(b) != test.wrote {
				t.Errorf("the draft holds %q", b)
			}
		})
	}
}

// What is not there to be edited makes no file.
func TestDraftRefused(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "one\n"})
	h := p.open()
	p.ask(h, "a.txt: one → 1")
	for choice, why := range map[editing.Choice]string{{Letter: "Z"}: "there is no change Z", {Letter: "A", Revision: 4}: "was amended since"} {
		if path, r, err := h.Draft(context.Background(), choice); err != nil || r.OK() || path != "" || !strings.Contains(r.Hint, why) {
			t.Errorf("%v: %q, %+v, %v", choice, path, r, err)
		}
	}
}
