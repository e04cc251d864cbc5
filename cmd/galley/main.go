package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/galley-ls/galley/cmd/galley/internal/cli"

	"github.com/galley-ls/galley/cmd/galley/internal/term"
)

func main() { os.Exit(execute(os.Args[1:])) }

// execute executes one command line. The first interrupt asks the command to stop at a safe point; the second one is the
// system's own, for a command that does not; run leaves by itself, to say how to go on. A closed terminal asks likewise.
func execute(args []string) int {
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // by nohup, say
		ends = append(ends, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), ends...)
	defer stop()
	context.AfterFunc(ctx, stop)

	root, out := newRoot(), &term.Output{File: os.Stdout}
	root.SetArgs(args)
	root.SetOut(out)
	unknown := cli.CheckHelp(root)
	cmd, err := root.ExecuteContextC(ctx)
	err = errors.Join(err, unknown())
	if lost := out.Lost(); lost != nil && (err == nil || errors.As(err, new(term.Ended))) {
		err = fmt.Errorf("the output could not be written: %w", lost)
	}
	return cli.Report(cli.ConsoleOf(cmd).Err, err)
}
