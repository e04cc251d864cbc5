package openaitest

import (
	"fmt"
	"regexp"
	"slices"
)

// refusalFaults are 400s that name what the client has to change. A request that does not need the change is served.
func refusalFaults() []Fault {
	return []Fault{
		refusal("refuse_stream_options", "stream_options is not known (old Azure)", func(a *ask) *answer {
			return unknown(a, "stream_options")
		}),
		refusal("refuse_parallel_tool_calls", "parallel_tool_calls is not known", func(a *ask) *answer {
			return unknown(a, "parallel_tool_calls")
		}),
		refusal("refuse_max_tokens", "max_tokens must be max_completion_tokens (OpenAI's reasoning models; vercel/ai #7863)", func(a *ask) *answer {
			return swap(a, "max_tokens", "max_completion_tokens")
		}),
		refusal("refuse_max_completion_tokens", "max_completion_tokens is not known, it must be max_tokens (422 of Mistral)", func(a *ask) *answer {
			return extraForbidden(a, "max_completion_tokens")
		}),
		refusal("refuse_temperature", "temperature is not supported (o1)", func(a *ask) *answer {
			if !a.has("temperature") {
				return nil
			}
			return openAIError(400, "invalid_request_error", "unsupported_parameter", "temperature", "Unsupported parameter: 'temperature' is not supported with this model.")
		}),
		refusal("refuse_temperature_value", "temperature must be left at its default (gpt-5)", func(a *ask) *answer {
			if !a.has("temperature") || fmt.Sprint(a.json["temperature"]) == "1" {
				return nil
			}
			return openAIError(400, "invalid_request_error", "unsupported_value", "temperature",
				fmt.Sprintf("Unsupported value: 'temperature' does not support %v with this model. Only the default (1) value is supported.", a.json["temperature"]))
		}),
		refusal("refuse_unknown_field", "only the oldest fields are known, the first other one is named", func(a *ask) *answer {
			known := []string{"model", "messages", "stream", "tools", "temperature", "max_tokens"}
			for _, field := range sortedFields(a.json) {
				if !slices.Contains(known, field) {
					return unknown(a, field)
				}
			}
			return nil
		}),
		refusal("refuse_extra_forbidden", "stream_options is forbidden, in the shape of FastAPI: 422 with a list of details (Mistral)", func(a *ask) *answer {
			return extraForbidden(a, "stream_options")
		}),
		refusal("refuse_null_content", "content must not be null (Ollama, LM Studio; cheetahclaws PR 72, lmstudio #261)", contentRefusal(func(m object) bool {
			content, has := m["content"]
			return has && content == nil
		}, "invalid message content type: <nil>")),
		refusal("refuse_empty_content", "content must not be the empty text (Bedrock; vercel/ai PR 15378)", contentRefusal(func(m object) bool {
			return m["content"] == ""
		}, "messages: text content blocks must be non-empty")),
		refusal("refuse_omitted_content", "content must be there (vLLM, SGLang)", contentRefusal(func(m object) bool {
			_, has := m["content"]
			return !has
		}, "[{'type': 'missing', 'loc': ('body', 'messages', %d, 'content'), 'msg': 'Field required'}]")),
		refusal("refuse_user_after_tool", "no user message may follow a tool's (Mistral)", func(a *ask) *answer {
			return followRefusal(a, "tool", "user", "Unexpected role 'user' after role 'tool'")
		}),
		refusal("refuse_user_after_user", "user and assistant must take turns (Jinja templates of Gemma and Mistral)", func(a *ask) *answer {
			return followRefusal(a, "user", "user", "Conversation roles must alternate user/assistant/user/assistant/...")
		}),
		refusal("refuse_alternate_500", "roles must alternate but for calls and results, said with status 500 (llama.cpp #19851, picoclaw #207)", alternateRefusal),
		refusal("refuse_developer", "the role developer is not known (PI-Desktop #30, cloudflare-os #154)", roleRefusal("developer",
			"unknown variant `developer`, expected one of `system`, `user`, `assistant`, `tool`")),
		refusal("refuse_system", "the role system is not supported (o1-mini, Gemma's template)", roleRefusal("system",
			"Unsupported value: 'messages[0].role' does not support 'system' with this model.")),
		refusal("refuse_system_500", "the role system is not supported, said with status 500 (Ministral's template; opencode #5034)", func(a *ask) *answer {
			if roleRefusal("system", "")(a) == nil {
				return nil
			}
			return jsonAnswer(500, object{"error": object{
				"code": 500, "message": "Jinja Exception: Only user, assistant and tool roles are supported, got system.", "type": "server_error",
			}})
		}),
		refusal("refuse_tool_ids", "ids of calls must be 9 letters and digits (Mistral; opencode #1680, zed #53034)", toolIDRefusal),
		refusal("refuse_reasoning_field", "a message must not bear reasoning_content or reasoning", func(a *ask) *answer {
			for i, m := range a.messages {
				for _, field := range []string{"reasoning_content", "reasoning", "reasoning_details"} {
					if _, has := m[field]; has {
						return openAIError(400, "invalid_request_error", "", fmt.Sprintf("messages.%d", i),
							fmt.Sprintf("Additional properties are not allowed ('%s' was unexpected) - 'messages.%d'", field, i))
					}
				}
			}
			return nil
		}),
		refusal("refuse_without_reasoning", "reasoning_content must come back with the calls of the same turn (DeepSeek; openagent #2206)", withoutReasoning).needs("reasoning").allowing("reasoning_content"),
		refusal("refuse_stream", "the model must not be streamed from (OpenAI, unverified organisations)", func(a *ask) *answer {
			if !a.stream {
				return nil
			}
			return openAIError(400, "invalid_request_error", "unsupported_value", "stream", "Your organization must be verified to stream this model. Please go to: https://platform.openai.com/settings/organization/general")
		}),
		refusal("refuse_stream_422", "streaming is not supported, said with status 422 (Azure; llama_index #18860)", func(a *ask) *answer {
			if !a.stream {
				return nil
			}
			return jsonAnswer(422, object{"error": object{"code": "OperationParameterInvalid", "message": "Streaming responses are not currently supported"}})
		}),
		refusal("refuse_stream_tools", "tools cannot be had with a stream (old llama.cpp servers)", func(a *ask) *answer {
			if !a.stream || !a.has("tools") {
				return nil
			}
			return jsonAnswer(500, object{"error": object{"code": 500, "message": "Cannot use tools with stream", "type": "server_error"}})
		}),
	}
}

func refusal(name, doc string, refuse func(*ask) *answer) Fault {
	return Fault{Name: name, Kind: Learnt, Doc: doc, refuse: refuse}
}

func (f Fault) allowing(fields ...string) Fault {
	f.allows = fields
	return f
}

func unknown(a *ask, field string) *answer {
	if !a.has(field) {
		return nil
	}
	return openAIError(400, "invalid_request_error", "", "", "Unrecognized request argument supplied: "+field)
}

func extraForbidden(a *ask, field string) *answer {
	if !a.has(field) {
		return nil
	}
	return jsonAnswer(422, object{"detail": []any{object{
		"type": "extra_forbidden", "loc": []any{"body", field}, "msg": "Extra inputs are not permitted", "input": a.json[field],
	}}})
}

func swap(a *ask, old, with string) *answer {
	if !a.has(old) {
		return nil
	}
	return openAIError(400, "invalid_request_error", "unsupported_parameter", old,
		fmt.Sprintf("Unsupported parameter: '%s' is not supported with this model. Use '%s' instead.", old, with))
}

// contentRefusal refuses assistant messages with calls whose content is wrong.
func contentRefusal(wrong func(object) bool, why string) func(*ask) *answer {
	return func(a *ask) *answer {
		for i, m := range a.messages {
			if m["role"] == "assistant" && len(calls(m)) > 0 && wrong(m) {
				return openAIError(400, "invalid_request_error", "", fmt.Sprintf("messages[%d].content", i), fmt.Sprintf("messages[%d].content: %s", i, why))
			}
		}
		return nil
	}
}

func followRefusal(a *ask, before, role, why string) *answer {
	for i, m := range a.messages {
		if i > 0 && m["role"] == role && a.messages[i-1]["role"] == before {
			return jsonAnswer(400, object{"object": "error", "message": why, "type": "invalid_request_message_order", "param": nil, "code": "3230"})
		}
	}
	return nil
}

// alternateRefusal is the rule of Devstral's template: users and answers without calls take turns.
func alternateRefusal(a *ask) *answer {
	turn := 0
	for _, m := range a.messages {
		if m["role"] != "user" && (m["role"] != "assistant" || len(calls(m)) > 0) {
			continue
		}
		if (m["role"] == "user") != (turn%2 == 0) {
			return jsonAnswer(500, object{"error": object{
				"code": 500, "type": "server_error", "message": "Error: Jinja Exception: After the optional system message, " +
					"conversation roles must alternate user and assistant roles except for tool calls and results.",
			}})
		}
		turn++
	}
	return nil
}

func roleRefusal(role, why string) func(*ask) *answer {
	return func(a *ask) *answer {
		for _, m := range a.messages {
			if m["role"] == role {
				return openAIError(400, "invalid_request_error", "unsupported_value", "messages[0].role", why)
			}
		}
		return nil
	}
}

func toolIDRefusal(a *ask) *answer {
	nine := regexp.MustCompile(`^[a-zA-Z0-9]{9}$`)
	for _, m := range a.messages {
		ids := []any{}
		if id, has := m["tool_call_id"]; has {
			ids = append(ids, id)
		}
		for _, c := range calls(m) {
			ids = append(ids, c["id"])
		}
		for _, id := range ids {
			if text, _ := id.(string); !nine.MatchString(text) {
				return jsonAnswer(400, object{
					"object": "error", "type": "invalid_request_error", "param": nil, "code": "3280",
					"message": fmt.Sprintf("Tool call id was %v but must be a-z, A-Z, 0-9, with a length of 9.", id),
				})
			}
		}
	}
	return nil
}

// withoutReasoning refuses calls behind the last user message that came without their reasoning.
func withoutReasoning(a *ask) *answer {
	last := 0
	for i, m := range a.messages {
		if m["role"] == "user" {
			last = i
		}
	}
	for i, m := range a.messages {
		text, _ := m["reasoning_content"].(string)
		if i > last && m["role"] == "assistant" && len(calls(m)) > 0 && text == "" {
			return openAIError(400, "invalid_request_error", "invalid_request_error", "",
				"The reasoning_content in the thinking mode must be passed back to the API.")
		}
	}
	return nil
}
