package sessions

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/memory"
)

// find is the session that a person names.
func (t task) find(name string) (memory.Info, error) {
	i, err := memory.Find(t.Home, t.Workspace, name)
	if err != nil {
		return i, &term.Failure{Code: term.ExitUsage, What: err.Error(), Next: "galley session list names the sessions of this workspace"}
	}
	return i, nil
}

// named is the argument that names a session, "" if there is none.
func (t task) named() string {
	if len(t.args) == 0 {
		return ""
	}
	return t.args[0]
}

// look opens a session for reading.
func (t task) look(name string) (memory.Info, *session.Session, error) {
	i, err := t.find(name)
	if err != nil {
		return i, nil, err
	}
	cfg := t.Config()
	cfg.ID, cfg.ReadOnly = i.ID, true
	s, err := session.Open(cfg)
	if err != nil {
		return i, nil, err
	}
	return i, s, nil
}

// listed is a session as list has it for programs.
type listed struct {
	memory.Info
	Letters []string `json:"letters"` // that wait
}

func (t task) all() ([]listed, error) {
	infos, err := memory.List(t.Home, t.Workspace)
	if err != nil {
		return nil, err
	}
	pending, err := session.Pending(t.Home, t.Workspace)
	if err != nil {
		return nil, err
	}
	out := []listed{}
	for _, i := range infos {
		l := listed{i, []string{}}
		if at := slices.IndexFunc(pending, func(p session.PendingSession) bool { return p.ID == i.ID }); at >= 0 {
			l.Letters = append(l.Letters, pending[at].Letters...)
		}
		out = append(out, l)
	}
	return out, nil
}

func list(t task) error {
	all, err := t.all()
	if err != nil {
		return err
	}
	if t.json {
		return term.PrintJSON(t.Out, map[string]any{"sessions": all})
	}
	if len(all) == 0 {
		t.Out.Println("There is no session in this workspace yet: galley run makes one.")
	}
	t.print(all)
	return nil
}

func (t task) print(all []listed) {
	width := shortest(all)
	for _, l := range all {
		line := l.ID[:min(width, len(l.ID))] + "  " + term.Pad(term.Ago(time.Since(l.Updated)), 16) + term.OneLine(title(l.Info), 60)
		if len(l.Letters) > 0 {
			line += " · " + strings.Join(l.Letters, ", ") + " wait"
		}
		if used := t.inUse(l.Info); used != "" {
			line += " · " + used
		}
		t.Out.Line(term.Plain, line)
	}
}

// shortest is how much of an id tells every session from the others, and is not confusingly little.
func shortest(all []listed) int {
	const least = 10
	n := least
	for i := range all {
		for k := range all[:i] {
			for n < len(all[i].ID) && n < len(all[k].ID) && all[i].ID[:n] == all[k].ID[:n] {
				n++
			}
		}
	}
	return n
}

func title(i memory.Info) string {
	if i.Title == "" {
		return "(without a title)"
	}
	return i.Title
}

// inUse says why a session cannot be had. One that the host of the workspace has open is everybody's who comes to it.
func (t task) inUse(i memory.Info) string {
	host, is := memory.HostOf(t.Home, t.Workspace)
	switch {
	case i.Legacy:
		return "of an earlier galley, can only be read"
	case is && host.PID == i.LockedBy:
		return ""
	case i.LockedBy > 0:
		return fmt.Sprintf("in use by process %d", i.LockedBy)
	case i.LockedBy < 0:
		return "in use"
	}
	return ""
}

// shown is a session as show has it for programs.
type shown struct {
	listed
	Context memory.Context `json:"context"`
	Entries []session.Step `json:"entries"`
}

func show(t task) error {
	i, s, err := t.look(t.named())
	if err != nil {
		return err
	}
	all, err := t.all()
	if err = errors.Join(err, s.Close()); err != nil {
		return err
	}
	v := shown{listed: listed{i, []string{}}, Context: s.Context(), Entries: s.Steps(0)}
	if at := slices.IndexFunc(all, func(l listed) bool { return l.ID == i.ID }); at >= 0 {
		v.listed = all[at]
	}
	if t.json {
		return term.PrintJSON(t.Out, v)
	}
	v.print(t)
	return nil
}

func (v shown) print(t task) {
	t.Out.Lines(term.Strong, term.Clean(title(v.Info)))
	facts := v.ID + " · begun " + term.Ago(time.Since(v.Created)) + ", written to " + term.Ago(time.Since(v.Updated))
	if v.Model != "" {
		facts += " · " + term.Clean(v.Model)
	}
	if used := t.inUse(v.Info); used != "" {
		facts += " · " + used
	}
	t.Out.Lines(term.Plain, facts)
	t.Out.Lines(term.Plain, v.Dir)
	t.Out.Lines(term.Plain, fmt.Sprintf("context: %d %%, %s of %s tokens (%s)", v.Context.TokensPercent,
		text.Thousands(v.Context.TokensUsed), text.Thousands(v.Context.TokensMax), v.Context.ActionHint))
	if len(v.Letters) > 0 {
		t.Out.Lines(term.Ask, strings.Join(v.Letters, ", ")+" wait: "+t.Command("review", "--session", v.ID))
	}
	t.Out.Println("")
	for _, e := range v.Entries {
		look, gone := term.Plain, ""
		if e.Gone != "" {
			look, gone = term.Faint, "("+e.Gone+") "
		}
		t.Out.Line(look, fmt.Sprintf("%6d  %-11s  %s%s", e.Seq, e.Type, gone, term.OneLine(e.Text, 300)))
	}
}

// exported says what is exported, and where to.
type exported struct {
	edit  int
	lines bool
	to    string
}

func (o exported) run(t task) error {
	_, s, err := t.look(t.named())
	if err != nil {
		return err
	}
	make := s.LogOf
	if o.lines {
		make = s.LinesOf
	}
	body, err := make(o.edit)
	if err = errors.Join(err, s.Close()); err != nil {
		return err
	}
	if o.to == "" {
		t.Out.Print(term.Clean(body))
		return nil
	}
	f, err := os.OpenFile(o.to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return term.Usage("give --to a file that is not there yet", "export to %s: %s", o.to, err)
	}
	_, err = f.WriteString(body)
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("export to %s: %w", o.to, err)
	}
	t.Err.Println(o.to + " has it: " + text.Plural(strings.Count(body, "\n"), "line"))
	return nil
}

func rewind(t task, to int64) error {
	if to <= 0 {
		return term.Usage("galley session show lists the entries", "--to must name the entry that the conversation goes back to")
	}
	i, err := t.find(t.named())
	if err != nil {
		return err
	}
	var r memory.Rewound
	if err := t.tell("galley.rewind", map[string]any{"session": i.ID, "seq": to}, &r); err != nil {
		return err
	}
	if t.json {
		return term.PrintJSON(t.Out, r)
	}
	t.Out.Lines(term.Plain, r.String())
	return nil
}

func rename(t task) error {
	i, err := t.find(t.args[0])
	if err != nil {
		return err
	}
	err = t.tell("galley.renameSession", map[string]any{"session": i.ID, "title": t.args[1]}, nil)
	if err == nil {
		i, err = t.find(i.ID)
	}
	if err == nil {
		t.Out.Lines(term.Plain, "session "+i.ID+" is called "+term.OneLine(i.Title, 100))
	}
	return err
}

// adopt takes over the sessions of a folder that was moved here.
func adopt(t task) error {
	ids, err := memory.Adopt(context.Background(), t.Home, t.args[0], t.Workspace)
	switch {
	case errors.Is(err, memory.ErrNothingThere):
		return term.Usage("give the path that this folder had before it was moved", "%s", err)
	case errors.Is(err, memory.ErrStillThere):
		return term.Usage("adopt is for a folder that was moved here", "%s", err)
	case err != nil:
		return err
	}
	all, err := t.all()
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(l listed) bool { return !slices.Contains(ids, l.ID) })
	if t.json {
		return term.PrintJSON(t.Out, map[string]any{"sessions": all})
	}
	t.Out.Println("taken over: " + text.Plural(len(ids), "session"))
	t.print(all)
	return nil
}

func remove(t task, force bool) error {
	all, err := t.all()
	if err != nil {
		return err
	}
	var going []listed
	for _, name := range t.args { // all or none
		i, err := t.find(name)
		if err != nil {
			return err
		}
		l := all[slices.IndexFunc(all, func(l listed) bool { return l.ID == i.ID })]
		if len(l.Letters) > 0 && !force {
			return &term.Failure{
				Code: term.ExitError, What: fmt.Sprintf("in session %s wait %s: nothing was removed", l.ID, strings.Join(l.Letters, ", ")),
				Next: "decide them: " + t.Command("review", "--session", l.ID) + "\nor give --force: they are thrown away",
			}
		}
		going = append(going, l)
	}
	for _, l := range going {
		var gone struct {
			Path string `json:"path"`
		}
		if err := t.tell("galley.deleteSession", map[string]any{"session": l.ID, "force": force}, &gone); err != nil {
			return err
		}
		t.Out.Println(term.OneLine(title(l.Info), 60) + " is in " + gone.Path)
	}
	return nil
}

// inspected is the context of a session, for programs.
type inspected struct {
	Session string `json:"session"`
	memory.Context
	Cached int `json:"cached_percent"` // of the last request
}

func inspect(t task, name string) error {
	i, s, err := t.look(name)
	if err != nil {
		return err
	}
	if t.json {
		return errors.Join(term.PrintJSON(t.Out, inspected{i.ID, s.Context(), s.CachedPercent()}), s.Close())
	}
	t.Out.Line(term.Strong, term.OneLine(title(i), 60)+" · "+i.ID)
	t.Out.Println("")
	t.Out.Print(term.Clean(strings.ReplaceAll(s.ContextPage(), "`", "")))
	return s.Close()
}
