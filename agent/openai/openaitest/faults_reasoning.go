package openaitest

// reasoningFaults send what the model thinks elsewhere than in reasoning_content, which is the plain way here.
func reasoningFaults() []Fault {
	return []Fault{
		{
			Name: "reasoning_openrouter", Kind: Right, Needs: "reasoning", Doc: "reasoning comes in the field reasoning (OpenRouter, Ollama, vLLM from 0.19.1 on)",
			shape: reasoningAs("reasoning"),
		},
		{
			Name: "reasoning_both", Kind: Right, Needs: "reasoning", Doc: "reasoning comes in reasoning and in reasoning_content, the same text twice",
			shape: reasoningAs("reasoning", "reasoning_content"),
		},
		{
			Name: "reasoning_details", Kind: Right, Needs: "reasoning", Doc: "reasoning comes in reasoning and in the list reasoning_details, the same text twice (OpenRouter)",
			shape: reasoningAs("reasoning", "reasoning_details"),
		},
		{
			Name: "reasoning_details_only", Kind: Right, Needs: "reasoning", Doc: "reasoning comes in the list reasoning_details alone",
			shape: reasoningAs("reasoning_details"),
		},
		{
			Name: "think_tags", Kind: Right, Needs: "reasoning", Doc: "reasoning comes in the content, as <think>…</think> before the answer",
			say: func(d *draft) { d.think("<think>\n", "\n</think>\n\n") },
		},
		{
			Name: "think_no_opener", Kind: Right, Needs: "reasoning",
			Doc: "reasoning comes in the content and ends with </think>, the opener stood in the prompt (DeepSeek R1, Qwen3 thinking)",
			say: func(d *draft) { d.think("", "\n</think>\n\n") },
		},
		{
			Name: "think_split", Kind: Right, Needs: "reasoning", Doc: "as think_tags, with the tags cut over several chunks",
			say: func(d *draft) {
				d.think("<think>", "</think>")
				d.reply.Chunk = 3
			},
		},
		{
			Name: "think_empty", Kind: Right, Needs: "text alone", Doc: "the content starts with an empty <think> block (Qwen3 with thinking off)",
			say: func(d *draft) {
				if d.reply.Text != "" {
					d.reply.Text = "<think>\n\n</think>\n\n" + d.reply.Text
				}
			},
		},
	}
}

// reasoningAs sends the reasoning in these fields.
func reasoningAs(fields ...string) func(*draft) {
	return func(d *draft) {
		d.each(func(_, said object) {
			text, ok := said["reasoning_content"].(string)
			if !ok {
				return
			}
			delete(said, "reasoning_content")
			for _, field := range fields {
				said[field] = text
				if field == "reasoning_details" {
					said[field] = []any{object{"type": "reasoning.text", "text": text, "format": "unknown", "index": 0}}
				}
			}
		})
	}
}

// think moves the reasoning into the text.
func (d *draft) think(open, closing string) {
	if d.reply.Reasoning != "" {
		d.reply.Text = open + d.reply.Reasoning + closing + d.reply.Text
		d.reply.Reasoning = ""
	}
}
