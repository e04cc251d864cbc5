package editing

import (
	"errors"
	"fmt"
)

// ErrUnknownDocument says that a document was used before it was fed in.
var ErrUnknownDocument = errors.New("document is not open in the workspace")

// ErrNotKeeper says that somebody else holds the text of a document.
var ErrNotKeeper = errors.New("the text of the document is somebody else's")

// Statuses and codes of results; tools.md lists them.
const (
	StatusOK         = "ok"
	StatusEditing    = "editing"
	StatusCommitted  = "committed"
	StatusProposed   = "proposed"
	StatusReverted   = "reverted"
	StatusNeedsMatch = "needs_match"
	StatusNotFound   = "not_found"
	StatusRefused    = "refused"
	StatusConflict   = "conflict"
	StatusStale      = "stale"
	StatusCommitting = "committing" // of a person's commit: the editors' texts have to confirm first
)

// Result is what an operation did, or why it did nothing.
type Result struct {
	Status string
	Code   string // stable word where it is not plain success
	Hint   string // prose: what happened, what to do next

	Owner   string
	Session int    // editing session, 0: none
	Path    string // document
	Touched []string
	Renamed []Renamed // letters that came back under other names

	Total      int
	Candidates []Candidate
	More       int // candidates not shown

	Files []FileProblem // what stood in the way, file by file

	Trial   *Snapshot // of a preview_only call: the state as it would be; Session is its editing session
	Present string    // of a stale call: the text as it is now
}

// FileProblem is one file that stopped a transaction over several.
type FileProblem struct {
	Path    string `json:"path"` // as shown to people
	Code    string `json:"code,omitempty"`
	Message string `json:"message"`
}

// Candidate is one of several places that a request may mean.
type Candidate struct {
	ID          string `json:"match_id"`
	Line        int    `json:"line"` // 1-based, in the proposed text
	Text        string `json:"text"`
	Context     string `json:"context,omitempty"`   // the enclosing heading or definition and a neighbouring line
	Diff        string `json:"diff,omitempty"`      // of a near match: how the file differs from old_text
	Change      string `json:"change_id,omitempty"` // the staged change that a near match lies in
	Recommended bool   `json:"recommended,omitempty"`
	Why         string `json:"why,omitempty"`
}

// OK reports whether the operation did what it was asked to.
func (r Result) OK() bool {
	switch r.Status {
	case StatusOK, StatusEditing, StatusCommitted, StatusProposed, StatusReverted:
		return true
	}
	return false
}

func refuse(code, format string, args ...any) Result {
	return Result{Status: StatusRefused, Code: code, Hint: fmt.Sprintf(format, args...)}
}

func notFound(code, format string, args ...any) Result {
	return Result{Status: StatusNotFound, Code: code, Hint: fmt.Sprintf(format, args...)}
}
