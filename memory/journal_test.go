package memory

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		payload, err := Marshal(raw(rapid.String().Draw(t, "text")))
		if err != nil {
			t.Fatal(err)
		}
		want := Entry{
			Seq: rapid.Int64Range(1, 1<<50).Draw(t, "seq"), Iteration: rapid.IntRange(0, 1<<30).Draw(t, "iteration"),
			Type: rapid.StringMatching(`[a-z_]{1,20}`).Draw(t, "type"), Tokens: rapid.IntRange(0, 1<<30).Draw(t, "tokens"),
			Time:    time.UnixMilli(rapid.Int64Range(0, 1<<41).Draw(t, "time")).UTC(),
			Payload: payload,
		}
		line, err := encodeLine(want)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.ContainsRune(line, '\n') || !json.Valid(line) {
			t.Fatalf("not one line of JSON: %q", line)
		}
		got, err := decodeLine(line)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("got  %+v %v\nwant %+v", got, err, want)
		}
	})
}

func TestForeignLines(t *testing.T) {
	for _, c := range []struct {
		name, line string
		want       string // part of the error, "" for none
	}{
		{"another order, no checksum", `{"payload":{"text":"x"},"type":"user","seq":3,"time":"2026-01-02T03:04:05Z","iteration":1}`, ""},
		{"blanks", ` { "seq" : 1 , "type" : "user" , "payload" : null } `, ""},
		{"no payload", `{"seq":1,"type":"user"}`, ""},
		{"fields of a later version", `{"seq":1,"type":"user","mood":"good"}`, ""},
		{"no seq", `{"type":"user"}`, "no seq"},
		{"negative seq", `{"seq":-1,"type":"user"}`, "no seq"},
		{"no type", `{"seq":1}`, "no type"},
		{"no object", `[1]`, "cannot unmarshal"},
		{"no JSON", `hello`, "invalid character"},
		{"a wrong checksum", `{"seq":1,"time":"2026-01-02T03:04:05Z","iteration":0,"type":"user","tokens":0,"sum":"00000000","payload":{}}`, "checksum"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, err := decodeLine([]byte(c.line))
			if c.want == "" && (err != nil || e.Type != "user" || e.Payload == nil) {
				t.Errorf("got %+v, %v", e, err)
			}
			if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// TestR31Case19TornTail is case 19: the journal cut at every byte of its last two lines.
func TestR31Case19TornTail(t *testing.T) {
	p := newPlace(t)
	s := p.create(t)
	play(t, s, "U A{a} Ta:a\xffb U:last")
	ok(t, s.Close())
	path := filepath.Join(s.Dir(), journalFile)
	whole := readFile(t, path)
	lines := slices.Collect(strings.Lines(whole))
	two := len(whole) - len(lines[len(lines)-1]) - len(lines[len(lines)-2])
	for cut := two; cut <= len(whole); cut++ {
		writeFile(t, whole[:cut], path)
		s, err := Open(p.home, p.workspace, s.ID())
		ok(t, err)
		kept := len(s.Entries())
		if want := wholeLines(whole[:cut]); kept != want {
			t.Fatalf("cut at %d: %d entries, want %d", cut, kept, want)
		}
		if torn := !endsWhole(whole[:cut], lines); torn != (len(s.Warnings()) > 0) {
			t.Fatalf("cut at %d: warnings %q", cut, s.Warnings())
		}
		if got := readFile(t, path); got != whole[:cut] {
			t.Fatalf("cut at %d: opening wrote", cut)
		}
		ok(t, s.AddUser("new"))
		ok(t, s.Close())
		checkAppended(t, p, s.ID(), whole[:cut], kept)
	}
}

// wholeLines counts the lines of a journal that are whole, with or without
// their newline.
func wholeLines(text string) int {
	n := 0
	for line := range strings.Lines(text) {
		if json.Valid([]byte(line)) {
			n++
		}
	}
	return n
}

func endsWhole(text string, lines []string) bool {
	n := 0
	for _, l := range lines {
		n += len(l)
		if len(text) == n || len(text) == n-1 {
			return true
		}
	}
	return false
}

// checkAppended opens a session again: all it had, whole, and the new entry.
func checkAppended(t *testing.T, p place, id, before string, kept int) {
	t.Helper()
	s, err := Open(p.home, p.workspace, id)
	ok(t, err)
	defer s.Close()
	e := s.Entries()
	if len(s.Warnings()) != 0 || len(e) <= kept || !strings.Contains(string(e[len(e)-1].Payload), "new") {
		t.Fatalf("after an append: %d entries of %d, %q", len(e), kept, s.Warnings())
	}
	text := readFile(t, s.Dir(), journalFile)
	whole := before[:strings.LastIndexByte(before, '\n')+1]
	if !strings.HasPrefix(text, whole) {
		t.Fatal("an append rewrote whole lines")
	}
}

func TestR31Case19DamageInTheMiddle(t *testing.T) {
	p := newPlace(t)
	s := p.create(t)
	play(t, s, "U:one A U:two A U:three")
	ok(t, s.Close())
	path := filepath.Join(s.Dir(), journalFile)
	lines := strings.SplitAfter(readFile(t, path), "\n")
	for _, c := range []struct {
		name, line string
		entries    int
	}{
		{"zeros", strings.Repeat("\x00", len(lines[2])-1) + "\n", 5},
		{"half a line", lines[2][:20] + "\n", 5},
		{"an altered text", strings.Replace(lines[2], "answer", "answre", 1), 6},
		{"a line twice", lines[1], 6},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := lines[0] + lines[1] + c.line + strings.Join(lines[3:], "")
			writeFile(t, text, path)
			s, err := Open(p.home, p.workspace, s.ID())
			ok(t, err)
			defer s.Close()
			if !s.ReadOnly() || len(s.Warnings()) != 1 || !strings.Contains(s.Warnings()[0], "line 3 of messages.jsonl") {
				t.Fatalf("read-only %v, warnings %q", s.ReadOnly(), s.Warnings())
			}
			if got := len(s.Entries()); got != c.entries {
				t.Errorf("%d entries, want %d", got, c.entries)
			}
			if got := written(s.Messages()); !strings.HasSuffix(got, "U:three") {
				t.Errorf("what follows is not readable: %s", got)
			}
			if err := s.AddUser("x"); err == nil || !strings.Contains(err.Error(), "line 3") {
				t.Errorf("an append is refused with %v", err)
			}
			if readFile(t, path) != text {
				t.Error("a damaged journal was written to")
			}
		})
	}
}

func TestAJournalOfALaterFormat(t *testing.T) {
	p := newPlace(t)
	s := p.create(t)
	ok(t, s.Close())
	m := s.Meta()
	m.Version = FormatVersion + 1
	ok(t, writeMeta(s.Dir(), m))
	again, err := Open(p.home, p.workspace, s.ID())
	ok(t, err)
	if !again.ReadOnly() || !strings.Contains(again.Warnings()[0], "later galley") {
		t.Errorf("read-only %v, %q", again.ReadOnly(), again.Warnings())
	}
}

func TestR29AppendNeverRewrites(t *testing.T) {
	s := newStore(t)
	path := filepath.Join(s.Dir(), journalFile)
	before := readFile(t, path)
	for range 20 {
		play(t, s, "U A{a} Ta")
		now := readFile(t, path)
		if !strings.HasPrefix(now, before) || !strings.HasSuffix(now, "\n") {
			t.Fatal("what stood there before is not what the journal begins with")
		}
		before = now
	}
}

// fullDisk is a journal's file on a disk that has room for so many bytes more, and
// whose fsync may fail.
type fullDisk struct {
	journalDisk
	room   int
	nosync bool
	nocut  bool
}

var errFull = errors.New("no space left")

func (d *fullDisk) WriteAt(b []byte, off int64) (int, error) {
	n := min(len(b), d.room)
	d.room -= n
	if _, err := d.journalDisk.WriteAt(b[:n], off); err != nil || n == len(b) {
		return n, err
	}
	return n, errFull
}

func (d *fullDisk) Sync() error {
	if d.nosync {
		return errFull
	}
	return d.journalDisk.Sync()
}

func (d *fullDisk) Truncate(size int64) error {
	if d.nocut {
		return errFull
	}
	return d.journalDisk.Truncate(size)
}

// TestFailedAppend is U78: an append that fails is not there, neither now nor at
// the next start, however much of it was written.
func TestFailedAppend(t *testing.T) {
	line, err := encodeLine(Entry{Seq: 4, Type: TypeEdit, Payload: json.RawMessage(`{"letter":"B"}`), Time: time.Unix(1, 0)})
	ok(t, err)
	type failure struct {
		room   int
		nosync bool
	}
	failures := []failure{{room: 1 << 20, nosync: true}}
	for room := range len(line) + 2 {
		failures = append(failures, failure{room: room})
	}
	p := newPlace(t)
	s := p.create(t)
	play(t, s, "U:before")
	for _, f := range failures {
		s.now = func() time.Time { return time.Unix(1, 0) }
		before := readFile(t, s.Dir(), journalFile)
		handed := s.Entries()
		good := s.writer.f
		s.writer.f = &fullDisk{good, f.room, f.nosync, false}
		_, err := s.Append(TypeEdit, map[string]string{"letter": "B"})
		s.writer.f = good
		if err == nil {
			if f.room >= len(line)+1 {
				continue // there was room for all of it
			}
			t.Fatalf("%+v: it did not fail", f)
		}
		if now := readFile(t, s.Dir(), journalFile); now != before || len(s.Entries()) != len(handed) {
			t.Fatalf("%+v: left behind %q, %d entries of %d", f, strings.TrimPrefix(now, before), len(s.Entries()), len(handed))
		}
		if got := written(s.Messages()); got != "U:before" {
			t.Fatalf("a failed append changed the view: %s", got)
		}
	}
	play(t, s, "U:after")
	again := p.reopen(t, s)
	if got := written(again.Messages()); got != "U:before U:after" || len(again.Warnings()) != 0 {
		t.Fatalf("got %s, %q", got, again.Warnings())
	}
}

// TestAppendAfterAFailedCut: what cannot even be cut is cut by the next append.
func TestAppendAfterAFailedCut(t *testing.T) {
	p := newPlace(t)
	s := p.create(t)
	play(t, s, "U:before")
	good := s.writer.f
	s.writer.f = &fullDisk{good, 50, false, true}
	if err := s.AddUser("lost"); !errors.Is(err, errFull) {
		t.Fatal(err)
	}
	s.writer.f = good
	play(t, s, "U:after")
	again := p.reopen(t, s)
	if got := written(again.Messages()); got != "U:before U:after" || len(again.Warnings()) != 0 {
		t.Fatalf("got %s, %q", got, again.Warnings())
	}
}

func FuzzJournal(f *testing.F) {
	line, err := encodeLine(Entry{Seq: 1, Type: TypeUser, Payload: json.RawMessage(`{"text":"hello"}`)})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(append(line, '\n'))
	f.Add(append(append(append([]byte{}, line...), '\n'), `{"seq":2,"type":"assistant","payload":{"tool_calls":[{"id":"a"}]}}`...))
	f.Add([]byte("{\"seq\":1,\"type\":\"compact\",\"payload\":{\"state\":\"committed\",\"from\":1,\"to\":1}}\n\n\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c := parseJournal(journalFile, bytes.Clone(data))
		if want := validLines(data); len(c.entries) < want {
			t.Fatalf("%d entries of %d valid lines", len(c.entries), want)
		}
		if c.end < 0 || c.end+int64(c.torn) != int64(len(data)) {
			t.Fatalf("end %d and %d torn bytes of %d", c.end, c.torn, len(data))
		}
		conv := newConversation()
		for i := range c.entries {
			conv.apply(c.entries, i)
		}
		checkRules(t, (&gate{taken: map[string]bool{}}).messages(conv.messages()))
		for _, e := range c.entries {
			JournalQuery{Text: "x", File: "y"}.matches(e)
		}
	})
}

// validLines counts lines as a simple reader would.
func validLines(data []byte) int {
	n := 0
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		var l struct {
			Entry
			Sum string `json:"sum"`
		}
		if json.Unmarshal(line, &l) == nil && l.Seq > 0 && l.Type != "" {
			n++
		}
	}
	return n
}
