package lsp

import (
	"maps"
	"slices"
	"sync"
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
}

// buffers are the open documents. The read loop writes them; released requests
// and the publisher read them.
type buffers struct {
	mu      sync.Mutex // guards all
	open    map[string]buffer
	paths   map[string]string // by URI as the editor writes it
	foreign map[string]bool   // open, but none of galley's business
	reads   map[string]int    // counts openings and closings: an older read of the file is void
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
		b.open, b.paths, b.reads = map[string]buffer{}, map[string]string{}, map[string]int{}
	}
	if _, ok := b.open[f.path]; !ok {
		b.reads[f.path]++
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

// drop forgets a document and answers the number of the read that may follow.
func (b *buffers) drop(f buffer) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.open, f.path)
	delete(b.paths, f.uri)
	b.reads[f.path]++
	return b.reads[f.path]
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

// doubted names the documents of paths that galley may not change.
func (b *buffers) doubted(paths []string) (buffer, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range paths {
		if f := b.open[p]; f.doubt != "" {
			return f, true
		}
	}
	return buffer{}, false
}

func (b *buffers) all() []buffer {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Collect(maps.Values(b.open))
}
