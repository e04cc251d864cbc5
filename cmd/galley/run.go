package main

import (
	"errors"
	"io"
	"os"
	"strings"

	"github.com/galley-ls/galley/cmd/galley/internal/cli"

	"github.com/spf13/cobra"

	"github.com/galley-ls/galley/agent"
	"github.com/galley-ls/galley/cmd/galley/internal/run"
	"github.com/galley-ls/galley/cmd/galley/internal/settings"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/lsp/dial"
	"github.com/galley-ls/galley/memory"
)

// The words of run's --review.
const (
	reviewAuto = "auto"
	reviewAsk  = "ask"
	reviewKeep = "keep"
)

// runFlags are the flags of run.
type runFlags struct {
	review        cli.OneOf
	json          bool
	record        string
	replay        string
	session       string
	again         bool // in the newest session
	maxIterations int
	reasoning     bool

	asks bool // somebody can be asked about commands
}

func newRunCommand() *cobra.Command {
	f := runFlags{review: cli.OneOf{Words: []string{reviewAsk, reviewKeep, reviewAuto}}}
	cmd := &cobra.Command{
		Use: `run "PROMPT"`, Short: "Give the agent an instruction, and review what it stages", GroupID: cli.GroupWork,
		Long: `run gives the agent an instruction, shows its steps, and lets you review the edits it stages. The prompt is one argument,
in quotes; - reads it from stdin. With --session or -c it may be left out: the agent goes on where it was.

The model is the one of your settings (galley doctor checks it, and shows how to choose one). Without any it is the built-in
offline one: no network, no key, and no language model. That one understands plain instructions:

` + run.GrammarForms() + `

  Steps are joined by "then" or stand on lines of their own; galley run help explains them all.

Steps are told on stderr; the model's text and the preview of what waits go to stdout. Ctrl-C stops at the next safe point,
a second one at once; the run can be gone on with. --review says who decides:

  ask    asks you at each commit, and at the end for what is left (the usual way on a terminal). There
         it is a conversation: what you type that is no answer about letters goes to the agent
  keep   keeps everything for galley review (the usual way without a terminal)
  auto   lets the agent commit`,
		Example: `  galley run 'the client gives up too early: try it five times'
  galley run 'replace "timeout: 30" with "timeout: 60" in config.yaml then commit "longer timeout"'
  galley run --review keep 'task "notes" then append "- ship it" to notes.md then commit'
  galley run --json - < instruction.txt`,
		Args: func(cmd *cobra.Command, args []string) error { return onePrompt(args, f.session != "" || f.again) },
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.Var(&f.review, "review", "who decides about the edits")
	flags.BoolVar(&f.json, "json", false, "events as JSON lines on stdout, nothing else there")
	flags.BoolVar(&f.reasoning, "reasoning", false, "show what the model thinks before it answers, on stderr")
	flags.StringVar(&f.record, "record", "", "write what the model answers to a recording, this `file`")
	flags.StringVar(&f.replay, "replay", "", "let the recording in this `file` answer instead of a model")
	flags.StringVar(&f.session, "session", "", cli.SessionUsage("go on in"))
	flags.BoolVarP(&f.again, "continue", "c", false, "go on in the session that was written to last, as with --session @last")
	flags.IntVar(&f.maxIterations, "max-iterations", agent.DefaultMaxIterations, "stop after `n` replies of the model")
	cli.ModelFlags(cmd)
	cli.Complete(cmd, "review", f.review.Complete)
	cli.Complete(cmd, "session", cli.CompleteSession)
	return cmd
}

func onePrompt(args []string, goesOn bool) error {
	const example = `galley run 'replace "old" with "new" in notes.md'`
	switch {
	case len(args) > 1:
		return term.Usage("put it in quotes: "+example, "the prompt must be one argument, and there are %d", len(args))
	case len(args) == 0 && !goesOn, len(args) == 1 && strings.TrimSpace(args[0]) == "":
		return term.Usage("give one in quotes: "+example+"; or - to read it from stdin", "there is no prompt")
	}
	return nil
}

// run is the command: get everything ready, run, review, say how it ended.
func (f *runFlags) run(cmd *cobra.Command, args []string) error {
	c := cli.ConsoleOf(cmd)
	p, log, err := cli.Ready(cmd)
	if err != nil {
		return err
	}
	p.Introduce(cli.ConsoleOf(cmd).Err)
	f.obey(cmd, p.Settings())
	if err := f.decide(c, args); err != nil {
		return err
	}
	if f.again {
		f.session = memory.Last
	}
	if f.session, err = p.Session(f.session); err != nil {
		return err
	}
	prompt, err := f.prompt(c, args)
	if err != nil {
		return err
	}
	m, closeModel, err := f.model(p, func(odd string) { log.Warn(odd) })
	if err != nil {
		return err
	}
	cfg := run.Config{
		Console: p.Here(c), Stands: p.Stands(), Log: log, Session: p.Config(), Model: m, Galley: p.Command, Again: modelWords(cmd), Exit: os.Exit,
		Asks: f.review.Value == reviewAsk, Confirms: f.asks, JSON: f.json, Reasoning: f.reasoning,
		MaxIterations: f.maxIterations, MaxTokens: p.Settings().Agent.MaxTokens, MaxCost: p.Settings().Agent.MaxCost,
	}
	cfg.Session.ID, cfg.Session.Review = f.session, f.policy()
	if cmd.Flags().Changed("review") {
		cfg.Session.ReviewByFile = nil
	}
	if cfg.Link, err = dial.NewLink(func() (*dial.Conn, error) { return cli.Connect(cmd, p, log, true) }); err != nil {
		return errors.Join(err, closeModel())
	}
	err = errors.Join(cfg.Run(cmd.Context(), prompt), cfg.Link.Close())
	return errors.Join(err, closeModel())
}

// obey takes from the settings what the command line does not say.
func (f *runFlags) obey(cmd *cobra.Command, s settings.Settings) {
	if !cmd.Flags().Changed("max-iterations") {
		f.maxIterations = s.Agent.MaxIterations
	}
	if s.Review[settings.DefaultFile] == reviewAuto && f.review.Value == "" {
		f.review.Value = reviewAuto
	}
}

// modelWords are the flags that chose the model, for the command that goes on. An address with a password in it is not
// shown.
func modelWords(cmd *cobra.Command) (words []string) {
	for _, name := range []string{cli.FlagModel, cli.FlagBaseURL} {
		value, err := cmd.Flags().GetString(name)
		if err == nil && value != "" && (name == cli.FlagModel || settings.PublicURL(value) == value) {
			words = append(words, "--"+name, value)
		}
	}
	return words
}

// decide finds out who decides, and what does not go together.
func (f *runFlags) decide(c term.Console, args []string) error {
	fromStdin := len(args) == 1 && args[0] == "-"
	asked := f.review.Value
	f.asks = c.InIsTerm && c.Err.Width > 0 && !f.json && !fromStdin
	switch {
	case asked == reviewAsk && f.json:
		return term.Usage("use --review keep, and then galley review", "--json and --review ask do not go together: questions would stand between the events")
	case asked == reviewAsk && fromStdin:
		return term.Usage("give the prompt as an argument, or use --review keep", "with - the prompt comes from stdin, so the answers of --review ask cannot")
	case f.maxIterations < 1:
		return term.Usage("give a number from 1 on", "--max-iterations is %d", f.maxIterations)
	case f.again && f.session != "":
		return term.Usage("leave one of them out", "--continue and --session do not go together")
	case f.record != "" && f.replay != "":
		return term.Usage("leave one of them out", "--record and --replay do not go together")
	case asked == "" && c.Interactive() && !f.json && !fromStdin:
		f.review.Value = reviewAsk
	case asked == "":
		f.review.Value = reviewKeep
	}
	return nil
}

func (f *runFlags) prompt(c term.Console, args []string) (string, error) {
	if len(args) == 0 {
		return "", nil
	}
	if args[0] != "-" {
		return args[0], nil
	}
	text, err := io.ReadAll(c.In)
	if err != nil {
		return "", err
	}
	return string(text), onePrompt([]string{string(text)}, false)
}

// policy is what --review means for the session.
func (f *runFlags) policy() editing.Policy {
	switch f.review.Value {
	case reviewAuto:
		return editing.Auto
	case reviewAsk:
		return editing.Wait
	}
	return editing.Ask
}
