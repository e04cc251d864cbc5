package memory

import (
	"fmt"
	"slices"
	"strings"
)

// DefaultWindow is the context window of a model that does not tell its own.
const DefaultWindow = 128_000

// RequestInput is all that a request depends on beside the journal and the
// memory files.
type RequestInput struct {
	System   string
	Agents   string   // the skills and the AGENTS.md files, each in its element, "" if there are none
	Tasks    string   // tasks.Render, "" to leave the block out
	Pending  string   // the undecided letters, one a line, "" for none
	Finished []string // tasks that are over, the newest last
	Tools    []ToolSpec
	Model    string // its name: a server's counts hold for one model

	History        string // memory.inject_history: auto, always, never, recent:N
	Messages       int    // that are shown of the conversation, by and large; 0: DefaultMessages
	Window         int    // tokens; 0: not known, taken for DefaultWindow
	Reserve        int    // tokens kept free for the reply
	Price          Price  // of the model
	OverviewBudget int    // bytes; 0: DefaultOverviewBudget
	Compression    Compression
}

// Request is what the model is asked next: the same journal, memory files and
// input give the same bytes. All but the last message stays in front of every
// later request, unless a view event lies between.
func (s *Store) Request(in RequestInput) (Request, ContextMeta) {
	overview := s.overview(in.OverviewBudget)
	s.mu.Lock()
	defer s.mu.Unlock()
	m, b := s.measureLocked(in, overview)
	s.lastAsked, s.price = m.counted.Sum(), in.Price

	req := Request{Tools: slices.Clone(in.Tools)}
	if in.System != "" {
		req.Messages = append(req.Messages, Message{Role: RoleSystem, Content: in.System})
	}
	if in.Agents != "" {
		req.Messages = append(req.Messages, Message{Role: RoleUser, Content: strings.TrimRight(in.Agents, "\n")})
	}
	req.Messages = s.conv.messages(req.Messages...)
	req.Messages = append(req.Messages, Message{Role: RoleUser, Content: b.text(m.ContextMeta)})
	s.secrets.hide(&req)
	req, m.Repaired = Gate(req, Rules{})
	return req, m.ContextMeta
}

// lastBlock is the end of a request: made anew each time, never stored.
type lastBlock struct {
	overview shownOverview
	in       RequestInput
	goes     *leaving // what could leave the next requests; nil: not looked for
}

// memory is the part that shows the overview.
func (b *lastBlock) memory() string {
	lines := slices.Clone(b.overview.notices)
	if text := strings.TrimRight(b.overview.text, "\n"); text != "" {
		lines = append(lines, text)
	}
	return Element("working_memory", strings.Join(lines, "\n"), "path", memoryDir+"/"+overviewFile) + "\n"
}

func (b *lastBlock) text(m ContextMeta) string { return b.memory() + b.work() + b.meta(m) }

// work is the part that shows what is being done.
func (b *lastBlock) work() string {
	var out strings.Builder
	for _, p := range []struct{ tag, text string }{{"tasks", b.in.Tasks}, {"pending_changes", b.in.Pending}} {
		if strings.TrimRight(p.text, "\n") != "" {
			out.WriteString(Element(p.tag, p.text) + "\n")
		}
	}
	return out.String()
}

// meta is the part that shows how full the context is.
func (b *lastBlock) meta(m ContextMeta) string {
	var out strings.Builder
	fmt.Fprintf(&out, `{ "tokens_used": %d, "tokens_max": %d, "tokens_percent": %d, "messages_in_history": %d,
  "working_memory_size": %d, "action_hint": "%s" }

`, m.TokensUsed, m.TokensMax, m.TokensPercent, m.MessagesInHistory, m.WorkingMemorySize, m.ActionHint)
	for _, w := range b.overview.warnings {
		out.WriteString(w + "\n")
	}
	out.WriteString(b.reminder(m))
	return Element("context_meta", out.String())
}
