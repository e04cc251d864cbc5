package memory

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"
)

// Types of entries in a workspace's journal.
const (
	typeIntent   = "intent"
	typeAborting = "aborting"
	typeEnd      = "end"
)

// intentVersion is the version of intents that this code writes; it leaves those
// of a later one alone.
const intentVersion = 1

// Intent is what is about to be done to files, journaled before the first of them
// is touched, so that a crash in the midst of it can be told from one before.
type Intent struct {
	ID      string          `json:"id"`      // a ULID; Begin gives one if it is ""
	Session string          `json:"session"` // who holds its lock finishes the intent
	Op      string          `json:"op"`      // apply, commit, undo, revert, ...
	Edit    int             `json:"edit,omitempty"`
	Reason  string          `json:"reason,omitempty"`
	Letters []string        `json:"letters,omitempty"`
	Files   []IntentFile    `json:"files,omitempty"`
	Entry   json.RawMessage `json:"entry,omitempty"` // what the session's journal will say when it is done

	Time     time.Time `json:"-"` // when it was journaled
	Aborting bool      `json:"-"` // what was done is being taken back
}

// IntentFile is what an intent does to one file. Paths are relative to the
// workspace, with slashes.
type IntentFile struct {
	Path    string `json:"path"`
	Op      string `json:"op"`               // one of those below
	To      string `json:"to,omitempty"`     // of a rename
	Before  string `json:"before,omitempty"` // hash of the content, "" if there is none
	After   string `json:"after,omitempty"`
	Open    bool   `json:"open,omitempty"`     // an editor keeps it
	InPlace bool   `json:"in_place,omitempty"` // it cannot be exchanged and is written over
	Blob    string `json:"blob,omitempty"`     // its content before, in KeepBlob's keeping
	// BlobAfter is its content after, where it is written over.
	BlobAfter string   `json:"blob_after,omitempty"`
	Made      []string `json:"made,omitempty"`    // folders that are made for it, innermost first
	Folders   []string `json:"folders,omitempty"` // folders that go with it where they are empty, innermost first
}

func (f IntentFile) blobs() []string {
	return slices.DeleteFunc([]string{f.Blob, f.BlobAfter}, func(b string) bool { return b == "" })
}

// What an intent does to a file.
const (
	FileReplace = "replace"
	FileCreate  = "create"
	FileDelete  = "delete"
	FileRename  = "rename"
)

// Outcome is how an intent ended.
type Outcome struct {
	State   string   `json:"state"` // done, aborted, ...: a word of the caller's
	Reason  string   `json:"reason,omitempty"`
	Missing []string `json:"missing,omitempty"` // paths that are not as the intent says
}

type intentPayload struct {
	Intent
	Version int `json:"v"`
}

type endPayload struct {
	ID string `json:"id"`
	Outcome
}

// check refuses what could not be read again as it was.
func (i *Intent) check() error {
	if i.Session == "" || i.Op == "" || !plain(i.ID, maxTypeName) {
		return errors.New("an intent has a plain id, and names its session and what it does")
	}
	for _, f := range i.Files {
		if !slices.Contains([]string{FileReplace, FileCreate, FileDelete, FileRename}, f.Op) {
			return fmt.Errorf("%q is nothing that is done to a file", f.Op)
		}
		if f.Path == "" || !utf8.ValidString(f.Path) || !utf8.ValidString(f.To) {
			return fmt.Errorf("the name %q cannot be journaled: rename the file", f.Path+f.To)
		}
		for _, b := range f.blobs() {
			if !isHash(b) {
				return fmt.Errorf("%q is no blob", b)
			}
		}
	}
	return nil
}

// masked is an intent without secrets. Paths and hashes are what recovery goes by:
// they stay.
func (i Intent) masked(s Secrets) Intent {
	i.Reason = s.Mask(i.Reason)
	if i.Entry != nil {
		i.Entry = s.payload(i.Entry)
	}
	return i
}

// intentEnd is how the payload of an intent ends that this code wrote.
var intentEnd = fmt.Appendf(nil, `,"v":%d}`, intentVersion)

// headOf is the id in a payload, and of an intent its version. What this code wrote
// is not parsed whole: a start must not cost what old intents hold.
func headOf(e Entry) (id string, version int) {
	rest, found := bytes.CutPrefix(e.Payload, []byte(`{"id":"`))
	if i := bytes.IndexByte(rest, '"'); found && i > 0 && plain(string(rest[:i]), i) &&
		(e.Type != typeIntent || bytes.HasSuffix(rest, intentEnd)) {
		return string(rest[:i]), intentVersion
	}
	var h struct {
		ID string `json:"id"`
		V  int    `json:"v"`
	}
	if json.Unmarshal(e.Payload, &h) != nil {
		return "", 0
	}
	return h.ID, h.V
}
