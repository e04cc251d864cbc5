package main

import (
	"crypto/rand"
	"errors"
	"strings"
	"time"

	"github.com/galley-ls/galley/cmd/galley/internal/cli"

	"github.com/spf13/cobra"
	"go.uber.org/zap"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/cmd/galley/internal/run"
	"github.com/galley-ls/galley/cmd/galley/internal/setup"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/memory"
)

// toolWait is how long a call waits for another one that holds the workspace.
const toolWait = 5 * time.Second

// toolFlags are the flags of tool.
type toolFlags struct {
	session string
	review  cli.OneOf
	list    bool
}

func newToolCommand() *cobra.Command {
	f := toolFlags{review: cli.OneOf{Value: "ask", Words: []string{"ask", "wait", "auto"}}}
	cmd := &cobra.Command{
		Use: "tool NAME [JSON]", Short: "Call one tool of the agent; the result is JSON", GroupID: cli.GroupScripts,
		Long: `tool calls one of the tools that the agent has, for scripts and for agents that are not galley's own. The arguments are a
JSON object: the second argument, or stdin for - or where stdin is no terminal. The result is one line of JSON on stdout.

What is staged lasts from call to call: all calls of a workspace share one session, made by the first of them, and wait up
to 5 seconds for one another. What a person decided since the last call is told on stderr.`,
		Example: `  galley tool --list
  galley tool memo_read '{"path":"config.yaml"}'
  galley tool memory_notebook_replace '{"path":"config.yaml","old_text":"on","new_text":"off","match_id":"B"}'
  galley tool memo_commit --review auto '{"summary":"longer timeout"}'
  galley tool memory_notebook_replace --help`,
		Args: func(_ *cobra.Command, args []string) error { return f.arguments(args) },
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return cli.CompleteTool(args)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.session, "session", "", cli.SessionUsage("call it in")+", not in the workspace's own")
	flags.Var(&f.review, "review", "auto lets memo_commit commit; ask and wait let it propose, for galley review; else as the setting review says")
	flags.BoolVar(&f.list, "list", false, "list the tools")
	cli.Complete(cmd, "review", f.review.Complete)
	cli.Complete(cmd, "session", cli.CompleteSession)
	return cmd
}

func (f *toolFlags) arguments(args []string) error {
	switch {
	case f.list && len(args) > 0:
		return term.Usage("galley tool "+term.ShellWord(args[0])+" --help explains one of them", "--list takes no arguments")
	case f.list:
		return nil
	case len(args) == 0:
		return term.Usage("galley tool --list names them", "no tool is named")
	case len(args) > 2:
		return term.Usage("put the JSON in quotes: galley tool "+term.ShellWord(args[0])+` '{"path":"notes.md"}'`, "the arguments must be one JSON object, and there are %d arguments", len(args)-1)
	}
	if _, ok := tools.Find(args[0]); !ok {
		return unknownTool(args[0])
	}
	return nil
}

// unknownTool says which tool was meant, in the words that a model hears.
func unknownTool(name string) error {
	what, next, _ := strings.Cut(tools.Unknown(name, true), "; ")
	return term.Usage(next+"\ngalley tool --list names them all", "%s", what)
}

func (f *toolFlags) run(cmd *cobra.Command, args []string) error {
	c := cli.ConsoleOf(cmd)
	if f.list {
		cli.ListTools(c.Out)
		return nil
	}
	p, log, err := cli.Ready(cmd)
	if err != nil {
		return err
	}
	arguments, err := run.ToolArguments(c, args)
	if err != nil {
		return err
	}
	if f.session, err = p.Session(f.session); err != nil {
		return err
	}
	cfg := p.Config()
	cfg.ID = f.session
	if cmd.Flags().Changed("review") {
		cfg.Review, cfg.ReviewByFile = editing.Policy(f.review.Value), nil
	}
	if cfg.Review != editing.Auto { // nobody can be waited for between calls
		cfg.Review = editing.Ask
	}
	call := memory.ToolCall{ID: "call_" + rand.Text(), Name: args[0], Arguments: arguments}
	id, o, err := f.call(cmd, p, log, cfg, call)
	if o.Status == "" { // the call was not made
		return err
	}
	log.Info("tool called", zap.String("tool", args[0]), zap.String("session", id), zap.String("status", o.Status), zap.String("code", o.Code))
	c.Out.Println(term.HarmlessJSON(o.JSON())) // what was done is done, also where it could not be noted
	if err != nil {
		return err
	}
	return term.EndedWith(run.ExitOfTool(o.Status))
}

// call makes the call at the host of the workspace.
func (f *toolFlags) call(cmd *cobra.Command, p setup.Place, log *zap.Logger, cfg session.Config, call memory.ToolCall) (id string, o tools.Outcome, err error) {
	p.Wait = toolWait
	conn, err := cli.Connect(cmd, p, log, false)
	if err != nil {
		return "", o, err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if cfg.ID == "" {
		if cfg.ID, err = memory.NameToolSession(cmd.Context(), cfg.Home, cfg.Workspace, memory.Meta{Title: session.ToolTitle, Model: cfg.Model}); err != nil {
			return "", o, err
		}
	}
	o, err = run.Tool(cmd.Context(), cli.ConsoleOf(cmd), conn, cfg, call)
	return cfg.ID, o, err
}
