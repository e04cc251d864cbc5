package editing

import (
	"errors"
	"fmt"
	"testing"

	"github.com/galley-ls/galley/editing/text"
)

// Whatever several editors do with one document, its text is the keeper's.
func TestKeepers(t *testing.T) {
	type step struct {
		do   string // of an editor or the disk: open, type, close, offer, adopt, decline, doubt, read, lose
		by   Keeper
		text string
		want string // keeper, those beside, heirs, doubt, text
	}
	const f = "/w/f.txt"
	for name, steps := range map[string][]step{
		"the first keeps, the second is beside": {
			{"open", 1, "a\n", `1 [] [] "" "a\n"`},
			{"open", 2, "b\n", `1 [2] [] "" "a\n"`},
			{"open", 2, "b\n", `1 [2] [] "" "a\n"`},
			{"type", 2, "c\n", `1 [2] [] "" "a\n"`},
			{"type", 1, "A\n", `1 [2] [] "" "A\n"`},
			{"open", 1, "a\n", `1 [2] [] "" "a\n"`},
			{"read", Disk, "of the disk\n", `1 [2] [] "" "a\n"`},
			{"doubt", 2, "lost", `1 [2] [] "" "a\n"`},
			{"doubt", 1, "lost", `1 [2] [] "lost" "a\n"`},
			{"open", 1, "b\n", `1 [2] [] "" "b\n"`},
			{"close", 2, "", `1 [] [] "" "b\n"`},
			{"close", 1, "", "nobody"},
		},
		"the one with the same text takes over": {
			{"open", 1, "a\n", `1 [] [] "" "a\n"`},
			{"open", 2, "b\n", `1 [2] [] "" "a\n"`},
			{"open", 3, "a\n", `1 [2 3] [] "" "a\n"`},
			{"adopt", 3, "a\n", `1 [2 3] [] "" "a\n"`}, // there is a keeper
			{"close", 1, "", `0 [2 3] [2 3 0] "" "a\n"`},
			{"adopt", 2, "b\n", `0 [2 3] [2 3 0] "" "a\n"`},
			{"adopt", 4, "a\n", `0 [2 3] [2 3 0] "" "a\n"`}, // it has not the document
			{"decline", 2, "", `0 [2 3] [3 0] "" "a\n"`},
			{"adopt", 3, "a\n", `3 [2] [] "" "a\n"`},
			{"type", 3, "c\n", `3 [2] [] "" "c\n"`},
		},
		"else the disk is read, and asked for once more": {
			{"open", 1, "a\n", `1 [] [] "" "a\n"`},
			{"open", 2, "b\n", `1 [2] [] "" "a\n"`},
			{"close", 1, "", `0 [2] [2 0] "" "a\n"`},
			{"decline", 2, "", `0 [2] [0] "" "a\n"`},
			{"read", Disk, "b\n", `0 [2] [] "" "b\n"`},
			{"adopt", 2, "b\n", `2 [] [] "" "b\n"`},
		},
		"one that does not answer is the last to be asked": {
			{"open", 1, "a\n", `1 [] [] "" "a\n"`},
			{"offer", 1, "", `1 [] [] "" "a\n"`}, // to nobody
			{"open", 2, "a\n", `1 [2] [] "" "a\n"`},
			{"open", 3, "b\n", `1 [2 3] [] "" "a\n"`},
			{"offer", 2, "", `1 [2 3] [] "" "a\n"`}, // it keeps nothing
			{"offer", 1, "", `0 [2 3 1] [2 3 1 0] "" "a\n"`},
			{"adopt", 2, "a\n", `2 [3 1] [] "" "a\n"`},
			{"offer", 2, "", `0 [3 1 2] [3 1 2 0] "" "a\n"`},
			{"decline", 3, "", `0 [3 1 2] [1 2 0] "" "a\n"`},
			{"close", 1, "", `0 [3 2] [2 0] "" "a\n"`},
			{"adopt", 2, "a\n", `2 [3] [] "" "a\n"`},
		},
		"an heir goes, the file is gone": {
			{"open", 1, "a\n", `1 [] [] "" "a\n"`},
			{"open", 2, "b\n", `1 [2] [] "" "a\n"`},
			{"open", 3, "b\n", `1 [2 3] [] "" "a\n"`},
			{"close", 1, "", `0 [2 3] [2 3 0] "" "a\n"`},
			{"close", 2, "", `0 [3] [3 0] "" "a\n"`},
			{"decline", 3, "", `0 [3] [0] "" "a\n"`},
			{"lose", Disk, "", `0 [3] [] "" ""`},
			{"open", 3, "b\n", `3 [] [] "" "b\n"`}, // opened once more: nobody else has it
		},
		"who opens it where nobody keeps it is the keeper": {
			{"open", 1, "a\n", `1 [] [] "" "a\n"`},
			{"open", 2, "b\n", `1 [2] [] "" "a\n"`},
			{"close", 1, "", `0 [2] [2 0] "" "a\n"`},
			{"open", 3, "c\n", `3 [2] [] "" "c\n"`},
			{"decline", 2, "", `3 [2] [] "" "c\n"`},
			{"close", 5, "", `3 [2] [] "" "c\n"`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := New(0)
			for i, s := range steps {
				now := text.New(s.text)
				switch s.do {
				case "open", "read":
					w.OpenDocument(f, "f.txt", now, int32(i), s.by)
				case "type":
					d, _ := w.Snapshot().Document(f)
					_, _, err := w.UpdateOneOf(f, int32(i), [][]text.Edit{{{End: d.Base.Len(), New: s.text}}}, s.by)
					if (err == nil) != (d.Keeper == s.by) || err != nil && !errors.Is(err, ErrNotKeeper) {
						t.Errorf("step %d: %v", i, err)
					}
				case "close":
					w.CloseDocument(f, s.by)
				case "offer":
					w.Offer(f, s.by)
				case "adopt":
					w.Adopt(f, now, int32(i), s.by)
				case "decline":
					w.Decline(f, s.by)
				case "doubt":
					w.DoubtDocument(f, s.text, s.by)
				case "lose":
					w.Lose(f)
				default:
					t.Fatalf("there is no step %q", s.do)
				}
				got := "nobody"
				if d, ok := w.Snapshot().Document(f); ok {
					got = fmt.Sprintf("%d %v %v %q %q", d.Keeper, d.Beside, d.Heirs, d.Doubt, d.Base.String())
				}
				if got != s.want {
					t.Fatalf("step %d, %s by %d: %s, want %s", i, s.do, s.by, got, s.want)
				}
			}
		})
	}
}
