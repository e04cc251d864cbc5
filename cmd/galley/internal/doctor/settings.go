package doctor

import (
	"context"
	"strings"

	"github.com/galley-ls/galley/cmd/galley/internal/settings"
)

// settings tells which files are read, and all that is wrong in them.
func (d *doctor) settings(context.Context) {
	for _, f := range d.Loaded.Files {
		if f.Read {
			d.good("%s is read", settings.Origin{Source: f.Source, Name: f.Path})
		}
	}
	var names []string
	for _, s := range d.Loaded.Skills {
		names = append(names, s.Name)
	}
	if len(names) > 0 {
		d.good("skills for the model: %s", strings.Join(names, ", "))
	}
	for _, p := range d.Loaded.Errors {
		d.bad(p.Next, "%s", sentence(p))
	}
	for _, p := range d.Loaded.Warnings {
		d.look(p.Next, "%s", sentence(p))
	}
	if len(d.found) > 0 && d.found[len(d.found)-1].Group == d.group {
		return
	}
	d.good("nothing is set, so the defaults hold (galley config show)")
}

// sentence is a problem with its place, without what to do next.
func sentence(p settings.Problem) string {
	p.Next = ""
	return p.String()
}

// userFile is the file of a person's own settings, as they would write its name.
func (d *doctor) userFile() string {
	for _, f := range d.Loaded.Files {
		if f.Source == settings.FromUser && strings.HasSuffix(f.Path, ".yaml") {
			return settings.Origin{Source: f.Source, Name: f.Path}.String()
		}
	}
	return "~/.config/galley/config.yaml"
}
