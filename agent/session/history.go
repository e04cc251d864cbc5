package session

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/memory"
)

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

// History is the journal as people read it, with what is in no request any more marked.
func (s *base) History() string {
	var sb strings.Builder
	sb.WriteString("# History\n\nThe newest is last. What is marked, as in *folded*, is in no request any more; the journal keeps it, and query_history finds it.\n")
	seen := s.store.Seen()
	for _, e := range s.store.Entries() {
		if t := cmp.Or(entryText(e, resultChars, ""), happening(e)); t != "" {
			sb.WriteString(heading(e, seen[e.Seq]) + t)
		}
	}
	return s.Mask(sb.String())
}

// heading names an entry, and why requests do not have it, "" if they do.
func heading(e memory.Entry, gone string) string {
	if gone != "" {
		gone = " · *" + gone + "*"
	}
	return fmt.Sprintf("\n## %d · %s · %s%s\n", e.Seq, e.Type, e.Time.Format("2006-01-02 15:04:05"), gone)
}

// resultChars is how much of a result the history shows.
const resultChars = 2000

// LookBack is what of the conversation a query finds, each entry cut to a number of
// characters, 0 for none; and how many there are.
func (s *base) LookBack(q memory.JournalQuery, most int) (text string, n int) {
	found := Find(s.store, q, most)
	return Listed(found), len(found)
}

// Found is an entry of the journal that a query finds. What is in no request any more has
// the compaction with which it left, and the entries that left with it.
type Found struct {
	Entry      int64     `json:"entry"`
	Iteration  int       `json:"iteration"`
	Type       string    `json:"type"`
	Time       time.Time `json:"time"`
	Gone       string    `json:"gone,omitempty"` // why no request has it
	Compaction int64     `json:"compaction,omitempty"`
	From       int64     `json:"from,omitempty"`
	To         int64     `json:"to,omitempty"`
	Text       string    `json:"text"`
}

// Find looks through the journal of a session, each entry cut to a number of characters, 0
// for none. What stands in the place of entries that left is found, too, also where a later
// one stands in its place.
func Find(store *memory.Store, q memory.JournalQuery, most int) []Found {
	left, seen := store.Compactions(), store.Seen()
	out := []Found{}
	for _, e := range store.Query(q) {
		f := Found{Entry: e.Seq, Iteration: e.Iteration, Type: e.Type, Time: e.Time, Gone: seen[e.Seq], Text: entryText(e, most, q.Text)}
		for _, c := range left {
			if c.Covers(e.Seq) && !c.Restored && f.Gone != "" {
				f.Compaction, f.From, f.To = c.ID, c.From, c.To
			}
			if c.Entry == e.Seq {
				f.Compaction, f.From, f.To, f.Text = c.ID, c.From, c.To, "\n"+c.Says+"\n"
			}
		}
		if f.Text = store.Mask(f.Text); strings.TrimSpace(f.Text) != "" {
			out = append(out, f)
		}
	}
	return out
}

// Listed is what was found, as people and models read it.
func Listed(found []Found) string {
	var sb strings.Builder
	for _, f := range found {
		gone := f.Gone
		if f.From > 0 {
			gone = strings.TrimPrefix(fmt.Sprintf("%s, with the entries %d to %d", gone, f.From, f.To), ", ")
		}
		sb.WriteString(heading(memory.Entry{Seq: f.Entry, Type: f.Type, Time: f.Time}, gone) + f.Text)
	}
	return strings.TrimSpace(sb.String())
}

// entryText is what was said in an entry, as people and models read it, "" if it says nothing to both.
func entryText(e memory.Entry, most int, near string) string {
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
	switch e.Type {
	case memory.TypeUser:
		return "\n" + v.Text + "\n"
	case memory.TypeAssistant:
		said := ""
		if v.Content != "" {
			said = "\n" + v.Content + "\n"
		}
		for _, c := range v.ToolCalls {
			said += fmt.Sprintf("\n→ %s `%s`\n", c.Name, shortened(c.Arguments, most, near))
		}
		return said
	case memory.TypeToolResult:
		return "\n" + shortened(unwrapped(v.Content), most, near) + "\n"
	case memory.TypeDecision:
		return "\n" + strings.Join(append([]string{v.Op}, v.Notices...), " · ") + "\n"
	case memory.TypeError:
		return "\n"
	}
	return ""
}

// happening is what else happened in an entry, for people: what changed in the requests, in the memory and among the
// letters; "" where only galley wants to know.
func happening(e memory.Entry) string {
	var v struct {
		State    string `json:"state"`
		Messages int    `json:"messages_removed"`
		Results  []any  `json:"results"`
		Before   int    `json:"tokens_before"`
		After    int    `json:"tokens_after"`
		Rewind   int64  `json:"rewind"`
		Path     string `json:"path"`
		Command  string `json:"command"`
		Code     *int   `json:"exit_code"`
		editEntry
	}
	if json.Unmarshal(e.Payload, &v) != nil {
		return ""
	}
	switch {
	case e.Type == memory.TypeCompact && v.State == "committed" && len(v.Results) > 0:
		return fmt.Sprintf("\n%s archived: %d tokens before, %d after\n", text.Plural(len(v.Results), "result"), v.Before, v.After)
	case e.Type == memory.TypeCompact && v.State == "committed" && v.Messages > 0:
		return fmt.Sprintf("\none block in place of %s: %d tokens before, %d after\n", text.Plural(v.Messages, "message"), v.Before, v.After)
	case e.Type == memory.TypeView && v.Rewind > 0:
		return fmt.Sprintf("\nthe conversation was taken back to entry %d\n", v.Rewind)
	case e.Type == memory.TypeMemory:
		return "\n" + MemoryPrefix + v.Path + " was written\n"
	case e.Type == memory.TypeToolCall && v.Code != nil:
		return fmt.Sprintf("\n`%s` ended with %d\n", v.Command, *v.Code)
	case e.Type == memory.TypeEdit:
		return lettersMoved(v.Record)
	}
	return ""
}

func lettersMoved(r editing.Record) string {
	var out []string
	for _, c := range r.Changes {
		out = append(out, fmt.Sprintf("%s %s: %s", c.Letter, c.State, c.Name))
	}
	if len(out) == 0 {
		return ""
	}
	return "\n" + strings.Join(out, " · ") + "\n"
}

// shortened is a part of a text around the first place of near, from its start where there
// is none.
func shortened(s string, most int, near string) string {
	r := []rune(s)
	if most == 0 || len(r) <= most {
		return s
	}
	from := 0
	if before, _, ok := strings.Cut(strings.ToLower(s), strings.ToLower(near)); ok && near != "" {
		from = max(0, min(len([]rune(before))-most/2, len(r)-most))
	}
	if from == 0 {
		return fmt.Sprintf("%s\n… %d more characters", string(r[:most]), len(r)-most)
	}
	return fmt.Sprintf("%d characters …\n%s\n… %d more characters", from, string(r[from:from+most]), len(r)-most-from)
}

// unwrapped is the answer of a call with the text in it as it was read.
func unwrapped(content string) string {
	var answer map[string]json.RawMessage
	var text string
	if json.Unmarshal([]byte(content), &answer) != nil || json.Unmarshal(answer["text"], &text) != nil {
		return content
	}
	delete(answer, "text")
	rest, err := memory.Marshal(answer)
	if err != nil {
		return content
	}
	return string(rest) + "\n" + text
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
