package openaitest

// cutFaults let a stream end, or fall silent, where it must not. Asked without stream, the body is cut in half.
func cutFaults() []Fault {
	return []Fault{
		cut("cut_start", "the connection closes behind the status, before the first byte of the stream", func(*draft) int { return 0 }, endCut),
		cut("cut_role", "the connection closes behind the first chunk, which bears no words", func(*draft) int { return 1 }, endCut),
		cutBegun("cut_middle", "the connection closes in the middle of the reply", "", (*draft).middle, endCut),
		cutBegun("cut_in_frame", "the connection closes in the middle of a line", "data: {\"id\":\"chatcmpl-1\",\"choices\":[{\"delta\":{\"cont", (*draft).middle, endCut),
		cutBegun("cut_clean", "the stream ends properly in the middle, with neither finish_reason nor [DONE]", "", (*draft).middle, endWhole),
		cutBegun("cut_clean_done", "the stream ends in the middle of a call's arguments with [DONE] and no finish_reason",
			"data: [DONE]\n\n", (*draft).arguments, endWhole).needs("calls"),
		cutBegun("cut_in_arguments", "the connection closes in the middle of a call's arguments", "", (*draft).arguments, endCut).needs("calls"),
		cutBegun("malformed_middle", "a chunk in the middle has broken JSON, the stream goes on to its end without it",
			"data: {\"id\":\"chatcmpl-1\",\"choices\":[{\"del\n\n"+
				"data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"+
				"data: [DONE]\n\n", (*draft).middle, endWhole),
		cutBegun("reset_middle", "the connection is reset in the middle of the reply", "", (*draft).middle, endReset),
		{
			Name: "cut_after_finish", Kind: Right, Doc: "the connection closes behind the finish_reason with no proper end: the reply is complete",
			shape: func(d *draft) {
				d.done = false
				d.breaks = &breaks{whole: true, end: endCut}
			},
		},
		{
			Name: "reset", Kind: Retried, Doc: "the connection is reset instead of an answer",
			refuse: func(*ask) *answer { return &answer{end: endReset} },
		},
		{
			Name: "closed", Kind: Retried, Doc: "the connection closes instead of an answer",
			refuse: func(*ask) *answer { return &answer{end: endCut} },
		},
		idle("idle_start", "no status comes", func(*draft) int { return -1 }),
		idle("idle_header", "behind the status nothing comes", func(*draft) int { return 0 }),
		idle("idle", "in the middle of the reply nothing comes any more", (*draft).middle).begun(),
	}
}

// cut is a stream that ends before its first words.
func cut(name, doc string, after func(*draft) int, end ending) Fault {
	return Fault{
		Name: name, Doc: doc, Kind: Retried,
		shape: func(d *draft) { d.breaks = &breaks{after: min(after(d), len(d.chunks)), end: end} },
		wire:  cutWhole,
	}
}

// cutBegun is a stream that ends behind its first words, with some text at last.
func cutBegun(name, doc, text string, after func(*draft) int, end ending) Fault {
	f := cut(name, doc, after, end).begun()
	f.shape = func(d *draft) { d.breaks = &breaks{after: min(after(d), len(d.chunks)), text: text, end: end} }
	return f
}

// idle is an answer that stops and keeps the connection open. With a release it goes on, and counts as the reply.
func idle(name, doc string, before func(*draft) int) Fault {
	return Fault{
		Name: name, Kind: Retried, Doc: doc + ", until the client goes away or Release",
		shape: func(d *draft) {
			at := before(d)
			if d.whole != nil {
				at = min(at, 0)
			}
			d.breaks = &breaks{whole: true, holds: []int{at}}
		},
	}
}

func (f Fault) begun() Fault {
	f.Begun = true
	return f
}

func (f Fault) needs(what string) Fault {
	f.Needs = what
	return f
}

// arguments is the number of chunks up to the first piece of a call's arguments.
func (d *draft) arguments() int {
	for i, o := range d.chunks {
		calls, _ := deltaOf(o)["tool_calls"].([]any)
		if len(calls) == 0 {
			continue
		}
		call, _ := calls[0].(object)
		function, _ := call["function"].(object)
		if text, _ := function["arguments"].(string); text != "" {
			return i + 1
		}
	}
	return d.middle()
}

// cutWhole cuts an answer in one piece in half; its length promises the rest.
func cutWhole(out *answer) {
	if !out.stream {
		out.pieces[0] = out.pieces[0][:len(out.pieces[0])/2]
		out.sized, out.end = true, endCut
	}
}
