package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() { os.Exit(execute(os.Args[1:])) }

// execute executes one command line. The first interrupt asks the command to stop at a safe point; the second one is the
// system's own, for a command that does not; run leaves by itself, to say how to go on.
func execute(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)

	root := newRoot()
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	return report(consoleOf(cmd).Err, cmd, err)
}
