package session

import (
	"fmt"
	"sync/atomic"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/disk"
	"github.com/galley-ls/galley/memory"
)

// base is what the parts of a session stand on: its journal and its settings, the table,
// the folder. The session's lock guards none of it but what entries say.
type base struct {
	store  *memory.Store
	set    atomic.Pointer[settings] // replaced as a whole, see Session.Renew
	window atomic.Int64             // of the model in tokens; 0: as the settings say
	ws     *editing.Workspace
	me     string // the owner of its changes: the session's ID
	folder string // the workspace
	stood  stood
	first  bool // no session of the workspace was made before this one
}

// ID is the session's ULID, and the owner of its changes.
func (b *base) ID() string { return b.me }

// Workspace is the folder that is worked in, with symbolic links resolved.
func (b *base) Workspace() string { return b.folder }

// Snapshot is the present state of the staged changes.
func (b *base) Snapshot() *editing.Snapshot { return b.ws.Snapshot() }

// OpenEdits are the editing sessions that are not closed, oldest first.
func (b *base) OpenEdits() []*editing.Session { return b.Snapshot().OpenSessions(b.me) }

// undecided are the letters that wait for a decision.
func (b *base) undecided() (letters []string) {
	for _, c := range b.Snapshot().Changes() {
		if c.Owner == b.me && c.State.Undecided() {
			letters = append(letters, c.Letter)
		}
	}
	return letters
}

// Mask is a text without secrets, for whoever shows it.
func (b *base) Mask(text string) string { return b.store.Mask(text) }

// Settings are those of the session as they are now.
func (b *base) Settings() Config { return b.set.Load().Config }

// Window says how many tokens the model takes, as it knows by now; 0: as the settings say.
func (b *base) Window(tokens int) { b.window.Store(int64(tokens)) }

// Spent journals what a reply cost that counts for nothing.
func (b *base) Spent(u memory.Usage) error { return b.store.Spent(u) }

// Cost is what the session has cost by now.
func (b *base) Cost() memory.Cost { return b.store.Cost() }

// Files is the disk, as the settings let the agent see it.
func (b *base) Files() *disk.Roots { return b.set.Load().roots }

// Dir is the session's directory.
func (b *base) Dir() string { return b.store.Dir() }

// append journals one entry and waits until it is on the disk.
func (b *base) append(typ string, payload any) (memory.Entry, error) {
	e, edits := payload.(editEntry)
	if edits {
		b.emptied(e.Record.Changes)
		e.Record = b.kept(e.Record)
		payload = e
	}
	entry, err := b.store.Append(typ, payload)
	if err == nil {
		err = b.store.Sync()
	}
	if err != nil {
		return entry, fmt.Errorf("journal: %w; nothing was changed", err)
	}
	if edits && len(e.Record.Kept) > 0 {
		b.stood.keeps(e.Record)
		b.store.DropStood(b.stood.names())
	}
	return entry, nil
}

func (b *base) void(seq int64) error {
	_, err := b.append(memory.TypeMeta, metaEntry{Void: seq})
	return err
}
