package offline

import (
	"fmt"
	"maps"
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

func stop(format string, args ...any) verdict { return verdict{stop: fmt.Sprintf(format, args...)} }

var done = verdict{}

// advance works out from the calls already made for a step what comes next.
func (s Step) advance(p *past, units []unit) verdict {
	o := s.order(p)
	switch {
	case s.form.verb == verbPick:
		return s.pick(p, units)
	case len(units) == 0:
		return verdict{call: &o}
	}
	last := units[len(units)-1]
	_, picks := last.args["match_id"]
	switch {
	case last.result.interrupted():
		return s.again(p, o, units)
	case picks && moreThanListed(units):
		return verdict{call: &o}
	case last.result.ok(), picks && last.result.Code == codeUsed, last.result.Status == "not_found" && moreThanListed(units[:len(units)-1]):
		return done
	case last.result.asks() && last.result.Code == codeAmbiguous && s.args[everywhere] != "":
		return pickFrom(o.tool, o.args, "all")
	case last.result.asks():
		return verdict{stop: candidatesText(last), asks: true}
	}
	return stop("%s", failureText(s, last.result))
}

// moreThanListed reports whether the list that was just taken had to leave places out.
func moreThanListed(units []unit) bool {
	if len(units) < 2 || !units[len(units)-1].result.ok() {
		return false
	}
	list := units[len(units)-2].result
	return list.asks() && list.Total > len(list.Candidates)
}

// order is the call of a step.
func (s Step) order(p *past) order {
	args := map[string]any{}
	for name, v := range s.args {
		args[name] = v
	}
	if s.form.tool == toolReplace && args["new_text"] == nil { // delete
		args["new_text"] = ""
	}
	if args[everywhere] != nil {
		delete(args, everywhere)
		args["show_all_matches"] = true
	}
	if s.form.tool == "memo_commit" {
		if args["summary"] == nil {
			args["summary"] = p.summary()
		}
		if why := args["decisions"]; why != nil {
			args["decisions"] = []any{why}
		}
	}
	return order{tool: s.form.tool, args: args}
}

// again repeats a call that was cut off before its answer was stored, where doing it twice does no harm: the same
// replacement is answered with already_pending, a second commit finds nothing to do.
func (s Step) again(p *past, o order, units []unit) verdict {
	if s.form.verb == verbTask && strings.Contains(p.block, s.args["goal"]+" (current)") {
		return done
	}
	if s.form.once || !repeatable(units) {
		return stop("%s was interrupted, and I cannot tell whether it was done. Look at the preview, then say it again if it is missing.", s)
	}
	if letter, picks := units[len(units)-1].args["match_id"].(string); picks {
		return pickFrom(o.tool, o.args, letter)
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
	letters, taken := strings.Split(s.args["letters"], ", "), 0
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
	if taken >= len(letters) {
		return done
	}
	if !repeatable(units) {
		return stop("%s was interrupted again and again.", s)
	}
	list, ok := p.openList(units)
	if !ok {
		return stop("There is no open list to pick from: the last replacement found its place, or its list is closed. Say the replacement again.")
	}
	return pickFrom(list.name, list.args, letters[taken])
}

func pickFrom(tool string, args map[string]any, letter string) verdict {
	o := order{tool: tool, args: maps.Clone(args), note: "candidate " + letter}
	if letter == "all" {
		o.note = "all candidates"
	}
	delete(o.args, "preview_only")
	o.args["match_id"] = letter
	return verdict{call: &o}
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
	return !picks && (u.name == toolReplace || u.name == "memory_notebook_replace_span")
}
