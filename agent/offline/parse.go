package offline

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
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
		if err != nil {
			return nil, err.about(step.Verb)
		}
		program = append(program, step)
		if err := p.separator(); err != nil {
			return nil, err.about(step.Verb)
		}
	}
	if len(program) == 0 {
		return nil, newError(src, len(src), "", "there is no instruction").about(Replace)
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
var listMark = regexp.MustCompile(`^([-*•]|[0-9]+[.)])$`)

// step reads one instruction. With an error, the step holds at least the verb that was meant, if one is known.
func (p *parser) step() (Step, *Error) {
	if p.tok.kind == tokenWord && (listMark.MatchString(p.tok.text) || p.tok.is("please")) {
		if err := p.advance(); err != nil {
			return Step{}, err
		}
	}
	s := Step{Verb: Verb(strings.ToLower(p.tok.text))}
	f, ok := forms[s.Verb]
	if p.tok.kind != tokenWord || !ok {
		return Step{Verb: nearestVerb(p.tok.text)}, p.fail("a step begins with one of: %s", verbList())
	}
	if err := p.advance(); err != nil {
		return s, err
	}
	for _, read := range []func(form, *Step) *Error{p.kind, p.argument, p.clauses, p.complete} {
		if err := read(f, &s); err != nil {
			return s, err
		}
	}
	return s, nil
}

func verbList() string {
	verbs := make([]string, len(Verbs()))
	for i, v := range Verbs() {
		verbs[i] = string(v)
	}
	return strings.Join(verbs, ", ")
}

// kind reads the word that narrows a verb.
func (p *parser) kind(f form, s *Step) *Error {
	word := strings.ToLower(p.tok.text)
	if p.tok.kind != tokenWord || p.tok.newLine || !slices.Contains(f.kinds, word) {
		return nil
	}
	s.Kind = word
	return p.advance()
}

// argument reads what stands behind the verb.
func (p *parser) argument(f form, s *Step) *Error {
	switch f.arg {
	case argTextOrFile:
		if s.Kind == kindFile || p.tok.kind == tokenWord && !p.tok.newLine && !reserved(p.tok.text) {
			s.Kind = kindFile
			return p.file(&s.Path, "a file")
		}
		return p.textArgument(f, s)
	case argText, argAnyText, argMaybeText, argPattern:
		return p.textArgument(f, s)
	case argFile:
		return p.file(&s.Path, f.what)
	case argMaybeGlob:
		if p.tok.kind == tokenText || p.tok.kind == tokenWord && !p.tok.newLine && !reserved(p.tok.text) {
			return p.file(&s.Path, f.what)
		}
	case argLetter, argLetters:
		return p.letters(f, s)
	}
	return nil
}

func (p *parser) textArgument(f form, s *Step) *Error {
	switch {
	case f.arg == argMaybeText && p.tok.kind != tokenText:
		return nil
	case f.arg == argPattern && p.tok.kind == tokenWord && !p.tok.newLine && !reserved(p.tok.text):
		s.Text = p.tok.text
		return p.advance()
	case f.arg == argAnyText:
		return p.text(&s.Text, f.what, true)
	}
	return p.text(&s.Text, f.what, false)
}

// text reads one quoted text.
func (p *parser) text(into *string, what string, mayBeEmpty bool) *Error {
	switch {
	case p.tok.kind == tokenWord && !reserved(p.tok.text):
		return p.fail("%s belongs in quotes", what)
	case p.tok.kind != tokenText:
		return p.fail("%s is missing here, in quotes", what)
	case p.tok.text == "" && !mayBeEmpty:
		return p.fail("%s is empty", what)
	}
	*into = p.tok.text
	return p.advance()
}

// file reads a name, which needs quotes only if it has blanks or looks like a word of the grammar.
func (p *parser) file(into *string, what string) *Error {
	if p.tok.kind != tokenText && (p.tok.kind != tokenWord || reserved(p.tok.text)) {
		return p.fail("%s is missing here", what)
	}
	if strings.TrimSpace(p.tok.text) == "" {
		return p.fail("%s has an empty name", what)
	}
	*into = p.tok.text
	return p.advance()
}

var letterList = regexp.MustCompile(`^(?i)(all|[A-Z](,[A-Z])*)$`)

// letters reads "A", and for pick also "all", "A, B", "A,B" and "A and B".
func (p *parser) letters(f form, s *Step) *Error {
	for {
		if p.tok.kind != tokenWord || !letterList.MatchString(p.tok.text) {
			return p.fail("%s is missing here: A to Z", f.what)
		}
		if p.tok.is("all") {
			s.Letters = append(s.Letters, "all")
		} else {
			s.Letters = append(s.Letters, strings.Split(strings.ToUpper(p.tok.text), ",")...)
		}
		if f.arg == argLetter && (len(s.Letters) > 1 || p.tok.is("all")) {
			return p.fail("one letter at a time")
		}
		if slices.Contains(s.Letters, "all") && len(s.Letters) > 1 {
			return p.fail("either letters or all")
		}
		more, err := p.anotherLetter(f)
		if err != nil || !more {
			return err
		}
	}
}

// anotherLetter moves behind the letter and what joins it with a next one.
func (p *parser) anotherLetter(f form) (bool, *Error) {
	if err := p.advance(); err != nil || f.arg == argLetter {
		return false, err
	}
	joined := p.tok.kind == tokenMark || p.tok.is("and")
	if !joined {
		return p.tok.kind == tokenWord && !p.tok.newLine && letterList.MatchString(p.tok.text), nil
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
