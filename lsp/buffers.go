package lsp

import (
	"maps"
	"slices"
	"sync"

	"github.com/galley-ls/galley/editing/text"
)

// buffer is a document that the editor has open, as far as the snapshot does not
// say it.
type buffer struct {
	path, name string
	uri        string // as the editor wrote it
	version    int32
	// doubt says why the text may be another than the editor's: galley changes
	// nothing in it until the editor sends the whole text.
	doubt string
	lines lined
	// beside is the editor's text while it does not keep the document; of one that it
	// keeps the table has it.
	beside text.Text
	asked  text.Text // of a document without a keeper, that was held beside it last
	told   string    // why the user is shown nothing of it
	gave   bool      // it was given away, since the editor did not answer
}

// buffers are the open documents. The read loop writes them; released requests
// and the publisher read them.
type buffers struct {
	mu      sync.Mutex // guards all
	open    map[string]buffer
	paths   map[string]string // by URI as the editor writes it
	foreign map[string]bool   // open, but none of galley's business
}

// at finds an open document by its path.
func (b *buffers) at(path string) (buffer, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f, ok := b.open[path]
	return f, ok
}

// named finds an open document by its URI.
func (b *buffers) named(uri string) (f buffer, ok, foreign bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f, ok = b.open[b.paths[uri]]
	return f, ok, b.foreign[uri]
}

func (b *buffers) put(f buffer) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open == nil {
		b.open, b.paths = map[string]buffer{}, map[string]string{}
	}
	b.open[f.path] = f
	b.paths[f.uri] = f.path
}

// setLines keeps how the lines of an open document are read.
func (b *buffers) setLines(path string, l lined) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if f, ok := b.open[path]; ok {
		f.lines = l
		b.open[path] = f
	}
}

// tell keeps what the user was told about an open document, and reports whether it is new.
func (b *buffers) tell(f buffer, sentence string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	now, ok := b.open[f.path]
	if !ok || now.told == sentence {
		return false
	}
	now.told = sentence
	b.open[f.path] = now
	return true
}

// drop forgets a document.
func (b *buffers) drop(f buffer) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.open, f.path)
	delete(b.paths, f.uri)
}

func (b *buffers) ignore(uri string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.foreign == nil {
		b.foreign = map[string]bool{}
	}
	b.foreign[uri] = true
}

func (b *buffers) forget(uri string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.foreign, uri)
}

func (b *buffers) all() []buffer {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Collect(maps.Values(b.open))
}
