package offline

import (
	"slices"
	"strings"

	"github.com/galley-ls/galley/memory"
)

// Step is one instruction: its form, and what stands in the slots, by the argument of the tool.
type Step struct {
	form *form
	args map[string]string
}

// Program is a prompt, understood.
type Program []Step

// String writes the program as one line that parses to the same program.
func (p Program) String() string {
	steps := make([]string, len(p))
	for i, s := range p {
		steps[i] = s.String()
	}
	return strings.Join(steps, " then ")
}

// String writes the step in its canonical form.
func (s Step) String() string {
	words := []string{s.form.verb, s.form.narrow}
	for _, slot := range s.form.slots {
		v, ok := s.args[slot.arg]
		if !ok {
			continue
		}
		switch slot.kind {
		case quoted, pattern:
			v = quote(v)
		case fileName:
			v = bare(v)
		case mark:
			v = ""
		}
		words = append(words, slot.word, v)
	}
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ")
}

var plainName = memory.Pattern(`^[\pL\pN_/*?~+@#%=.-][\pL\pN_/*?~+@#%=.-]*$`)

// bare writes a file name, quoted where it could be taken for something else.
func bare(path string) string {
	if plainName().MatchString(path) && !strings.HasSuffix(path, ".") && !reserved(path) {
		return path
	}
	return quote(path)
}
