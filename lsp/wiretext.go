package lsp

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/galley-ls/galley/editing/text"
)

// wireText is a text in a message. JSON can hold halves of surrogate pairs, which a text
// cannot: in s they are U+FFFD.
type wireText struct {
	s      string
	halved bool
}

// UnmarshalJSON reads a string.
func (t *wireText) UnmarshalJSON(raw []byte) error {
	if err := json.Unmarshal(raw, &t.s); err != nil {
		return err
	}
	t.halved = strings.ContainsRune(t.s, utf8.RuneError) && (!utf8.Valid(raw) || halves().Match(pairs().ReplaceAll(raw, nil)))
	return nil
}

var (
	pairs  = text.Pattern(`(?i)\\\\|\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}`)
	halves = text.Pattern(`(?i)\\ud[89a-f]`)
)

var (
	errLossy  = errors.New("the file is not UTF-8, and would lose bytes if it were saved as it is shown")
	errHalf   = errors.New("it has half of a character")
	errReturn = errors.New("it has a \\r that is no part of \\r\\n, and the editor does not say whether that ends a line")
)

// remedies end the doubt where a text itself raises it. Else it is enough that the editor sends the whole text.
var remedies = map[string]string{
	errLossy.Error():  "open it in its own encoding and save it, or close it",
	errHalf.Error():   "remove that and save it",
	errReturn.Error(): "close it, or remove that and save it",
}

// doubts says why the text of an editor is not known for certain.
func (c *client) doubts(t text.Text, halved bool) error {
	switch {
	case halved:
		return errHalf
	case t.LoneCR() && c.profile.returns == returnsUnknown:
		return errReturn
	}
	return nil
}
