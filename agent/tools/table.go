package tools

import (
	"context"
	"strings"
	"sync"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/memory"
)

// All returns the tools in the order in which every request lists them. The order is fixed: a server keeps what it
// worked out for a request only as far as the next one starts with the same bytes.
var All = sync.OnceValue(func() []Tool {
	return []Tool{
		memoRead(), replace(), replaceSpan(), appendText(), write(), deleteFile(), renameFile(),
		preview(), drop(), commit(), commitAuto(), revert(), exportSession(), exportDiff(),
		beginTask(), updateTask(), compactHistory(), queryHistory(), memoryEvent(),
		listFiles(), searchText(), readFile(), runCommand(),
	}
})

// commandTool exists only where the settings let commands run.
const commandTool = "run_command"

// spare are the tools that a model with a small window does without.
var spare = map[string]bool{
	"memo_export_session": true, "memo_export_diff": true, "memory_event": true, "memo_preview": true, "memo_commit_auto": true,
	"memory_notebook_replace_span": true,
}

// Options say which tools are offered, and how.
type Options struct {
	Commands bool              // run_command, too
	Few      bool              // only the tools of editing, tasks and history: for a small window
	Texts    map[string]string // by the name of a tool: what the model reads instead of the built-in text
}

// Specs are the tools as they are offered to a model.
func Specs(o Options) []memory.ToolSpec {
	specs := make([]memory.ToolSpec, 0, len(All()))
	for _, t := range All() {
		if t.Name == commandTool && !o.Commands || o.Few && spare[t.Name] {
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

// byName are the tools by their names.
var byName = sync.OnceValue(func() map[string]Tool {
	tools := map[string]Tool{}
	for _, t := range All() {
		tools[t.Name] = t
	}
	return tools
})

// Find returns the tool that a name means.
func Find(name string) (Tool, bool) {
	meant := memory.MeantTool(name, func(name string) bool { _, ok := byName()[name]; return ok })
	t, ok := byName()[meant]
	return t, ok
}

// Run makes a call of the model's, and answers every one. No secret goes in or comes out.
func Run(ctx context.Context, s *session.Session, call memory.ToolCall) Outcome {
	return fit(guarded(call, s.Settings().MayRun(), s.Mask, func(t Tool) Outcome {
		return t.run(ctx, s, session.By{Call: call.ID}, call.Arguments)
	}), s.ResultBudget())
}

// guarded makes a call of a tool that there is.
func guarded(call memory.ToolCall, commands bool, mask func(string) string, run func(Tool) Outcome) Outcome {
	t, ok := Find(call.Name)
	switch {
	case !ok || t.Name == commandTool && !commands:
		return Refused(CodeBadArguments, Unknown(mask(call.Name), commands))
	case mask(call.Arguments) != call.Arguments:
		return Refused(CodeDenied, "the arguments hold a secret (a key or the like), which galley passes on to nobody; call "+t.Name+" again without it")
	}
	if !t.ReadOnly && quotesLeftOut(call.Arguments) {
		return Refused(CodePlaceholder, "the arguments quote a mark of galley's (…"+leftOut+"), which is no text of the file; quote a part of the line beside it, with memory_notebook_replace")
	}
	// a stray byte would go out as U+FFFD, which is nothing that could be given back
	return Masked(run(t), func(v string) string { return text.MarkStray(mask(v)) })
}

// Unknown says that there is no tool with a name, and which one may be meant; with commands, run_command is one.
func Unknown(name string, commands bool) string {
	names := make([]string, 0, len(All()))
	for _, t := range All() {
		if t.Name != commandTool || commands {
			names = append(names, t.Name)
		}
	}
	bare := name[strings.LastIndexAny(name, ".:/")+1:] // as memory.MeantTool takes it
	return "there is no tool " + quote(name) + "; " + suggest(bare, names, "the tools are ")
}
