package memory

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// This file keeps overview.md in order, whoever was at it: made anew where it is missing
// or empty, its front matter healed, its index true, and every event in it, now or as
// soon as there is a text again that can take it in.

// upkeep is what code must remember of overview.md.
type upkeep struct {
	trail  trail
	front  string                // the last good front matter
	noted  string                // the one that is journaled, or with which it began
	owed   []owedEvent           // that no text could take in yet
	asked  bool                  // the journal was asked for these
	titles map[string]titledFile // of the files that are indexed
}

// owedEvent is an event that is journaled, and not yet in overview.md.
type owedEvent struct {
	seq   int64
	event Event
	at    time.Time
}

// Tend puts overview.md in order; with index, the list of files in it, too.
func (s *Store) Tend(index bool) error {
	s.files.Lock()
	defer s.files.Unlock()
	if err := s.writable(); err != nil {
		return err
	}
	return s.updateLocked(index)
}

// updateTries is how often the overview is read again when somebody else has written
// it meanwhile.
const updateTries = 10

// updateLocked puts overview.md in order, with events in it. What cannot be written
// into, such as what is no text, is left as it is: a request says so, and the events
// are owed.
func (s *Store) updateLocked(index bool, events ...Event) error {
	s.askJournal()
	var err error
	for range updateTries {
		if err = s.tryUpdate(index, events); err == nil {
			return nil
		}
		if stale := (*StaleError)(nil); !errors.As(err, &stale) {
			return err
		}
	}
	return err
}

func (s *Store) tryUpdate(index bool, events []Event) error {
	_ = os.Mkdir(filepath.Join(s.dir, memoryDir), dirMode) // mostly it is there
	root, name, err := s.memoryRoot(overviewFile)
	if err != nil {
		return s.oweFor(err, events)
	}
	defer root.Close()
	was, hash, err := s.readWhole(root)
	if errors.Is(err, fs.ErrNotExist) {
		was, err = "", nil
	}
	switch {
	case err != nil:
		return s.oweFor(err, events)
	case !readable(was):
		return s.owe(events)
	}
	now, healed, err := s.inOrder(root, was)
	if err != nil {
		return err
	}
	at := s.now()
	todo := events
	for _, o := range s.upkeep.owed {
		now = o.event.apply(now, o.at)
	}
	if index {
		todo = append(slices.Clip(events), Event{Type: eventIndexed, Index: s.indexed(root)})
	}
	for _, e := range todo {
		now = e.apply(now, at)
	}
	now = s.Mask(now)
	after := hash
	if now != was {
		if after, err = swapIn(root, name, now, hash); err != nil {
			return err
		}
		s.remember(now, after)
		s.upkeep.trail.add(eventStep{hash, after, append(s.owedEvents(), todo...), at})
	}
	return s.noteUpdate(now, after, healed, events)
}

// inOrder is a text of the overview with front matter that code can work with. healed
// says what was wrong, "" if nothing was.
func (s *Store) inOrder(root *os.Root, text string) (now, healed string, err error) {
	if blank(text) {
		now, err = newOverview(s.Meta())
		return now, "", err
	}
	front, body, fault := s.frontOf(text)
	if fault == nil {
		return text, "", nil
	}
	good := s.upkeep.front
	if errors.Is(fault, errNoFront) {
		return joinFront(text, good, text), "", nil
	}
	if body == text { // its end is missing
		front, body = unclosed(text)
	}
	kept, err := s.keepBroken(root, front)
	if err != nil {
		return "", "", err
	}
	return joinFront(text, good, body), fmt.Sprintf("%s: the last good one stands there again, and what stood there is in %s/%s", fault, memoryDir, kept), nil
}

// blank tells whether nothing stands in an overview.
func blank(text string) bool { return strings.TrimSpace(strings.TrimPrefix(text, bom)) == "" }

// unclosed takes a front matter apart that no line --- ends: it goes to the first blank
// line or heading.
func unclosed(text string) (front, body string) {
	_, rest, _ := strings.Cut(text, "\n")
	at := 0
	for line := range strings.Lines(rest) {
		if loose(strings.TrimRight(line, "\r\n")) {
			break
		}
		at += len(line)
	}
	return rest[:at], rest[at:]
}

// keepBroken keeps in archive/ what stood in a front matter that is replaced.
func (s *Store) keepBroken(root *os.Root, front string) (string, error) {
	text := s.Mask(front)
	name := "archive/front-matter-" + hashOf(text)[:8] + ".md"
	_, err := swapIn(root, name, text, "")
	if stale := (*StaleError)(nil); errors.As(err, &stale) { // kept before
		err = nil
	}
	return name, err
}

// noteUpdate journals what became of the overview.
func (s *Store) noteUpdate(now, hash, healed string, events []Event) error {
	var all []memoryPayload
	for _, o := range s.upkeep.owed {
		all = append(all, memoryPayload{Event: &o.event, Owed: o.seq})
	}
	for _, e := range events {
		all = append(all, memoryPayload{Event: &e})
	}
	front := s.freshFront(now)
	if len(all) == 0 && (front != "" || healed != "") {
		all = append(all, memoryPayload{Bytes: len(now)})
	}
	for i := range all {
		all[i].Path, all[i].Hash = overviewFile, hash
		if i == len(all)-1 {
			all[i].Front, all[i].Healed = front, healed
		}
		if err := s.note(TypeMemory, all[i]); err != nil {
			return err
		}
	}
	s.upkeep.owed = nil
	return nil
}

// freshFront is the front matter of a text in order that the journal does not have yet,
// "" if it does.
func (s *Store) freshFront(text string) string {
	front, _, _ := splitFront(text)
	s.upkeep.front = front
	if front == s.upkeep.noted {
		return ""
	}
	s.upkeep.noted = front
	return front
}

// oweFor owes events where the overview is there and cannot be read; other errors are
// the caller's.
func (s *Store) oweFor(err error, events []Event) error {
	var confined *ConfinedError
	if fi, look := os.Lstat(filepath.Join(s.dir, memoryDir, overviewFile)); errors.As(err, &confined) || errors.Is(err, errTooLarge) || look == nil && !fi.Mode().IsRegular() {
		return s.owe(events)
	}
	return err
}

// owe journals events that overview.md cannot take in now.
func (s *Store) owe(events []Event) error {
	defer s.write()()
	for _, e := range events {
		entry, err := s.appendLocked(TypeMemory, memoryPayload{Path: overviewFile, Event: &e}, 0)
		if err != nil {
			return err
		}
		s.upkeep.owed = append(s.upkeep.owed, owedEvent{entry.Seq, e, entry.Time})
	}
	return nil
}

func (s *Store) owedEvents() (all []Event) {
	for _, o := range s.upkeep.owed {
		all = append(all, o.event)
	}
	return all
}

// askJournal finds what an earlier process knew: the last good front matter, and the
// events that are owed.
func (s *Store) askJournal() {
	if s.upkeep.asked {
		return
	}
	s.upkeep.asked = true
	if first, err := newFront(s.Meta()); err == nil { // it holds plain values only
		s.upkeep.front, s.upkeep.noted = first, first
	}
	for _, e := range s.Entries() {
		var p memoryPayload
		if e.Type != TypeMemory || json.Unmarshal(e.Payload, &p) != nil || p.Path != overviewFile {
			continue
		}
		if p.Front != "" {
			s.upkeep.front, s.upkeep.noted = p.Front, p.Front
		}
		switch {
		case p.Event != nil && p.Hash == "":
			s.upkeep.owed = append(s.upkeep.owed, owedEvent{e.Seq, *p.Event, e.Time})
		case p.Owed != 0:
			s.upkeep.owed = slices.DeleteFunc(s.upkeep.owed, func(o owedEvent) bool { return o.seq == p.Owed })
		}
	}
}

// healed is what was put right since the model last heard: it is said once.
func (s *Store) healed() string {
	for _, e := range slices.Backward(s.Entries()) {
		var p memoryPayload
		switch {
		case e.Type == TypeAssistant:
			return ""
		case e.Type == TypeMemory && bytes.Contains(e.Payload, []byte(`"healed":`)) && json.Unmarshal(e.Payload, &p) == nil && p.Healed != "":
			return p.Healed
		}
	}
	return ""
}

// ensureOverview makes overview.md where it is missing or empty. All else waits for the
// first request: an opening writes as little as it can.
func (s *Store) ensureOverview() error {
	root, name, err := s.memoryRoot(overviewFile)
	if err == nil {
		defer root.Close()
		text, _, err := readIn(root, name)
		if err == nil && !blank(text) {
			return nil
		}
	}
	s.files.Lock()
	defer s.files.Unlock()
	return s.updateLocked(false)
}
