package openaitest

import "fmt"

// callFaults send tool calls in pieces that do not fit together by the book.
func callFaults() []Fault {
	return []Fault{
		{
			Name: "args_object", Kind: Right, Needs: "calls", Doc: "arguments are an object, not a text (Ollama's own API, several proxies)",
			say: wholeCalls, shape: eachFunction(func(function object) { changeArguments(function, rawArguments) }),
		},
		{
			Name: "args_twice", Kind: Right, Needs: "calls", Doc: "arguments are encoded twice: a text that holds a JSON text that holds the object",
			say: wholeCalls, shape: eachFunction(func(function object) {
				changeArguments(function, func(text string) any { return string(encode(text)) })
			}),
		},
		{
			Name: "args_empty", Kind: Right, Needs: "no arguments", Doc: "a call without arguments has the empty text for them",
			say: wholeCalls, shape: emptyArguments(func(function object) { function["arguments"] = "" }),
		},
		{
			Name: "args_missing", Kind: Right, Needs: "no arguments", Doc: "a call without arguments has no field for them",
			say: wholeCalls, shape: emptyArguments(func(function object) { delete(function, "arguments") }),
		},
		{
			Name: "args_null", Kind: Right, Needs: "no arguments", Doc: "a call without arguments has null for them",
			say: wholeCalls, shape: emptyArguments(func(function object) { function["arguments"] = nil }),
		},
		{
			Name: "args_bytewise", Kind: Right, Needs: "calls", Doc: "arguments come character by character, escapes cut in two",
			say: func(d *draft) { d.reply.Chunk = 1 },
		},
		{
			Name: "args_head_null", Kind: Right, Needs: "calls", Doc: "the head of a call has null for arguments, the pieces follow",
			shape: func(d *draft) {
				d.eachCall(func(_, function object, head bool) {
					if head && d.whole == nil {
						function["arguments"] = nil
					}
				})
			},
		},
		{
			Name: "whole_call", Kind: Right, Needs: "calls", Doc: "each call comes whole in one chunk (Ollama, Gemini, vLLM with some parsers)",
			say: wholeCalls,
		},
		{
			Name: "calls_in_one_chunk", Kind: Right, Needs: "several calls", Doc: "all calls come whole in one and the same chunk (Ollama)",
			say: wholeCalls, shape: joinCalls,
		},
		{
			Name: "calls_mixed", Kind: Right, Needs: "several calls", Doc: "the pieces of several calls come by turns",
			say: func(d *draft) { d.form.mixed = true },
		},
		{
			Name: "missing_index", Kind: Right, Needs: "calls", Doc: "calls come whole and have no index (ollama #7881, openai-python #2806)",
			say: wholeCalls, shape: eachCall(func(call object, _ bool) { delete(call, "index") }),
		},
		{
			Name: "missing_index_pieces", Kind: Right, Needs: "calls",
			Doc:   "calls come in pieces and have no index: a piece without id belongs to the call before (openai-python #3246)",
			shape: eachCall(func(call object, _ bool) { delete(call, "index") }),
		},
		{
			Name: "missing_index_id_each", Kind: Right, Needs: "several calls", Doc: "no index; every piece bears the id of its call, by turns (vercel/ai #5885)",
			say: func(d *draft) { d.form.mixed = true },
			shape: func(d *draft) {
				d.idEach()
				d.eachCall(func(call, _ object, _ bool) { delete(call, "index") })
			},
		},
		{
			Name: "index_null", Kind: Right, Needs: "calls", Doc: "index is null",
			say: wholeCalls, shape: eachCall(func(call object, _ bool) { call["index"] = nil }),
		},
		{
			Name: "index_text", Kind: Right, Needs: "calls", Doc: "index is a text",
			shape: eachCall(func(call object, _ bool) { call["index"] = fmt.Sprint(call["index"]) }),
		},
		{
			Name: "index_zero", Kind: Right, Needs: "several calls", Doc: "index is always 0, the ids differ (ollama #15457, litellm #33678)",
			say: wholeCalls, shape: eachCall(func(call object, _ bool) { call["index"] = 0 }),
		},
		{
			Name: "index_zero_pieces", Kind: Right, Needs: "several calls", Doc: "index is always 0 and the arguments come in pieces: a new id begins a call",
			shape: eachCall(func(call object, _ bool) { call["index"] = 0 }),
		},
		{
			Name: "index_drifts", Kind: Right, Needs: "several calls", Doc: "the head of each call has index 0, its pieces the right one (agno #8879)",
			shape: eachCall(func(call object, head bool) {
				if head {
					call["index"] = 0
				}
			}),
		},
		{
			Name: "index_gap", Kind: Right, Needs: "calls", Doc: "indexes start at 3 and leave gaps",
			shape: eachCall(func(call object, _ bool) {
				if i, ok := call["index"].(int); ok {
					call["index"] = 3 + 2*i
				}
			}),
		},
		{
			Name: "no_id", Kind: Right, Needs: "calls", NoIDs: true, Doc: "calls have no id (continue #13225)",
			shape: eachCall(func(call object, _ bool) { delete(call, "id") }),
		},
		{
			Name: "no_id_no_index", Kind: Right, Needs: "several calls", NoIDs: true, Doc: "calls come whole, with neither id nor index",
			say: wholeCalls, shape: eachCall(func(call object, _ bool) {
				delete(call, "id")
				delete(call, "index")
			}),
		},
		{
			Name: "id_empty", Kind: Right, Needs: "calls", NoIDs: true, Doc: "the id of every call is the empty text",
			shape: eachCall(func(call object, _ bool) { call["id"] = "" }),
		},
		{
			Name: "id_empty_later", Kind: Right, Needs: "calls", Doc: "pieces behind the head have the empty text for id, name and type (DashScope, vLLM)",
			shape: func(d *draft) {
				d.eachCall(func(call, function object, head bool) {
					if !head {
						call["id"], call["type"], function["name"] = "", "", ""
					}
				})
			},
		},
		{
			Name: "id_null_later", Kind: Right, Needs: "calls", Doc: "pieces behind the head have null for id, name and type",
			shape: func(d *draft) {
				d.eachCall(func(call, function object, head bool) {
					if !head {
						call["id"], call["type"], function["name"] = nil, nil, nil
					}
				})
			},
		},
		{
			Name: "id_each", Kind: Right, Needs: "calls", Doc: "every piece bears the id of its call (codex #7517)",
			shape: func(d *draft) { d.idEach() },
		},
		{
			Name: "id_number", Kind: Right, Needs: "calls", NoIDs: true, Doc: "the id of a call is a number",
			say: wholeCalls, shape: func(d *draft) {
				n := 0
				d.eachCall(func(call, _ object, _ bool) { n++; call["id"] = n })
			},
		},
		{
			Name: "id_same", Kind: Right, Needs: "several calls", NoIDs: true, Doc: "all calls of a reply have the same id, their indexes differ",
			say: wholeCalls, shape: eachCall(func(call object, _ bool) { call["id"] = "call_same" }),
		},
		{
			Name: "id_again", Kind: Right, Needs: "calls", NoIDs: true, Doc: "ids start at call_0 again in every reply, so they come twice in a conversation",
			say: func(d *draft) {
				for i := range d.reply.Calls {
					d.reply.Calls[i].ID = fmt.Sprintf("call_%d", i)
				}
			},
		},
		{
			Name: "name_repeated", Kind: Right, Needs: "calls", Doc: "every piece bears the name of its call (llama.cpp PR 12379)",
			shape: func(d *draft) {
				name := ""
				d.eachCall(func(_, function object, head bool) {
					if head {
						name, _ = function["name"].(string)
					}
					function["name"] = name
				})
			},
		},
		{
			Name: "head_repeated", Kind: Right, Needs: "calls", Doc: "the last piece of a call repeats id, type and name, and bears the finish_reason (vllm #44098)",
			shape: repeatHeads,
		},
		{
			Name: "name_late", Kind: Right, Needs: "calls", Doc: "the name comes in a piece behind the first ones of the arguments (vercel/ai #5885)",
			shape: lateNames,
		},
		{
			Name: "type_missing", Kind: Right, Needs: "calls", Doc: "calls have no type",
			shape: eachCall(func(call object, _ bool) { delete(call, "type") }),
		},
		{
			Name: "calls_empty", Kind: Right, Needs: "text", Doc: "chunks of text bear an empty list of tool_calls",
			shape: func(d *draft) {
				d.each(func(_, said object) {
					if _, has := said["tool_calls"]; !has {
						said["tool_calls"] = []any{}
					}
				})
			},
		},
		{
			Name: "thought_signature", Kind: Right, Needs: "calls",
			Doc: "the first call bears extra_content.google.thought_signature, which must come back with it (Gemini; openhuman #3548)",
			say: func(d *draft) {
				if len(d.reply.Calls) > 0 {
					d.reply.Calls[0].Extra = []byte(`{"extra_content":{"google":{"thought_signature":"EpwCCpkCAXLI2nx/+a=="}}}`)
				}
			},
		},
	}
}
