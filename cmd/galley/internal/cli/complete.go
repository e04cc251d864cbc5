package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/agent/tools"
	"github.com/galley-ls/galley/cmd/galley/internal/review"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
)

// Complete registers what completes the value of a flag. It fails only for a flag that is not there.
func Complete(cmd *cobra.Command, flag string, values cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, values); err != nil {
		panic(fmt.Sprintf("completion of %s --%s: %v", cmd.Name(), flag, err))
	}
}

// CompleteFolder lets shells complete the workspace.
func CompleteFolder(root *cobra.Command) {
	Complete(root, FlagWorkspace, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveFilterDirs
	})
}

// CompleteTool completes the name of a tool.
func CompleteTool(args []string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	for _, t := range tools.All() {
		names = append(names, cobra.CompletionWithDesc(t.Name, term.OneLine(firstSentence(t.Doc), 80)))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// SessionUsage explains a flag that names a session.
func SessionUsage(verb string) string {
	return verb + " the session with this `id`, or the beginning of one, or @last"
}

// CompleteSession completes the id of a session that has letters to review.
func CompleteSession(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	var ids []string
	for _, p := range pendingHere(cmd) {
		about := strings.Join(p.Letters, ", ") + " · " + term.Ago(time.Since(p.Updated)) + " · " + term.OneLine(p.Title, 60)
		ids = append(ids, cobra.CompletionWithDesc(p.ID, about))
	}
	return ids, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// CompleteLetters completes the next letter of a list, "A,C": those that wait in the session that would be reviewed.
func CompleteLetters(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	const directive = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	named, _ := cmd.Flags().GetString("session") // every command with letters has it
	pending := pendingHere(cmd)
	if p, err := PlaceOf(cmd); err == nil && named != "" {
		named, _ = p.Session(named) // a shell that completes is told of no error
	}
	id, _ := review.Pick(pending, named)
	i := slices.IndexFunc(pending, func(p session.PendingSession) bool { return p.ID == id })
	if i < 0 {
		return nil, directive
	}
	done := typed[:strings.LastIndex(typed, ",")+1]
	var out []string
	for _, l := range pending[i].Letters {
		if !strings.Contains(done, l) {
			out = append(out, done+l)
		}
	}
	return out, directive
}

// pendingHere are the sessions that wait; a shell that completes is told of no error.
func pendingHere(cmd *cobra.Command) []session.PendingSession {
	p, err := PlaceOf(cmd)
	if err != nil {
		return nil
	}
	pending, err := session.Pending(p.Home, p.Workspace)
	if err != nil {
		return nil
	}
	return pending
}
