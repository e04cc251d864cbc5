package view

import "encoding/json"

// lineJSON is a line with what it is made from, so that it can be cut and spelled where it arrives.
type lineJSON struct {
	Sign   rune     `json:"sign"`
	Old    int      `json:"old,omitempty"`
	New    int      `json:"new,omitempty"`
	Text   []byte   `json:"text"` // it may be no UTF-8
	Marks  [][2]int `json:"marks,omitempty"`
	Hidden int      `json:"hidden,omitempty"`
	Theirs string   `json:"theirs,omitempty"`
	Folds  int      `json:"folds,omitempty"`
	Raw    []byte   `json:"raw,omitempty"`
	Places [][2]int `json:"places,omitempty"`
	Marked bool     `json:"marked,omitempty"`
	Alike  bool     `json:"alike,omitempty"`
	End    string   `json:"end,omitempty"`
	Width  int      `json:"width,omitempty"`
	Whole  bool     `json:"whole,omitempty"`
	Blanks bool     `json:"blanks,omitempty"`
}

// MarshalJSON keeps all of a line.
func (l Line) MarshalJSON() ([]byte, error) {
	return json.Marshal(lineJSON{
		l.Sign, l.Old, l.New, []byte(l.Text), l.Marks, l.Hidden, l.Theirs, l.folds,
		[]byte(l.raw), l.places, l.marked, l.alike, l.end, l.width, l.whole, l.blanks,
	})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (l *Line) UnmarshalJSON(data []byte) error {
	var j lineJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	*l = Line{
		Sign: j.Sign, Old: j.Old, New: j.New, Text: string(j.Text), Marks: j.Marks, Hidden: j.Hidden, Theirs: j.Theirs, folds: j.Folds,
		source: source{string(j.Raw), j.Places, j.Marked, j.Alike, j.End, j.Width, j.Whole, j.Blanks},
	}
	return nil
}
