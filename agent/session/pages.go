package session

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/editing/view"
	"github.com/galley-ls/galley/memory"
	"github.com/galley-ls/galley/tasks"
)

// SetTitle renames the session.
func (s *base) SetTitle(title string) error { return s.store.SetTitle(title) }

// LookAt says which file the user works in and where: the default of the tools,
// a hint for the recommended candidate, and what the model hears before the next
// prompt. start and end are in bytes of its base, -1 unknown.
func (s *Session) LookAt(path string, start, end int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.user = cursor{path, start, end}
	if path == "" {
		return
	}
	s.named.Store(&path)
	if d, ok := s.Snapshot().Document(path); ok {
		s.notices = append(s.notices, standing(d, s.me, start, end))
	}
}

// standing names the user's place by the lines that the model reads.
func standing(d *editing.Document, owner string, start, end int) string {
	if start < 0 || end < start || end > d.Base.Len() {
		return "the user is in " + d.Name
	}
	from, to := d.ToProposed(owner, start, false), d.ToProposed(owner, end, true)
	t := d.Proposed(owner)
	first := t.LineOf(from) + 1
	if start == end {
		return fmt.Sprintf("the user is in %s at line %d", d.Name, first)
	}
	last := t.LineOf(max(from, to-1)) + 1 // an end at the start of a line takes in the line before
	if last <= first {
		return fmt.Sprintf("the user has selected line %d of %s, or a part of it", first, d.Name)
	}
	return fmt.Sprintf("the user has selected the lines %d to %d of %s", first, last, d.Name)
}

// input is what a request is made of now.
func (s *requests) input() memory.RequestInput {
	set := s.set.Load()
	in := memory.RequestInput{
		System: set.System, Agents: set.agents(), Tools: set.Specs, Model: set.Model,
		Pending: view.Pending(s.Snapshot(), s.me),
		Window:  cmp.Or(int(s.window.Load()), set.Window), Reserve: set.Reserve, Compression: set.Compression, History: set.History, Messages: set.Messages,
	}
	if s.refused > 0 && (in.Window == 0 || s.refused < in.Window) {
		in.Window = s.refused
	}
	in.OverviewBudget = set.Overview
	if in.Window > 0 && in.Window < smallWindow {
		in.Tools = set.SmallSpecs
		in.OverviewBudget = min(cmp.Or(set.Overview, memory.DefaultOverviewBudget), in.Window*overviewShare/100*bytesAToken)
	}
	if !set.NoTaskTree {
		in.Tasks = tasks.Render(s.tasks.Tree(), letters(s.Snapshot(), s.me))
	}
	return in
}

// Context says how full the next request would be.
func (s *requests) Context() memory.ContextMeta {
	_, meta := s.store.Request(s.input())
	return meta
}

// PromptPage is the next request as people read it.
func (s *requests) PromptPage() string {
	req, _ := s.store.Request(s.input())
	var sb strings.Builder
	fmt.Fprintf(&sb, "# What the model would be asked next\n\n%d tools, %d messages\n", len(req.Tools), len(req.Messages))
	for _, m := range req.Messages {
		writeMessage(&sb, m)
	}
	return sb.String()
}

func writeMessage(sb *strings.Builder, m memory.Message) {
	fmt.Fprintf(sb, "\n## %s\n", m.Role)
	if m.Content != "" {
		fmt.Fprintf(sb, "\n%s\n", text.MarkStray(m.Content))
	}
	for _, c := range m.ToolCalls {
		fmt.Fprintf(sb, "\n→ %s `%s`\n", c.Name, text.MarkStray(c.Arguments))
	}
}

// History is the journal as people read it: also what requests do not hold any
// more.
func (s *base) History() string {
	var sb strings.Builder
	sb.WriteString("# History\n")
	for _, e := range s.store.Entries() {
		sb.WriteString(entryText(e, resultChars))
	}
	return s.Mask(sb.String())
}

// resultChars is how much of a result the history shows.
const resultChars = 2000

// LookBack is what of the conversation a query finds, each entry cut to a number of
// characters, 0 for none; and how many there are.
func (s *base) LookBack(q memory.JournalQuery, most int) (text string, n int) {
	text, n = found(s.store, q, most)
	return strings.TrimSpace(s.Mask(text)), n
}

func found(store *memory.Store, q memory.JournalQuery, most int) (text string, n int) {
	var sb strings.Builder
	for _, e := range store.Query(q) {
		if t := entryText(e, most); t != "" {
			sb.WriteString(t)
			n++
		}
	}
	return sb.String(), n
}

// mostLooked bounds the journals that are read for one look into other sessions.
const mostLooked = 64 << 20

// LookElsewhere is LookBack for the other sessions of the workspace, the newest first, or
// with an id for that one. It tells whether some were left out: they are too long.
func (s *base) LookElsewhere(id string, q memory.JournalQuery, most int) (text string, n int, all bool, err error) {
	set := s.set.Load()
	infos, err := memory.List(set.Home, set.Workspace)
	if err != nil {
		return "", 0, false, err
	}
	var sb strings.Builder
	all = true
	for left := int64(mostLooked); len(infos) > 0 && (q.Limit == 0 || n < q.Limit); infos = infos[1:] {
		in := infos[0]
		if in.ID == s.me || id != "" && in.ID != id {
			continue
		}
		if left -= in.Size; left < 0 {
			all = false
			break
		}
		store, err := memory.OpenReadOnly(set.Home, set.Workspace, in.ID)
		if err != nil {
			continue // it went away meanwhile
		}
		here := q
		here.Limit = max(0, q.Limit-n)
		if t, more := found(store, here, most); more > 0 {
			fmt.Fprintf(&sb, "\n# session %s · %s\n%s", store.ID(), oneLine(store.Meta().Title), t)
			n += more
		}
		_ = store.Close() // only read
	}
	return strings.TrimSpace(s.Mask(sb.String())), n, all, nil
}

// entryText is an entry as people and models read it, "" if it says nothing to them.
func entryText(e memory.Entry, most int) string {
	var v struct {
		Text      string                             `json:"text"`
		Content   string                             `json:"content"`
		Op        string                             `json:"op"`
		Notices   []string                           `json:"news"`
		ToolCalls []struct{ Name, Arguments string } `json:"tool_calls"`
	}
	if json.Unmarshal(e.Payload, &v) != nil {
		return ""
	}
	head := fmt.Sprintf("\n## %d · %s · %s\n", e.Seq, e.Type, e.Time.Format("2006-01-02 15:04:05"))
	switch e.Type {
	case memory.TypeUser:
		return head + "\n" + v.Text + "\n"
	case memory.TypeAssistant:
		if v.Content != "" {
			head += "\n" + v.Content + "\n"
		}
		for _, c := range v.ToolCalls {
			head += fmt.Sprintf("\n→ %s `%s`\n", c.Name, shortened(c.Arguments, most))
		}
		return head
	case memory.TypeToolResult:
		return head + "\n" + shortened(v.Content, most) + "\n"
	case memory.TypeDecision:
		return head + "\n" + strings.Join(append([]string{v.Op}, v.Notices...), " · ") + "\n"
	case memory.TypeError:
		return head
	}
	return ""
}

func shortened(s string, most int) string {
	r := []rune(s)
	if most == 0 || len(r) <= most {
		return s
	}
	return fmt.Sprintf("%s\n… %d more characters", string(r[:most]), len(r)-most)
}

// Log tells an editing session step by step, from the journal.
func (s *base) Log(n int) string {
	var sb strings.Builder
	e, _ := s.Snapshot().Session(s.me, n)
	fmt.Fprintf(&sb, "# Editing session #%d (%s)\n", n, e.State)
	if e.Summary != "" {
		fmt.Fprintf(&sb, "\n%s\n", e.Summary)
	}
	for _, entry := range s.store.Entries() {
		if entry.Type != memory.TypeEdit && entry.Type != memory.TypeDecision {
			continue
		}
		v, _ := payload[editEntry](entry)
		for _, c := range v.Record.Changes {
			if c.Session == n {
				logChange(&sb, entry, v, c)
			}
		}
	}
	return sb.String()
}

func logChange(sb *strings.Builder, entry memory.Entry, v editEntry, c *editing.Change) {
	fmt.Fprintf(sb, "\n## %s %s (revision %d) · %s · %s · %s\n", c.Letter, c.State, c.Revision, c.Name, v.Op, entry.Time.Format("2006-01-02 15:04:05"))
	if reason := cmp.Or(v.Reason, c.Reason); reason != "" {
		fmt.Fprintf(sb, "reason: %s\n", reason)
	}
	for _, h := range c.Hunks {
		old, _ := json.Marshal(strings.ToValidUTF8(h.Old, "�"))
		new, _ := json.Marshal(strings.ToValidUTF8(h.New, "�"))
		fmt.Fprintf(sb, "- %s\n+ %s\n", old, new)
	}
}

// Place keeps content as a real file below the session's directory, for editors
// that open no virtual documents.
func (s *base) Place(name, content string) (string, error) {
	path := filepath.Join(s.store.Dir(), "views", filepath.Clean("/"+filepath.FromSlash(name)))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", err
	}
	return path, os.WriteFile(path, []byte(s.Mask(content)), 0o600)
}
