package editing

import (
	"encoding/json"
	"unicode/utf8"
)

// raw is a text that survives JSON byte for byte: a file's stray bytes are no
// valid UTF-8, so a text that holds some is kept as base64.
type raw string

type rawBytes struct {
	Base64 []byte `json:"base64"`
}

// MarshalJSON writes a string, or an object with the bytes.
func (r raw) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(r)) {
		return json.Marshal(string(r))
	}
	return json.Marshal(rawBytes{[]byte(r)})
}

// UnmarshalJSON reads both.
func (r *raw) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '{' {
		var b rawBytes
		err := json.Unmarshal(data, &b)
		*r = raw(b.Base64)
		return err
	}
	return json.Unmarshal(data, (*string)(r))
}
