package session

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
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

// Step is an entry of the journal as people read it.
type Step struct {
	Seq  int64     `json:"seq"`
	Type string    `json:"type"`
	Time time.Time `json:"time"`
	Text string    `json:"text"`
	Gone string    `json:"gone,omitempty"` // why no request has it any more, "" if the next one has
}

// Steps is the journal as people read it, each text cut to a number of characters, 0 for none.
func (s *base) Steps(most int) []Step { return s.steps(s.store.Entries(), most) }

func (s *base) steps(entries []memory.Entry, most int) []Step {
	out := []Step{}
	seen := s.store.Seen()
	for _, e := range entries {
		if t := cmp.Or(entryText(e, most, ""), happening(e)); t != "" {
			out = append(out, Step{e.Seq, e.Type, e.Time, s.Mask(strings.TrimSpace(t)), seen[e.Seq]})
		}
	}
	return out
}

// String is a step with its heading.
func (t Step) String() string {
	gone := ""
	if t.Gone != "" {
		gone = " · *" + t.Gone + "*"
	}
	return fmt.Sprintf("\n## %d · %s · %s%s\n\n%s\n", t.Seq, t.Type, t.Time.Format("2006-01-02 15:04:05"), gone, t.Text)
}

// History is the journal as people read it, with what is in no request any more marked.
func (s *base) History() string {
	return "# History\n\nThe newest is last. What is marked, as in *folded*, is in no request any more; the journal keeps it, and query_history finds it.\n" +
		written(s.Steps(resultChars))
}

func written(steps []Step) string {
	var sb strings.Builder
	for _, t := range steps {
		sb.WriteString(t.String())
	}
	return sb.String()
}

// LogOf is all that the journal says of an editing session: its changes with their revisions and decisions, and what was
// said from the prompt before it to its end. 0 means the whole journal.
func (s *base) LogOf(n int) (string, error) {
	entries, err := s.of(n)
	if err != nil {
		return "", err
	}
	log := ""
	for _, e := range s.Snapshot().Sessions(s.me) {
		if n == 0 || e.N == n {
			log += s.Log(e.N) + "\n"
		}
	}
	return log + "# What was said\n" + written(s.steps(entries, 0)), nil
}

// LinesOf is the entries of the journal that LogOf tells of, a JSON object a line.
func (s *base) LinesOf(n int) (string, error) {
	entries, err := s.of(n)
	var sb strings.Builder
	for _, e := range entries {
		line, fault := s.store.Line(e)
		err = errors.Join(err, fault)
		sb.Write(append(line, '\n'))
	}
	return sb.String(), err
}

// of are the entries about an editing session: from the prompt before the first that names it through the last.
func (s *base) of(n int) ([]memory.Entry, error) {
	all := s.store.Entries()
	if n == 0 {
		return all, nil
	}
	first, last, prompt := -1, -1, 0
	for i, e := range all {
		switch e.Type {
		case memory.TypeUser:
			if v, ok := payload[struct{ By string }](e); ok && v.By == "" && first < 0 {
				prompt = i
			}
		case memory.TypeEdit, memory.TypeDecision:
			if v, ok := payload[editEntry](e); ok && v.names(n) {
				last = i
				if first < 0 {
					first = prompt
				}
			}
		}
	}
	if first < 0 {
		return nil, fmt.Errorf("there is no editing session #%d in session %s", n, s.me)
	}
	return all[first : last+1], nil
}

// names tells whether an entry is about an editing session.
func (e editEntry) names(n int) bool {
	return slices.ContainsFunc(e.Record.Sessions, func(es *editing.Session) bool { return es.N == n }) ||
		slices.ContainsFunc(e.Record.Changes, func(c *editing.Change) bool { return c.Session == n })
}

// resultChars is how much of a result the history shows.
const resultChars = 2000

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
		if found := find(store, here, most); len(found) > 0 {
			fmt.Fprintf(&sb, "\n# session %s · %s\n\n%s\n", store.ID(), oneLine(store.Meta().Title), Listed(found))
			n += len(found)
		}
		_ = store.Close() // only read
	}
	return strings.TrimSpace(s.Mask(sb.String())), n, all, nil
}

// entryText is what was said in an entry, as people and models read it, "" if it says nothing to both.
func entryText(e memory.Entry, most int, near string) string {
	var v struct {
		Text      string                             `json:"text"`
		Content   string                             `json:"content"`
		Op        string                             `json:"op"`
		Own       string                             `json:"own"`
		State     string                             `json:"state"`
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
	case memory.TypeCompact:
		if v.Own != "" && v.State == "committed" {
			return happening(e) + "\n" + shortened(v.Own, most, near) + "\n"
		}
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

// viewsDir is the folder, below the session's directory, of files for editors.
const viewsDir = "views"

// Place keeps content as a real file below the session's directory, for editors
// that open no virtual documents.
func (s *base) Place(name, content string) (string, error) {
	path := filepath.Join(s.store.Dir(), viewsDir, filepath.Clean("/"+filepath.FromSlash(name)))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", err
	}
	return path, os.WriteFile(path, []byte(s.Mask(content)), 0o600)
}
