package lsptest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"
)

// recording is what was recorded in the real Neovim: see testdata/neovim/record.lua.
type recording struct {
	Open  string
	Steps []struct {
		Keys     string
		Edit     json.RawMessage   // of a server
		Replaced []json.RawMessage // [first, last, new last, rows]
		Sent     []json.RawMessage // [line, column, line, column, text]
		Text     string
	}
}

func recordings(t *testing.T, version string) []recording {
	t.Helper()
	data, err := os.ReadFile("testdata/neovim/" + version + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var all []recording
	in := bufio.NewScanner(bytes.NewReader(data))
	for in.Buffer(nil, 1<<20); in.Scan(); {
		var one recording
		if err := json.Unmarshal(in.Bytes(), &one); err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	return all
}

// unpack reads a list of JSON into as many places.
func unpack(t *testing.T, raw json.RawMessage, into ...any) {
	t.Helper()
	if err := json.Unmarshal(raw, &into); err != nil {
		t.Fatal(err)
	}
}

// The editor of these tests tells the server of every edit what the real Neovim does, and makes a server's edits as that
// does.
func TestNeovimAsRecorded(t *testing.T) {
	for version, lined := range map[string]Lined{"0.10": Lined010, "0.12": Lined012} {
		for n, rec := range recordings(t, version) {
			text, form := load(LinesFormat, rec.Open)
			b := &buffer{text: text, form: form, unended: unended(text)}
			for i, step := range rec.Steps {
				at := fmt.Sprintf("%s, line %d, step %d (%q)", version, n+1, i, step.Keys)
				var made []rowEdit
				for _, raw := range step.Replaced {
					var r rowEdit
					var newLast int
					unpack(t, raw, &r.first, &r.last, &newLast, &r.rows)
					made = append(made, r)
				}
				if step.Edit != nil {
					b.checkEdit(t, at, step.Edit, made, lined)
				}
				b.checkEvents(t, at, step.Sent, made, lined)
				rows := b.rows()
				for _, r := range made {
					rows = r.apply(rows)
				}
				if b.text = b.ofRows(rows); b.text != step.Text {
					t.Fatalf("%s: %q, want %q", at, b.text, step.Text)
				}
			}
		}
	}
}

func (b *buffer) checkEdit(t *testing.T, at string, raw json.RawMessage, want []rowEdit, lined Lined) {
	t.Helper()
	var e TextEdit
	unpack(t, raw, &e.Range.Start.Line, &e.Range.Start.Character, &e.Range.End.Line, &e.Range.End.Character, &e.NewText)
	got := b.served([]TextEdit{e}, UTF16, lined)
	if !slices.EqualFunc(got, want, func(x, y rowEdit) bool {
		return x.first == y.first && x.last == y.last && slices.Equal(x.rows, y.rows)
	}) {
		t.Errorf("%s: edit %s of %q makes %v, want %v", at, raw, b.text, got, want)
	}
}

func (b *buffer) checkEvents(t *testing.T, at string, want []json.RawMessage, made []rowEdit, lined Lined) {
	t.Helper()
	got := b.events(change{before: b.text, rows: made}, UTF16, lined)
	if len(got) != len(want) {
		t.Errorf("%s: %d events, want %d", at, len(got), len(want))
		return
	}
	for i, raw := range want {
		e := contentChange{Range: &Range{}}
		unpack(t, raw, &e.Range.Start.Line, &e.Range.Start.Character, &e.Range.End.Line, &e.Range.End.Character, &e.Text)
		if *got[i].Range != *e.Range || got[i].Text != e.Text {
			t.Errorf("%s: event %d is %v %q, want %v %q (%q)", at, i, *got[i].Range, got[i].Text, *e.Range, e.Text, b.text)
		}
	}
}
