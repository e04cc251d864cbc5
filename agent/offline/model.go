package offline

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/memory"
)

// Grammar is the page that describes the instructions, for help texts and the documentation.
//
//go:embed grammar.md
var Grammar string

// whoAmI is said where somebody may take the offline model for more than it is.
const whoAmI = "I am galley's offline model: built in, no network, not a language model. I follow plain instructions."

type offline struct{}

// New returns the offline model. It has no state.
func New() model.Model { return offline{} }

// Name implements model.Model.
func (offline) Name() string { return "offline" }

// Stream implements model.Model. It tells the text line by line.
func (offline) Stream(ctx context.Context, req memory.Request, show func(model.Delta)) (model.Reply, error) {
	if err := ctx.Err(); err != nil {
		return model.Reply{}, err
	}
	p := readPast(req.Messages)
	m := p.reply()
	for line := range strings.Lines(m.Content) {
		show(model.Delta{Text: line})
	}
	finish := cmp.Or(p.finish, model.FinishStop)
	if len(m.ToolCalls) > 0 {
		finish = model.FinishCalls
	}
	return model.Reply{Message: m, Finish: finish}, nil
}

// reply is the next assistant message: what the person decided is answered, then one call is made, or a closing text.
func (p *past) reply() memory.Message {
	var notices []string
	for _, n := range p.notices {
		notices = append(notices, answerTo(rejections(n))...)
	}
	if text := p.idle(); text != "" {
		if p.answered && len(notices) > 0 {
			text = ""
		}
		return say(append(notices, text)...)
	}
	program, err := Parse(p.program)
	if err != nil {
		p.finish = model.FinishUnable
		return say(append(notices, misunderstood(err))...)
	}
	return p.next(program, notices)
}

// idle answers where there is no program to go on with.
func (p *past) idle() string {
	switch {
	case p.prompt == "" && len(p.units) == 0:
		return whoAmI + " Say help for what I understand."
	case p.answered:
		return "I am done with your last instruction. What is next?"
	case p.lost:
		p.finish = model.FinishUnable
		return "The steps of your instruction that were already done are folded away, so I cannot tell where I was, and I do nothing twice. Say what is left to do."
	case p.program == "":
		return strings.Join(append(p.report(), "That was all."), "\n")
	case strings.EqualFold(strings.Trim(p.program, " \t\r\n?.!"), "help"), strings.TrimSpace(p.program) == "?":
		return whoAmI + "\n\n" + Grammar
	}
	return ""
}

// misunderstood says which words were not understood, and that nothing was done.
func misunderstood(err error) string {
	text := "I do not understand " + err.Error() + ".\nNothing was done."
	var e *Error
	if errors.As(err, &e) && e.Form != "" {
		text += fmt.Sprintf("\nThe nearest form: %s\nFor example:      %s", e.Form, e.Example)
	}
	return text + "\n" + whoAmI + " Say help for all of them."
}

// next plays the program from the step that it had come to.
func (p *past) next(program Program, lines []string) memory.Message {
	for i := max(p.step, 0); i < len(program); i++ {
		v := program[i].advance(p, p.unitsOf(i))
		switch {
		case v.call != nil:
			return p.call(program, i, *v.call, lines)
		case v.asks && i+1 < len(program) && program[i+1].form.verb == verbPick:
		case v.stop != "":
			if p.finish = model.FinishUnable; v.asks {
				p.finish = model.FinishAsks
			}
			return say(append(append(lines, p.report()...), v.stop, notDone(program, i))...)
		}
	}
	lines = append(lines, p.report()...)
	if len(lines) == 0 {
		lines = []string{"Done."}
	}
	return say(lines...)
}

// notDone names the steps behind the one that failed.
func notDone(program Program, failed int) string {
	rest := program[failed+1:]
	if len(rest) == 0 {
		return ""
	}
	return "Not done: " + rest.String()
}

// call is the reply that makes one call. Before the history is folded it carries along what is left to do.
func (p *past) call(program Program, i int, o order, lines []string) memory.Message {
	line := cut(program[i].String(), 100)
	if len(program) > 1 {
		line = fmt.Sprintf("Step %d of %d: %s", i+1, len(program), line)
	}
	if o.note != "" {
		line += " — " + o.note
	}
	lines = append(lines, line)
	verb := program[i].form.verb
	if folds := verb == verbCommit || verb == verbRevert; folds && i+1 < len(program) {
		lines = append(lines, restMark+program[i+1:].String())
	}
	m := say(lines...)
	m.ToolCalls = []memory.ToolCall{{ID: p.newID(i), Name: o.tool, Arguments: arguments(o.args)}}
	return m
}

// say joins the lines that are not empty.
func say(lines ...string) memory.Message {
	var kept []string
	for _, l := range lines {
		if l != "" {
			kept = append(kept, l)
		}
	}
	return memory.Message{Role: "assistant", Content: strings.Join(kept, "\n")}
}
