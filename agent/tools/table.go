package tools

import (
	"context"
	"sync"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/memory"
)

// Table is what the tools act on.
type Table interface {
	Read(ctx context.Context, a session.ReadArgs) session.Outcome
	Replace(ctx context.Context, a session.ReplaceArgs) session.Outcome
	ReplaceSpan(ctx context.Context, a session.SpanArgs) session.Outcome
	Append(ctx context.Context, a session.AppendArgs) session.Outcome
	Write(ctx context.Context, a session.WriteArgs) session.Outcome
	Preview(ctx context.Context, a session.PreviewArgs) session.Outcome
	Drop(ctx context.Context, a session.DropArgs) session.Outcome
	Commit(ctx context.Context, a session.CommitArgs) session.Outcome
	CommitAuto(ctx context.Context) session.Outcome
	Revert(ctx context.Context, a session.RevertArgs) session.Outcome
	ExportSession(ctx context.Context, a session.ExportArgs) session.Outcome
	ExportDiff(ctx context.Context, a session.ExportArgs) session.Outcome
	BeginTask(ctx context.Context, a session.BeginTaskArgs) session.Outcome
	UpdateTask(ctx context.Context, a session.UpdateTaskArgs) session.Outcome
	ListFiles(ctx context.Context, a session.ListArgs) session.Outcome
	SearchText(ctx context.Context, a session.SearchArgs) session.Outcome
	ReadFile(ctx context.Context, a session.ReadFileArgs) session.Outcome
}

// All returns the tools in the order in which every request lists them. The order is fixed: a server keeps what it
// worked out for a request only as far as the next one starts with the same bytes.
var All = sync.OnceValue(func() []Tool {
	return []Tool{
		memoRead(), replace(), replaceSpan(), appendText(), write(),
		preview(), drop(), commit(), commitAuto(), revert(), exportSession(), exportDiff(),
		beginTask(), updateTask(),
		listFiles(), searchText(), readFile(),
	}
})

// Specs are the tools as they are offered to a model.
func Specs() []memory.ToolSpec {
	specs := make([]memory.ToolSpec, 0, len(All()))
	for _, t := range All() {
		specs = append(specs, memory.ToolSpec{Name: t.Name, Description: t.Doc, Parameters: t.Schema})
	}
	return specs
}

// Find returns the tool with a name.
func Find(name string) (Tool, bool) {
	for _, t := range All() {
		if t.Name == name {
			return t, true
		}
	}
	return Tool{}, false
}

// Run answers a call with the JSON of its result.
func Run(ctx context.Context, table Table, call memory.ToolCall) string {
	t, ok := Find(call.Name)
	if !ok {
		return session.Refused(session.CodeBadArguments, unknownTool(call.Name)).JSON()
	}
	return t.Run(ctx, table, call.Arguments).JSON()
}

func unknownTool(name string) string {
	names := make([]string, 0, len(All()))
	for _, t := range All() {
		names = append(names, t.Name)
	}
	return "there is no tool " + quote(name) + "; " + suggest(name, names, "the tools are ")
}
