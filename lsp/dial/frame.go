package dial

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"sync"
)

const (
	maxHeader = 64 << 10
	// maxLookedAt bounds the messages that are looked into; those that matter are short.
	maxLookedAt = 1 << 20
)

// frame is a message as it came. Of one whose length cannot be read there is a head only:
// the other end says what is wrong with it.
type frame struct{ head, body []byte }

func (f frame) raw() []byte { return append(f.head[:len(f.head):len(f.head)], f.body...) }

func framed(body []byte) frame {
	return frame{[]byte("Content-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n"), body}
}

// mentions reports whether a message may be one that matters.
func (f frame) mentions(words ...string) bool {
	return len(f.body) <= maxLookedAt && slices.ContainsFunc(words, func(w string) bool { return bytes.Contains(f.body, []byte(`"`+w+`"`)) })
}

// message is what is looked at in a frame.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
}

func newReader(r io.Reader) *bufio.Reader { return bufio.NewReaderSize(r, 64<<10) }

func readFrame(in *bufio.Reader) (f frame, err error) {
	length := -1
	for {
		line, err := in.ReadSlice('\n')
		f.head = append(f.head, line...)
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return frame{}, err
		}
		if len(bytes.TrimRight(line, "\r\n")) == 0 && err == nil {
			break
		}
		if name, value, ok := bytes.Cut(line, []byte(":")); ok && bytes.EqualFold(bytes.TrimSpace(name), []byte("Content-Length")) {
			if n, err := strconv.Atoi(string(bytes.TrimSpace(value))); err == nil {
				length = n
			}
		}
		if len(f.head) > maxHeader {
			return f, nil
		}
	}
	if length < 0 {
		return f, nil
	}
	f.body, err = io.ReadAll(io.LimitReader(in, int64(length)))
	if err == nil && len(f.body) < length {
		err = io.ErrUnexpectedEOF
	}
	return f, err
}

// queue is what one end has still to read. Of what is a whole state, only the newest is
// kept for an end that does not read.
type queue struct {
	mu    sync.Mutex // guards the rest
	wake  sync.Cond
	list  []frame
	ended bool
}

func newQueue() *queue {
	q := &queue{}
	q.wake.L = &q.mu
	return q
}

// manyWait is from when an end is taken to be slow.
const manyWait = 64

func (q *queue) put(f frame) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.list = append(q.list, f); len(q.list) > manyWait && len(q.list)%manyWait == 0 {
		q.list = newest(q.list)
	}
	q.wake.Signal()
}

func (q *queue) next() (frame, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.list) == 0 && !q.ended {
		q.wake.Wait()
	}
	if len(q.list) == 0 {
		return frame{}, false
	}
	f := q.list[0]
	q.list = q.list[1:]
	return f, true
}

func (q *queue) end() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ended = true
	q.wake.Broadcast()
}

// newest leaves out states of which there is a newer one.
func newest(list []frame) []frame {
	last := map[string]int{}
	of := make([]string, len(list))
	for i, f := range list {
		if of[i] = subject(f.body); of[i] != "" {
			last[of[i]] = i
		}
	}
	var out []frame
	for i, f := range list {
		if of[i] == "" || last[of[i]] == i {
			out = append(out, f)
		}
	}
	return out
}

// subject is what a notification tells the whole state of; "" of any other message.
func subject(body []byte) string {
	var m struct {
		Method string `json:"method"`
		Params struct {
			URI     string `json:"uri"`
			Run     string `json:"run"`
			Step    int    `json:"step"`
			Session string `json:"session"`
			Path    string `json:"path"`
		} `json:"params"`
	}
	if json.Unmarshal(body, &m) != nil {
		return ""
	}
	switch m.Method {
	case "textDocument/publishDiagnostics", "galley/changes", "galley/tasks", "galley/context", "galley/run", "galley/memory":
		return fmt.Sprint(m.Method, m.Params)
	}
	return ""
}
