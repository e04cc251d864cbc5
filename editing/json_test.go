package editing

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// A journal keeps each text of a hunk once, and those of earlier journals, which
// have them beside the place too, read the same.
func TestHunkJSON(t *testing.T) {
	const long = "the old text of it\n"
	staged := &Place{Block: long, Start: 4, End: 7, New: "new"}
	for name, h := range map[string]Hunk{
		"staged":          {Start: 4, End: 7, Old: "old", New: "new", Place: staged},
		"applied":         {Start: 4, End: 7, Old: "new", New: "old", Place: staged},
		"both alike":      {Start: 4, End: 7, Old: "old", New: "old", Place: &Place{Block: long, Start: 4, End: 7, New: "old"}},
		"stray bytes":     {Start: 0, End: 1, Old: "\xff", New: "\xfe", Place: &Place{Block: "\xff\n", End: 1, New: "\xfe"}},
		"held, grown":     {Start: 0, End: 3, Old: "other", New: "else", Held: true, Place: staged},
		"without a place": {Start: 0, End: 3, Old: "one", New: ""},
		"empty":           {Start: 3, End: 3, Place: &Place{}},
	} {
		t.Run(name, func(t *testing.T) {
			data, err := json.Marshal(h)
			if err != nil {
				t.Fatal(err)
			}
			told := h.Place.tells(h.Old, h.New) || h.Place.tells(h.New, h.Old)
			if has := strings.Contains(string(data), `"old":`); has == told {
				t.Errorf("texts beside the place: %v: %s", has, data)
			}
			var earlier map[string]any
			if err := json.Unmarshal(data, &earlier); err != nil {
				t.Fatal(err)
			}
			earlier["old"], earlier["new"] = raw(h.Old), raw(h.New)
			was, err := json.Marshal(earlier)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range [][]byte{data, was} {
				var got Hunk
				if err := json.Unmarshal(d, &got); err != nil || !reflect.DeepEqual(got, h) {
					t.Errorf("%s is %+v, %v", d, got, err)
				}
			}
		})
	}
	var h Hunk
	for _, s := range []string{`{"start":1,"end":2}`, `{"place":{"block":"a","start":0,"end":2,"new":""}}`, `{"place":{"block":"a","start":-1,"end":0,"new":""}}`} {
		if err := json.Unmarshal([]byte(s), &h); err == nil {
			t.Errorf("%s is read as %+v", s, h)
		}
	}
}
