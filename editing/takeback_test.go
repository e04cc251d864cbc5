package editing

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/galley-ls/galley/editing/text"
)

// decided says of letters of #1 what was decided of them.
func (g *grove) decided(letters []string) (out []Taken) {
	for _, c := range g.w.Snapshot().Of("agent", 1) {
		if !slices.Contains(letters, c.Letter) {
			continue
		}
		k := Taken{Order: c.Order, To: c.State}
		if c.State == Closed && !c.Was.Undecided() {
			k.To = c.Was
		}
		out = append(out, k)
	}
	return out
}

// Each row is a decision that is taken back: what the letters are then, what is on the
// disk, and what is said. A row holds all the same where galley is started anew after each
// step.
func TestTakeBack(t *testing.T) {
	const files = "a 1,2,3,4,5"
	for _, c := range []struct{ steps, states, disk, says string }{
		// of an open editing session
		{"edit a 1 x; apply A; back A", "A staged", "a=1,2,3,4,5", ""},
		{"edit a 1 x; edit a 4 y; apply A B; back A", "A staged, B applied", "a=1,2,3,y,5", ""},
		{"edit a 1 x; edit a 4 y; apply A B; back A B; apply B", "A staged, B applied", "a=1,2,3,y,5", ""},
		{"edit a 1 x; apply A; user a mine,2,3,4,5; !back A", "A applied", "a=mine,2,3,4,5", "the user has changed the text of A since; it stays; nothing was taken back"},
		{"edit a 1 x; edit a 4 y; apply A B; user a x,2,3,mine,5; back A B", "A staged, B applied", "a=1,2,3,mine,5", "the user has changed the text of B since; it stays"},
		{"edit a 1 x; apply A; user a 1,2,3,4,5; !back A", "A staged", "a=1,2,3,4,5", "nothing of it stands any more"},
		{"edit a 1 x; reject A; back A", "A staged", "a=1,2,3,4,5", ""},
		{"edit a 1 x; reject A; user a mine,2,3,4,5; back A", "A conflict", "a=mine,2,3,4,5", ""},
		{"edit a 1 x; reject A; edit a 1 x; !back A", "A rejected, B staged", "a=1,2,3,4,5", "change B stands where a change of a would come back; decide B first"},
		{"edit a 1 x; user a mine,2,3,4,5; take A; back A", "A conflict", "a=mine,2,3,4,5", ""},
		{"edit a 1 x; user a mine,2,3,4,5; reject A; back A", "A conflict", "a=mine,2,3,4,5", ""},

		// a commit
		{"edit a 1 x; edit a 4 y; commit; back A B", "A staged, B staged", "a=1,2,3,4,5", ""},
		{"edit a 1 x; edit a 4 y; commit; back A B; commit", "", "a=x,2,3,y,5", ""},
		{"edit a 1 x; edit a 4 y; commit; back A; commit", "", "a=x,2,3,y,5", ""},
		{"edit a 1 x; edit a 4 y; commit; back A B; revert", "", "a=1,2,3,4,5", ""},
		{"edit a 1 x; edit a 4 y; commit; back B", "A applied, B staged", "a=x,2,3,4,5", ""},
		{"edit a 1 x; edit a 4 y; commit; user a x,2,3,mine,5; back A B", "A staged, B applied", "a=1,2,3,mine,5", "the user has changed the text of B since; it stays"},
		{"edit a 1 x; edit a 4 y; commit; user a mine,mine,mine; !back A B", "", "a=mine,mine,mine", "the user has changed the text of"},
		{"edit a 1 x; edit a 4 y; commit; user a new,1,2,3,y,5; back A B", "A staged, B staged", "a=new,1,2,3,4,5", ""},
		{"edit a 1 x; edit a 4 y; commit; user a 2,3,y,5,x; back B", "A applied, B staged", "a=2,3,4,5,x", ""},
		{"edit a 1 x; commit; user a 1,2,3,4,5; !back A", "", "a=1,2,3,4,5", "nothing of it stands any more"},
		{"edit a 1 x; edit a 4 y; commit; user a 1,2,3,y,5; back A B", "A staged, B staged", "a=1,2,3,4,5", ""},
		{"edit a 1 x; edit a 4 y; commit; user a 1,2,3,mine,5; !back A B", "", "a=1,2,3,mine,5", "the user has changed the text of B since; it stays; nothing was taken back"},
		{"edit a 1 x; commit; rm a; !back A", "", "", "the user has changed the text of A since"},
		{"edit a 1 x; edit a 4 y; apply A; commit; back B; back A", "A staged, B staged", "a=1,2,3,4,5", ""},
		{"edit a 1 x; edit a 4 y; reject A; commit; back B", "A rejected, B staged", "a=1,2,3,4,5", ""},
		{"edit a 1 x; edit a 4 y; reject A; commit; back A", "A staged, B applied", "a=1,2,3,y,5", ""},
		{"edit a 1 x; commit; edit a 4 y; back A", "A staged, B staged", "a=1,2,3,4,5", ""},
		{"edit a 1 x; commit; edit a x 1; back A", "A applied by you, B staged", "a=1,2,3,4,5", ""},

		// one letter over another
		{"edit a 1 x,y; apply A; edit a x,y x,z; apply B; commit; back B; back A", "A staged, B conflict", "a=1,2,3,4,5", ""},

		// a revert
		{"edit a 1 x; edit a 4 y; revert; back A B", "A staged, B staged", "a=1,2,3,4,5", ""},
		{"edit a 1 x; edit a 4 y; revert; back A B; commit", "", "a=x,2,3,y,5", ""},
		{"edit a 1 x; edit a 4 y; apply A; revert; back B", "A applied, B staged", "a=x,2,3,4,5", ""},
		{"edit a 1 x; edit a 4 y; revert; user a new,1,2,3,mine,5; back A B", "A staged, B conflict", "a=new,1,2,3,mine,5", ""},
		{"edit a 1 x; revert; user a x,2,3,4,5; back A", "A applied by you", "a=x,2,3,4,5", ""},
		{"edit a 1 x; user a mine,2,3,4,5; revert; back A", "A conflict", "a=mine,2,3,4,5", ""},
		{"edit a 1 x; user a mine,2,3,4,5; revert; user a 1,2,3,4,5; back A", "A staged", "a=1,2,3,4,5", ""},
		{"edit a 1 x; revert; edit a 1 x; !back A", "A staged", "a=1,2,3,4,5", "change A stands where a change of a would come back; decide A first"},
		{"edit a 1 x; revert; rm a; back A", "A conflict", "", ""},

		// whole files
		{"write d/n x; commit; back A", "A staged", "a=1,2,3,4,5", ""},
		{"write n x; commit; back A; commit", "", "a=1,2,3,4,5 n=x", ""},
		{"write n x; commit; user n y; !back A", "", "a=1,2,3,4,5 n=y", "the user has changed the text of A since"},
		{"delete a; commit; back A", "A staged", "a=1,2,3,4,5", ""},
		{"delete a; commit; back A; commit", "", "", ""},
		{"delete a; commit; user a mine; !back A", "", "a=mine", "the user has changed the text of A since"},
		{"rename a b; commit; back A", "A staged", "a=1,2,3,4,5", ""},
		{"rename a b; commit; back A; commit", "", "b=1,2,3,4,5", ""},
		{"edit a 1 x; rename a b; commit; back A B", "A staged, B staged", "a=1,2,3,4,5", ""},
		{"edit a 1 x; rename a b; commit; back B", "A applied, B staged", "a=x,2,3,4,5", ""},
		{"edit a 1 x; rename a b; commit; back A B; commit", "", "b=x,2,3,4,5", ""},
		{"write n x; revert; back A", "A staged", "a=1,2,3,4,5", ""},
		{"write n x; revert; user n y; back A", "A conflict", "a=1,2,3,4,5 n=y", ""},
		{"delete a; revert; back A; apply A", "A applied", "", ""},
		{"rename a b; revert; back A; apply A", "A applied", "b=1,2,3,4,5", ""},
		{"write n x; reject A; back A; apply A", "A applied", "a=1,2,3,4,5 n=x", ""},
	} {
		t.Run(c.steps, func(t *testing.T) {
			for _, anew := range []bool{false, true} {
				name, body, _ := strings.Cut(files, " ")
				g := newGrove(t, name, strings.ReplaceAll(body, ",", "\n")+"\n")
				g.play(c.steps, func() {
					if was := g.states(); anew {
						g.restart()
						if now := g.states(); now != was {
							t.Fatalf("was %s, after a restart %s", was, now)
						}
					}
				})
				if got := g.states(); got != c.states {
					t.Errorf("anew %v: letters %q, want %q (%s)", anew, got, c.states, g.said)
				}
				if got := tree(g.files); got != c.disk {
					t.Errorf("anew %v: disk %q, want %q (%s)", anew, got, c.disk, g.said)
				}
				if !strings.Contains(g.said, c.says) || c.says == "" && g.said != "" {
					t.Errorf("anew %v: it is said %q, want %q", anew, g.said, c.says)
				}
			}
		})
	}
}

// A letter that another change bears by now becomes a free one; without a free one nothing
// happens.
func TestTakeBackUnderAnotherLetter(t *testing.T) {
	var lines strings.Builder
	for n := range 27 {
		fmt.Fprintf(&lines, "w%02d\n", n)
	}
	g := newGrove(t, "a", lines.String())
	g.play("edit a w00 x", func() {})
	kept := g.decided([]string{"A"})
	kept[0].To = Applied
	g.play("commit", func() {})
	for n := range 26 { // all letters are of #2
		g.play(fmt.Sprintf("edit a w%02d x", n+1), func() {})
	}
	if r := g.do(TakeBack("agent", 1, kept)); r.Code != "letters_full" || !strings.Contains(r.Hint, "not letters enough for the 1 that would wait") {
		t.Fatalf("with 26 letters: %+v", r)
	}
	g.play("reject C", func() {})
	r := g.do(TakeBack("agent", 1, kept))
	if want := []Renamed{{"a", "A", "C"}}; !r.OK() || !slices.Equal(r.Renamed, want) || !slices.Equal(r.Touched, []string{"C"}) {
		t.Fatalf("with 25 letters: %+v", r)
	}
	was := g.states()
	g.restart()
	if now := g.states(); now != was || !strings.Contains(now, "C staged") || strings.Contains(now, "rejected") {
		t.Errorf("was %s, now %s", was, now)
	}
}

// What an editor has open it takes out itself: until then the letter is applied.
func TestTakeBackFromAnOpenDocument(t *testing.T) {
	for _, decided := range []string{"apply A", "commit"} {
		g := newGrove(t, "a", "1\n2\n")
		g.play("edit a 1 x; "+decided, func() {})
		taken := g.decided([]string{"A"})
		g.w.OpenDocument(at("a"), "a", text.New("x\n2\n"), 1, 1)
		if r := g.do(TakeBack("agent", 1, taken)); !r.OK() || !slices.Equal(r.Touched, []string{"A"}) || g.files["a"] != "x\n2\n" {
			t.Fatalf("%s: %+v; the disk has %q", decided, r, g.files["a"])
		}
		g.want("A applied")
		es := g.w.Snapshot().Undoing("A")
		if len(es) != 1 {
			t.Fatalf("%s: the editor is asked for %+v", decided, es)
		}
		if _, err := g.w.Update(at("a"), 2, es[0].Edits); err != nil {
			t.Fatal(err)
		}
		g.want("A staged")
	}
}
