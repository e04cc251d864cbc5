package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/galley-ls/galley/cmd/galley/internal/cli"

	"github.com/spf13/cobra"
	"go.uber.org/zap"

	"github.com/galley-ls/galley/cmd/galley/internal/run"
	"github.com/galley-ls/galley/cmd/galley/internal/settings"
	"github.com/galley-ls/galley/cmd/galley/internal/setup"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/lsp/dial"
	"github.com/galley-ls/galley/memory"
)

func newHostCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "host", Hidden: true, GroupID: cli.GroupMore,
		Short: "Hold the letters of a workspace, for all editors and terminals that are open in it",
		Long: `host is started by the first editor or galley run in a workspace, and ends a second after the last has left.
docs/workspace.md says what it is for.`,
		Args: cli.UnknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return hostWorkspace(cmd) },
	}
	force := false
	stop := &cobra.Command{
		Use: "stop", Short: "End the host of a workspace; editors start another one", Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return stopHost(cmd, force) },
	}
	stop.Flags().BoolVar(&force, "force", false, "also while runs go on")
	cmd.AddCommand(stop)
	return cmd
}

// hostWorkspace is the process that holds a workspace. Whoever started it hears over a pipe that it can be reached; where another
// process was quicker, it can be, too.
func hostWorkspace(cmd *cobra.Command) (err error) {
	told := false
	defer func() {
		if !told {
			dial.Ready(err)
		}
	}()
	p, err := cli.PlaceOf(cmd)
	if err != nil {
		return err
	}
	src, err := cli.SourcesOf(cmd, p.Workspace)
	if err != nil {
		return err
	}
	if _, is := memory.HostOf(p.Home, p.Workspace); is {
		return nil // before the log, which is the other one's
	}
	dir, err := memory.WorkspaceDir(cmd.Context(), p.Home, p.Workspace)
	if err != nil {
		return err
	}
	log, err := cli.OpenLog(cmd, hostLog(p.Settings().Log, dir))
	if err != nil {
		return err
	}
	h, err := openHost(cmd.Context(), p, src, log)
	if h == nil || err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.Close()) }()
	l, err := dial.Listen(h.Lock())
	if err != nil {
		return err
	}
	told = true
	dial.Ready(nil)
	log.Info("the host listens", zap.String("address", l.Addr().String()))
	return dial.Clients(cmd.Context(), l, func(ctx context.Context, c net.Conn) {
		if err := h.Serve(ctx, c); err != nil {
			log.Info("a connection ended", zap.Error(err))
		}
	})
}

// openHost makes this process the host; it answers none where another process has the workspace, at once: whoever started this one knows
// how long to try.
func openHost(ctx context.Context, p setup.Place, src settings.Sources, log *zap.Logger) (*setup.Hosted, error) {
	p.Wait = 1 // as good as none
	h, err := setup.OpenHosted(context.WithoutCancel(ctx), p, src, log, memory.Hosting{Command: dial.HostCommand, Build: cli.Version()}, run.Told)
	if held := new(memory.HostedError); errors.As(err, &held) {
		return nil, nil //nolint:nilnil // that is the answer
	}
	return h, err
}

// hostLog is where a host logs: where the settings say, else beside its sessions, anew each time.
func hostLog(s settings.Log, dir string) settings.Log {
	if s.File == "" {
		s.File = filepath.Join(dir, "host.log")
		_ = os.Remove(s.File)
	}
	return s
}

// stopHost ends the host of a workspace, by force also while runs go on there.
func stopHost(cmd *cobra.Command, force bool) error {
	p, err := cli.PlaceOf(cmd)
	if err != nil {
		return err
	}
	c := cli.ConsoleOf(cmd)
	held, is := memory.HostOf(p.Home, p.Workspace)
	if !is {
		c.Out.Println("There is no host of " + term.Clean(p.Workspace) + ".")
		return nil
	}
	if here, _ := os.Hostname(); held.Machine != "" && held.Machine != here {
		return &term.Failure{Code: term.ExitError, What: (&memory.HostedError{Workspace: p.Workspace, Hosting: held}).Error(), Next: "end it there"}
	}
	if !force {
		if err := idle(cmd, p); err != nil {
			return &term.Failure{Code: term.ExitError, What: "the host goes on: " + err.Error(), Next: "galley host stop --force ends it nevertheless"}
		}
	}
	proc, err := os.FindProcess(held.PID)
	if err == nil {
		err = proc.Signal(syscall.SIGTERM)
	}
	if err != nil {
		return &term.Failure{Code: term.ExitError, What: "the host could not be ended: " + err.Error(), Next: ""}
	}
	c.Out.Println("The host of " + term.Clean(p.Workspace) + " is told to end.")
	return nil
}

// idle answers why the host of a workspace should not be ended, nil if no run goes on there.
func idle(cmd *cobra.Command, p setup.Place) error {
	c := setup.Client{Kind: memory.ClientTerminal}
	conn, err := c.Terminal(cmd.Context(), p, func(ctx context.Context, p setup.Place) (net.Conn, error) {
		return dial.Workspace{Home: p.Home, Path: p.Workspace}.Dial(ctx)
	})
	if err != nil {
		return fmt.Errorf("it cannot be asked for its runs: %w", err)
	}
	runs, err := conn.Going(cmd.Context())
	if err == nil && len(runs) > 0 {
		err = fmt.Errorf("runs go on: %s", strings.Join(runs, "; "))
	}
	return errors.Join(err, conn.Close())
}
