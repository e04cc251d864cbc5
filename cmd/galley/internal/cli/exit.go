package cli

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/galley-ls/galley/agent/openai"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/memory"
)

// ExitTable says what exit codes mean, of each command where it says something of its own. docs/terminal.md has the same table.
var ExitTable = []struct {
	Code  int
	Of    string // the command, "": any
	Means string
}{
	{term.ExitDone, "", "done"},
	{term.ExitDone, "run", "done, and nothing waits for you"},
	{term.ExitDone, "review", "nothing waits, or no longer"},
	{term.ExitDone, "undo", "it is taken back, or there is nothing to take back"},
	{term.ExitDone, "tool", "the tool answered with success: ok, editing, proposed, committed, reverted"},
	{term.ExitDone, "serve", "the editor said goodbye, or is gone"},
	{term.ExitDone, "demo", "played"},
	{term.ExitDone, "trust", "done, or there is nothing to trust"},
	{term.ExitDone, "doctor", "all is well, or there are warnings only (!)"},
	{term.ExitError, "", "an error; also output that cannot be written"},
	{term.ExitError, "run", "an error: the model, a file, the journal"},
	{term.ExitError, "review", "an error, or a decision that could not be carried out"},
	{term.ExitError, "undo", "an error, or it could not be taken back, or you said no"},
	{term.ExitError, "tool", "an error: the session is in use, the journal cannot be written"},
	{term.ExitError, "serve", "an error, or stdin closed without a goodbye"},
	{term.ExitError, "demo", "an error, or something went differently than it should"},
	{term.ExitError, "memory doctor", "something was found, or an error"},
	{term.ExitError, "config init", "there is a file of settings already, or an error"},
	{term.ExitError, "trust", "not trusted: you said no, or nobody could be asked"},
	{term.ExitError, "doctor", "something does not work (✗), or an error"},
	{term.ExitUsage, "", "a wrong command line or configuration"},
	{term.ExitUsage, "review", "a wrong command line, no such session or letter, or a revert that nobody confirmed"},
	{term.ExitUsage, "undo", "a wrong command line, or no such decision"},
	{term.ExitUsage, "tool", "a wrong command line, or no such tool; wrong arguments are refused (3)"},
	{term.ExitUsage, "config show", "a wrong command line, or something in the settings is wrong: the rest is shown"},
	{term.ExitWaiting, "run", "something waits for you: letters, or a question of the agent's"},
	{term.ExitWaiting, "review", "letters still wait for you"},
	{term.ExitWaiting, "tool", "the tool answered without success: needs_match, not_found, refused, conflict, stale"},
	{term.ExitStopped, "run", "not done: not understood, the edit failed, or stopped (--max-iterations, interrupt, failing calls)"},
}

// ExitsOf are the exit codes of a command, for its help: those of all commands where they are none of its own. Only commands
// with a word of their own list them, and the root lists what is no command's alone.
func ExitsOf(cmd *cobra.Command) string {
	name := strings.TrimPrefix(strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()), " ")
	own, lines := map[int]bool{}, []string{}
	for _, row := range ExitTable {
		own[row.Code] = own[row.Code] || row.Of == name && name != ""
	}
	if !slices.Contains(slices.Collect(maps.Values(own)), true) && name != "" {
		return ""
	}
	for _, row := range ExitTable {
		switch {
		case row.Of == name && (own[row.Code] || name == ""), row.Of == "" && !own[row.Code]:
			lines = append(lines, fmt.Sprintf("  %d  %s", row.Code, row.Means))
		case name == "" && row.Code > term.ExitUsage:
			lines = append(lines, fmt.Sprintf("  %d  %s: %s", row.Code, row.Of, row.Means))
		}
	}
	return strings.Join(lines, "\n")
}

// Report tells why a command failed, once, and answers with its exit code.
func Report(s term.Screen, err error) int {
	var (
		end    term.Ended
		failed *term.Failure
	)
	switch {
	case err == nil:
		return term.ExitDone
	case errors.As(err, &end):
		return int(end)
	case !errors.As(err, &failed):
		failed = explain(err)
	}
	s.Fail(failed)
	return failed.Code
}

// explain finds the way on from errors that other rooms return.
func explain(err error) *term.Failure {
	var (
		hosted *memory.HostedError
		served *openai.Error
	)
	switch {
	case errors.As(err, &served) && served.Next != "":
		return &term.Failure{Code: term.ExitError, What: strings.TrimSuffix(err.Error(), "; "+served.Next), Next: served.Next}
	case errors.As(err, &hosted):
		return &term.Failure{Code: term.ExitError, What: err.Error(), Next: "do it there, or close it and repeat the command"}
	case errors.Is(err, memory.ErrNoSession):
		return &term.Failure{Code: term.ExitUsage, What: err.Error(), Next: "galley review --list names the sessions of this workspace that have letters to review"}
	}
	return &term.Failure{Code: term.ExitError, What: err.Error(), Next: ""}
}
