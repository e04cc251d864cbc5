package lsp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"testing"
)

// typed is a sequence that was recorded in the real Neovim: see record.lua beside
// the data.
type typed struct {
	Open  string
	Steps []struct {
		Keys  string
		Sent  [][5]any // line, column, line, column, text
		Saved *string
		Text  string // of the buffer, as didOpen and didSave tell it
	}
}

func recorded(t *testing.T, version string) []typed {
	t.Helper()
	data, err := os.ReadFile("lsptest/testdata/neovim/" + version + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var all []typed
	in := bufio.NewScanner(bytes.NewReader(data))
	for in.Buffer(nil, 1<<20); in.Scan(); {
		var one typed
		if err := json.Unmarshal(in.Bytes(), &one); err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	return all
}

// follower is a server without a connection, that a client has said hello to.
func follower(t *testing.T, name, version string) *server {
	ctx, cancel := context.WithCancel(context.Background())
	s := newServer(ctx, Config{Host: newFakeHost(), Configure: readUI})
	t.Cleanup(func() { cancel(); s.work.Wait() })
	s.me = 1
	s.client.Store(clientOf(treeOf(own(map[string]any{"clientInfo": map[string]any{"name": name, "version": version}}))))
	return s
}

// follow plays a recording. It answers the server's text after each step.
func (s *server) follow(one typed, step func(i int, text string)) error {
	const uri = "file:///ws/a.txt"
	doc := map[string]any{"uri": uri, "version": 0, "text": one.Open}
	if err := s.didOpen(own(map[string]any{"textDocument": doc})); err != nil {
		return err
	}
	for i, st := range one.Steps {
		for _, e := range st.Sent { // as Neovim sends them that waits for nothing: one by one
			doc["version"] = doc["version"].(int) + 1
			change := map[string]any{"text": e[4], "range": map[string]any{
				"start": map[string]any{"line": e[0], "character": e[1]}, "end": map[string]any{"line": e[2], "character": e[3]},
			}}
			if err := s.didChange(own(map[string]any{"textDocument": doc, "contentChanges": []any{change}})); err != nil {
				return fmt.Errorf("step %d, %q: %w", i, st.Keys, err)
			}
		}
		if st.Saved != nil {
			if err := s.didSave(own(map[string]any{"textDocument": doc, "text": *st.Saved})); err != nil {
				return err
			}
		}
		d, _ := s.ws.Snapshot().Document("/ws/a.txt")
		step(i, d.Base.String())
	}
	return s.didClose(own(map[string]any{"textDocument": doc}))
}

// The server's text is Neovim's, after every key that was recorded. Neovim itself
// blurs if there is an empty line at the end, from 0.11 on; nothing else may ever
// be wrong.
func TestNeovimTyping(t *testing.T) {
	for version, blurred := range map[string]int{"0.10": 0, "0.12": 60} {
		t.Run(version, func(t *testing.T) {
			blurs := 0
			for n, one := range recorded(t, version) {
				s := follower(t, "Neovim", version+".4")
				err := s.follow(one, func(i int, got string) {
					b, _ := s.docs.at("/ws/a.txt")
					switch want := one.Steps[i].Text; {
					case got == want || got == "" && one.empty(i):
					case b.lines.short && (got+"\n" == want || got+"\r\n" == want || got == "" && b.lines.short):
						blurs++
					default:
						t.Errorf("line %d, step %d, %q: %q, want %q (%+v)", n+1, i, one.Steps[i].Keys, got, want, b.lines)
					}
				})
				if err != nil {
					t.Errorf("line %d: %v", n+1, err)
				}
			}
			if blurs > blurred {
				t.Errorf("in %d steps an empty line is missing, want at most %d", blurs, blurred)
			}
			t.Logf("%d blurs", blurs)
		})
	}
}

// empty reports whether Neovim tells a text of one empty line, which is how it
// shows nothing.
func (o typed) empty(step int) bool { s := o.Steps[step].Text; return s == "\n" || s == "\r\n" }
