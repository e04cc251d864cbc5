package offline

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/galley-ls/galley/memory"
)

// result is what the offline model reads of a tool's answer.
type result struct {
	Status    string `json:"status"`
	Code      string `json:"code"`
	Hint      string `json:"hint"`
	SessionID string `json:"session_id"`

	Path       string `json:"path"`
	Text       string `json:"text"`
	TotalLines int    `json:"total_lines"`
	Chars      int    `json:"chars"`

	Total      int         `json:"total"`
	Candidates []candidate `json:"candidates"`
	Matches    []textMatch `json:"matches"`
	Files      []file      `json:"files"`

	Pending        []pending  `json:"pending_changes"`
	Decisions      []decision `json:"decisions"`
	Summary        string     `json:"summary"`
	AppliedChanges int        `json:"applied_changes"`
	History        struct {
		Messages int `json:"messages_removed"`
		Tokens   int `json:"tokens_saved"`
	} `json:"history_delta"`
	Task struct {
		ID    string `json:"id"`
		State string `json:"state"`
		Goal  string `json:"goal"`
	} `json:"task"`
	Preview string `json:"preview"`
}

type candidate struct {
	ID          string `json:"match_id"`
	Line        int    `json:"line"`
	Text        string `json:"text"`
	Context     string `json:"context"`
	Diff        string `json:"diff"`
	ChangeID    string `json:"change_id"`
	Recommended bool   `json:"recommended"`
	Why         string `json:"why"`
}

type textMatch struct {
	Path string `json:"path"`
	Line int    `json:"line"`
	Text string `json:"text"`
}

type pending struct {
	Letter string `json:"change_id"`
	Path   string `json:"path"`
	Line   int    `json:"line"`
	State  string `json:"state"`
}

type decision struct {
	Letter string `json:"change_id"`
	State  string `json:"state"`
	Reason string `json:"reason"`
}

// file is a path, with what stood in its way if something did.
type file struct{ Path, Code, Message string }

func (f *file) UnmarshalJSON(b []byte) error {
	if bytes.HasPrefix(b, []byte(`"`)) {
		return json.Unmarshal(b, &f.Path)
	}
	type plain file
	return json.Unmarshal(b, (*plain)(f))
}

// readResult decodes the JSON that a tool answered. The zero result stands for a call that was never answered by its
// tool: the run died or was cancelled, and what stands there is a fixed text.
func readResult(content string) result {
	var r result
	if json.NewDecoder(strings.NewReader(content)).Decode(&r) != nil {
		return result{}
	}
	return r
}

func (r result) interrupted() bool { return r.Status == "" }

// ok reports whether the tool did what was asked.
func (r result) ok() bool {
	switch r.Status {
	case "ok", "editing", "committed", "proposed", "reverted":
		return true
	}
	return r.Code == codePending
}

// asks reports whether the answer is a list to choose from.
func (r result) asks() bool { return r.Status == "needs_match" }

// closes reports whether the answer ended an editing session, and its candidate lists with it.
func (r result) closes() bool { return r.Status == "committed" || r.Status == "reverted" }

// The codes that the model tells apart.
const (
	codePending   = "already_pending" // the very same change waits already
	codeAmbiguous = "ambiguous"
	codeUsed      = "match_used"
)

// arguments writes a call's arguments; the keys are sorted, so the same step gives the same bytes.
func arguments(args map[string]any) string {
	text, err := memory.Marshal(args)
	if err != nil {
		return "{}"
	}
	return string(text)
}

// readArguments is the way back; unreadable arguments are none.
func readArguments(s string) map[string]any {
	args := map[string]any{}
	if json.Unmarshal([]byte(s), &args) != nil {
		return map[string]any{}
	}
	return args
}
