package setup

import (
	"os"
	"slices"
	"strings"

	"github.com/galley-ls/galley/cmd/galley/internal/settings"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
)

// RowsOf are the settings that names mean: themselves, or all of a group.
func RowsOf(names []string) ([]settings.Row, error) {
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

// WorthShowing leaves out the switches of model.profile that nobody set.
func WorthShowing(rows []settings.Row, s settings.Settings) []settings.Row {
	return slices.DeleteFunc(rows, func(r settings.Row) bool {
		return strings.HasPrefix(r.Name, "model.profile.") && r.Value(s) == nil
	})
}

// shownSetting is a setting as JSON.
type shownSetting struct {
	Value  any    `json:"value"` // null: not set
	Origin string `json:"origin"`
}

func ShowSettings(c term.Console, p Place, rows []settings.Row, asJSON bool) error {
	s := p.Settings()
	if asJSON {
		out := map[string]shownSetting{}
		for _, r := range rows {
			out[r.Name] = shownSetting{r.Masked(r.Value(s)), p.Loaded.Origin(r.Name).String()}
		}
		if err := term.PrintJSON(c.Out, out); err != nil {
			return err
		}
	} else {
		tableOfSettings(c.Out, p, rows)
	}
	WarnOf(c, p.Loaded.Warnings)
	return Refuse(c, p.Loaded.Errors)
}

// tableOfSettings aligns names, values and origins. A long value pushes its own origin away, and no other.
func tableOfSettings(out term.Screen, p Place, rows []settings.Row) {
	const widest = 40
	s := p.Settings()
	values := make([]string, len(rows))
	name, value := 0, 0
	for i, r := range rows {
		values[i] = shownValue(r, s)
		name = max(name, term.ColumnsOf(r.Name))
		value = max(value, min(widest, term.ColumnsOf(values[i])))
	}
	for i, r := range rows {
		origin := p.Loaded.Origin(r.Name).String()
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
