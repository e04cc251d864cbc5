package session

import (
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// mostAsked and mostLines are what a person can look over before he agrees:
	// characters and lines of a command.
	mostAsked = 2000
	mostLines = 40
)

// tooLong says whether some of a command could stand out of sight.
func tooLong(text string) bool {
	return utf8.RuneCountInString(text) > mostAsked || strings.Count(text, "\n") >= mostLines
}

// wrongCommand refuses what must not, or cannot, be run.
func (s *Session) wrongCommand(text string) *Outcome {
	var o Outcome
	switch {
	case !s.Commands():
		o = Refused(CodeDenied, "the settings let no commands run here (tools.run_command is off); go on without, and tell the user what he should run")
	case strings.TrimSpace(text) == "":
		o = Refused(CodeBadArguments, "command is empty; give a line for the shell")
	case strings.ContainsFunc(text, unseen):
		o = Refused(CodeBadArguments, "the command holds control characters, which nobody could see before agreeing to it; write them as escapes of the shell, like $'\\x1b'")
	case s.set.Load().Commands != CommandsAllow && tooLong(text):
		o = Refused(CodeBadArguments, fmt.Sprintf("the command is longer than a person can look over before he agrees to it (%d characters, %d lines); give shorter ones, one after the other", mostAsked, mostLines))
	default:
		return nil
	}
	return &o
}

// unseen are characters that can make a line look like another one.
func unseen(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r)
}

// moved refuses a folder that has become another one while the person was asked.
func (s *Session) moved(o order) *Outcome {
	now := order{}
	if bad := s.place(&now, o.Dir); bad != nil {
		return bad
	}
	if now.abs != o.abs {
		bad := Refused(CodeFailed, fmt.Sprintf("%s has become another folder since the user was asked; nothing ran: look what it is now", o.Dir))
		return &bad
	}
	return nil
}

// consent asks the person, if he is to be asked. Nothing but a yes is one.
func (o order) consent(ctx context.Context) *Outcome {
	if ctx.Err() != nil {
		return denied("the run was cancelled before the command started")
	}
	if !o.ask {
		return nil
	}
	if o.confirm == nil {
		return denied("nobody can be asked here, so no command runs; go on without, and tell the user what he should run")
	}
	yes, err := o.confirm(ctx, o.Command)
	switch {
	case ctx.Err() != nil:
		return denied("the run was cancelled before the user agreed to the command; it did not run")
	case err != nil:
		return denied(fmt.Sprintf("the user did not let this command run: %v. Do not ask for it again: go on without, or do it another way", err))
	case !yes:
		return denied("the user did not let this command run. Do not ask for it again: go on without, or do it another way")
	}
	return nil
}

func denied(hint string) *Outcome {
	o := Refused(CodeDenied, hint)
	return &o
}
