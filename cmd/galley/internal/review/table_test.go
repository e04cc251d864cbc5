package review

import (
	"encoding/json"
	"testing"

	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/editing/view"
	"github.com/galley-ls/galley/editing/view/viewtest"
)

// What a review draws survives the way from another process.
func TestLettersTravel(t *testing.T) {
	viewtest.Table(t, func(t *testing.T, row viewtest.Row) {
		is := view.LettersOf(row.Staged(t, "me"), "me")
		raw, err := json.Marshal(is)
		if err != nil {
			t.Fatal(err)
		}
		var there view.Letters
		if err := json.Unmarshal(raw, &there); err != nil {
			t.Fatal(err)
		}
		s := term.Screen{Width: 80}
		if got, want := drawnLetters(s, there.Changes), drawnLetters(s, is.Changes); got != want {
			t.Errorf("drawn\n%s\nwant\n%s", got, want)
		}
		for i, e := range is.Edits {
			if headOf(s, there.Edits[i].Session) != headOf(s, e.Session) || there.Edits[i].Patch != e.Patch {
				t.Errorf("%+v, want %+v", there.Edits[i], e)
			}
		}
	})
}
