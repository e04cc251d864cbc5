package host

import (
	"fmt"
	"testing"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
)

// The rows of growth that are about sessions: a start opens those with letters that
// wait, and has to look at all.
func BenchmarkGrowth(b *testing.B) {
	for _, row := range []struct {
		name   string
		sizes  []int
		letter func(i int) bool // of which sessions a letter waits
	}{
		{"sessions-opened-at-a-start", []int{3, 9, 26}, func(int) bool { return true }},
		{"sessions-looked-at-at-a-start", []int{20, 100, 500}, func(i int) bool { return i == 0 }},
	} {
		for _, n := range row.sizes {
			b.Run(fmt.Sprintf("%s/%d", row.name, n), func(b *testing.B) {
				p := newPlace(b, map[string]string{"a.txt": ""})
				opened := p.sessions(n, row.letter)
				for b.Loop() {
					h := p.open()
					if got := len(h.all()); got != opened {
						b.Fatalf("%d sessions of %d are opened: %s", got, opened, p.warned())
					}
					if err := h.Close(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// sessions makes n sessions that are free, each with a file of its own, and answers
// of how many a letter waits.
func (p *place) sessions(n int, letter func(i int) bool) (waiting int) {
	p.t.Helper()
	cfg := p.config()
	cfg.Table = editing.New(0) // one for all, so that each gets a letter of its own
	for i := range n {
		name := fmt.Sprintf("f%d.txt", i)
		p.write(name, "one\ntwo\n")
		s, err := session.Open(cfg)
		if err != nil {
			p.t.Fatal(err)
		}
		defer func() { _ = s.Close() }()
		if err := s.Prompt("hello"); err != nil {
			p.t.Fatal(err)
		}
		if !letter(i) {
			continue
		}
		waiting++
		if e, err := replace(s, name, "one", "1"); err != nil || e.Status != editing.StatusEditing {
			p.t.Fatalf("%+v, %v", e, err)
		}
	}
	return waiting
}
