package tools

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/memory"
)

//go:embed query_history.md
var queryHistoryDoc string

// queryHistory looks up what was said and done, also what requests do not hold any more.
func queryHistory() Tool { return define("query_history", queryHistoryDoc, lookBack).readOnly() }

// HistoryArgs are the arguments of query_history.
type HistoryArgs struct {
	Query string `json:"query,omitempty"`
	Entry int64  `json:"entry,omitempty" jsonschema:"minimum=1"`
	To    int64  `json:"through,omitempty" jsonschema:"minimum=1"`
	File  string `json:"file,omitempty"`
	Limit int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=50"`
	Scope string `json:"scope,omitempty" jsonschema:"example=workspace"`
}

const (
	historyLimit = 10
	historyChars = 400 // of an entry among others
)

func lookBack(_ context.Context, s *session.Session, _ session.By, a HistoryArgs) Outcome {
	if a.Query == "" && a.Entry == 0 && a.File == "" {
		return Refused(CodeBadArguments, "nothing is asked for; pass query (words that occur in it), file, or entry (a number)")
	}
	if a.Limit == 0 {
		a.Limit = historyLimit
	}
	q, most := memory.JournalQuery{Text: a.Query, File: a.File, Limit: a.Limit, Types: memory.Told}, historyChars
	if a.Entry > 0 {
		q, most = memory.JournalQuery{Entry: a.Entry, Through: a.To}, 0
	}
	switch a.Scope {
	case "", scopeSession, s.ID():
		text, n := s.LookBack(q, most)
		if notes := s.Memory().Notes(a.Query, a.Limit); a.Query != "" && notes != "" {
			text, n = strings.TrimSpace(text+"\n\n"+notes), n+1
		}
		return lookedBack(a, text, n, "")
	case scopeWorkspace:
		if a.Entry > 0 {
			return Refused(CodeBadArguments, "entry numbers are those of one session; pass its id as scope")
		}
		a.Scope = ""
	}
	text, n, all, err := s.LookElsewhere(a.Scope, q, most)
	switch {
	case err != nil:
		return failed(err)
	case !all:
		return lookedBack(a, text, n, "; older sessions were not looked into, they are too long")
	}
	return lookedBack(a, text, n, "; scope with the id of a session looks into that one")
}

// The scopes of query_history; another one is the id of a session.
const (
	scopeSession   = "session"
	scopeWorkspace = "workspace"
)

func lookedBack(a HistoryArgs, text string, n int, more string) Outcome {
	o := Outcome{Status: StatusOK, Total: &n, Text: &text}
	switch {
	case n == 0:
		o = Answer(CodeNoMatch, "no entry of the history fits; try a shorter query, one word of it"+more)
	case n == a.Limit && a.Entry == 0:
		o.Hint = fmt.Sprintf("the newest %d: narrow the query for older ones; entry shows one whole%s", n, more)
	}
	return o
}
