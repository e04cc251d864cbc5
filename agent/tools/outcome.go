package tools

import (
	"encoding/json"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/memory"
)

// What a tool call came to: the first word of every result.
const (
	StatusOK         = editing.StatusOK
	StatusEditing    = editing.StatusEditing // something is staged
	StatusCommitted  = editing.StatusCommitted
	StatusProposed   = editing.StatusProposed
	StatusReverted   = editing.StatusReverted
	StatusCommitting = editing.StatusCommitting // commands only
	StatusNeedsMatch = editing.StatusNeedsMatch
	StatusNotFound   = editing.StatusNotFound
	StatusRefused    = editing.StatusRefused
	StatusConflict   = editing.StatusConflict
	StatusStale      = editing.StatusStale
)

// Why it is not plain success: stable words that the model and scripts may branch on.
const (
	CodeAmbiguous       = "ambiguous"
	CodeNearMatch       = "near_match"
	CodeAmbiguousAnchor = "ambiguous_anchor"

	CodeNoMatch           = "no_match"
	CodeAnchorNotFound    = "anchor_not_found"
	CodeMatchBeforeAnchor = "match_before_anchor"
	CodeAlreadyApplied    = "already_applied"
	CodeFileNotFound      = "file_not_found"

	CodeEmptyOldText   = "empty_old_text"
	CodeNoChange       = "no_change"
	CodeAlreadyPending = "already_pending"
	CodePlaceholder    = "placeholder"
	CodeUnknownMatchID = "unknown_match_id"
	CodeMatchUsed      = "match_used"
	CodeLettersFull    = "letters_full"
	CodeOutsideRoots   = "outside_roots"
	CodeDenied         = "denied"
	CodeNotText        = "not_text"
	CodeTooLarge       = "too_large"
	CodeBadArguments   = "bad_arguments"
	CodeDepth          = "depth"
	CodeApplying       = "applying"
	CodeCommitFailed   = "commit_failed"

	CodeUnknownChange = "unknown_change" // no such letter
	CodeState         = "state"          // the letter or session is in a state that does not allow it
	CodeFailed        = "failed"         // a program, a disk or a journal failed

	CodeOwned    = "owned"
	CodeUserEdit = "user_edit"

	CodeLineKey    = "line_key"
	CodeMemoryHash = "memory_hash"

	CodeExitCode  = "exit_code" // a command ran, and said that it failed
	CodeTimedOut  = "timed_out" // a command was stopped, since it took too long
	CodeCancelled = "cancelled" // a command was stopped with its run
)

// statusOf says which status a code belongs to; a code that is not here is refused.
var statusOf = map[string]string{
	CodeAmbiguous:       StatusNeedsMatch,
	CodeNearMatch:       StatusNeedsMatch,
	CodeAmbiguousAnchor: StatusNeedsMatch,

	CodeNoMatch:           StatusNotFound,
	CodeAnchorNotFound:    StatusNotFound,
	CodeMatchBeforeAnchor: StatusNotFound,
	CodeAlreadyApplied:    StatusNotFound,
	CodeFileNotFound:      StatusNotFound,
	CodeUnknownChange:     StatusNotFound,

	CodeOwned:    StatusConflict,
	CodeUserEdit: StatusConflict,

	CodeLineKey:    StatusStale,
	CodeMemoryHash: StatusStale,

	CodeExitCode:  StatusOK,
	CodeTimedOut:  StatusOK,
	CodeCancelled: StatusOK,
}

// Outcome is the result of a tool call; it marshals to what the model reads. A nil list or number is left out, an
// empty list or a zero behind a pointer is shown: "committed, 0 changes" is an answer.
type Outcome struct {
	Status    string `json:"status"`
	Code      string `json:"code,omitempty"`
	SessionID string `json:"session_id,omitempty"` // sess-3

	Path       string  `json:"path,omitempty"`
	TotalLines *int    `json:"total_lines,omitempty"`
	Chars      *int    `json:"chars,omitempty"`
	StartLine  *int    `json:"start_line,omitempty"`
	EndLine    *int    `json:"end_line,omitempty"`
	Text       *string `json:"text,omitempty"` // what was read or exported; the present text of a stale line or memory file

	ExitCode     *int                  `json:"exit_code,omitempty"` // of a command; -1: it ended without one
	Output       *string               `json:"output,omitempty"`
	Truncated    bool                  `json:"truncated,omitempty"` // the middle of output is left out
	TimedOut     bool                  `json:"timed_out,omitempty"`
	Duration     string                `json:"duration,omitempty"`
	ChangedFiles []session.ChangedFile `json:"changed_files,omitzero"` // what a command did to the workspace

	Summary        string `json:"summary,omitempty"`
	AppliedChanges *int   `json:"applied_changes,omitempty"`
	NewLength      *int   `json:"new_length,omitempty"`
	Totals         string `json:"totals,omitempty"` // of the changes: "2 replacements, +45 chars"

	Total      *int                `json:"total,omitempty"` // of candidates, files or matches, with those not shown
	Files      []File              `json:"files,omitzero"`
	Matches    []TextMatch         `json:"matches,omitzero"`
	Candidates []editing.Candidate `json:"candidates,omitzero"`

	PendingChanges []PendingChange    `json:"pending_changes,omitzero"`
	Decisions      []editing.Decision `json:"decisions,omitzero"`
	HistoryDelta   *HistoryDelta      `json:"history_delta,omitempty"`
	TokensBefore   *int               `json:"tokens_before,omitempty"` // of the next request
	TokensAfter    *int               `json:"tokens_after,omitempty"`
	Task           *TaskState         `json:"task,omitempty"`
	TaskStack      string             `json:"task_stack,omitempty"`

	Preview     string   `json:"preview,omitempty"`
	NextActions []string `json:"next_actions,omitzero"`
	Hint        string   `json:"hint,omitempty"`

	Wrote *session.MemoryWrite `json:"-"` // for the person
}

// PendingChange is one undecided letter of an editing session.
type PendingChange struct {
	ChangeID  string `json:"change_id"`
	Revision  int    `json:"revision"`
	Path      string `json:"path"`
	Line      int    `json:"line"`     // 1-based, in the proposed text
	Position  int    `json:"position"` // code points, in the proposed text
	OldLength int    `json:"old_length"`
	Delta     int    `json:"delta"`
	Summary   string `json:"summary"`
	State     string `json:"state,omitempty"`   // where it is not staged: applying, conflict
	Preview   string `json:"preview,omitempty"` // only for those that this call touched
}

// TextMatch is one line that a search found.
type TextMatch struct {
	Path string `json:"path"`
	Line int    `json:"line"` // 1-based, in the proposed text
	Text string `json:"text"`
}

// HistoryDelta says what the closing of an editing session, or a compaction, saved in the conversation.
type HistoryDelta struct {
	MessagesRemoved int `json:"messages_removed"`
	TokensSaved     int `json:"tokens_saved"`
	ResultsArchived int `json:"results_archived,omitempty"`
}

// TaskState is a task as a result names it.
type TaskState struct {
	ID    string `json:"id"`
	State string `json:"state"`
	Goal  string `json:"goal,omitempty"`
}

// File is a file named by a result. Where all is well it marshals as its bare path; where Code is set, as what stood
// in the way of this file.
type File struct{ Path, Code, Message string }

// problem is the long form of a File.
type problem struct {
	Path    string `json:"path"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// MarshalJSON implements json.Marshaler.
func (f File) MarshalJSON() ([]byte, error) {
	if f.Code == "" {
		return memory.Marshal(f.Path)
	}
	return memory.Marshal(problem(f))
}

// UnmarshalJSON implements json.Unmarshaler.
func (f *File) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		*f = File{}
		return json.Unmarshal(b, &f.Path)
	}
	return json.Unmarshal(b, (*problem)(f))
}

// Paths lists files that nothing is wrong with.
func Paths(paths ...string) []File {
	files := make([]File, len(paths))
	for i, p := range paths {
		files[i].Path = p
	}
	return files
}

// Refused is the result of a call that did nothing; hint says what to do instead.
func Refused(code, hint string) Outcome {
	return Outcome{Status: StatusRefused, Code: code, Hint: hint}
}

// Answer is a result without success, with the status that the code belongs to.
func Answer(code, hint string) Outcome {
	status := statusOf[code]
	if status == "" {
		status = StatusRefused
	}
	return Outcome{Status: status, Code: code, Hint: hint}
}

// JSON is the result as the model reads it: < > & as themselves, since escapes cost tokens and hide code.
func (o Outcome) JSON() string {
	b, err := memory.Marshal(o)
	if err != nil { // nothing in an Outcome can fail to marshal; if it ever does, the model must still get an answer
		return `{"status":"refused","hint":"the result could not be written as JSON; report this as a bug"}`
	}
	return string(b)
}
