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
	text, n := s.LookBack(q, most)
	if notes := s.Memory().Notes(a.Query, a.Limit); a.Query != "" && notes != "" {
		text, n = strings.TrimSpace(text+"\n\n"+notes), n+1
	}
	o := Outcome{Status: StatusOK, Total: &n, Text: &text}
	switch {
	case n == 0:
		o = Answer(CodeNoMatch, "no entry of the history fits; try a shorter query, one word of it")
	case n == a.Limit && a.Entry == 0:
		o.Hint = fmt.Sprintf("the newest %d: narrow the query for older ones; entry shows one whole", n)
	}
	return o
}
