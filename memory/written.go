package memory

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Source is where what was written to the memory comes from.
type Source struct {
	Said  bool   `json:"said,omitempty"`  // the user's own words
	File  string `json:"file,omitempty"`  // a file that was read
	Entry int64  `json:"entry,omitempty"` // of the journal: those words, that reading, or the reply that wrote
}

// String says it for a person.
func (f Source) String() string {
	switch {
	case f.Said:
		return "said by you"
	case f.File != "":
		return "from " + f.File
	case f.Entry > 0:
		return fmt.Sprintf("from entry %d of the journal", f.Entry)
	}
	return ""
}

// Written is a write to a file of the working memory.
type Written struct {
	Seq     int64     `json:"seq"` // of its entry in the journal
	Time    time.Time `json:"time"`
	Path    string    `json:"path"`
	By      string    `json:"by"`              // agent, galley
	What    string    `json:"what,omitempty"`  // the event that had galley write
	From    string    `json:"from,omitempty"`  // the source, in words
	Entry   int64     `json:"entry,omitempty"` // of the source
	Bytes   int       `json:"bytes"`
	Added   int       `json:"lines_added"`
	Removed int       `json:"lines_removed"`
	Hash    string    `json:"hash"`
}

// difference is what a write has changed: the old text at a byte of the file, and the new
// one. It takes the write back, and shows it. Long texts lie beside the journal under
// their hashes.
type difference struct {
	Was     string `json:"was,omitempty"` // hash of the file before, "": there was none
	At      int    `json:"at,omitempty"`
	Old     raw    `json:"old,omitempty"`
	New     raw    `json:"new,omitempty"`
	OldKept string `json:"old_kept,omitempty"`
	NewKept string `json:"new_kept,omitempty"`
	Added   int    `json:"lines_added,omitempty"`
	Removed int    `json:"lines_removed,omitempty"`
}

// keptFrom is the size from which a text of a write lies beside the journal.
const keptFrom = 8 << 10

const keptDir = "kept"

// noteWrite journals a write with what it has changed, and where that comes from.
func (s *Store) noteWrite(by string, p memoryPayload, old, new, was string) (Written, error) {
	at, gone, come := between(old, new)
	d := &difference{Was: was, At: at, Removed: lineCount(gone), Added: lineCount(come)}
	var errs [2]error
	d.Old, d.OldKept, errs[0] = s.keep(gone)
	d.New, d.NewKept, errs[1] = s.keep(come)
	if err := errors.Join(errs[:]...); err != nil {
		return Written{}, err
	}
	p.By, p.Change = by, d
	if by == ByAgent {
		from := s.sourceOf(come)
		p.Source = &from
	}
	defer s.write()()
	e, err := s.appendLocked(TypeMemory, p, 0)
	w, _ := writtenOf(e)
	return w, err
}

// between is what two texts do not share at their ends, by whole lines.
func between(old, new string) (at int, gone, come string) {
	a, b := strings.SplitAfter(old, "\n"), strings.SplitAfter(new, "\n")
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		at += len(a[0])
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return at, strings.Join(a, ""), strings.Join(b, "")
}

func lineCount(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}

// keep is a text for the journal, or the name under which it lies beside it.
func (s *Store) keep(text string) (short raw, kept string, err error) {
	if len(text) < keptFrom {
		return raw(text), "", nil
	}
	text = s.Mask(text)
	kept = hashOf(text)
	dir := filepath.Join(s.dir, keptDir)
	if err = os.MkdirAll(dir, dirMode); err == nil {
		err = replaceFile(filepath.Join(dir, kept), []byte(text))
	}
	if err != nil {
		return "", "", fmt.Errorf("keep what is written over: %w", err)
	}
	return "", kept, nil
}

// writtenOf reads an entry of a write.
func writtenOf(e Entry) (Written, bool) {
	var p memoryPayload
	if e.Type != TypeMemory || json.Unmarshal(e.Payload, &p) != nil || p.Path == "" || p.Hash == "" {
		return Written{}, false
	}
	w := Written{Seq: e.Seq, Time: e.Time, Path: p.Path, By: ByAgent, Bytes: p.Bytes, Hash: p.Hash}
	if p.Event != nil {
		w.By, w.What = ByGalley, p.Event.Type
	}
	if p.By != "" {
		w.By = p.By
	}
	if p.Change != nil {
		w.Added, w.Removed = p.Change.Added, p.Change.Removed
	}
	if p.Source != nil {
		w.From, w.Entry = p.Source.String(), p.Source.Entry
	}
	return w, true
}

// Writes is what was written to the working memory, oldest first.
func (s *Store) Writes() []Written {
	var out []Written
	var reply int64
	for _, e := range s.Entries() {
		if e.Type == TypeAssistant {
			reply = e.Seq
		}
		w, ok := writtenOf(e)
		if !ok {
			continue
		}
		if w.What == EventDecision || w.What == EventIssue || w.What == EventFact { // the agent asked for it
			from := Source{Entry: reply}
			w.By, w.From, w.Entry = ByAgent, from.String(), reply
		}
		out = append(out, w)
	}
	return out
}

// LastWrite is the newest write.
func (s *Store) LastWrite() (Written, bool) {
	for _, e := range slices.Backward(s.Entries()) {
		if w, ok := writtenOf(e); ok {
			return w, true
		}
	}
	return Written{}, false
}

// These are why a write is not taken back.
var (
	ErrNoWrite     = errors.New("no write of the agent's has this number; galley memory log lists them")
	ErrWrittenOver = errors.New("its text has changed since; it stays")
)

// Unwrite takes back what the agent wrote, by the entry of that write: where it stands as it was written, what stood there
// before comes back. It answers the file.
func (s *Store) Unwrite(seq int64) (path string, err error) {
	entries := s.Entries()
	i := slices.IndexFunc(entries, func(e Entry) bool { return e.Seq == seq })
	if i < 0 {
		return "", ErrNoWrite
	}
	var p memoryPayload
	w, ok := writtenOf(entries[i])
	if !ok || w.By != ByAgent || json.Unmarshal(entries[i].Payload, &p) != nil || p.Change == nil {
		return "", ErrNoWrite
	}
	old, err := s.kept(p.Change.Old, p.Change.OldKept)
	come, fault := s.kept(p.Change.New, p.Change.NewKept)
	if err = errors.Join(err, fault); err != nil {
		return p.Path, err
	}
	now, hash, err := s.ReadMemory(p.Path)
	at := placeOf(now, come, p.Change.At)
	if err != nil || at < 0 || come == "" && hash != p.Hash { // nothing shows the place but the whole text
		return p.Path, ErrWrittenOver
	}
	before := now[:at] + old + now[at+len(come):]
	_, err = s.WriteMemoryBy(ByUser, p.Path, before, hash)
	var stale *StaleError
	switch {
	case errors.As(err, &stale):
		return p.Path, ErrWrittenOver
	case err == nil && before == "" && p.Change.Was == "":
		err = s.removeEmpty(p.Path)
	}
	return p.Path, err
}

// placeOf is where whole lines stand in a text: at a byte, else where they do but once; -1: nowhere.
func placeOf(text, lines string, at int) int {
	stands := func(i int) bool {
		return i >= 0 && i <= len(text) && strings.HasPrefix(text[i:], lines) && (i == 0 || text[i-1] == '\n')
	}
	first := strings.Index(text, lines)
	switch {
	case stands(at):
		return at
	case stands(first) && strings.LastIndex(text, lines) == first:
		return first
	}
	return -1
}

func (s *Store) removeEmpty(name string) error {
	s.files.Lock()
	defer s.files.Unlock()
	root, name, err := s.memoryRoot(name)
	if err != nil {
		return err
	}
	if content, _, fault := readIn(root, name); fault == nil && content == "" {
		err = root.Remove(filepath.FromSlash(name))
	}
	return errors.Join(err, root.Close())
}

// kept is a text that keep has put away.
func (s *Store) kept(short raw, name string) (string, error) {
	if name == "" {
		return string(short), nil
	}
	data, err := contentOf(filepath.Join(s.dir, keptDir), name)
	if err != nil {
		return "", fmt.Errorf("read what was written over: %w", err)
	}
	return string(data), nil
}

// sourceReach is how many entries of the journal are looked through for a source.
const sourceReach = 200

// sourceOf finds where lines come from: the words of the user, a file that was read, else
// the reply that wrote them.
func (s *Store) sourceOf(lines string) Source {
	entries := s.Entries()
	var wanted []string
	for l := range strings.Lines(lines) {
		if w := bare(l); strings.Count(w, " ") > 1 { // fewer than three words are anybody's
			wanted = append(wanted, w)
		}
	}
	var reply, file Source
	for i := len(entries) - 1; i >= max(0, len(entries)-sourceReach); i-- {
		e := entries[i]
		switch {
		case e.Type == TypeAssistant && reply.Entry == 0:
			reply = Source{Entry: e.Seq}
		case e.Type == TypeUser && says(e, wanted):
			return Source{Said: true, Entry: e.Seq}
		case e.Type == TypeToolResult && file.Entry == 0:
			file = fileRead(e, wanted)
		}
	}
	if file.Entry > 0 {
		return file
	}
	return reply
}

// bare is the words of a line alone.
func bare(line string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(line), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), " ")
}

func says(e Entry, wanted []string) bool {
	var p userPayload
	return json.Unmarshal(e.Payload, &p) == nil && p.By == "" && holdsAny(string(p.Text), wanted)
}

func holdsAny(text string, wanted []string) bool {
	text = " " + bare(text) + " "
	return slices.ContainsFunc(wanted, func(w string) bool { return strings.Contains(text, " "+w+" ") })
}

// fileRead is the answer of a call that read a file with one of the lines in it.
func fileRead(e Entry, wanted []string) Source {
	var p resultPayload
	var answer struct{ Path, Text string }
	if json.Unmarshal(e.Payload, &p) != nil || json.Unmarshal([]byte(p.Content), &answer) != nil || answer.Path == "" ||
		strings.HasPrefix(answer.Path, memoryDir+"/") || !holdsAny(answer.Text, wanted) {
		return Source{}
	}
	return Source{File: answer.Path, Entry: e.Seq}
}
