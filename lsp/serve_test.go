package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

func TestInitialize(t *testing.T) {
	w := dial(t, dialOptions{noHello: true})
	if m := w.call("textDocument/hover", `{}`); m.Error == nil || m.Error.Code != -32002 {
		t.Fatalf("before initialize: %+v", m)
	}
	m := w.hello(dialOptions{name: "Neovim", caps: `{"general":{"positionEncodings":["utf-16","utf-8"]}}`})
	for _, part := range []string{`"positionEncoding":"utf-8"`, `"change":2`, `"galley.apply"`, `"name":"galley"`, `"includeText":true`} {
		if !strings.Contains(string(m.Result), part) {
			t.Errorf("the answer lacks %s: %s", part, m.Result)
		}
	}
	if strings.Contains(string(m.Result), "textDocumentContent") {
		t.Error("virtual documents are offered to a client without them")
	}
	if m := w.call("initialize", `{}`); m.Error == nil || m.Error.Code != -32600 {
		t.Errorf("a second initialize: %+v", m)
	}
}

func TestInitializeTakesOddCapabilities(t *testing.T) {
	for _, caps := range []string{`[]`, `{"workspace":[]}`, `{"workspace":{"applyEdit":"yes"}}`, `null`, `{"general":{"positionEncodings":[1,null,"utf-32"]}}`} {
		w := dial(t, dialOptions{caps: caps})
		if m := w.command(cmdChanges, ``); m.Error != nil {
			t.Errorf("%s: %+v", caps, m.Error)
		}
	}
}

func TestEnds(t *testing.T) {
	end := func(t *testing.T, w *wire, want error) {
		t.Helper()
		select {
		case err := <-w.done:
			w.done <- err
			if !errors.Is(err, want) || want == nil && err != nil {
				t.Errorf("ended with %v, want %v", err, want)
			}
		case <-time.After(time.Second):
			t.Error("did not end within a second")
		}
	}
	t.Run("shutdown and exit", func(t *testing.T) {
		w := dial(t, dialOptions{})
		w.call("shutdown", `null`)
		if m := w.call("textDocument/hover", `{}`); m.Error == nil || m.Error.Code != -32600 {
			t.Errorf("after shutdown: %+v", m)
		}
		w.notify("exit", `null`)
		end(t, w, nil)
	})
	t.Run("exit alone", func(t *testing.T) {
		w := dial(t, dialOptions{})
		w.notify("exit", `null`)
		end(t, w, ErrNoShutdown)
	})
	t.Run("exit before initialize", func(t *testing.T) {
		w := dial(t, dialOptions{noHello: true})
		w.notify("exit", `null`)
		end(t, w, ErrNoShutdown)
	})
	t.Run("closed", func(t *testing.T) {
		w := dial(t, dialOptions{})
		_ = w.conn.Close()
		end(t, w, ErrNoShutdown)
	})
	t.Run("dead parent", func(t *testing.T) {
		w := dial(t, dialOptions{noHello: true, cfg: Config{ParentPoll: time.Millisecond, Alive: func(pid int) bool { return pid != 77 }}})
		w.send("initialize", `{"processId":77,"capabilities":{}}`)
		end(t, w, ErrParentDead)
	})
	t.Run("context", func(t *testing.T) {
		mine, its := net.Pipe()
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error, 1)
		go func() { done <- Serve(ctx, its, Config{Host: newFakeHost()}) }()
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		_ = mine.Close()
	})
}

// However odd a message is, it gets an answer or a warning, and the next one is
// handled as if it had not been.
func TestOddMessages(t *testing.T) {
	frame := func(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }
	for name, bytes := range map[string]string{
		"no JSON":              frame(`{nope`),
		"empty":                frame(``),
		"a number":             frame(`42`),
		"an array":             frame(`[]`),
		"a batch":              frame(`[{"jsonrpc":"2.0","id":900,"method":"shutdown"}]`),
		"wrong version":        frame(`{"jsonrpc":"1.0","id":901,"method":"shutdown"}`),
		"no version":           frame(`{"id":902,"method":"shutdown"}`),
		"fractional id":        frame(`{"jsonrpc":"2.0","id":1.5,"method":"shutdown"}`),
		"object id":            frame(`{"jsonrpc":"2.0","id":{},"method":"shutdown"}`),
		"result and method":    frame(`{"jsonrpc":"2.0","id":903,"method":"x","result":1}`),
		"response to nothing":  frame(`{"jsonrpc":"2.0","id":99999,"result":1}`),
		"response with both":   frame(`{"jsonrpc":"2.0","id":99999,"result":1,"error":{"code":1,"message":"x"}}`),
		"response with error":  frame(`{"jsonrpc":"2.0","id":null,"error":{"code":1.5,"message":3}}`),
		"unknown notification": frame(`{"jsonrpc":"2.0","method":"no/such","params":{}}`),
		"unknown $/":           frame(`{"jsonrpc":"2.0","method":"$/no","params":[]}`),
		"unknown, no params":   frame(`{"jsonrpc":"2.0","method":"no/such"}`),
		"cancel without id":    frame(`{"jsonrpc":"2.0","method":"$/cancelRequest"}`),
		"cancel with object":   frame(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":{}}}`),
		"cancel of nothing":    frame(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":12345}}`),
		"initialized wrongly":  frame(`{"jsonrpc":"2.0","method":"initialized","params":[]}`),
		"configuration wrong":  frame(`{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":[1]}`),
		"watched wrong":        frame(`{"jsonrpc":"2.0","method":"workspace/didChangeWatchedFiles","params":[1]}`),
		"progress wrong":       frame(`{"jsonrpc":"2.0","method":"window/workDoneProgress/cancel","params":{"token":{}}}`),
		"trailing":             frame(`{"jsonrpc":"2.0","method":"x"} {}`),
		"lone surrogate":       frame(`{"jsonrpc":"2.0","method":"\ud800"}`),
		"escaped method":       frame(`{"jsonrpc":"2.0","method":"a\u0000b"}`),
		"invalid UTF-8":        frame("{\"jsonrpc\":\"2.0\",\"method\":\"\xff\"}"),
		"length 0":             "Content-Length: 0\r\n\r\n",
		"negative length":      "Content-Length: -5\r\n\r\n",
		"no number":            "Content-Length: many\r\n\r\n",
		"huge number":          "Content-Length: 99999999999999999999999\r\n\r\n",
		"no length":            "Content-Type: x\r\n\r\n",
		"no colon":             "hello\r\n\r\n",
		"junk before":          "some output of a shell\r\n" + frame(`{"jsonrpc":"2.0","method":"$/x"}`),
		"lower case, more":     "content-type: utf-8\r\ncontent-length: 31\r\n\r\n" + `{"jsonrpc":"2.0","method":"a"}` + " ",
		"bare newlines":        "Content-Length: 30\n\n" + `{"jsonrpc":"2.0","method":"a"}`,
		"letters that grow":    strings.Repeat("İ", 40) + "content-length: x\r\n\r\n",
		"blank lines between":  "\r\n\r\n" + frame(`{"jsonrpc":"2.0","method":"a"}`),
		"deep":                 frame(`{"jsonrpc":"2.0","method":"a","params":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}`),
	} {
		t.Run(name, func(t *testing.T) {
			w := dial(t, dialOptions{})
			if _, err := w.conn.Write([]byte(bytes)); err != nil {
				t.Fatal(err)
			}
			if m := w.command(cmdChanges, `{}`); m.Error != nil || m.Result == nil {
				t.Errorf("the next request got %+v", m)
			}
		})
	}
}

func TestOddRequestsAreAnswered(t *testing.T) {
	w := dial(t, dialOptions{})
	for _, c := range []struct {
		body, id string
		code     int
	}{
		{`{"jsonrpc":"2.0","id":"a","method":"no/such"}`, `"a"`, -32601},
		{`{"jsonrpc":"2.0","id":1000,"method":"textDocument/codeLens","params":[3]}`, `1000`, -32602},
		{`{"jsonrpc":"2.0","id":1001,"method":"textDocument/codeAction","params":{"range":{"start":{"line":-1}}}}`, `1001`, -32602},
		{`{"jsonrpc":"2.0","id":1002,"method":"workspace/executeCommand"}`, `1002`, -32803},
		{`{"jsonrpc":"1.0","id":1003,"method":"shutdown"}`, `1003`, -32600},
		{`{"jsonrpc":"2.0","id":1004,"method":"workspace/textDocumentContent","params":{"uri":"file:///x"}}`, `1004`, -32602},
	} {
		w.raw(c.body)
		m := w.reply2(c.id)
		if m.Error == nil || m.Error.Code != c.code {
			t.Errorf("%s: got %+v, want code %d", c.body, m.Error, c.code)
		}
	}
}

func TestOversizedMessage(t *testing.T) {
	w := dial(t, dialOptions{})
	var faults []string
	mine, its := net.Pipe()
	s := newStream(its, func(reason string, _ []byte) { faults = append(faults, reason) }, func(error) {})
	s.limit = 2 * kept
	go func() {
		body := `{"jsonrpc":"2.0","id":7,"method":"x","params":"` + strings.Repeat("a", 3*kept) + `"}`
		_, _ = fmt.Fprintf(mine, "Content-Length: %d\r\n\r\n%s", len(body), body)
	}()
	answer := make(chan string, 1)
	go func() {
		b := make([]byte, 1000)
		n, _ := mine.Read(b)
		answer <- string(b[:n])
		_, _ = fmt.Fprintf(mine, "Content-Length: 30\r\n\r\n%s", `{"jsonrpc":"2.0","method":"a"}`)
	}()
	msg, _, err := s.Read(context.Background())
	if err != nil || len(faults) != 1 {
		t.Fatalf("%v %v %v", msg, err, faults)
	}
	if a := <-answer; !strings.Contains(a, `"id":7`) || !strings.Contains(a, "too large") {
		t.Error(a)
	}
	_ = mine.Close()
	_ = its.Close()
	w.sync()
}

func TestPanicEndsNothing(t *testing.T) {
	host := newFakeHost()
	w := dial(t, dialOptions{host: host})
	w.open("a.txt", "x\n", 1)
	w.sync()
	host.panics = true
	w.open("b.txt", "y\n", 1)
	if m := w.call("textDocument/hover", `{"textDocument":{"uri":"file:///ws/c.txt"},"position":{"line":0,"character":0}}`); m.Error == nil || m.Error.Code != -32603 {
		t.Errorf("%+v", m)
	}
	host.panics = false
	w.open("c.txt", "z\n", 1)
	if got := w.base("c.txt"); got != "z\n" {
		t.Errorf("%q", got)
	}
}

// What sessions find out is shown: at the start, and later.
func TestWarningsAreShown(t *testing.T) {
	host := newFakeHost()
	host.Say("galley ended while it wrote files")
	w := dial(t, dialOptions{host: host})
	w.awaitMessage("window/showMessage", has("galley ended while it wrote files"))
	host.Say("its editor did not save a.txt")
	w.awaitMessage("window/showMessage", has("its editor did not save a.txt"))
}

func TestTwentyThousandChangesKeepTheirOrder(t *testing.T) {
	w := dial(t, dialOptions{caps: `{"general":{"positionEncodings":["utf-8"]}}`})
	w.open("a.txt", "", 0)
	var want strings.Builder
	col, changes := 0, 20_000
	if testing.Short() {
		changes = 4000
	}
	for i := range changes {
		word := string(rune('a' + i%26))
		w.change("a.txt", i+1, at(0, col, 0, col), word)
		want.WriteString(word)
		col++
		if i%997 == 0 {
			w.send("textDocument/codeLens", `{"textDocument":{"uri":"file:///ws/a.txt"}}`)
		}
	}
	if w.base("a.txt") != want.String() {
		t.Error("the text is another than what was typed")
	}
}

func TestCancelled(t *testing.T) {
	host := newFakeHost()
	host.file("a.txt", "one\n")
	w := dial(t, dialOptions{host: host, caps: applies})
	w.open("a.txt", "one\n", 1)
	host.stage("a.txt", "one", "two")
	w.on("workspace/applyEdit", func(json.RawMessage) any { return nil }) // never
	id := w.send("workspace/executeCommand", `{"command":"galley.apply","arguments":["A"]}`)
	w.awaitMessage("workspace/applyEdit", has("two"))
	w.notify("$/cancelRequest", `{"id":`+id+`}`)
	if m := w.reply2(id); m.Error == nil && !strings.Contains(string(m.Result), "applying") {
		t.Errorf("%+v", m)
	}
}

const applies = `{"workspace":{"applyEdit":true,"workspaceEdit":{"documentChanges":true}},"general":{"positionEncodings":["utf-8"]}}`

// Over the pipes of a real process: what comes in is answered, the end ends.
func TestOverPipes(t *testing.T) {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- Serve(context.Background(), Join(inR, outW), Config{Host: newFakeHost()}) }()
	body := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`
	go func() { _, _ = fmt.Fprintf(inW, "Content-Length: %d\r\n\r\n%s", len(body), body) }()
	got := make([]byte, 4000)
	n, err := outR.Read(got)
	if err != nil || !strings.Contains(string(got[:n]), `"id":1,"result":{"capabilities"`) {
		t.Errorf("%q %v", got[:n], err)
	}
	_ = inW.Close()
	if err := <-done; !errors.Is(err, ErrNoShutdown) {
		t.Error(err)
	}
}
