package openaitest

import (
	"net"
	"net/http"
	"strings"
)

// ending is how an answer ends.
type ending int

const (
	endWhole ending = iota
	endCut          // the connection closes in the middle
	endReset        // it is reset
)

// answer is what goes over the wire: a status, headers, and pieces, each flushed.
type answer struct {
	status int
	header http.Header
	pieces [][]byte
	stream bool
	holds  []int // waits before these pieces; -1: before the status line
	end    ending
	sized  bool // Content-Length promises more than comes
	full   bool // nothing of the reply is missing, once all is sent
	reply  int  // the number of the reply that it sends; 0: none
	gzip   bool // compressed, if the client takes that
}

func (d *draft) answer() *answer {
	out := &answer{status: http.StatusOK, header: http.Header{}, stream: d.ask.stream}
	if d.whole != nil {
		out.header.Set("Content-Type", "application/json")
		out.pieces = [][]byte{encode(d.whole)}
		d.breakOff(out)
		return out
	}
	out.header.Set("Content-Type", "text/event-stream")
	out.header.Set("Cache-Control", "no-cache")
	for _, chunk := range d.chunks {
		out.pieces = append(out.pieces, frame(encode(chunk)))
	}
	if d.done {
		out.pieces = append(out.pieces, frame([]byte("[DONE]")))
	}
	d.breakOff(out)
	return out
}

// breakOff lets the stream go wrong.
func (d *draft) breakOff(out *answer) {
	b := d.breaks
	if b == nil {
		return
	}
	out.end, out.holds, out.full = b.end, b.holds, b.whole
	if b.whole || d.whole != nil {
		return
	}
	out.pieces = out.pieces[:b.after]
	if b.text != "" {
		out.pieces = append(out.pieces, []byte(b.text))
	}
	if b.done {
		out.pieces = append(out.pieces, frame([]byte("[DONE]")))
	}
}

func frame(data []byte) []byte { return []byte("data: " + string(data) + "\n\n") }

// jsonAnswer is an answer in one piece.
func jsonAnswer(status int, body any) *answer {
	return &answer{status: status, header: http.Header{"Content-Type": {"application/json"}}, pieces: [][]byte{encode(body)}}
}

// textAnswer is an answer that is no JSON.
func textAnswer(status int, contentType, body string) *answer {
	return &answer{status: status, header: http.Header{"Content-Type": {contentType}}, pieces: [][]byte{[]byte(body)}}
}

// openAIError is an error in OpenAI's own shape.
func openAIError(status int, kind, code, param, message string) *answer {
	inner := object{"message": message, "type": kind, "param": nil, "code": nil}
	if code != "" {
		inner["code"] = code
	}
	if param != "" {
		inner["param"] = param
	}
	return jsonAnswer(status, object{"error": inner})
}

func (out *answer) with(header, value string) *answer {
	out.header.Set(header, value)
	return out
}

// each changes every piece.
func (out *answer) each(change func(string) string) {
	for i, piece := range out.pieces {
		out.pieces[i] = []byte(change(string(piece)))
	}
}

// text is all pieces as one.
func (out *answer) text() string {
	var b strings.Builder
	for _, piece := range out.pieces {
		b.Write(piece)
	}
	return b.String()
}

// send writes the answer; hold waits for a release and says false when the client went away. It reports whether all
// was written.
func (out *answer) send(w http.ResponseWriter, r *http.Request, hold func() bool) bool {
	if out.status == 0 {
		hangUp(w, out.end == endReset)
		return true
	}
	if out.heldAt(-1) && !hold() {
		return false
	}
	if out.gzip && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		out.compress()
	}
	for name, values := range out.header {
		w.Header()[name] = values
	}
	if out.sized {
		w.Header().Set("Content-Length", "1000000")
	}
	w.WriteHeader(out.status)
	flusher := http.NewResponseController(w)
	if out.stream && flusher.Flush() != nil {
		return false
	}
	for i, piece := range out.pieces {
		if out.heldAt(i) && !hold() {
			return false
		}
		if _, err := w.Write(piece); err != nil || flusher.Flush() != nil || r.Context().Err() != nil {
			return false
		}
	}
	if out.heldAt(len(out.pieces)) && !hold() {
		return false
	}
	if out.end != endWhole {
		hangUp(w, out.end == endReset)
	}
	return true
}

func (out *answer) heldAt(i int) bool {
	for _, at := range out.holds {
		if at == i {
			return true
		}
	}
	return false
}

// hangUp closes the connection with no proper end of the answer.
func hangUp(w http.ResponseWriter, reset bool) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return // the connection is gone already
	}
	if tcp, ok := conn.(*net.TCPConn); ok && reset {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}
