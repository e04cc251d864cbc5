package openaitest

import (
	"io"
	"net/http"
	"slices"
	"strings"
)

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !s.enter() {
		return
	}
	defer s.loops.Done()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client went away while it asked
	}
	s.mu.Lock()
	out := s.answerLocked(r, body)
	s.state.Requests++
	s.state.Open++
	s.changedLocked()
	s.mu.Unlock()

	whole := out.send(w, r, func() bool { return s.hold(r.Context()) })

	s.mu.Lock()
	defer s.mu.Unlock()
	s.state.Open--
	switch {
	case !whole:
		s.state.Gone++
	case out.full && out.reply > 0:
		s.taken[out.reply-1] = true
	}
	s.changedLocked()
}

// enter counts a request in, unless the server is closing.
func (s *Server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.loops.Add(1)
	return true
}

// answerLocked notes the request and decides on the answer.
func (s *Server) answerLocked(r *http.Request, body []byte) *answer {
	key := keyOf(r.Header)
	a := newAsk(r, body, key)
	s.requests = append(s.requests, Request{
		Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery, Header: r.Header.Clone(), Body: body, JSON: a.json,
	})
	out, told := s.routeLocked(r, a)
	s.requests[len(s.requests)-1].Answer = told
	return out
}

// routeLocked tells the paths apart, and turns away who has another key or model.
func (s *Server) routeLocked(r *http.Request, a *ask) (*answer, string) {
	chat := strings.HasSuffix(r.URL.Path, "/chat/completions")
	list := strings.HasSuffix(r.URL.Path, "/models")
	switch {
	case s.script.Key != "" && a.key != s.script.Key:
		s.problemLocked("the key is %q, not the script's", a.key)
		return own("another_key", nil), "401, another key"
	case list && r.Method == http.MethodGet:
		return s.list(), "the list of models"
	case !chat || r.Method != http.MethodPost:
		s.problemLocked("%s %s: the server has POST …/chat/completions and GET …/models", r.Method, r.URL.Path)
		return own("no_path", nil), "404"
	case a.json == nil:
		s.problemLocked("the body is no JSON object")
		return own("no_json", nil), "400, no JSON"
	}
	s.checkLocked(r, a)
	if s.script.Models != nil && !slices.Contains(s.script.Models, a.model) {
		return own("no_model", values{"model": quoted(a.model)}), "404, unknown model"
	}
	return s.playLocked(a)
}

// list answers GET /models.
func (s *Server) list() *answer {
	status := max(s.script.ModelsStatus, http.StatusOK)
	if s.script.ModelsBody != "" || s.script.ModelsStatus != 0 {
		return jsonAnswer(status, s.script.ModelsBody)
	}
	models := s.script.Models
	if models == nil {
		models = []string{"scripted"}
	}
	var data []string
	for _, name := range models {
		data = append(data, string(encode(object{"id": name, "object": "model", "created": 1767225600, "owned_by": "openaitest"})))
	}
	return own("models", values{"models": strings.Join(data, ",")})
}
