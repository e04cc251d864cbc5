package editing

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/galley-ls/galley/editing/text"
)

// region is a region of a conflict as told says it.
var region = regexp.MustCompile(`\[[^]]*\]`)

// TestDeriveIsReplay: the live state is the state that another process makes of the
// records and the text, whatever was typed since they were written.
func TestDeriveIsReplay(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		const most = 12
		const known = contextLines // a record tells no more of a text: beyond it states are compared, not regions
		var lines []string
		for i := range rapid.IntRange(3, most).Draw(rt, "lines") {
			lines = append(lines, fmt.Sprintf("line number %d", i))
		}
		w := New(0)
		file := NewDocument(testPath, "f.txt", text.New(strings.Join(lines, "\n")+"\n"))
		for i := range rapid.IntRange(1, 4).Draw(rt, "letters") {
			if d, ok := w.Snapshot().Document(testPath); ok {
				file = d
			}
			p := file.Proposed("agent")
			if p.Lines() == 0 {
				break
			}
			at := rapid.IntRange(0, p.Lines()-1).Draw(rt, "line")
			old := p.Line(at) + "\n"
			now := rapid.SampledFrom([]string{"", fmt.Sprintf("agent %d\n", i), old + fmt.Sprintf("agent %d\n", i)}).Draw(rt, "new")
			w.Do(Replace(Replacement{Meta: Meta{Owner: "agent"}, Path: testPath, Old: old, New: now}), file)
		}
		for _, c := range w.Snapshot().Changes() {
			switch rapid.IntRange(0, 3).Draw(rt, "decision") {
			case 0:
				w.Do(Apply(Letters(c.Letter)))
			case 1:
				w.Do(Reject(Letters(c.Letter), ""))
			}
		}
		if len(w.Snapshot().Changes()) == 0 {
			return // each was amended into nothing
		}
		now := mustDoc(w.Snapshot()).Base.String()
		for i := range rapid.IntRange(1, 4).Draw(rt, "edits") {
			ls := strings.SplitAfter(now, "\n")
			ls = ls[:len(ls)-1]
			if len(ls) == 0 {
				break
			}
			at := rapid.IntRange(0, len(ls)-1).Draw(rt, "at")
			ls[at] = rapid.SampledFrom([]string{"", fmt.Sprintf("user %d\n", i), ls[at] + fmt.Sprintf("user %d\n", i), strings.TrimSuffix(ls[at], "\n") + "!\n"}).Draw(rt, "as")
			now = strings.Join(ls, "")
		}
		again := restored(t, w, now)
		w.OpenDocument(testPath, "f.txt", text.New(now), 0, false)
		live, derived := told(w), told(again)
		if len(lines) > known {
			live, derived = region.ReplaceAllString(live, ""), region.ReplaceAllString(derived, "")
		}
		if live != derived {
			rt.Fatalf("live %s, derived %s of %q", live, derived, now)
		}
		if len(lines) > known {
			return
		}
		var wait []string
		for _, c := range w.Snapshot().Changes() {
			if c.State.Undecided() {
				wait = append(wait, c.Letter)
			}
		}
		takeAll(t, w, wait...)
		takeAll(t, again, wait...)
		if a, b := mustDoc(w.Snapshot()).Base.String(), mustDoc(again.Snapshot()).Base.String(); a != b {
			rt.Fatalf("taken, live %q, derived %q of %q", a, b, now)
		}
	})
}
