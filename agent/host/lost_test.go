package host

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/memory"
)

// What was committed into a text that its editor never saved is waited for where an editor may come with it; where only
// a terminal comes, it waits for a decision again at once.
func TestWhoMayComeWithALostText(t *testing.T) {
	for name, c := range map[string]struct {
		kind   string
		killed bool // with the file open
		want   string
	}{
		"an editor":              {memory.ClientEditor, false, ""},
		"a terminal":             {memory.ClientTerminal, false, "A staged"},
		"a terminal, after both": {memory.ClientTerminal, true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, map[string]string{"a.txt": "one\n"})
			h := p.open()
			p.ask(h, "a.txt: one → ONE")
			id := h.Current()
			h.Workspace().OpenDocument(p.path("a.txt"), "a.txt", text.New("one\n"), 1, h.Join(Client{Edits: true, Exact: true}))
			committed := make(chan struct{})
			go func() {
				defer close(committed)
				p.decides(h.Commit(context.Background(), 1, id, 1, "", nil))
			}()
			if said := keeps(t, h, takes); said != "" {
				t.Fatal(said)
			}
			<-committed
			p.until(h, "the commit", func(s *editing.Snapshot) bool { return len(s.Changes()) == 0 })
			if err := h.Close(); err != nil {
				t.Fatal(err)
			}
			if c.killed {
				is, err := json.Marshal(memory.Hosting{Epoch: 1, Open: []string{"a.txt"}})
				if err == nil {
					err = os.WriteFile(filepath.Join(h.lock.Dir(), "host.json"), is, 0o600)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			next := p.open()
			next.Join(Client{Kind: c.kind})
			if _, err := next.Letters(context.Background(), id); err != nil {
				t.Fatal(err)
			}
			if got := letters(next); got != c.want {
				t.Errorf("%q waits, want %q", got, c.want)
			}
		})
	}
}
