package settings

import "time"

// profileRows are the switches of model.profile: how a server differs from what is usual. What is not set is known from
// the table of servers, or learnt from a refusal.
func profileRows() []Row {
	const most = 24 * time.Hour
	row := func(key string, kind Kind, doc string, words ...string) Row {
		r := Row{Name: profileGroup + "." + key, Kind: kind, Words: words, Doc: doc, guard: never}
		if kind == Number {
			r.Max = tokensMost
		}
		if kind == Duration {
			r.Min, r.Max = float64(time.Second), float64(most)
		}
		return r
	}
	return []Row{
		row("api", Word, "the shape of the addresses: openai, or azure with its deployments", "openai", "azure"),
		row("api_version", Text, "the api-version that Azure wants"),
		row("headers", Headers, "further headers of each request"),
		row("max_tokens_field", Word, "what the limit of a reply is called", "max_tokens", "max_completion_tokens", "none"),
		row("max_output", Number, "the largest limit of a reply that the server takes, in tokens"),
		row("temperature", Flag, "whether a temperature is sent"),
		row("system_role", Word, "the role of the system prompt", "system", "developer", "user"),
		row("tool_only_content", Word, "the content of a reply that only calls tools: \"\", null, or none", "empty", "null", "omit"),
		row("stream", Flag, "whether replies are streamed"),
		row("stream_usage", Flag, "whether the count of tokens is asked for with a stream"),
		row("parallel_tool_calls", Flag, "sent as parallel_tool_calls; not set: not sent"),
		row("echo_reasoning", Word, "under which name a model's thoughts go back to it", "off", "reasoning_content", "reasoning"),
		row("echo_scope", Word, "which thoughts go back: since your last prompt, or all", "loop", "all"),
		row("strict_turns", Flag, "no message of the user stands behind a tool's result"),
		row("tool_ids", Word, "which ids of calls the server takes: any, or nine letters and digits", "any", "alnum9"),
		row("text_tool_calls", Word, "calls that the model wrote as text: made, asked for again, or left as text", "promote", "reprompt", "off"),
		row("thinking", Word, "where thoughts stand in the text: between tags, open from the start, or nowhere", "tags", "open", "off"),
		row("omit_fields", Texts, "fields that the server refuses"),
		row("extra_body", Object, "further fields of each request; null takes one out"),
		row("context_window", Number, "as model.context_window"),
		row("first_byte_timeout", Duration, "how long the first byte of a reply is waited for"),
		row("idle_timeout", Duration, "how long a stream may be silent"),
	}
}
