package lsp

import (
	"context"
	"errors"
	"fmt"

	"github.com/galley-ls/galley/editing"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// requestFailed is LSP's code for a request that was right but did not work out.
const requestFailed jsonrpc2.Code = -32803

// Codes of our own, beside those of tools.md.
const (
	codeBadArguments  = "bad_arguments"
	codeUnknownChange = "unknown_change"
	codeNoSession     = "no_session"
	codeNotShown      = "not_shown"
	codeWhole         = "whole" // of editing.Split
)

// failure is the data of an error, for programs; its sentence is for people.
type failure struct {
	Status  string `json:"status"`
	Code    string `json:"code,omitempty"`
	Preview string `json:"preview,omitempty"` // of a stale choice: how it looks now
}

func fail(f failure, sentence string) error {
	return &jsonrpc2.Error{Code: requestFailed, Message: sentence, Data: jsonrpc2.RawMessage(own(f))}
}

func refused(code, format string, args ...any) error {
	return fail(failure{Status: editing.StatusRefused, Code: code}, fmt.Sprintf(format, args...))
}

func badArguments(format string, args ...any) error {
	return refused(codeBadArguments, format, args...)
}

// failed turns a result that is not OK into an error for the editor.
func failed(r editing.Result, preview string) error {
	sentence := r.Hint
	if sentence == "" {
		sentence = r.Status
	}
	return fail(failure{Status: r.Status, Code: r.Code, Preview: preview}, sentence)
}

func invalidParams(format string, args ...any) error {
	return jsonrpc2.Errorf(jsonrpc2.InvalidParams, format, args...)
}

// coded gives an error a code on the wire: a plain one would go out with 0.
func coded(err error, code jsonrpc2.Code) error {
	var wire *jsonrpc2.Error
	switch {
	case errors.As(err, &wire):
		return err
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return protocol.ErrRequestCancelled
	}
	return jsonrpc2.Errorf(code, "%s", err.Error())
}
