package editing

import (
	"fmt"
	"strings"
)

// Again is the decision about an edit that is proposed once more as it was.
type Again struct {
	Letter  string `json:"change"`
	Verdict string `json:"verdict,omitempty"` // what was said when it was rejected
}

// again notes on each change that was staged just now whether the person has
// rejected the very edit before.
func (t *tx) again() {
	for path := range t.owned {
		for _, c := range t.st.docs[path].changes {
			if c.State != Staged || c.Since != t.st.Seq || !t.changed[c.Letter] {
				continue
			}
			c.Again = nil
			for _, o := range t.rejected(c) {
				c.Again = &Again{Letter: o.Letter, Verdict: o.Verdict}
			}
		}
	}
}

// rejected are the changes that propose the same as c and were rejected, the last one
// last.
func (t *tx) rejected(c *Change) (all []*Change) {
	of := func(cs []*Change) {
		for _, o := range cs {
			if o != c && o.wasRejected() && o.sameEdit(c) {
				all = append(all, o)
			}
		}
	}
	for _, ses := range t.st.Sessions(c.Owner) {
		of(ses.Closed)
	}
	of(t.st.Changes())
	return all
}

func (c *Change) wasRejected() bool {
	return c.State == Rejected || c.State == Closed && c.Was == Rejected
}

// sameEdit reports whether two changes put the same text in place of the same, as
// far as it can still be told where.
func (c *Change) sameEdit(o *Change) bool {
	if c.Owner != o.Owner || c.Path != o.Path || c.file() != o.file() || len(c.Hunks) != len(o.Hunks) {
		return false
	}
	if c.file() && (c.Kind != o.Kind || c.File != nil && o.File != nil && c.File.To != o.File.To) {
		return false
	}
	for i, h := range c.Hunks {
		at, was, is := h.core()
		at2, was2, is2 := o.Hunks[i].core()
		if was != was2 || is != is2 || at != at2 && c.State == Rejected {
			return false
		}
	}
	return true
}

// core is the hunk without what its old and new text have in common at both ends.
func (h Hunk) core() (at int, was, is string) {
	was, is = h.Old, h.New
	for was != "" && is != "" && was[0] == is[0] {
		at, was, is = at+1, was[1:], is[1:]
	}
	for was != "" && is != "" && was[len(was)-1] == is[len(is)-1] {
		was, is = was[:len(was)-1], is[:len(is)-1]
	}
	return at + h.edit().Start, was, is
}

// Because is why the agent proposes a change, for the person who decides: first what they
// have to do with it themself.
func (c *Change) Because() string {
	var notes []string
	if c.Yours {
		notes = append(notes, "edited by you")
	}
	if c.Again != nil {
		note := "again: you rejected this edit before, as " + c.Again.Letter
		if c.Again.Verdict != "" {
			note += fmt.Sprintf(": %q", c.Again.Verdict)
		}
		notes = append(notes, note)
	}
	if c.Reason != "" {
		notes = append(notes, c.Reason)
	}
	return strings.Join(notes, " · ")
}
