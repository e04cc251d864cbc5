package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"syscall"

	"github.com/galley-ls/galley/agent/openai/openaitest"
)

// Exit codes.
const (
	exitOK       = 0
	exitProblems = 1 // a request was not as the strictest server wants it
	exitUsage    = 2 // or the script cannot be read, or the address not be had
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	opts, err := parseFlags(args, stdout)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitOK
	case err != nil:
		fmt.Fprintln(stderr, "modelserver:", err)
		return exitUsage
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	problems, err := serve(ctx, opts, stdin, stdout)
	switch {
	case err != nil:
		fmt.Fprintln(stderr, "modelserver:", err)
		return exitUsage
	case problems > 0:
		fmt.Fprintf(stderr, "modelserver: %d problems with the requests\n", problems)
		return exitProblems
	}
	return exitOK
}

// serve plays the script until the context ends, and counts the problems.
func serve(ctx context.Context, opts options, stdin io.Reader, stdout io.Writer) (problems int, err error) {
	text, err := os.ReadFile(opts.script)
	if err != nil {
		return 0, fmt.Errorf("read the script: %w", err)
	}
	script, err := openaitest.Parse(opts.script, text)
	if err != nil {
		return 0, err
	}
	listener, err := net.Listen("tcp", opts.addr)
	if err != nil {
		return 0, fmt.Errorf("listen on %s: %w", opts.addr, err)
	}
	server, err := openaitest.Serve(listener, script)
	if err != nil {
		return 0, err
	}
	defer server.Close()
	if opts.untilEOF {
		ctx = obey(ctx, server, stdin)
	}
	fmt.Fprintln(stdout, server.URL())
	return tell(ctx, server, opts.requests, stdout)
}

// obey releases a held answer at each line, and ends the context at the end.
func obey(ctx context.Context, server *openaitest.Server, stdin io.Reader) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		defer cancel()
		for lines := bufio.NewScanner(stdin); lines.Scan(); {
			server.Release()
		}
	}()
	return ctx
}
