package openai

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

const (
	lineMost  = 16 << 20 // bytes of one event
	replyMost = 64 << 20 // bytes of a reply
	aheadMost = 64 << 10 // bytes of an event of several lines that is looked at before its end
)

var (
	errLine   = errors.New("one event of the reply is longer than 16 MB")
	errReply  = errors.New("the reply is longer than 64 MB")
	errBroken = errors.New("an event of the reply is broken JSON")
)

// strange is an answer that is neither an event stream nor JSON of this API.
type strange struct {
	page bool
	text string // its beginning, or the title of the page; not masked
}

func (e *strange) Error() string { return "the answer is not one of this API" }

// frames reads the values of JSON in the body of an answer. It knows every form of event streams that servers send,
// whole replies and lines of JSON where a stream was asked for; an error within the answer, in whatever shape, becomes an
// error. The stream of go-openai is not used: it knows one form of frames and one of errors, takes an answer that is
// cut off for a whole one, and gives up at many comments.
type frames struct {
	in   *bufio.Reader
	left int // bytes that the reply may still have
	most int // bytes of one event
	json *json.Decoder

	begun     bool
	done      bool   // the server said [DONE]
	events    int    // that were given on
	event     string // the name of the event that is being read
	data      []byte // its data so far
	hasData   bool
	noise     string // the first line that is no event's
	beginning string // of JSON that is no event stream

	out []json.RawMessage
	err error // once out is read
}

func newFrames(body io.Reader) *frames {
	return &frames{in: bufio.NewReaderSize(body, 32<<10), left: replyMost, most: lineMost}
}

// next is the next value; io.EOF: there is none.
func (f *frames) next() (json.RawMessage, error) {
	for len(f.out) == 0 && f.err == nil {
		f.err = f.more()
	}
	if len(f.out) == 0 {
		return nil, f.err
	}
	value := f.out[0]
	f.out = f.out[1:]
	return value, nil
}

func (f *frames) more() error {
	switch {
	case !f.begun:
		f.begun = true
		return f.begin()
	case f.json != nil:
		return f.value()
	case f.done: // what a server sends behind its own end is nobody's
		return io.EOF
	}
	line, err := f.line()
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	for part := range bytes.SplitSeq(line, []byte("\r")) { // no JSON holds one, so a lone one ends a line
		if failed := f.take(part); failed != nil {
			return failed
		}
		if f.done {
			return nil
		}
	}
	if err == nil {
		return nil
	}
	if failed := f.dispatch(); failed != nil { // the last line without its end
		return failed
	}
	return f.over()
}

// begin looks at the first byte: a stream, JSON, or a web page.
func (f *frames) begin() error {
	for {
		b, err := f.in.ReadByte()
		if errors.Is(err, io.EOF) {
			return f.over()
		}
		if err != nil {
			return err
		}
		f.left--
		switch b {
		case ' ', '\t', '\r', '\n', 0xEF, 0xBB, 0xBF: // also a byte order mark
			if f.left <= 0 {
				return errReply
			}
			continue
		case '{', '[':
			f.json = json.NewDecoder(&limited{f})
		case '<':
			rest, err := io.ReadAll(io.LimitReader(f.in, quoteRead))
			if err != nil && len(rest) == 0 {
				return err
			}
			return &strange{page: true, text: pageTitle(append([]byte{'<'}, rest...))}
		}
		return f.in.UnreadByte()
	}
}

// over is the end of the answer.
func (f *frames) over() error {
	if f.events == 0 && f.noise != "" {
		return &strange{text: f.noise}
	}
	return io.EOF
}

// line reads one line, without its end. At the end of the answer it comes with io.EOF.
func (f *frames) line() ([]byte, error) {
	var line []byte
	for {
		part, err := f.in.ReadSlice('\n')
		line = append(line, part...)
		f.left -= len(part)
		switch {
		case len(line) > f.most:
			return nil, errLine
		case f.left < 0:
			return nil, errReply
		case errors.Is(err, bufio.ErrBufferFull):
		default:
			return bytes.TrimRight(line, "\r\n"), err
		}
	}
}

// take reads one line of an event stream.
func (f *frames) take(line []byte) error {
	if len(line) == 0 {
		return f.dispatch()
	}
	name, value, found := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch {
	case line[0] == ':': // a comment
	case line[0] == '{': // JSON without a name
		return f.add(line)
	case string(name) == "data":
		return f.add(value)
	case string(name) == "event":
		f.event = strings.ToLower(strings.TrimSpace(string(value)))
	case found && string(name) == "error": // llama.cpp names its errors so
		return f.failed(value)
	case string(name) == "id" || string(name) == "retry" || bytes.HasPrefix([]byte("data"), line): // or a part of it, cut off
	default:
		f.noise = first(f.noise, string(line[:min(len(line), quoteMost)]))
	}
	return nil
}

// add adds a line to the data. Data that is complete goes on at once: not every server sends the empty line behind it.
func (f *frames) add(value []byte) error {
	several := f.hasData
	if several {
		f.data = append(f.data, '\n')
	}
	f.data, f.hasData = append(f.data, value...), true
	if len(f.data) > f.most {
		return errLine
	}
	text := bytes.TrimSpace(f.data)
	if several && len(text) > aheadMost { // to look again at each line would take longer and longer
		return nil
	}
	if isDone(text) || len(text) > 0 && text[0] == '{' && text[len(text)-1] == '}' && json.Valid(text) {
		event := f.event
		err := f.dispatch()
		f.event = event
		return err
	}
	return nil
}

func isDone(text []byte) bool {
	return len(text) == len("[DONE]") && strings.EqualFold(string(text), "[DONE]")
}

// dispatch is the end of an event.
func (f *frames) dispatch() error {
	text := bytes.TrimSpace(f.data)
	event, had := f.event, f.hasData
	f.data, f.hasData, f.event = nil, false, ""
	switch {
	case !had || len(text) == 0:
		return nil
	case isDone(text):
		f.done = true
		return nil
	case event == "error":
		return f.failed(text)
	case json.Valid(text):
		return f.emit(text)
	case text[0] == '{' || text[0] == '[':
		if whole := bytes.ReplaceAll(text, []byte("\n"), nil); json.Valid(whole) { // broken anywhere, also within texts
			return f.emit(whole)
		}
		return errBroken
	}
	return f.words(string(text))
}

// words is data that is no JSON: the sign of life of some servers, or an error in plain words.
func (f *frames) words(text string) error {
	if len(text) <= 16 && !strings.ContainsAny(text, " :") {
		return nil
	}
	return f.failed([]byte(text))
}

func (f *frames) failed(text []byte) error {
	if found := failureIn(text, true); found.words() != "" {
		return found
	}
	return &failure{inBand: true, message: "an error without a word", raw: text}
}

// emit gives on one value, unless it is an error.
func (f *frames) emit(value json.RawMessage) error {
	switch value[0] {
	case '[':
		for _, e := range elements(value) {
			if err := f.emit(bytes.TrimSpace(e)); err != nil {
				return err
			}
		}
		return nil
	case '{':
	case '"':
		return f.words(scalar(value))
	default: // a number, null: nothing
		return nil
	}
	if found := failureIn(value, false); found != nil {
		return found
	}
	f.events++
	if f.json != nil {
		f.beginning = first(f.beginning, string(value[:min(len(value), quoteRead)]))
	}
	f.out = append(f.out, value)
	return nil
}
