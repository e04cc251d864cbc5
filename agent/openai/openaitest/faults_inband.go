package openaitest

import "strings"

// The errors that come inside of a stream which began well.
const (
	serverSays = "The server had an error while processing your request"
	routerSays = "Provider returned error: worker local total request limit reached"
)

// inBandFaults say inside of a stream that something went wrong. Asked without stream, the answer is 200 with the error.
func inBandFaults() []Fault {
	plain := object{"error": object{"message": serverSays, "type": "server_error", "param": nil, "code": "server_error"}}
	router := object{"error": object{"code": 502, "message": routerSays, "metadata": object{"provider_name": "Scripted"}}}
	text := string(encode(plain))
	return []Fault{
		inBand("error_frame", `data: {"error": {…}} instead of a chunk`, "data: "+text+"\n\n"),
		inBand("error_frame_spaced", `an error frame whose JSON starts with a space: data: { "error" : …}`,
			`data: { "error" : {"message":"`+serverSays+`","code":500}}`+"\n\n"),
		inBand("error_frame_last_key", "an error frame whose error is not the first field",
			`data: {"id":"x","choices":null,"error":{"message":"`+serverSays+`","code":"502"}}`+"\n\n"),
		inBand("error_event", "event: error, with the error as data (goose PR 8027, openhuman PR 3588)", "event: error\ndata: "+text+"\n\n"),
		inBand("error_event_bare", "event: error, whose data is message and code without an error around them",
			"event: error\n"+`data: {"message":"`+serverSays+`","code":500}`+"\n\n"),
		inBand("error_chunk", "a chunk with a top-level error and finish_reason error (OpenRouter; local-operator PR 223)",
			"data: "+string(encode(object{
				"id": "gen-1", "object": "chat.completion.chunk", "created": 1767225600, "model": "m", "provider": "Scripted", "error": router["error"],
				"choices": []any{object{"index": 0, "delta": object{"role": "assistant", "content": ""}, "finish_reason": "error"}},
			}))+"\n\n"),
		inBand("error_chunk_empty", "a chunk with a top-level error and empty choices (OpenRouter; OmniRoute PR 8210)",
			"data: "+string(encode(object{
				"id": "gen-1", "object": "chat.completion.chunk", "choices": []any{}, "error": router["error"],
			}))+"\n\n"),
		inBand("error_string", `data: {"error": "text"}`, `data: {"error":"`+serverSays+`"}`+"\n\n"),
		inBand("error_field", "a line error: {…} without data (llama.cpp)",
			`error: {"code":500,"message":"`+serverSays+`","type":"server_error"}`+"\n\n"),
		inBand("error_bare_line", "a bare line of JSON without data: (Ollama; litellm PR 39748)", text+"\n"),
		inBand("error_object", `data: {"object": "error", "message": …} (vLLM)`,
			`data: {"object":"error","message":"`+serverSays+`","type":"InternalServerError","param":null,"code":500}`+"\n\n"),
		inBand("error_message", `data: {"error_message": …, "choices": null} (DeepInfra; hermes-agent #65631)`,
			`data: {"choices":null,"error_message":"`+serverSays+`","error_type":"server_error"}`+"\n\n"),
		inBand("error_detail", `data: {"detail": …} (FastAPI)`, `data: {"detail":"`+serverSays+`"}`+"\n\n"),
		inBandBegun("error_middle", "an error frame behind the first words", "data: "+text+"\n\n"),
		inBandBegun("error_chunk_middle", "OpenRouter's error chunk behind the first words", "data: "+string(encode(object{
			"id": "gen-1", "object": "chat.completion.chunk", "error": router["error"],
			"choices": []any{object{"index": 0, "delta": object{"content": ""}, "finish_reason": "error"}},
		}))+"\n\n"),
		inBand("malformed_chunk", "a chunk whose JSON breaks off comes first, and nothing behind it", "data: {\"id\":\"chatcmpl-1\",\"choices\":[{\"delta\":{\"cont\n\n"),
		inBand("done_only", "the stream has nothing but [DONE] (llama.cpp; hermes-agent #65631)", ""),
		{
			Name: "error_auth_frame", Kind: Failing, Doc: "an error frame that no other try mends: the key is wrong",
			shape: func(d *draft) { d.fail(0, "data: {\"error\":{\"message\":\"Invalid API key\",\"code\":401}}\n\n") },
		},
		{
			Name: "error_json_200", Kind: Retried, Doc: "200 with an error as JSON instead of a stream",
			refuse: func(*ask) *answer { return jsonAnswer(200, plain) },
		},
		{
			Name: "json_200", Kind: Failing, Doc: "200 with JSON of another service",
			refuse: func(*ask) *answer { return jsonAnswer(200, object{"status": "ok", "version": "1.4"}) },
		},
		{
			Name: "html_200", Kind: Failing, Doc: "200 with the HTML of a portal or a web interface",
			refuse: func(*ask) *answer {
				return textAnswer(200, "text/html; charset=utf-8", "<!doctype html>\n<html><head><title>Sign in to Wi-Fi</title></head><body>Welcome</body></html>\n")
			},
		},
		{
			Name: "empty_200", Kind: Retried, Doc: "200 with no byte",
			refuse: func(*ask) *answer { return textAnswer(200, "text/event-stream", "") },
		},
		{
			Name: "status_204", Kind: Failing, Doc: "204, which has no body",
			refuse: func(*ask) *answer { return &answer{status: 204, header: map[string][]string{}} },
		},
	}
}

// inBand is an error that comes instead of the first chunk.
func inBand(name, doc, text string) Fault {
	return Fault{Name: name, Doc: doc, Kind: Retried, shape: func(d *draft) { d.fail(0, text) }}
}

// inBandBegun is an error that comes behind the first words.
func inBandBegun(name, doc, text string) Fault {
	return Fault{Name: name, Doc: doc, Kind: Retried, Begun: true, shape: func(d *draft) { d.fail(d.middle(), text) }}
}

// fail ends the stream with some text instead of the rest of its chunks.
func (d *draft) fail(after int, text string) {
	if d.whole != nil {
		d.whole = object{"error": object{"message": serverSays, "type": "server_error", "code": 500}}
		if said := decodeObject([]byte(strings.TrimPrefix(text, "data: "))); said != nil && said["choices"] == nil {
			d.whole = said
		}
		return
	}
	d.breaks = &breaks{after: after, text: text, done: text == "" || after == 0 && strings.Contains(text, "provider_name")}
}
