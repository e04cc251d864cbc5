package openaitest

import (
	"bytes"
	"encoding/json"
)

// object is a JSON object.
type object = map[string]any

// encode writes JSON the way servers do: no escapes for HTML, no line end.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil { // only what a script's raw JSON spoils, and Parse has looked at that
		return []byte(`{"error":{"message":"the script's JSON is broken"}}`)
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

// decodeObject reads an object with its numbers as they are written; nil if it is none.
func decodeObject(data []byte) object {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var o object
	if d.Decode(&o) != nil || d.More() {
		return nil
	}
	return o
}

// quoted writes a text as it stands in JSON, without the quotation marks around it.
func quoted(text string) string {
	encoded := encode(text)
	return string(encoded[1 : len(encoded)-1])
}
