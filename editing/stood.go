package editing

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// This file is what a restart knows of where changes stood: the lines of the texts by
// their hashes, and by their words those that the changes rest on.

// Stood is where the changes of one agent session in one document stood.
type Stood struct {
	Path    string `json:"-"`
	owner   string
	Texts   []stoodText   `json:"texts"`
	Changes []stoodChange `json:"changes"`
	index   map[*ground]int
}

// KeptStood names what was kept of a Stood.
type KeptStood struct {
	Path string `json:"path"`
	Name string `json:"name"`
}

type stoodText struct {
	Lines []byte      `json:"lines"` // of each line the hash without its ending, and the ending
	Known []knownLine `json:"known"`
}

type knownLine struct {
	Line int `json:"line"`
	Text raw `json:"text"`
}

type stoodChange struct {
	Order int64 `json:"order"`
	stoodAt
	Over *stoodAt `json:"over,omitempty"`
}

type stoodAt struct {
	Text    int         `json:"text"`
	Applied bool        `json:"applied,omitempty"`
	Hunks   []stoodHunk `json:"hunks"`
}

// stoodHunk is a hunk by lines, since a line that is not known may be of any length.
type stoodHunk struct {
	From [2]int `json:"from"` // line and byte
	To   [2]int `json:"to"`
	Old  raw    `json:"old,omitempty"`
	New  raw    `json:"new,omitempty"`
	Rank int    `json:"rank,omitempty"`
}

const perLine = 9 // bytes

// moved is where the changes of d stand, by owner, if they do so elsewhere than in old,
// or are others.
func (d *Document) moved(old *Document) []*Stood {
	was := map[int64]*Change{}
	if old != nil {
		for _, c := range old.changes {
			was[c.Order] = c
		}
	}
	owners := map[string]bool{}
	for _, c := range d.changes {
		if o := was[c.Order]; !c.file() && (o == nil || !c.last.is(o.last) || !c.over.is(o.over)) {
			owners[c.Owner] = true
		}
		delete(was, c.Order)
	}
	for _, c := range was {
		owners[c.Owner] = true
	}
	var out []*Stood
	for _, owner := range slices.Sorted(maps.Keys(owners)) {
		out = append(out, d.stood(owner))
	}
	return out
}

// Empty reports whether nothing stands in the document any more.
func (s *Stood) Empty() bool { return len(s.Changes) == 0 }

// is reports whether two standings differ in nothing but what followed.
func (st *standing) is(o *standing) bool {
	if st == nil || o == nil {
		return st == o
	}
	return st.ground.text == o.ground.text && &st.hunks[0] == &o.hunks[0]
}

// stood is what a restart must know of owner's changes.
func (d *Document) stood(owner string) *Stood {
	out := &Stood{Path: d.Path, owner: owner, index: map[*ground]int{}}
	for _, c := range d.changes {
		if c.Owner != owner || c.file() || c.last == nil || c.last.long() || c.over.long() {
			continue
		}
		k := stoodChange{Order: c.Order, stoodAt: out.at(c.last)}
		if c.over != nil {
			over := out.at(c.over)
			k.Over = &over
		}
		out.Changes = append(out.Changes, k)
	}
	for g, i := range out.index {
		known := map[int]bool{}
		for _, c := range out.Changes {
			c.knows(known, i)
			if c.Over != nil {
				c.Over.knows(known, i)
			}
		}
		for _, n := range slices.Sorted(maps.Keys(known)) {
			if n >= 0 && n < g.text.Lines() && g.text.LineStart(n+1)-g.text.LineStart(n) <= contextBytes {
				out.Texts[i].Known = append(out.Texts[i].Known, knownLine{n, raw(g.text.Slice(g.text.LineStart(n), g.text.LineStart(n+1)))})
			}
		}
	}
	return out
}

// long reports whether the change stands within a line too long to be kept: its record
// tells what is around it.
func (st *standing) long() bool {
	return st != nil && slices.ContainsFunc(st.hunks, func(h Hunk) bool {
		t := st.ground.text
		return h.Start-t.LineStart(t.LineOf(h.Start)) > contextBytes || t.LineStart(t.LineOf(h.End)+1)-h.End > contextBytes
	})
}

func (s *Stood) at(st *standing) stoodAt {
	g := st.ground
	i, ok := s.index[g]
	if !ok {
		i = len(s.Texts)
		s.index[g], s.Texts = i, append(s.Texts, stoodText{Lines: g.hashes()})
	}
	out := stoodAt{Text: i, Applied: st.applied}
	for _, h := range st.hunks {
		out.Hunks = append(out.Hunks, stoodHunk{From: spot(g.text, h.Start), To: spot(g.text, h.End), Old: raw(h.Old), New: raw(h.New), Rank: h.Rank})
	}
	return out
}

func spot(t text.Text, at int) [2]int {
	n := t.LineOf(at)
	return [2]int{n, at - t.LineStart(n)}
}

// knows adds the lines of text i that the change rests on, and those around.
func (a *stoodAt) knows(lines map[int]bool, i int) {
	if a.Text != i {
		return
	}
	for _, h := range a.Hunks {
		for n := h.From[0] - contextLines - 1; n <= h.To[0]+contextLines+1; n++ {
			lines[n] = true
		}
	}
}

// hashesOf are those of the lines of a text.
func hashesOf(t text.Text) []byte {
	out := make([]byte, 0, perLine*t.Lines())
	for line := range strings.Lines(t.String()) {
		content, end := bareLine(line), byte('\n')
		switch len(line) - len(content) {
		case 0:
			end = 0
		case 2:
			end = '\r'
		}
		out = append(binary.BigEndian.AppendUint64(out, text.LineHash(content)), end)
	}
	return out
}

// Without is what may be kept where some texts are secrets. A line around a change is
// known by its hash then, and a change that holds one, or rests on it, is not.
func (s *Stood) Without(secret func(string) bool) *Stood {
	out := &Stood{Path: s.Path, owner: s.owner}
	for _, t := range s.Texts {
		t.Known = slices.DeleteFunc(slices.Clone(t.Known), func(k knownLine) bool { return secret(string(k.Text)) })
		out.Texts = append(out.Texts, t)
	}
	holds := func(a *stoodAt) bool {
		return a != nil && slices.ContainsFunc(a.Hunks, func(h stoodHunk) bool { return secret(string(h.Old)) || secret(string(h.New)) })
	}
	for _, c := range s.Changes {
		if !holds(&c.stoodAt) && !holds(c.Over) {
			out.Changes = append(out.Changes, c)
		}
	}
	return out
}

// Encode is what is kept.
func (s *Stood) Encode() ([]byte, error) { return json.Marshal(s) }

// standings are those of a Stood that was kept, by the order of the changes, in texts
// that became base.
func standings(data []byte, base text.Text) (last, over map[int64]*standing, err error) {
	var s Stood
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, nil, err
	}
	words := map[uint64]string{} // what is known of lines: by the base, too
	for line := range strings.Lines(base.String()) {
		line = bareLine(line)
		words[text.LineHash(line)] = line
	}
	for _, t := range s.Texts {
		for _, k := range t.Known {
			line := bareLine(string(k.Text))
			words[text.LineHash(line)] = line
		}
	}
	var on []*ground
	for _, t := range s.Texts {
		g := newGround(text.New(t.text(words)))
		g.unknown = unknownIn(g.text)
		g.edits = text.Runs(g.text.String(), base.String())
		on = append(on, g)
	}
	last, over = map[int64]*standing{}, map[int64]*standing{}
	for _, c := range s.Changes {
		if last[c.Order], err = c.standing(on); err == nil && c.Over != nil {
			over[c.Order], err = c.Over.standing(on)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return last, over, nil
}

func unknownIn(t text.Text) map[uint64]bool {
	out := map[uint64]bool{}
	for line := range strings.Lines(t.String()) {
		if line[0] == 0 {
			out[text.LineHash(bareLine(line))] = true
		}
	}
	return out
}

func (t stoodText) text(words map[uint64]string) string {
	known := map[int]string{}
	for _, k := range t.Known {
		known[k.Line] = string(k.Text)
	}
	var sb strings.Builder
	for i, n := 0, 0; i+perLine <= len(t.Lines); i, n = i+perLine, n+1 {
		h, end := binary.BigEndian.Uint64(t.Lines[i:]), map[byte]string{'\n': "\n", '\r': "\r\n"}[t.Lines[i+perLine-1]]
		line, ok := known[n]
		if !ok {
			word, ok := words[h]
			if !ok {
				word = text.Unknown(h)
			}
			line = word + end
		}
		sb.WriteString(line)
	}
	return sb.String()
}

var errStood = errors.New("what is kept of where a change stood is not whole")

func (a *stoodAt) standing(on []*ground) (*standing, error) {
	if a.Text < 0 || a.Text >= len(on) || len(a.Hunks) == 0 {
		return nil, errStood
	}
	t := on[a.Text].text
	var hs []Hunk
	for _, k := range a.Hunks {
		h := Hunk{Start: t.LineStart(k.From[0]) + k.From[1], End: t.LineStart(k.To[0]) + k.To[1], Old: string(k.Old), New: string(k.New), Rank: k.Rank}
		if h.Start > h.End || h.End > t.Len() {
			return nil, errStood
		}
		hs = append(hs, h)
	}
	return newStanding(on[a.Text], hs, a.Applied), nil
}

// remembered is the text in which a change stood as far as its record tells: its
// lines with those around them. What was between is not known.
func (c *Change) remembered(base text.Text) *standing {
	st, ok := c.fragments(true)
	if !ok {
		st, _ = c.fragments(false)
	}
	st.ground.edits = text.Runs(st.ground.text.String(), base.String())
	return st
}

// unknown stands for lines of which a record tells nothing.
const unknown = "\x00 lines that are not known\n"

// fragments puts the places of the hunks together, one over the other where they
// share lines. ok is false if the hunks do not come out in order.
func (c *Change) fragments(shared bool) (st *standing, ok bool) {
	var hunks []Hunk
	s := ""
	for _, h := range c.Hunks {
		p := h.Place
		if p == nil {
			p = &Place{Block: h.Old, End: len(h.Old), New: h.New}
		}
		part, n := p.Before+p.Block+p.After, 0
		if s == "" && (p.Before != "" || p.Head) {
			s = unknown
		}
		if shared {
			for n = min(len(s), len(part)); n > 0 && !(strings.HasSuffix(s, part[:n]) && (n == len(s) || s[len(s)-n-1] == '\n')); n-- {
			}
		}
		if n == 0 && s != "" {
			s = strings.TrimSuffix(s, "\n") + "\n" + unknown
		}
		at := len(s) - n + len(p.Before)
		s += part[n:]
		if h.Held {
			h = p.hunk(at)
		}
		h.Start, h.End, h.Place = at+p.Start, at+p.End, nil
		hunks = append(hunks, h)
	}
	if n := len(c.Hunks); n > 0 && c.Hunks[n-1].Place.bounded() {
		s = strings.TrimSuffix(s, "\n") + "\n" + unknown
	}
	st = newStanding(newGround(text.New(s)), hunks, c.State == Applied)
	for i, h := range hunks {
		is, _ := h.sides(st.applied)
		ok = (i == 0 || ok && hunks[i-1].End <= h.Start) && (h.Old == "" || s[h.Start:h.End] == is)
		if !ok {
			break
		}
	}
	return st, ok
}

// located are the hunks of a recorded change where all of them read as one side, nil
// if they do not.
func (c *Change) located(base text.Text, turned bool) (out []Hunk) {
	for _, h := range c.Hunks {
		if h.Place == nil || h.Held {
			return nil
		}
		p := *h.Place
		if turned {
			p.Block, p.End = p.Block[:p.Start]+p.New+p.Block[p.End:], p.Start+len(p.New)
			p.gone = p.New == ""
		}
		from, to, ok := p.locate(base)
		if !ok || len(out) > 0 && from < out[len(out)-1].End {
			return nil
		}
		h.put(base, from, to)
		h.Place = nil
		out = append(out, h)
	}
	return out
}
