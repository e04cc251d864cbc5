package openai

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/galley-ls/galley/agent/model"
	"pgregory.net/rapid"

	"github.com/galley-ls/galley/memory"
)

// written are texts that are calls: what comes of them as name and arguments, and the prose before.
var written = []struct{ name, text, prose, calls string }{
	{"tool_call", "I look.\n<tool_call>\n{\"name\": \"read\", \"arguments\": {\"file\": \"a\"}}\n</tool_call>", "I look.", `read {"file": "a"}`},
	{"several", "<tool_call>{\"name\":\"read\",\"arguments\":{}}</tool_call>\n<tool_call>{\"name\":\"list_files\"}</tool_call>", "", `read {}; list_files {}`},
	{"no end", "<tool_call>\n{\"name\": \"read\", \"arguments\": {\"file\": \"a\"}}", "", `read {"file": "a"}`},
	{"the end of the template", "<tool_call>{\"name\":\"read\",\"arguments\":{}}</tool_call><|im_end|>\n", "", `read {}`},
	{"a tag in the arguments", "<tool_call>{\"name\":\"read\",\"arguments\":{\"file\":\"</tool_call>\"}}</tool_call>", "", `read {"file":"</tool_call>"}`},
	{"behind a sentence", "I look.<tool_call>{\"name\":\"read\",\"arguments\":{}}</tool_call>", "I look.", `read {}`},
	{"parameters", "<tool_call>{\"name\":\"read\",\"parameters\":{\"file\":\"a\"}}</tool_call>", "", `read {"file":"a"}`},
	{"arguments as a text", "<tool_call>{\"name\":\"read\",\"arguments\":\"{\\\"file\\\":\\\"a\\\"}\"}</tool_call>", "", `read {"file":"a"}`},
	{"the API's shape", "<tool_call>{\"type\":\"function\",\"function\":{\"name\":\"read\",\"arguments\":{}}}</tool_call>", "", `read {}`},
	{"GLM", "<tool_call>read\n<arg_key>file</arg_key>\n<arg_value>a</arg_value>\n<arg_key>count</arg_key>\n<arg_value>3</arg_value>\n</tool_call>", "", `read {"file":"a","count":3}`},
	{"GLM, no arguments", "<tool_call>list_files\n</tool_call>", "", `list_files {}`},

	{"function", "<function=read>\n<parameter=file>\na\nb\n</parameter>\n<parameter=lines>\n[1, 2]\n</parameter>\n</function>", "", `read {"file":"a\nb","lines":[1, 2]}`},
	{"function in tool_call", "Now.\n<tool_call>\n<function=read>\n<parameter=file>\n7\n</parameter>\n</function>\n</tool_call>", "Now.", `read {"file":"7"}`},
	{"function with JSON", "<function=read>{\"file\": \"a\"}</function>", "", `read {"file": "a"}`},
	{"function, none", "<function=list_files>\n</function>", "", `list_files {}`},
	{"function that speaks of its end", "<function=read>\n<parameter=file>\n</parameter> and </function>\n</parameter>\n</function>", "", `read {"file":"</parameter> and </function>"}`},
	{"a value that is no number", "<function=read><parameter=count>many</parameter></function>", "", `read {"count":"many"}`},
	{"an unknown parameter", "<function=read><parameter=x>1</parameter></function>", "", `read {"x":"1"}`},

	{"invoke", "<function_calls>\n<invoke name=\"read\">\n<parameter name=\"file\">a < b</parameter>\n</invoke>\n</function_calls>", "", `read {"file":"a < b"}`},
	{"invoke, with a type", "<invoke name=\"read\"><parameter name=\"count\" string=\"false\">3</parameter></invoke>", "", `read {"count":3}`},
	{"MiniMax", "<minimax:tool_call>\n<invoke name=\"read\">\n<parameter name=\"file\">a</parameter>\n</invoke>\n</minimax:tool_call>", "", `read {"file":"a"}`},

	{"fenced", "I look:\n```json\n{\"name\": \"read\", \"arguments\": {\"file\": \"a\"}}\n```", "I look:", `read {"file": "a"}`},
	{"fenced, open", "```\n{\"name\": \"read\", \"arguments\": {}}", "", `read {}`},
	{"fenced, a list", "```json\n[{\"name\":\"read\",\"arguments\":{}},{\"name\":\"list_files\",\"arguments\":{}}]\n```\n", "", `read {}; list_files {}`},
	{"two fences", "```json\n{\"name\":\"read\",\"arguments\":{}}\n```\n```json\n{\"name\":\"list_files\",\"arguments\":{}}\n```", "", `read {}; list_files {}`},
	{"fenced tags", "```xml\n<function=read>\n<parameter=file>\n```\nx\n```\n</parameter>\n</function>\n```", "", "read {\"file\":\"```\\nx\\n```\"}"},

	{"bare", "{\"name\": \"read\", \"arguments\": {\"file\": \"a\"}}", "", `read {"file": "a"}`},
	{"bare behind prose", "Let me see.\n{\"name\": \"read\", \"arguments\": {}}", "Let me see.", `read {}`},
	{"bare, several", "{\"name\":\"read\",\"parameters\":{}}; {\"name\":\"list_files\",\"parameters\":{}}", "", `read {}; list_files {}`},
	{"bare, all calls", "{\"tool_calls\":[{\"id\":\"x\",\"type\":\"function\",\"function\":{\"name\":\"read\",\"arguments\":\"{}\"}}]}", "", `read {}`},

	{"Mistral", "[TOOL_CALLS] [{\"name\": \"read\", \"arguments\": {}}]", "", `read {}`},
	{"Mistral, newer", "[TOOL_CALLS]read[ARGS]{\"file\": \"a\"}[TOOL_CALLS]list_files[CALL_ID]x1[ARGS]{}</s>", "", `read {"file": "a"}; list_files {}`},
	{"Llama", "<|python_tag|>{\"name\": \"read\", \"parameters\": {\"file\": \"a\"}}<|eom_id|>", "", `read {"file": "a"}`},
	{"Kimi's names", "<tool_call>{\"name\":\"functions.read:0\",\"arguments\":{}}</tool_call>", "", `read {}`},
}

// unwritten are texts that are answers.
var unwritten = []struct{ name, text string }{
	{"plain", "All done."},
	{"an unknown tool", "<tool_call>{\"name\":\"fly\",\"arguments\":{}}</tool_call>"},
	{"an unknown tool as JSON", "{\"name\": \"fly\", \"arguments\": {}}"},
	{"a package", "{\"name\": \"read\", \"version\": \"1.0\", \"arguments\": {}}"},
	{"no arguments", "{\"name\": \"read\"}"},
	{"arguments of something else", "{\"name\": \"read\", \"arguments\": {\"scripts\": {}}}"},
	{"words behind", "<tool_call>{\"name\":\"read\",\"arguments\":{}}</tool_call>\nThat is how it looks."},
	{"words behind a fence", "```json\n{\"name\": \"read\", \"arguments\": {}}\n```\nis a call."},
	{"a quotation", "It writes `<tool_call>{\"name\":\"read\",\"arguments\":{}}</tool_call>"},
	{"in a block of code", "```go\nx := 1\n{\"name\": \"read\", \"arguments\": {}}\n```"},
	{"in an open block", "```text\n<tool_call>{\"name\":\"read\",\"arguments\":{}}</tool_call>"},
	{"other fences", "```python\n{\"name\": \"read\", \"arguments\": {}}\n```"},
	{"within a line", "Call {\"name\": \"read\", \"arguments\": {}}"},
	{"half of a list", "[{\"name\":\"read\",\"arguments\":{}},{\"name\":\"fly\",\"arguments\":{}}]"},
	{"a name alone", "[TOOL_CALLS]"},
	{"a link", "[read](x)\n[TOOL](y)"},
	{"about calls", "Between <tool_call> and </tool_call> stands what read is given."},
	{"wrappers alone", "<tool_calls></tool_calls>"},
}

func recognised(text string) (prose, calls string, f found) {
	f = newToolset(someTools()).recognise(text)
	var list []string
	for _, c := range f.calls {
		list = append(list, c.name+" "+c.args)
	}
	return f.prose, strings.Join(list, "; "), f
}

func TestTextCalls(t *testing.T) {
	for _, test := range written {
		prose, calls, _ := recognised(test.text)
		if prose != test.prose || calls != test.calls {
			t.Errorf("%s: got %q and %s, want %q and %s", test.name, prose, calls, test.prose, test.calls)
		}
	}
	for _, test := range unwritten {
		if _, calls, _ := recognised(test.text); calls != "" {
			t.Errorf("%s: got %s of an answer", test.name, calls)
		}
	}
}

func TestBrokenTextCalls(t *testing.T) {
	for _, text := range []string{
		"<tool_call>{\"name\": \"read\", \"arguments\": {\"file\": \"a\",}}</tool_call>",
		"I look. <tool_call>{\"name\": \"read\", \"arguments\": {\"file\": \"a\"",
		"<function=read>\n<parameter=file>\na\n",
		"[TOOL_CALLS]read{oops}",
	} {
		if _, calls, f := recognised(text); calls != "" || !f.broken {
			t.Errorf("%q: got %s, %+v, want a broken call", text, calls, f)
		}
	}
	for _, test := range unwritten {
		if _, _, f := recognised(test.text); f.broken && !strings.Contains(test.name, "behind") {
			t.Errorf("%s: an answer counts as a broken call", test.name)
		}
	}
}

// textReply streams a text in pieces.
func textReply(mode, text string, size int) (model.Reply, told) {
	var heard told
	r := newReader(ask(), Profile{TextToolCalls: mode}.over(defaults()), heard.hear)
	for _, p := range inPieces(text, size) {
		r.take(chunk{text: p, choices: true})
	}
	r.take(chunk{finish: "stop", choices: true})
	return r.end(), heard
}

func TestTextCallModes(t *testing.T) {
	for _, size := range []int{1, 4, 1 << 20} {
		for _, test := range written {
			reply, heard := textReply(textPromote, test.text, size)
			if len(reply.Message.ToolCalls) == 0 || reply.Message.Content != test.prose || strings.TrimRight(heard.text, "\n ") != test.prose {
				t.Errorf("%s, promoted: got %s, told %q", test.name, pretty(reply), heard.text)
			}
			reply, heard = textReply(textReprompt, test.text, size)
			if len(reply.Message.ToolCalls) > 0 || reply.Finish != model.FinishTextCall || reply.Message.Content != test.text || strings.TrimRight(heard.text, "\n ") != test.prose {
				t.Errorf("%s, asked again: got %s, told %q", test.name, pretty(reply), heard.text)
			}
			reply, heard = textReply(textOff, test.text, size)
			if len(reply.Message.ToolCalls) > 0 || reply.Finish != "stop" || heard.text != test.text {
				t.Errorf("%s, off: got %s, told %q", test.name, pretty(reply), heard.text)
			}
		}
		for _, test := range unwritten {
			if reply, heard := textReply(textPromote, test.text, size); reply.Message.Content != test.text || heard.text != test.text && reply.Finish != model.FinishTextCall {
				t.Errorf("%s: got %s, told %q", test.name, pretty(reply), heard.text)
			}
		}
	}
}

// A real call in the same reply means that the text is an answer.
func TestTextCallsBesideCalls(t *testing.T) {
	var heard told
	r := newReader(ask(), defaults(), heard.hear)
	text := written[0].text
	r.take(chunk{text: text, choices: true})
	r.take(decodeChunk([]byte(delta(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"read","arguments":"{}"}}]}`))))
	if m := r.end().Message; len(m.ToolCalls) != 1 || m.Content != text || heard.text != text {
		t.Errorf("got %s, told %q", pretty(m), heard.text)
	}
}

// What may still be a call is held back, and an answer is not.
func TestTheGateHoldsBackCallsOnly(t *testing.T) {
	for _, test := range []struct{ text, shown string }{
		{"Hello", "Hello"},
		{"a < b and c", "a < b and c"},
		{"see [1] there", "see [1] there"},
		{"Now.\n<tool", "Now.\n"},
		{"Now.\n<table>", "Now.\n<table>"},
		{"<function=read>", ""},
		{"<function=fly>", "<function=fly>"},
		{"```go\nfunc", "```go\nfunc"},
		{"```json\n{\"na", ""},
		{"```json\n{\"name\": \"galley\"", "```json\n{\"name\": \"galley\""},
		{"```json\n{\"version\": 1", "```json\n{\"version\": 1"},
		{"{\"name\": \"rea", ""},
		{"{\"name\": \"reap", "{\"name\": \"reap"},
		{"a {\"name\": \"read\"", "a {\"name\": \"read\""},
		{"[TOOL", ""},
		{"[TOP", "[TOP"},
	} {
		for _, size := range []int{1, 1 << 20} {
			var shown strings.Builder
			g := gate{tools: newToolset(someTools()), show: func(s string) { shown.WriteString(s) }}
			for _, p := range inPieces(test.text, size) {
				g.add(p)
			}
			if shown.String() != test.shown {
				t.Errorf("%q in pieces of %d: shown %q, want %q", test.text, size, shown.String(), test.shown)
			}
			if g.end(0); shown.String() != test.text {
				t.Errorf("%q in pieces of %d: at the end %q is shown", test.text, size, shown.String())
			}
		}
	}
}

func TestTheGateHoldsLongCalls(t *testing.T) {
	text := "<tool_call>{\"name\":\"read\",\"arguments\":{\"file\":\"" + strings.Repeat("x", 100_000) + "\"}}</tool_call>"
	reply, heard := textReply(textPromote, text, 7)
	if heard.text != "" || len(reply.Message.ToolCalls) != 1 || len(reply.Message.ToolCalls[0].Arguments) < 100_000 {
		t.Errorf("told %d bytes, got %d calls", len(heard.text), len(reply.Message.ToolCalls))
	}
}

// However a text is cut, the same comes of it, and what is told is the beginning of what is said.
func TestTextCallsInAnyPieces(t *testing.T) {
	parts := []string{"Hello. ", "\n", "`", "```json\n", "\n```\n", "{", "[", "<", "x"}
	for _, w := range written {
		parts = append(parts, w.text)
	}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 5).Draw(t, "parts"), "")
		size := rapid.IntRange(1, 30).Draw(t, "size")
		want, _ := textReply(textPromote, text, 1<<20)
		got, heard := textReply(textPromote, text, size)
		if pretty(got) != pretty(want) {
			t.Fatalf("got %s in pieces of %d, want %s", pretty(got), size, pretty(want))
		}
		if !strings.HasPrefix(text, heard.text) || !strings.HasPrefix(heard.text, strings.TrimRight(got.Message.Content, " \t\r\n")) && got.Finish != model.FinishTextCall {
			t.Fatalf("told %q of %q", heard.text, text)
		}
	})
}

func FuzzTextCalls(f *testing.F) {
	for _, w := range written {
		f.Add(w.text)
	}
	for _, w := range unwritten {
		f.Add(w.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tools := newToolset(someTools())
		found := tools.recognise(text)
		for _, c := range found.calls {
			if _, ok := tools[c.name]; !ok || !memory.IsObject(c.args) || !json.Valid([]byte(c.args)) {
				t.Fatalf("got %+v of %q", c, text)
			}
		}
		if !strings.HasPrefix(text, found.prose) {
			t.Fatalf("the prose %q is not where %q begins", found.prose, text)
		}
		var shown strings.Builder
		g := gate{tools: tools, show: func(s string) { shown.WriteString(s) }}
		for _, p := range inPieces(text, 5) {
			g.add(p)
		}
		if g.end(0); shown.String() != text {
			t.Fatalf("shown %q of %q", shown.String(), text)
		}
	})
}
