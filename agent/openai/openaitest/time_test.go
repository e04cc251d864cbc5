package openaitest

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// recorder notes what is written between two flushes.
type recorder struct {
	header http.Header
	b      bytes.Buffer
	pieces []string
}

func (r *recorder) Header() http.Header         { return r.header }
func (r *recorder) WriteHeader(int)             {}
func (r *recorder) Write(p []byte) (int, error) { return r.b.Write(p) }
func (r *recorder) FlushError() error {
	if r.b.Len() > 0 {
		r.pieces = append(r.pieces, r.b.String())
		r.b.Reset()
	}
	return nil
}

// record answers one request without a network.
func record(t *testing.T, reply Reply) []string {
	t.Helper()
	s := start(t, Script{Replies: []Reply{reply}})
	r := &recorder{header: http.Header{}}
	s.ServeHTTP(r, post(t, s.URL(), plainBody(true)))
	if problems := s.Problems(); len(problems) > 0 {
		t.Fatal(problems)
	}
	return r.pieces
}

func TestStreamsAreFlushedChunkByChunk(t *testing.T) {
	pieces := record(t, Reply{Text: "One two three.", Usage: &Usage{Input: 1, Output: 2}})
	var texts []string
	for _, piece := range pieces {
		if !strings.HasPrefix(piece, "data: ") || !strings.HasSuffix(piece, "\n\n") || strings.Count(piece, "\n") != 2 {
			t.Errorf("no frame: %q", piece)
		}
		text, _, _ := said(t, piece)
		texts = append(texts, text)
	}
	if got := strings.Join(texts, "|"); got != "|One| two| three.|||" {
		t.Errorf("the pieces are %s", got)
	}
}

func TestChunkCountsBytes(t *testing.T) {
	for chunk, want := range map[int]string{1: "|a|é|€|b||", 2: "|aé|€|b||", 3: "|aé|€|b||", 4: "|aé€|b||", 100: "|aé€b||"} {
		var texts []string
		for _, piece := range record(t, Reply{Text: "aé€b", Chunk: chunk}) {
			text, _, _ := said(t, piece)
			texts = append(texts, text)
		}
		if got := strings.TrimSuffix(strings.Join(texts, "|"), "|"); got != want {
			t.Errorf("chunk %d: %s, want %s", chunk, got, want)
		}
	}
}

func TestOddWrites(t *testing.T) {
	for name, size := range map[string]int{"one_write": 1 << 30, "odd_writes": 7, "slow_bytes": 1} {
		plain := strings.Join(record(t, Fault{}.Sample()), "")
		pieces := record(t, Fault{Name: name}.Sample())
		if got := strings.Join(pieces, ""); got != plain {
			t.Errorf("%s: it is %q, without the fault %q", name, got, plain)
		}
		for i, piece := range pieces {
			if len(piece) > size || i < len(pieces)-1 && len(piece) < size {
				t.Errorf("%s: a piece of %d bytes", name, len(piece))
			}
		}
	}
}

// listener reads an answer bit by bit.
type listener struct {
	t      *testing.T
	answer chan *http.Response
	failed chan error
	lines  *bufio.Reader
	body   io.Closer
}

// listen asks without waiting for the answer.
func listen(t *testing.T, ctx context.Context, s *Server) *listener {
	t.Helper()
	l := &listener{t: t, answer: make(chan *http.Response, 1), failed: make(chan error, 1)}
	request := post(t, s.URL(), plainBody(true)).WithContext(ctx)
	c := client(t)
	go func() {
		answer, err := c.Do(request)
		if err != nil {
			l.failed <- err
			return
		}
		l.answer <- answer
	}()
	return l
}

// until reads up to a line that holds a text.
func (l *listener) until(text string) {
	l.t.Helper()
	if l.lines == nil {
		answer := <-l.answer
		l.lines, l.body = bufio.NewReader(answer.Body), answer.Body
		l.t.Cleanup(func() { _ = answer.Body.Close() })
	}
	for {
		line, err := l.lines.ReadString('\n')
		if strings.Contains(line, text) {
			return
		}
		if err != nil {
			l.t.Fatalf("%v before %q came", err, text)
		}
	}
}

func await(t *testing.T, s *Server, what string, condition func(State) bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := s.Await(ctx, what, condition); err != nil {
		t.Fatal(err)
	}
}

func held(s State) bool { return s.Held == 1 }

func TestHoldsWaitForRelease(t *testing.T) {
	tests := []struct {
		name, before, after string
		reply               Reply
	}{
		{"hold", "", "Hello", Reply{Text: "Hello", Hold: true}},
		{"hold_at start", "", "Hello", Reply{Text: "Hello", HoldAt: HoldStart}},
		{"hold_at middle", "one", "six", Reply{Text: "one two three four five six", HoldAt: HoldMiddle}},
		{"hold of a status", "", "no", Reply{Status: 500, Body: "no", Hold: true}},
		{"hold of frames", "data: a", "data: b", Reply{Frames: []string{"data: a\n\n", "data: b\n\n"}, HoldAt: HoldMiddle}},
		{"idle_start", "", "DONE", Fault{Name: "idle_start"}.Sample()},
		{"idle", "Hello", "DONE", Fault{Name: "idle"}.Sample()},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := start(t, Script{Replies: []Reply{test.reply}})
			l := listen(t, t.Context(), s)
			if test.before != "" {
				l.until(test.before)
			}
			await(t, s, "the answer is held", held)
			if test.before == "" && len(l.answer) > 0 {
				t.Error("the status came before the release")
			}
			s.Release()
			l.until(test.after)
			await(t, s, "the answer is sent", func(s State) bool { return s == State{Requests: 1} })
			if s.Left() != 0 {
				t.Error("the reply is not used up")
			}
		})
	}
}

// Behind the status of idle_header there is nothing, and the client may go away at any of them.
func TestIdleUntilTheClientGoesAway(t *testing.T) {
	for _, name := range []string{"idle_start", "idle_header", "idle", "done_open"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, Script{Replies: []Reply{Fault{Name: name}.Sample(), {Text: "Next."}}})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			l := listen(t, ctx, s)
			await(t, s, "the answer is held", held)
			switch name {
			case "idle_header":
				answer := <-l.answer
				l.answer <- answer
				if answer.StatusCode != 200 {
					t.Errorf("status %d", answer.StatusCode)
				}
				defer func() { _ = answer.Body.Close() }()
			case "idle":
				l.until("Hello")
			case "done_open":
				l.until("[DONE]")
			}
			cancel()
			await(t, s, "the server knows that the client went away", func(s State) bool { return s == State{Requests: 1, Gone: 1} })
			got := exchange(t, post(t, s.URL(), plainBody(true)))
			want := "Hello"
			if name == "done_open" {
				want = "Next."
			}
			if !strings.Contains(got, want) || !strings.HasSuffix(got, "[DONE]\n\n<end: whole>") {
				t.Errorf("the same request again: %s", got)
			}
		})
	}
}

func TestReleaseMayComeFirst(t *testing.T) {
	s := start(t, Script{Replies: []Reply{{Text: "Hello", Hold: true}}})
	s.Release()
	if got := exchange(t, post(t, s.URL(), plainBody(true))); !strings.Contains(got, "Hello") {
		t.Error(got)
	}
}

func TestCloseEndsWhatIsHeld(t *testing.T) {
	s := start(t, Script{Replies: []Reply{{Text: "Hello", Hold: true}}, Loop: true})
	var clients sync.WaitGroup
	for range 5 {
		request := post(t, s.URL(), plainBody(true))
		clients.Go(func() {
			if answer, err := http.DefaultTransport.RoundTrip(request); err == nil {
				_ = answer.Body.Close()
			}
		})
	}
	await(t, s, "five answers are held", func(s State) bool { return s.Held == 5 })
	s.Close()
	s.Close()
	clients.Wait()
	if err := s.Await(t.Context(), "anything", func(State) bool { return false }); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("waiting at a closed server: %v", err)
	}
}
