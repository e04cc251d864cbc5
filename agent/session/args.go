package session

import (
	"strconv"
	"strings"
)

// The arguments of the tools. The JSON tags are the names the model uses, and agent/tools makes each tool's schema
// from them: a field without omitempty is required, and only there an empty value may mean something of its own.
// A pointer stands where "left out" differs from the zero value.

// ReadArgs are the arguments of memo_read.
type ReadArgs struct {
	Path        string `json:"path,omitempty"`
	StartLine   int    `json:"start_line,omitempty" jsonschema:"minimum=1"`
	EndLine     int    `json:"end_line,omitempty" jsonschema:"minimum=1"`
	LineNumbers *bool  `json:"line_numbers,omitempty"` // nil: true
}

// ReplaceArgs are the arguments of memory_notebook_replace.
type ReplaceArgs struct {
	Path           string `json:"path,omitempty"`
	OldText        string `json:"old_text"`
	NewText        string `json:"new_text"`
	SearchAfter    string `json:"search_after,omitempty"`
	SearchBefore   string `json:"search_before,omitempty"`
	MatchID        string `json:"match_id,omitempty"`
	ShowAllMatches bool   `json:"show_all_matches,omitempty"`
	PreviewOnly    bool   `json:"preview_only,omitempty"`
	LineKey        string `json:"line_key,omitempty"`
	Reason         string `json:"reason,omitempty"`
}

// SpanArgs are the arguments of memory_notebook_replace_span.
type SpanArgs struct {
	Path           string `json:"path,omitempty"`
	OldSpanStart   string `json:"old_span_start"`
	OldSpanEnd     string `json:"old_span_end"`
	NewText        string `json:"new_text"`
	SearchAfter    string `json:"search_after,omitempty"`
	SearchBefore   string `json:"search_before,omitempty"`
	MatchID        string `json:"match_id,omitempty"`
	ShowAllMatches bool   `json:"show_all_matches,omitempty"`
	PreviewOnly    bool   `json:"preview_only,omitempty"`
	LineKey        string `json:"line_key,omitempty"`
	Reason         string `json:"reason,omitempty"`
}

// AppendArgs are the arguments of memo_append.
type AppendArgs struct {
	Path  string `json:"path,omitempty"`
	Text  string `json:"text"`
	After string `json:"after,omitempty"` // a heading, or any text that names the place
}

// WriteArgs are the arguments of write.
type WriteArgs struct {
	Path    string `json:"path"`
	Content string `json:"content"`
	Reason  string `json:"reason,omitempty"`
}

// PreviewArgs are the arguments of memo_preview.
type PreviewArgs struct {
	Format       string `json:"format,omitempty" jsonschema:"enum=compact,enum=full,enum=stats,enum=diff"`
	ContextLines *int   `json:"context_lines,omitempty" jsonschema:"minimum=0"`
	MaxLength    *int   `json:"max_length,omitempty" jsonschema:"minimum=1"`
	Path         string `json:"path,omitempty"`
	ChangeID     string `json:"change_id,omitempty"`
}

// DropArgs are the arguments of memo_drop.
type DropArgs struct {
	ChangeID string `json:"change_id"`
	Reason   string `json:"reason"`
}

// CommitArgs are the arguments of memo_commit. memo_commit_auto has none.
type CommitArgs struct {
	Summary     string   `json:"summary"`
	Decisions   []string `json:"decisions,omitempty"` // key decisions, kept when the history is folded
	SessionID   string   `json:"session_id,omitempty" jsonschema:"pattern=^sess-[1-9][0-9]*$,example=sess-3"`
	AutoPopTask *bool    `json:"auto_pop_task,omitempty"` // nil: true
}

// RevertArgs are the arguments of memo_revert.
type RevertArgs struct {
	Reason    string   `json:"reason"`
	Decisions []string `json:"decisions,omitempty"`
	SessionID string   `json:"session_id,omitempty" jsonschema:"pattern=^sess-[1-9][0-9]*$,example=sess-3"`
}

// ExportArgs are the arguments of memo_export_session and memo_export_diff.
type ExportArgs struct {
	SessionID string `json:"session_id,omitempty" jsonschema:"pattern=^sess-[1-9][0-9]*$,example=sess-3"`
	To        string `json:"to,omitempty"` // a file under working-memory/detail/; empty: into the answer
}

// BeginTaskArgs are the arguments of memo_begin_task.
type BeginTaskArgs struct {
	Goal         string   `json:"goal"`
	ParentTaskID string   `json:"parent_task_id,omitempty" jsonschema:"pattern=^#?[1-9][0-9]*$,example=2"`
	Plan         []string `json:"plan,omitempty"`
	TaskID       string   `json:"task_id,omitempty" jsonschema:"pattern=^#?[1-9][0-9]*$,example=2"`
}

// UpdateTaskArgs are the arguments of memo_update_task.
type UpdateTaskArgs struct {
	TaskID string `json:"task_id" jsonschema:"pattern=^#?[1-9][0-9]*$,example=2"`
	State  string `json:"state,omitempty" jsonschema:"enum=waiting,enum=completed,enum=reverted"`
	Goal   string `json:"goal,omitempty"`
	Note   string `json:"note,omitempty"`
}

// ListArgs are the arguments of list_files.
type ListArgs struct {
	Glob string `json:"glob,omitempty"`
}

// SearchArgs are the arguments of search_text.
type SearchArgs struct {
	Pattern string `json:"pattern"`
	Regex   bool   `json:"regex,omitempty"`
	Path    string `json:"path,omitempty"` // a file, a folder or a glob
}

// ReadFileArgs are the arguments of read.
type ReadFileArgs struct {
	Path      string `json:"path"`
	StartLine int    `json:"start_line,omitempty" jsonschema:"minimum=1"`
	EndLine   int    `json:"end_line,omitempty" jsonschema:"minimum=1"`
}

// CommandArgs are the arguments of run_command.
type CommandArgs struct {
	Command        string `json:"command"` // a line for the shell
	TimeoutSeconds int    `json:"timeout_seconds,omitempty" jsonschema:"minimum=1"`
	Dir            string `json:"dir,omitempty"` // a folder of the workspace
}

// TaskNumber reads a task id as the model writes it, "2" or "#2". An empty id is 0, true: none was named.
func TaskNumber(id string) (int, bool) {
	if id == "" {
		return 0, true
	}
	return number(strings.TrimPrefix(id, "#"))
}

// EditNumber reads the id of an editing session, "sess-3". An empty id is 0, true: none was named.
func EditNumber(id string) (int, bool) {
	if id == "" {
		return 0, true
	}
	digits, found := strings.CutPrefix(id, "sess-")
	if !found {
		return 0, false
	}
	return number(digits)
}

func number(digits string) (int, bool) {
	n, err := strconv.Atoi(digits)
	return n, err == nil && n > 0
}
