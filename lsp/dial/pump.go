package dial

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"sync"
	"time"

	"github.com/galley-ls/galley/lsp"
)

// Pump carries what an editor and the host of its workspace say to each other, byte for
// byte. It keeps no state of the conversation. On the same connection it carries what the
// runs say that the editor asks for, whose loops work in this process: so the host knows
// whose they are, and nothing that the editor said before is overtaken.
type Pump struct {
	// Dial connects to the host, for an editor that says so of itself in initialize. Its
	// error is the answer.
	Dial func(ctx context.Context, initialize json.RawMessage) (net.Conn, error)
	// Settings hears of the editor's settings as they pass, in the shape in which the editor
	// sends them; may be nil.
	Settings func(sent json.RawMessage)
	// Begun hears that the editor has the answer to initialize; may be nil.
	Begun func()
	// Asker is given the other end of the host for the runs, which ends with the pump's.
	// It answers galley.ask in the host's place; nil: the host does.
	Asker func(conn io.ReadWriteCloser) Ask

	editor io.ReadWriteCloser
	out    *queue // for the editor
	host   net.Conn
	toHost sync.Mutex // keeps the frames for the host whole
	runs   *lane
	ask    Ask
	shut   bool     // the editor has said shutdown; of the goroutine that reads it
	asked  sync.Map // IDs of the host's requests for settings
}

// Ask answers galley.ask, with the argument of the command, in a goroutine of its own.
type Ask func(ctx context.Context, argument json.RawMessage) (any, error)

// ErrHostGone is how a Pump ends whose host does.
var ErrHostGone = errors.New("the host of the workspace is gone: restart the language server in the editor; nothing that was written is lost")

const (
	// lastAnswers is how long the host may still speak when the editor has ended.
	lastAnswers = 500 * time.Millisecond
	// lastWords is how long an editor is given to read what is left for it.
	lastWords = 500 * time.Millisecond
)

// Run carries an editor's conversation. It returns when the editor or the host has ended,
// or ctx; nil only after a shutdown, or when ctx asked for the end.
func (p *Pump) Run(ctx context.Context, editor io.ReadWriteCloser) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p.editor, p.out = editor, newQueue()
	defer p.tell()()
	defer context.AfterFunc(ctx, func() { _ = editor.Close() })()

	in := newReader(editor)
	before, m, err := p.introduced(in)
	if err != nil {
		return p.ended(ctx)
	}
	if p.host, err = p.Dial(ctx, m.Params); err != nil {
		p.answer(m.ID, nil, err)
		return err
	}
	defer p.host.Close()
	defer context.AfterFunc(ctx, func() { _ = p.host.Close() })()
	if p.Asker != nil {
		mine, its := net.Pipe()
		p.runs = &lane{Conn: mine}
		defer mine.Close()
		p.ask = p.Asker(its)
		go p.carryRuns()
	}
	for _, f := range before {
		if p.send(f) != nil {
			p.answer(m.ID, nil, ErrHostGone)
			return ErrHostGone
		}
	}
	return p.carry(ctx, in)
}

// carry carries messages both ways until one end is over.
func (p *Pump) carry(ctx context.Context, in *bufio.Reader) error {
	hostEnded, editorEnded := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(hostEnded)
		p.listen()
	}()
	go func() {
		defer close(editorEnded)
		p.forward(ctx, in)
		if c, ok := p.host.(interface{ CloseWrite() error }); ok {
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
	p.Tell(1, "galley: "+ErrHostGone.Error())
	return ErrHostGone
}

func (p *Pump) ended(ctx context.Context) error {
	if p.shut || ctx.Err() != nil {
		return nil
	}
	return lsp.ErrNoShutdown
}

// introduced reads up to initialize, which is the last of before.
func (p *Pump) introduced(in *bufio.Reader) (before []frame, m message, err error) {
	for m.Method != "initialize" {
		f, err := readFrame(in)
		if err != nil {
			return nil, m, err
		}
		before, m = append(before, f), p.look(f)
	}
	return before, m, nil
}

// forward carries the editor's messages to the host, until the editor has ended: that the host is gone shows where it is heard.
func (p *Pump) forward(ctx context.Context, in *bufio.Reader) {
	for first := true; ; first = false {
		f, err := readFrame(in)
		if err != nil {
			return
		}
		if first && p.Begun != nil {
			p.Begun()
		}
		m := p.look(f)
		if p.takes(ctx, m) {
			continue
		}
		_ = p.send(f)
		if m.Method == "exit" {
			return
		}
	}
}

// send brings a message to the host.
func (p *Pump) send(f frame) error {
	p.toHost.Lock()
	defer p.toHost.Unlock()
	_, err := p.host.Write(f.raw())
	return err
}

// look sees what must be known of an editor's message.
func (p *Pump) look(f frame) (m message) {
	if !f.mentions("initialize", "shutdown", "exit", "workspace/didChangeConfiguration", "result", commandAsk, commandSend) || json.Unmarshal(f.body, &m) != nil {
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

// The commands that the pump answers itself.
const (
	commandAsk  = "galley.ask"
	commandSend = "galley.send"
)

// takes answers what the editor asks of the agent.
func (p *Pump) takes(ctx context.Context, m message) bool {
	var params struct {
		Command   string            `json:"command"`
		Arguments []json.RawMessage `json:"arguments"`
	}
	if p.ask == nil || m.Method != "workspace/executeCommand" || json.Unmarshal(m.Params, &params) != nil ||
		params.Command != commandAsk && params.Command != commandSend {
		return false
	}
	argument := json.RawMessage("null")
	if len(params.Arguments) > 0 {
		argument = params.Arguments[0]
	}
	go func() {
		var result any
		var err error
		if params.Command == commandSend {
			argument, err = lsp.Sending(argument)
		}
		if err == nil {
			result, err = p.ask(ctx, argument)
		}
		p.answer(m.ID, result, err)
	}()
	return true
}

// listen carries the host's messages to the editor, and to the runs. The host never waits
// for an editor that does not read.
func (p *Pump) listen() {
	in := newReader(p.host)
	for {
		f, err := readFrame(in)
		if err != nil {
			return
		}
		if p.runs != nil && p.runs.takes(f) {
			continue
		}
		var m message
		if f.mentions(methodConfiguration) && json.Unmarshal(f.body, &m) == nil && m.Method == methodConfiguration {
			p.asked.Store(string(m.ID), true)
		}
		p.out.put(f)
	}
}

// methodConfiguration is how a host asks for settings.
const methodConfiguration = "workspace/configuration"

// carryRuns carries what runs say to the host.
func (p *Pump) carryRuns() {
	in := newReader(p.runs)
	for {
		f, err := readFrame(in)
		if err != nil || p.send(p.runs.marked(f)) != nil {
			return
		}
	}
}

// tell writes to the editor what is for it, until what it returns is called.
func (p *Pump) tell() (end func()) {
	written := make(chan struct{})
	go func() {
		defer close(written)
		for {
			f, ok := p.out.next()
			if !ok {
				return
			}
			if _, err := p.editor.Write(f.raw()); err != nil {
				p.out.end()
				return
			}
		}
	}()
	return func() {
		p.out.end()
		select {
		case <-written:
		case <-time.After(lastWords):
			_ = p.editor.Close()
			<-written
		}
	}
}

// answer answers a request of the editor in the host's place.
func (p *Pump) answer(id json.RawMessage, result any, err error) {
	if err == nil {
		p.say(map[string]any{"id": id, "result": result})
		return
	}
	const requestFailed = -32803
	failure := map[string]any{"code": requestFailed, "message": err.Error()}
	var wire interface{ ErrorData() (code int, data any) } // as the host gave it
	if errors.As(err, &wire) {
		failure["code"], failure["data"] = wire.ErrorData()
	}
	p.say(map[string]any{"id": id, "error": failure})
}

// Tell shows the editor's user a sentence: an error (1), or a warning (2).
func (p *Pump) Tell(kind int, sentence string) {
	p.say(map[string]any{"method": "window/showMessage", "params": map[string]any{"type": kind, "message": sentence}})
}

// say tells the editor something of the pump's own.
func (p *Pump) say(m map[string]any) {
	m["jsonrpc"] = "2.0"
	if body, err := json.Marshal(m); err == nil {
		p.out.put(framed(body))
	}
}

// lane is the connection of the runs, within the process. Their requests have IDs of their
// own on the way; what the host asks of them is known by its name.
type lane struct{ net.Conn }

const (
	laneID     = "galley-run-"
	laneMethod = "galley/run/"
	laneReview = "galley/review"
)

// marked is a message of a run for the host.
func (l *lane) marked(f frame) frame {
	var m map[string]json.RawMessage
	if json.Unmarshal(f.body, &m) != nil || m["id"] == nil || m["method"] == nil {
		return f
	}
	id, _ := json.Marshal(laneID + string(m["id"]))
	m["id"] = id
	body, _ := json.Marshal(m)
	return framed(body)
}

// takes reports whether a message of the host is for the runs, and hands it over.
func (l *lane) takes(f frame) bool {
	if !bytes.Contains(f.body, []byte(laneID)) && !bytes.Contains(f.body, []byte(laneMethod)) && !bytes.Contains(f.body, []byte(laneReview)) {
		return false
	}
	var m map[string]json.RawMessage
	if json.Unmarshal(f.body, &m) != nil {
		return false
	}
	var method, id string
	_ = json.Unmarshal(m["method"], &method)
	_ = json.Unmarshal(m["id"], &id)
	switch own, marked := bytes.CutPrefix([]byte(id), []byte(laneID)); {
	case method == laneReview || bytes.HasPrefix([]byte(method), []byte(laneMethod)):
	case method == "" && marked:
		m["id"] = own
		body, err := json.Marshal(m)
		if err != nil {
			return false
		}
		f = framed(body)
	default:
		return false
	}
	_, _ = l.Write(f.raw()) // with the runs gone nobody waits for it
	return true
}
