package openai

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/galley-ls/galley/memory"
)

// Each test is the tool_calls of one delta after the other, and the calls that come of them as name, arguments and id;
// an id of ? is made up.
func TestAssemble(t *testing.T) {
	tests := []struct {
		name   string
		pieces []string
		want   string
	}{
		{"by the book", []string{
			`[{"index":0,"id":"a","type":"function","function":{"name":"read","arguments":""}}]`,
			`[{"index":0,"function":{"arguments":"{\"fi"}}]`, `[{"index":0,"function":{"arguments":"le\":1}"}}]`,
			`[{"index":1,"id":"b","function":{"name":"list_files","arguments":"{}"}}]`,
		}, `read {"file":1} a; list_files {} b`},
		{"no index", []string{
			`[{"id":"a","function":{"name":"read","arguments":"{\"file"}}]`, `[{"function":{"arguments":"\":1}"}}]`,
			`[{"id":"b","function":{"name":"read","arguments":"{}"}}]`,
		}, `read {"file":1} a; read {} b`},
		{"always index 0", []string{
			`[{"index":0,"id":"a","function":{"name":"read","arguments":"{\"a\":"}}]`, `[{"index":0,"function":{"arguments":"1}"}}]`,
			`[{"index":0,"id":"b","function":{"name":"read","arguments":"{\"b\":"}}]`, `[{"index":0,"function":{"arguments":"2}"}}]`,
		}, `read {"a":1} a; read {"b":2} b`},
		{"always index 0, no ids", []string{
			`[{"index":0,"function":{"name":"read","arguments":"{\"a\":1}"}}]`, `[{"index":0,"function":{"name":"read","arguments":"{\"b\":2}"}}]`,
			`[{"index":0,"function":{"name":"list_files","arguments":"{}"}}]`,
		}, `read {"a":1} ?; read {"b":2} ?; list_files {} ?`},
		{"neither index nor id", []string{
			`[{"function":{"name":"read","arguments":{"a":1}}},{"function":{"name":"read","arguments":{"b":2}}}]`,
		}, `read {"a":1} ?; read {"b":2} ?`},
		{"gaps", []string{
			`[{"index":7,"id":"b","function":{"name":"read","arguments":"{\"b\":2}"}}]`, `[{"index":3,"id":"a","function":{"name":"read","arguments":"{\"a\":1}"}}]`,
		}, `read {"a":1} a; read {"b":2} b`},
		{"the name again and again", []string{
			`[{"index":0,"id":"a","function":{"name":"read","arguments":"{\"fi"}}]`, `[{"index":0,"function":{"name":"read","arguments":"le\":"}}]`,
			`[{"index":0,"function":{"name":"read","arguments":"{}}"}}]`, `[{"index":0,"function":{"name":"read","arguments":""}}]`,
		}, `read {"file":{}} a`},
		{"the name in pieces", []string{
			`[{"index":0,"id":"a","function":{"name":"list"}}]`, `[{"index":0,"function":{"name":"_files"}}]`, `[{"index":0,"function":{"arguments":"{}"}}]`,
		}, `list_files {} a`},
		{"the name longer each time", []string{
			`[{"index":0,"id":"a","function":{"name":"list"}}]`, `[{"index":0,"function":{"name":"list_files","arguments":"{}"}}]`,
		}, `list_files {} a`},
		{"the name late", []string{
			`[{"index":0,"id":"a","function":{"arguments":"{\"a\""}}]`, `[{"index":0,"function":{"name":"read","arguments":":1}"}}]`,
		}, `read {"a":1} a`},
		{"the id late", []string{
			`[{"index":0,"function":{"name":"read","arguments":"{"}}]`, `[{"index":0,"id":"a","function":{"arguments":"}"}}]`,
		}, `read {} a`},
		{"the id in each piece, by turns", []string{
			`[{"id":"a","function":{"name":"read","arguments":"{\"a\""}}]`, `[{"id":"b","function":{"name":"read","arguments":"{\"b\""}}]`,
			`[{"id":"a","function":{"arguments":":1}"}}]`, `[{"id":"b","function":{"arguments":":2}"}}]`,
		}, `read {"a":1} a; read {"b":2} b`},
		{"one id for all", []string{
			`[{"index":0,"id":"a","function":{"name":"read","arguments":"{}"}},{"index":1,"id":"a","function":{"name":"read","arguments":"{\"b\":2}"}}]`,
		}, `read {} a; read {"b":2} ?`},
		{"one id for all, no index", []string{
			`[{"id":"a","function":{"name":"read","arguments":"{\"a\":1}"}},{"id":"a","function":{"name":"list_files","arguments":"{}"}}]`,
		}, `read {"a":1} a; list_files {} ?`},
		{"an id alone", []string{`[{"index":0,"id":"a"}]`}, ``},
		{"an unknown tool", []string{`[{"index":0,"id":"a","function":{"name":"fly","arguments":"{}"}}]`}, `fly {} a`},
		{"two unknown tools", []string{`[{"function":{"name":"fly","arguments":"{}"}}]`, `[{"function":{"name":"swim","arguments":"{}"}}]`}, `fly {} ?; swim {} ?`},
		{"an empty object first", []string{
			`[{"index":0,"id":"a","function":{"name":"read","arguments":"{}"}}]`, `[{"index":0,"function":{"arguments":"{\"a\":1}"}}]`,
		}, `read {"a":1} a`},
		{"all once more at the end", []string{
			`[{"index":0,"id":"a","function":{"name":"read","arguments":"{\"a\":"}}]`, `[{"index":0,"function":{"arguments":"1}"}}]`,
			`[{"index":0,"id":"a","function":{"name":"read","arguments":"{\"a\":1}"}}]`,
		}, `read {"a":1} a`},
		{"no arguments", []string{`[{"index":0,"id":"a","function":{"name":"read"}},{"index":1,"id":"b","function":{"name":"read","arguments":null}}]`}, `read {} a; read {} b`},
		{"arguments encoded twice", []string{`[{"index":0,"id":"a","function":{"name":"read","arguments":"\"{\\\"a\\\":1}\""}}]`}, `read {"a":1} a`},
		{"broken arguments stay", []string{`[{"index":0,"id":"a","function":{"name":"read","arguments":"{\"a\": oops"}}]`}, `read {"a": oops a`},
		{"without the object around", []string{`[{"id":"a","name":"read","arguments":{"a":1}}]`}, `read {"a":1} a`},
		{"arguments without a name", []string{`[{"index":0,"id":"a","function":{"arguments":"{}"}}]`}, `unknown_tool {} a`},
		{"pieces counted instead of calls", []string{
			`[{"index":0,"id":"a","function":{"name":"read","arguments":""}}]`, `[{"index":1,"function":{"arguments":"{\"a\":1}"}}]`,
		}, `read {"a":1} a`},
		{"index 0 for heads, the right one for pieces", []string{
			`[{"index":0,"id":"a","function":{"name":"read","arguments":""}}]`, `[{"index":0,"function":{"arguments":"{\"a\":1}"}}]`,
			`[{"index":0,"id":"b","function":{"name":"read","arguments":""}}]`, `[{"index":1,"function":{"arguments":"{\"b\":"}}]`, `[{"index":1,"function":{"arguments":"2}"}}]`,
			`[{"index":0,"id":"c","function":{"name":"list_files","arguments":""}}]`, `[{"index":2,"function":{"arguments":"{}"}}]`,
		}, `read {"a":1} a; read {"b":2} b; list_files {} c`},
		{"U34 the index changes within a call", []string{
			`[{"index":0,"id":"a1","function":{"name":"read","arguments":"{\"a\":1}"}}]`, `[{"index":0,"id":"b1","function":{"name":"read","arguments":"{\"b\":"}}]`,
			`[{"index":1,"function":{"arguments":"2}"}}]`,
		}, `read {"a":1} a1; read {"b":2} b1`},
		{"U34 the index changes with each piece", []string{
			`[{"index":0,"id":"a","function":{"name":"read","arguments":"{"}}]`, `[{"index":1,"function":{"arguments":"\"a\":"}}]`, `[{"index":2,"function":{"arguments":"1}"}}]`,
			`[{"index":3,"id":"b","function":{"name":"read","arguments":"{\"b\""}}]`, `[{"index":0,"function":{"arguments":""}}]`, `[{"index":4,"function":{"arguments":":2}"}}]`,
		}, `read {"a":1} a; read {"b":2} b`},
		{"U34 the index goes back within the second call", []string{
			`[{"index":0,"id":"a","function":{"name":"read","arguments":"{\"a\":1}"}}]`, `[{"index":1,"id":"b","function":{"name":"read","arguments":"{\"b\":"}}]`,
			`[{"index":0,"function":{"arguments":"2}"}}]`,
		}, `read {"a":1} a; read {"b":2} b`},
		{"U34 the id changes within a call", []string{
			`[{"index":0,"id":"a1","function":{"name":"read","arguments":"{\"a\":"}}]`, `[{"index":0,"id":"a2","function":{"arguments":"1}"}}]`,
			`[{"index":1,"id":"b1","function":{"name":"list_files","arguments":"{}"}}]`,
		}, `read {"a":1} a1; list_files {} b1`},
		{"U34 the index is lost within a call", []string{
			`[{"index":0,"id":"a","function":{"name":"read","arguments":"{\"a\":1}"}}]`, `[{"index":1,"id":"b","function":{"name":"read","arguments":"{\"b\":"}}]`,
			`[{"function":{"arguments":"2}"}}]`,
		}, `read {"a":1} a; read {"b":2} b`},
		{"U33 names with a namespace", []string{
			`[{"index":0,"id":"a","function":{"name":"functions."}}]`, `[{"index":0,"function":{"name":"read"}}]`, `[{"index":0,"function":{"arguments":"{}"}}]`,
			`[{"index":1,"id":"b","function":{"name":"default_api:list_files","arguments":"{}"}}]`, `[{"index":2,"id":"c","function":{"name":"read<|channel|>json","arguments":"{}"}}]`,
		}, `read {} a; list_files {} b; read {} c`},
		{"numbers as ids", []string{`[{"index":"0","id":7,"function":{"name":"read","arguments":"{}"}}]`}, `read {} 7`},
	}
	for _, test := range tests {
		var chunks []string
		for _, p := range test.pieces {
			chunks = append(chunks, delta(`{"tool_calls":`+p+`}`))
		}
		if got := assembled(t, chunks); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}

func assembled(t *testing.T, chunks []string) string {
	t.Helper()
	r := newReader(ask(), defaults(), (&told{}).hear)
	for _, c := range chunks {
		r.take(decodeChunk([]byte(c)))
	}
	var calls []string
	for _, c := range r.end().Message.ToolCalls {
		id := c.ID
		if memory.IsShortID(id) {
			id = "?"
		}
		calls = append(calls, c.Name+" "+c.Arguments+" "+id)
	}
	return strings.Join(calls, "; ")
}

func TestLegacyFunctionCall(t *testing.T) {
	got := assembled(t, []string{
		delta(`{"function_call":{"name":"read","arguments":""}}`), delta(`{"function_call":{"arguments":"{\"a\":"}}`), delta(`{"function_call":{"arguments":"1}"}}`),
	})
	if want := `read {"a":1} ?`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestExtraIsKept(t *testing.T) {
	r := newReader(ask(), defaults(), (&told{}).hear)
	for _, c := range []string{
		`[{"index":0,"id":"a","type":"function","custom":null,"function":{"name":"read","arguments":"{}"},"extra_content":{"google":{"thought_signature":"x/+="}}}]`,
		`[{"index":0,"late":1}]`,
	} {
		r.take(decodeChunk([]byte(delta(`{"tool_calls":` + c + `}`))))
	}
	got := r.end().Message.ToolCalls[0].Extra
	if want := `{"extra_content":{"google":{"thought_signature":"x/+="}},"late":1}`; string(got) != want || !json.Valid(got) {
		t.Errorf("got %s, want %s", got, want)
	}
}

// The same reply has the same ids, and another reply has others.
func TestMadeUpIDs(t *testing.T) {
	ids := func(messages int) string {
		req := ask()
		for range messages {
			req.Messages = append(req.Messages, req.Messages[1])
		}
		r := newReader(req, defaults(), (&told{}).hear)
		r.take(decodeChunk([]byte(delta(`{"tool_calls":[{"function":{"name":"read","arguments":"{}"}},{"function":{"name":"read","arguments":"{\"a\":1}"}}]}`))))
		calls := r.end().Message.ToolCalls
		if !memory.IsShortID(calls[0].ID) || calls[0].ID == calls[1].ID {
			t.Errorf("got the ids %q and %q", calls[0].ID, calls[1].ID)
		}
		return calls[0].ID + calls[1].ID
	}
	if first, again, other := ids(0), ids(0), ids(2); first != again || first == other {
		t.Errorf("got %s, %s and %s", first, again, other)
	}
}
