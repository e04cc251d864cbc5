package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/galley-ls/galley/agent/host"
	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/memory"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fakeSession keeps a conversation and watches that the rules of a chat hold.
type fakeSession struct {
	t         *testing.T
	messages  []memory.Message
	decisions []string           // what the person decided, not yet delivered
	fail      map[string]error   // by method
	on        map[string]func()  // by method, called first
	room      int                // how often room can be made
	waiting   []memory.ToolCall  // calls without an answer, in order
	meta      memory.ContextMeta // of the next request
	price     memory.Price
	cost      memory.Cost
	windows   []int // that the model was said to have
}

func newSession(t *testing.T) *fakeSession {
	return &fakeSession{t: t, fail: map[string]error{}, on: map[string]func(){}}
}

func (s *fakeSession) enter(method string) error {
	if f := s.on[method]; f != nil {
		f()
	}
	return s.fail[method]
}

func (s *fakeSession) Prompt(text string) error {
	if err := s.enter("Prompt"); err != nil {
		return err
	}
	s.deliver()
	s.user(text)
	return nil
}

func (s *fakeSession) Window(tokens int) { s.windows = append(s.windows, tokens) }

func (s *fakeSession) user(text string) {
	if len(s.waiting) > 0 {
		s.t.Errorf("the user text %q stands inside a batch", text)
	}
	s.messages = append(s.messages, memory.Message{Role: memory.RoleUser, Content: text})
}

func (s *fakeSession) deliver() (string, bool) {
	if len(s.decisions) == 0 {
		return "", false
	}
	text := "[galley] " + strings.Join(s.decisions, "; ")
	s.decisions = nil
	s.user(text)
	return text, true
}

func (s *fakeSession) Notices() (string, bool, error) {
	if err := s.enter("Notices"); err != nil {
		return "", false, err
	}
	text, ok := s.deliver()
	return text, ok, nil
}

func (s *fakeSession) Request() (memory.Request, memory.ContextMeta, error) {
	if len(s.waiting) > 0 {
		s.t.Errorf("a request while %v wait for answers", s.waiting)
	}
	s.meta.MessagesInHistory = len(s.messages)
	return memory.Request{Messages: s.messages}, s.meta, s.enter("Request")
}

func (s *fakeSession) Reply(m memory.Message, u memory.Usage) error {
	s.cost.Session += s.price.Of(u)
	if m.Role != memory.RoleAssistant {
		s.t.Errorf("a reply of %q", m.Role)
	}
	if err := s.enter("Reply"); err != nil {
		return err
	}
	s.messages = append(s.messages, m)
	s.waiting = m.ToolCalls
	return nil
}

func (s *fakeSession) Spent(u memory.Usage) error {
	s.cost.Session += s.price.Of(u)
	return nil
}

func (s *fakeSession) Cost() memory.Cost { return s.cost }

func (s *fakeSession) Answer(c memory.ToolCall, content string) error {
	if err := s.enter("Answer"); err != nil {
		return err
	}
	if len(s.waiting) == 0 || s.waiting[0].ID != c.ID {
		s.t.Fatalf("an answer of %s, but %v wait", c.ID, s.waiting)
	}
	s.waiting = s.waiting[1:]
	s.messages = append(s.messages, memory.Message{Role: memory.RoleTool, ToolCallID: c.ID, Content: content})
	return nil
}

// talk is the conversation in one line a message.
func (s *fakeSession) talk() string {
	var lines []string
	for _, m := range s.messages {
		line := m.Role + ": " + m.Content
		for _, c := range m.ToolCalls {
			line += " {" + c.ID + "}"
		}
		lines = append(lines, strings.TrimSpace(line))
	}
	return strings.Join(lines, "\n")
}

func (s *fakeSession) TooLong(limit int) (string, error) {
	if err := s.enter("TooLong"); err != nil || s.room == 0 {
		return "", err
	}
	s.room--
	return fmt.Sprintf("made room for %d", limit), nil
}

func (s *fakeSession) Notice(text string) error {
	if err := s.enter("Notice"); err != nil {
		return err
	}
	s.user("notice: " + text)
	return nil
}

// fakeModel plays replies; when they have run out it says so.
type fakeModel struct {
	replies []fakeReply
	heard   []int // the number of messages of each request
}

type fakeReply struct {
	text   string
	show   []model.Delta // instead of the text's words
	calls  []memory.ToolCall
	finish string
	usage  memory.Usage
	err    error
	do     func() // while it streams
}

func (m *fakeModel) Name() string { return "fake" }

func (m *fakeModel) Stream(ctx context.Context, req memory.Request, show func(model.Delta)) (model.Reply, error) {
	m.heard = append(m.heard, len(req.Messages))
	if len(m.replies) == 0 {
		return model.Reply{}, errors.New("the fake model has nothing more to say")
	}
	r := m.replies[0]
	m.replies = m.replies[1:]
	for _, d := range r.show {
		show(d)
	}
	for word := range strings.FieldsSeq(r.text) {
		if r.show == nil {
			show(model.Delta{Text: word})
		}
	}
	if r.do != nil {
		r.do()
	}
	if ctx.Err() != nil {
		return model.Reply{}, fmt.Errorf("stream: %w", ctx.Err())
	}
	return model.Reply{Message: memory.Message{Content: r.text, ToolCalls: r.calls}, Usage: r.usage, Finish: r.finish}, r.err
}

func says(text string) fakeReply { return fakeReply{text: text} }

// calls is a reply with calls written as "name" or "name {json}".
func calls(calls ...string) fakeReply {
	r := fakeReply{}
	for _, c := range calls {
		name, args, _ := strings.Cut(c, " ")
		r.calls = append(r.calls, memory.ToolCall{Name: name, Arguments: args})
	}
	return r
}

// number gives the calls of a whole script the ids c1, c2, …
func number(replies []fakeReply) []fakeReply {
	n := 0
	for _, r := range replies {
		for i := range r.calls {
			n++
			r.calls[i].ID = fmt.Sprintf("c%d", n)
		}
	}
	return replies
}

// working is a session with tools.
type working struct {
	*fakeSession
	*fakeTools
}

// Mask implements Session.
func (working) Mask(text string) string { return text }

// Call implements Session.
func (w working) Call(ctx context.Context, c memory.ToolCall) (Answer, error) {
	return answerOf(w.content(ctx, c)), nil
}

// answerOf is the answer that reads so.
func answerOf(content string) Answer {
	a := Answer{Content: content}
	var o struct {
		Status, Code string
		Pending      []struct {
			Letter  string `json:"change_id"`
			Preview string
		} `json:"pending_changes"`
	}
	if json.Unmarshal([]byte(content), &o) != nil {
		return a
	}
	a.Status, a.Code = o.Status, o.Code
	for _, p := range o.Pending {
		if p.Preview != "" {
			a.Letters = append(a.Letters, p.Letter)
		}
	}
	return a
}

// fakeTools are tools as functions; those whose name begins with "read" are read-only.
type fakeTools struct {
	mu      sync.Mutex
	running int // guarded by mu, like all below
	most    int
	run     map[string]func(ctx context.Context, c memory.ToolCall) string
}

func (f *fakeTools) SideBySide(name string) bool { return strings.HasPrefix(name, "read") }

func (f *fakeTools) content(ctx context.Context, c memory.ToolCall) string {
	f.mu.Lock()
	f.running++
	f.most = max(f.most, f.running)
	run := f.run[c.Name]
	f.mu.Unlock()
	defer func() {
		f.mu.Lock()
		f.running--
		f.mu.Unlock()
	}()
	if run == nil {
		return `{"status":"ok"}`
	}
	return run(ctx, c)
}

func fails(context.Context, memory.ToolCall) string {
	return `{"status":"not_found","code":"no_match"}`
}

// bench is a run set up with fakes.
type bench struct {
	*fakeSession
	model  *fakeModel
	tools  *fakeTools
	inbox  *host.Inbox
	cfg    RunConfig
	events []Event
	cancel context.CancelFunc
	ctx    context.Context
}

func newBench(t *testing.T, replies ...fakeReply) *bench {
	b := &bench{fakeSession: newSession(t), inbox: &host.Inbox{}, model: &fakeModel{replies: number(replies)}}
	b.tools = &fakeTools{run: map[string]func(context.Context, memory.ToolCall) string{}}
	b.ctx, b.cancel = context.WithCancel(t.Context())
	b.cfg = RunConfig{
		Session: working{b.fakeSession, b.tools}, Model: b.model, Prompt: "go", Inbox: b.inbox,
		Events: func(e Event) { b.events = append(b.events, e) },
	}
	return b
}

// run runs and checks what holds for every run.
func (b *bench) run() (Outcome, error) {
	b.t.Helper()
	out, err := Run(b.ctx, b.cfg)
	b.cancel()
	if (err != nil) != (out.Reason == Failed) || (out.Why == "") != (out.Reason == Done) {
		b.t.Errorf("the outcome %+v beside the error %v", out, err)
	}
	if b.inbox.Push("late") {
		b.t.Error("the inbox takes a prompt after the run")
	}
	if last, ok := b.events[len(b.events)-1].(Finished); !ok || last.Reason != out.Reason {
		b.t.Errorf("the last event is %v", b.events[len(b.events)-1])
	}
	if err == nil && len(b.waiting) > 0 {
		b.t.Errorf("%v have no answer", b.waiting)
	}
	return out, err
}

func (b *bench) want(reason Reason, talk ...string) Outcome {
	b.t.Helper()
	out, err := b.run()
	if err != nil {
		b.t.Fatal(err)
	}
	if out.Reason != reason {
		b.t.Errorf("reason %s (%s), want %s", out.Reason, out.Why, reason)
	}
	if got := b.talk(); talk != nil && got != strings.Join(talk, "\n") {
		b.t.Errorf("conversation\n%s\nwant\n%s", got, strings.Join(talk, "\n"))
	}
	return out
}

// started are the calls that were begun.
func (b *bench) started() (ids []string) {
	for _, e := range b.events {
		if e, ok := e.(ToolStarted); ok {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

// shown is the events as lines.
func (b *bench) shown() string {
	var lines []string
	for _, e := range b.events {
		lines = append(lines, fmt.Sprintf("%s %v", e.Kind(), e))
	}
	return strings.Join(lines, "\n")
}
