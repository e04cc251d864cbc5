package agent

import (
	"fmt"

	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/memory"
)

// end is a reply without calls: the run is done, unless somebody has said something more, or it was no answer. Only
// here is the server's word about the end of its reply looked at.
func (r *run) end(reply model.Reply) error {
	if reply.Finish == model.FinishTextCall {
		name := r.cfg.Model.Name()
		return r.reprompt(notACall, fmt.Sprintf("the model %s wrote a tool call as text; it is told to use the tool interface", name),
			fmt.Sprintf("the model %s writes its tool calls as text", name), "; set text_tool_calls: promote in model.profile, start its server with a template for tools, or use another model")
	}
	r.vain = 0
	if err := r.unanswered(reply); err != nil {
		return err
	}
	text, more := r.cfg.Inbox.Next()
	if !more {
		r.stop(Done, "")
		return nil
	}
	return r.say(text)
}

// unanswered is the error of a reply that ended before it was an answer; part of an answer is shown as such.
func (r *run) unanswered(reply model.Reply) error {
	name := r.cfg.Model.Name()
	switch {
	case reply.Finish == model.FinishFilter:
		return fmt.Errorf("the content filter of the model %s stopped its reply; say it in other words, or use another model", name)
	case reply.Finish != model.FinishLength:
	case r.windowEnded(reply) && reply.Empty():
		return fmt.Errorf("the model %s answered nothing: %s", name, r.windowAdvice())
	case r.windowEnded(reply):
		r.warn("the answer was cut off: " + r.windowAdvice())
	case reply.Empty():
		return fmt.Errorf("the model %s reached the length limit before it answered anything; raise model.max_output_tokens, or have it think less", name)
	default:
		r.warn("the answer was cut off by the length limit; raise model.max_output_tokens, or ask it to go on")
	}
	return nil
}

// windowEnded tells whether a reply went to the end of the model's window, and not of what one reply may have.
func (r *run) windowEnded(reply model.Reply) bool {
	const near = 32 // tokens: servers stop a little before
	m := r.out.Meta
	used := reply.Usage.Input + reply.Usage.Output
	if used == 0 {
		used = m.TokensUsed - m.Categories.Reserve + memory.CountTokens(reply.Message.Content+reply.Message.Reasoning)
	}
	return m.MaxKnown && used >= m.TokensMax-near
}

func (r *run) windowAdvice() string {
	return fmt.Sprintf("its context window of %d tokens was full; ask it to go on (galley makes room), or give it a larger window at its server "+
		"(llama.cpp: --ctx-size, Ollama: OLLAMA_CONTEXT_LENGTH), and set model.context_window to that", r.out.Meta.TokensMax)
}

func (r *run) warn(text string) { r.cfg.Events(Warned{Text: text}) }

// notACall tells the model that nothing came of what it wrote.
const notACall = "You wrote a tool call as text, so nothing was called. Call the tool through the tool interface, not in the text of your reply. If no tool is needed, answer in plain words."

// tooMuch tells the model that nothing of its reply was taken.
const tooMuch = "Your reply was longer than galley takes, so nothing of it counts, and none of its calls was made. Send a short reply, and long texts in several calls of several replies."

// reprompt has the model try again whose reply was of no use, and tells both. Where that came too often the run ends with
// what it does, and advice.
func (r *run) reprompt(notice, warning, does, advice string) error {
	r.vain++
	if r.vain > again {
		return fmt.Errorf("%s (%d times in a row)%s", does, r.vain, advice)
	}
	r.warn(fmt.Sprintf("%s (%d of %d)", warning, r.vain, again))
	if err := r.cfg.Session.Notice(notice); err != nil {
		return fmt.Errorf("journal a notice to the model: %w", err)
	}
	return nil
}

// oddEnd is what is told of a reply that ended among its calls, before it was over.
type oddEnd struct {
	person string // with the model's name; "": nothing
	model  string // behind the answer to the last call
	failed bool   // only where that call failed
	call   string // the id of the last call
}

var oddEnds = map[string]oddEnd{
	model.FinishLength: {
		model:  "Your reply was cut off by its length limit, and this call with it. Do not send it again as it was: do less in one reply, with several smaller changes.",
		failed: true,
	},
	model.FinishFilter: {
		person: "the content filter of the model %s stopped its reply among its calls; what was whole is made, and the model is told",
		model:  "The content filter of your server stopped your reply here, and may have cut this call. Do not send it again as it was: say it in other words, or tell the user what cannot be done.",
	},
	model.FinishMany: {
		person: fmt.Sprintf("the model %%s made more than %d calls in one reply; the first %d are made, and it is told", model.CallsMost, model.CallsMost),
		model:  fmt.Sprintf("Your reply had more calls than the %d that are made of one reply. Those behind this one were not made: see what came of these first.", model.CallsMost),
	},
}
