package offline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/galley-ls/galley/memory"
)

// Parse reads a whole prompt into steps. If any part of it is not understood, the *Error says which, and there are no
// steps at all.
func Parse(prompt string) (Program, error) {
	program, err := parse(strings.ReplaceAll(prompt, "\r\n", "\n"))
	if err != nil {
		return nil, err
	}
	return program, nil
}

func parse(src string) (Program, *Error) {
	p := &parser{lexer: lexer{src: src}}
	if err := p.advance(); err != nil {
		return nil, err
	}
	var program Program
	for p.tok.kind != tokenEnd {
		step, err := p.step()
		if err == nil {
			err = p.separator()
		}
		if err != nil {
			return nil, err.about(step.form)
		}
		program = append(program, step)
	}
	if len(program) == 0 {
		return nil, newError(src, len(src), "", "there is no instruction").about(forms[0])
	}
	return program, nil
}

// parser holds the one token that is looked at next.
type parser struct {
	lexer lexer
	tok   token
}

func (p *parser) advance() (err *Error) {
	p.tok, err = p.lexer.next()
	return err
}

// fail blames the present token.
func (p *parser) fail(format string, args ...any) *Error {
	return newError(p.lexer.src, p.tok.at, p.tok.raw, fmt.Sprintf(format, args...))
}

// listMark is what people put before the steps of a plan.
var listMark = memory.Pattern(`^([-*•]|[0-9]+[.)])$`)

// step reads one instruction. With an error, the step holds at least the form that was meant, if one is known.
func (p *parser) step() (Step, *Error) {
	if p.tok.kind == tokenWord && (listMark().MatchString(p.tok.text) || p.tok.is("please")) {
		if err := p.advance(); err != nil {
			return Step{}, err
		}
	}
	mine := formsOf(strings.ToLower(p.tok.text))
	if p.tok.kind != tokenWord || len(mine) == 0 {
		return Step{form: nearest(p.tok.text)}, p.fail("a step begins with one of: %s", strings.Join(verbs(), ", "))
	}
	s := Step{form: mine[0], args: map[string]string{}}
	if err := p.advance(); err != nil {
		return s, err
	}
	if err := p.narrow(mine, &s); err != nil {
		return s, err
	}
	for i := range s.form.slots {
		if slot := &s.form.slots[i]; slot.word == "" && (slot.needs || p.begins(slot)) {
			if err := p.slot(slot, s); err != nil {
				return s, err
			}
		}
	}
	return s, p.clauses(s)
}

// narrow takes the form that a second word chooses: it is said, or a name stands where the other form wants quotes.
func (p *parser) narrow(mine []*form, s *Step) *Error {
	for _, f := range mine {
		switch {
		case f.narrow == "" || p.tok.kind != tokenWord || p.tok.newLine:
		case p.tok.is(f.narrow):
			s.form = f
			return p.advance()
		case len(f.slots) > 0 && f.slots[0].kind == fileName && p.begins(&f.slots[0]):
			s.form = f
		}
	}
	return nil
}

// begins reports whether the next token may stand in a slot that can be left out.
func (p *parser) begins(s *slot) bool {
	return p.tok.kind == tokenText || s.kind == fileName && p.tok.kind == tokenWord && !p.tok.newLine && !reserved(p.tok.text)
}

// clauses reads what may follow in any order. Clauses may begin on a new line, since no verb is called like one.
func (p *parser) clauses(s Step) *Error {
	for p.tok.kind == tokenWord && isClause(strings.ToLower(p.tok.text)) {
		word := strings.ToLower(p.tok.text)
		slot := s.form.clause(word)
		if slot == nil {
			return p.fail("%s does not go with %s", word, s.form.verb)
		}
		if _, again := s.args[slot.arg]; again {
			return p.fail("%s stands here twice", word)
		}
		if err := p.advance(); err != nil {
			return err
		}
		if err := p.slot(slot, s); err != nil {
			return err
		}
	}
	for _, slot := range s.form.slots {
		if _, ok := s.args[slot.arg]; slot.needs && !ok {
			return p.fail("%s %s is missing here", slot.word, slot.shown())
		}
	}
	return nil
}

// slot reads what stands in a slot.
func (p *parser) slot(s *slot, into Step) *Error {
	switch s.kind {
	case mark:
		into.args[s.arg] = "yes"
		return nil
	case letters, letter:
		return p.letters(s, into)
	case fileName:
		return p.file(s, into)
	case pattern:
		if p.tok.kind == tokenWord && !p.tok.newLine && !reserved(p.tok.text) {
			into.args[s.arg] = p.tok.text
			return p.advance()
		}
	}
	return p.text(s, into)
}

// text reads one quoted text.
func (p *parser) text(s *slot, into Step) *Error {
	switch {
	case p.tok.kind == tokenWord && !reserved(p.tok.text):
		return p.fail("%s belongs in quotes", s.what)
	case p.tok.kind != tokenText:
		return p.fail("%s is missing here, in quotes", s.what)
	case p.tok.text == "" && !s.empty:
		return p.fail("%s is empty", s.what)
	}
	into.args[s.arg] = p.tok.text
	return p.advance()
}

// file reads a name, which needs quotes only if it has blanks or looks like a word of the grammar.
func (p *parser) file(s *slot, into Step) *Error {
	if p.tok.kind != tokenText && (p.tok.kind != tokenWord || reserved(p.tok.text)) {
		return p.fail("%s is missing here", s.what)
	}
	if strings.TrimSpace(p.tok.text) == "" {
		return p.fail("%s has an empty name", s.what)
	}
	into.args[s.arg] = p.tok.text
	return p.advance()
}

var letterList = memory.Pattern(`^(?i)(all|[A-Z](,[A-Z])*)$`)

// letters reads "A", and for pick also "all", "A, B", "A,B" and "A and B".
func (p *parser) letters(s *slot, into Step) *Error {
	var all []string
	for more := true; more; {
		if p.tok.kind != tokenWord || !letterList().MatchString(p.tok.text) {
			return p.fail("%s is missing here: A to Z", s.what)
		}
		said := strings.Split(strings.ToUpper(p.tok.text), ",")
		if p.tok.is("all") {
			said = []string{"all"}
		}
		all = append(all, said...)
		switch {
		case s.kind == letter && (len(all) > 1 || all[0] == "all"):
			return p.fail("one letter at a time")
		case len(all) > 1 && slices.Contains(all, "all"):
			return p.fail("either letters or all")
		}
		var err *Error
		if more, err = p.anotherLetter(s); err != nil {
			return err
		}
	}
	into.args[s.arg] = strings.Join(all, ", ")
	return nil
}

// anotherLetter moves behind the letter and what joins it with a next one.
func (p *parser) anotherLetter(s *slot) (bool, *Error) {
	if err := p.advance(); err != nil || s.kind == letter {
		return false, err
	}
	if p.tok.kind != tokenMark && !p.tok.is("and") {
		return p.tok.kind == tokenWord && !p.tok.newLine && letterList().MatchString(p.tok.text), nil
	}
	if err := p.advance(); err != nil {
		return false, err
	}
	return !p.tok.is("then"), nil
}

// separator wants a new line, "then" or the end behind a step.
func (p *parser) separator() *Error {
	joined := p.tok.newLine
	if p.tok.is("and") {
		if err := p.advance(); err != nil {
			return err
		}
		if !p.tok.is("then") {
			return p.fail("steps are joined by then, or by a new line")
		}
	}
	if p.tok.is("then") {
		joined = true
		if err := p.advance(); err != nil {
			return err
		}
		if p.tok.kind == tokenEnd {
			return p.fail("a step is missing behind then")
		}
	}
	if !joined {
		return p.fail("this does not belong to the step; steps are joined by then, or by a new line")
	}
	return nil
}
