package memory

import (
	"encoding/json"
	"unicode/utf8"
)

// raw is a text that survives the journal byte for byte: JSON strings cannot
// hold invalid UTF-8, so a text that is none is kept as base64.
type raw string

// Raw is a text in JSON: byte for byte, also where it is no UTF-8.
type Raw = raw

type rawBytes struct {
	Base64 []byte `json:"base64"`
}

// MarshalJSON writes a string, or an object with the bytes.
func (r raw) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(r)) {
		return Marshal(string(r))
	}
	return json.Marshal(rawBytes{[]byte(r)})
}

// UnmarshalJSON reads both.
func (r *raw) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '{' {
		var b rawBytes
		err := json.Unmarshal(data, &b)
		*r = raw(b.Base64)
		return err
	}
	return json.Unmarshal(data, (*string)(r))
}

// userPayload is what the user wrote, or what galley tells the model in the
// user's place (By: noticeBy).
type userPayload struct {
	Text raw    `json:"text"`
	By   string `json:"by,omitempty"`
}

const noticeBy = "galley"

type assistantPayload struct {
	Content   raw        `json:"content"`
	Reasoning raw        `json:"reasoning,omitempty"` // kept, and shown to nobody as the answer
	ToolCalls []ToolCall `json:"tool_calls,omitempty"`
	Usage     *Usage     `json:"usage,omitempty"`
	Cost      float64    `json:"cost,omitempty"`     // at the price of then
	Estimate  int        `json:"estimate,omitempty"` // what we counted for the request that this answers
}

type resultPayload struct {
	CallID    raw  `json:"call_id"`
	Content   raw  `json:"content"`
	Synthetic bool `json:"synthetic,omitempty"` // the call was cut off; nobody answered it
}

// States of a rewrite of the view: started, then one of the other two.
const (
	stateStarted   = "started"
	stateCommitted = "committed"
	stateDiscarded = "discarded"
)

// compactPayload is a rewrite of the view: the units that began with the
// entries From..To are shown as one block.
type compactPayload struct {
	ID       int64      `json:"id"` // seq of the entry that started it
	State    string     `json:"state"`
	Reason   string     `json:"reason"`
	Edit     int        `json:"edit,omitempty"`
	From     int64      `json:"from"`
	To       int64      `json:"to"`
	Hash     string     `json:"hash,omitempty"`     // of the entries it covers
	Own      raw        `json:"own,omitempty"`      // the new block; what stands below it follows from what is covered
	Summary  raw        `json:"summary,omitempty"`  // in it, with those of blocks that it covers
	Archive  string     `json:"archive,omitempty"`  // the file that has the text of what it covers
	Carry    string     `json:"carry,omitempty"`    // what is said on of that which is covered
	Mode     string     `json:"mode,omitempty"`     // of a cut of the history: the setting that made it
	Restores []int64    `json:"restores,omitempty"` // compactions that are taken back, by their IDs
	Results  []archived `json:"results,omitempty"`  // instead of From..To: results that are shown as a word about each
	Messages int        `json:"messages_removed,omitempty"`
	Before   int        `json:"tokens_before,omitempty"`
	After    int        `json:"tokens_after,omitempty"`
}

// Why the view was rewritten.
const (
	reasonEditClosed = "edit_closed"
	reasonAmended    = "amended"  // blocks that hold an element have another in its place: what it tells has changed
	reasonRestored   = "restored" // the user took compactions back
	reasonHistory    = "history"  // how much of it is shown: memory.inject_history, and the window of messages
	ReasonAsked      = "asked"    // by the model or a person: compact_history
	ReasonLastResort = "last_resort"
	ReasonTooLong    = "too_long"  // the server refused the request
	ReasonAutomatic  = "automatic" // memory.tool_summary
)

// archived is the result of a call that requests hold no more.
type archived struct {
	Entry  int64 `json:"entry"`
	Tokens int   `json:"tokens"`
}

// errorPayload is what went wrong and was put right.
type errorPayload struct {
	Repaired []string `json:"repaired,omitempty"` // in a request, by the gate
}

// viewPayload says which fixed parts of the request changed, or that the conversation
// was taken back.
type viewPayload struct {
	Changed []string          `json:"changed,omitempty"`
	Hashes  map[string]string `json:"hashes,omitempty"`
	Rewind  int64             `json:"rewind,omitempty"` // the last entry that counts, of those before this one
}
