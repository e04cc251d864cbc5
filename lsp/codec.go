package lsp

import (
	"bytes"
	"encoding/json"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/memory"
)

// codec is the wire form of params and results: LSP's own rules for its types,
// and what is encoded already as it is.
type codec struct{}

var _ jsonrpc2.Codec = codec{}

func (codec) Marshal(v any) ([]byte, error) {
	switch raw := v.(type) {
	case jsonrpc2.RawMessage:
		return raw, nil
	case json.RawMessage:
		return raw, nil
	}
	return protocol.Marshal(v)
}

func (codec) Unmarshal(data []byte, v any) error {
	switch raw := v.(type) {
	case *jsonrpc2.RawMessage:
		*raw = bytes.Clone(data)
		return nil
	case *json.RawMessage:
		*raw = bytes.Clone(data)
		return nil
	}
	return protocol.Unmarshal(data, v)
}

// own encodes a type of ours: the protocol library would apply other rules to it
// than its tags say.
func own(v any) json.RawMessage {
	text, err := memory.Marshal(v)
	if err != nil { // our types hold nothing that cannot be encoded
		panic("lsp: encode " + err.Error())
	}
	return text
}

// jsonRaw marks bytes as encoded.
func jsonRaw(raw []byte) jsonrpc2.RawMessage { return raw }

func protocolURI(s string) uri.URI { return uri.URI(s) }

var (
	idPattern     = text.Pattern(`"id"\s*:\s*(-?[0-9]{1,18}|"[^"\\]{0,200}")\s*[,}]`)
	methodPattern = text.Pattern(`"method"\s*:\s*"([^"\\]{1,200})"`)
	uriPattern    = text.Pattern(`"uri"\s*:\s*("(?:[^"\\]|\\.)*")`)
)

// guessID finds the id of a message that cannot be decoded, so that the answer
// reaches who waits for it. The zero ID goes out as null.
func guessID(body []byte) jsonrpc2.ID {
	m := idPattern().FindSubmatch(body)
	if m == nil {
		return jsonrpc2.ID{}
	}
	var n int64
	if json.Unmarshal(m[1], &n) == nil {
		return jsonrpc2.NewNumberID(n)
	}
	var s string
	_ = json.Unmarshal(m[1], &s)
	return jsonrpc2.NewStringID(s)
}

// answers reports whether a body that is no message gets an answer: one that is
// plainly a notification must not.
func answers(body []byte) bool {
	return guessID(body).IsValid() || !methodPattern().Match(body)
}

func guessMethod(body []byte) string {
	m := methodPattern().FindSubmatch(body)
	if m == nil {
		return ""
	}
	return string(m[1])
}

func guessURI(body []byte) string {
	m := uriPattern().FindSubmatch(body)
	if m == nil {
		return ""
	}
	var s string
	_ = json.Unmarshal(m[1], &s)
	return s
}
