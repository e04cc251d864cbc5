package openaitest

import (
	"bytes"
	"compress/gzip"
	"net"
	"net/http"
	"slices"
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

// jsonAnswer is an answer in one piece.
func jsonAnswer(status int, body string) *answer {
	return &answer{status: status, header: http.Header{"Content-Type": {"application/json"}}, pieces: [][]byte{[]byte(body)}}
}

// recut cuts the bytes into pieces of a size.
func (out *answer) recut(size int) {
	out.pieces = slices.Collect(slices.Chunk(bytes.Join(out.pieces, nil), size))
}

// compress makes each piece a piece of one gzip stream.
func (out *answer) compress() {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	for i, piece := range out.pieces {
		_, _ = z.Write(piece) // a buffer takes everything
		_ = z.Flush()
		if i == len(out.pieces)-1 {
			_ = z.Close()
		}
		out.pieces[i] = bytes.Clone(b.Bytes())
		b.Reset()
	}
	out.header.Set("Content-Encoding", "gzip")
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

func (out *answer) heldAt(i int) bool { return slices.Contains(out.holds, i) }

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
