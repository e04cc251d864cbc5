package tools

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
)

// TestExamples holds the results to the shapes that models and scripts rely on.
func TestExamples(t *testing.T) {
	read := Outcome{
		Status: StatusOK, Path: "config.json", TotalLines: new(6), Chars: new(1234), StartLine: new(1), EndLine: new(6),
		Text: new("1:9c02  │{\n"),
	}
	stagedOne := Outcome{
		Status: StatusEditing, SessionID: "sess-3",
		PendingChanges: []PendingChange{{
			ChangeID: "A", Revision: 1, Path: "config.json", Line: 4, Position: 52, OldLength: 18, Delta: 5,
			Summary: "replace", Preview: "   4│-…\n",
		}},
		Preview: "📝 Editing session #3 …", NextActions: []string{"memo_commit(summary)"},
	}
	ambiguous := Answer(CodeAmbiguous, "repeat the call with match_id, or \"all\"")
	ambiguous.SessionID, ambiguous.Total = "sess-3", new(3)
	ambiguous.Candidates = []editing.Candidate{
		{ID: "A", Line: 12, Text: "  timeout: 30", Context: "# database"},
		{ID: "B", Line: 45, Text: "  timeout: 30", Context: "# api", Recommended: true, Why: "nearest to the cursor"},
	}
	committed := Outcome{
		Status: StatusCommitted, SessionID: "sess-3", Summary: "enable X", AppliedChanges: new(1), NewLength: new(1239),
		Files: Paths("config.json"), Decisions: []editing.Decision{{Letter: "A", State: "applied"}},
		HistoryDelta: &HistoryDelta{MessagesRemoved: 4, TokensSaved: 2500},
		Task:         &TaskState{ID: "1", State: "completed"}, TaskStack: "(empty)",
	}
	failed := Refused(CodeCommitFailed, "nothing was written")
	failed.Files = []File{{Path: "a<b.txt", Code: "read_only", Message: "the file is read-only"}}

	ran := Answer(CodeExitCode, "A is staged, not on disk")
	ran.ExitCode, ran.Output, ran.Duration = new(2), new("FAIL\n"), "1.2s"
	ran.ChangedFiles = []session.ChangedFile{{Path: "go.sum", Change: "changed"}}

	for _, c := range []struct {
		out  Outcome
		want string
	}{
		{read, `{"status":"ok","path":"config.json","total_lines":6,"chars":1234,"start_line":1,"end_line":6,"text":"1:9c02  │{\n"}`},
		{stagedOne, `{"status":"editing","session_id":"sess-3","pending_changes":[{"change_id":"A","revision":1,"path":"config.json","line":4,"position":52,"old_length":18,"delta":5,"summary":"replace","preview":"   4│-…\n"}],"preview":"📝 Editing session #3 …","next_actions":["memo_commit(summary)"]}`},
		{ambiguous, `{"status":"needs_match","code":"ambiguous","session_id":"sess-3","total":3,"candidates":[{"match_id":"A","line":12,"text":"  timeout: 30","context":"# database"},{"match_id":"B","line":45,"text":"  timeout: 30","context":"# api","recommended":true,"why":"nearest to the cursor"}],"hint":"repeat the call with match_id, or \"all\""}`},
		{committed, `{"status":"committed","session_id":"sess-3","summary":"enable X","applied_changes":1,"new_length":1239,"files":["config.json"],"decisions":[{"change_id":"A","state":"applied"}],"history_delta":{"messages_removed":4,"tokens_saved":2500},"task":{"id":"1","state":"completed"},"task_stack":"(empty)"}`},
		{ran, `{"status":"ok","code":"exit_code","exit_code":2,"output":"FAIL\n","duration":"1.2s","changed_files":[{"path":"go.sum","change":"changed"}],"hint":"A is staged, not on disk"}`},
		{failed, `{"status":"refused","code":"commit_failed","files":[{"path":"a<b.txt","code":"read_only","message":"the file is read-only"}],"hint":"nothing was written"}`},
	} {
		if got := c.out.JSON(); got != c.want {
			t.Errorf("got\n%s, want\n%s", got, c.want)
		}
		var back Outcome
		if err := json.Unmarshal([]byte(c.want), &back); err != nil || !reflect.DeepEqual(back, c.out) {
			t.Errorf("read back as %+v, %v", back, err)
		}
	}
}

// TestStatusOfCodes follows the table of results.
func TestStatusOfCodes(t *testing.T) {
	for status, codes := range map[string][]string{
		"needs_match": {"ambiguous", "near_match", "ambiguous_anchor"},
		"not_found":   {"no_match", "anchor_not_found", "match_before_anchor", "already_applied", "file_not_found"},
		"refused": {
			"empty_old_text", "no_change", "already_pending", "placeholder", "unknown_match_id", "match_used", "letters_full",
			"outside_roots", "denied", "not_text", "too_large", "bad_arguments", "depth", "applying", "commit_failed", "a word to come",
		},
		"ok":       {"exit_code", "timed_out", "cancelled"},
		"conflict": {"owned", "user_edit"},
		"stale":    {"line_key", "memory_hash"},
	} {
		for _, code := range codes {
			if out := Answer(code, "hint"); out.Status != status || out.Code != code {
				t.Errorf("%s answers with %s, want %s", code, out.Status, status)
			}
		}
	}
}

func TestIDs(t *testing.T) {
	for id, want := range map[string]int{"": 0, "2": 2, "#12": 12, "x": -1, "#": -1, "-1": -1, "0": -1, "99999999999999999999": -1, "1.5": -1} {
		if n, ok := TaskNumber(id); ok != (want >= 0) || ok && n != want {
			t.Errorf("TaskNumber(%q) = %d, %v, want %d", id, n, ok, want)
		}
	}
	for id, want := range map[string]int{"": 0, "sess-3": 3, "3": -1, "sess-x": -1, "sess-0": -1, "sess-": -1, "#3": -1} {
		if n, ok := EditNumber(id); ok != (want >= 0) || ok && n != want {
			t.Errorf("EditNumber(%q) = %d, %v, want %d", id, n, ok, want)
		}
	}
}
