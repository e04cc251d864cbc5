package openaitest

import "strings"

// tooLongFaults say that the request does not fit into the context window, each in a server's own words.
func tooLongFaults() []Fault {
	said := func(name string, limit, status int, doc string, body object) Fault {
		f := Fault{Name: name, Kind: Failing, Doc: "the request is too long for the context window, in the words of " + doc, Limit: limit}
		f.refuse = func(*ask) *answer { return jsonAnswer(status, body) }
		return f
	}
	return []Fault{
		said("too_long", 8192, 400, "OpenAI", object{"error": object{
			"message": "This model's maximum context length is 8192 tokens. However, your messages resulted in 9117 tokens (8093 in the messages, 1024 in the functions). Please reduce the length of the messages or functions.",
			"type":    "invalid_request_error", "param": "messages", "code": "context_length_exceeded",
		}}),
		said("too_long_vllm", 32768, 400, "vLLM", object{
			"object": "error", "message": "This model's maximum context length is 32768 tokens. However, you requested 40960 tokens (36864 in the messages, 4096 in the completion). Please reduce the length of the messages or completion.",
			"type": "BadRequestError", "param": nil, "code": 400,
		}),
		said("too_long_llamacpp", 4096, 400, "llama.cpp", object{"error": object{
			"code": 400, "message": "the request exceeds the available context size, try increasing it", "type": "exceed_context_size_error",
			"n_prompt_tokens": 5021, "n_ctx": 4096,
		}}),
		said("too_long_lmstudio", 4096, 400, "LM Studio", object{
			"error": "Trying to keep the first 5021 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input",
		}),
		said("too_long_mistral", 32768, 400, "Mistral", object{
			"object": "error", "message": "Prompt contains 40001 tokens and 0 draft tokens, too large for model with 32768 maximum context length", "type": "invalid_request_prompt", "param": nil, "code": "3051",
		}),
		said("too_long_gemini", 1048576, 400, "Gemini", object{"error": object{
			"code": 400, "message": "The input token count (1200001) exceeds the maximum number of tokens allowed (1048576).", "status": "INVALID_ARGUMENT",
		}}),
		said("too_long_anthropic", 200000, 400, "Anthropic behind a proxy", object{"type": "error", "error": object{
			"type": "invalid_request_error", "message": "prompt is too long: 200141 tokens > 200000 maximum",
		}}),
		said("too_long_openrouter", 131072, 400, "OpenRouter", object{"error": object{
			"message": "This endpoint's maximum context length is 131072 tokens. However, you requested about 150000 tokens (145904 of text input, 4096 in the output). Please reduce the length of either one.", "code": 400,
		}}),
		said("too_long_tgi", 4096, 422, "Hugging Face's text-generation-inference, with status 422", object{
			"error": "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5021 `inputs` tokens and 512 `max_new_tokens`", "error_type": "validation",
		}),
		said("too_long_llamacpp_old", 0, 400, "older llama.cpp servers, which name no limit", object{"error": object{
			"code": 400, "message": "the request exceeds the available context size. try increasing the context size or enable context shift", "type": "invalid_request_error",
		}}),
		said("too_long_groq", 0, 413, "Groq, whose limit is one of tokens a minute", object{"error": object{
			"message": "Request too large for model `scripted` on tokens per minute (TPM): Limit 6000, Requested 7241, please reduce your message size and try again.",
			"type":    "tokens", "code": "rate_limit_exceeded",
		}}),
		{
			Name: "too_long_413", Kind: Failing, Doc: "413 with nginx's page: the body is larger than a proxy takes",
			refuse: func(*ask) *answer { return nginx(413, "Request Entity Too Large") },
		},
		{
			Name: "too_long_stream", Kind: Failing, Limit: 4096, Doc: "the request is too long, said in an error frame of the stream (llama.cpp; hermes-agent #65631)",
			shape: func(d *draft) {
				d.fail(0, strings.TrimSpace(`data: {"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":5021,"n_ctx":4096}}`)+"\n\n")
			},
		},
	}
}
