package session

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/disk"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/memory"
)

// Notebook is the working memory as the agent edits it: what it writes there is on
// disk at once, if the file is still what the agent saw last.
type Notebook struct {
	*base

	mu    sync.Mutex
	files map[string]*scratch // those that were read or edited; guarded by mu
}

// scratch is a workspace for one file of the working memory: the same matching
// and the same candidates, but what is staged there is written at once.
type scratch struct {
	ws   *editing.Workspace
	hash string // of the text it holds
	seen string // hash of the text that the agent saw last
}

// MemoryWrite is what a call has written to a file of the working memory, for the person.
type MemoryWrite struct {
	Path    string `json:"path"`
	Size    int    `json:"size"`
	Hash    string `json:"hash"`
	Added   int    `json:"lines_added"`
	Removed int    `json:"lines_removed"`
	From    string `json:"from,omitempty"` // where it comes from, in words
}

// shownWrite is nil where the person wants no notices.
func (b *Notebook) shownWrite(w memory.Written) *MemoryWrite {
	if b.set.Load().Unseen {
		return nil
	}
	return &MemoryWrite{MemoryPrefix + w.Path, w.Bytes, w.Hash, w.Added, w.Removed, w.From}
}

// MemoryLog is what was written to the working memory, oldest first.
func (s *base) MemoryLog() []memory.Written { return s.store.Writes() }

// Memory is the session's working memory.
func (s *Session) Memory() *Notebook { return s.memory }

// Read reads a file.
func (b *Notebook) Read(name string) (content, hash string, err error) {
	content, hash, err = b.store.ReadMemory(name)
	return content, hash, memoryError(name, err)
}

// edit runs an editing operation.
func (b *Notebook) edit(name, owner string, op func(*editing.Document) editing.Op) (Edited, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	content, hash, err := b.Read(name)
	if err != nil {
		return Edited{}, err
	}
	sc := b.scratch(name, text.New(content), hash)
	if sc.seen != "" && sc.seen != hash {
		return b.stale(name, content, hash), nil
	}
	d, _ := sc.ws.Snapshot().Document(name)
	res := sc.ws.Do(op(d))
	if res.Status != editing.StatusEditing {
		res.Session = 0
		return Edited{Result: res, Name: MemoryPrefix + name}, nil
	}
	d, _ = sc.ws.Snapshot().Document(name)
	return b.put(memory.ByAgent, name, string(d.Proposed(owner).Bytes()), hash)
}

// scratch returns the workspace of a file, with its present text. Its candidate
// lists live until the file is written next.
func (b *Notebook) scratch(name string, t text.Text, hash string) *scratch {
	sc := b.files[name]
	if sc == nil {
		sc = &scratch{}
		b.files[name] = sc
	}
	if sc.ws == nil || sc.hash != hash {
		sc.ws, sc.hash = editing.New(0), hash
		sc.ws.OpenDocument(name, MemoryPrefix+name, t, 0, 1)
	}
	return sc
}

// saw notes what the agent has seen of a file.
func (b *Notebook) saw(name, hash string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.seen(name, hash)
}

func (b *Notebook) seen(name, hash string) {
	if b.files[name] == nil {
		b.files[name] = &scratch{}
	}
	b.files[name].seen = hash
}

// Find finds lines of the working memory in which a text occurs.
func (b *Notebook) Find(text string, most int) []memory.MemoryLine {
	return b.store.FindInMemory(text, most)
}

// Examine looks for what is wrong with the working memory; exists tells whether the
// workspace has a file.
func (b *Notebook) Examine(exists func(name string) bool) ([]memory.Finding, error) {
	return b.store.Examine(exists)
}

// Notes are the lines of the working memory in which a text occurs, each with its file.
func (b *Notebook) Notes(text string, most int) string {
	hits := b.Find(text, most)
	var sb strings.Builder
	for _, h := range hits {
		fmt.Fprintf(&sb, "%s%s:%d: %s\n", MemoryPrefix, h.Path, h.Line, shorten(h.Text, 200))
	}
	return strings.TrimSpace(sb.String())
}

// Write writes a whole file that the agent has seen, or that is not there yet.
func (b *Notebook) Write(name, content string) (Edited, error) {
	return b.write(memory.ByAgent, name, content, false)
}

// given is the content of a file as what was shown of it is given back.
func given(now, content string) string {
	return string(editing.Given(text.New(now), content).Bytes())
}

func (b *Notebook) write(by, name, content string, unseen bool) (Edited, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now, hash, err := b.Read(name)
	if err != nil && !isAbsent(err) {
		return Edited{}, err
	}
	if sc := b.files[name]; err == nil && !unseen && (sc == nil || sc.seen != hash) {
		return b.stale(name, now, hash), nil
	}
	if !unseen {
		content = given(now, content)
	}
	return b.put(by, name, content, hash)
}

// Export keeps a text below working-memory/detail/, whatever that file holds, with a
// line about it in overview.md; without a fact there is no such line.
func (b *Notebook) Export(to, content, fact string) (Edited, error) {
	name, ok := strings.CutPrefix(to, MemoryPrefix)
	if !ok || !strings.HasPrefix(name, "detail/") {
		return Edited{}, refuse("outside_roots", "to is %q; exports go below %sdetail/", to, MemoryPrefix)
	}
	e, err := b.write(memory.ByAgent, name, content, true)
	if err == nil && e.OK() && fact != "" {
		err = b.event(memory.Event{Type: memory.EventFact, Path: name, Text: fact})
	}
	return e, err
}

// unwrite takes back a write of the agent's, by its entry in the journal. The agent has not seen the file as it is then.
func (b *Notebook) unwrite(seq int64) (name string, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if name, err = b.store.Unwrite(seq); err == nil && name != overview {
		err = b.updateLocked(b.tend)
	}
	return MemoryPrefix + name, err
}

// Remember notes what the agent says must last.
func (b *Notebook) Remember(e memory.Event) (*MemoryWrite, error) {
	if err := b.event(e); err != nil {
		return nil, err
	}
	w, ok := b.store.LastWrite()
	if !ok || w.What != e.Type {
		return nil, nil
	}
	return b.shownWrite(w), nil
}

func (b *Notebook) put(by, name, content, lastSeen string) (Edited, error) {
	w, err := b.store.WriteMemoryBy(by, name, content, lastSeen)
	var stale *memory.StaleError
	switch {
	case errors.As(err, &stale):
		return b.stale(name, stale.Present, stale.Hash), nil
	case err != nil:
		return Edited{}, memoryError(name, err)
	}
	b.files[name] = &scratch{seen: w.Hash}
	if name != overview {
		err = b.updateLocked(b.tend)
	}
	return Edited{Result: editing.Result{Status: editing.StatusOK}, Name: MemoryPrefix + name, Chars: text.New(content).Chars(), Wrote: b.shownWrite(w)}, err
}

// stale shows the present text; from now on the agent has seen it.
func (b *Notebook) stale(name, present, hash string) Edited {
	b.seen(name, hash)
	return Edited{Name: MemoryPrefix + name, Result: editing.Result{
		Status: editing.StatusStale, Code: "memory_hash", Present: present,
		Hint: fmt.Sprintf("%s%s is not what you saw last; text is what it says now. Repeat the call with that in mind", MemoryPrefix, name),
	}}
}

// event keeps overview.md current, as far as the settings want that: what the agent
// asks for is noted in any case.
func (b *Notebook) event(e memory.Event) error {
	events := []memory.Event{e}
	if b.set.Load().NoEvents {
		if events = e.Asked(); len(events) == 0 {
			return nil
		}
	}
	return b.update(func() error { return b.store.Event(events...) })
}

// Tend puts the overview in order, and its list of files: others may have been at them.
func (b *Notebook) Tend() error {
	if b.store.ReadOnly() {
		return nil
	}
	return b.update(b.tend)
}

func (b *Notebook) tend() error { return b.store.Tend(!b.set.Load().NoEvents) }

// Watched are files of the working memory that are watched: a name in each folder.
func (b *Notebook) Watched() []string {
	dir := filepath.Join(b.store.Dir(), filepath.FromSlash(MemoryPrefix))
	files := []string{filepath.Join(dir, overview)}
	for _, below := range []string{"detail", "archive"} {
		files = append(files, filepath.Join(dir, below, "any.md"))
		// what is not there is not watched
		_ = filepath.WalkDir(filepath.Join(dir, below), func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && len(files) < mostWatched {
				files = append(files, filepath.Join(path, "any.md"))
			}
			return nil
		})
	}
	return files
}

// mostWatched bounds the folders of a working memory that are watched.
const mostWatched = 32

// update changes overview.md. What the agent had seen of it, it has still seen: only
// code's own lines changed.
func (b *Notebook) update(change func() error) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.updateLocked(change)
}

func (b *Notebook) updateLocked(change func() error) error {
	_, before, _ := b.store.ReadMemory(overview)
	if err := change(); err != nil {
		return fmt.Errorf("overview.md: %w", err)
	}
	if sc := b.files[overview]; sc != nil && sc.seen == before {
		if _, after, err := b.store.ReadMemory(overview); err == nil {
			sc.seen = after
		}
	}
	return nil
}

const overview = "overview.md"

// memoryError says in the words of a tool why a file of the memory is not to be had.
func memoryError(name string, err error) error {
	var confined *memory.ConfinedError
	r := &Refusal{Code: "failed", Path: MemoryPrefix + name}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		r.Code, r.Hint = disk.CodeFileNotFound, fmt.Sprintf("there is no %s%s yet; write makes it", MemoryPrefix, name)
		return r
	case errors.As(err, &confined):
		r.Code = "outside_roots"
	}
	r.Hint = err.Error()
	return r
}
