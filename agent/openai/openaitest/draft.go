package openaitest

import (
	"fmt"
	"strconv"
	"strings"
)

// draft is a reply on its way to the wire, by the texts of its fault.
type draft struct {
	Fault
	reply  Reply
	ask    *ask
	values values
}

// newDraft lets the fault change what is said. The reply's calls must be its own.
func newDraft(f Fault, r Reply, a *ask, id string) *draft {
	d := &draft{Fault: f, reply: r, ask: a}
	d.say()
	input, cached, output := d.count()
	d.values = values{
		"id": quoted(id), "model": quoted(a.model), "said": quoted(d.reply.Text), "reasoned": quoted(d.reply.Reasoning),
		"finished": quoted(d.finish()), "input": fmt.Sprint(input), "cached": fmt.Sprint(cached), "output": fmt.Sprint(output),
		"total": fmt.Sprint(input + output),
	}
	return d
}

// say changes the reply itself.
func (d *draft) say() {
	r := &d.reply
	for i := range r.Calls {
		if d.has("id") {
			r.Calls[i].ID = d.fill("id", values{"i": fmt.Sprint(i)})
		}
		if i == 0 && d.has("signature") {
			r.Calls[i].Extra = []byte(d.text("signature"))
		}
	}
	v := values{"reasoned": r.Reasoning, "said": r.Text}
	switch {
	case d.has("thought") && r.Reasoning != "":
		r.Text, r.Reasoning = d.fill("thought", v), ""
	case d.has("unthought") && r.Text != "":
		r.Text = d.fill("unthought", v)
	case d.has("written"):
		r.Text, r.Calls = d.written(), nil
	}
	if d.has("bytes") {
		r.Chunk, _ = strconv.Atoi(d.text("bytes"))
	}
	if d.has("ending") {
		r.Finish = d.text("ending")
	}
}

// written is the text of a reply with its calls in it.
func (d *draft) written() string {
	var lines []string
	if d.reply.Text != "" {
		lines = append(lines, d.reply.Text)
	}
	for _, c := range d.reply.Calls {
		v, parameters := values{"name": c.Name, "arguments": c.ArgumentText()}, ""
		o := decodeObject([]byte(c.ArgumentText()))
		for _, key := range sortedFields(o) {
			value, ok := o[key].(string)
			if !ok {
				value = string(encode(o[key]))
			}
			parameters += d.fill("parameter", values{"key": key, "value": value})
		}
		lines = append(lines, d.fill("written", v.with(values{"parameters": parameters})))
	}
	return strings.Join(lines, "\n")
}

func (d *draft) finish() string {
	switch {
	case d.reply.Finish != "":
		return d.reply.Finish
	case len(d.reply.Calls) > 0:
		return "tool_calls"
	}
	return "stop"
}

// count is the usage: what the script says, or a quarter of the bytes.
func (d *draft) count() (input, cached, output int) {
	if u := d.reply.Usage; u != nil {
		return u.Input, u.Cached, u.Output
	}
	said := len(d.reply.Text) + len(d.reply.Reasoning)
	for _, c := range d.reply.Calls {
		said += len(c.Name) + len(c.ArgumentText())
	}
	return len(d.ask.body)/4 + 1, 0, said/4 + 1
}
