package openaitest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// answer writes the reply by the plan of the fault.
func (d *draft) answer() *answer {
	if !d.ask.stream || d.form("unstreamed") {
		return d.unstreamed()
	}
	out := &answer{status: http.StatusOK, header: http.Header{"Cache-Control": {"no-cache"}, "Content-Type": nil}, stream: true}
	if kind := d.text("type"); kind != "" {
		out.header.Set("Content-Type", kind)
	}
	list := d.chunks(d.text("send"))
	sofar := ""
	for i, c := range list {
		sofar += c.text
		out.full = out.full || c.finish
		d.put(out, c, d.values.with(values{"sofar": quoted(sofar), "grown": d.grown(i)}), i == len(list)/2)
	}
	return out
}

// put writes a chunk, or does what the word of the plan says.
func (d *draft) put(out *answer, c chunk, v values, middle bool) {
	text := ""
	switch c.word {
	case "wait":
		out.holds = append(out.holds, -1)
	case "hold":
		out.holds = append(out.holds, len(out.pieces))
	case "cut":
		out.end = endCut
	case "reset":
		out.end = endReset
	case "trim":
		last := &out.pieces[len(out.pieces)-1]
		*last = bytes.TrimRight(*last, "\n")
	case "answer":
		text = d.framed(d.whole())
	case "role", "reasoning", "text", "calls", "finish", "usage":
		text = d.framed(d.object(c, v, middle))
	default:
		text = d.fill(c.word, v)
	}
	if text != "" {
		out.pieces = append(out.pieces, []byte(text))
	}
}

func (d *draft) grown(i int) string {
	_, _, output := d.count()
	return fmt.Sprint(min(i, output))
}

func (d *draft) framed(object string) string {
	var b bytes.Buffer
	_ = json.Indent(&b, []byte(object), "data: ", " ") // what a fault makes of it is JSON
	return d.fill("frame", d.values.with(values{"chunk": object, "indented": b.String()}))
}

// object writes the object of a chunk.
func (d *draft) object(c chunk, v values, middle bool) string {
	if len(c.calls) > 0 {
		c.fields = append(slices.Clone(c.fields), d.fill("calls", values{"list": strings.Join(c.calls, ",")}))
	}
	v = v.with(fieldValues(c.fields))
	v["object"], v["beside"] = "chat.completion.chunk", d.text("beside "+c.word)
	v["finish"], v["finishing"] = "null", ""
	if c.finish {
		v["finish"], v["finishing"] = `"`+v["finished"]+`"`, v["finished"]
	}
	v["choice"] = ""
	if c.word != "usage" {
		v["choice"] = d.fill("choice", v)
	}
	v["usage"] = d.fill("uncounted", v)
	if c.counted {
		v["usage"] = d.fill("counted", v)
	}
	if middle {
		return d.fill("middle", v)
	}
	return d.fill("chunk", v)
}

// fieldValues are the fields of a delta or message, and these with a comma behind them if there are any.
func fieldValues(list []string) values {
	fields := strings.Join(slices.DeleteFunc(slices.Clone(list), func(field string) bool { return field == "" }), ",")
	if fields == "" {
		return values{"fields": "", "more": ""}
	}
	return values{"fields": fields, "more": fields + ","}
}

// whole writes the object of an answer in one piece.
func (d *draft) whole() string {
	r := d.reply
	content, reasoning, tools := `"content":null`, d.text("no reasoning"), d.text("no calls")
	if r.Text != "" || len(r.Calls) == 0 {
		content = d.fill("content", values{"piece": quoted(r.Text)})
	}
	if r.Reasoning != "" {
		reasoning = d.fill("reasoning", values{"piece": quoted(r.Reasoning)})
	}
	var list []string
	for i, c := range r.Calls {
		v := callValues(i, c)
		if !d.has("index") {
			v["index"] = "" // no calls but those of streams have one
		}
		list = append(list, d.wholeCall(v, c))
	}
	v := values{"object": "chat.completion", "tools": "", "finish": `"` + d.values["finished"] + `"`}
	if list != nil {
		tools = d.fill("calls", values{"list": strings.Join(list, ",")})
		v["tools"] = "," + tools
	}
	v = d.values.with(v).with(fieldValues([]string{content, reasoning, d.text("role"), tools}))
	v["choice"] = d.fill("whole", v)
	v["usage"] = d.fill("counted", v)
	return d.fill("middle", v)
}

// unstreamed is the answer in one piece.
func (d *draft) unstreamed() *answer {
	out := jsonAnswer(http.StatusOK, "")
	body := d.whole()
	out.full = true
	switch how := d.text("unstreamed"); how {
	case "answer":
	case "cut":
		body, out.full = body[:len(body)/2], false
		out.sized, out.end = true, endCut
	case "close":
		out.end = endCut
	case "wait":
		out.holds = []int{-1}
	case "hold":
		out.holds = []int{0}
	default:
		body, out.full = d.fill(how, d.values), false
	}
	out.pieces = [][]byte{[]byte(body)}
	return out
}
