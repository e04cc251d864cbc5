package memory

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// filled is a session whose journal was written by hand: much faster than
// through the front door.
func filled(b *testing.B, entries int, text string) (place, string) {
	b.Helper()
	p := newPlace(b)
	s := p.create(b)
	ok(b, s.Close())
	var out strings.Builder
	out.WriteString(readFile(b, s.Dir(), journalFile))
	for i := range entries {
		e := Entry{Seq: int64(i + 10), Time: time.Unix(int64(i), 0), Iteration: i / 3, Tokens: 300}
		var payload any
		switch i % 3 {
		case 0:
			e.Type, payload = TypeUser, userPayload{Text: raw(text)}
		case 1:
			e.Type, payload = TypeAssistant, assistantPayload{ToolCalls: []ToolCall{{ID: fmt.Sprint("c", i), Name: "memo_read", Arguments: text}}}
		case 2:
			e.Type, payload = TypeToolResult, resultPayload{CallID: raw(fmt.Sprint("c", i-1)), Content: raw(text)}
		}
		var err error
		e.Payload, err = Marshal(payload)
		ok(b, err)
		line, err := encodeLine(e)
		ok(b, err)
		out.Write(append(line, '\n'))
	}
	writeFile(b, out.String(), s.Dir(), journalFile)
	return p, s.ID()
}

// BenchmarkRequest10k: a request over a journal of 10,000 messages takes at
// most 5 ms after the first.
func BenchmarkRequest10k(b *testing.B) {
	p, id := filled(b, 10_000, strings.Repeat("some text of a message\n", 20))
	s, err := Open(p.home, p.workspace, id)
	ok(b, err)
	defer s.Close()
	in := RequestInput{System: "sys", Agents: "agents", Tools: []ToolSpec{{Name: "memo_read"}}}
	s.Request(in)
	b.ResetTimer()
	for b.Loop() {
		in.Tasks = fmt.Sprint("task ", b.N)
		if req, _ := s.Request(in); len(req.Messages) < 10_000 {
			b.Fatal("messages are missing")
		}
	}
	b.ReportMetric(5, "aim-ms")
}

// BenchmarkOpen100MB: a journal of 100 MB opens within 2 s.
func BenchmarkOpen100MB(b *testing.B) {
	p, id := filled(b, 80_000, strings.Repeat("a line of \"text\" in a result\n", 41))
	fi, err := os.Stat(filepath.Join(homes(p.home, p.workspace)[0], id, journalFile))
	ok(b, err)
	b.SetBytes(fi.Size())
	b.ResetTimer()
	for b.Loop() {
		s, err := Open(p.home, p.workspace, id)
		ok(b, err)
		if len(s.Entries()) < 80_000 || s.ReadOnly() {
			b.Fatal(s.Warnings())
		}
		ok(b, s.Close())
	}
	b.ReportMetric(2000, "aim-ms")
	b.ReportMetric(float64(fi.Size())/1e6, "MB")
}

// BenchmarkAppend: one entry, not synced; it must not grow with the journal.
func BenchmarkAppend(b *testing.B) {
	s := newStore(b)
	for b.Loop() {
		ok(b, s.AddUser("a short message"))
	}
}
