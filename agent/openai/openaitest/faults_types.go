package openaitest

import "strings"

// typeFaults send the right things in shapes that a strict decoder loses.
func typeFaults() []Fault {
	return []Fault{
		{
			Name: "content_array", Kind: Right, Needs: "text", Doc: "content is a list of text parts (Mistral)",
			shape: func(d *draft) {
				d.texts(func(text string) any { return []any{object{"type": "text", "text": text}} })
			},
		},
		{
			Name: "content_thinking_parts", Kind: Right, Needs: "reasoning",
			Doc: "content is a list of parts, the reasoning among them as {type: thinking} (Mistral's magistral)",
			shape: func(d *draft) {
				d.each(func(_, said object) {
					if text, ok := said["reasoning_content"].(string); ok {
						delete(said, "reasoning_content")
						part := object{"type": "thinking", "thinking": []any{object{"type": "text", "text": text}}}
						said["content"] = append([]any{part}, textParts(said["content"])...)
					}
				})
			},
		},
		{
			Name: "numeric_id", Kind: Right, Doc: "id is a number, created a text",
			shape: func(d *draft) { d.tops(object{"id": 7, "created": "1767225600"}) },
		},
		{
			Name: "created_float", Kind: Right, Doc: "created is a number with a point, and the model is null",
			shape: func(d *draft) { d.tops(object{"created": 1767225600.25, "model": nil}) },
		},
		{
			Name: "envelope_missing", Kind: Right, Doc: "there are neither id, object, created nor model",
			shape: func(d *draft) {
				for _, o := range d.objects() {
					for _, field := range []string{"id", "object", "created", "model"} {
						delete(o, field)
					}
				}
			},
		},
		{
			Name: "unknown_fields", Kind: Right, Doc: "every object has fields that no client knows (OpenAI's obfuscation, vLLM's token_ids)",
			shape: func(d *draft) {
				d.tops(object{"obfuscation": "kQ9x", "provider": "Scripted", "x_timings": object{"predicted_ms": 1.5}})
				d.each(func(choice, said object) {
					choice["token_ids"], choice["stop_reason"], choice["matched_stop"] = []any{1, 2}, nil, 151645
					said["annotations"], said["audio"], said["function_call"], said["refusal"] = []any{}, nil, nil, nil
				})
			},
		},
		{
			Name: "nulls", Kind: Right, Doc: "what a chunk does not have is null: content, tool_calls, reasoning, usage, logprobs (vLLM, SGLang)",
			shape: func(d *draft) {
				d.missing(object{"usage": nil, "system_fingerprint": nil})
				d.each(func(choice, said object) {
					choice["logprobs"] = nil
					for _, field := range []string{"role", "content", "tool_calls", "reasoning_content", "reasoning", "refusal"} {
						if _, has := said[field]; !has {
							said[field] = nil
						}
					}
				})
			},
		},
		{
			Name: "error_null", Kind: Right, Doc: `every object bears "error": null, which is no error`,
			shape: func(d *draft) { d.tops(object{"error": nil}) },
		},
		{
			Name: "long_line", Kind: Right, Doc: "one line is 300 kB long, more than a scanner's buffer",
			shape: func(d *draft) {
				objects := d.objects()
				objects[len(objects)/2]["system_fingerprint"] = strings.Repeat("x", 300_000)
			},
		},
		{
			Name: "refusal", Kind: Right, Needs: "text", Doc: "the text comes in the field refusal, content is null (OpenAI's safety refusals)",
			shape: func(d *draft) {
				d.each(func(_, said object) {
					if text, ok := said["content"].(string); ok && text != "" {
						said["content"], said["refusal"] = nil, text
					}
				})
			},
		},
	}
}

// texts changes every text of a content.
func (d *draft) texts(change func(string) any) {
	d.each(func(_, said object) {
		if text, ok := said["content"].(string); ok {
			said["content"] = change(text)
		}
	})
}

// tops sets fields of all objects.
func (d *draft) tops(fields object) {
	for _, o := range d.objects() {
		for field, value := range fields {
			o[field] = value
		}
	}
}

// missing sets fields of all objects that do not have them.
func (d *draft) missing(fields object) {
	for _, o := range d.objects() {
		for field, value := range fields {
			if _, has := o[field]; !has {
				o[field] = value
			}
		}
	}
}

// textParts makes parts of a content.
func textParts(content any) []any {
	if text, ok := content.(string); ok && text != "" {
		return []any{object{"type": "text", "text": text}}
	}
	return nil
}
