package session

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/galley-ls/galley/memory"
)

// Found is an entry of the journal that a query finds. What is in no request any more has
// the compaction with which it left, and the entries that left with it.
type Found struct {
	Step
	Iteration  int   `json:"iteration"`
	Compaction int64 `json:"compaction,omitempty"`
	From       int64 `json:"from,omitempty"`
	To         int64 `json:"to,omitempty"`
}

// Find looks through the journal, each entry cut to a number of characters, 0 for none. What
// stands in the place of entries that left is found, too, also where a later one stands in
// its place.
func (s *base) Find(q memory.JournalQuery, most int) []Found {
	out := find(s.store, q, most)
	for i := range out {
		out[i].Text = s.Mask(out[i].Text)
	}
	return out
}

func find(store *memory.Store, q memory.JournalQuery, most int) []Found {
	left, seen := store.Compactions(), store.Seen()
	out := []Found{}
	for _, e := range store.Query(q) {
		f := Found{Step: Step{e.Seq, e.Type, e.Time, entryText(e, most, q.Text), seen[e.Seq]}, Iteration: e.Iteration}
		for _, c := range left {
			if c.Covers(e.Seq) && !c.Restored && f.Gone != "" {
				f.Compaction, f.From, f.To = c.ID, c.From, c.To
			}
			if c.Entry == e.Seq {
				f.Compaction, f.From, f.To, f.Text = c.ID, c.From, c.To, cmp.Or(f.Text, happening(e))
			}
		}
		if f.Text = strings.TrimSpace(f.Text); f.Text != "" {
			out = append(out, f)
		}
	}
	return out
}

// LookBack is what a query finds, as people and models read it; and how many entries.
func (s *base) LookBack(q memory.JournalQuery, most int) (text string, n int) {
	found := s.Find(q, most)
	return Listed(found), len(found)
}

// Listed is what was found, as people and models read it.
func Listed(found []Found) string {
	var sb strings.Builder
	for _, f := range found {
		if f.From > 0 {
			f.Gone = strings.TrimPrefix(fmt.Sprintf("%s, with the entries %d to %d", f.Gone, f.From, f.To), ", ")
		}
		sb.WriteString(f.String())
	}
	return strings.TrimSpace(sb.String())
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
