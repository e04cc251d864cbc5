package editing

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/galley-ls/galley/editing/match"
	"github.com/galley-ls/galley/editing/text"
)

// Replacement asks for one replacement in one document. With End set it names a
// span by its first text (Old) and its last (End), both included.
type Replacement struct {
	Meta
	Path          string
	Old, New, End string
	After, Before string // search_after, search_before
	MatchID       string // a candidate's letter, or "all"
	ShowAll       bool
	PreviewOnly   bool
	LineKey       string // "line:hash" of the line the place must be on
	Shown         int    // candidates shown at most, 0: five
	AskAlways     bool   // also where there is one place only
	NoAdvice      bool   // recommend none of several places
	Hints         match.Hints
	Reread        bool // the file changed since the agent read it
}

const defaultShown = 5

// candidate is the letter that the request picks.
func (r Replacement) candidate() string { return strings.ToUpper(strings.TrimSpace(r.MatchID)) }

func (r Replacement) all() bool { return r.candidate() == "ALL" }

// key identifies a request, to know a repeated one.
func (r Replacement) key() string { return requestKey(r.Old, r.New, r.End, r.After, r.Before) }

// listKey identifies the list of candidates that the request belongs to.
func (r Replacement) listKey() string { return requestKey(r.Old, r.End) }

func requestKey(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// Replace looks a place up in the agent's proposed text and stages the change
// there, or answers why not: no place, several places, a place that only
// resembles what was asked for.
func Replace(r Replacement) Op {
	return func(t *tx) Result {
		d, absent := t.sight(r.Owner, r.Path)
		if absent != nil {
			return *absent
		}
		res := t.replace(d, r)
		res.Path, res.Owner = d.Path, r.Owner
		return res
	}
}

func (t *tx) replace(d *Document, r Replacement) Result {
	l := d.listFor(r.Owner, r.listKey())
	if res, stop := repeated(d, l, r); stop {
		return res
	}
	if l != nil && r.MatchID != "" && !r.all() {
		if res, stop := l.refusal(r.candidate()); stop {
			return res
		}
	}
	p := d.Proposed(r.Owner)
	found := r.find(p)
	if l != nil && !narrow(&found, func(m match.Match) bool { return !l.taken(m) }) {
		return refuse("already_pending", "every place of this text is staged already; go on, or commit with memo_commit")
	}
	if r.LineKey != "" {
		if res, stop := pinned(p, &found, r.LineKey); stop {
			return res
		}
	}
	switch {
	case r.MatchID != "":
		return t.pick(d, l, r, found)
	case found.Kind == match.Found && (l == nil || l.left() == 0) && !r.AskAlways:
		return t.put(d, r, []match.Match{found.Matches[0]}, nil)
	case listed(found):
		return t.ask(d, r, found)
	}
	return d.miss(r, found)
}

// find looks the place up as it is named, and where it is not there, by the marks as they
// are written, and with any \r as a line end.
func (r Replacement) find(p text.Text) match.Result {
	q := r.meant(p)
	found := q.search(p)
	if q.Old != r.Old && !placed(found) {
		if as := r.search(p); placed(as) {
			return as
		}
	}
	if lined := p.Lined(); lined != p && !placed(found) {
		if as := q.search(lined); placed(as) {
			for i := range as.Matches {
				as.Matches[i].Edits = p.Ended(as.Matches[i].Edits)
			}
			return as
		}
	}
	return found
}

// placed reports whether a search has found places that read as what was asked for.
func placed(found match.Result) bool {
	switch found.Kind {
	case match.Found, match.Ambiguous, match.AnchorAmbiguous:
		return true
	}
	return false
}

// meant is the request with what marks stand for, and without our own prefixes in what
// is to be written.
func (r Replacement) meant(p text.Text) Replacement {
	r.Old, r.End = unmarked(r.Old, "", p), unmarked(r.End, "", p)
	r.After, r.Before = unmarked(r.After, "", p), unmarked(r.Before, "", p)
	r.New = unmarked(unprefixed(p, r.New), r.Old+r.End, p)
	return r
}

func (r Replacement) search(p text.Text) match.Result {
	if r.End != "" {
		return match.FindSpan(p, match.SpanQuery{Start: r.Old, End: r.End, New: r.New, After: r.After, Before: r.Before, Hints: r.Hints})
	}
	return match.Find(p, match.Query{Old: r.Old, New: r.New, After: r.After, Before: r.Before, Hints: r.Hints})
}

// repeated answers a request that is staged already. A list with candidates left
// makes the same words a new question.
func repeated(d *Document, l *list, r Replacement) (Result, bool) {
	if r.MatchID != "" || l != nil && l.left() > 0 {
		return Result{}, false
	}
	for _, c := range d.changes {
		if c.Owner == r.Owner && (c.State == Staged || c.State == Applying) && slices.Contains(c.Asked, r.key()) {
			return refuse("already_pending", "exactly this edit is staged already as change %s; nothing was done. Go on, or commit it with memo_commit", c.Letter), true
		}
	}
	return Result{}, false
}

// pinned keeps the matches on the line that a line_key names.
func pinned(p text.Text, found *match.Result, key string) (Result, bool) {
	n, hash, ok := lineKey(key)
	if !ok {
		return refuse("bad_arguments", "line_key is %q, it must be number:hash as memo_read shows it, like 4:77aa", key), true
	}
	if n < 1 || n > p.Lines() {
		return Result{Status: StatusStale, Code: "line_key", Hint: fmt.Sprintf("the text has %d lines; read it again with memo_read", p.Lines())}, true
	}
	if now := p.Line(n - 1); text.LineKey(now) != hash {
		return Result{
			Status: StatusStale, Code: "line_key", Present: fmt.Sprintf("%d:%s│%s", n, text.LineKey(now), text.Visible(now)),
			Hint: fmt.Sprintf("line %d has changed since you read it; it is now what text shows. Repeat the call with its line_key, or read again", n),
		}, true
	}
	from, to := p.LineStart(n-1), p.LineEnd(n-1)
	if !narrow(found, func(m match.Match) bool { return m.Start <= to && m.End >= from }) {
		return notFound("no_match", "old_text stands in the file, but not on line %d; leave line_key out, or name the right line", n), true
	}
	return Result{}, false
}

// lineKey reads number:hash.
func lineKey(key string) (n int, hash string, ok bool) {
	num, hash, _ := strings.Cut(key, ":")
	n, err := strconv.Atoi(num)
	return n, hash, err == nil && hash != ""
}

// narrow keeps some of the matches. It answers false if it took the last one.
func narrow(found *match.Result, keep func(match.Match) bool) bool {
	var ms []match.Match
	var diffs []string
	recommended := 0
	for i, m := range found.Matches {
		if !keep(m) {
			continue
		}
		if i == found.Recommended {
			recommended = len(ms)
		}
		ms = append(ms, m)
		if i < len(found.Diffs) {
			diffs = append(diffs, found.Diffs[i])
		}
	}
	if len(ms) == len(found.Matches) {
		return true
	}
	found.Total -= len(found.Matches) - len(ms)
	if recommended == 0 && len(ms) > 0 && found.Matches[found.Recommended].Start != ms[0].Start {
		found.Why = "the first that is left"
	}
	found.Matches, found.Diffs, found.Recommended = ms, diffs, recommended
	if len(ms) == 1 && found.Kind == match.Ambiguous {
		found.Kind = match.Found
	}
	return len(ms) > 0
}

// put stages one change for each match, ascending.
func (t *tx) put(d *Document, r Replacement, ms []match.Match, l *list) Result {
	ms = slices.DeleteFunc(slices.Clone(ms), func(m match.Match) bool { return len(m.Edits) == 0 })
	if len(ms) == 0 {
		return refuse("no_change", "this place already reads as new_text would have it, so nothing would change; read it again, and copy old_text from there if you mean something else")
	}
	if r.PreviewOnly {
		return t.tryOut(d, r, ms)
	}
	if len(ms) > 1 && len(ms) > t.st.Free() {
		return refuse("letters_full", "%d places match, but only %d letters are free; pick some by match_id, or commit first. Nothing was staged", len(ms), t.st.Free())
	}
	res := Result{Status: StatusEditing}
	delta, p := 0, d.Proposed(r.Owner)
	for _, m := range ms {
		c, refusal := t.stage(d.Path, r.Meta, moved(m.Edits, delta), r.key())
		if refusal != nil {
			return t.undo(*refusal)
		}
		c.quotes(t.doc(d.Path), p, m, m.Start+delta)
		delta = t.doc(d.Path).Proposed(r.Owner).Len() - p.Len() // what was staged may have other line ends than m
		res.Session = c.Session
		if !slices.Contains(res.Touched, c.Letter) {
			res.Touched = append(res.Touched, c.Letter)
		}
		if l != nil {
			t.use(d.Path, r, m, c.Letter)
		}
	}
	return res
}

func moved(es text.Edits, by int) text.Edits {
	out := slices.Clone(es)
	for i := range out {
		out[i].Start += by
		out[i].End += by
	}
	return out
}

// undo gives up everything that this operation has done so far.
func (t *tx) undo(r Result) Result {
	*t = *begin(t.from)
	return r
}

// tryOut shows what a staging would look like. Nothing changes.
func (t *tx) tryOut(d *Document, r Replacement, ms []match.Match) Result {
	r.PreviewOnly = false
	trial := begin(t.from)
	res := trial.put(d, r, ms, nil)
	if res.Status != StatusEditing {
		return res
	}
	return Result{Status: StatusOK, Session: res.Session, Trial: &trial.st}
}

// use marks a candidate as taken.
func (t *tx) use(path string, r Replacement, m match.Match, letter string) {
	l := t.doc(path).listFor(r.Owner, r.listKey())
	for i := range l.Marks {
		if k := &l.Marks[i]; k.Used == "" && k.at == m.Start {
			k.Used = letter
		}
	}
}

// miss answers that there is no place, and says what is there instead.
func (d *Document) miss(r Replacement, found match.Result) Result {
	res := Result{Status: StatusNotFound, Code: found.Code, Hint: found.Hint}
	switch found.Kind {
	case match.Refused:
		res.Status = StatusRefused
		return res
	case match.AlreadyApplied, match.AnchorMissing, match.BehindAnchor:
		return res
	}
	if l := d.replacedBy(r); l != "" {
		res.Hint = fmt.Sprintf("this text is in change %s, which is staged and replaces it; you see the file with that change (memo_read), so name the text as it will be. %s", l, res.Hint)
	}
	if r.Reread {
		res.Hint += " The file changed since you read it: read it again."
	}
	return res
}

// replacedBy names a staged change that replaced the text that is looked for.
func (d *Document) replacedBy(r Replacement) string {
	for _, m := range match.Locate(d.Base, r.Old) {
		for _, c := range d.changes {
			if c.Owner == r.Owner && (c.State == Staged || c.State == Applying) && c.holds(m.Start, m.End) {
				return c.Letter
			}
		}
	}
	return ""
}
