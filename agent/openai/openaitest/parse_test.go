package openaitest

import (
	"reflect"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	got, err := Parse("a.jsonl", []byte(`
# The header comes first.
{"loop": true, "key": "sk-test", "models": ["a"], "fields": ["min_p"]}

{"when": "hello", "text": "Hi.", "usage": {"input": 3, "cached": 1, "output": 2}}
  # and then
{"calls": [{"name": "read", "arguments": {"file":"a"}, "extra": {"x": 1}}, {"name": "write", "arguments": "{broken"}], "want": ["a", "b"]}
{"status": 503, "header": {"Retry-After": "1"}, "body": "no"}
{"frames": ["data: [DONE]\n\n"], "hold_at": "middle"}`))
	if err != nil {
		t.Fatal(err)
	}
	want := Script{Loop: true, Key: "sk-test", Models: []string{"a"}, Fields: []string{"min_p"}, Replies: []Reply{
		{When: Texts{"hello"}, Text: "Hi.", Usage: &Usage{Input: 3, Cached: 1, Output: 2}},
		{Calls: []Call{{Name: "read", Arguments: []byte(`{"file":"a"}`), Extra: []byte(`{"x": 1}`)}, {Name: "write", Arguments: []byte(`"{broken"`)}}, Want: Texts{"a", "b"}},
		{Status: 503, Header: map[string]string{"Retry-After": "1"}, Body: "no"},
		{Frames: []string{"data: [DONE]\n\n"}, HoldAt: HoldMiddle},
	}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %#v\nwant %#v", got, want)
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct{ script, want string }{
		{"\n{", "x:2: allowed is one JSON object a line, or a comment with #"},
		{`{"text":"a"} {"text":"b"}`, "allowed is one JSON object a line"},
		{`[]`, "allowed is one JSON object a line"},
		{`null`, "allowed is one JSON object a line"},
		{`{"txt":"a"}`, `x:1: there is no field "txt": allowed are when, text, reasoning, calls,`},
		{`{"calls":[{"nam":"read"}]}`, `there is no field "nam": allowed are when,`},
		{`{"text":5}`, "x:1: text: got number, allowed is a text"},
		{`{"calls":{}}`, "calls: got object, allowed is a list"},
		{`{"hold":"yes"}`, "hold: got string, allowed is true or false"},
		{`{"chunk":1.5}`, "chunk: got number 1.5, allowed is a number without a point"},
		{`{"when":5}`, "when"},
		{`{"text":"a"}` + "\n" + `{"loop":true}`, "x:2: the header must be the first object"},
		{`{"loop":true,"text":"a"}`, `there is no field "text": allowed are loop, key, models,`},
		{`{"text":"a","fault":"nothing"}`, `there is no fault "nothing": allowed are content_array, `},
		{`{"fault":"nothing"}`, `there is no fault "nothing": allowed are`},
		{`{"calls":[{}]}`, "call 1: it has no name"},
		{`{"calls":[{"name":"a","arguments":[1]}]}`, "arguments of a: allowed are an object, or a string"},
		{`{"calls":[{"name":"a","extra":"b"}]}`, "extra of a: allowed is an object"},
		{`{"text":"a","status":500}`, "several kinds of answer"},
		{`{"frames":["a"],"body":"a"}`, "several kinds of answer"},
		{`{"status":42}`, "status 42 is no HTTP status of an answer: allowed are 200 to 599"},
		{`{"text":"a","hold_at":"end"}`, `hold_at is "end": allowed are "start" and "middle"`},
		{`{"text":"a","chunk":-1}`, "chunk is -1"},
	}
	for _, test := range tests {
		_, err := Parse("x", []byte(test.script))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", test.script, err, test.want)
		}
	}
}

func TestStartRefusesWhatParseRefuses(t *testing.T) {
	_, err := Start(Script{Replies: []Reply{{Text: "a"}, {Text: "b", Fault: "nothing"}}})
	if err == nil || !strings.Contains(err.Error(), `the script: reply 2: there is no fault "nothing"`) {
		t.Errorf("got %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`{"loop":true}` + "\n" + `{"text":"a","calls":[{"name":"b","arguments":{"c":1}}]}`)
	f.Add(`# x` + "\n" + `{"status":500,"body":"x"}`)
	f.Fuzz(func(t *testing.T, script string) {
		s, err := Parse("x", []byte(script))
		if err == nil && s.check() != nil {
			t.Errorf("parsed, but %v", s.check())
		}
	})
}
