package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/disk"
	"github.com/galley-ls/galley/editing/text"
)

// Read answers memo_read: the proposed text with line keys and letters.
func (s *Session) Read(_ context.Context, a ReadArgs) Outcome {
	path, bad := s.named(a.Path)
	if bad != nil {
		return *bad
	}
	numbers := a.LineNumbers == nil || *a.LineNumbers
	if name, ok := strings.CutPrefix(path, memoryPrefix); ok {
		t, hash, bad := s.memoryText(name)
		if bad != nil {
			return *bad
		}
		o := window(path, t, a.StartLine, a.EndLine, func(line int) string { return readLine(t, line, "", numbers) })
		o.reading = reading{named: path, memory: name, hash: hash}
		return o
	}
	d, bad := s.look(path, false)
	if bad != nil {
		return *bad
	}
	p := d.Proposed(s.me)
	marks := s.marks(d)
	o := window(d.Name, p, a.StartLine, a.EndLine, func(line int) string { return readLine(p, line, marks[line], numbers) })
	o.reading = reading{named: path}
	if o.EndLine != nil {
		o.reading = reading{named: path, path: d.Path, hash: d.Base.Hash().String(), line: max(0, *o.EndLine-1)}
	}
	return o
}

// ReadFile answers read: any text file of the workspace, or of the working
// memory, as it is proposed and without line keys.
func (s *Session) ReadFile(ctx context.Context, a ReadFileArgs) Outcome {
	bare := false
	return s.Read(ctx, ReadArgs{Path: a.Path, StartLine: a.StartLine, EndLine: a.EndLine, LineNumbers: &bare})
}

// readLine is one line as memo_read shows it: "4:77aa A│text".
func readLine(t text.Text, line int, mark string, numbers bool) string {
	s := t.Line(line)
	if !numbers {
		return text.MarkStray(s)
	}
	return fmt.Sprintf("%d:%s %-1s│%s", line+1, text.LineKey(s), mark, text.MarkStray(s))
}

// window cuts lines start..end (1-based, 0: all) out of a text.
func window(name string, t text.Text, start, end int, show func(line int) string) Outcome {
	total := t.Lines()
	if start <= 0 {
		start = 1
	}
	if end <= 0 || end > total {
		end = total
	}
	if start > end && total > 0 {
		o := Refused(CodeBadArguments, fmt.Sprintf("start_line is %d, end_line %d, but the text has %d lines", start, end, total))
		o.Path = name
		return o
	}
	hint := ""
	if end-start+1 > readMost {
		end = start + readMost - 1
		hint = fmt.Sprintf("%d more lines: read again with start_line %d", total-end, end+1)
	}
	var sb strings.Builder
	for i := start - 1; i < end; i++ {
		sb.WriteString(show(i))
		sb.WriteByte('\n')
	}
	body := sb.String()
	if total == 0 {
		start, hint = 0, "the file is empty"
	}
	return Outcome{
		Status: StatusOK, Path: name, TotalLines: new(total), Chars: new(t.Chars()),
		StartLine: new(start), EndLine: new(end), Text: &body, Hint: hint,
	}
}

// marks says which lines of the proposed text are staged, by letter; a conflict
// or another agent's letter is followed by "!".
func (s *Session) marks(d *editing.Document) map[int]string {
	out := map[int]string{}
	for _, c := range d.Changes() {
		if !c.State.Undecided() {
			continue
		}
		mark := c.Letter
		if c.State == editing.Conflict || c.Owner != s.me {
			mark += "!"
		}
		for _, r := range d.Ranges(s.me, c) {
			p := d.Proposed(s.me)
			for line := p.LineOf(r[0]); line <= p.LineOf(max(r[0], r[1])); line++ {
				out[line] = mark
			}
		}
	}
	return out
}

// ListFiles answers list_files.
func (s *Session) ListFiles(_ context.Context, a ListArgs) Outcome {
	names, err := s.set.Load().roots.List(a.Glob)
	if err != nil {
		return failed(err)
	}
	const most = 500
	o := Outcome{Status: StatusOK, Total: new(len(names))}
	if len(names) > most {
		o.Hint = fmt.Sprintf("%d more: narrow the glob", len(names)-most)
		names = names[:most]
	}
	o.Files = Paths(names...)
	if o.Files == nil {
		o.Files = []File{}
		o.Hint = "no file matches; leave glob out to see all, or use a pattern like **/*.go"
	}
	return o
}

// SearchText answers search_text, over the proposed texts.
func (s *Session) SearchText(ctx context.Context, a SearchArgs) Outcome {
	names, err := s.set.Load().roots.List(a.Path)
	if err != nil {
		return failed(err)
	}
	found, err := disk.Search(ctx, names, disk.Query{Pattern: a.Pattern, Regex: a.Regex}, s.proposedOf)
	if err != nil {
		return failed(err)
	}
	o := Outcome{Status: StatusOK, Total: new(found.Total), Matches: []TextMatch{}}
	for _, h := range found.Hits {
		o.Matches = append(o.Matches, TextMatch{Path: h.Path, Line: h.Line, Text: h.Text})
	}
	switch more := found.Total - len(found.Hits); {
	case more > 0:
		o.Hint = fmt.Sprintf("%d more matches: narrow the pattern or the path", more)
	case found.Total == 0:
		o.Hint = fmt.Sprintf("nothing matches in %d files", len(names))
	}
	if found.Skipped > 0 {
		o.Hint = strings.TrimSpace(fmt.Sprintf("%s (%d files are no text or too large)", o.Hint, found.Skipped))
	}
	return o
}

// proposedOf opens a file for a search, as the agent sees it: a hit is cut around
// its match, and half of a secret would not be known for one.
func (s *Session) proposedOf(name string) (text.Text, error) {
	p, err := s.set.Load().roots.Resolve(name, false)
	if err != nil {
		return text.Text{}, err
	}
	d, err := s.at(p.Abs, p.Rel)
	if err != nil {
		return text.Text{}, err
	}
	return s.shown(d.Proposed(s.me)), nil
}

// memoryText reads a file of the working memory.
func (s *Session) memoryText(name string) (text.Text, string, *Outcome) {
	content, hash, err := s.store.ReadMemory(name)
	if err != nil {
		o := memoryFailed(name, err)
		return text.Text{}, "", &o
	}
	return text.New(content), hash, nil
}

func memoryFailed(name string, err error) Outcome {
	o := Refused(CodeFailed, err.Error())
	if errors.Is(err, fs.ErrNotExist) {
		o = Answer(CodeFileNotFound, fmt.Sprintf("there is no %s%s yet; write makes it", memoryPrefix, name))
	} else if isConfined(err) {
		o = Refused(CodeOutsideRoots, err.Error())
	}
	o.Path = memoryPrefix + name
	return o
}

// sortedLetters are the letters of changes, each once.
func sortedLetters(cs []*editing.Change) []string {
	var out []string
	for _, c := range cs {
		out = append(out, c.Letter)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
