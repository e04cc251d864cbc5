package offline

import (
	"strings"
)

// overview is the memory file that is part of every request.
const overview = "working-memory/overview.md"

// remember reads the overview, since a memory file is only written over what this session has seen, and appends under
// the heading of its kind. Somebody else's write in between is met by reading once more.
func (s Step) remember(units []unit) verdict {
	read := call("memo_read", map[string]any{"path": overview, "line_numbers": false})
	if len(units) == 0 {
		return read
	}
	last := units[len(units)-1]
	reading := last.name == "memo_read"
	switch {
	case last.result.interrupted() && repeatable(units):
		return read // what it says then shows whether the line was written
	case reading && last.result.ok():
		return s.write(last.result.Text)
	case last.result.ok():
		return done
	case !reading && last.result.Code == codeStale && len(units) < 4:
		read.call.note = "again, since the file has changed"
		return read
	}
	return stop("%s", failureText(s, last.result))
}

// write appends the line unless it is there.
func (s Step) write(text string) verdict {
	line := "- " + strings.ReplaceAll(strings.TrimSpace(s.Text), "\n", "\n  ")
	if strings.Contains("\n"+text+"\n", "\n"+line+"\n") {
		return done
	}
	v := call("memo_append", compact("path", overview, "text", line, "after", s.heading(text)))
	v.call.note = "writing it down"
	return v
}

// heading finds the line of the overview under which things of this kind stand; empty means at the end.
func (s Step) heading(text string) string {
	want := "known facts"
	if s.Kind == "decision" {
		want = "key decisions"
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") && strings.Contains(strings.ToLower(line), want) {
			return line
		}
	}
	return ""
}
