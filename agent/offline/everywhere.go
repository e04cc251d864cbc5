package offline

// everywhere takes every candidate, one after the other by its letter; what a list had to leave out is asked for when
// the list is used up. A near match is never taken.
func (s Step) everywhere(units []unit) verdict {
	w := walk{used: map[string]bool{}}
	for i, u := range units {
		if v := w.follow(s, u, i > 0 && units[i-1].result.interrupted()); v != done {
			return v
		}
	}
	if !repeatable(units) {
		return stop("%s was interrupted again and again.", s)
	}
	args := s.replaceArgs()
	args["show_all_matches"] = true
	for _, c := range w.list.Candidates {
		if !w.used[c.ID] {
			return pickFrom("memory_notebook_replace", args, c.ID)
		}
	}
	if w.finished {
		return done
	}
	return call("memory_notebook_replace", args)
}

// walk is how far the candidates are taken.
type walk struct {
	list     result // the last list
	used     map[string]bool
	fresh    bool // something was taken since the last list
	finished bool
}

// follow reads one call's answer; anything but done stops the walk.
func (w *walk) follow(s Step, u unit, again bool) verdict {
	letter, picks := u.args["match_id"].(string)
	r := u.result
	switch {
	case r.interrupted():
	case picks && (r.ok() || again && r.Code == codeUsed):
		w.used[letter], w.fresh = true, true
		w.finished = w.listDone() && w.list.Total <= len(w.list.Candidates)
	case picks:
		return stop("%s", failureText(s, r))
	case r.asks() && r.Code == codeAmbiguous && (len(w.used) == 0 || w.fresh):
		w.list, w.fresh = r, false
		w.finished = w.listDone()
	case r.asks() && r.Code == codeAmbiguous:
		w.finished = true // the same list again: nothing is left that could be taken
	case r.asks():
		return verdict{stop: candidatesText(u), asks: true}
	case r.ok(), len(w.used) > 0 && r.Status == "not_found":
		w.finished = true
	default:
		return stop("%s", failureText(s, r))
	}
	return done
}

// listDone reports whether all candidates of the list are taken.
func (w *walk) listDone() bool {
	for _, c := range w.list.Candidates {
		if !w.used[c.ID] {
			return false
		}
	}
	return true
}
