package editing

import (
	"fmt"
	"slices"

	"github.com/galley-ls/galley/editing/match"
)

// ask answers with the candidates and keeps the list.
func (t *tx) ask(d *Document, r Replacement, found match.Result) Result {
	if r.PreviewOnly {
		t = begin(t.from)
	}
	l := t.listOf(d.Path, r, found)
	return t.present(t.st.docs[d.Path], l, r, found)
}

// listOf returns the request's list, made or brought up to date.
func (t *tx) listOf(path string, r Replacement, found match.Result) *list {
	d := t.doc(path)
	l := d.listFor(r.Owner, r.listKey())
	if l == nil {
		l = &list{Owner: r.Owner, Session: t.open(r.Owner, r.Task).N, Key: r.listKey()}
		d.lists = append(d.lists, l)
	}
	l.Near = found.Near
	asked := r
	asked.MatchID, asked.PreviewOnly = "", false
	l.Request = &asked
	l.refresh(found.Matches, d.Proposed(r.Owner))
	return l
}

// present makes the answer for a list: what is left of it, under its letters.
func (t *tx) present(d *Document, l *list, r Replacement, found match.Result) Result {
	res := Result{Status: StatusNeedsMatch, Code: found.Code, Session: l.Session, Hint: r.pickHint(found)}
	if found.Near {
		res.Code = "near_match"
		res.Hint = "nothing matches exactly; the diff shows how the file differs from old_text. If that is the place, repeat the call with its match_id: lines you do not change keep the file's text"
	} else if found.Kind == match.AnchorAmbiguous {
		res.Hint = found.Hint
	} else if res.Code == "" {
		res.Code = "ambiguous"
	}
	res.Total = found.Total
	if r.NoAdvice {
		l.Best = ""
	}
	var all []Candidate
	for i, m := range found.Matches {
		k := slices.IndexFunc(l.Marks, func(k mark) bool { return k.Used == "" && k.Start == m.Start && k.End == m.End })
		if k < 0 {
			continue
		}
		c := Candidate{
			ID: l.Marks[k].ID, Line: m.Line + 1, Text: m.LineText, Context: m.Context, Change: d.letterIn(r.Owner, m.Start, m.End),
			Recommended: i == found.Recommended && !r.NoAdvice,
		}
		if c.Recommended {
			c.Why, l.Best = found.Why, c.ID
		}
		if i < len(found.Diffs) {
			c.Diff = found.Diffs[i]
		}
		all = append(all, c)
	}
	res.Candidates = shown(all, r)
	if res.More = res.Total - len(res.Candidates); res.More > 0 {
		res.Hint = fmt.Sprintf("%d more: show_all_matches. %s", res.More, res.Hint)
	}
	return res
}

// pickHint says how to choose.
func (r Replacement) pickHint(found match.Result) string {
	hint := `repeat the call with match_id, or "all"`
	if found.Total == 1 {
		hint = "there is one place; repeat the call with its match_id to stage the change there"
	}
	if !r.NoAdvice {
		hint += "; memo_commit_auto takes the recommended one"
	}
	return hint
}

// shown cuts the candidates to what is shown; the recommended one is always in it.
func shown(all []Candidate, r Replacement) []Candidate {
	n := r.Shown
	if n <= 0 {
		n = defaultShown
	}
	if r.ShowAll || len(all) <= n {
		return all
	}
	for _, c := range all[n:] {
		if c.Recommended {
			return append(slices.Clone(all[:n-1]), c)
		}
	}
	return all[:n]
}

// letterIn names the staged change that a range of the proposed text lies in.
func (d *Document) letterIn(owner string, start, end int) string {
	for _, s := range d.spans(owner) {
		if s.start < end && s.end > start || s.start == s.end && s.start > start && s.start < end {
			return s.c.Letter
		}
	}
	return ""
}
