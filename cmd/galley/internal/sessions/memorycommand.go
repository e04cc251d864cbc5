package sessions

import (
	"github.com/spf13/cobra"

	"github.com/galley-ls/galley/cmd/galley/internal/cli"
)

// Memory are the commands about what an agent keeps, and what left its requests.
func Memory() *cobra.Command {
	return cli.Group(&cobra.Command{
		Use: "memory", Short: "Read, search and check what the agent remembers", GroupID: cli.GroupMore,
		Long: `memory is about the working memory of a session, and about what left its requests to the model: old results, archived turns,
folded edits. Nothing of that is lost; the journal keeps it.`,
		Example: `  galley memory show
  galley memory show --query "retry limit"
  galley memory log
  galley memory doctor`,
	}, memoryShowCommand(), memoryLogCommand(), memoryDoctorCommand(), memoryRestoreCommand())
}

// about makes a command that has --session.
func about(cmd *cobra.Command, run func(t task, session string) error) *cobra.Command {
	named := ""
	cmd = command(cmd, func(t task) error { return run(t, named) })
	cmd.Flags().StringVar(&named, "session", "", "the session with this `id`, or the beginning of one, not the newest")
	_ = cmd.RegisterFlagCompletionFunc("session", cmd.ValidArgsFunction)
	cmd.ValidArgsFunction = cobra.NoFileCompletions
	return cmd
}

func memoryShowCommand() *cobra.Command {
	q := sought{}
	cmd := about(&cobra.Command{
		Use: "show [FILE]", Short: "Show the memory, or find what was said and done",
		Long: `show prints a file of the working memory, overview.md where none is named, and the names of the others. With a flag that
searches it looks through the journal and the files: also through what is in no request any more, with the entries that left
together. It reads files only: the session may be at work.`,
		Example: `  galley memory show detail/deploy.md
  galley memory show --query "retry limit"
  galley memory show --file config.yaml --iterations 3-9
  galley memory show --entry 37`,
		Args: atMostOne("file"), Annotations: map[string]string{"json": oneLine},
	}, func(t task, session string) error { return q.run(t, session) })
	flags := cmd.Flags()
	flags.StringVar(&q.text, "query", "", "what holds this `text`, letter case aside")
	flags.StringVar(&q.file, "file", "", "what names this `path`, or the end of it")
	flags.StringVar(&q.types, "type", "", "only these `types`: user, assistant, tool_call, tool_result, task, edit, decision, compact, …")
	flags.StringVar(&q.iterations, "iterations", "", "only these replies of the model: `FROM-TO`")
	flags.StringVar(&q.entries, "entry", "", "the entry with this `number`, or FROM-TO, whole")
	flags.IntVar(&q.limit, "limit", 20, "the newest `n`; 0: all")
	return cmd
}

func memoryLogCommand() *cobra.Command {
	return about(&cobra.Command{
		Use: "log", Short: "List what was written to the memory, by whom and from where",
		Long: `log lists every write to the working memory: when, which file, by whom, how much, and where it comes from: your own words, a
file, an entry of the journal. Old and new text are kept in the journal, also of what was written over.`,
		Args: cli.NoArguments, Annotations: map[string]string{"json": oneLine},
	}, memoryLog)
}

func memoryDoctorCommand() *cobra.Command {
	return about(&cobra.Command{
		Use: "doctor", Short: "Name what is wrong with the memory",
		Long: `doctor names what in the working memory is too long, stands there twice, contradicts another entry (another value for the
same thing), or points to a file that is gone; files in detail/ that nothing names, and front matter that cannot be read. It
changes nothing.`,
		Args: cli.NoArguments, Annotations: map[string]string{"json": oneLine},
	}, memoryDoctor)
}

func memoryRestoreCommand() *cobra.Command {
	return about(&cobra.Command{
		Use: "restore [COMPACTION...]", Short: "Bring back what left the requests to the model",
		Long: `restore takes a compaction back: results and messages that left the requests to the model are in them again. Without a number
it is all that left last at one time; galley memory show --type compact lists others. It is refused where that would not fit
into the model's context, or the settings would take it out again at once. The session must not be at work.`,
		Example: `  galley memory restore
  galley memory restore 412`,
		Args: cobra.ArbitraryArgs, Annotations: map[string]string{"json": oneLine},
	}, memoryRestore)
}
