package lsptest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"strconv"
)

// wakeLocked tells the writer and all who wait.
func (e *Editor) wakeLocked() {
	close(e.changed)
	e.changed = make(chan struct{})
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

func (e *Editor) writeLoop() {
	defer e.loops.Done()
	for range e.wake {
		e.mu.Lock()
		out, closed := e.out, e.closed || e.ended != nil
		e.out = nil
		e.mu.Unlock()
		for _, body := range out {
			if _, err := e.rwc.Write(body); err != nil {
				return // the reader tells why
			}
		}
		if closed {
			return
		}
	}
}

func (e *Editor) readLoop() {
	defer e.loops.Done()
	r := bufio.NewReaderSize(e.rwc, 1<<16)
	for {
		body, err := readFrame(r)
		e.mu.Lock()
		if err != nil {
			e.ended = err
			e.screen.Ended = err
			e.wakeLocked()
			e.mu.Unlock()
			return
		}
		e.log = append(e.log, Line{Body: body})
		e.receiveLocked(body)
		e.wakeLocked()
		e.mu.Unlock()
	}
}

// receiveLocked acts on one message of the server.
func (e *Editor) receiveLocked(body []byte) {
	var m Message
	if err := json.Unmarshal(body, &m); err != nil {
		e.check.say("message is not JSON-RPC: %v", err)
		return
	}
	e.check.message(e, body, m)
	switch {
	case m.Method == "":
		e.responseLocked(m)
	case len(m.ID) > 0:
		e.serveLocked(m)
	default:
		e.noteLocked(m)
	}
}

// sendLocked puts a message on the wire.
func (e *Editor) sendLocked(m Message) {
	m.JSONRPC = "2.0"
	body, err := json.Marshal(m)
	if err != nil {
		panic(fmt.Sprintf("lsptest: encode %s: %v", m.Method, err))
	}
	e.check.sent(m)
	e.log = append(e.log, Line{ToServer: true, Body: body})
	e.out = append(e.out, frame(body))
	e.wakeLocked()
}

func (e *Editor) notifyLocked(method string, params any) {
	e.sendLocked(Message{Method: method, Params: encode(params)})
}

// Notify sends a notification; params may be nil.
func (e *Editor) Notify(method string, params any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.notifyLocked(method, params)
}

func encode(v any) json.RawMessage {
	if v == nil {
		return nil
	}
	data, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("lsptest: encode %T: %v", v, err))
	}
	return data
}

func (e *Editor) newIDLocked() json.RawMessage {
	e.nextID++
	return json.RawMessage(strconv.Itoa(e.nextID))
}
