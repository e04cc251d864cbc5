package agent

import (
	"fmt"

	"github.com/galley-ls/galley/agent/model"
)

// end is a reply without calls: the run is done, unless somebody has said something more, or it was no answer. Only
// here is the server's word about the end of its reply looked at.
func (r *run) end(reply model.Reply) error {
	if reply.Finish == model.FinishTextCall {
		return r.reprompt()
	}
	r.asText = 0
	if err := r.unanswered(reply); err != nil {
		return err
	}
	text, more := r.cfg.Inbox.next()
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
	case reply.Empty():
		return fmt.Errorf("the model %s reached the length limit before it answered anything; raise model.max_output_tokens, or have it think less", name)
	default:
		r.warn("the answer was cut off by the length limit; raise model.max_output_tokens, or ask it to go on")
	}
	return nil
}

func (r *run) warn(text string) { r.cfg.Events(Warned{Text: text}) }

// notACall tells the model that nothing came of what it wrote.
const notACall = "You wrote a tool call as text, so nothing was called. Call the tool through the tool interface, not in the text of your reply. If no tool is needed, answer in plain words."

// reprompt has the model try again that wrote a call as text.
func (r *run) reprompt() error {
	r.asText++
	name := r.cfg.Model.Name()
	if r.asText > again {
		return fmt.Errorf("the model %s writes its tool calls as text (%d times in a row); set text_tool_calls: promote in model.profile, start its server with a template for tools, or use another model", name, r.asText)
	}
	r.warn(fmt.Sprintf("the model %s wrote a tool call as text; it is told to use the tool interface (%d of %d)", name, r.asText, again))
	if err := r.cfg.Session.Notice(notACall); err != nil {
		return fmt.Errorf("journal a notice to the model: %w", err)
	}
	return nil
}
