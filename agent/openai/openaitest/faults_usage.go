package openaitest

import (
	"encoding/json"
	"fmt"
)

// usageFaults count otherwise than asked.
func usageFaults() []Fault {
	return []Fault{
		{
			Name: "usage_missing", Kind: Right, Doc: "there is no usage, though it was asked for",
			shape: func(d *draft) { d.usageAt(func(o object) { delete(o, "usage") }, false) },
		},
		{
			Name: "usage_each_chunk", Kind: Right, Doc: "every chunk bears a usage that grows (semantic-router PR 2846)",
			shape: func(d *draft) {
				for i, o := range d.chunks {
					if _, has := o["usage"]; !has {
						o["usage"] = object{"prompt_tokens": d.usage["prompt_tokens"], "completion_tokens": min(i, d.usage["completion_tokens"].(int))}
					}
				}
			},
		},
		{
			Name: "usage_null", Kind: Right, Doc: "every chunk but the last bears usage null (OpenAI)",
			shape: func(d *draft) { d.missing(object{"usage": nil}) },
		},
		{
			Name: "usage_with_finish", Kind: Right, Doc: "the usage comes in the chunk with the finish_reason, asked for or not (DeepSeek, OpenRouter)",
			shape: func(d *draft) {
				if d.whole == nil {
					d.usageAt(func(object) {}, true)
					d.chunks[len(d.chunks)-1]["usage"] = d.usage
				}
			},
		},
		{
			Name: "usage_deepseek", Kind: Right, Doc: "cached tokens are counted in prompt_cache_hit_tokens (DeepSeek)",
			shape: func(d *draft) {
				d.usageAt(func(o object) { o["usage"] = cachedIn(d.usage, "prompt_cache_hit_tokens") }, false)
			},
		},
		{
			Name: "usage_moonshot", Kind: Right, Doc: "cached tokens are counted in usage.cached_tokens (Moonshot)",
			shape: func(d *draft) {
				d.usageAt(func(o object) { o["usage"] = cachedIn(d.usage, "cached_tokens") }, false)
			},
		},
		{
			Name: "usage_groq", Kind: Right, Doc: "the usage comes in x_groq.usage of the last chunk (Groq)",
			shape: func(d *draft) {
				if d.whole == nil {
					d.usageAt(func(object) {}, true)
					d.chunks[len(d.chunks)-1]["x_groq"] = object{"id": "req_1", "usage": d.usage}
				}
			},
		},
		{
			Name: "usage_details_null", Kind: Right, Doc: "prompt_tokens_details is null, and counts have a point (SGLang)",
			shape: func(d *draft) {
				d.usageAt(func(o object) {
					o["usage"] = object{
						"prompt_tokens": pointed(d.usage["prompt_tokens"]), "completion_tokens": pointed(d.usage["completion_tokens"]),
						"prompt_tokens_details": nil,
					}
				}, false)
			},
		},
	}
}

// usageAt visits the objects that bear the usage; drop removes chunks that bear nothing else.
func (d *draft) usageAt(visit func(o object), drop bool) {
	kept := d.chunks[:0:0]
	for _, o := range d.objects() {
		_, has := o["usage"]
		if has {
			visit(o)
		}
		if choices, _ := o["choices"].([]any); !has || !drop || len(choices) > 0 {
			kept = append(kept, o)
		}
	}
	if d.whole == nil {
		d.chunks = kept
	}
}

// cachedIn is a usage with the cached tokens in a field of the server's own.
func cachedIn(usage object, field string) object {
	details, _ := usage["prompt_tokens_details"].(object)
	return object{
		"prompt_tokens": usage["prompt_tokens"], "completion_tokens": usage["completion_tokens"], "total_tokens": usage["total_tokens"],
		field: details["cached_tokens"],
	}
}

// pointed writes a whole number with a point.
func pointed(n any) json.RawMessage { return json.RawMessage(fmt.Sprintf("%d.0", n)) }
