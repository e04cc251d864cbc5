package main_test

import (
	"fmt"
	"slices"
	"strings"
)

// pointFiles are the files of what is killed, each with one letter. Some are open in the editor, and in one of these the user has typed,
// and not saved.
var pointFiles = []pointFile{
	{letter: "A", name: "a.txt", open: true},
	{letter: "B", name: "b.txt", open: true},
	{letter: "C", name: "c.txt"},
	{letter: "D", name: "sub/d.txt"},
	{letter: "E", name: "e.txt"},
	{letter: "F", name: "hard.txt"},
	{letter: "G", name: "made/g.txt", op: created},
	{letter: "H", name: "h.txt", op: deleted},
	{letter: "I", name: "i.txt", op: renamed, to: "moved/deep/i.md"},
	{letter: "J", name: "j.txt", op: created, open: true},
	{letter: "K", name: "k.txt", op: deleted, open: true},
	{letter: "L", name: "l.txt", op: renamed, to: "there/l.md", open: true}, // where the editor can
}

type pointFile struct {
	letter, name string
	op           pointOp
	to           string // of a rename
	open         bool
}

type pointOp int

const (
	edited pointOp = iota
	created
	deleted
	renamed
)

func (f pointFile) old() string    { return "old " + f.letter + "." }
func (f pointFile) new() string    { return "new " + f.letter + "." }
func (f pointFile) before() string { return "head\nabove\n" + f.old() + "\nbelow\ntail\n" }

// prompt has the offline model stage the letter.
func (f pointFile) prompt() string {
	switch f.op {
	case created:
		return fmt.Sprintf("create %s with %q", f.name, f.new()+"\n")
	case deleted:
		return "delete " + f.name
	case renamed:
		return fmt.Sprintf("rename %s to %s", f.name, f.to)
	}
	return fmt.Sprintf("replace %q with %q in %s", f.old(), f.new(), f.name)
}

const unsaved = "typed by the user\n"

// in reports whether a letter is in the texts, which are those of the disk and over them the editor's.
func (f pointFile) in(texts map[string]string) (in, torn bool) {
	t, there := texts[f.name]
	u, moved := texts[f.to]
	switch f.op {
	case created:
		return t != "", t != "" && t != f.new()+"\n"
	case deleted:
		return !there, there && t != f.before()
	case renamed:
		return moved, there == moved || t+u != f.before()
	}
	n := strings.Count(t, f.new())
	return n == 1, n+strings.Count(t, f.old()) != 1 || strings.TrimPrefix(strings.Replace(t, f.new(), f.old(), 1), unsaved) != f.before()
}

// honest checks that what is said of the letters is what the texts hold.
func (d *seat) honest(deed pointDeed, texts, letters map[string]string) error {
	state, news := d.journal()
	said := fmt.Sprintf("#1 is %s, %v; heard %q", state, letters, news)
	closed, all, there := 0, 0, map[string]bool{}
	for _, f := range pointFiles {
		in, torn := f.in(texts)
		if torn {
			return fmt.Errorf("%s is torn: %q, %q; %s", f.name, texts[f.name], texts[f.to], said)
		}
		want := map[bool][]string{true: {"applied", "closed"}, false: {"staged", "rejected"}}[in]
		switch got, open := letters[f.letter]; {
		case open && !slices.Contains(want, got), !open && state == "committed" && !in, !open && state == "reverted" && in:
			return fmt.Errorf("%s is %q, its text is in: %v; %s", f.letter, got, in, said)
		case !open && state != "committed" && state != "reverted" && !in:
			return fmt.Errorf("%s is nowhere; %s", f.letter, said)
		}
		if there[f.letter] = in; d.keeps(f) {
			continue
		}
		if all++; in {
			closed++
		}
	}
	if deed.whole && closed != 0 && closed != all {
		return fmt.Errorf("of %d closed files %d are written; %s", all, closed, said)
	}
	return hears(state, news, there)
}

// hears checks what the agent is told: nothing that is not there, and nothing twice.
func hears(state string, news []string, in map[string]bool) error {
	committed, lost, last := 0, 0, map[string]string{}
	for i, n := range news {
		if strings.Contains(n, "committed #1") {
			committed++
		}
		if strings.Contains(n, "did not save") {
			lost++
		}
		if i > 0 && n == news[i-1] {
			return fmt.Errorf("told twice: %q in %q", n, news)
		}
		for l := range in {
			if strings.Contains(" "+strings.NewReplacer(",", " ", "(", " ", ")", " ").Replace(n), " "+l+" ") {
				last[l] = n
			}
		}
	}
	for l, there := range in {
		if there && last[l] == "" || !there && strings.HasSuffix(last[l], " applied") {
			return fmt.Errorf("%s is in its text: %v, and the agent hears %q", l, there, news)
		}
	}
	if committed > 1 || committed == 1 && state != "committed" && lost == 0 {
		return fmt.Errorf("#1 is %s, and the agent hears %q", state, news)
	}
	if lost > 1 {
		return fmt.Errorf("what was lost is told in pieces: %q", news)
	}
	return nil
}
