package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/galley-ls/galley/agent/model"
	"github.com/galley-ls/galley/agent/openai"
	"github.com/galley-ls/galley/cmd/galley/internal/settings"
	"github.com/galley-ls/galley/cmd/galley/internal/term"
	"github.com/galley-ls/galley/editing/text"
	"github.com/galley-ls/galley/memory"
)

// probeTool is offered to the model, which is asked to call it.
const probeTool = "galley_check"

// probe is the smallest request that shows whether a model can do the work.
func probe() memory.Request {
	return memory.Request{
		Messages: []memory.Message{
			{Role: memory.RoleSystem, Content: "You are tested for whether you can call tools. Be brief."},
			{Role: memory.RoleUser, Content: "Call the tool " + probeTool + ` with word "proof". Do nothing else.`},
		},
		Tools: []memory.ToolSpec{{
			Name: probeTool, Description: "Checks that tools can be called.",
			Parameters: json.RawMessage(`{"type":"object","properties":{"word":{"type":"string"}},"required":["word"]}`),
		}},
	}
}

// try asks for one reply. It answers whether there was one.
func (d *doctor) try(ctx context.Context, m settings.Model, server *openai.Model, others []string) bool {
	reply, first, whole, err := d.reply(ctx, server)
	var why *openai.Error
	switch {
	case errors.As(err, &why) && why.Kind == openai.KindModelNotFound && len(others) > 0:
		d.bad(missing(m, others), "the server answers, and does not have %s", m.Model)
		return false
	case errors.As(err, &why):
		d.bad(why.Next, "%s", why.What)
		return false
	case err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
		d.bad("a model that is loaded first takes its time: try again, or look at the server", "no whole reply within %s", term.Took(d.patient.reply))
		return false
	case err != nil:
		d.bad("", "%s", err)
		return false
	}
	d.unlisted(m, others)
	d.good("it answers: %s%s", paceText(first, whole), usageText(reply.Usage))
	if slices.ContainsFunc(reply.Message.ToolCalls, func(c memory.ToolCall) bool { return c.Name == probeTool }) {
		d.good("it calls tools")
	} else {
		d.look("galley works through tools: if runs stage nothing, take a model that is made for them",
			"it was asked to call a tool, and answered in words: “%s”", term.OneLine(d.secrets.Mask(reply.Message.Content), 80))
	}
	return true
}

// unlisted is a model that answers, and that the server does not list.
func (d *doctor) unlisted(m settings.Model, others []string) {
	switch len(others) {
	case 0:
	case 1:
		d.good("the server has one model, %s, and takes any name for it", others[0])
	default:
		d.look("set model.model to one of these, unless you mean it: "+namesOf(near(m.Model, others)), "the server does not list %s, and answers all the same", m.Model)
	}
}

// reply makes the request, and measures.
func (d *doctor) reply(ctx context.Context, server *openai.Model) (reply model.Reply, first, whole time.Duration, err error) {
	doing := term.Begin("asking " + server.Name() + " for a word")
	d.spin.Show(doing, 0)
	defer d.spin.Hide()
	ctx, cancel := context.WithTimeout(ctx, d.patient.reply)
	defer cancel()
	began := time.Now()
	reply, err = server.Stream(ctx, probe(), func(delta model.Delta) {
		if delta.Waiting != "" {
			doing.Note = term.OneLine(delta.Waiting, 200)
			d.spin.Show(doing, 0)
		} else if first == 0 {
			first = time.Since(began)
		}
	})
	return reply, first, time.Since(began), err
}

// paceText says how fast a reply came. One that only calls tools tells nothing before its end.
func paceText(first, whole time.Duration) string {
	if first == 0 {
		return "a reply in " + term.Took(whole)
	}
	return "the first words after " + term.Took(first) + ", the whole reply after " + term.Took(whole)
}

func usageText(u memory.Usage) string {
	if u == (memory.Usage{}) {
		return ", and does not count tokens"
	}
	return fmt.Sprintf(", %s tokens in, %s out", text.Thousands(u.Input), text.Thousands(u.Output))
}
