package openaitest

import (
	"strings"
	"testing"
)

// refusals says for every fault that is learnt which requests it refuses, with what, and which it takes.
var refusals = map[string]struct {
	refused, why string
	taken        string
}{
	"refuse_stream_options":        {request(`"stream":true,"stream_options":{"include_usage":true}`), "Unrecognized request argument supplied: stream_options", request(`"stream":true`)},
	"refuse_parallel_tool_calls":   {request(`"parallel_tool_calls":false,"tools":[` + readTool + `]`), "parallel_tool_calls", request(``)},
	"refuse_max_tokens":            {request(`"max_tokens":5`), "Use 'max_completion_tokens' instead.", request(`"max_completion_tokens":5`)},
	"refuse_max_completion_tokens": {request(`"max_completion_tokens":5`), "extra_forbidden", request(`"max_tokens":5`)},
	"refuse_temperature":           {request(`"temperature":0`), "'temperature' is not supported with this model", request(``)},
	"refuse_temperature_value":     {request(`"temperature":0`), "does not support 0 with this model", request(`"temperature":1`)},
	"refuse_unknown_field":         {request(`"seed":1`), "Unrecognized request argument supplied: seed", request(`"max_tokens":5`)},
	"refuse_extra_forbidden":       {request(`"stream":true,"stream_options":{"include_usage":true}`), `"loc":["body","stream_options"]`, request(`"stream":true`)},
	"refuse_null_content":          {called(`"content":null,`), "<nil>", called(`"content":"",`)},
	"refuse_empty_content":         {called(`"content":"",`), "must be non-empty", called(`"content":null,`)},
	"refuse_omitted_content":       {called(``), "Field required", called(`"content":"",`)},
	"refuse_user_after_tool":       {called(`"content":"",`), "Unexpected role 'user' after role 'tool'", calledLast(`"content":"",`)},
	"refuse_user_after_user":       {conversationOf(userSays("a"), userSays("b")), "must alternate", conversationOf(userSays("a"))},
	"refuse_alternate_500":         {called(`"content":"",`), "must alternate user and assistant roles except", calledLast(`"content":"",`)},
	"refuse_developer":             {conversationOf(`{"role":"developer","content":"Be brief."}`, userSays("a")), "unknown variant `developer`", conversationOf(userSays("a"))},
	"refuse_system":                {conversationOf(`{"role":"system","content":"Be brief."}`, userSays("a")), "does not support 'system'", conversationOf(`{"role":"developer","content":"Be brief."}`, userSays("a"))},
	"refuse_system_500":            {conversationOf(`{"role":"system","content":"Be brief."}`, userSays("a")), "got system", conversationOf(userSays("a"))},
	"refuse_tool_ids":              {calledLast(`"content":"",`), "Tool call id was call_1 but must be", strings.ReplaceAll(calledLast(`"content":"",`), "call_1", "abcDEF123")},
	"refuse_reasoning_field":       {called(`"content":"","reasoning_content":"Hm.",`), "'reasoning_content' was unexpected", called(`"content":"",`)},
	"refuse_without_reasoning":     {calledLast(`"content":"",`), "must be passed back", calledLast(`"content":"","reasoning_content":"Hm.",`)},
	"refuse_stream":                {request(`"stream":true`), "must be verified to stream", request(`"stream":false`)},
	"refuse_stream_422":            {request(`"stream":true`), "Streaming responses are not currently supported", request(`"stream":false`)},
	"refuse_stream_tools":          {request(`"stream":true,"tools":[` + readTool + `]`), "Cannot use tools with stream", request(`"stream":true`)},
}

func request(more string) string {
	if more != "" {
		more = "," + more
	}
	return `{"model":"scripted","messages":[{"role":"user","content":"Do it."}]` + more + `}`
}

func userSays(text string) string { return `{"role":"user","content":"` + text + `"}` }

func conversationOf(messages ...string) string {
	return `{"model":"scripted","messages":[` + strings.Join(messages, ",") + `]}`
}

func calledWith(content string) []string {
	return []string{
		userSays("a"),
		`{"role":"assistant",` + content + `"tool_calls":[{"id":"call_1","type":"function","function":{"name":"read","arguments":"{}"}}]}`,
		`{"role":"tool","content":"text","tool_call_id":"call_1"}`,
	}
}

// called has a call, its result, and the user's next word; calledLast ends with the result.
func called(content string) string {
	return conversationOf(append(calledWith(content), userSays("b"))...)
}

func calledLast(content string) string { return conversationOf(calledWith(content)...) }

func TestRefusalsWaitForTheirCure(t *testing.T) {
	for name, test := range refusals {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, Script{Replies: []Reply{{Text: "Fine.", Fault: name}, {Text: "Next."}}})
			for range 2 {
				got := exchange(t, post(t, s.URL(), test.refused))
				status := got[:strings.IndexByte(got, '\n')]
				if status != "HTTP 400" && status != "HTTP 422" && status != "HTTP 500" || !strings.Contains(got, test.why) {
					t.Fatalf("it must be refused with %q: %s", test.why, got)
				}
			}
			if got := exchange(t, post(t, s.URL(), test.taken)); !strings.HasPrefix(got, "HTTP 200\n") || !strings.Contains(got, "Fine.") {
				t.Fatalf("it must be taken: %s", got)
			}
			if got := exchange(t, post(t, s.URL(), test.refused)); !strings.Contains(got, "Next.") {
				t.Fatalf("the fault belongs to one reply: %s", got)
			}
			faults := Faults()
			for _, f := range faults {
				if f.Name == name && f.Kind != Learnt {
					t.Errorf("its kind is %s", f.Kind)
				}
			}
		})
	}
}
