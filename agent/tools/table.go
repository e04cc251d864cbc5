package tools

import (
	"context"
	"strings"
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
	RunCommand(ctx context.Context, a session.CommandArgs) session.Outcome

	// Commands reports whether run_command exists here.
	Commands() bool
	// Saw keeps what a call has read until its answer is journaled.
	Saw(call string, o session.Outcome)
	// Mask is a text without secrets.
	Mask(text string) string
}

// All returns the tools in the order in which every request lists them. The order is fixed: a server keeps what it
// worked out for a request only as far as the next one starts with the same bytes.
var All = sync.OnceValue(func() []Tool {
	return []Tool{
		memoRead(), replace(), replaceSpan(), appendText(), write(),
		preview(), drop(), commit(), commitAuto(), revert(), exportSession(), exportDiff(),
		beginTask(), updateTask(),
		listFiles(), searchText(), readFile(), runCommand(),
	}
})

// commandTool exists only where the settings let commands run.
const commandTool = "run_command"

// Options say which tools are offered, and how.
type Options struct {
	Commands bool              // run_command, too
	Texts    map[string]string // by the name of a tool: what the model reads instead of the built-in text
}

// Specs are the tools as they are offered to a model.
func Specs(o Options) []memory.ToolSpec {
	specs := make([]memory.ToolSpec, 0, len(All()))
	for _, t := range All() {
		if t.Name == commandTool && !o.Commands {
			continue
		}
		doc := t.Doc
		if text := strings.TrimSpace(o.Texts[t.Name]); text != "" {
			doc = text
		}
		specs = append(specs, memory.ToolSpec{Name: t.Name, Description: doc, Parameters: t.Schema})
	}
	return specs
}

// Doc is the built-in text of a tool.
func Doc(name string) (string, bool) {
	t, ok := Find(name)
	return t.Doc, ok
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

// Run answers a call with the JSON of its result. No secret goes in or comes out.
func Run(ctx context.Context, table Table, call memory.ToolCall) string {
	t, ok := Find(call.Name)
	commands := table.Commands()
	switch {
	case !ok || t.Name == commandTool && !commands:
		return session.Refused(session.CodeBadArguments, Unknown(table.Mask(call.Name), commands)).JSON()
	case table.Mask(call.Arguments) != call.Arguments:
		return session.Refused(session.CodeDenied, "the arguments hold a secret (a key or the like), which galley passes on to nobody; call "+
			t.Name+" again without it").JSON()
	}
	o := t.Run(ctx, table, call.Arguments)
	table.Saw(call.ID, o)
	return table.Mask(o.JSON())
}

// Unknown says that there is no tool with a name, and which one may be meant; with commands, run_command is one.
func Unknown(name string, commands bool) string {
	names := make([]string, 0, len(All()))
	for _, t := range All() {
		if t.Name != commandTool || commands {
			names = append(names, t.Name)
		}
	}
	return "there is no tool " + quote(name) + "; " + suggest(name, names, "the tools are ")
}
