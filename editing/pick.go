package editing

import (
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing/match"
)

// pick stages the candidate, or with "all" every one, of the request's list.
// Without a list it is computed in the same call.
func (t *tx) pick(d *Document, l *list, r Replacement, found match.Result) Result {
	id := r.candidate()
	if !listed(found) {
		if l != nil && !r.all() {
			return notFound("no_match", "the text of candidate %s has changed since it was listed; read the place again. %s", id, found.Hint)
		}
		return d.miss(r, found)
	}
	from := t
	if r.PreviewOnly {
		t = begin(t.from)
	}
	l = t.listOf(d.Path, r, found)
	if r.all() {
		return t.pickAll(d, l, r, found)
	}
	i := l.find(id)
	if i < 0 {
		return from.undo(l.unknown(id))
	}
	m, ok := l.match(i, found)
	if !ok {
		return from.undo(notFound("no_match", "the text of candidate %s has changed since it was listed; repeat the call without match_id to see what is left", id))
	}
	l.at()
	return t.put(d, r, []match.Match{m}, l)
}

// listed reports whether there are places that the agent can choose from.
func listed(found match.Result) bool {
	switch found.Kind {
	case match.Found, match.Ambiguous, match.Near, match.AnchorAmbiguous:
		return len(found.Matches) > 0
	}
	return false
}

func (t *tx) pickAll(d *Document, l *list, r Replacement, found match.Result) Result {
	if found.Kind == match.AnchorAmbiguous {
		return t.undo(refuse("ambiguous_anchor", `the anchor stands in several places, so "all" is not possible; pick each by its match_id`))
	}
	if found.Near {
		return t.undo(refuse("near_match", `these places only resemble old_text, so "all" is not possible; pick each by its match_id`))
	}
	for i := 1; i < len(found.Matches); i++ {
		if found.Matches[i].Start < found.Matches[i-1].End {
			return t.undo(refuse("ambiguous", `the places overlap, so "all" is not possible; pick one by its match_id`))
		}
	}
	l.at()
	return t.put(d, r, found.Matches, l)
}

// refusal answers a candidate that cannot be picked.
func (l *list) refusal(id string) (Result, bool) {
	i := l.find(id)
	switch {
	case i < 0:
		return l.unknown(id), true
	case l.Marks[i].Used != "":
		return refuse("match_used", "candidate %s was used already, for change %s; %s", id, l.Marks[i].Used, l.others()), true
	}
	return Result{}, false
}

func (l *list) unknown(id string) Result {
	return refuse("unknown_match_id", "there is no candidate %s; %s", id, l.others())
}

func (l *list) others() string {
	var ids []string
	for _, m := range l.Marks {
		if m.Used == "" && !m.Gone {
			ids = append(ids, m.ID)
		}
	}
	if len(ids) == 0 {
		return "none is left"
	}
	return fmt.Sprintf("left are %s", strings.Join(ids, ", "))
}

// match returns the match that candidate i stands for now.
func (l *list) match(i int, found match.Result) (match.Match, bool) {
	k := slices.IndexFunc(found.Matches, func(m match.Match) bool {
		return m.Start == l.Marks[i].Start && m.End == l.Marks[i].End
	})
	if k < 0 {
		return match.Match{}, false
	}
	return found.Matches[k], true
}

// at notes where each candidate stands while several are staged one by one.
func (l *list) at() {
	for i := range l.Marks {
		l.Marks[i].at = l.Marks[i].Start
	}
}
