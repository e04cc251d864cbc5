package openaitest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

const argumentPiece = 12 // bytes of arguments in a delta

// chunk is one event of a stream before it is written.
type chunk struct {
	word    string   // of the plan
	fields  []string // of its delta
	calls   []string // in its delta
	text    string   // in its delta
	args    bool     // a piece of arguments is in its delta
	finish  bool     // it bears the finish_reason
	counted bool     // it bears the usage
}

// chunks makes the chunks of a plan.
func (d *draft) chunks(plan string) (out []chunk) {
	for _, word := range strings.Fields(plan) {
		times := 1
		if n, rest, ok := strings.Cut(word, "*"); ok {
			times, _ = strconv.Atoi(n)
			word = rest
		}
		for range times {
			out = d.add(out, word)
		}
	}
	return out
}

func (d *draft) add(out []chunk, word string) []chunk {
	switch word {
	case "role":
		return append(out, chunk{word: word, fields: []string{d.fill("text", values{"piece": ""}), d.text("role")}})
	case "reasoning":
		return append(out, d.spoken(word, d.reply.Reasoning)...)
	case "text":
		return append(out, d.spoken(word, d.reply.Text)...)
	case "calls":
		return d.join(out, d.callChunks())
	case "finish", "counted":
		if d.form("finish") && len(out) > 0 {
			out[len(out)-1].finish = true
			return out
		}
		return append(out, chunk{word: "finish", fields: []string{d.text("end")}, finish: true, counted: word == "counted"})
	case "usage":
		if d.ask.usage {
			out = append(out, chunk{word: word, counted: true})
		}
		return out
	case "half", "rest", "arguments":
		all := d.chunks("role reasoning text calls finish usage")
		at := middle(all, word == "arguments")
		if word == "rest" {
			return append(out, all[at:]...)
		}
		return append(out, all[:at]...)
	}
	return append(out, chunk{word: word})
}

// spoken makes the chunks of a text.
func (d *draft) spoken(word, text string) (out []chunk) {
	for _, piece := range pieces(text, d.reply.Chunk) {
		c := chunk{word: word, fields: []string{d.fill(word, values{"piece": quoted(piece)})}}
		if word == "text" {
			c.text = piece
		}
		out = append(out, c)
	}
	return out
}

// middle is the number of chunks that make about half of a reply: words or pieces of calls are among them. In arguments,
// it is the number up to their first piece.
func middle(all []chunk, inArguments bool) int {
	if at := slices.IndexFunc(all, func(c chunk) bool { return c.args }); inArguments && at >= 0 {
		return at + 1
	}
	first := slices.IndexFunc(all, func(c chunk) bool { return c.text != "" || len(c.calls) > 0 })
	return max(first+1, len(all)/2)
}

// callChunks makes the chunks of the calls: heads first, then the arguments in pieces.
func (d *draft) callChunks() (out []chunk) {
	var lists [][]chunk
	longest := 0
	for i, c := range d.reply.Calls {
		lists = append(lists, d.callPieces(i, c))
		longest = max(longest, len(lists[i]))
	}
	if !d.form("mixed") {
		return slices.Concat(lists...)
	}
	for i := range longest {
		for _, list := range lists {
			if i < len(list) {
				out = append(out, list[i])
			}
		}
	}
	return out
}

func (d *draft) callPieces(i int, c Call) []chunk {
	v := callValues(i, c)
	if d.form("whole") {
		return []chunk{{word: "calls", calls: []string{d.wholeCall(v, c)}, args: true}}
	}
	size := argumentPiece
	if d.reply.Chunk > 0 {
		size = d.reply.Chunk
	}
	out := []chunk{{word: "calls", calls: []string{d.fill("head", v.with(values{"args": ""}))}}}
	cut := pieces(c.ArgumentText(), size)
	if len(cut) == 0 {
		cut = []string{""}
	}
	for n, piece := range cut {
		name := "piece"
		if n == len(cut)-1 {
			name = "last"
		}
		out = append(out, chunk{word: "calls", calls: []string{d.fill(name, v.with(values{"args": quoted(piece)}))}, args: true})
	}
	return out
}

func (d *draft) wholeCall(v values, c Call) string {
	if c.ArgumentText() == "{}" {
		return d.fill("bare", v)
	}
	return d.fill("call", v)
}

func callValues(i int, c Call) values {
	args, extra := c.ArgumentText(), ""
	if o := decodeObject(c.Extra); len(o) > 0 {
		fields := string(encode(o))
		extra = "," + fields[1:len(fields)-1]
	}
	raw := args
	if decodeObject([]byte(args)) == nil {
		raw = string(encode(args))
	}
	return values{
		"i": fmt.Sprint(i), "gap": fmt.Sprint(3 + 2*i), "number": fmt.Sprint(i + 1), "callid": quoted(c.ID), "name": quoted(c.Name),
		"args": quoted(args), "twice": quoted(string(encode(args))), "json": raw, "extra": extra,
	}
}

// join adds the chunks of calls to those before, where the fault has them in fewer chunks.
func (d *draft) join(out, more []chunk) []chunk {
	if len(more) == 0 {
		return out
	}
	first := &more[0]
	if d.form("together") {
		for _, c := range more[1:] {
			first.calls = append(first.calls, c.calls...)
		}
		more = more[:1]
	}
	for d.form("joined") && len(out) > 1 && out[len(out)-1].word != first.word {
		last := out[len(out)-1]
		first.word, first.text, first.fields = last.word, last.text+first.text, append(first.fields, last.fields...)
		out = out[:len(out)-1]
	}
	return append(out, more...)
}

// pieces cuts a text behind its words, or into pieces of some bytes; never inside of a character.
func pieces(text string, size int) (out []string) {
	for text != "" {
		n := wordEnd(text)
		if size > 0 {
			n = min(size, len(text))
			for n < len(text) && !utf8.RuneStart(text[n]) {
				n++
			}
		}
		out = append(out, text[:n])
		text = text[n:]
	}
	return out
}

func wordEnd(text string) int {
	start := len(text) - len(strings.TrimLeft(text, " \n\t"))
	if end := strings.IndexAny(text[start:], " \n\t"); end >= 0 {
		return start + end
	}
	return len(text)
}
