package setup

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/galley-ls/galley/cmd/galley/internal/settings"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
)

// TrustCommand are the flags of trust.
type TrustCommand struct {
	Yes    bool
	List   bool
	Revoke bool
	JSON   bool
}

func (f *TrustCommand) Run(ctx context.Context, c term.Console, here func() (Place, error)) error {
	config, err := settings.ConfigDir()
	if err != nil {
		return err
	}
	switch {
	case f.List && (f.Revoke || f.Yes), f.Revoke && f.Yes:
		return term.Usage("leave all but one of them out", "--list, --revoke and --yes do not go together")
	case f.List:
		return f.all(c, config)
	}
	p, err := here()
	if err != nil {
		return err
	}
	if f.Revoke {
		return revoke(c, config, p)
	}
	return f.trust(ctx, c, config, p)
}

// all lists what is trusted.
func (f *TrustCommand) all(c term.Console, config string) error {
	known, err := settings.ReadTrust(config)
	if err != nil {
		return err
	}
	if f.JSON {
		if known == nil {
			known = []settings.TrustedWorkspace{}
		}
		return term.PrintJSON(c.Out, known)
	}
	if len(known) == 0 {
		c.Out.Println("No workspace is trusted.")
	}
	for _, w := range known {
		c.Out.Println(term.Clean(w.Path))
		for _, file := range w.Files {
			c.Out.Println("  " + term.Clean(file.Name) + c.Out.Paint(term.Faint, "  "+file.SHA256[:min(12, len(file.SHA256))]))
		}
		c.Out.Println(c.Out.Paint(term.Faint, "  trusted since "+w.Since.Local().Format(time.DateTime)))
	}
	return nil
}

func revoke(c term.Console, config string, p Place) error {
	known, err := settings.RevokeTrust(config, p.Workspace)
	if err != nil {
		return err
	}
	if !known {
		c.Out.Println(term.Clean(p.Workspace) + " was not trusted.")
		return nil
	}
	c.Out.Println(term.Clean(p.Workspace) + " is not trusted any more.")
	return nil
}

func (f *TrustCommand) trust(ctx context.Context, c term.Console, config string, p Place) error {
	if err := Refuse(c, ProblemsOf(settings.FromWorkspace, p.Loaded.Errors)); err != nil { // what cannot be read cannot be trusted
		return err
	}
	t := p.Loaded.Trust
	switch {
	case t.State == settings.Trusted:
		c.Out.Println(term.Clean(t.Workspace) + " is trusted already, with its files as they are.")
		return nil
	case len(t.Asks) == 0:
		c.Out.Println("There is nothing to trust: the settings of " + term.Clean(t.Workspace) + " ask for nothing that needs it.")
		return nil
	}
	asksFor(c, t)
	if !f.Yes {
		if err := consents(ctx, c); err != nil {
			return err
		}
	}
	if err := settings.AddTrust(config, t, time.Now()); err != nil {
		return err
	}
	c.Out.Println(c.Out.Paint(term.Good, "✓ ") + term.Clean(t.Workspace) + " is trusted, until one of its files changes.")
	return nil
}

// asksFor shows what would be allowed.
func asksFor(c term.Console, t settings.Trust) {
	c.Out.Println(term.Clean(t.Workspace) + " asks for:\n")
	width := 0
	for _, a := range t.Asks {
		width = max(width, term.ColumnsOf(a.Name))
	}
	for _, a := range t.Asks {
		where := ""
		if a.Origin.Line > 0 {
			where = fmt.Sprintf("  (line %d)", a.Origin.Line)
		}
		value := term.OneLine(a.Value, len(a.Value)+1) // all of it: nobody can allow what they do not see
		c.Out.Println("  " + term.Pad(term.Clean(a.Name), width+2) + value + c.Out.Paint(term.Faint, where))
	}
	var names []string
	for _, file := range t.Files {
		names = append(names, term.Clean(file.Name))
	}
	c.Out.Println("\nin " + strings.Join(names, ", "))
}

// consents asks a person. Anything but a yes is a no.
func consents(ctx context.Context, c term.Console) error {
	if !c.Interactive() {
		return &term.Failure{Code: term.ExitError, What: "nobody can be asked here, so nothing is trusted", Next: "look at it, and run galley trust --yes"}
	}
	line, _ := term.NewKeyboard(c.In).Ask(ctx, c.Out, "\nAllow this? [y]es, [n]o; Enter: no")
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes":
		return nil
	}
	c.Out.Println("Nothing is trusted.")
	return term.EndedWith(term.ExitError)
}
