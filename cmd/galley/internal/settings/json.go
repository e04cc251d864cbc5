package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// parseJSON reads one JSON value, and keeps the lines. An empty text is an empty object.
func parseJSON(data []byte) (node, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if len(bytes.TrimSpace(data)) == 0 {
		return node{line: 1}, nil
	}
	r := &jsonReader{data: data, d: json.NewDecoder(bytes.NewReader(data))}
	r.d.UseNumber()
	n, err := r.value(0)
	if err != nil {
		return node{}, err
	}
	if _, err := r.d.Token(); !errors.Is(err, io.EOF) {
		return node{}, wrongAt(r.line(), "there is something behind the end of the object")
	}
	return n, nil
}

// jsonReader reads tokens; the decoder's offset says in which line it is.
type jsonReader struct {
	data []byte
	d    *json.Decoder
}

func (r *jsonReader) line() int {
	at := min(int(r.d.InputOffset()), len(r.data))
	return 1 + bytes.Count(r.data[:at], []byte("\n"))
}

// nextLine is where the next token begins.
func (r *jsonReader) nextLine() int {
	rest := r.data[min(int(r.d.InputOffset()), len(r.data)):]
	blank := rest[:len(rest)-len(bytes.TrimLeft(rest, " \t\r\n"))]
	return r.line() + bytes.Count(blank, []byte("\n"))
}

func (r *jsonReader) token() (json.Token, error) {
	t, err := r.d.Token()
	if err == nil {
		return t, nil
	}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return nil, wrongAt(r.nextLine(), "it is no JSON: %s", syntax.Error())
	}
	return nil, wrongAt(r.line(), "it is no JSON: it ends too early")
}

func (r *jsonReader) value(depth int) (node, error) {
	t, err := r.token()
	if err != nil {
		return node{}, err
	}
	out := node{line: r.line()}
	switch t := t.(type) {
	case json.Delim:
		if depth >= mostDepth {
			return node{}, wrongAt(out.line, "it is nested too deep")
		}
		if t == '[' {
			return r.list(out, depth)
		}
		return r.object(out, depth)
	case json.Number:
		return jsonNumber(out, t)
	}
	out.value = t
	return out, nil
}

func jsonNumber(out node, n json.Number) (node, error) {
	if whole, err := n.Int64(); err == nil {
		out.value = whole
		return out, nil
	}
	f, err := n.Float64()
	if err != nil {
		return node{}, wrongAt(out.line, "the number is too large")
	}
	return nodeOf(f, out.line), nil
}

func (r *jsonReader) list(out node, depth int) (node, error) {
	list := []node{}
	for r.d.More() {
		item, err := r.value(depth + 1)
		if err != nil {
			return node{}, err
		}
		list = append(list, item)
	}
	out.value = list
	_, err := r.token() // the bracket
	return out, err
}

func (r *jsonReader) object(out node, depth int) (node, error) {
	entries := []entry{}
	for r.d.More() {
		t, err := r.token()
		if err != nil {
			return node{}, err
		}
		e := entry{key: fmt.Sprint(t), line: r.line()}
		if e.node, err = r.value(depth + 1); err != nil {
			return node{}, err
		}
		entries = append(entries, e)
	}
	out.value = entries
	_, err := r.token() // the brace
	return out, err
}
