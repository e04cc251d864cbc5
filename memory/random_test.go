package memory

import (
	"encoding/json"
	"flag"
	"io"
	"os"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// ram is a journal's file that no disk has: 100,000 histories are made in it.
type ram struct{ data []byte }

func (r *ram) WriteAt(p []byte, at int64) (int, error) {
	r.data = append(r.data[:at], p...)
	return len(p), nil
}

func (r *ram) Truncate(size int64) error { r.data = r.data[:size]; return nil }
func (r *ram) Sync() error               { return nil }
func (r *ram) Close() error              { return nil }

var _ io.Closer = (*ram)(nil)

// storeIn is a session whose journal is in memory, as far as it is written.
func storeIn(dir string, r *ram) *Store {
	s := &Store{id: "ram", dir: dir, now: time.Now}
	c := parseJournal(journalFile, r.data)
	s.entries, s.writer = c.entries, journalWriter{f: r, name: journalFile, end: journalEnd{c.end, c.unended}}
	if n := len(s.entries); n > 0 {
		s.opened = s.entries[n-1].Seq
	}
	return s
}

// profiles are both kinds of servers.
var profiles = []Rules{{Sent: true}, {Sent: true, Strict: true, NoSystem: true, ShortIDs: true}}

// TestCase28RandomHistories: any history, with any settings, gives a valid request to servers of both kinds, twice the same
// bytes, and the same again from its journal; with GALLEY_LONG 100,000 of them.
func TestCase28RandomHistoriesLong(t *testing.T) {
	if os.Getenv("GALLEY_LONG") != "" {
		checks := flag.Lookup("rapid.checks")
		was := checks.Value.String()
		ok(t, flag.Set("rapid.checks", "100000"))
		defer func() { ok(t, flag.Set("rapid.checks", was)) }()
	}
	dir := t.TempDir()
	ok(t, os.MkdirAll(dir+"/"+memoryDir, 0o700))
	overview, err := newOverview(Meta{ID: "ram"})
	ok(t, err)
	writeFile(t, overview, dir, memoryDir, overviewFile)
	rapid.Check(t, func(rt *rapid.T) {
		file := &ram{}
		s := storeIn(dir, file)
		in := randomInput(rt)
		for range rapid.IntRange(0, 40).Draw(rt, "steps") {
			switch rapid.IntRange(0, 9).Draw(rt, "between") {
			case 0:
				s = storeIn(dir, file) // the process died, and the session is opened again
			case 1:
				in = randomInput(rt)
			case 2:
				askedFor(rt, s, in)
			}
			randomStep(rt, s)
		}
		req, meta := askedFor(rt, s, in)
		again := storeIn(dir, file)
		replayed, replayedMeta := again.Request(in)
		if !reflect.DeepEqual(replayed, req) || !reflect.DeepEqual(replayedMeta, meta) {
			rt.Fatalf("from the journal:\n%+v %+v\nlive:\n%+v %+v", replayed, replayedMeta, req, meta)
		}
		if odd := again.convLocked().odd; len(odd) != 0 {
			rt.Fatalf("odd entries: %v", odd)
		}
	})
}

func randomInput(rt *rapid.T) RequestInput {
	text := rapid.SampledFrom([]string{"", "words"})
	in := RequestInput{
		System: text.Draw(rt, "system"), Agents: text.Draw(rt, "agents"), Tasks: text.Draw(rt, "tasks"), Pending: text.Draw(rt, "pending"),
		Model:    rapid.SampledFrom([]string{"one", "two"}).Draw(rt, "model"),
		History:  rapid.SampledFrom([]string{HistoryAuto, HistoryAlways, HistoryNever, "recent:2"}).Draw(rt, "history"),
		Messages: rapid.SampledFrom([]int{0, 4, 20}).Draw(rt, "messages"), Window: rapid.SampledFrom([]int{0, 500, 2000, 100_000}).Draw(rt, "window"),
	}
	for _, name := range rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "read"}), 0, 3).Draw(rt, "tools") {
		in.Tools = append(in.Tools, ToolSpec{Name: name})
	}
	return in
}

// askedFor makes a request and holds it against all rules, for servers of both kinds.
func askedFor(rt *rapid.T, s *Store, in RequestInput) (Request, ContextMeta) {
	if _, err := s.NoteView(in); err != nil {
		rt.Fatalf("note the view: %v", err)
	}
	req, meta := s.Request(in)
	checkRules(rt, req.Messages)
	if meta.TokensUsed != meta.Categories.Sum() {
		rt.Fatalf("R21: %+v", meta)
	}
	if twice, twiceMeta := s.Request(in); !reflect.DeepEqual(twice, req) || !reflect.DeepEqual(twiceMeta, meta) {
		rt.Fatalf("R28: twice\n%+v\n%+v", twice, req)
	}
	for _, rules := range profiles {
		sent, _ := Gate(req, rules)
		checkSent(rt, sent, rules)
		if again, told := Gate(sent, rules); !reflect.DeepEqual(again, sent) || len(told) > 0 {
			rt.Fatalf("a second time through the gate: %q", told)
		}
	}
	return req, meta
}

// A message in JSON is read back byte for byte, whatever a server or a person has put into it.
func TestMessageJSONIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.Custom(func(t *rapid.T) string { return string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) })
		m := Message{Role: RoleAssistant, Content: text.Draw(t, "content"), Reasoning: text.Draw(t, "reasoning"), ToolCallID: text.Draw(t, "of")}
		for range rapid.IntRange(0, 2).Draw(t, "calls") {
			m.ToolCalls = append(m.ToolCalls, ToolCall{ID: text.Draw(t, "id"), Name: text.Draw(t, "name"), Arguments: text.Draw(t, "arguments"), Extra: json.RawMessage(`{"a":1}`)})
		}
		raw, err := Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		var again Message
		if err := json.Unmarshal(raw, &again); err != nil || !reflect.DeepEqual(m, again) {
			t.Fatalf("%q is read back from %s as %q: %v", m, raw, again, err)
		}
	})
}
