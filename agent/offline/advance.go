package offline

import (
	"fmt"
	"slices"
	"strings"
)

// order is one tool call to make.
type order struct {
	tool string
	args map[string]any
	note string // what to say beside the step
}

// verdict says how a step stands: it wants a call, it is done, or the run stops here.
type verdict struct {
	call *order
	stop string // why, in words for the person; empty if the step is done or goes on
	asks bool   // it stops with a list to pick from
}

func call(tool string, args map[string]any) verdict {
	return verdict{call: &order{tool: tool, args: args}}
}

func stop(format string, args ...any) verdict { return verdict{stop: fmt.Sprintf(format, args...)} }

var done = verdict{}

// advance works out from the calls already made for a step what comes next.
func (s Step) advance(p *past, units []unit) verdict {
	switch {
	case s.Verb == Pick:
		return s.pick(p, units)
	case s.Verb == Remember:
		return s.remember(units)
	case s.Everywhere:
		return s.everywhere(units)
	}
	o := s.order(p)
	if len(units) == 0 {
		return verdict{call: &o}
	}
	last := units[len(units)-1]
	switch {
	case last.result.interrupted():
		return s.again(p, o, units)
	case last.result.ok():
		return done
	case last.result.asks():
		return verdict{stop: candidatesText(last), asks: true}
	}
	return stop("%s", failureText(s, last.result))
}

// order is the call of a step that needs just one.
func (s Step) order(p *past) order {
	if s.Kind == kindFile {
		return order{tool: "delete_file", args: compact("path", s.Path, "reason", s.Because)}
	}
	switch s.Verb {
	case Create:
		args := compact("path", s.Path, "reason", s.Because)
		args["content"] = s.New
		return order{tool: "write", args: args}
	case Rename:
		return order{tool: "rename_file", args: compact("path", s.Path, "to", s.To, "reason", s.Because)}
	case Replace, Delete:
		return order{tool: "memory_notebook_replace", args: s.replaceArgs()}
	case Append:
		return order{tool: "memo_append", args: compact("path", s.Path, "text", s.Text, "after", s.After)}
	case Read:
		return order{tool: "memo_read", args: compact("path", s.Path)}
	case Search:
		return order{tool: "search_text", args: compact("pattern", s.Text, "path", s.Path)}
	case List:
		return order{tool: "list_files", args: compact("glob", s.Path)}
	case Preview:
		return order{tool: "memo_preview", args: compact()}
	case Task:
		args := compact("goal", s.Text)
		if len(s.Plan) > 0 {
			args["plan"] = s.Plan
		}
		return order{tool: "memo_begin_task", args: args}
	case Revert:
		return order{tool: "memo_revert", args: compact("reason", s.Text)}
	case Drop:
		return order{tool: "memo_drop", args: compact("change_id", s.Letters[0], "reason", s.Because)}
	}
	return s.commit(p)
}

func (s Step) commit(p *past) order {
	if s.Kind == "auto" {
		return order{tool: "memo_commit_auto", args: compact()}
	}
	args := compact("summary", s.Text)
	if s.Text == "" {
		args["summary"] = p.summary()
	}
	if s.Because != "" {
		args["decisions"] = []string{s.Because}
	}
	return order{tool: "memo_commit", args: args}
}

func (s Step) replaceArgs() map[string]any {
	args := compact("path", s.Path, "search_after", s.After, "search_before", s.Before, "reason", s.Because)
	args["old_text"], args["new_text"] = s.Text, s.New
	return args
}

// compact makes arguments of pairs and leaves out what is empty: a tool has its own defaults.
func compact(pairs ...string) map[string]any {
	args := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			args[pairs[i]] = pairs[i+1]
		}
	}
	return args
}

// again repeats a call that was cut off before its answer was stored, where doing it twice does no harm: the same
// replacement is answered with already_pending, a second commit finds nothing to do.
func (s Step) again(p *past, o order, units []unit) verdict {
	if s.Verb == Task && strings.Contains(p.block, s.Text+" (current)") {
		return done
	}
	once := s.Verb == Append || s.Verb == Drop || s.Verb == Create || s.Verb == Rename || s.Kind == kindFile
	if once || !repeatable(units) {
		return stop("%s was interrupted, and I cannot tell whether it was done. Look at the preview, then say it again if it is missing.", s)
	}
	o.note = "again, since it was interrupted"
	return verdict{call: &o}
}

// repeatable holds while a step was cut off not more than twice.
func repeatable(units []unit) bool {
	n := 0
	for _, u := range units {
		if u.result.interrupted() {
			n++
		}
	}
	return n <= 2
}

// pick takes candidates from the list of the last replacement, one call a letter.
func (s Step) pick(p *past, units []unit) verdict {
	taken := 0
	for i, u := range units {
		again := i > 0 && units[i-1].result.interrupted()
		switch {
		case u.result.interrupted():
		case u.result.ok(), again && u.result.Code == codeUsed:
			taken++
		default:
			return stop("%s", failureText(s, u.result))
		}
	}
	if taken >= len(s.Letters) {
		return done
	}
	if !repeatable(units) {
		return stop("%s was interrupted again and again.", s)
	}
	list, ok := p.openList(units)
	if !ok {
		return stop("There is no open list to pick from: the last replacement found its place, or its list is closed. Say the replacement again.")
	}
	return pickFrom(list.name, list.args, s.Letters[taken])
}

func pickFrom(tool string, args map[string]any, letter string) verdict {
	args = copyArgs(args)
	delete(args, "preview_only")
	args["match_id"] = letter
	v := call(tool, args)
	v.call.note = "candidate " + letter
	if letter == "all" {
		v.call.note = "all candidates"
	}
	return v
}

func copyArgs(args map[string]any) map[string]any {
	c := make(map[string]any, len(args)+1)
	for k, v := range args {
		c[k] = v
	}
	return c
}

// openList finds the last replacement before the given calls, if it was answered with candidates that still stand.
func (p *past) openList(own []unit) (unit, bool) {
	for i := len(p.all) - 1 - len(own); i >= 0; i-- {
		u := p.all[i]
		if u.result.closes() {
			return unit{}, false
		}
		if !isReplacement(u) {
			continue
		}
		closedLater := slices.ContainsFunc(p.closed, func(c closing) bool {
			return c.after > i && c.what == u.result.SessionID
		})
		return u, u.result.asks() && len(u.result.Candidates) > 0 && !closedLater
	}
	return unit{}, false
}

// isReplacement holds for a call that looks for its place itself, in place of picking from a list.
func isReplacement(u unit) bool {
	_, picks := u.args["match_id"]
	return !picks && (u.name == "memory_notebook_replace" || u.name == "memory_notebook_replace_span")
}
