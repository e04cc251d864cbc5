package editing

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/galley-ls/galley/editing/text"
)

// TestUndoneEditsLeaveNothingLong: whatever the user does to a text (lines deleted, copied, moved, joined, split, indented, pasted), once
// each of it is undone all letters are what they were, and so is the text that a commit makes: in an editor, by saves of a file, and
// from process to process.
func TestUndoneEditsLeaveNothingLong(t *testing.T) {
	if testing.Short() {
		t.Skip("make test plays it: one goroutine does it all")
	}
	rounds := 3
	if os.Getenv("GALLEY_LONG") != "" {
		rounds = 100
	}
	for range rounds { // of a hundred worlds each
		rapid.Check(t, func(rt *rapid.T) { newMeddler(t, rt).run() })
	}
}

// meddler is a user who edits a text with letters, and takes it all back.
type meddler struct {
	t    *testing.T
	rt   *rapid.T
	w    *Workspace
	open bool // an editor has the text
	log  []string
}

func newMeddler(t *testing.T, rt *rapid.T) *meddler {
	x := newTwins(t, rt)
	m := &meddler{t: t, rt: rt, open: rapid.Bool().Draw(rt, "open")}
	for range rapid.IntRange(0, 3).Draw(rt, "decisions") {
		if len(x.all[0].w.Snapshot().Changes()) > 0 {
			x.decide()
		}
	}
	m.w, m.log = x.all[2].w, x.steps
	if m.open {
		m.w = x.all[1].w
	}
	return m
}

func (m *meddler) text() string { return mustDoc(m.w.Snapshot()).Base.String() }

// outcome is what the letters are, what is proposed, and what a commit makes of the text, conflicts aside.
func (m *meddler) outcome() string {
	d := mustDoc(m.w.Snapshot())
	out := told(m.w) + fmt.Sprintf("\nproposed %q", d.Proposed("agent").String())
	for _, c := range m.w.Snapshot().Changes() {
		out += fmt.Sprintf("\n%s at %v", c.Letter, placesOf(c))
	}
	return out
}

func placesOf(c *Change) (out []text.Edit) {
	for _, h := range c.Hunks {
		out = append(out, h.edit())
	}
	return out
}

func (m *meddler) run() {
	if len(m.w.Snapshot().Changes()) == 0 {
		return
	}
	for range rapid.IntRange(0, 2).Draw(m.rt, "edits that stay") {
		m.becomes(m.edited())
	}
	want, was := m.outcome(), []string{m.text()}
	m.log = append(m.log, "from here on all is undone")
	for range rapid.IntRange(1, 5).Draw(m.rt, "edits") {
		m.becomes(m.edited())
		was = append(was, m.text())
	}
	for _, s := range slices.Backward(was[:len(was)-1]) {
		m.becomes(s)
	}
	if got := m.outcome(); got != want {
		m.rt.Fatalf("it was\n%s\nand all undone it is\n%s\nafter\n%s", want, got, strings.Join(m.log, "\n"))
	}
}

// becomes makes the text another one.
func (m *meddler) becomes(now string) {
	from := ways[3:]
	if m.open {
		from = slices.Concat(ways[:3], ways[5:])
	}
	way := rapid.SampledFrom(from).Draw(m.rt, "way")
	m.w = way.make(m.t, m.w, now)
	if m.open && !mustDoc(m.w.Snapshot()).Open() {
		m.w.OpenDocument(testPath, "f.txt", text.New(now), 0, 1)
	}
	m.log = append(m.log, fmt.Sprintf("%s: %q: %s", way.name, now, told(m.w)))
}

// edited is the text after one thing that users do.
func (m *meddler) edited() string {
	ls := split(m.text() + "\n")
	at := rapid.IntRange(0, len(ls)-1).Draw(m.rt, "line")
	to := min(len(ls), at+rapid.IntRange(1, 3).Draw(m.rt, "lines"))
	to2 := rapid.IntRange(0, len(ls)).Draw(m.rt, "to")
	some := slices.Clone(ls[at:to])
	line := strings.TrimSuffix(ls[at], "\n")
	half := rapid.IntRange(0, len(line)).Draw(m.rt, "half")
	switch what := rapid.SampledFrom([]string{"delete", "copy", "move", "join", "split", "indent", "unindent", "trim", "paste", "all"}).Draw(m.rt, "what"); what {
	case "delete":
		ls = slices.Delete(ls, at, to)
	case "copy":
		ls = slices.Insert(ls, to2, some...)
	case "move":
		ls = slices.Delete(ls, at, to)
		ls = slices.Insert(ls, min(to2, len(ls)), some...)
	case "join":
		ls[at] = line
	case "split":
		ls[at] = line[:half] + "\n" + line[half:] + "\n"
	case "indent":
		for i := at; i < to; i++ {
			ls[i] = "\t" + ls[i]
		}
	case "unindent":
		for i := at; i < to; i++ {
			ls[i] = strings.TrimLeft(ls[i], " \t")
		}
	case "trim":
		ls[at] = strings.TrimRight(line, " ") + "\n"
	case "paste":
		ls[at] = line[:half] + "pasted\nand pasted" + line[half:] + "\n"
	case "all":
		ls = []string{"\n"}
	}
	return strings.TrimSuffix(strings.Join(ls, ""), "\n")
}
