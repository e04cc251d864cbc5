package cli

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/galley-ls/galley/cmd/galley/internal/settings"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
)

// The flags that are settings.
const (
	FlagSet     = "set"
	FlagModel   = "model"
	FlagBaseURL = "base-url"
)

// settingFlags are the flags with the names of the settings that they set. A command may lack some.
func settingFlags() [][2]string {
	return [][2]string{{FlagLog, "log.file"}, {FlagModel, "model.model"}, {FlagBaseURL, "model.base_url"}}
}

// ModelFlags are the flags of the commands that ask a model.
func ModelFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.String(FlagModel, "", "ask the model with this `name` (model.model)")
	flags.String(FlagBaseURL, "", "ask the server at this `address` (model.base_url)")
}

// SourcesOf are all sources of settings for a command.
func SourcesOf(cmd *cobra.Command, workspace string) (settings.Sources, error) {
	src := settings.Sources{Workspace: workspace, Env: os.Environ()}
	config, err := settings.ConfigDir()
	if err != nil {
		return src, term.Usage("", "%s", err)
	}
	src.Config = config
	src.Flags, err = assignments(cmd)
	return src, err
}

// assignments are the settings on the command line; named flags go over --set.
func assignments(cmd *cobra.Command) ([]settings.Assignment, error) {
	var out []settings.Assignment
	sets, err := cmd.Flags().GetStringArray(FlagSet)
	if err != nil {
		return nil, err
	}
	for _, s := range sets {
		name, value, found := strings.Cut(s, "=")
		if !found || name == "" {
			return nil, term.Usage("for example --set tasks.max_stack_depth=4; galley config show lists the settings", "--set wants KEY=VALUE")
		}
		out = append(out, settings.Assignment{Flag: "--" + FlagSet, Name: name, Value: value})
	}
	for _, f := range settingFlags() {
		if flag := cmd.Flags().Lookup(f[0]); flag != nil && flag.Changed {
			out = append(out, settings.Assignment{Flag: "--" + f[0], Name: f[1], Value: flag.Value.String()})
		}
	}
	return out, nil
}

// CompleteSet completes KEY=VALUE.
func CompleteSet(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	name, _, hasValue := strings.Cut(typed, "=")
	if !hasValue {
		var out []string
		for _, r := range settings.Table() {
			out = append(out, cobra.CompletionWithDesc(r.Name+"=", term.OneLine(r.Doc, 80)))
		}
		return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveKeepOrder
	}
	r, _ := settings.Find(name)
	var out []string
	for _, word := range r.Complete() {
		out = append(out, name+"="+word)
	}
	directive := cobra.ShellCompDirectiveNoFileComp
	if r.Kind == settings.Path {
		directive = cobra.ShellCompDirectiveDefault
	}
	return out, directive
}

// CompleteSettings completes the names of settings and groups.
func CompleteSettings(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var out []string
	for _, r := range settings.Table() {
		if !slices.Contains(args, r.Name) {
			out = append(out, cobra.CompletionWithDesc(r.Name, term.OneLine(r.Doc, 80)))
		}
	}
	for _, g := range settings.Groups() {
		out = append(out, cobra.CompletionWithDesc(g, fmt.Sprintf("all of %s", g)))
	}
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}
