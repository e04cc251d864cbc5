package lsptest

import (
	"maps"
	"strings"
	"time"
)

// A Profile is an editor as data. It is a value: take a named one, change what the test is about, and dial.
type Profile struct {
	Name, Version string       // clientInfo
	Encodings     []string     // position encodings offered, in order
	Capabilities  Capabilities // what is offered

	FirstVersion int   // version of didOpen
	Raise        Raise // when a buffer's version grows
	ZeroPasses   bool  // of versioned edits an older one is refused, and 0 is never checked; else any but the buffer's is refused
	Stale        Word  // what is said about an edit refused as stale
	Order        Order // reply to applyEdit and didChange
	Cut          Cut   // how a change is cut into events
	Hold         Hold
	Blocks       bool // while a command of its own is open the editor does nothing by itself
	Lines        Lines
	Lined        Lined

	Lenses, Hints Asks
	Unknown       Unknown
	Virtual       Virtual // window/showDocument of a galley: URI
	KeepsNames    bool    // diagnostics whose URI percent-encodes non-ASCII letters are dropped
	RawPercent    bool    // a literal % of a file name is not encoded
	SavesRefactor bool    // an edit with metadata.isRefactoring is saved at once
	MakesFolders  bool    // for a file that gets another name
}

// Raise says when the version of a buffer grows.
type Raise int

// RaiseAtChange counts each change of the text, RaiseAtSend each didChange: typing that is held back is not counted.
const (
	RaiseAtChange Raise = iota
	RaiseAtSend
)

// Word is what an editor says about an edit it was asked to apply.
type Word int

// The words: what this editor always says, what happened, always true, always false, a JSON-RPC error, nothing at all.
const (
	SayAsEver Word = iota
	SayTruth
	SayApplied
	SayNotApplied
	SayError
	SayNothing
)

// Order says what comes first after an edit was applied: its didChange or the reply.
type Order int

// OrderAsEver is the profile's. ReplyFirst sends didChange right behind the reply, ReplyLong when the hold-back ends or
// with a request, OrderMixed does ReplyLong and ChangeFirst in turns. ReplyHeld keeps the reply until ReleaseReplies, and
// sends didChange at once.
const (
	OrderAsEver Order = iota
	ChangeFirst
	ReplyFirst
	ReplyLong
	OrderMixed
	ReplyHeld
)

// Hold says how long typing stays in the editor. It is sent before any request, or After the last change (Idle) or the
// first one that was not sent.
type Hold struct {
	After time.Duration
	Idle  bool
}

// Lines says what an editor does with line endings.
type Lines int

// LinesRaw keeps every byte. LinesOne turns all, a lone \r too, into the most frequent ending, in edits too. LinesFormat takes a file
// for CRLF only if every line ends so, and gives inserted lines the file's ending. LinesHidden does the same and never
// shows CRLF on the wire.
const (
	LinesRaw Lines = iota
	LinesOne
	LinesFormat
	LinesHidden
)

// Asks says when lenses or hints are requested.
type Asks int

// AsksNever, AsksOnDemand (Editor.Redraw) or AsksAlways: after opening, changes and refreshes.
const (
	AsksNever Asks = iota
	AsksOnDemand
	AsksAlways
)

// Unknown is the answer to a request that the editor does not know.
type Unknown int

// UnknownError is MethodNotFound; UnknownNull looks like success.
const (
	UnknownError Unknown = iota
	UnknownNull
)

// Virtual says what happens when a document without a file is to be shown.
type Virtual int

// VirtualOpens asks workspace/textDocumentContent, VirtualEmpty claims success over an empty buffer, VirtualRefused says so.
const (
	VirtualOpens Virtual = iota
	VirtualEmpty
	VirtualRefused
)

// Capabilities are the client's, flat: "workspace.applyEdit" → true.
type Capabilities map[string]any

// Tree is the nested form that initialize carries.
func (c Capabilities) Tree() map[string]any {
	root := map[string]any{}
	for path, value := range c {
		at, parts := root, strings.Split(path, ".")
		for _, part := range parts[:len(parts)-1] {
			next, ok := at[part].(map[string]any)
			if !ok {
				next = map[string]any{}
				at[part] = next
			}
			at = next
		}
		if last := parts[len(parts)-1]; at[last] == nil { // a branch may have come before its own empty object
			at[last] = value
		}
	}
	return root
}

// Without is the editor lacking each of the capabilities, with all that lies below them.
func (p Profile) Without(paths ...string) Profile {
	p.Capabilities = maps.Clone(p.Capabilities)
	for _, path := range paths {
		maps.DeleteFunc(p.Capabilities, func(k string, _ any) bool { return k == path || strings.HasPrefix(k, path+".") })
	}
	return p
}

// With is the editor offering one capability more.
func (p Profile) With(path string, value any) Profile {
	p.Capabilities = maps.Clone(p.Capabilities)
	if p.Capabilities == nil {
		p.Capabilities = Capabilities{}
	}
	p.Capabilities[path] = value
	return p
}

// Speaking is the editor offering only this position encoding.
func (p Profile) Speaking(encoding string) Profile {
	p.Encodings = []string{encoding}
	return p
}

// Galley is the editor with galley's plugin: it takes the notifications, draws if told so, and answers galley/save.
func (p Profile) Galley(draws bool) Profile {
	return p.With("experimental.galley.notifications", true).With("experimental.galley.draws", draws).With("experimental.galley.save", true)
}
