package lsp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"
	"sync"

	"go.lsp.dev/jsonrpc2"
)

const (
	// maxMessage holds a document of 64 MiB with room for its escapes.
	maxMessage = 256 << 20
	// maxHeader bounds one line of a header; a longer one is no header.
	maxHeader = 4 << 10
	// kept is how much of a message too large to be read is looked at.
	kept = 4 << 10
	// idleBuffer is the largest read buffer that is kept between messages.
	idleBuffer = 1 << 20
)

// stream frames messages. The library's own stream ends on the first malformed
// frame, and its connection on the first body that is no message; this one
// answers, tells, and reads on behind it.
//
// It does not offer the library's raw frames, so every body is decoded here.
type stream struct {
	conn  io.ReadWriteCloser
	in    *bufio.Reader
	limit int

	// fault hears of every message that could not be read; body is what is left
	// of it. Called on the read loop.
	fault func(reason string, body []byte)
	// ended hears once why nothing more can be read.
	ended func(error)

	body []byte // of the last message

	writeMu sync.Mutex // guards out and keeps frames whole
	out     []byte
}

var _ jsonrpc2.Stream = (*stream)(nil)

func newStream(conn io.ReadWriteCloser, fault func(string, []byte), ended func(error)) *stream {
	return &stream{conn: conn, in: bufio.NewReaderSize(conn, 64<<10), limit: maxMessage, fault: fault, ended: ended}
}

// Read answers the next message. It borrows the buffer until the next Read.
func (s *stream) Read(ctx context.Context) (jsonrpc2.Message, int64, error) {
	for {
		if err := ctx.Err(); err != nil {
			s.ended(err)
			return nil, 0, err
		}
		n, err := s.frame()
		if err != nil {
			s.ended(err)
			return nil, 0, err
		}
		if n < 0 { // told already
			continue
		}
		msg, err := jsonrpc2.DecodeMessage(s.body)
		if err == nil {
			return msg, int64(n), nil
		}
		s.refuse(ctx, err, s.body)
	}
}

// frame reads the next body into s.body. A negative length means that there was
// none that could be read.
func (s *stream) frame() (int, error) {
	n, err := s.header()
	switch {
	case err != nil:
		return 0, err
	case n < 0:
		s.fault("a header without a readable Content-Length; everything up to the next one is skipped", nil)
		return -1, nil
	case n > s.limit:
		return -1, s.oversized(n)
	}
	if cap(s.body) < n || cap(s.body) > idleBuffer && n <= idleBuffer {
		s.body = make([]byte, n)
	}
	s.body = s.body[:n]
	if _, err := io.ReadFull(s.in, s.body); err != nil {
		return 0, err
	}
	return n, nil
}

// oversized skips a body that is too large, and answers it if it was a request.
func (s *stream) oversized(n int) error {
	head := make([]byte, kept)
	if _, err := io.ReadFull(s.in, head); err != nil {
		return err
	}
	if _, err := io.CopyN(io.Discard, s.in, int64(n-kept)); err != nil {
		return err
	}
	s.refuse(context.Background(), jsonrpc2.Errorf(jsonrpc2.InvalidRequest,
		"a message of %d bytes is too large; at most %d are read", n, s.limit), head)
	return nil
}

// refuse answers a body that is no message, under its own id where that can be
// made out, and tells of it.
func (s *stream) refuse(ctx context.Context, err error, body []byte) {
	if first := bytes.TrimLeft(body, " \t\r\n"); len(first) > 0 && first[0] == '[' {
		err = jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "LSP has no batches; send the messages one by one")
	}
	s.fault(err.Error(), body)
	if answers(body) {
		_, _ = s.Write(ctx, jsonrpc2.NewResponse(guessID(body), nil, coded(err, jsonrpc2.InvalidRequest)))
	}
}

// header reads a header block and answers the length of the body, -1 if it does
// not say. Anything that cannot be a header is skipped: the next line that holds
// a Content-Length begins a new block.
func (s *stream) header() (int, error) {
	length, seen := -1, false
	for {
		line, err := s.line()
		if err != nil {
			return 0, err
		}
		if len(line) == 0 {
			if !seen { // blank lines between messages
				continue
			}
			return length, nil
		}
		seen = true
		if i := indexFold(line, "content-length:"); i >= 0 {
			length = contentLength(line[i+len("content-length:"):])
		}
	}
}

// line reads one line without its ending; of a very long one, the end.
func (s *stream) line() ([]byte, error) {
	var line []byte
	for {
		part, err := s.in.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > maxHeader {
			line = append(line[:0], line[len(line)-maxHeader:]...)
		}
		switch {
		case err == nil:
			return bytes.TrimRight(line, "\r\n"), nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(line) > 0:
			return nil, io.ErrUnexpectedEOF
		default:
			return nil, err
		}
	}
}

func contentLength(value []byte) int {
	n, err := strconv.ParseUint(string(bytes.TrimSpace(value)), 10, 62)
	if err != nil {
		return -1
	}
	return int(n) //nolint:gosec // 62 bits fit
}

// indexFold finds lower in a line, in any case. Only the letters of ASCII have
// cases here: others change their length with it.
func indexFold(line []byte, lower string) int {
	for i := range len(line) - len(lower) + 1 {
		j := 0
		for j < len(lower) && asciiLower(line[i+j]) == lower[j] {
			j++
		}
		if j == len(lower) {
			return i
		}
	}
	return -1
}

func asciiLower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// Write sends one message as one frame.
func (s *stream) Write(_ context.Context, msg jsonrpc2.Message) (int64, error) {
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	const room = len("Content-Length: \r\n\r\n") + 20
	if cap(s.out) < room || cap(s.out) > idleBuffer {
		s.out = make([]byte, room, 4<<10)
	}
	s.out = jsonrpc2.AppendMessage(s.out[:room], msg)
	head := "Content-Length: " + strconv.Itoa(len(s.out)-room) + "\r\n\r\n"
	from := room - len(head)
	copy(s.out[from:], head)
	n, err := s.conn.Write(s.out[from:])
	return int64(n), err
}

// Close closes the connection.
func (s *stream) Close() error { return s.conn.Close() }

// joined is a connection of two streams.
type joined struct {
	io.Reader
	io.Writer
	closers []io.Closer
}

// Join makes one connection of the two ends of a process: its stdin and stdout.
func Join(in io.ReadCloser, out io.WriteCloser) io.ReadWriteCloser {
	return joined{in, out, []io.Closer{in, out}}
}

// Close closes both.
func (j joined) Close() error {
	var errs []error
	for _, c := range j.closers {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}
