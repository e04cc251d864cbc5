package dial

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"sync"
	"time"
)

// Pump carries what an editor and the host of its workspace say to each other, byte for
// byte. It keeps no state of the conversation.
type Pump struct {
	Editor io.ReadWriteCloser
	// Dial connects to the host, for an editor that says so of itself in initialize. Its
	// error is the answer.
	Dial func(ctx context.Context, initialize json.RawMessage) (net.Conn, error)
	// Settings hears of the editor's settings as they pass, in the shape in which the editor
	// sends them; may be nil.
	Settings func(sent json.RawMessage)

	shut  bool     // the editor has said shutdown; of the goroutine that reads it
	asked sync.Map // IDs of the host's requests for settings
}

// How a Pump ends when nobody asked for it.
var (
	ErrNoShutdown = errors.New("the editor ended the connection without a shutdown request")
	ErrHostGone   = errors.New("the host of the workspace is gone: restart the language server in the editor; nothing that was written is lost")
)

const (
	maxHeader = 64 << 10
	// maxLookedAt bounds the messages that are looked into; those that matter are short.
	maxLookedAt = 1 << 20
	// lastAnswers is how long the host may still speak when the editor has ended.
	lastAnswers = 500 * time.Millisecond
)

// Run returns when the editor or the host has ended, or ctx; nil only after a shutdown, or
// when ctx asked for the end.
func (p *Pump) Run(ctx context.Context) error {
	in := bufio.NewReaderSize(p.Editor, 64<<10)
	defer context.AfterFunc(ctx, func() { _ = p.Editor.Close() })()
	before, id, params, err := p.introduced(in)
	if err != nil {
		return p.ended(ctx)
	}
	host, err := p.Dial(ctx, params)
	if err != nil {
		return errors.Join(err, p.refuse(id, err))
	}
	defer host.Close()
	if _, err := host.Write(before); err != nil {
		return errors.Join(ErrHostGone, p.refuse(id, ErrHostGone))
	}
	defer context.AfterFunc(ctx, func() { _ = host.Close() })()

	hostEnded, editorEnded := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(hostEnded)
		p.tell(host)
	}()
	go func() {
		defer close(editorEnded)
		p.forward(host, in)
		if c, ok := host.(interface{ CloseWrite() error }); ok {
			_ = c.CloseWrite()
		}
	}()
	select {
	case <-editorEnded:
		select {
		case <-hostEnded:
		case <-time.After(lastAnswers):
		}
		return p.ended(ctx)
	case <-hostEnded:
	}
	select {
	case <-editorEnded: // it said exit
		return p.ended(ctx)
	case <-time.After(lastAnswers / 5): // the host hears an exit first
	}
	if ctx.Err() != nil {
		return nil
	}
	_ = p.message(map[string]any{"method": "window/showMessage", "params": map[string]any{"type": 1, "message": "galley: " + ErrHostGone.Error()}})
	return ErrHostGone
}

func (p *Pump) ended(ctx context.Context) error {
	if p.shut || ctx.Err() != nil {
		return nil
	}
	return ErrNoShutdown
}

// introduced reads up to initialize; before is all that was read.
func (p *Pump) introduced(in *bufio.Reader) (before []byte, id, params json.RawMessage, err error) {
	for {
		f, err := readFrame(in)
		if err != nil {
			return nil, nil, nil, err
		}
		before = append(before, f.raw()...)
		if m := p.look(f); m.Method == "initialize" {
			return before, m.ID, m.Params, nil
		}
	}
}

// forward carries the editor's messages to the host.
func (p *Pump) forward(host io.Writer, in *bufio.Reader) {
	for {
		f, err := readFrame(in)
		if err == nil {
			_, err = host.Write(f.raw())
		}
		if err != nil || p.look(f).Method == "exit" {
			return
		}
	}
}

type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
}

// methodConfiguration is how a host asks for settings.
const methodConfiguration = "workspace/configuration"

// mentions reports whether a message may be one that matters. Those that do are short.
func (f frame) mentions(words ...string) bool {
	return len(f.body) <= maxLookedAt && slices.ContainsFunc(words, func(w string) bool { return bytes.Contains(f.body, []byte(`"`+w+`"`)) })
}

// look sees what must be known of an editor's message.
func (p *Pump) look(f frame) (m message) {
	if !f.mentions("initialize", "shutdown", "exit", "workspace/didChangeConfiguration", "result") || json.Unmarshal(f.body, &m) != nil {
		return message{}
	}
	p.shut = p.shut || m.Method == "shutdown"
	if p.Settings == nil {
		return m
	}
	switch _, asked := p.asked.LoadAndDelete(string(m.ID)); {
	case m.Method == "workspace/didChangeConfiguration":
		var params struct {
			Settings json.RawMessage `json:"settings"`
		}
		if json.Unmarshal(m.Params, &params) == nil {
			p.Settings(params.Settings)
		}
	case m.Method == "" && asked:
		var list []json.RawMessage
		if json.Unmarshal(m.Result, &list) == nil && len(list) > 0 {
			p.Settings(list[0])
		}
	}
	return m
}

// tell carries the host's messages to the editor. The host never waits for an editor that
// does not read: of what is a whole state, only the newest is kept for it.
func (p *Pump) tell(host io.Reader) {
	var q queue
	q.wake.L = &q.mu
	written := make(chan struct{})
	go func() {
		defer close(written)
		for {
			f, ok := q.next()
			if !ok {
				return
			}
			if _, err := p.Editor.Write(f.raw()); err != nil {
				q.end()
				return
			}
		}
	}()
	in := bufio.NewReaderSize(host, 64<<10)
	for {
		f, err := readFrame(in)
		if err != nil {
			break
		}
		var m message
		if f.mentions(methodConfiguration) && json.Unmarshal(f.body, &m) == nil && m.Method == methodConfiguration {
			p.asked.Store(string(m.ID), true)
		}
		q.put(f)
	}
	q.end()
	<-written
}

// refuse answers initialize with an error.
func (p *Pump) refuse(id json.RawMessage, why error) error {
	const serverNotInitialized = -32002
	return p.message(map[string]any{"id": id, "error": map[string]any{"code": serverNotInitialized, "message": why.Error()}})
}

// message is one of the pump's own.
func (p *Pump) message(m map[string]any) error {
	m["jsonrpc"] = "2.0"
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	_, err = p.Editor.Write(frame{head: []byte("Content-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n"), body: body}.raw())
	return err
}

// frame is a message as it came. Of one whose length cannot be read there is a head only:
// the other end says what is wrong with it.
type frame struct{ head, body []byte }

func (f frame) raw() []byte { return append(f.head[:len(f.head):len(f.head)], f.body...) }

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

// queue is what the editor has still to read.
type queue struct {
	mu    sync.Mutex // guards the rest
	wake  sync.Cond
	list  []frame
	ended bool
}

// manyWait is from when an editor is taken to be slow.
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
