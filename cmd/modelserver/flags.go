package main

import (
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/galley-ls/galley/agent/openai/openaitest"
)

type options struct {
	script   string
	addr     string
	requests string
	untilEOF bool
}

// parseFlags takes the script before or behind the flags.
func parseFlags(args []string, stdout io.Writer) (opts options, err error) {
	flags := flag.NewFlagSet("modelserver", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // run prints the error, and the help goes to stdout
	flags.StringVar(&opts.addr, "addr", "127.0.0.1:0", "`address` to listen on; port 0 is any free one")
	flags.StringVar(&opts.requests, "requests", "", "`file` to write the bodies of the requests to, one a line")
	flags.BoolVar(&opts.untilEOF, "until-eof", false,
		"stop when stdin is closed, as it is when the program ends that started this one; a line releases a held answer")
	for first := true; first || len(args) > 0; first = false {
		switch err := flags.Parse(args); {
		case errors.Is(err, flag.ErrHelp):
			help(flags, stdout)
			return opts, err
		case err != nil:
			return opts, fmt.Errorf("%w; see modelserver -h", err)
		}
		args = flags.Args()
		if len(args) == 0 {
			break
		}
		if opts.script != "" {
			return opts, fmt.Errorf("there is a script too many, %s; see modelserver -h", args[0])
		}
		opts.script, args = args[0], args[1:]
	}
	if opts.script == "" {
		return opts, errors.New("there is no script; see modelserver -h")
	}
	return opts, nil
}

func help(flags *flag.FlagSet, stdout io.Writer) {
	fmt.Fprint(stdout, "modelserver plays a script of model replies to any OpenAI-compatible client.\n\nusage: modelserver SCRIPT [flags]\n\n")
	flags.SetOutput(stdout)
	flags.PrintDefaults()
	fmt.Fprintf(stdout, "\n%s", openaitest.Help())
}
