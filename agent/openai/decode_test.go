package openai

import (
	"encoding/json"
	"testing"

	"github.com/galley-ls/galley/memory"
)

func TestDecodeChunk(t *testing.T) {
	tests := []struct{ name, json, text, reasoning, finish string }{
		{"a text", `{"choices":[{"delta":{"content":"x"}}]}`, "x", "", ""},
		{"null", `{"choices":[{"delta":{"content":null,"tool_calls":null},"finish_reason":null}]}`, "", "", ""},
		{"parts", `{"choices":[{"delta":{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}}]}`, "ab", "", ""},
		{"a part", `{"choices":[{"delta":{"content":{"type":"text","text":"a"}}}]}`, "a", "", ""},
		{"a number", `{"choices":[{"delta":{"content":7}}]}`, "7", "", ""},
		{"numbers for ids", `{"id":7,"created":"x","choices":[{"index":"0","delta":{"content":"x"}}]}`, "x", "", ""},
		{"another choice", `{"choices":[{"index":1,"delta":{"content":"x"}},{"index":0,"delta":{"content":"y"}}]}`, "y", "", ""},
		{"one choice", `{"choices":{"delta":{"content":"x"}}}`, "x", "", ""},
		{"no choices", `{"choices":[],"usage":{"prompt_tokens":1}}`, "", "", ""},
		{"null choices", `{"choices":null}`, "", "", ""},
		{"a null choice", `{"choices":[null,{"delta":null}]}`, "", "", ""},
		{"nothing", `{}`, "", "", ""},
		{"the end", `{"choices":[{"delta":{},"finish_reason":"stop"}]}`, "", "", "stop"},
		{"a refusal", `{"choices":[{"delta":{"content":null,"refusal":"No."}}]}`, "No.", "", ""},
		{"reasoning_content", `{"choices":[{"delta":{"reasoning_content":"r"}}]}`, "", "r", ""},
		{"reasoning", `{"choices":[{"delta":{"reasoning":"r","content":""}}]}`, "", "r", ""},
		{"both", `{"choices":[{"delta":{"reasoning":"r","reasoning_content":"r"}}]}`, "", "r", ""},
		{"details", `{"choices":[{"delta":{"reasoning":"r","reasoning_details":[{"type":"reasoning.text","text":"r"}]}}]}`, "", "r", ""},
		{"details alone", `{"choices":[{"delta":{"reasoning_details":[{"text":"r"},{"summary":"s"},{"type":"reasoning.encrypted","data":"x"}]}}]}`, "", "rs", ""},
		{"thinking parts", `{"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"r"}]},{"type":"text","text":"x"}]}}]}`, "x", "r", ""},
		{"a reasoning part", `{"choices":[{"delta":{"content":[{"type":"reasoning","text":"r"}]}}]}`, "", "r", ""},
		{"a whole reply", `{"choices":[{"message":{"role":"assistant","content":"x","reasoning_content":"r"},"finish_reason":"stop"}]}`, "x", "r", "stop"},
		{"a message beside the delta", `{"choices":[{"delta":{"content":"y"},"message":{"content":"xy"}}]}`, "y", "", ""},
		{"no JSON", `x`, "", "", ""},
	}
	for _, test := range tests {
		c := decodeChunk([]byte(test.json))
		if c.text != test.text || c.reasoning != test.reasoning || c.finish != test.finish {
			t.Errorf("%s: got %q, %q, %q, want %q, %q, %q", test.name, c.text, c.reasoning, c.finish, test.text, test.reasoning, test.finish)
		}
	}
}

func TestUsage(t *testing.T) {
	tests := []struct {
		name, json string
		want       memory.Usage
	}{
		{"OpenAI", `{"prompt_tokens":100,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":64}}`, memory.Usage{Input: 100, Cached: 64, Output: 7}},
		{"DeepSeek", `{"prompt_tokens":100,"completion_tokens":7,"prompt_cache_hit_tokens":64,"prompt_cache_miss_tokens":36}`, memory.Usage{Input: 100, Cached: 64, Output: 7}},
		{"Moonshot", `{"prompt_tokens":100,"completion_tokens":7,"cached_tokens":64}`, memory.Usage{Input: 100, Cached: 64, Output: 7}},
		{"Anthropic", `{"input_tokens":20,"output_tokens":7,"cache_read_input_tokens":64,"cache_creation_input_tokens":16}`, memory.Usage{Input: 100, Cached: 64, Output: 7}},
		{"Anthropic, counted by a proxy", `{"prompt_tokens":100,"completion_tokens":7,"cache_read_input_tokens":64}`, memory.Usage{Input: 100, Cached: 64, Output: 7}},
		{"the newer API", `{"input_tokens":100,"output_tokens":7,"input_tokens_details":{"cached_tokens":64}}`, memory.Usage{Input: 100, Cached: 64, Output: 7}},
		{"texts and points", `{"prompt_tokens":"100","completion_tokens":7.0,"prompt_tokens_details":null}`, memory.Usage{Input: 100, Output: 7}},
		{"nonsense", `{"prompt_tokens":-1,"completion_tokens":1e300}`, memory.Usage{}},
		{"null", `null`, memory.Usage{}},
	}
	for _, test := range tests {
		var u memory.Usage
		if count(&u, json.RawMessage(test.json)); u != test.want {
			t.Errorf("%s: got %+v, want %+v", test.name, u, test.want)
		}
	}
}

func TestUsageGrows(t *testing.T) {
	r := newReader(ask(), defaults(), nil)
	for _, c := range []string{
		`{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":0}}`,
		`{"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":3}}`,
		`{"choices":[{"delta":{},"usage":{"prompt_tokens":100,"completion_tokens":5}}]}`,
		`{"choices":[],"x_groq":{"usage":{"prompt_tokens":100,"completion_tokens":7}}}`,
		`{"choices":[],"usage":{"prompt_tokens":0,"completion_tokens":0}}`,
	} {
		r.take(decodeChunk([]byte(c)))
	}
	if want := (memory.Usage{Input: 100, Output: 7}); r.usage != want {
		t.Errorf("got %+v, want %+v", r.usage, want)
	}
}

func FuzzDecodeChunk(f *testing.F) {
	for _, seed := range []string{
		`{"choices":[{"delta":{"content":[[["x"]]],"tool_calls":[{"index":0,"id":1,"function":{"name":"read","arguments":{"a":1}}}]}}]}`,
		`{"choices":[{"message":{"tool_calls":{"function":{"arguments":null}},"function_call":{"name":"x"}}}],"usage":{"prompt_tokens":"1e3"}}`,
		`{"choices":[{"delta":{"tool_calls":[{"name":"read","arguments":"{}","extra_content":{"a":1}}]}}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		r := newReader(ask(), defaults(), (&told{}).hear)
		r.take(decodeChunk(raw))
		r.take(decodeChunk(raw))
		for _, c := range r.end().Message.ToolCalls {
			if c.ID == "" || c.Name == "" || c.Arguments == "" || len(c.Extra) > 0 && !memory.IsObject(string(c.Extra)) {
				t.Fatalf("got %s", pretty(c))
			}
		}
	})
}
