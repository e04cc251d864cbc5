package sessions

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/memory"
)

// sought is what memory show looks for.
type sought struct {
	text, file, types, iterations, entries string
	limit                                  int
}

// hits is what was found, for programs.
type hits struct {
	Session string              `json:"session"`
	Entries []session.Found     `json:"entries"`
	Files   []memory.MemoryLine `json:"files"` // lines of the working memory
}

// shortened is how much of an entry among others is shown, in characters.
const shortened = 600

func (q sought) run(t task, name string) error {
	i, s, err := t.look(name)
	if err != nil {
		return err
	}
	if q.text+q.file+q.types+q.iterations+q.entries == "" {
		return errors.Join(showFile(t, s, t.named()), s.Close())
	}
	query, most, err := q.query()
	if err != nil {
		return errors.Join(err, s.Close())
	}
	out := hits{Session: i.ID, Entries: s.Find(query, most), Files: []memory.MemoryLine{}}
	if q.text != "" && q.file+q.types+q.iterations+q.entries == "" {
		out.Files = append(out.Files, s.Memory().Find(q.text, max(q.limit, 1))...)
	}
	if err := s.Close(); err != nil || t.json {
		return errors.Join(err, term.PrintJSON(t.Out, out))
	}
	if len(out.Entries)+len(out.Files) == 0 {
		t.Out.Println("Nothing fits.")
		return nil
	}
	if len(out.Entries) > 0 {
		t.Out.Println(term.Clean(session.Listed(out.Entries)))
	}
	for _, f := range out.Files {
		t.Out.Line(term.Plain, fmt.Sprintf("%s%s:%d: %s", session.MemoryPrefix, f.Path, f.Line, term.OneLine(f.Text, 300)))
	}
	return nil
}

// query is what is asked of the journal; entries that are named are shown whole.
func (q sought) query() (out memory.JournalQuery, most int, err error) {
	out, most = memory.JournalQuery{Text: q.text, File: q.file, Limit: q.limit, Types: memory.Told}, shortened
	if q.types != "" {
		out.Types = strings.FieldsFunc(q.types, func(r rune) bool { return r == ',' || r == ' ' })
	}
	from, to, err := numbers("--iterations", q.iterations)
	if err != nil {
		return out, 0, err
	}
	out.From, out.To = int(from), int(to)
	if out.Entry, out.Through, err = numbers("--entry", q.entries); err == nil && out.Entry > 0 {
		out.Types, out.Limit, most = nil, 0, 0
	}
	return out, most, err
}

// numbers reads "3-9" or "3".
func numbers(flag, given string) (from, to int64, err error) {
	if given == "" {
		return 0, 0, nil
	}
	a, b, found := strings.Cut(given, "-")
	if !found {
		b = a
	}
	from, err = strconv.ParseInt(strings.TrimSpace(a), 10, 64)
	if err == nil {
		to, err = strconv.ParseInt(strings.TrimSpace(b), 10, 64)
	}
	if err != nil || from < 1 || to < from {
		return 0, 0, term.Usage("give it as 3-9, or one number", "%s is %q", flag, given)
	}
	return from, to, nil
}

// memoryFile is a file of the working memory, for programs.
type memoryFile struct {
	Path  string `json:"path"`
	Text  string `json:"text"`
	Files []file `json:"files"` // all that there are
}

type file struct {
	Path  string `json:"path"`
	Bytes int    `json:"bytes"`
	Title string `json:"title"`
}

func showFile(t task, s *session.Session, name string) error {
	v := memoryFile{Path: strings.TrimPrefix(name, session.MemoryPrefix), Files: []file{}}
	if v.Path == "" || v.Path == "overview" {
		v.Path = "overview.md"
	}
	files, err := s.MemoryFiles()
	if err != nil {
		return err
	}
	for _, f := range files {
		v.Files = append(v.Files, file{f.Path, f.Size, f.Title})
		if f.Path == v.Path+".md" {
			v.Path = f.Path
		}
	}
	content, _, err := s.Memory().Read(v.Path)
	if err != nil {
		return term.Usage("galley memory show lists the files", "%s is not there to be read: %s", session.MemoryPrefix+v.Path, err)
	}
	if v.Text = s.Mask(content); t.json {
		return term.PrintJSON(t.Out, v)
	}
	t.Out.Println(strings.TrimRight(term.Clean(v.Text), "\n"))
	if name != "" || len(v.Files) < 2 {
		return nil
	}
	t.Out.Println("\n" + t.Out.Paint(term.Strong, "Files beside it"))
	for _, f := range v.Files[1:] {
		t.Out.Line(term.Plain, fmt.Sprintf("  %s  %s  %s", f.Path, text.Plural(f.Bytes, "byte"), term.OneLine(f.Title, 80)))
	}
	return nil
}

func memoryLog(t task, name string) error {
	i, s, err := t.look(name)
	if err != nil {
		return err
	}
	writes := append([]memory.Written{}, s.MemoryLog()...)
	if err := s.Close(); err != nil || t.json {
		return errors.Join(err, term.PrintJSON(t.Out, map[string]any{"session": i.ID, "writes": writes}))
	}
	if len(writes) == 0 {
		t.Out.Println("Nothing was written to the memory yet.")
	}
	for _, w := range writes {
		t.Out.Line(term.Plain, writeLine(w))
	}
	if i := slices.IndexFunc(writes, func(w memory.Written) bool { return w.By == memory.ByAgent && w.What == "" }); i >= 0 {
		t.Err.Println(fmt.Sprintf("what the agent wrote is taken back by its number: %s", t.Command("undo", fmt.Sprintf("%s-%d", s.ID()[len(s.ID())-6:], writes[i].Seq))))
	}
	return nil
}

// writeLine is a write in a line: when, which file, by whom, how much, where from.
func writeLine(w memory.Written) string {
	line := fmt.Sprintf("%6d  %s  %-6s  %s", w.Seq, w.Time.Local().Format("2006-01-02 15:04"), w.By, term.Clean(w.Path))
	if w.Added+w.Removed > 0 {
		line += fmt.Sprintf("  +%d −%d", w.Added, w.Removed)
	}
	if w.Bytes > 0 {
		line += "  " + text.Plural(w.Bytes, "byte")
	}
	if w.What != "" {
		line += "  " + strings.ReplaceAll(w.What, "_", " ")
	}
	if w.From != "" {
		line += "  (" + term.Clean(w.From) + ")"
	}
	return line
}

func memoryDoctor(t task, name string) error {
	i, s, err := t.look(name)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(t.Workspace)
	if err != nil {
		return errors.Join(fmt.Errorf("look at the workspace: %w", err), s.Close())
	}
	defer root.Close()
	found, err := s.Memory().Examine(func(path string) bool {
		_, err := root.Stat(path)
		return err == nil
	})
	if err = errors.Join(err, s.Close()); err != nil {
		return err
	}
	if t.json {
		err = term.PrintJSON(t.Out, map[string]any{"session": i.ID, "findings": found})
	}
	for _, f := range found {
		at := f.Path
		if f.Line > 0 {
			at += ":" + strconv.Itoa(f.Line)
		}
		if !t.json {
			t.Out.Lines(term.Plain, t.Out.Paint(term.Ask, "! ")+term.Clean(at+": "+f.What))
		}
	}
	switch {
	case err != nil:
		return err
	case len(found) > 0:
		return term.EndedWith(term.ExitError)
	case !t.json:
		t.Out.Println("Nothing is wrong with the memory of session " + i.ID + ".")
	}
	return nil
}

func memoryRestore(t task, name string) error {
	var ids []int64
	for _, a := range t.args {
		id, err := strconv.ParseInt(a, 10, 64)
		if err != nil || id < 1 {
			return term.Usage("galley memory show --type compact lists them", "%q is no number of a compaction", a)
		}
		ids = append(ids, id)
	}
	i, err := t.find(name)
	if err != nil {
		return err
	}
	var back session.Restored
	if err := t.tell("galley.unfold", map[string]any{"session": i.ID, "compactions": ids}, &back); err != nil {
		return err
	}
	if t.json {
		return term.PrintJSON(t.Out, back)
	}
	t.Out.Lines(term.Plain, fmt.Sprintf("It is back in the requests: %s tokens, %d %% of the context; before it were %s.",
		text.Thousands(back.After), back.Percent, text.Thousands(back.Before)))
	return nil
}
