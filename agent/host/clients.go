package host

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/memory"
)

// Client is one connection to the host: an editor, or a terminal, which opens no document.
type Client struct {
	Kind    string // memory.ClientEditor and the like
	PID     int    // of its galley, 0: unknown
	Name    string // as people know it
	Exact   bool   // it refuses every edit that is not for the text it has: one may be sent that its user did not ask it for
	Edits   bool   // it changes a text when it is asked to
	Renames bool   // and gives an open file another name
}

// Called is how people tell it from others of its name.
func (c Client) Called() string {
	if c.PID == 0 {
		return c.Name
	}
	return fmt.Sprintf("%s (galley serve is process %d)", c.Name, c.PID)
}

// connected is a client with what it has not heard yet.
type connected struct {
	Client
	unheard []string
}

// Join names a client that has connected, for as long as it stays.
func (u *Underway) Join(c Client) (id editing.Keeper) {
	var gone []editing.Keeper
	u.move(func() {
		u.lastID++
		id = u.lastID
		u.clients[id] = &connected{c, u.unheard}
		u.edited = u.edited || c.Kind != memory.ClientTerminal
		gone, u.gone, u.unheard = u.gone, nil, nil
	})
	u.letGo(gone)
	return id
}

// mayCome reports whether an editor may come with text of a file that it has not saved: one is or was here, or had it open
// when its host was killed. Who comes first is not known before they do.
func (u *Underway) mayCome(file string) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.edited || u.lastID == 0 || u.awaits != nil && u.awaits(file)
}

// Leave ends a client. What it had open is its no more, its parts in decisions end, and its files are read. With the last
// client all that waits for the next one: if none comes, whoever opens the workspace again finds out from the texts what
// became of them, and its user has not taken back what was not saved.
func (u *Underway) Leave(id editing.Keeper) {
	var gone []editing.Keeper
	u.move(func() {
		delete(u.clients, id)
		if u.gone = append(u.gone, id); len(u.clients) > 0 {
			gone, u.gone = u.gone, nil
		}
	})
	u.letGo(gone)
}

// letGo takes from clients that are gone what they kept.
func (u *Underway) letGo(gone []editing.Keeper) {
	ws := u.sessions.Workspace()
	for _, id := range gone {
		var had []*editing.Document
		for _, d := range ws.Snapshot().Documents() {
			if d.Keeper == id || slices.Contains(d.Beside, id) {
				ws.CloseDocument(d.Path, id)
				had = append(had, d)
			}
		}
		u.sessions.Go(func(ctx context.Context) {
			u.readAgain(ctx, had...)
			u.mu.Lock()
			left := u.parts(id)
			u.mu.Unlock()
			for _, d := range left {
				_, _ = u.Decided(ctx, id, d.ID, Ending{Refused: true, Reason: "it is gone"}) // who decided is told
			}
		})
	}
}

// ReadAgain feeds in what the disk holds of a document that an editor has closed, if it is the disk's turn.
func (u *Underway) ReadAgain(ctx context.Context, path, name string) {
	u.readAgain(ctx, editing.NewDocument(path, name, text.Text{}))
}

func (u *Underway) readAgain(ctx context.Context, docs ...*editing.Document) {
	var paths []string
	for _, d := range docs {
		if !u.fromDisk(d.Path, d.Name).Empty() {
			u.sessions.TextMoved()
		}
		paths = append(paths, d.Path)
	}
	u.sessions.FilesChanged(ctx, paths)
}

func (u *Underway) fromDisk(path, name string) editing.Record {
	ws := u.sessions.Workspace()
	ws.Disk.Lock() // else a decision could write the file between the two
	defer ws.Disk.Unlock()
	if d, ok := ws.Snapshot().Document(path); ok && (d.Open() || len(d.Heirs) > 1) {
		return editing.Record{}
	}
	t, err := u.sessions.ReadFile(path)
	switch {
	case err == nil:
		return ws.OpenDocument(path, name, t, 0, editing.Disk)
	case Missing(err):
		return ws.Lose(path)
	}
	u.Say("galley could not read " + name + " after it was closed: " + err.Error())
	return editing.Record{}
}

// Missing reports whether a file could not be read because there is none.
func Missing(err error) bool {
	var coded interface{ ErrorCode() string }
	return errors.Is(err, fs.ErrNotExist) || errors.As(err, &coded) && coded.ErrorCode() == "file_not_found"
}

// Say tells clients a sentence, all if none is named. Where nobody is connected, the next one hears it.
func (u *Underway) Say(sentence string, to ...editing.Keeper) {
	u.move(func() {
		if len(to) == 0 && len(u.clients) == 0 {
			u.unheard = append(u.unheard, sentence)
		}
		for id, c := range u.clients {
			if len(to) == 0 || slices.Contains(to, id) {
				c.unheard = append(c.unheard, sentence)
			}
		}
	})
}

// Unsaid are the sentences that nobody was there to hear.
func (u *Underway) Unsaid() (said []string) {
	u.move(func() { said, u.unheard = u.unheard, nil })
	return said
}

// Hear returns what a client was told since the last call, when there is something.
func (u *Underway) Hear(ctx context.Context, id editing.Keeper) (said []string, err error) {
	err = u.mu.until(ctx, func() bool {
		if c := u.clients[id]; c != nil {
			said, c.unheard = c.unheard, nil
		}
		return len(said) > 0
	})
	return said, err
}

// Client is a client that is connected.
func (u *Underway) Client(id editing.Keeper) (Client, bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	c := u.clients[id]
	if c == nil {
		return Client{Name: someEditor}, false
	}
	return c.Client, true
}

// who is a client as a decision's journal names it: without a connection, a terminal.
func (u *Underway) who(id editing.Keeper) memory.Client {
	if id == editing.Disk {
		return memory.Client{Kind: memory.ClientTerminal}
	}
	c, _ := u.Client(id)
	return memory.Client{Kind: c.Kind, Name: c.Name}
}

const someEditor = "another editor"

// CodeHeld and the others are why a decision about an open document cannot be brought in.
const (
	CodeHeld        = "held_by_editor"
	CodeUnsound     = "unsound"
	CodeNoApplyEdit = "no_apply_edit"
	CodeAwaited     = "applying" // nor about a closed one that an editor may have open
)

// barred answers why a decision cannot be brought into the documents that editors keep, nil if it can: a text is in
// doubt, an editor cannot change it, or might put it beside what its user has just typed.
func (u *Underway) barred(d Decision) *editing.Result {
	no := func(code, hint string) *editing.Result {
		return &editing.Result{Status: editing.StatusRefused, Code: code, Hint: hint}
	}
	snap := u.sessions.Workspace().Snapshot()
	for _, c := range d.changes(snap) {
		doc, ok := snap.Document(c.Path)
		if !ok || !doc.Open() {
			if u.awaits != nil && u.awaits(c.Name) {
				return no(CodeAwaited, "an editor had "+c.Name+" open when its host was killed, and is awaited for some seconds: decide about "+c.Letter+" again when it is back, or later")
			}
			continue
		}
		k, there := u.Client(doc.Keeper)
		who, its := "your editor", "close "+doc.Name+" and repeat the command"
		if doc.Keeper != d.By {
			who, its = k.Name, "close "+doc.Name+" there and repeat the command"
		}
		switch {
		case doc.Doubt != "":
			return no(CodeUnsound, "galley lost track of the text of "+doc.Name+": "+doc.Doubt+". Then repeat the command")
		case !there || c.Kind == editing.KindDeleteFile:
		case !k.Edits:
			return no(CodeNoApplyEdit, who+" offers no workspace/applyEdit, so galley cannot change an open document; "+its)
		case c.Kind == editing.KindRename && !k.Renames:
			return no(CodeNoApplyEdit, who+" offers no renaming of open files; "+its)
		case doc.Keeper != d.By && !k.Exact:
			return no(CodeHeld, k.Called()+" has "+doc.Name+" open: decide "+c.Letter+" in "+who+", or close the file there")
		}
	}
	return nil
}

// unasked answers why a commit of the agent is left to the person, "" if it is not: whoever asked keeps all its documents,
// or nobody does, and their editor puts nothing beside what they type.
func (u *Underway) unasked(d Decision) string {
	const left = "it is left for you to commit"
	snap := u.sessions.Workspace().Snapshot()
	for _, c := range d.changes(snap) {
		doc, ok := snap.Document(c.Path)
		if !ok || !doc.Open() {
			continue
		}
		if k, there := u.Client(doc.Keeper); doc.Keeper != d.By || !there || !k.Exact {
			return left
		}
	}
	if u.barred(d) != nil {
		return left
	}
	return ""
}
