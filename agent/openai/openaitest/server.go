package openaitest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// Server plays a script to whoever asks. Its methods may be called from any goroutine.
type Server struct {
	listener net.Listener
	http     *http.Server
	quit     chan struct{} // closed by Close
	loops    sync.WaitGroup
	once     sync.Once

	mu       sync.Mutex    // guards everything below
	changed  chan struct{} // closed and renewed whenever something happened
	closed   bool
	script   Script
	taken    []bool // by reply
	faulted  []bool // by reply: its fault came already
	requests []Request
	issued   []issued
	ids      map[string]bool // of all calls that were sent
	lastID   int
	state    State
	waiting  []chan struct{} // held answers, oldest first
	released int             // releases that nobody waited for yet
}

// State is what goes on at a server, in numbers of requests.
type State struct {
	Requests int // came so far
	Held     int // wait for Release now
	Open     int // are being answered now
	Gone     int // were given up by the client before their end
}

// issued is a call that the server sent with further fields, which must come back.
type issued struct {
	name, arguments string
	extra           object
}

// Start plays a script on a free port of 127.0.0.1.
func Start(script Script) (*Server, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("start the model server: %w", err)
	}
	return Serve(listener, script)
}

// Serve plays a script on a listener, which it closes in the end.
func Serve(listener net.Listener, script Script) (*Server, error) {
	if err := script.check(); err != nil {
		return nil, errors.Join(fmt.Errorf("the script: %w", err), listener.Close())
	}
	s := &Server{
		listener: listener, quit: make(chan struct{}), changed: make(chan struct{}), script: script,
		ids: map[string]bool{}, taken: make([]bool, len(script.Replies)), faulted: make([]bool, len(script.Replies)),
	}
	s.http = &http.Server{Handler: s}
	s.loops.Go(func() { _ = s.http.Serve(listener) }) // it ends with Close, and says nothing else
	return s, nil
}

// URL is the base URL for clients.
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() + "/v1" }

// Requests are those that came so far, in order; also the ones for the list of models.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Problems are what the strictest server would object to in the requests so far.
func (s *Server) Problems() (all []string) {
	for _, r := range s.Requests() {
		all = append(all, r.Problems...)
	}
	return all
}

// Left counts the replies that were not used up yet.
func (s *Server) Left() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, taken := range s.taken {
		if !taken {
			n++
		}
	}
	return n
}

// Release lets one held answer go on: the oldest that waits, or else the next one that comes to wait.
func (s *Server) Release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.waiting) == 0 {
		s.released++
		return
	}
	close(s.waiting[0])
	s.waiting = s.waiting[1:]
	s.state.Held--
	s.changedLocked()
}

// Close hangs up on all clients and waits until nothing of the server is left.
func (s *Server) Close() {
	s.once.Do(func() {
		s.mu.Lock()
		s.closed = true
		s.mu.Unlock()
		close(s.quit)
		_ = s.http.Close() // the listener's error helps nobody any more
	})
	s.loops.Wait()
}

// Await waits until a condition holds. It is looked at now and after everything that happens. The error names it and
// tells what the server saw.
func (s *Server) Await(ctx context.Context, what string, condition func(State) bool) error {
	for {
		s.mu.Lock()
		ok, changed := condition(s.state), s.changed
		s.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-changed:
		case <-s.quit:
			return fmt.Errorf("await %q: the server was closed\n%s", what, s.Dump())
		case <-ctx.Done():
			return fmt.Errorf("await %q: %w\n%s", what, ctx.Err(), s.Dump())
		}
	}
}

// Dump is what a person needs who reads a failure: the state, the requests with their answers, the problems.
func (s *Server) Dump() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b strings.Builder
	fmt.Fprintf(&b, "%d requests, %d open, %d held, %d given up\n", s.state.Requests, s.state.Open, s.state.Held, s.state.Gone)
	for i, r := range s.requests {
		fmt.Fprintf(&b, "%d: %s %s <- %s\n   %s\n", i+1, r.Method, r.Path, r.Answer, clip(string(r.Body)))
		for _, problem := range r.Problems {
			fmt.Fprintf(&b, "problem: %s\n", problem)
		}
	}
	return b.String()
}

func clip(text string) string {
	const shown = 1200
	if len(text) <= shown {
		return text
	}
	return fmt.Sprintf("%s ... (%d bytes)", strings.ToValidUTF8(text[:shown], ""), len(text))
}

func (s *Server) changedLocked() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// hold waits for a release; false: the client or the server went away first.
func (s *Server) hold(ctx context.Context) bool {
	s.mu.Lock()
	if s.released > 0 {
		s.released--
		s.mu.Unlock()
		return true
	}
	wake := make(chan struct{})
	s.waiting = append(s.waiting, wake)
	s.state.Held++
	s.changedLocked()
	s.mu.Unlock()
	select {
	case <-wake:
		return true
	case <-ctx.Done():
	case <-s.quit:
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.Index(s.waiting, wake)
	if i < 0 {
		return true // released at the last moment
	}
	s.waiting = slices.Delete(s.waiting, i, i+1)
	s.state.Held--
	s.changedLocked()
	return false
}
