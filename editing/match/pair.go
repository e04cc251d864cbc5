package match

import (
	"strings"

	"github.com/galley-ls/galley/editing/text"
)

// pairLines aligns two lists of lines: first those with equal keys, then, between
// them, those that are alike, and where just as many are left on both sides, each
// with its counterpart. Blank lines come last: they are no landmarks. A line that
// is several on the other side is a unit with them.
func pairLines(a, b []string, key func(string) string) ([]int, []unit) {
	inA, inB := notBlank(a), notBlank(b)
	la, lb := pickLines(a, inA), pickLines(b, inB)
	seen := text.Align(keys(la, key), keys(lb, key))
	var units []unit
	eachGap(seen, len(lb), func(i, k, j, end int) {
		p := pairing{a: la[i:k], b: lb[j:end], to: seen[i:k]}
		p.run()
		for n := i; n < k; n++ {
			if seen[n] >= 0 {
				seen[n] += j
			}
		}
		for _, u := range p.units {
			a, b := Span{inA[i+u.a.Start], inA[i+u.a.End-1] + 1}, Span{inB[j+u.b.Start], inB[j+u.b.End-1] + 1}
			units = append(units, unit{a, b})
		}
	})
	to := make([]int, len(a))
	for i := range to {
		to[i] = -1
	}
	for i, j := range seen {
		if j >= 0 {
			to[inA[i]] = inB[j]
		}
	}
	eachGap(to, len(b), func(i, k, j, end int) { pairBlank(a[i:k], b[j:end], to[i:k], j) })
	return to, units
}

// unit is one line of a list that is several of another.
type unit struct{ a, b Span }

// eachGap calls f for what lies between pairs: [i,k) on one side, [j,end) on the
// other.
func eachGap(to []int, n int, f func(i, k, j, end int)) {
	i, j := 0, 0
	for k := 0; k <= len(to); k++ {
		end := n
		if k < len(to) {
			if end = to[k]; end < 0 {
				continue
			}
		}
		f(i, k, j, end)
		i, j = k+1, end+1
	}
}

// pairBlank pairs blank lines in order.
func pairBlank(a, b []string, to []int, offset int) {
	j := 0
	for i := range a {
		if trim(a[i]) != "" {
			continue
		}
		for j < len(b) && trim(b[j]) != "" {
			j++
		}
		if j == len(b) {
			return
		}
		to[i] = offset + j
		j++
	}
}

func notBlank(lines []string) []int {
	var at []int
	for i, l := range lines {
		if trim(l) != "" {
			at = append(at, i)
		}
	}
	return at
}

func pickLines(lines []string, at []int) []string {
	out := make([]string, len(at))
	for i, j := range at {
		out[i] = lines[j]
	}
	return out
}

func keys(all []string, key func(string) string) []string {
	out := make([]string, len(all))
	for i, s := range all {
		out[i] = key(s)
	}
	return out
}

const (
	pairMax  = 32 * 32 // pairs of lines that are compared
	alikeMin = 0.5     // how much lines are alike that may be the same
	alikeMax = 1 << 22 // product of lengths from which on only their beginnings are compared
	unitMax  = 12      // lines that one may have become
	unitMin  = 0.7     // how much they are alike, apart from blanks
	unitGain = 0.05    // how much more than any of them alone
)

// pairing chooses the pairs that are most alike in all, in order.
type pairing struct {
	a, b  []string
	to    []int
	units []unit
	w     int
	sim   []float64 // of each pair
	best  []float64 // of what is from there on
}

func (p *pairing) run() {
	if len(p.a) == 0 || len(p.b) == 0 {
		return
	}
	if len(p.a)*len(p.b) > pairMax {
		p.each(Span{0, len(p.a)}, Span{0, len(p.b)})
		return
	}
	p.w = len(p.b) + 1
	p.sim, p.best = make([]float64, len(p.a)*p.w), make([]float64, (len(p.a)+1)*p.w)
	steps := make([]step, len(p.a)*p.w)
	for i := len(p.a) - 1; i >= 0; i-- {
		for j := len(p.b) - 1; j >= 0; j-- {
			p.sim[i*p.w+j] = likeness(p.a[i], p.b[j])
			steps[i*p.w+j] = p.step(i, j)
			p.best[i*p.w+j] = steps[i*p.w+j].score
		}
	}
	var from Span
	i, j := 0, 0
	for i < len(p.a) && j < len(p.b) {
		s := steps[i*p.w+j]
		if s.a > 0 && s.b > 0 {
			p.each(Span{from.Start, i}, Span{from.End, j})
			p.to[i] = j
			if s.a+s.b > 2 {
				p.units = append(p.units, unit{Span{i, i + s.a}, Span{j, j + s.b}})
			}
			from = Span{i + s.a, j + s.b}
		}
		i, j = i+s.a, j+s.b
	}
	p.each(Span{from.Start, len(p.a)}, Span{from.End, len(p.b)})
}

// step says how many lines of both sides go together, none of one to leave those of
// the other out.
type step struct {
	a, b  int
	score float64
}

// step is the best one from a place.
func (p *pairing) step(i, j int) step {
	now := step{1, 0, p.best[(i+1)*p.w+j]}
	take := func(a, b int, alike float64) {
		score := p.best[(i+a)*p.w+j+b] + alike
		if score > now.score || score == now.score && a+b == 2 {
			now = step{a, b, score}
		}
	}
	if s := p.sim[i*p.w+j]; s > 0 {
		take(1, 1, s)
	}
	if rest := p.best[i*p.w+j+1]; rest > now.score {
		now = step{0, 1, rest}
	}
	for n := 2; n <= unitMax; n++ {
		if j+n <= len(p.b) {
			take(1, n, p.joined(p.a[i], p.b[j:j+n], func(k int) float64 { return p.sim[i*p.w+j+k] }))
		}
		if i+n <= len(p.a) {
			take(n, 1, p.joined(p.b[j], p.a[i:i+n], func(k int) float64 { return p.sim[(i+k)*p.w+j] }))
		}
	}
	return now
}

// joined is how much a line and several together are alike, 0 if one of them alone
// is not much less.
func (p *pairing) joined(line string, several []string, alone func(int) float64) float64 {
	line, all := unspaced(line), unspaced(strings.Join(several, ""))
	if 2*min(len(line), len(all)) < max(len(line), len(all)) {
		return 0
	}
	s := likeness(line, all)
	for k := range several {
		if s < alone(k)+unitGain {
			return 0
		}
	}
	if s < unitMin {
		return 0
	}
	return s
}

// unspaced is a text without its blanks.
func unspaced(s string) string {
	return strings.Map(func(r rune) rune {
		if blankRune(r) {
			return -1
		}
		return r
	}, s)
}

// likeness is how much two lines are alike, 0 if not enough.
func likeness(a, b string) float64 {
	a, b = trim(a), trim(b)
	if len(a)*len(b) > alikeMax {
		a, b = a[:min(len(a), 1<<10)], b[:min(len(b), 1<<10)]
	}
	if s := alike(a, b); s >= alikeMin {
		return s
	}
	return 0
}

// each pairs the lines one by one if there are as many of both.
func (p *pairing) each(a, b Span) {
	if a.End-a.Start != b.End-b.Start {
		return
	}
	for i := a.Start; i < a.End; i++ {
		p.to[i] = b.Start + i - a.Start
	}
}
