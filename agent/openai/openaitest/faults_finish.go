package openaitest

// finishFaults end a reply with another word than the right one. Whether there is more to do is seen from the calls.
func finishFaults() []Fault {
	return []Fault{
		{
			Name: "no_finish", Kind: Right, Doc: "no chunk has a finish_reason, [DONE] comes",
			shape: func(d *draft) { d.finishes(func(choice object) { choice["finish_reason"] = nil }) },
		},
		{
			Name: "finish_missing", Kind: Right, Doc: "no choice has the field finish_reason",
			shape: func(d *draft) { d.each(func(choice, _ object) { delete(choice, "finish_reason") }) },
		},
		{Name: "finish_unknown", Kind: Right, Doc: "the finish_reason is a word of the server's own (OmniRoute #7800)", say: finishAs("end_turn")},
		{Name: "finish_eos", Kind: Right, Doc: "the finish_reason is eos", say: finishAs("eos")},
		{Name: "finish_error", Kind: Right, Doc: "the finish_reason is error, though the reply is complete (OmniRoute #7800)", say: finishAs("error")},
		{
			Name: "finish_stop_with_calls", Kind: Right, Needs: "calls", say: finishAs("stop"),
			Doc: "the finish_reason is stop, though there are calls (opencode #14972 and #20719, ollama PR 5995, OVMS #3927)",
		},
		{
			Name: "finish_calls_without", Kind: Right, Needs: "text", say: finishAs("tool_calls"),
			Doc: "the finish_reason is tool_calls, and there are none (mastra PR 14187)",
		},
		{Name: "finish_function_call", Kind: Right, Needs: "calls", Doc: "the finish_reason is the old function_call", say: finishAs("function_call")},
		{
			Name: "finish_empty", Kind: Right, Doc: "the finish_reason of chunks before the last is the empty text, not null",
			shape: func(d *draft) {
				d.each(func(choice, _ object) {
					if choice["finish_reason"] == nil {
						choice["finish_reason"] = ""
					}
				})
			},
		},
		{
			Name: "finish_each", Kind: Right, Doc: "every chunk has the finish_reason",
			shape: func(d *draft) { d.each(func(choice, _ object) { choice["finish_reason"] = d.finish() }) },
		},
		{
			Name: "finish_twice", Kind: Right, Doc: "the chunk with the finish_reason comes twice (LM Studio; openclaude PR 21)",
			shape: func(d *draft) {
				for i, o := range d.chunks {
					if choices, _ := o["choices"].([]any); len(choices) > 0 && choices[0].(object)["finish_reason"] != nil {
						d.insert(i, o)
						return
					}
				}
			},
		},
		{
			Name: "finish_with_content", Kind: Right, Doc: "the finish_reason comes with the last piece of the reply, not behind it",
			shape: func(d *draft) { d.finishWithContent() },
		},
		{
			Name: "finish_early", Kind: Right, Doc: "a chunk with finish_reason stop comes before the rest of the reply",
			shape: func(d *draft) {
				if len(d.chunks) > 1 {
					d.insert(1, object{"choices": []any{object{"index": 0, "delta": object{}, "finish_reason": "stop"}}})
				}
			},
		},
		{Name: "length", Kind: Right, End: "length", Doc: "the reply was cut off by the limit of tokens: finish_reason length", say: finishAs("length")},
		{Name: "content_filter", Kind: Right, End: "content_filter", Doc: "the reply was stopped by a filter: finish_reason content_filter", say: finishAs("content_filter")},
	}
}

func finishAs(word string) func(*draft) { return func(d *draft) { d.reply.Finish = word } }

// finishes visits the choices that have a finish_reason.
func (d *draft) finishes(visit func(choice object)) {
	d.each(func(choice, _ object) {
		if choice["finish_reason"] != nil {
			visit(choice)
		}
	})
}

// insert puts a chunk before the one with that number.
func (d *draft) insert(at int, chunk object) {
	if d.whole == nil {
		d.chunks = append(d.chunks[:at:at], append([]object{chunk}, d.chunks[at:]...)...)
	}
}

// finishWithContent moves the finish_reason to the chunk before, and drops its own.
func (d *draft) finishWithContent() {
	for i, o := range d.chunks {
		choices, _ := o["choices"].([]any)
		if len(choices) == 0 || i == 0 {
			continue
		}
		choice, _ := choices[0].(object)
		if reason := choice["finish_reason"]; reason != nil {
			before, _ := d.chunks[i-1]["choices"].([]any)
			before[0].(object)["finish_reason"] = reason
			d.chunks = append(d.chunks[:i:i], d.chunks[i+1:]...)
			return
		}
	}
}
