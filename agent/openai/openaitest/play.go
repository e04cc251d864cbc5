package openaitest

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// playLocked answers with a reply of the script, and says so for people.
func (s *Server) playLocked(a *ask) (*answer, string) {
	i := s.nextLocked(a)
	if i < 0 {
		return own("script_error", values{"why": "the script is over"}), "500, the script is over"
	}
	r := s.script.Replies[i]
	if why := r.wants(string(a.body)); why != "" {
		s.problemLocked("reply %d: %s", i+1, why)
		return own("script_error", values{"why": quoted(fmt.Sprintf("reply %d: %s", i+1, why))}), "500, " + why
	}
	told := fmt.Sprintf("reply %d", i+1)
	fault := s.faultLocked(i)
	if out := fault.refusal(a); out != nil {
		s.faulted[i] = true
		s.taken[i] = fault.Kind == Failing && !fault.always
		return r.held(out), fmt.Sprintf("%s, fault %s: %d", told, fault.Name, out.status)
	}
	s.faulted[i] = true
	s.taken[i] = fault.Kind != Retried
	if fault.Name != "" && fault.Kind != Learnt {
		told += ", fault " + fault.Name
	}
	out := s.draftLocked(r, fault, a)
	out.reply = i + 1
	return out, told
}

// faultLocked is the fault with which a reply is sent now; the zero fault is none.
func (s *Server) faultLocked(i int) Fault {
	fault, _ := faultNamed(s.script.Replies[i].Fault) // Serve has looked at the names
	if fault.Kind == Retried && s.faulted[i] {
		return Fault{}
	}
	return fault
}

// usual says whether a reply is made from what the model says.
func (r Reply) usual() bool { return r.Status == 0 && r.Body == "" && len(r.Frames) == 0 }

// draftLocked makes the answer of a reply.
func (s *Server) draftLocked(r Reply, fault Fault, a *ask) *answer {
	var out *answer
	switch {
	case len(r.Frames) > 0:
		out = &answer{status: http.StatusOK, header: http.Header{"Content-Type": {"text/event-stream"}}, stream: true}
		for _, text := range r.Frames {
			out.pieces = append(out.pieces, []byte(text))
		}
	case !r.usual():
		out = jsonAnswer(max(r.Status, http.StatusOK), r.Body)
	default:
		d := newDraft(fault, s.namedLocked(r), a, fmt.Sprintf("chatcmpl-%d", len(s.requests)))
		s.issueLocked(d.reply)
		out = d.answer()
		if size, _ := strconv.Atoi(fault.texts["writes"]); size > 0 {
			out.recut(size)
		}
		out.gzip = fault.form("compressed")
	}
	for name, value := range r.Header {
		out.header.Set(name, value)
	}
	return r.held(out)
}

// held adds the waiting that the script wants.
func (r Reply) held(out *answer) *answer {
	switch {
	case r.HoldAt == HoldMiddle:
		out.holds = append(out.holds, (len(out.pieces)+1)/2)
	case r.Hold || r.HoldAt == HoldStart:
		out.holds = append(out.holds, -1)
	}
	return out
}

// nextLocked finds the reply that a request takes, -1 if there is none.
func (s *Server) nextLocked(a *ask) int {
	if i := s.fittingLocked(a); i >= 0 || !s.script.Loop {
		return i
	}
	clear(s.taken)
	clear(s.faulted)
	return s.fittingLocked(a)
}

func (s *Server) fittingLocked(a *ask) int {
	fresh := a.fresh()
	for i, r := range s.script.Replies {
		lacks := func(text string) bool { return !strings.Contains(fresh, text) }
		if !s.taken[i] && !slices.ContainsFunc(r.When, lacks) {
			return i
		}
	}
	return -1
}

// namedLocked gives ids to the calls that have none, each new.
func (s *Server) namedLocked(r Reply) Reply {
	r.Calls = slices.Clone(r.Calls)
	for i := range r.Calls {
		if r.Calls[i].ID == "" {
			s.lastID++
			r.Calls[i].ID = fmt.Sprintf("call_%d", s.lastID)
		}
	}
	return r
}

// issueLocked remembers what must come back.
func (s *Server) issueLocked(r Reply) {
	for _, c := range r.Calls {
		s.ids[c.ID] = true
		if extra := decodeObject(c.Extra); extra != nil {
			s.issued = append(s.issued, issued{name: c.Name, arguments: c.ArgumentText(), extra: extra})
		}
	}
}

// wants says what the script misses in a request.
func (r Reply) wants(body string) string {
	for _, text := range r.Want {
		if !strings.Contains(body, text) {
			return fmt.Sprintf("the request does not hold %q", text)
		}
	}
	return ""
}
