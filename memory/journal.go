package memory

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

const journalFile = "messages.jsonl"

// damage is a line of a journal that cannot be trusted.
type damage struct {
	file string
	line int // 1-based
	err  error
}

func (d damage) String() string {
	return fmt.Sprintf("line %d of %s is damaged (%v)", d.line, d.file, d.err)
}

// contents is what a journal file holds.
type contents struct {
	file    string
	entries []Entry
	end     int64 // after the last whole line, its newline included
	unended bool  // the last whole line lacks its newline
	torn    int   // bytes of a line that was cut off in the middle of its writing
	lines   int   // whole ones
	damages []damage
}

// parseJournal reads every whole line there is. A last line that is not whole
// JSON and has no newline was torn by a crash; anything else that cannot be
// read is damage.
func parseJournal(file string, data []byte) contents {
	c := contents{file: file, entries: make([]Entry, 0, bytes.Count(data, []byte("\n"))+1)}
	for start := 0; start < len(data); {
		line, ended := data[start:], false
		if i := bytes.IndexByte(line, '\n'); i >= 0 {
			line, ended = line[:i], true
		}
		c.lines++
		e, err := decodeLine(line)
		if err != nil && !ended && !errors.Is(err, errAltered) {
			c.torn = len(line)
			c.lines--
			return c
		}
		c.add(e, err, len(bytes.TrimSpace(line)) == 0)
		start += len(line)
		if ended {
			start++
		}
		c.end, c.unended = int64(start), !ended
	}
	return c
}

func (c *contents) add(e Entry, err error, blank bool) {
	switch {
	case blank:
		return
	case err != nil:
		c.damages = append(c.damages, damage{c.file, c.lines, err})
	case len(c.entries) > 0 && e.Seq <= c.entries[len(c.entries)-1].Seq:
		c.damages = append(c.damages, damage{c.file, c.lines, fmt.Errorf("seq %d comes after %d", e.Seq, c.entries[len(c.entries)-1].Seq)})
	}
	if e.Seq > 0 {
		c.entries = append(c.entries, e)
	}
}

// warnings says in words what is wrong with the journal of what. Whoever only
// reads may find a line that another process is just writing.
func (c *contents) warnings(what string, readOnly bool) []string {
	var w []string
	if c.torn > 0 && !readOnly {
		w = append(w, fmt.Sprintf("line %d of %s was cut off while it was written (%d bytes): it is dropped before the next entry is added, all before it is whole",
			c.lines+1, c.file, c.torn))
	}
	const shown = 5
	for i, d := range c.damages {
		if i == shown {
			w = append(w, fmt.Sprintf("%d more lines of %s are damaged", len(c.damages)-shown, c.file))
			break
		}
		w = append(w, d.String()+": "+what+" is open for reading only, what follows stays readable")
	}
	return w
}

// Point is called with a name at every write and fsync of this package, before it
// and after it, so that tests can end the process there. It is nil but in tests,
// and must be set before anything is opened.
var Point func(name string)

func point(file, what string) {
	if Point != nil {
		Point(file + " " + what)
	}
}

// journalDisk is what a journal asks of its file.
type journalDisk interface {
	io.WriterAt
	io.Closer
	Truncate(size int64) error
	Sync() error
}

// journalEnd is where a journal ends: unended if its last line lacks its newline.
type journalEnd struct {
	at      int64
	unended bool
}

// journalWriter appends to a journal file; it never writes before its end.
type journalWriter struct {
	f        journalDisk
	name     string
	end      journalEnd
	before   journalEnd // before the last append
	unsynced bool       // something was appended that may not be on the disk
	dirty    bool       // there may be bytes behind the end: a torn line
}

// append writes one whole line, or nothing.
func (w *journalWriter) append(line []byte) error {
	if w.dirty {
		if err := w.f.Truncate(w.end.at); err != nil {
			return fmt.Errorf("cut the torn line of %s: %w", w.name, err)
		}
		w.dirty = false
	}
	text := make([]byte, 0, len(line)+2)
	if w.end.unended {
		text = append(text, '\n')
	}
	text = append(append(text, line...), '\n')
	point(w.name, "write")
	if _, err := w.f.WriteAt(text, w.end.at); err != nil {
		w.cut(w.end)
		return fmt.Errorf("append to %s: %w", w.name, err)
	}
	point(w.name, "written")
	w.before, w.end = w.end, journalEnd{at: w.end.at + int64(len(text))}
	w.unsynced = true
	return nil
}

// cut drops what stands behind an end. If even that fails the next append does it.
func (w *journalWriter) cut(end journalEnd) {
	w.end = end
	w.dirty = w.f.Truncate(end.at) != nil
}

// undo takes back the last append.
func (w *journalWriter) undo() { w.cut(w.before) }

// sync waits until all that was appended is on the disk.
func (w *journalWriter) sync() error {
	if w.f == nil || !w.unsynced {
		return nil
	}
	point(w.name, "sync")
	if err := w.f.Sync(); err != nil {
		return fmt.Errorf("write %s to the disk: %w", w.name, err)
	}
	point(w.name, "synced")
	w.unsynced = false
	return nil
}

func (w *journalWriter) close() error {
	if w.f == nil {
		return nil
	}
	err := errors.Join(w.sync(), w.f.Close())
	w.f = nil
	return err
}
