package memory

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// How much of the conversation requests have: settings of memory.inject_history.
const (
	HistoryAuto   = "auto"   // all of it, until the memory is written; then as recent:3
	HistoryAlways = "always" // all of it
	HistoryNever  = "never"  // the running turn
	historyRecent = "recent:"
)

const (
	autoTurns    = 3  // verbatim turns before the running one, once the memory is written
	backMessages = 10 // that come back when it is emptied again
	// DefaultMessages is how many messages are shown; half as many more may gather.
	DefaultMessages = 50
)

// ParseHistory reads memory.inject_history: turns before the running one, -1 for all.
func ParseHistory(mode string) (turns int, auto bool, err error) {
	switch n, recent := strings.CutPrefix(mode, historyRecent); {
	case mode == "" || mode == HistoryAuto:
		return autoTurns, true, nil
	case mode == HistoryAlways:
		return -1, false, nil
	case mode == HistoryNever:
		return 0, false, nil
	case recent:
		if turns, err = strconv.Atoi(n); err == nil && turns > 0 {
			return turns, false, nil
		}
	}
	return 0, false, fmt.Errorf("%q is none of auto, always, never and recent:N", mode)
}

// shorten journals how much of the conversation is shown from now on, if that
// changes: at the start of a turn by the mode, at any time by the number of messages.
func (s *Store) shorten(in RequestInput) (bool, error) {
	overview, _, _ := s.ReadMemory(overviewFile)
	defer s.write()()
	c := s.convLocked()
	was := c.tops
	c.tops = c.uncut()
	p, change := c.cut(in, taught(overview), cutOf(was))
	if change && p.To != 0 {
		p.Hash = c.hash(s.entries, c.find(p.From), c.find(p.To))
	}
	c.tops = was
	if !change {
		return false, nil
	}
	_, err := s.appendLocked(TypeCompact, p, p.After)
	return err == nil, err
}

// uncut is the outermost rewrites without the cut of the history.
func (c *conversation) uncut() []*rewrite {
	if len(c.tops) > 0 && c.tops[0].reason == reasonHistory {
		return append(append([]*rewrite{}, c.tops[0].hidden...), c.tops[1:]...)
	}
	return c.tops
}

// historyCut is the units in front that are not shown, and what they are hidden by:
// a mode, or with "" their number.
type historyCut struct {
	units int
	mode  string
}

func cutOf(tops []*rewrite) historyCut {
	if len(tops) > 0 && tops[0].reason == reasonHistory {
		return historyCut{tops[0].last + 1, tops[0].mode}
	}
	return historyCut{}
}

// cut is the first units that are not shown. It is asked of a view without a cut.
func (c *conversation) cut(in RequestInput, taught bool, now historyCut) (compactPayload, bool) {
	want := c.byMode(in.History, taught, now)
	if in.History != HistoryAlways {
		want = c.byNumber(cmp.Or(in.Messages, DefaultMessages), want)
	}
	if c.open >= 0 {
		want.units = min(want.units, c.open)
	}
	for _, t := range c.tops {
		if t.first < want.units && want.units <= t.last {
			want.units = t.last + 1
		}
	}
	p := compactPayload{State: stateCommitted, Reason: reasonHistory, Carry: carryBlocks, Mode: want.mode}
	if want.units == now.units || want.units == 0 {
		return p, want.units != now.units
	}
	hidden, asked := 0, ""
	c.visible(0, want.units-1, func(u *unit) {
		hidden += len(u.msgs)
		if u.prompt {
			asked = u.msgs[0].Content
		}
	}, func(*rewrite) {})
	if hidden == 0 {
		return p, false
	}
	p.Own = raw(fmt.Sprintf("(%d earlier messages are not shown. %s/%s has what lasts of them; query_history finds the rest.)", hidden, memoryDir, overviewFile))
	if !c.promptFrom(want.units) {
		p.Own += raw("\nThe user asked:\n" + Quoted(asked))
	}
	return c.plan(p, foldSpan{0, want.units - 1}), true
}

// promptFrom tells whether the user's own words stand at or behind a unit.
func (c *conversation) promptFrom(i int) bool {
	for ; i < len(c.units); i++ {
		if c.units[i].prompt {
			return true
		}
	}
	return false
}

// byMode is the cut that memory.inject_history wants. It changes where a turn
// starts, since each change makes the server read all anew.
func (c *conversation) byMode(mode string, taught bool, now historyCut) historyCut {
	turns, auto, err := ParseHistory(mode)
	last := len(c.units) - 1
	switch {
	case err != nil || last < 0 || !c.units[last].prompt:
		return now
	case turns >= 0 && (taught || !auto):
		return historyCut{c.before(turns + 1), cmp.Or(mode, HistoryAuto)}
	case now.mode == "": // all is wanted: the number of messages may have hidden some
		return now
	case auto:
		return historyCut{min(now.units, c.showing(backMessages)), now.mode}
	}
	return historyCut{}
}

// byNumber is a cut that shows not many more messages than most.
func (c *conversation) byNumber(most int, now historyCut) historyCut {
	if c.shown(now.units, len(c.units)-1) <= most+most/2 {
		return now
	}
	return historyCut{units: c.showing(most)}
}

// showing is the first unit so that at most so many messages are shown, and one
// unit at least.
func (c *conversation) showing(most int) int {
	i := len(c.units)
	for n := 0; i > 0; i-- {
		if n += len(c.units[i-1].msgs); n > most && i < len(c.units) {
			break
		}
	}
	return i
}

// byHand tells whether somebody wrote a line: it is not blank, no comment, and not
// code's.
func byHand(line string) bool {
	l := strings.TrimSpace(line)
	return l != "" && !isCode(l) && !(strings.HasPrefix(l, "<!--") && strings.HasSuffix(l, "-->"))
}

// taught tells whether the model or the user has written what must last: code's own
// lines do not count.
func taught(overview string) bool {
	_, body, _ := splitFront(overview)
	lines := strings.Split(body, "\n")
	for _, s := range sections(lines) {
		if !slices.ContainsFunc([]string{slotTask, slotDecisions, slotFacts}, func(slot string) bool { return strings.EqualFold(slot, s.heading) }) {
			continue
		}
		if slices.ContainsFunc(lines[s.first:s.last], byHand) {
			return true
		}
	}
	return false
}
