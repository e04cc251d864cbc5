package tools

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/galley-ls/galley/agent/session"
	"github.com/galley-ls/galley/editing"
	"github.com/galley-ls/galley/editing/text"
)

//go:embed memo_read.md
var memoReadDoc string

// memoRead shows the proposed text with line keys and letters.
func memoRead() Tool { return define("memo_read", memoReadDoc, readMarked).readOnly() }

// ReadArgs are the arguments of memo_read.
type ReadArgs struct {
	Path        string `json:"path,omitempty"`
	StartLine   int    `json:"start_line,omitempty" jsonschema:"minimum=1"`
	EndLine     int    `json:"end_line,omitempty" jsonschema:"minimum=1"`
	LineNumbers *bool  `json:"line_numbers,omitempty"` // nil: true
}

// readMost is the number of lines that one call reads.
const readMost = 2000

func readMarked(_ context.Context, s *session.Session, by session.By, a ReadArgs) Outcome {
	path, err := s.Named(a.Path)
	if err != nil {
		return failed(err)
	}
	numbers := a.LineNumbers == nil || *a.LineNumbers
	r := session.Reading{Named: path}
	var o Outcome
	if name, ok := strings.CutPrefix(path, session.MemoryPrefix); ok {
		content, hash, err := s.Memory().Read(name)
		if err != nil {
			return failed(err)
		}
		t := text.New(content)
		o = window(path, t, a.StartLine, a.EndLine, func(line int) string { return readLine(t, line, "", numbers) })
		r.Name, r.Hash = path, hash
	} else {
		d, err := s.LookForReading(path)
		if err != nil {
			return failedOn(path, err)
		}
		p, marks := d.Proposed(s.ID()), marksOf(d.Document, s.ID())
		o = window(d.Name, p, a.StartLine, a.EndLine, func(line int) string { return readLine(p, line, marks[line], numbers) })
		if o.EndLine != nil {
			r.Named, r.Name, r.Hash, r.Line = d.Named, d.Name, d.Base.Hash().String(), max(0, *o.EndLine-1)
		}
	}
	s.Saw(by, r)
	return o
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

// marksOf says which lines of the proposed text are staged, by letter; a conflict
// or another agent's letter is followed by "!".
func marksOf(d *editing.Document, owner string) map[int]string {
	out := map[int]string{}
	p := d.Proposed(owner)
	for _, c := range d.Changes() {
		if !c.State.Undecided() {
			continue
		}
		mark := c.Letter
		if c.State == editing.Conflict || c.Owner != owner {
			mark += "!"
		}
		for _, r := range d.Ranges(owner, c) {
			for line := p.LineOf(r[0]); line <= p.LineOf(max(r[0], r[1])); line++ {
				out[line] = mark
			}
		}
	}
	return out
}
