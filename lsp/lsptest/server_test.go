package lsptest

import (
	"bufio"
	"encoding/json"
	"net"
	"strings"
	"sync"
	"testing"
	"unicode/utf16"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// server is the smallest thing an editor can talk to. It keeps documents by code of its own (UTF-16 code units or runes
// by line, nothing of this package's positions), sends what a command tells it to, and forgets every answer.
type server struct {
	conn     net.Conn
	encoding string
	sync     int
	texts    map[string]string
	versions map[string][]int
	parked   json.RawMessage // id of a command that waits for test/answer
	done     chan struct{}
}

// dial starts a server and an editor that shook hands with it.
func dial(t *testing.T, p Profile) *Editor { return dialSync(t, p, 2) }

func dialSync(t *testing.T, p Profile, kind int) *Editor {
	t.Helper()
	here, there := net.Pipe()
	s := &server{conn: there, sync: kind, texts: map[string]string{}, versions: map[string][]int{}, done: make(chan struct{})}
	go s.serve()
	e := Dial(here, p)
	var once sync.Once
	t.Cleanup(func() {
		once.Do(func() {
			if err := e.Close(); err != nil {
				t.Error(err)
			}
			<-s.done
		})
	})
	if err := e.Initialize(t.Context(), Init{Root: t.TempDir(), Settings: map[string]any{"galley": map[string]any{"a": 1}}}); err != nil {
		t.Fatal(err)
	}
	return e
}

func (s *server) serve() {
	defer close(s.done)
	defer s.conn.Close()
	r := bufio.NewReader(s.conn)
	for {
		body, err := readFrame(r)
		if err != nil {
			return
		}
		var m Message
		if json.Unmarshal(body, &m) != nil || m.Method == "" {
			continue
		}
		s.handle(m)
	}
}

func (s *server) write(v any) {
	data, _ := json.Marshal(v)
	_, _ = s.conn.Write(frame(data)) // the editor may be gone
}

func (s *server) answer(id json.RawMessage, result any) {
	s.write(map[string]any{"jsonrpc": "2.0", "id": id, "result": result})
}

func (s *server) handle(m Message) {
	switch m.Method {
	case "initialize":
		s.answer(m.ID, s.initialize(m.Params))
	case "textDocument/didOpen", "textDocument/didChange":
		s.document(m)
	case "test/texts":
		s.answer(m.ID, s.texts)
	case "test/versions":
		s.answer(m.ID, s.versions)
	case "test/answer":
		s.answer(s.parked, nil)
		s.answer(m.ID, nil)
	case executeCommand:
		s.command(m)
	case "workspace/textDocumentContent":
		s.answer(m.ID, map[string]any{"text": "content"})
	case "textDocument/codeLens":
		s.answer(m.ID, []any{map[string]any{"range": Range{}, "command": sendCommand("Apply A")}})
	case "textDocument/codeAction":
		s.answer(m.ID, []any{map[string]any{"title": "Apply A", "command": sendCommand("Apply A")}, sendCommand("Reject A")})
	default:
		if m.ID != nil {
			s.answer(m.ID, nil)
		}
	}
}

func (s *server) initialize(params json.RawMessage) any {
	var p struct {
		Capabilities struct {
			General struct {
				PositionEncodings []string `json:"positionEncodings"`
			} `json:"general"`
		} `json:"capabilities"`
	}
	_ = json.Unmarshal(params, &p)
	s.encoding = UTF16
	if offered := p.Capabilities.General.PositionEncodings; len(offered) > 0 {
		s.encoding = offered[0]
	}
	return map[string]any{"capabilities": map[string]any{
		"positionEncoding": s.encoding, "textDocumentSync": map[string]any{"openClose": true, "change": s.sync},
		"executeCommandProvider": map[string]any{"commands": []string{"send", "park"}},
		"codeLensProvider":       map[string]any{},
	}}
}

// sendCommand makes the server show its title as a message.
func sendCommand(title string) map[string]any {
	shown := note("window/showMessage", map[string]any{"type": 3, "message": title})
	return map[string]any{"title": title, "command": "send", "arguments": []any{shown}}
}

// command: "send" puts its arguments on the wire as they are and is answered; "park" is answered later.
func (s *server) command(m Message) {
	var params struct {
		Command   string            `json:"command"`
		Arguments []json.RawMessage `json:"arguments"`
	}
	_ = json.Unmarshal(m.Params, &params)
	for _, raw := range params.Arguments {
		s.write(raw)
	}
	if params.Command == "park" {
		s.parked = m.ID
		return
	}
	s.answer(m.ID, nil)
}

func (s *server) document(m Message) {
	var p struct {
		TextDocument struct {
			URI     string `json:"uri"`
			Text    string `json:"text"`
			Version int    `json:"version"`
		} `json:"textDocument"`
		ContentChanges []struct {
			Range *Range `json:"range"`
			Text  string `json:"text"`
		} `json:"contentChanges"`
	}
	_ = json.Unmarshal(m.Params, &p)
	uri := p.TextDocument.URI
	s.versions[uri] = append(s.versions[uri], p.TextDocument.Version)
	if m.Method == "textDocument/didOpen" {
		s.texts[uri] = p.TextDocument.Text
	}
	for _, c := range p.ContentChanges {
		if c.Range == nil {
			s.texts[uri] = c.Text
			continue
		}
		old := s.texts[uri]
		s.texts[uri] = old[:s.at(old, c.Range.Start)] + c.Text + old[s.at(old, c.Range.End):]
	}
}

// at is the naive way to an offset: split into lines, spell the line in code units, take so many.
func (s *server) at(text string, p Position) int {
	lines := strings.SplitAfter(text, "\n")
	offset := 0
	for _, line := range lines[:p.Line] {
		offset += len(line)
	}
	line := lines[p.Line]
	if full, ended := strings.CutSuffix(line, "\n"); ended {
		line = strings.TrimSuffix(full, "\r")
	}
	switch s.encoding {
	case UTF8:
		return offset + min(p.Character, len(line))
	case UTF32:
		runes := []rune(line)
		return offset + len(string(runes[:min(p.Character, len(runes))]))
	}
	codes := utf16.Encode([]rune(line))
	return offset + len(string(utf16.Decode(codes[:min(p.Character, len(codes))])))
}

// note and ask are messages for "send".
func note(method string, params any) map[string]any {
	return map[string]any{"jsonrpc": "2.0", "method": method, "params": params}
}

func ask(id, method string, params any) map[string]any {
	return map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params}
}

// send makes the server send messages.
func send(t *testing.T, e *Editor, messages ...any) {
	t.Helper()
	if _, err := e.Execute(t.Context(), "send", messages...); err != nil {
		t.Fatal(err)
	}
}

// texts are the documents as the server has them. The question flushes nothing.
func texts(t *testing.T, e *Editor) map[string]string {
	t.Helper()
	data, err := e.BeginUnflushed("test/texts", nil).Result(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var texts map[string]string
	if err := json.Unmarshal(data, &texts); err != nil {
		t.Fatal(err)
	}
	return texts
}

// methods are the methods that went to the server, answers as "answer".
func methods(e *Editor) []string {
	var names []string
	for _, line := range e.Log() {
		var m Message
		if !line.ToServer || json.Unmarshal(line.Body, &m) != nil {
			continue
		}
		if m.Method == "" {
			m.Method = "answer"
		}
		names = append(names, m.Method)
	}
	return names
}

// applyEdit is a versioned edit that inserts text at the start of a line.
func applyEdit(id, uri string, version, line int, text string) map[string]any {
	at := Position{line, 0}
	return ask(id, "workspace/applyEdit", map[string]any{"edit": map[string]any{"documentChanges": []any{map[string]any{
		"textDocument": map[string]any{"uri": uri, "version": version},
		"edits":        []any{map[string]any{"range": Range{at, at}, "newText": text}},
	}}}})
}
