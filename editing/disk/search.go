package disk

import (
	"context"
	"errors"
	"iter"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/galley-ls/galley/editing/text"
)

// Query is what Search looks for.
type Query struct {
	Pattern string
	Regex   bool // RE2, line by line; else Pattern is literal and may run over lines
	Limit   int  // matches kept; 0: 100
}

// Hit is a line with a match, or the line where a match over several lines starts.
type Hit struct {
	Path string
	Line int    // 1-based
	Text string // cut around the match where the line is long
}

// Found is what a search came to.
type Found struct {
	Hits    []Hit // in the order of the paths and lines
	Total   int   // with those over the limit
	Files   int   // that have a match
	Skipped int   // that are no text, too large, or gone
	Secrets int   // that are closed for what they hold
}

// Search looks through the texts that open returns for the paths. A file that does not open is counted, not an error.
func Search(ctx context.Context, paths []string, q Query, open func(path string) (text.Text, error)) (Found, error) {
	find, err := q.finder()
	if err != nil {
		return Found{}, err
	}
	if q.Limit <= 0 {
		q.Limit = defaultHits
	}
	found := Found{Hits: []Hit{}}
	for _, path := range paths {
		if err := ctx.Err(); err != nil {
			return Found{}, err
		}
		t, err := open(path)
		var closed *Error
		switch {
		case errors.As(err, &closed) && closed.Code == CodeDenied:
			found.Secrets++
			continue
		case err != nil:
			found.Skipped++
			continue
		}
		found.search(t, path, q.Limit, find)
	}
	return found, nil
}

const (
	defaultHits = 100
	maxHitText  = 240 // bytes of a line that are shown
)

// search adds the matches of one text.
func (f *Found) search(t text.Text, path string, limit int, find finder) {
	before := f.Total
	content := t.String()
	line, at := 0, 0
	for m := range find(content) {
		line += strings.Count(content[at:m.start], "\n")
		at = m.start
		if f.Total++; len(f.Hits) < limit {
			f.Hits = append(f.Hits, Hit{Path: path, Line: line + 1, Text: excerpt(content, m)})
		}
	}
	if f.Total > before {
		f.Files++
	}
}

type match struct{ start, end int }

// finder yields the matches of a content in order, at most one for the line that it starts on.
type finder func(content string) iter.Seq[match]

func (q Query) finder() (finder, error) {
	if q.Pattern == "" {
		return nil, refuse(CodeBadArguments, "", "pattern is empty; say what to look for, or use list_files")
	}
	if !q.Regex {
		return literal(q.Pattern), nil
	}
	re, err := regexp.Compile(q.Pattern)
	if err != nil {
		return nil, refuse(CodeBadArguments, "", "pattern is no RE2 expression (%s); escape it, or leave out regex to search literally",
			strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	return byLine(re), nil
}

// literal finds s. A line end in it fits any line end.
func literal(s string) finder {
	index := func(content string) []int {
		if i := strings.Index(content, s); i >= 0 {
			return []int{i, i + len(s)}
		}
		return nil
	}
	if strings.Contains(s, "\n") {
		s = regexp.QuoteMeta(strings.ReplaceAll(s, "\r\n", "\n"))
		index = regexp.MustCompile(strings.ReplaceAll(s, "\n", `\r?\n`)).FindStringIndex
	}
	return func(content string) iter.Seq[match] {
		return func(yield func(match) bool) {
			for at := 0; ; {
				m := index(content[at:])
				if m == nil || !yield(match{at + m[0], at + m[1]}) {
					return
				}
				eol := strings.IndexByte(content[at+m[0]:], '\n')
				if eol < 0 {
					return
				}
				at += m[0] + eol + 1
			}
		}
	}
}

// byLine matches each line without its ending, so that ^ and $ mean what they say in any file.
func byLine(re *regexp.Regexp) finder {
	return func(content string) iter.Seq[match] {
		return func(yield func(match) bool) {
			at := 0
			for line := range strings.Lines(content) {
				if m := re.FindStringIndex(bare(line)); m != nil && !yield(match{at + m[0], at + m[1]}) {
					return
				}
				at += len(line)
			}
		}
	}
}

// bare is a line without its ending; a lone \r is none.
func bare(line string) string {
	if body, ok := strings.CutSuffix(line, "\n"); ok {
		return strings.TrimSuffix(body, "\r")
	}
	return line
}

// excerpt is the line of a match, cut around it where it is long.
func excerpt(content string, m match) string {
	start := strings.LastIndexByte(content[:m.start], '\n') + 1
	end := len(content)
	if i := strings.IndexByte(content[m.start:], '\n'); i >= 0 {
		end = m.start + i + 1
	}
	line := cut(bare(content[start:end]), m.start-start)
	if !utf8.ValidString(line) { // JSON would turn stray bytes into something that is not in the file
		line = text.Visible(line)
	}
	return line
}

// cut keeps maxHitText bytes of a line, some of them before at, and marks what is missing.
func cut(line string, at int) string {
	if len(line) <= maxHitText {
		return line
	}
	from := wholeRune(line, max(0, min(at-maxHitText/4, len(line)-maxHitText)))
	to := wholeRune(line, from+maxHitText)
	kept := line[from:to]
	if from > 0 {
		kept = "…" + kept
	}
	if to < len(line) {
		kept += "…"
	}
	return kept
}

// wholeRune moves an offset out of the middle of a character.
func wholeRune(s string, at int) int {
	for range utf8.UTFMax - 1 {
		if at > 0 && at < len(s) && !utf8.RuneStart(s[at]) {
			at--
		}
	}
	return at
}
