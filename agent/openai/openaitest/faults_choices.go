package openaitest

import "slices"

// choiceFaults send chunks with no choice, or with other things in it than a delta.
func choiceFaults() []Fault {
	return []Fault{
		{
			Name: "choices_empty_first", Kind: Right, Doc: "the first chunk has no choices but prompt_filter_results (Azure; mentat #429)",
			shape: func(d *draft) {
				filter := object{"hate": object{"filtered": false, "severity": "safe"}}
				d.insert(0, object{
					"id": "", "object": "", "created": 0, "model": "", "choices": []any{},
					"prompt_filter_results": []any{object{"prompt_index": 0, "content_filter_results": filter}},
				})
			},
		},
		{
			Name: "choices_empty_last", Kind: Right, Doc: "the last chunk has empty choices and no usage",
			shape: func(d *draft) { d.insert(len(d.chunks), d.envelope("chat.completion.chunk")) },
		},
		{
			Name: "choices_preview", Kind: Right, Doc: "the first chunk has empty choices and a usage that is not the last word (semantic-router #2215)",
			shape: func(d *draft) {
				o := d.envelope("chat.completion.chunk")
				o["usage"] = object{"prompt_tokens": 1, "completion_tokens": 4, "total_tokens": 5}
				d.insert(0, o)
			},
		},
		{
			Name: "choices_null", Kind: Right, Doc: "chunks with choices null stand between the others",
			shape: func(d *draft) { d.between(object{"id": d.id, "choices": nil}) },
		},
		{
			Name: "choices_missing", Kind: Right, Doc: "chunks with no field choices stand between the others (Fireworks; Portkey PR 1727)",
			shape: func(d *draft) { d.between(object{"id": d.id, "object": "chat.completion.chunk"}) },
		},
		{
			Name: "choices_empty_between", Kind: Right, Doc: "chunks with empty choices stand between the others (OmniRoute PR 3400)",
			shape: func(d *draft) { d.between(object{"id": d.id, "choices": []any{}}) },
		},
		{
			Name: "chunk_empty_object", Kind: Right, Doc: "chunks are the empty object between the others",
			shape: func(d *draft) { d.between(object{}) },
		},
		{
			Name: "delta_null", Kind: Right, Doc: "a choice has null for its delta",
			shape: func(d *draft) {
				d.between(object{"choices": []any{object{"index": 0, "delta": nil, "finish_reason": nil}}})
			},
		},
		{
			Name: "delta_missing", Kind: Right, Doc: "a choice has no delta but content_filter_results (Azure's asynchronous filter)",
			shape: func(d *draft) {
				filter := object{"index": 0, "finish_reason": nil, "content_filter_results": object{}, "content_filter_offsets": object{"check_offset": 44}}
				d.between(object{"id": "", "object": "", "created": 0, "model": "", "choices": []any{filter}})
			},
		},
		{
			Name: "delta_empty_300", Kind: Right, Doc: "300 chunks with an empty content come before the first word",
			shape: func(d *draft) {
				for range 300 {
					d.insert(0, object{"choices": []any{object{"index": 0, "delta": object{"content": ""}, "finish_reason": nil}}})
				}
			},
		},
		{
			Name: "role_each", Kind: Right, Doc: "every delta bears the role",
			shape: func(d *draft) { d.each(func(_, said object) { said["role"] = "assistant" }) },
		},
		{
			Name: "role_missing", Kind: Right, Doc: "no delta bears the role, and there is no first chunk for it",
			say:   func(d *draft) { d.form.silent = true },
			shape: func(d *draft) { d.each(func(_, said object) { delete(said, "role") }) },
		},
		{
			Name: "role_empty", Kind: Right, Doc: "deltas bear the empty text for the role (MiniMax-M2.5 #2)",
			shape: func(d *draft) { d.each(func(_, said object) { said["role"] = "" }) },
		},
		{
			Name: "delta_joined", Kind: Right, Needs: "calls", Doc: "text, reasoning and the first piece of a call come in one delta (pi #4228)",
			shape: joinDeltas,
		},
		{
			Name: "index_missing", Kind: Right, Doc: "choices have no index",
			shape: func(d *draft) { d.each(func(choice, _ object) { delete(choice, "index") }) },
		},
		{
			Name: "message_beside_delta", Kind: Right, Needs: "text", Doc: "each choice has beside its delta a message with all that was said so far (Perplexity)",
			shape: func(d *draft) {
				said := ""
				d.each(func(choice, delta object) {
					if d.whole == nil {
						text, _ := delta["content"].(string)
						said += text
						choice["message"] = object{"role": "assistant", "content": said}
					}
				})
			},
		},
		{
			Name: "message_last", Kind: Right, Needs: "text", Doc: "the last chunk has a message with the whole text again instead of a delta (hermes-browser-extension #11)",
			shape: func(d *draft) {
				message := object{"role": "assistant", "content": d.reply.Text, "name": "scripted"}
				d.insert(len(d.chunks), object{"id": d.id, "object": "chat.completion", "choices": []any{
					object{"index": 0, "message": message, "finish_reason": d.finish()},
				}})
			},
		},
		{
			Name: "message_in_stream", Kind: Right, Doc: "the stream has one event, the whole answer with a message instead of deltas",
			shape: func(d *draft) {
				if d.whole == nil {
					ask := *d.ask
					ask.stream = false
					whole := newDraft(d.reply, &ask, d.id)
					whole.make()
					d.chunks = []object{whole.whole}
				}
			},
		},
	}
}

// between puts a chunk before each of the others.
func (d *draft) between(chunk object) {
	if d.whole != nil {
		return
	}
	var out []object
	for _, o := range d.chunks {
		out = append(out, chunk, o)
	}
	d.chunks = out
}

// joinDeltas moves the last deltas of text and reasoning into the first one with a call.
func joinDeltas(d *draft) {
	for i, o := range d.chunks {
		said := deltaOf(o)
		if _, has := said["tool_calls"]; !has {
			continue
		}
		from := i
		for ; from > 1; from-- {
			for field, value := range deltaOf(d.chunks[from-1]) {
				if _, has := said[field]; has {
					d.chunks = slices.Delete(d.chunks, from, i)
					return
				}
				said[field] = value
			}
		}
		d.chunks = slices.Delete(d.chunks, from, i)
		return
	}
}
