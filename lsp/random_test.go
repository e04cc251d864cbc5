package lsp

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
	"pgregory.net/rapid"
)

// Whatever the user types and decides, and however the editor behaves: at rest
// the server's text is the editor's, and every word of the user is there.
func TestRandomWork(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := dial(t, dialOptions{caps: applies, patience: 15 * time.Millisecond})
		defer func() {
			w.close()
			w.done <- nil
		}()
		p := newPad(w)
		p.open("a.txt", "one\ntwo\nthree\nfour\nfive\n", 0)
		words := map[string]bool{}
		for i := range rapid.IntRange(1, 25).Draw(rt, "steps") {
			w.step(rt, p, words, i)
		}
		p.manners("")
		w.rest(rt, p)
		for word := range words {
			if n := strings.Count(p.text("a.txt"), word); n != 1 {
				rt.Fatalf("%q stands %d times in %q", word, n, p.text("a.txt"))
			}
		}
	})
}

func (w *wire) step(rt *rapid.T, p *pad, words map[string]bool, i int) {
	letter := func() string { return rapid.SampledFrom([]string{"A", "B", "C", "D"}).Draw(rt, "letter") }
	switch rapid.IntRange(0, 7).Draw(rt, "op") {
	case 0, 1:
		word := fmt.Sprintf("<%d>", i)
		words[word] = true
		p.insert(rt, "a.txt", word)
	case 2:
		old := rapid.SampledFrom([]string{"one", "two", "three", "four", "five"}).Draw(rt, "old")
		w.host.stage("a.txt", old, rapid.SampledFrom([]string{"", old + "!", strings.ToUpper(old), "a\nb"}).Draw(rt, "new"))
	case 3:
		w.command(cmdApply, `"`+letter()+`"`)
	case 4:
		w.command(cmdReject, `"`+letter()+`"`)
	case 5:
		w.command(cmdCommit, ``)
	case 6:
		w.command(cmdResolve, `{"change":"`+letter()+`","take":"mine"}`)
	case 7:
		p.manners(rapid.SampledFrom([]string{"", "first", "refuse", "error", "lie"}).Draw(rt, "manner"))
	}
}

func (p *pad) manners(m string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.manner = m
}

// insert types a word at the start or the end of a line.
func (p *pad) insert(rt *rapid.T, name, word string) {
	p.mu.Lock()
	t := text.New(p.texts[name])
	line := rapid.IntRange(0, max(0, t.Lines()-1)).Draw(rt, "line")
	at := t.LineStart(line)
	if rapid.Bool().Draw(rt, "end") {
		at = t.LineEnd(line)
	}
	m := mapper{t: t, enc: utf8units}
	now, err := t.Apply(text.Edits{{Start: at, End: at, New: word}})
	if err != nil {
		rt.Fatal(err)
	}
	p.change(name, now.String(), string(own(m.span(at, at))), word)
	p.mu.Unlock()
	p.flush()
}

// rest waits until nothing is under way and compares.
func (w *wire) rest(rt *rapid.T, p *pad) {
	w.awaitState("rest", func(s *editing.Snapshot) bool {
		for _, c := range s.Changes() {
			if c.State == editing.Applying {
				return false
			}
		}
		d, _ := s.Document("/ws/a.txt")
		return d.Base.String() == p.text("a.txt")
	})
	if got := w.base("a.txt"); got != p.text("a.txt") {
		rt.Fatalf("the server has %q, the editor %q", got, p.text("a.txt"))
	}
}
