package match

import (
	"cmp"
	"slices"
	"strings"
)

// indents is what the aligned lines tell about indentation: how old_text has it
// and how the file has it.
type indents struct {
	pairs []indentPair
	step  int              // columns of old_text that are one level
	unit  string           // what the file has for a level, "" as old_text has it
	by    map[string][]int // pairs by what the model has
}

type indentPair struct {
	model, file string
	line        int // of old_text
}

// tabWidth is how many columns a tab counts for where tabs meet spaces.
const tabWidth = 4

func columns(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case r == '\t':
			n += tabWidth
		case !zeroWidth(r):
			n++
		}
	}
	return n
}

// learn finds out how levels translate. model are all indentations that the
// model used, fileUnit is what the file seems to indent by.
func (in *indents) learn(model []string, fileUnit func() string) {
	if in.differ() && !in.fromPairs() {
		in.fromStyle(modelUnit(model), fileUnit())
	}
}

// differ says whether the file indents any line otherwise than the model.
func (in *indents) differ() bool {
	return slices.ContainsFunc(in.pairs, func(p indentPair) bool { return p.model != p.file })
}

// fromPairs takes the smallest difference in depth that both sides show.
func (in *indents) fromPairs() bool {
	var seen []indentPair
	for _, p := range in.pairs {
		known := func(q indentPair) bool { return p.model == q.model && p.file == q.file }
		if slices.ContainsFunc(seen, known) || len(seen) == differentMax {
			continue
		}
		for _, q := range seen {
			in.compare(p, q)
			in.compare(q, p)
		}
		seen = append(seen, p)
	}
	return in.step > 0
}

// differentMax is how many kinds of indentation are looked at.
const differentMax = 50

func (in *indents) compare(a, b indentPair) {
	d := columns(b.model) - columns(a.model)
	if d > 0 && (in.step == 0 || d < in.step) && len(b.file) > len(a.file) && strings.HasPrefix(b.file, a.file) {
		in.step, in.unit = d, b.file[len(a.file):]
	}
}

// fromStyle is for lines that are all equally deep. What the file indents by shows
// at them, or else around them.
func (in *indents) fromStyle(model int, file string) {
	p := in.pairs[slices.IndexFunc(in.pairs, func(p indentPair) bool { return p.model != p.file })]
	depth, width := len(p.file), columns(p.model)
	modelTabs, fileTabs := strings.Contains(p.model, "\t"), strings.Contains(p.file, "\t") || depth == 0 && file == "\t"
	switch {
	case fileTabs && !modelTabs:
		in.step, in.unit = cmp.Or(model, tabWidth), "\t"
		if strings.Trim(p.file, "\t") == "" && depth > 0 && width > 0 && width%depth == 0 {
			in.step = width / depth
		}
	case fileTabs || file == "\t" || file == "":
	case modelTabs:
		in.step, in.unit = tabWidth, file
		if levels := width / tabWidth; levels > 0 && depth > 0 && depth%levels == 0 {
			in.unit = strings.Repeat(" ", depth/levels)
		}
	case model > 1 && model != len(file):
		in.step, in.unit = model, file
	}
}

// modelUnit is the greatest common divisor of all differences in depth.
func modelUnit(all []string) int {
	g := 0
	for _, s := range all {
		for a, b := g, columns(s)-columns(all[0]); ; a, b = b, a%b {
			if b < 0 {
				b = -b
			}
			if b == 0 {
				g = a
				break
			}
		}
	}
	return g
}

// to translates the indentation of a line that the model wrote near a line of
// old_text.
func (in *indents) to(model string, near int) string {
	if !in.differ() {
		return model
	}
	ref := in.reference(model, near)
	switch d := columns(model) - columns(ref.model); {
	case d == 0:
		return ref.file
	case d > 0:
		return ref.file + in.deeper(model, ref.model, d)
	default:
		return in.shallower(ref.file, -d)
	}
}

// reference is the aligned line to go by: equally or most nearly as deep, and the
// nearest of those.
func (in *indents) reference(model string, near int) indentPair {
	if in.by == nil {
		in.by = make(map[string][]int)
		for i, p := range in.pairs {
			in.by[p.model] = append(in.by[p.model], i)
		}
	}
	best, found := -1, in.by[model]
	if found == nil {
		w := columns(model)
		for m, lines := range in.by {
			d := abs(columns(m) - w)
			if best < 0 || d < best || d == best && lines[0] < found[0] {
				best, found = d, lines
			}
		}
	}
	i, _ := slices.BinarySearchFunc(found, near, func(i, line int) int { return in.pairs[i].line - line })
	if i == len(found) || i > 0 && near-in.pairs[found[i-1]].line <= in.pairs[found[i]].line-near {
		i--
	}
	return in.pairs[found[i]]
}

// deeper is the file's way to write so many more columns.
func (in *indents) deeper(model, than string, d int) string {
	if in.unit == "" {
		if extra, ok := strings.CutPrefix(model, than); ok {
			return extra
		}
		return strings.Repeat(" ", d)
	}
	return strings.Repeat(in.unit, d/in.step) + strings.Repeat(" ", d%in.step)
}

// shallower takes so many columns off the file's indentation.
func (in *indents) shallower(file string, d int) string {
	if in.unit != "" {
		for ; d >= in.step && strings.HasSuffix(file, in.unit); d -= in.step {
			file = file[:len(file)-len(in.unit)]
		}
		d = d * columns(in.unit) / in.step
	}
	for d > 0 && file != "" {
		cut := file[:len(file)-1]
		d -= columns(file) - columns(cut)
		file = cut
	}
	return file
}

func abs(n int) int { return max(n, -n) }
