package main

import (
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/galley-ls/galley/cmd/galley/internal/settings"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
)

func newConfigShowCommand() *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use: "show [KEY...]", Short: "Show the settings in force, and where each comes from",
		Long: `show lists every setting with its value and where it comes from, or only those that you name: settings, or groups like model.
The switches of model.profile are listed where they are set, or named.
Keys, passwords in addresses and the values of headers are not shown.`,
		Example: `  galley config show
  galley config show model review
  galley config show --json tools`,
		Annotations: map[string]string{exitNote: `  0  done
  2  a wrong command line, or something in the settings is wrong: the rest is shown`},
		RunE: func(cmd *cobra.Command, args []string) error {
			rows, err := rowsOf(args)
			if err != nil {
				return err
			}
			p, err := placeOf(cmd)
			if err != nil {
				return err
			}
			if len(args) == 0 && !asJSON {
				rows = worthShowing(rows, p.settings())
			}
			return showSettings(consoleOf(cmd), p, rows, asJSON)
		},
		ValidArgsFunction: completeSettings,
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as one JSON object")
	return cmd
}

// rowsOf are the settings that names mean: themselves, or all of a group.
func rowsOf(names []string) ([]settings.Row, error) {
	if len(names) == 0 {
		return settings.Table(), nil
	}
	var out []settings.Row
	for _, name := range names {
		found := false
		for _, r := range settings.Table() {
			if r.Name == name || strings.HasPrefix(r.Name, name+".") {
				out, found = append(out, r), true
			}
		}
		if !found {
			next := "galley config show lists them"
			if near := settings.Nearest(name, slices.Concat(settings.Names(), settings.Groups())); near != "" {
				next = "did you mean " + near + "?"
			}
			return nil, term.Usage(next, "there is no setting %q", name)
		}
	}
	return out, nil
}

// worthShowing leaves out the switches of model.profile that nobody set.
func worthShowing(rows []settings.Row, s settings.Settings) []settings.Row {
	return slices.DeleteFunc(rows, func(r settings.Row) bool {
		return strings.HasPrefix(r.Name, "model.profile.") && r.Value(s) == nil
	})
}

// shownSetting is a setting as JSON.
type shownSetting struct {
	Value  any    `json:"value"` // null: not set
	Origin string `json:"origin"`
}

func showSettings(c term.Console, p place, rows []settings.Row, asJSON bool) error {
	s := p.settings()
	if asJSON {
		out := map[string]shownSetting{}
		for _, r := range rows {
			out[r.Name] = shownSetting{r.Masked(r.Value(s)), p.loaded.Origin(r.Name).String()}
		}
		if err := term.PrintJSON(c.Out, out); err != nil {
			return err
		}
	} else {
		tableOfSettings(c.Out, p, rows)
	}
	warnOf(c, p.loaded.Warnings)
	return refuse(c, p.loaded.Errors)
}

// tableOfSettings aligns names, values and origins. A long value pushes its own origin away, and no other.
func tableOfSettings(out term.Screen, p place, rows []settings.Row) {
	const widest = 40
	s := p.settings()
	values := make([]string, len(rows))
	name, value := 0, 0
	for i, r := range rows {
		values[i] = shownValue(r, s)
		name = max(name, term.ColumnsOf(r.Name))
		value = max(value, min(widest, term.ColumnsOf(values[i])))
	}
	for i, r := range rows {
		origin := p.loaded.Origin(r.Name).String()
		look := term.Plain
		if origin == "default" {
			look = term.Faint
		}
		out.Println(term.Pad(r.Name, name+2) + out.Paint(look, term.Pad(values[i], value+2)+term.Clean(origin)))
	}
}

// shownValue is a value as the table has it; of a provider that nobody named, the one that is meant.
func shownValue(r settings.Row, s settings.Settings) string {
	text := term.Clean(r.Format(r.Value(s), os.Getenv))
	switch {
	case r.Name == "model.provider" && text == "":
		return s.Model.Chosen()
	case text == "":
		return "–"
	}
	return term.OneLine(text, 200)
}
