package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/galley-ls/galley/agent/openai/openaitest"
)

// tell prints what comes to a server until the context ends.
func tell(ctx context.Context, server *openaitest.Server, bodies string, stdout io.Writer) (problems int, err error) {
	out := io.Discard
	if bodies != "" {
		file, failed := os.Create(bodies)
		if failed != nil {
			return 0, fmt.Errorf("write the requests: %w", failed)
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		out = file
	}
	for told := 0; ; {
		ended := server.Await(ctx, "a request", func(s openaitest.State) bool { return s.Requests > told })
		for _, request := range server.Requests()[told:] {
			told++
			fmt.Fprintf(stdout, "%d: %s %s <- %s\n", told, request.Method, request.Path, request.Answer)
			if _, err := out.Write(append(bytes.ReplaceAll(request.Body, []byte("\n"), []byte(" ")), '\n')); err != nil {
				return problems, fmt.Errorf("write the requests: %w", err)
			}
			for _, problem := range request.Problems {
				problems++
				fmt.Fprintf(stdout, "problem: %s\n", problem)
			}
		}
		if ended != nil {
			return problems, nil
		}
	}
}
