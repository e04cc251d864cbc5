package tools

import (
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing/disk"
)

const (
	// mostAsked and mostLines are what a person can look over before they agree:
	// characters and lines of a command.
	mostAsked = 2000
	mostLines = 40
)

// tooLong says whether some of a command could stand out of sight.
func tooLong(text string) bool {
	return utf8.RuneCountInString(text) > mostAsked || strings.Count(text, "\n") >= mostLines
}

// wrongCommand refuses what must not, or cannot, be run.
func wrongCommand(cfg session.Config, text string) error {
	refuse := func(code, hint string) error { return &session.Refusal{Code: code, Hint: hint} }
	switch {
	case !cfg.MayRun():
		return refuse(CodeDenied, "the settings let no commands run here (tools.run_command is off); go on without, and tell the user what to run")
	case strings.TrimSpace(text) == "":
		return refuse(CodeBadArguments, "command is empty; give a line for the shell")
	case strings.ContainsFunc(text, unseen):
		return refuse(CodeBadArguments, "the command holds control characters, which nobody could see before agreeing to it; write them as escapes of the shell, like $'\\x1b'")
	case cfg.Commands != session.CommandsAllow && tooLong(text):
		return refuse(CodeBadArguments, fmt.Sprintf("the command is longer than a person can look over before they agree to it (%d characters, %d lines); give shorter ones, one after the other", mostAsked, mostLines))
	}
	return nil
}

// unseen are characters that can make a line look like another one.
func unseen(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r)
}

// moved refuses a folder that has become another one while the person was asked.
func (o order) moved(files *disk.Roots) error {
	now, _, err := place(files, o.Dir)
	if err == nil && now != o.abs {
		err = &session.Refusal{Code: CodeFailed, Hint: fmt.Sprintf("%s has become another folder since the user was asked; nothing ran: look what it is now", o.Dir)}
	}
	return err
}

// consent asks the person, if they are to be asked. Nothing but a yes is one.
func (o order) consent(ctx context.Context, cfg session.Config) error {
	deny := func(hint string) error { return &session.Refusal{Code: CodeDenied, Hint: hint} }
	if ctx.Err() != nil {
		return deny("the run was cancelled before the command started")
	}
	if cfg.Commands == session.CommandsAllow {
		return nil
	}
	if cfg.Confirm == nil {
		return deny("nobody can be asked here, so no command runs; go on without, and tell the user what to run")
	}
	yes, err := cfg.Confirm(ctx, o.Command)
	switch {
	case ctx.Err() != nil:
		return deny("the run was cancelled before the user agreed to the command; it did not run")
	case err != nil:
		return deny(fmt.Sprintf("the user did not let this command run: %v. Do not ask for it again: go on without, or do it another way", err))
	case !yes:
		return deny("the user did not let this command run. Do not ask for it again: go on without, or do it another way")
	}
	return nil
}
